"""Comparing two configurations: of one suite, of two suites, of two files; and what a gate makes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

from schemas.errors import EvidenceLacking, InputError, UnknownName
from schemas.records import DIMENSIONS
from tests.warehouse.worlds import Ability, World, write
from warehouse.build import build
from warehouse.compare import Comparison, compare
from warehouse.gate import lacking, regressed, render, write_junit
from warehouse.sides import Side, find, sides
from warehouse.store import Store

ITEMS = {"gsm8k": 60, "mmlu": 45}


def built(folder: Path, *worlds: World) -> Path:
    store = Store(folder).open()
    for world in worlds:
        write(store, world)
    build(store, store.warehouse, replicates=200)
    return store.warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    abilities = {"abcd-good": Ability(correct=0.85), "abcd-poor": Ability(correct=0.35), "ffff-lost": Ability(errors=0.5)}
    return built(tmp_path_factory.mktemp("compare"), World(abilities, items=ITEMS))


def against(warehouse: Path, a: str, b: str, **options: float) -> Comparison:
    return compare(*sides(warehouse, a, b), replicates=200, **options)  # type: ignore[arg-type]


def verdicts(found: Comparison) -> dict[str, str]:
    return {row.dimension: row.verdict for row in found.differences}


def test_a_much_worse_candidate_regresses_and_the_other_way_round_improves(warehouse: Path) -> None:
    found = against(warehouse, "abcd-good", "abcd-poor")
    assert verdicts(found)["correctness"] == "regressed"
    assert found.n_items == 105
    assert found.n_lost is not None and found.n_won is not None and found.n_lost > found.n_won
    assert verdicts(against(warehouse, "abcd-poor", "abcd-good"))["correctness"] == "improved"


def test_a_configuration_against_itself_is_equivalent_and_passes_the_gate(warehouse: Path) -> None:
    found = against(warehouse, "abcd-good", "abcd-good")
    assert set(verdicts(found).values()) == {"equivalent"}
    assert regressed(found) == lacking(found) == []


def test_the_pair_is_computed_by_the_marts_own_sql(warehouse: Path) -> None:
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        rows = connection.execute(
            "select dimension, value_a, value_b, difference, ci_low, ci_high, p_holm, verdict from marts.comparisons "
            "where protocol = 'paper' and configuration_id_a = 'abcd-good' and configuration_id_b = 'abcd-poor'"
        ).fetchall()
    found = against(warehouse, "abcd-good", "abcd-poor")
    pair = {r.dimension: (r.baseline, r.candidate, r.difference, r.ci_low, r.ci_high, r.p_holm, r.verdict) for r in found.differences}
    assert len(rows) == len(DIMENSIONS)
    for dimension, *values in rows:
        assert pair[dimension] == pytest.approx(tuple(values)) if values[-1] is None else pair[dimension][-1] == values[-1]
        assert pair[dimension][:-1] == pytest.approx(tuple(values[:-1]), abs=1e-9)


def test_half_of_the_answers_lost_fails_a_gate_but_is_no_regression_by_itself(warehouse: Path) -> None:
    found = against(warehouse, "abcd-good", "ffff-lost")
    assert regressed(found) == [], "half of the answers are missing: nobody knows"
    assert any(text == "correctness: coverage_below_98_percent" for text in lacking(found))


def test_too_few_items_never_pass_a_gate(tmp_path: Path) -> None:
    warehouse = built(tmp_path, World({"a": Ability(correct=0.6), "b": Ability(correct=0.6)}, items={"gsm8k": 12}))
    reasons = lacking(against(warehouse, "a", "b"))
    assert any("not ruled out" in reason and "detects" in reason for reason in reasons)
    assert lacking(against(warehouse, "a", "b", margin=1.0)) == []


def test_grown_suites_are_compared_on_the_items_they_share_and_the_number_is_told(tmp_path: Path) -> None:
    small = World({"old": Ability(correct=0.8)}, items={"gsm8k": 40}, suite="small")
    grown = World({"new": Ability(correct=0.8)}, items={"gsm8k": 55}, suite="grown", seed=1)
    found = against(built(tmp_path, small, grown), "old", "new")
    assert (found.n_items, found.n_items_baseline, found.n_items_candidate) == (40, 40, 55)
    assert all(row.difference is not None for row in found.differences)
    assert "40 shared" in render(found, "table")


def test_suites_without_a_common_item_are_refused(tmp_path: Path) -> None:
    worlds = World({"old": Ability()}, items={"gsm8k": 12}, suite="one"), World({"new": Ability()}, items={"mmlu": 18}, suite="two")
    with pytest.raises(EvidenceLacking, match="share no item"):
        against(built(tmp_path, *worlds), "old", "new")


def test_two_files_compare_the_same_configuration_before_and_after(tmp_path: Path) -> None:
    before = built(tmp_path / "before", World({"same": Ability(correct=0.9)}, items={"gsm8k": 40}))
    after = built(tmp_path / "after", World({"same": Ability(correct=0.2)}, items={"gsm8k": 40}))
    found = compare(Side(before, "suite", "same", "before"), Side(after, "suite", "same", "after"), replicates=200)
    assert verdicts(found)["correctness"] == "regressed"


def test_scores_of_two_judges_are_never_subtracted(tmp_path: Path) -> None:
    after = built(tmp_path / "after", World({"same": Ability()}, items={"gsm8k": 40}))
    store = Store(tmp_path / "before").open()
    write(store, World({"same": Ability()}, items={"gsm8k": 40}))
    from tests.warehouse.rows import fill

    store.write(
        "active_scorers",
        [
            row | {"recorded_at": row["recorded_at"].replace(year=2027)}
            for row in fill("active_scorers", [{"suite_id": "suite", "stage": "step_pairs", "scorer": "other"}])
        ],
    )
    build(store, store.warehouse, replicates=200)
    found = compare(Side(store.warehouse, "suite", "same", "before"), Side(after, "suite", "same", "after"), replicates=200)
    assert verdicts(found)["coherence"] == "missing"
    assert verdicts(found)["correctness"] != "missing"
    assert any(reason.startswith("coherence: different_scorers") for reason in lacking(found)), "a missing dimension fails a gate"


def test_names_and_id_prefixes_find_a_configuration_and_others_are_told(warehouse: Path) -> None:
    assert find(warehouse, "abcd-poor") == "abcd-poor"
    assert find(warehouse, "ffff") == "ffff-lost"
    with pytest.raises(InputError, match="2 configurations"):
        find(warehouse, "abcd")
    with pytest.raises(UnknownName, match="abcd-good"):
        find(warehouse, "abcd-goood")


def test_versions_that_share_a_name_are_told_apart_by_version(tmp_path: Path) -> None:
    from tests.warehouse.rows import fill

    store = Store(tmp_path).open()
    write(store, World({"c1": Ability(), "c2": Ability()}, items={"gsm8k": 12}))
    for key, version in (("c1", "v-1"), ("c2", "v-2")):
        later = {"recorded_at": datetime(2027, 1, 1, tzinfo=UTC)}
        row = {"configuration_id": key, "configuration": "gpt", "model_version_id": f"model-{key}", "template_digest": "template"}
        store.write("configurations", [fill("configurations", [row])[0] | later])
        store.write("model_versions", [fill("model_versions", [{"model_version_id": f"model-{key}", "resolved_version": version}])[0] | later])
    build(store, store.warehouse, replicates=40)
    assert find(store.warehouse, "gpt@v-2") == "c2"
    with pytest.raises(InputError, match=r"gpt@v-1 .*gpt@v-2"):
        find(store.warehouse, "gpt")
    assert [side.name for side in sides(store.warehouse, "c1", "c2")] == ["gpt@v-1", "gpt@v-2"]


def test_junit_holds_a_failure_for_a_regression_and_an_error_for_what_a_gate_lacks(warehouse: Path, tmp_path: Path) -> None:
    write_junit(against(warehouse, "abcd-good", "abcd-poor"), tmp_path / "regressed.xml", gate=False)
    cases = {case.get("name"): case for case in ElementTree.parse(tmp_path / "regressed.xml").getroot()}
    assert set(cases) == set(DIMENSIONS)
    assert cases["correctness"].find("failure") is not None
    write_junit(against(warehouse, "ffff-lost", "ffff-lost"), tmp_path / "lost.xml", gate=True)
    suite = ElementTree.parse(tmp_path / "lost.xml").getroot()
    assert int(suite.get("errors", 0)) == len(suite.findall("testcase/error")) > 0
