"""What a provider is: one asynchronous method, and what it says of itself before any request."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, MissingSecret, RunError
from schemas.records import Reply, Request, Usage


class Secret:
    """A key that no repr, log line or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The key itself, for a request header only."""
        return self._value

    def __repr__(self) -> str:
        return "Secret('***')"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a secret is never pickled")


class Batches(ABC):
    """A provider's batch API: half the price, answers within a day, in any order."""

    @abstractmethod
    async def submit(self, requests: Sequence[Request], label: str) -> str:
        """Send all `requests` as one batch, marked with `label` where the API can; returns the batch id. Raises as `Provider.generate`."""

    @abstractmethod
    async def find(self, label: str) -> str | None:
        """Id of the batch marked with `label`; None where there is none.

        Raises:
            Unavailable: the API cannot tell.
        """

    @abstractmethod
    async def results(self, batch_id: str) -> Mapping[str, Reply | RunError] | None:
        """Outcomes by generation_id once the batch has ended, else None; a request without an answer is missing. Raises as `Provider.generate`."""


class Provider(ABC):
    """One open model. Subclasses implement `generate`; what they open they close in `__aexit__`."""

    key_env: ClassVar[str | None] = None
    """Environment variable read where the model file names none and uses the default `base_url`."""
    refused: ClassVar[frozenset[str]] = frozenset()
    """Parameters this API never takes."""
    has_batches: ClassVar[bool] = False

    def __init__(self, model: Model, base: Path) -> None:
        self.model, self.base = model, base

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    @abstractmethod
    async def generate(self, request: Request) -> Reply:
        """Ask once.

        Raises:
            ProviderError: this request failed (Retryable, Permanent).
            Unavailable: no request can succeed (key refused, no credit, unknown model).
        """

    def batches(self) -> Batches | None:
        """The batch API of this provider, for `mode: batch`; None where it has none."""
        return None

    @classmethod
    def pin(cls, model: Model, base: Path) -> str | None:
        """What pins the weights besides the model's name and `version`; None where nothing does."""
        return None

    @classmethod  # noqa: B027 - most APIs refuse nothing further
    def check(cls, model: Model, sampling: Sampling) -> None:
        """Refuse what this API cannot do with `sampling`, before any request.

        Raises:
            ConfigError: the setting and the remedy.
        """


_REMEDIES = {"seed": "set `send_seed: false`", "temperature": "set `temperature: 1`, which is the API's own and then not sent"}


def asked(sampling: Sampling) -> dict[str, float | int | str | bool]:
    """The parameters `sampling` sends, by name; `seed` stands for the derived seed."""
    sent: dict[str, float | int | str | bool] = {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens}
    if sampling.top_p is not None:
        sent["top_p"] = sampling.top_p
    if sampling.thinking is not None:
        sent["thinking"] = sampling.thinking
    if sampling.send_seed:
        sent["seed"] = True
    return sent


def check_parameters(model: Model, sampling: Sampling, refused: frozenset[str]) -> None:
    """Refuse parameters that the model or its API does not take.

    Raises:
        ConfigError: `unsupported_parameter`, with the remedy.
    """
    for name, value in asked(sampling).items():
        if (name in refused or name in model.unsupported) and not (name == "temperature" and value == 1):
            remedy = _REMEDIES.get(name, f"leave `{name}` out of `sampling`")
            raise ConfigError(f"unsupported_parameter: model {model.name!r} ({model.provider}) does not take {name!r}; {remedy}")


def secret(model: Model, default: str | None) -> Secret | None:
    """The key of `model` from the environment; None where it needs none.

    Raises:
        MissingSecret: the variable is not set or blank.
    """
    variable = model.api_key_env or (default if model.base_url is None else None)
    if variable is None:
        return None
    value = os.environ.get(variable, "").strip()
    if not value:
        raise MissingSecret(variable, model.name)
    return Secret(value)


def parameters(request: Request, model: Model) -> dict[str, Any]:
    """Sampling of `request` by name, with `seed` where one is sent; temperature 1 is left out where the model takes none."""
    named: dict[str, Any] = {name: value for name, value in request.sampling if value is not None}
    if "temperature" in model.unsupported and named.get("temperature") == 1:
        del named["temperature"]
    if named.pop("send_seed", True) and request.seed is not None:
        named["seed"] = request.seed
    return named


def count(value: Any) -> int | None:
    """A token count as the provider states it; None for anything that is no count."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def usage(reported: Mapping[str, Any], *, said_something: bool) -> Usage:
    """Usage from counts by our field names. Zero output with text is no count: it would look like perfect thrift."""
    counts = {name: count(reported.get(name)) for name in ("input_tokens", "output_tokens", "thinking_tokens", "cached_tokens")}
    if not counts["output_tokens"] and said_something:
        counts["output_tokens"] = None
    if counts["input_tokens"] == 0:
        counts["input_tokens"] = None
    return Usage(**counts, source="missing" if counts["output_tokens"] is None else "provider")


def string(value: Any) -> str | None:
    """A non-empty string, else None."""
    return value if isinstance(value, str) and value else None
