"""Letting old evidence go: only what is asked, never what a comparison needs, and nothing is lost by a stop in between."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from schemas.errors import InputError, UnknownName
from tests.warehouse.rows import fill
from warehouse.prune import apply, candidates, measure, needed
from warehouse.store import Store

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SCORES = ("answers", "traces", "step_pairs", "equations")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three versions of one family, a month between each, and a stranger as old as the first."""
    store = Store(tmp_path).open()
    versions = {"v1": ("m-1", None, 90), "v2": ("m-2", "v1", 60), "v3": ("m-3", "v2", 1), "other": ("x-1", None, 90)}
    for name, (resolved, predecessor, age) in versions.items():
        mine = {"configuration_id": f"c-{name}", "generation_id": f"g-{name}", "recorded_at": NOW}
        store.write(
            "model_versions", fill("model_versions", [{"model_version_id": name, "model": resolved, "resolved_version": resolved, "predecessor": predecessor}])
        )
        configuration = {"configuration_id": f"c-{name}", "configuration": name, "model_version_id": name, "template_digest": "t", "sampling": "{}"}
        store.write("configurations", fill("configurations", [configuration]))
        store.write("generations", fill("generations", [{**mine, "started_at": NOW - timedelta(days=age), "status": "answered", "text": "x"}]))
        store.write("evaluation_units", fill("evaluation_units", [mine]))
        store.write("attempts", fill("attempts", [{**mine, "attempt_id": name}]))
    for table in SCORES:
        store.write(
            table,
            fill(
                table,
                [
                    {"generation_id": f"g-{name}", "scorer": "s", "step_index": 2}
                    if "step_index" in columns(table)
                    else {"generation_id": f"g-{name}", "scorer": "s"}
                    for name in versions
                ],
            ),
        )
    pairs = [{"generation_id_a": f"g-{name}", "generation_id_b": "z", "configuration_id": f"c-{name}"} for name in versions]
    store.write("trace_pairs", fill("trace_pairs", pairs))
    return store


def columns(table: str) -> set[str]:
    from schemas.tables import TABLES

    return {column.name for column in TABLES[table].columns}


def left(store: Store, table: str) -> set[str]:
    column = next(name for name in ("configuration_id", "generation_id") if name in columns(table))
    return {str(value)[2:] for value in store.scan(table).collect()[column]}


def test_age_means_the_newest_answer(store: Store) -> None:
    assert [c.configuration for c in candidates(store, older_than_days=70, at=NOW)] == ["other", "v1"]
    assert [c.configuration for c in candidates(store, older_than_days=70, versions=["m-1"], at=NOW)] == ["v1"]


def test_a_version_is_named_by_its_name_or_an_unknown_one_is_refused(store: Store) -> None:
    assert [c.configuration for c in candidates(store, versions=["x-1"])] == ["other"]
    with pytest.raises(UnknownName, match="did you mean 'm-"):
        candidates(store, versions=["m-9"])
    with pytest.raises(InputError, match="--older-than"):
        candidates(store)


def test_the_dry_run_counts_and_changes_nothing(store: Store) -> None:
    before = {table: store.files(table) for table in ("generations", *SCORES)}
    told = measure(store, candidates(store, versions=["x-1"]))
    assert told.rows["generations"] == told.rows["answers"] == 1
    assert told.bytes > 0
    assert {table: store.files(table) for table in before} == before


def test_the_evidence_of_a_pruned_version_is_gone_from_every_table_and_the_rest_is_whole(store: Store) -> None:
    apply(store, candidates(store, versions=["x-1"]))
    for table in ("generations", "evaluation_units", "attempts", "trace_pairs", "configurations", *SCORES):
        assert left(store, table) == {"v1", "v2", "v3"}, table


def test_a_predecessor_that_a_kept_version_was_compared_with_is_refused(store: Store) -> None:
    going = candidates(store, versions=["m-2"])
    assert needed(store, going) == ["v2 (m-2) is the predecessor that v3 was compared with"]
    with pytest.raises(InputError, match="prune the later version with it"):
        apply(store, going)
    assert left(store, "generations") == {"v1", "v2", "v3", "other"}
    both = candidates(store, versions=["m-1", "m-2", "m-3"])
    apply(store, both)
    assert left(store, "generations") == {"other"}


def test_a_stop_between_the_new_file_and_the_removal_of_the_old_one_loses_nothing(store: Store) -> None:
    (path,) = store.files("answers")
    going = candidates(store, versions=["x-1"])
    store.write("answers", pl.read_parquet(path).filter(pl.col("generation_id") != "g-other"))
    apply(store, going)
    assert store.newest("answers").collect()["generation_id"].sort().to_list() == ["g-v1", "g-v2", "g-v3"]
