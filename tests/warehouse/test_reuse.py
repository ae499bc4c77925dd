"""Builds that reuse kept parts publish what a full build publishes, and compute only what is new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.warehouse.rows import fill
from tests.warehouse.worlds import Ability, World, write
from warehouse.build import build
from warehouse.relations import catalog
from warehouse.reuse import KEPT, Reuse
from warehouse.store import Store

ITEMS = {"d": 24, "synthetic": 24}
REPLICATES = 30
LATER = "2026-06-02T00:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "it's a store").open()
    write(store, World({"a": Ability(errors=0.1), "b": Ability(correct=0.5)}, items=ITEMS, templates=6))
    write(store, World({"c": Ability()}, items=ITEMS, suite="other", prefix="other-", seed=1))
    return store


def add_configuration(store: Store) -> None:
    write(store, World({"new": Ability(correct=0.4)}, items=ITEMS, templates=6, seed=2))


def add_night(store: Store) -> None:
    write(store, World({"night": Ability()}, items=ITEMS, suite="second night", prefix="night-", seed=3))


def switch_scorer(store: Store) -> None:
    table = store.scan("answers").collect().to_arrow()
    rows = [{**row, "scorer": "answers-2", "correct": not row["correct"]} for row in table.to_pylist() if row["generation_id"].startswith("other|")]
    store.write("answers", rows)
    store.write("active_scorers", fill("active_scorers", [{"suite_id": "other", "stage": "answers", "scorer": "answers-2", "recorded_at": LATER}]))


def recalibrate(store: Store) -> None:
    fresh = [{"scorer": "judge", "role": "false_alarm", "pair_set": "more", "pair_id": str(i), "cluster": f"m{i}", "label": "neutral"} for i in range(40)]
    store.write("calibrations", fill("calibrations", fresh))


def add_scheme(store: Store) -> None:
    store.write("schemes", fill("schemes", [{"weight_set": "user", "scheme": "only answers", "dimension": "correctness", "weight": 1.0}]))


def nothing(_: Store) -> None:
    pass


def kept_build(store: Store) -> Reuse:
    reuse = Reuse(store.root / "marts", REPLICATES)
    target = store.root / "kept.duckdb"
    target.unlink(missing_ok=True)
    build(store, target, replicates=REPLICATES, reuse=reuse)
    return reuse


def same_as_a_whole_build(store: Store) -> None:
    """Every mart of the build with kept parts has the rows and types of a whole one; doubles to 1e-9."""
    whole = store.root / "whole.duckdb"
    whole.unlink(missing_ok=True)
    build(store, whole, replicates=REPLICATES)
    for relation in (name for name in catalog() if name.startswith("marts.")):
        one, two = (rows(store.root / f"{name}.duckdb", relation) for name in ("whole", "kept"))
        assert_frame_equal(one, two, check_exact=False, rel_tol=0, abs_tol=1e-9)


def rows(path: Path, relation: str) -> pl.DataFrame:
    with duckdb.connect(str(path), read_only=True) as connection:
        columns = connection.execute(f"describe {relation}").fetchall()
        order = [f'"{name}"' for name, kind, *_ in columns if kind != "DOUBLE"] + [f'round("{name}", 6)' for name, kind, *_ in columns if kind == "DOUBLE"]
        return connection.sql(f"select * from {relation} order by {', '.join(order)}").pl()


def test_incremental_builds_equal_a_whole_one_and_compute_only_what_is_new(store: Store) -> None:
    steps: list[tuple[Callable[[Store], None], tuple[int, int, int]]] = [
        (nothing, (2, 3, 3)),
        (nothing, (0, 0, 0)),
        (add_configuration, (0, 1, 1)),
        (add_night, (1, 1, 1)),
        (switch_scorer, (0, 1, 1)),
        (add_scheme, (0, 0, 5)),
        (recalibrate, (0, 5, 5)),
    ]
    for change, expected in steps:
        change(store)
        found = kept_build(store).computed
        assert tuple(found[name] for name in KEPT) == expected, change.__name__
    same_as_a_whole_build(store)


def test_a_damaged_part_is_computed_again(store: Store) -> None:
    kept_build(store)
    part = next((store.root / "marts" / "replicates").iterdir())
    part.write_bytes(part.read_bytes()[:-20])
    assert kept_build(store).computed["marts.replicates"] == 1
    same_as_a_whole_build(store)


def test_another_number_of_replicates_reuses_nothing(store: Store) -> None:
    kept_build(store)
    reuse = Reuse(store.root / "marts", REPLICATES + 1)
    build(store, store.root / "more.duckdb", replicates=REPLICATES + 1, reuse=reuse)
    assert reuse.computed == {"marts.bootstrap_weights": 2, "marts.replicates": 3, "marts.quality_replicates": 3}


def test_parts_that_are_no_longer_used_are_removed(store: Store) -> None:
    kept_build(store)
    before = set((store.root / "marts" / "replicates").iterdir())
    switch_scorer(store)
    kept_build(store).tidy()
    after = set((store.root / "marts" / "replicates").iterdir())
    assert (len(before), len(after), len(before & after)) == (3, 3, 2)


def test_every_kept_relation_names_all_it_reads() -> None:
    for name, kept in KEPT.items():
        assert set(catalog()[name].references) <= set(kept.inputs), name
