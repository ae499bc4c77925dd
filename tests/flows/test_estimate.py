"""`sextant plan`: what an evaluation would cost."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from replay_run import write_run
from typer.testing import CliRunner

from flows.cli.plan import command
from flows.estimate import estimate
from schemas.errors import MissingSecret
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


def test_a_dry_run_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = write_run(tmp_path, names=("good",))
    model = tmp_path / "good.yaml"
    model.write_text(model.read_text().replace("provider: replay", "provider: openai").replace("replay: good.jsonl", ""))
    with pytest.raises(MissingSecret, match="OPENAI_API_KEY"):
        prepare(load_run(path), Store(tmp_path / "store"))
    (purchase,) = estimate(prepare(load_run(path), Store(tmp_path / "store"), buying=False)).purchases
    assert purchase.usd


def test_plan_says_what_it_leaves_out_and_which_store_it_reads(tmp_path: Path) -> None:
    path = write_run(tmp_path, names=("good",))
    sums = tmp_path / "sums.jsonl"
    sums.write_text(sums.read_text() + '{"id": "odd", "question": "What is missing?", "answer": ""}\n')
    path.write_text(f"store: {tmp_path / 'own'}\n" + path.read_text().replace("path: sums.jsonl", "path: sums.jsonl, on_bad_row: skip"))
    app = typer.Typer()
    app.command()(command)
    found = CliRunner().invoke(app, [str(path), "--store", str(tmp_path / "other")])
    assert found.exit_code == 0, found.output
    assert "1 bad rows set aside" in found.stderr
    assert f"`store: {tmp_path / 'own'}`, so --store {tmp_path / 'other'} is not used" in found.stderr
