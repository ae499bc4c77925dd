"""Publishing: aside, checked, swapped in whole; nothing is lost when a check fails."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from schemas.errors import CheckFailed, StoreError
from tests.warehouse.rows import fill
from tests.warehouse.worlds import Ability, World, write
from warehouse import relations
from warehouse.build import publish
from warehouse.relations import LAYERS, layer, parse
from warehouse.store import Store

SMALL = World({"m": Ability(errors=0.2)}, items={"d": 12})


def test_an_empty_store_publishes_empty_relations(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    publish(store, replicates=2)
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        assert connection.execute("select count(*) from marts.dimension_scores").fetchone() == (0,)


def test_a_failing_check_names_check_count_and_rows_and_leaves_the_old_warehouse(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    write(store, SMALL)
    publish(store, replicates=2)
    before = store.warehouse.read_bytes()
    store.write("schemes", fill("schemes", [{"weight_set": "user", "scheme": "half", "dimension": "correctness", "weight": 0.5}]))
    with pytest.raises(CheckFailed, match=r"weights_sum_to_one: .*\(1 rows; first: \('user', 'half', 0\.5\)\)"):
        publish(store, replicates=2)
    assert store.warehouse.read_bytes() == before
    assert not list(tmp_path.glob(".warehouse*"))


def test_a_wanted_generation_of_an_unknown_item_is_not_dropped_in_silence(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    write(store, SMALL)
    store.write("evaluation_units", fill("evaluation_units", [{"suite_id": "suite", "item_id": "nobody", "configuration_id": "m", "operator": "original"}]))
    with pytest.raises(CheckFailed, match="units_have_items"):
        publish(store, replicates=2)


def test_low_coverage_warns_and_publishes(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    write(store, SMALL)
    assert "coverage_below_98_percent" in {finding.check for finding in publish(store, replicates=2)}


def test_two_builds_of_the_same_evidence_give_the_same_scores(tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        store = Store(tmp_path / name).open()
        write(store, SMALL)
        publish(store, replicates=50)
        with duckdb.connect(str(store.warehouse), read_only=True) as connection:
            found.append(connection.execute("select * from marts.dimension_scores order by all").fetchall())
    assert found[0] == found[1]


def test_what_a_killed_publish_left_is_gone_after_the_next(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    for name in (".warehouse.0123.tmp", ".warehouse.0123.tmp.wal"):
        (tmp_path / name).write_bytes(b"half a copy")
    publish(store, replicates=10)
    assert [path.name for path in tmp_path.glob(".warehouse*")] == []


def test_store_in_a_path_with_a_quote_and_a_space(tmp_path: Path) -> None:
    store = Store(tmp_path / "it's a store").open()
    write(store, SMALL)
    publish(store, replicates=2)
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        assert connection.execute("select count(*) from raw.items").fetchone() == (12,)


def test_no_score_is_ever_nan(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    write(store, SMALL)
    publish(store, replicates=20)
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        columns = connection.execute(
            "select schema_name || '.' || table_name, column_name from duckdb_columns() where data_type = 'DOUBLE' and schema_name in ('dimensions', 'marts')"
        ).fetchall()
        bad = [(t, c) for t, c in columns if connection.execute(f'select count(*) from {t} where isnan("{c}") or isinf("{c}")').fetchone() != (0,)]
    assert not bad


def test_a_relation_may_not_read_a_later_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "staging").mkdir()
    (tmp_path / "staging" / "ahead.sql").write_text("-- Reads ahead.\n-- grain: one row\nselect * from marts.rankings\n")
    monkeypatch.setattr(relations, "SQL", tmp_path)
    with pytest.raises(StoreError, match=r"staging\.ahead reads marts\.rankings"):
        layer("staging")


def test_a_relation_without_grain_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bare.sql").write_text("-- Something.\nselect 1\n")
    with pytest.raises(StoreError, match="grain"):
        parse("marts", tmp_path / "bare.sql")


def test_every_relation_reads_downwards_and_ends_with_final() -> None:
    for relation in (r for schema in LAYERS for r in layer(schema)):
        code = [line for line in relation.sql.splitlines() if not line.startswith("--")]
        assert code[-1] == "select * from final", relation.full_name
        assert relation.sql == relation.sql.rstrip() + "\n", relation.full_name
