"""Any causal language model by transformers: hub id at a pinned commit, local folder, or GGUF file. Batched and left-padded.

Each row of a batch draws from its own seeded generator (Gumbel noise before the maximum), so a seed gives the same text whatever else is in
the batch, up to rounding. Only the asked sampling parameters act: the checkpoint's own generation defaults (top_k, repetition penalty) do not.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, ContextOverflow, Unavailable
from schemas.records import Reply, Request, Usage
from tasks import hub
from tasks.providers import weights
from tasks.providers.base import Provider, parameters
from tasks.providers.batching import MicroBatches
from tasks.providers.noise import processors
from tasks.providers.thinking import part

FILES = ("*.json", "*.safetensors", "*.model", "*.txt", "*.jinja", "tokenizer*")
TAKEN = {"temperature", "top_p", "max_tokens", "seed", "thinking"}
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Transformers(Provider):
    """One causal model; `limits.concurrency` is the largest batch."""

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._tokenizer: Any = None
        self._network: Any = None
        self._batches = MicroBatches(self._answer, lambda request: request.sampling, size=model.limits.concurrency)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._load)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._batches.close()
        self._network = self._tokenizer = None

    @classmethod
    def pin(cls, model: Model, base: Path) -> str | None:
        """Digest of local weights, or the hub commit."""
        if model.weights is not None:
            return weights.pinned(model, base)
        if (base / model.model).is_dir():
            return f"sha256:{weights.sha256([base / model.model])}"
        return f"hub:{model.revision}" if _COMMIT.fullmatch(model.revision or "") else None

    @classmethod
    def check(cls, model: Model, sampling: Sampling) -> None:
        """Thinking is on or off; body fields of an API mean nothing here."""
        if sampling.thinking is not None and not isinstance(sampling.thinking, bool):
            raise ConfigError(f"unsupported_parameter: model {model.name!r}: `thinking` is true or false for local weights")
        if model.extra:
            raise ConfigError(f"unsupported_parameter: model {model.name!r} (transformers) takes no `extra`")

    async def generate(self, request: Request) -> Reply:
        """The reply to one request, computed in a batch with others of the same sampling."""
        return await self._batches.ask(request)

    def _load(self) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig
        from transformers.utils.logging import disable_progress_bar

        settings: Any = GenerationConfig
        quiet: Any = disable_progress_bar
        quiet()
        folder, options = self._place()
        on_gpu = torch.cuda.is_available()
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left", **options)
            network: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto" if on_gpu else torch.float32, **options)
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise Unavailable(f"model {self.model.name!r}: transformers cannot load {folder} ({' '.join(str(error).split())[:200]})") from error
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        ends = network.generation_config.eos_token_id or self._tokenizer.eos_token_id
        network.generation_config = settings(eos_token_id=ends, pad_token_id=self._tokenizer.pad_token_id, do_sample=False)
        self._ends = set(ends) if isinstance(ends, list) else {ends}
        self._network = network.eval().to("cuda" if on_gpu else "cpu")
        self._window = self.model.context or getattr(network.config, "max_position_embeddings", None) or 2048

    def _place(self) -> tuple[str, dict[str, str]]:
        if self.model.weights is not None:
            path = weights.opened(self.model, self.base)
            return (str(path), {}) if path.is_dir() else (str(path.parent), {"gguf_file": path.name})
        local = self.base / self.model.model
        return (str(local) if local.is_dir() else str(hub.snapshot(self.model.model, self.model.revision, allow=FILES))), {}

    def _answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        """Replies to requests of the same sampling, in order; a prompt that does not fit fails alone."""
        named = parameters(requests[0], self.model)
        if unknown := sorted(set(named) - TAKEN):
            raise ConfigError(f"unsupported_parameter: model {self.model.name!r} (transformers) does not take {unknown[0]!r}")
        most = int(named["max_tokens"])
        prompts = [self._prompt(request, named.get("thinking")) for request in requests]
        fitting = [i for i, ids in enumerate(prompts) if len(ids) + most <= self._window]
        replies: list[Reply | Exception] = [ContextOverflow(f"{len(ids)} tokens and {most} to come pass the window of {self._window}") for ids in prompts]
        if fitting:
            outputs = self._run([prompts[i] for i in fitting], named, most, [requests[i].seed for i in fitting])
            for i, ids in zip(fitting, outputs, strict=True):
                replies[i] = self._reply(ids, len(prompts[i]))
        return replies

    def _prompt(self, request: Request, thinking: Any) -> list[int]:
        if self.model.chat_template is not None:
            text = self.model.chat_template.replace("{prompt}", "\n\n".join(m.content for m in request.messages))
            ids = self._tokenizer(text)["input_ids"]
        elif self._tokenizer.chat_template is None:
            raise ConfigError(f"model {self.model.name!r} has no chat template of its own; give `chat_template` in its model file")
        else:
            chat = [{"role": m.role, "content": m.content} for m in request.messages]
            options = {} if thinking is None else {"enable_thinking": thinking}
            text = self._tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True, **options)
            ids = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return list(ids)

    def _run(self, prompts: list[list[int]], named: dict[str, Any], most: int, seeds: list[int | None]) -> list[list[int]]:
        import torch

        batch = self._tokenizer.pad({"input_ids": prompts}, return_tensors="pt").to(self._network.device)
        try:
            with torch.inference_mode():
                out = self._network.generate(**batch, max_new_tokens=most, logits_processor=processors(named, seeds))
        except RuntimeError as error:
            said = " ".join(str(error).split())[:200]
            raise Unavailable(f"model {self.model.name!r} failed on a batch of {len(prompts)}: {said}; lower `limits.concurrency` if memory ran out") from error
        return [row.tolist() for row in out[:, batch["input_ids"].shape[1] :]]

    def _reply(self, ids: list[int], given: int) -> Reply:
        end = next((i for i, token in enumerate(ids) if token in self._ends), None)
        kept = ids if end is None else ids[:end]
        parted = part(self._tokenizer.decode(kept, skip_special_tokens=True), self.model.thinking_tags)
        return Reply(
            text=parted.text,
            thinking=parted.thinking,
            finish_reason="length" if end is None else "stop",
            usage=Usage(input_tokens=given, output_tokens=len(kept) + (end is not None), source="tokenizer"),
            served_model=self.model.model,
            fingerprint=_fingerprint(),
            http_status=None,
            unclosed_thinking=parted.unclosed,
        )


def _fingerprint() -> str:
    import torch
    import transformers

    return f"transformers-{transformers.__version__}/torch-{torch.__version__}"
