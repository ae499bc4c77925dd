"""Nights on the replay provider: nothing new, a worse version, a silent change behind an alias, a model that cannot be had."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from replay_run import query, write_run
from webhook import Webhook, listening

from flows.nightly import Outcome, nightly
from flows.nights import look
from tasks.run_files import load_run
from warehouse.store import Store

pytestmark = [pytest.mark.usefixtures("prefect")]
LIGHT = {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}
"""What a night does with versions, labels and alerts needs no judge."""


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Webhook]:
    with listening() as server:
        monkeypatch.setenv("NIGHT_HOOK", server.url)
        yield server


def change(path: Path, **settings: Any) -> None:
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | settings))


def answers(path: Path, **fields: Any) -> None:
    """Add fields to every recorded answer, as if another deployment had given them."""
    path.write_text("\n".join(json.dumps(json.loads(line) | fields) for line in path.read_text().splitlines()))


def night(run: Path) -> Outcome:
    return asyncio.run(nightly(str(run), str(run.parent / "store")))  # type: ignore[no-any-return]


def requests(run: Path) -> int:
    store = Store(run.parent / "store")
    return sum(store.scan(table).collect().height for table in ("attempts", "probes"))


@pytest.fixture(scope="module")
def first_night(tmp_path_factory: pytest.TempPathFactory, prefect: str) -> Path:
    """A run file of one alias after its first night; tests work on copies."""
    folder = tmp_path_factory.mktemp("first")
    run = write_run(folder, names=("good",))
    change(folder / "good.yaml", family="sums")
    answers(folder / "good.jsonl", served_model="good-a", fingerprint="fp1")
    change(run, suite=LIGHT)
    assert night(run).evaluated == ("good",)
    return run


@pytest.fixture
def tracked(first_night: Path, tmp_path: Path, webhook: Webhook) -> Path:
    run = Path(shutil.copytree(first_night.parent, tmp_path / "night")) / first_night.name
    change(run, alert_webhook_env="NIGHT_HOOK")
    return run


def test_a_night_without_news_makes_one_probe_per_alias_and_no_other_request(tracked: Path, webhook: Webhook) -> None:
    before = requests(tracked)
    found = asyncio.run(look(load_run(tracked), Store(tracked.parent / "store")))
    assert found.is_quiet
    assert "nothing new" in found.said()
    assert requests(tracked) == before + 1
    assert Store(tracked.parent / "store").scan("probes").collect()["served_model"].to_list() == ["good-a"] * 2
    assert webhook.got == []


def test_a_model_that_its_name_or_weights_pin_is_not_probed(tmp_path: Path) -> None:
    run = write_run(tmp_path, names=("good",))
    change(tmp_path / "good.yaml", version=None)
    assert asyncio.run(look(load_run(run), Store(tmp_path / "store").open())).probes == ()
    change(tmp_path / "good.yaml", version="x", model="good-2026-11-01")
    assert asyncio.run(look(load_run(run), Store(tmp_path / "store").open())).probes == ()


def test_a_worse_version_is_compared_with_its_predecessor_and_regresses(tracked: Path, webhook: Webhook) -> None:
    before = requests(tracked)
    change(tracked.parent / "good.yaml", version="2")
    answers(tracked.parent / "good.jsonl", text="It is 1.")
    webhook.codes = [500, 429]
    outcome = night(tracked)
    assert (outcome.evaluated, outcome.regressed) == (("good",), ("good",))
    assert outcome.cost_usd is not None and outcome.cost_usd > 0
    assert len(webhook.got) == 3, "delivered at the third attempt"
    (alert,) = webhook.got[-1]["alerts"]
    assert alert["kind"] == "regressed"
    assert "correctness: 1.000 -> 0.000 (-1.000, 95 % interval [" in alert["text"]
    assert "report.html" in alert["text"] and "cost of the night" in alert["text"]
    assert requests(tracked) > before
    version = query(tracked.parent / "store", "select count(*) from staging.stg_model_versions where predecessor is not null")
    assert version == [(1,)]


def test_a_silent_change_is_told_once_and_scored_anew_only_when_asked(tracked: Path, webhook: Webhook) -> None:
    answers(tracked.parent / "good.jsonl", fingerprint="fp2", text="It is 1.")
    before = requests(tracked)
    assert night(tracked).evaluated == ()
    assert [alert["kind"] for alert in webhook.got[-1]["alerts"]] == ["drift"]
    assert "fp2" in webhook.got[-1]["alerts"][0]["text"]
    assert requests(tracked) == before + 1
    assert asyncio.run(look(load_run(tracked), Store(tracked.parent / "store"))).is_quiet, "told once, not every night"

    change(tracked, on_drift="reevaluate")
    outcome = night(tracked)
    assert outcome.evaluated == ("good",)
    kinds = [alert["kind"] for alert in webhook.got[-1]["alerts"]]
    assert kinds == ["drift", "regressed"]
    generations = Store(tracked.parent / "store").scan("generations").collect()
    assert generations.filter(pl.col("repeat").str.starts_with("drift-"))["fingerprint"].unique().to_list() == ["fp2"]
    value = query(
        tracked.parent / "store", "select value from marts.dimension_scores where dimension = 'correctness' and protocol = 'paper' and dataset = 'all'"
    )
    assert value == [(0.0,)], "the marts read the fresh draws, unmixed"
    assert asyncio.run(look(load_run(tracked), Store(tracked.parent / "store"))).is_quiet

    answers(tracked.parent / "good.jsonl", fingerprint="fp1")
    paid = requests(tracked)
    back = night(tracked)
    assert back.evaluated == ("good",)
    assert requests(tracked) == paid + 1, "the former deployment's answers are stored: nothing is bought"


def test_a_model_that_cannot_be_had_does_not_keep_the_others_from_being_published(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    change(run, suite=LIGHT)
    answers(tmp_path / "poor.jsonl", fail=["unauthorized"] * 9)
    outcome = night(run)
    assert outcome.evaluated == ("good",)
    assert outcome.failed == ("poor",)
    scored = query(tmp_path / "store", "select distinct configuration from marts.dimension_scores where value is not null")
    assert scored == [("good",)]
