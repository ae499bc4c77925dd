"""The network and the local engines, nowhere else. A provider is one file here and one line in `PROVIDERS`."""

from __future__ import annotations

import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, UnknownName
from tasks.providers.anthropic import Anthropic
from tasks.providers.base import Provider, check_parameters, secret
from tasks.providers.gemini import Gemini
from tasks.providers.llamacpp import LlamaCpp
from tasks.providers.openai import OpenAI
from tasks.providers.replay import Replay
from tasks.providers.transformers import Transformers

PROVIDERS: dict[str, type[Provider]] = {
    "anthropic": Anthropic,
    "gemini": Gemini,
    "llamacpp": LlamaCpp,
    "openai": OpenAI,
    "replay": Replay,
    "transformers": Transformers,
}

_DATED = re.compile(r"(?<!\d)20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?!\d)")


def resolve(model: Model, base: Path) -> str:
    """What pins `model` before any request: weights digest or hub revision, else `version`, else a dated name. No network.

    Raises:
        UnknownName: no such provider.
        ConfigError: nothing pins it; asks for a pin.
        Unavailable: local weights that are not there.
    """
    pin = _provider(model).pin(model, base) or model.version or (model.model if _DATED.search(model.model) else None)
    if pin is None:
        raise ConfigError(
            f"model {model.name!r}: nothing pins {model.model!r}, so a silent change could not be told; "
            "name a dated snapshot in `model`, or set `version` (for local weights `revision` or `weights`)"
        )
    return pin


def check(model: Model, sampling: Sampling, *, buying: bool = True) -> None:
    """Refuse what cannot work before anything is asked. No network.

    Raises:
        UnknownName: no such provider.
        MissingSecret: for `buying`, an environment variable is not set.
        ConfigError: `unsupported_parameter`, or a setting its API does not take.
    """
    provider = _provider(model)
    if model.mode == "batch" and not provider.has_batches:
        raise ConfigError(f"model {model.name!r}: provider {model.provider!r} has no batch API; leave `mode` out")
    check_parameters(model, sampling, provider.refused)
    provider.check(model, sampling)
    if buying:
        secret(model, provider.key_env)


def open_provider(model: Model, base: Path) -> AbstractAsyncContextManager[Provider]:
    """The provider of `model`, to be entered in the event loop that uses it; `base` is the folder of its model file."""
    return _provider(model)(model, base)


def _provider(model: Model) -> type[Provider]:
    if model.provider not in PROVIDERS:
        raise UnknownName("provider", model.provider, PROVIDERS)
    return PROVIDERS[model.provider]


__all__ = ["PROVIDERS", "Provider", "check", "open_provider", "resolve"]
