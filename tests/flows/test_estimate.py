"""`sextant plan`: what an evaluation would cost."""

from __future__ import annotations

from pathlib import Path

import pytest
from replay_run import write_run

from flows.estimate import estimate
from tasks.run_files import load_run
from tasks.scope import prepare
from warehouse.store import Store


def dollars(folder: Path, mode: str) -> float:
    """The estimate for one OpenAI-compatible model under `mode`."""
    path = write_run(folder, names=("good",))
    model = folder / "good.yaml"
    model.write_text(
        model.read_text().replace("provider: replay", f"provider: openai\nbase_url: http://127.0.0.1:9/v1\nmode: {mode}").replace("replay: good.jsonl", "")
    )
    (purchase,) = estimate(prepare(load_run(path), Store(folder / "store"))).purchases
    assert purchase.usd
    return purchase.usd


def test_a_model_in_batch_mode_is_planned_at_half_the_price(tmp_path: Path) -> None:
    assert dollars(tmp_path / "batch", "batch") == pytest.approx(dollars(tmp_path / "live", "live") / 2)
