"""What is said before a run about own rewordings that will not be asked as written, and that they reach an item that is stored already."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import polars as pl
import pytest
from replay_run import write_run

from flows.evaluate import evaluate, outstanding
from tasks.run_files import load_run
from tasks.scope import prepare
from warehouse.store import Store

pytestmark = [pytest.mark.models, pytest.mark.usefixtures("prefect")]


def give(folder: Path, text: str, operator: str = "formal", seed: int = 42) -> Path:
    run = write_run(folder, items=40, runs=1, names=("good",))
    suite = f"{operator}], seed: {seed}, dimensions: [correctness, robustness]"
    body = run.read_text().replace("synonym, reorder, paraphrase]", suite).replace("path: sums.jsonl", "path: sums.jsonl, perturbations: mine.jsonl")
    run.write_text(body)
    (folder / "mine.jsonl").write_text(json.dumps({"source_id": "sum-0", "operator": "formal", "question": text}))
    return run


def verdicts(store: Path) -> list[tuple[str, str | None]]:
    own = pl.col("operator") == "formal"
    rows = Store(store).scan("prompts").filter(own, pl.col("reason").is_null() | (pl.col("reason") != "not_given")).sort("recorded_at")
    return rows.select("status", "question").collect().rows()


GOOD = "Anna purchases 2 apples and 3 pears at the market. How many pieces of fruit does Anna have in total?"


def test_a_text_given_after_the_item_was_stored_is_asked_and_a_later_one_is_said_to_be_late(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = tmp_path / "store"
    asyncio.run(evaluate(str(give(tmp_path, GOOD.replace("3 pears", "pears"))), str(store), publishing=False))
    assert verdicts(store) == [("rejected", None)]
    caplog.clear()
    late = give(tmp_path, GOOD)
    asyncio.run(evaluate(str(late), str(store), publishing=False))
    assert "1 rewordings of your own came after" in caplog.text
    assert verdicts(store) == [("rejected", None)]
    caplog.clear()
    anew = give(tmp_path, GOOD, seed=43)
    asyncio.run(evaluate(str(anew), str(store), publishing=False))
    assert verdicts(store) == [("rejected", None), ("applied", GOOD)]
    assert "came after" not in caplog.text
    assert not outstanding(prepare(load_run(anew), Store(store)), publishing=False)


def test_an_operator_of_the_file_that_the_suite_does_not_name_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = give(tmp_path, GOOD, operator="synonym")
    prepare(load_run(run), Store(tmp_path / "store"))
    assert "1 rewordings of your own are not asked: 'formal' is not among suite.operators (synonym)" in caplog.text
