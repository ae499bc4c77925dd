"""What an alias is, what a probe stores, and which label's answers stand."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from schemas.config import Model
from schemas.errors import BudgetReached
from tasks.engine import Ledger
from tasks.identities import identify
from tasks.probes import Served, is_alias, probe, served_by_label, standing_label, stored_probes
from tasks.run_files import LoadedConfiguration, load_yaml
from tests.warehouse.rows import fill
from warehouse.store import Store

THEN = datetime(2026, 11, 1, tzinfo=UTC)


def loaded(folder: Path, line: dict[str, Any], **settings: Any) -> LoadedConfiguration:
    from schemas.config import Configuration, Template
    from tasks.run_files import PROMPTS

    (folder / "a.jsonl").write_text(json.dumps(line))
    model = Model.model_validate(
        {"name": "a", "provider": "replay", "model": "a", "version": "1", "replay": "a.jsonl", "prices": {"input": 1.0, "output": 2.0}} | settings
    )
    configuration = Configuration.model_validate({"name": "a", "model": "a.yaml"})
    return LoadedConfiguration(configuration, model, folder, load_yaml(PROMPTS / "bare.yaml", Template))


@pytest.mark.parametrize(
    ("settings", "alias"),
    [({}, True), ({"model": "gpt-2026-11-01"}, False), ({"model": "gpt-20261101"}, False), ({"model": "gpt-2026"}, True), ({"version": None}, False)],
)
def test_only_the_users_word_makes_an_alias(tmp_path: Path, settings: dict[str, Any], alias: bool) -> None:
    found = loaded(tmp_path, {"text": "ready"}, **settings)
    assert is_alias(found.model, tmp_path) is alias


def test_a_probe_stores_what_was_served_what_it_cost_and_leaves_no_journal(tmp_path: Path) -> None:
    line = {"text": "ready", "served_model": "a-11", "fingerprint": "fp", "input_tokens": 10, "output_tokens": 5, "fail": ["server_fault"]}
    store = Store(tmp_path / "store").open()
    found = asyncio.run(probe(store, identify(loaded(tmp_path, line), "1"), Ledger()))
    assert (found.served, found.failure) == (Served("a-11", "fp"), None)
    assert found.cost_usd == pytest.approx((10 * 1 + 5 * 2) / 1e6)
    assert stored_probes(store) == [found]
    assert stored_probes(store, ["another"]) == []
    assert store.scan("probes").collect()["attempts"].to_list() == [2], "a fault is asked again, as for any request"
    assert store.scan("generations").collect().height == 0
    assert not list((store.root / "probes").iterdir())


def test_a_refused_probe_is_a_finding_and_not_the_end_of_the_night(tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    found = asyncio.run(probe(store, identify(loaded(tmp_path, {"text": "", "fail": ["unauthorized"]}), "1"), Ledger()))
    assert found.failure
    assert found.served == Served(None, None)


def test_a_probe_that_would_pass_the_cap_is_not_made(tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    with pytest.raises(BudgetReached):
        asyncio.run(probe(store, identify(loaded(tmp_path, {"text": "ready"}), "1"), Ledger(max_usd=1e-9)))
    assert stored_probes(store) == []


def test_what_neither_side_states_is_no_difference() -> None:
    assert Served("a", None).agrees(Served("a", "fp"))
    assert Served(None, "fp").agrees(Served("a", "fp"))
    assert not Served("a", "fp1").agrees(Served("a", "fp2"))
    assert not Served("a-11", "fp").agrees(Served("a-12", "fp"))


def test_the_label_wanted_last_is_the_one_that_stands_and_labels_come_in_the_order_they_were_bought(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    bought = [("g1", "", "fp1", 0), ("g2", "drift-1", "fp2", 1)]
    store.write(
        "generations",
        fill(
            "generations",
            [
                {
                    "generation_id": g,
                    "configuration_id": "c",
                    "repeat": label,
                    "fingerprint": fp,
                    "status": "answered",
                    "text": "x",
                    "started_at": THEN + timedelta(days=day),
                }
                for g, label, fp, day in bought
            ],
        ),
    )
    for evaluation, generation, day in (("e1", "g1", 0), ("e2", "g2", 1), ("e3", "g1", 2)):
        unit = {"evaluation_id": evaluation, "generation_id": generation, "suite_id": "s", "configuration_id": "c", "recorded_at": THEN + timedelta(days=day)}
        store.write("evaluation_units", fill("evaluation_units", [unit]))
        assert standing_label(store, "s", "c") == dict((g, label) for g, label, _, _ in bought)[generation]
    assert standing_label(store, "another", "c") is None
    assert {label: {served.fingerprint for served in by} for label, by in served_by_label(store, ["c"]).items()} == {"": {"fp1"}, "drift-1": {"fp2"}}
    assert list(served_by_label(store, ["c"])) == ["", "drift-1"]
