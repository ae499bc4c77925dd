"""The shipped model files: each is valid, pinned, and taken by its provider."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from schemas.config import Model, Sampling
from tasks.providers import check, resolve

FOLDER = Path(__file__).parents[3] / "deploy" / "models"
FILES = sorted(FOLDER.glob("*.yaml"))
PAPER = {"gpt-4o-mini", "claude-haiku-4-5", "deepseek-v3", "gemini-2.5-flash", "llama-3-70b-instruct", "qwen2.5-1.5b-instruct", "phi-2"}


def test_the_papers_seven_models_are_there() -> None:
    assert {path.stem for path in FILES} >= PAPER


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_model_file_is_valid_pinned_and_keeps_its_key_in_the_environment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model.model_validate(yaml.safe_load(path.read_text()))
    if model.provider == "replay":
        return
    if model.api_key_env:
        monkeypatch.setenv(model.api_key_env, "planted")
    check(model, Sampling(send_seed=model.provider != "anthropic"))
    assert resolve(model, path.parent)
    assert model.family, "a family finds the predecessor"
    remote = model.provider in ("openai", "anthropic", "gemini") and model.api_key_env is not None
    assert (model.prices is not None) == remote
