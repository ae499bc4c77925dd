"""Backfills over stored answers: no request to any model, one part at a time, two judges side by side and never mixed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from replay_run import query, write_run

from flows.backfill import Backfilled, backfill
from flows.evaluate import evaluate
from flows.prices import regenerating
from schemas.config import Model
from schemas.errors import InputError, UnknownName
from schemas.records import Reply, Request
from tasks import evaluations
from tasks.providers import PROVIDERS
from tasks.providers.replay import Replay
from tasks.selection import Selection, selected
from warehouse.store import Store

pytestmark = [pytest.mark.usefixtures("prefect")]


class Exploding(Replay):
    """A provider that fails on any use."""

    def __init__(self, model: Model, base: Path) -> None:
        raise AssertionError(f"a backfill opened the model {model.name}")

    async def generate(self, request: Request) -> Reply:
        raise AssertionError(f"a backfill asked for {request.generation_id}")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, prefect: str) -> Path:
    """Two datasets, two configurations, answers scored for correctness only."""
    folder = tmp_path_factory.mktemp("backfill")
    run = write_run(folder, items=10, runs=1)
    body = yaml.safe_load(run.read_text())
    light = {"runs": 1, "operators": [], "dimensions": ["correctness"]}
    more = {**body["datasets"][0], "name": "more", "limit": 3}
    run.write_text(yaml.safe_dump(body | {"suite": light, "datasets": [*body["datasets"], more]}))
    asyncio.run(evaluate(str(run), str(folder / "store")))
    return run


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch, stored: Path) -> None:
    monkeypatch.setitem(PROVIDERS, "replay", Exploding)


def run_backfill(run: Path, dimension: str = "coherence", **choice: Any) -> Backfilled:
    return asyncio.run(backfill(dimension, str(run), str(run.parent / "store"), Selection(**choice)))


def rows(run: Path, table: str) -> pl.DataFrame:
    return Store(run.parent / "store").scan(table).collect()


@pytest.mark.models
def test_a_dimension_nobody_scored_is_backfilled_part_by_part_without_a_request(stored: Path) -> None:
    attempts = rows(stored, "attempts").height
    part = run_backfill(stored, datasets=["more"], models=["good"])
    assert (part.generations, part.suites, part.waiting) == (3, 0, 1)
    assert part.rows["traces"] == 3
    assert query(stored.parent / "store", "select count(value) from marts.dimension_scores where dimension = 'coherence' and protocol = 'paper'") == [(0,)]

    whole = run_backfill(stored)
    assert (whole.suites, whole.waiting) == (1, 0)
    assert whole.rows["traces"] == 23, "what the first part scored is not scored again"
    found = query(
        stored.parent / "store", "select count(value) from marts.dimension_scores where dimension = 'coherence' and protocol = 'paper' and dataset = 'all'"
    )
    assert found == [(2,)]
    assert rows(stored, "attempts").height == attempts

    again = run_backfill(stored, again=True, models=["good"])
    assert again.rows["traces"] == 13
    assert rows(stored, "traces").height == 39, "scored anew beside the old rows, the newest counts"
    assert list((stored.parent / "store" / "again").iterdir()) == [], "a later --again starts anew"
    assert run_backfill(stored).rows["traces"] == 0


def test_an_answer_without_a_judge_takes_no_scorer_option(stored: Path) -> None:
    with pytest.raises(InputError, match="no judge reads correctness"):
        run_backfill(stored, "correctness", scorer="embedded")


def test_unknown_parts_are_refused_with_the_known_ones(stored: Path) -> None:
    for wrong, known in (({"datasets": ["mor"]}, "did you mean 'more'"), ({"models": ["goood"]}, "did you mean 'good'")):
        with pytest.raises(UnknownName, match=known):
            run_backfill(stored, "correctness", **wrong)
    with pytest.raises(InputError, match="2026-11-30"):
        run_backfill(stored, "correctness", since="yesterday")


def test_since_covers_answers_bought_from_then_on(stored: Path) -> None:
    store = Store(stored.parent / "store")
    units = evaluations.stored_units(store)
    times = store.newest("generations").collect()["started_at"].sort()
    assert selected(units, store, Selection(since=times[0].isoformat())).height == units.height
    later = selected(units, store, Selection(since=times[10].isoformat())).height
    assert later == (times >= times[10]).sum()
    assert selected(units, store, Selection(since="2999-01-01")).height == 0


def test_the_price_of_buying_the_night_again_is_told(stored: Path) -> None:
    told = regenerating(Store(stored.parent / "store"))
    assert "26 requests" in told
    # 26 answers of 30 input tokens at 1 USD and 20 output tokens at 2 USD per million
    assert f"${26 * (30 * 1 + 20 * 2) / 1e6:.4f}" in told
