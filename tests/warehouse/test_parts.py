"""Builds over a former build give what a whole build gives, row for row, and compute only what is new."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.warehouse.rows import fill
from tests.warehouse.worlds import Ability, World, write
from warehouse.batch import SHARED, relations
from warehouse.build import build, populate, publish
from warehouse.index import BY_CONFIGURATION, BY_GENERATION
from warehouse.parts import KEYS, former
from warehouse.prune import apply, candidates
from warehouse.relations import catalog
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


def add_suite(store: Store) -> None:
    write(store, World({"night": Ability()}, items=ITEMS, suite="second night", prefix="night-", seed=3))


def switch_scorer(store: Store) -> None:
    """Another answer scorer for one suite; its rows come in a file with those of other configurations."""
    table = store.scan("answers").collect()
    store.write("answers", [{**row, "scorer": "answers-2", "correct": not row["correct"]} for row in table.to_dicts()])
    store.write("active_scorers", fill("active_scorers", [{"suite_id": "other", "stage": "answers", "scorer": "answers-2", "recorded_at": LATER}]))


def recalibrate(store: Store) -> None:
    fresh = [{"scorer": "judge", "role": "false_alarm", "pair_set": "more", "pair_id": str(i), "cluster": f"m{i}", "label": "neutral"} for i in range(40)]
    store.write("calibrations", fill("calibrations", fresh))


def add_scheme(store: Store) -> None:
    store.write("schemes", fill("schemes", [{"weight_set": "user", "scheme": "only answers", "dimension": "correctness", "weight": 1.0}]))


def rename(store: Store) -> None:
    row = {"configuration_id": "b", "configuration": "another name", "model_version_id": "model-b", "template_digest": "template", "temperature": 0.0}
    store.write("configurations", fill("configurations", [{**row, "recorded_at": LATER}]))


def replan(store: Store) -> None:
    """A rewording that was never planned before, for one item of one suite."""
    row = {"prompt_id": "late", "item_id": "d-00001", "operator": "synonym", "template_digest": "template", "seed": 42, "status": "rejected", "reason": "why"}
    store.write("prompts", fill("prompts", [row]))


def grow(store: Store) -> None:
    """One more item for one configuration: the weights of its suite and every configuration of it change."""
    store.write("items", fill("items", [{"item_id": "grown", "dataset": "d", "answer_type": "number", "cluster": "grown"}]))
    store.write("evaluation_units", fill("evaluation_units", [{"suite_id": "suite", "configuration_id": "a", "item_id": "grown", "operator": "original"}]))


def score_strangers(store: Store) -> None:
    """Answers of generations that nobody knows, beside one that is known, in one file."""
    known = store.scan("answers").collect().to_dicts()[0]
    store.write("answers", [{**known, "generation_id": name} for name in ("stranger", "other stranger", known["generation_id"])])


def know_a_stranger(store: Store) -> None:
    store.write("generations", fill("generations", [{"generation_id": "stranger", "configuration_id": "a", "item_id": "d-00000", "operator": "original"}]))


def prune(store: Store) -> None:
    apply(store, [each for each in candidates(store, versions=["a"]) if each.configuration_id == "a"])


def lose_a_file(store: Store) -> None:
    store.files("answers")[0].unlink()


def damage_a_file(store: Store) -> None:
    path = store.files("generations")[0]
    path.write_bytes(path.read_bytes()[:-20])
    Store(store.root).set_aside_damaged()


def nothing(_: Store) -> None:
    pass


def kept_build(store: Store) -> tuple[int, int]:
    """Build over the former build, if there is one; returns how many suites and configurations were computed."""
    computed = build(Store(store.root), store.root / "kept.duckdb", replicates=REPLICATES)
    return computed["suite_id"], computed["configuration_id"]


def same_as_all_at_once(store: Store) -> None:
    """Every relation of the kept build has the rows and types of one that computes all at once; doubles to 1e-9."""
    with duckdb.connect() as whole, duckdb.connect(str(store.root / "kept.duckdb"), read_only=True) as kept:
        kept.execute("set timezone = 'UTC'")
        populate(whole, Store(store.root), replicates=REPLICATES)
        for relation in (name for name in catalog() if name.split(".")[0] in ("staging", "dimensions", "marts")):
            one, two = rows(whole, relation), rows(kept, relation)
            try:
                assert_frame_equal(one, two, check_exact=False, rel_tol=0, abs_tol=1e-9, check_column_order=False)
            except AssertionError as error:
                raise AssertionError(relation) from error


def rows(connection: duckdb.DuckDBPyConnection, relation: str) -> pl.DataFrame:
    columns = sorted(connection.execute(f"describe {relation}").fetchall())
    order = [f'"{name}"' for name, kind, *_ in columns if kind != "DOUBLE"] + [f'round("{name}", 6)' for name, kind, *_ in columns if kind == "DOUBLE"]
    return connection.sql(f"select * from {relation} order by {', '.join(order)}").pl()


STEPS: list[tuple[Callable[[Store], None], tuple[int, int]]] = [
    (nothing, (2, 3)),
    (nothing, (0, 0)),
    (add_configuration, (0, 1)),
    (add_suite, (1, 1)),
    (switch_scorer, (0, 5)),
    (nothing, (0, 0)),
    (recalibrate, (0, 5)),
    (rename, (0, 1)),
    (replan, (0, 3)),
    (grow, (1, 3)),
    (add_scheme, (0, 5)),
]


def test_only_what_changed_is_computed_and_the_rest_is_as_a_whole_build_gives_it(store: Store) -> None:
    for change, expected in STEPS:
        change(store)
        assert kept_build(store) == expected, change.__name__
    same_as_all_at_once(store)


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_nights_and_accidents_equals_a_whole_build(store: Store, seed: int) -> None:
    changes = [change for change, _ in STEPS if change is not nothing] + [score_strangers, know_a_stranger, prune, lose_a_file, damage_a_file]
    chance = random.Random(seed)
    chance.shuffle(changes)
    for change in changes:
        change(store)
        if chance.random() < 0.5:
            kept_build(store)
    kept_build(store)
    same_as_all_at_once(store)


def test_generations_that_nobody_knows_stay_apart_until_someone_does(store: Store) -> None:
    for change, computed in ((score_strangers, (2, 4)), (nothing, (0, 1)), (know_a_stranger, (0, 2))):
        change(store)
        assert kept_build(store) == computed, change.__name__
        same_as_all_at_once(store)


def test_publishing_keeps_the_parts_of_a_whole_file_of_todays_definitions_only(store: Store) -> None:
    assert former(store.warehouse, REPLICATES) is None
    publish(store, replicates=REPLICATES)
    assert former(store.warehouse, REPLICATES) == store.warehouse
    assert former(store.warehouse, REPLICATES + 1) is None
    spare = shutil.copyfile(store.warehouse, store.root / "spare")
    with duckdb.connect(str(store.warehouse)) as connection:
        connection.execute("update marts.replicates set value = 0.5")
    assert former(store.warehouse, REPLICATES) is None
    publish(store, replicates=REPLICATES)
    with duckdb.connect(str(store.warehouse), read_only=True) as one, duckdb.connect(str(spare), read_only=True) as two:
        assert_frame_equal(rows(one, "marts.replicates"), rows(two, "marts.replicates"))


def test_parts_read_their_evidence_the_shared_relations_and_each_other_only() -> None:
    evidence = {f"raw.{table}" for table in (*BY_CONFIGURATION, *BY_GENERATION)}
    parts = {relation.full_name for key in KEYS for relation in relations(key)}
    for name in parts:
        read = {other for other in catalog()[name].references if not other.startswith("seeds.") and other != "dimensions.components"}
        assert read <= evidence | parts | set(SHARED), name
