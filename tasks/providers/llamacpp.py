"""Local GGUF weights by xllamacpp: llama.cpp's own OpenAI server in this process, asked through the OpenAI provider.

The server starts when the provider is opened and ends when it is closed. One thread: spinning OpenMP threads starve on shared cores.
"""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, Unavailable
from schemas.records import Reply, Request
from tasks.providers import weights
from tasks.providers.base import Provider
from tasks.providers.openai import OpenAI

SLOTS = 4
DEFAULT_CONTEXT = 2048


class LlamaCpp(Provider):
    """One GGUF model, at most four answers at a time."""

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._server: Any = None
        self._chat: OpenAI | None = None

    async def __aenter__(self) -> Self:
        path = await asyncio.to_thread(weights.opened, self.model, self.base)
        self._server = await asyncio.to_thread(_start, self.model, path)
        served = self.model.model_copy(update={"base_url": f"{self._server.listening_address}/v1", "api_key_env": None})
        self._chat = await OpenAI(served, self.base).__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._chat:
            await self._chat.__aexit__(*exc)
        self._chat, server, self._server = None, self._server, None
        await asyncio.to_thread(_stop, [server])
        del server

    async def generate(self, request: Request) -> Reply:
        """One chat completion of the local server; its model name is a path of this machine and is not kept."""
        assert self._chat is not None, "open the provider with `async with`"
        return replace(await self._chat.generate(request), served_model=self.model.model)

    @classmethod
    def pin(cls, model: Model, base: Path) -> str | None:
        """Digest of the weights."""
        return weights.pinned(model, base)

    @classmethod
    def check(cls, model: Model, sampling: Sampling) -> None:
        """Weights are needed; thinking is on or off."""
        if model.weights is None:
            raise ConfigError(f"model {model.name!r} (llamacpp) needs `weights` in its model file")
        if sampling.thinking is not None and not isinstance(sampling.thinking, bool):
            raise ConfigError(f"unsupported_parameter: model {model.name!r}: `thinking` is true or false for local weights")


def _start(model: Model, path: Path) -> Any:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ImportError as error:
        raise Unavailable(f"model {model.name!r} needs xllamacpp; run `pip install 'sextant-reasoning[local]'` or `pip install xllamacpp`") from error
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_parallel = min(model.limits.concurrency, SLOTS)
    settings.n_ctx = (model.context or DEFAULT_CONTEXT) * settings.n_parallel
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.warmup, settings.verbosity, settings.port, settings.ui = False, -1, 0, False
    if model.chat_template is not None:
        settings.chat_template, settings.use_jinja = _jinja(model.chat_template), True
    try:
        return xllamacpp.Server(settings)
    except RuntimeError as error:
        raise Unavailable(f"model {model.name!r}: llama.cpp cannot load {path} ({error})") from error


def _stop(held: list[Any]) -> None:
    held.clear()  # the server ends with its last reference


def _jinja(template: str) -> str:
    """The model file's template ('Instruct: {prompt} Output:') as the Jinja text llama.cpp reads."""
    before, _, after = template.partition("{prompt}")
    words = "{{ messages | map(attribute='content') | join('\\n\\n') }}"
    return f"{{{{ {json.dumps(before)} }}}}{words}{{{{ {json.dumps(after)} }}}}"
