"""What pins a model, and what is refused before any request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, MissingSecret, UnknownName
from tasks.providers import PROVIDERS, check, resolve


def made(**fields: Any) -> Model:
    return Model(**{"name": "m", "provider": "openai", "model": "gpt", **fields})


@pytest.mark.parametrize(
    ("fields", "pin"),
    [
        ({"model": "gpt-4o-mini-2024-07-18"}, "gpt-4o-mini-2024-07-18"),
        ({"model": "claude-haiku-4-5-20251001", "provider": "anthropic"}, "claude-haiku-4-5-20251001"),
        ({"model": "gemini-2.5-flash", "provider": "gemini", "version": "stable-001"}, "stable-001"),
        ({"model": "gpt-4o-mini-2024-07-18", "version": "mine"}, "mine"),
        ({"provider": "transformers", "model": "owner/name", "revision": "a" * 40}, "hub:" + "a" * 40),
        ({"provider": "llamacpp", "weights": {"package": "no-such-package", "file": "f.gguf", "sha256": "ab"}}, "sha256:ab"),
    ],
)
def test_what_pins_a_model(fields: dict[str, Any], pin: str, tmp_path: Path) -> None:
    assert resolve(made(**fields), tmp_path) == pin


@pytest.mark.parametrize(
    "fields",
    [
        {"model": "gpt-4o"},
        {"model": "qwen2.5-20-b"},
        {"model": "model-20251399"},
        {"model": "m-120250101"},
        {"provider": "transformers", "model": "owner/name", "revision": "main"},
    ],
)
def test_a_name_that_may_change_behind_our_back_asks_for_a_pin(fields: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pins"):
        resolve(made(**fields), tmp_path)


def test_an_unknown_provider_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="anthropic"):
        resolve(made(provider="antropic"), tmp_path)


@pytest.mark.parametrize(("provider", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("gemini", "GEMINI_API_KEY")])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_names_variable_and_model(provider: str, variable: str, value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(variable, raising=False)
    if value is not None:
        monkeypatch.setenv(variable, value)
    with pytest.raises(MissingSecret, match=f"'m'.*{variable}"):
        check(made(provider=provider), Sampling(send_seed=False))


@pytest.mark.parametrize(
    ("name", "sampling"), [("temperature", {}), ("max_tokens", {}), ("seed", {}), ("top_p", {"top_p": 0.9}), ("thinking", {"thinking": True})]
)
def test_a_parameter_the_model_does_not_take_is_refused_and_named(name: str, sampling: dict[str, Any]) -> None:
    local = made(base_url="http://127.0.0.1:9/v1", unsupported=[name])
    with pytest.raises(ConfigError, match=f"unsupported_parameter.*'{name}'"):
        check(local, Sampling(**sampling))
    check(made(base_url="http://127.0.0.1:9/v1", unsupported=["logprobs"]), Sampling(**sampling))


def test_every_provider_says_what_it_is() -> None:
    for provider in PROVIDERS.values():
        assert provider.__doc__
        module = __import__(provider.__module__, fromlist=["x"])
        assert (module.__doc__ or "").strip(), f"{provider.__module__} does not say what it speaks"
