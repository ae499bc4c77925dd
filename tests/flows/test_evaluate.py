"""The whole pipeline on the replay provider and the embedded judges, against a real Prefect server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import polars as pl
import pytest
from replay_run import query, write_run

from flows.evaluate import evaluate, outstanding
from flows.publish import publish
from schemas.errors import Unavailable
from schemas.records import DIMENSIONS
from tasks.run_files import load_run
from tasks.scope import prepare
from warehouse.store import Store

pytestmark = [pytest.mark.models, pytest.mark.usefixtures("prefect")]
POOLED = "from marts.dimension_scores where dataset = 'all' and protocol = 'paper'"


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory, prefect: str) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("a path with spaces")
    run = write_run(folder)
    asyncio.run(evaluate(str(run), str(folder / "store")))
    return run, folder / "store"


def rows(store: Path, table: str) -> pl.DataFrame:
    return Store(store).scan(table).collect()


def test_every_dimension_has_a_value_in_both_protocols(evaluated: tuple[Path, Path]) -> None:
    found = query(evaluated[1], "select protocol, dimension, count(value) from marts.dimension_scores where dataset = 'all' group by all")
    values = {(protocol, dimension): n for protocol, dimension, n in found}
    assert {key: n for key, n in values.items() if key[0] == "paper"} == {("paper", name): 2 for name in DIMENSIONS}
    assert values["strict", "correctness"] == 2


def test_scores_are_those_that_the_recorded_answers_deserve(evaluated: tuple[Path, Path]) -> None:
    found = query(
        evaluated[1],
        f"select configuration, dimension, value {POOLED} and dimension in ('correctness', 'consistency')",
    )
    values = {(configuration, dimension): value for configuration, dimension, value in found}
    assert values["good", "correctness"] == pytest.approx(1.0)
    assert values["good", "consistency"] == pytest.approx(1.0)
    assert values["poor", "correctness"] == pytest.approx(1.0)
    assert values["poor", "consistency"] == pytest.approx(1 / 3)


def test_each_wanted_generation_is_stored_once_with_its_price(evaluated: tuple[Path, Path]) -> None:
    generations = rows(evaluated[1], "generations")
    assert generations["generation_id"].is_unique().all()
    applied = rows(evaluated[1], "prompts").filter(pl.col("status") == "applied", pl.col("operator") != "original").height
    assert generations.height == 2 * (12 * 3 + applied)
    first = generations.filter(pl.col("operator") == "original", pl.col("run_index") == 0)
    assert first["cost_usd"].to_list() == pytest.approx([(30 * 1.0 + 20 * 2.0) / 1e6] * first.height)


def test_a_second_evaluate_finds_nothing_to_do(evaluated: tuple[Path, Path]) -> None:
    run, store = evaluated
    assert not outstanding(prepare(load_run(run), Store(store)))


def test_journals_are_gone_once_their_answers_are_in_parquet(evaluated: tuple[Path, Path]) -> None:
    assert list((evaluated[1] / "journal").iterdir()) == []


def test_three_more_items_a_changed_temperature_and_a_new_model_buy_exactly_the_difference(tmp_path: Path) -> None:
    def bought(**changes: object) -> int:
        run = write_run(tmp_path, **changes)  # type: ignore[arg-type]
        before = rows(tmp_path / "store", "attempts").height if (tmp_path / "store").exists() else 0
        asyncio.run(evaluate(str(run), str(tmp_path / "store")))
        return rows(tmp_path / "store", "attempts").height - before

    def wanted(items: int) -> int:
        prompts = rows(tmp_path / "store", "prompts").filter(pl.col("status") == "applied")
        return items * 3 + prompts.filter(pl.col("operator") != "original").height

    first = bought(items=3, names=("good",))
    assert first == wanted(3)
    assert bought(items=6, names=("good",)) == wanted(6) - first
    assert bought(items=6, names=("good",), temperature=0.9) == wanted(6)
    assert bought(items=6, names=("good", "poor"), temperature=0.9) == wanted(6)
    assert bought(items=3, names=("good",)) == 0


def test_two_temperatures_are_two_configurations_and_two_item_sets_two_suites(tmp_path: Path) -> None:
    for items, temperature in ((3, 0.7), (3, 0.9), (4, 0.9)):
        asyncio.run(evaluate(str(write_run(tmp_path, items=items, names=("good",), temperature=temperature)), str(tmp_path / "store")))
    found = query(
        tmp_path / "store",
        f"select suite_id, configuration_id, n {POOLED} and dimension = 'correctness'",
    )
    assert len({suite for suite, _, _ in found}) == 2
    assert len({configuration for _, configuration, _ in found}) == 2
    assert sorted(n for _, _, n in found) == [3, 3, 4]


def test_a_damaged_file_is_set_aside_its_work_done_again_and_the_rest_kept(tmp_path: Path) -> None:
    run, store = write_run(tmp_path, items=3, names=("good",)), tmp_path / "store"
    asyncio.run(evaluate(str(run), str(store)))
    whole = rows(store, "generations").sort("generation_id")["generation_id"]
    attempts = rows(store, "attempts").height
    for table in ("answers", "trace_pairs"):
        damaged = next((store / "evidence" / table).glob("*.parquet"))
        damaged.write_bytes(damaged.read_bytes()[:-20])
    asyncio.run(evaluate(str(run), str(store)))
    assert len(list((store / "damaged").glob("*/*.parquet"))) == 2
    assert rows(store, "generations").sort("generation_id")["generation_id"].equals(whole)
    assert rows(store, "attempts").height == attempts
    assert rows(store, "answers").height == whole.len()


def test_answers_that_failed_are_no_wrong_answers_and_the_run_says_that_they_are_missing(tmp_path: Path) -> None:
    run, store = write_run(tmp_path, items=3, names=("good",)), tmp_path / "store"
    answers = tmp_path / "good.jsonl"
    whole = answers.read_text()
    failing = '{"contains": " 2 apples", "run_index": 0, "operator": "original", "text": "5", "fail": ["server_fault", "server_fault"]}\n'
    answers.write_text(failing + whole)
    model = tmp_path / "good.yaml"
    model.write_text(model.read_text().replace("shard: 20", "shard: 20, attempts: 1"))
    (tmp_path / "sums.jsonl").write_text("".join((tmp_path / "sums.jsonl").read_text().splitlines(keepends=True)[:3]))
    with pytest.raises(Unavailable, match="1 of .* answers are missing .server_fault 1.*run the same command again"):
        asyncio.run(evaluate(str(run), str(store)))
    found = query(store, f"select value, n, n_scored, status {POOLED} and dimension = 'correctness'")
    assert found == [(1.0, 3, 2, "incomplete")]
    assert query(store, "select count(rank) from marts.rankings") == [(0,)]
    answers.write_text(whole)
    asyncio.run(evaluate(str(run), str(store)))
    assert query(store, f"select value, n, n_scored, status {POOLED} and dimension = 'correctness'") == [(1.0, 3, 3, "scored")]


def test_going_back_to_an_earlier_run_file_shows_its_own_draw_scorer_and_schemes_without_a_request(tmp_path: Path) -> None:
    run, store = write_run(tmp_path, items=3, names=("good",)), tmp_path / "store"
    first = run.read_text()
    asyncio.run(evaluate(str(run), str(store)))

    def shown() -> tuple[object, ...]:
        stability = query(store, f"select value {POOLED} and dimension = 'stability'")
        return stability[0][0], query(store, "select count(*) from marts.quality_scores where scheme = 'mine'")[0][0]

    def again(text: str) -> bool:
        run.write_text(text)
        if outstanding(prepare(load_run(run), Store(store))):
            asyncio.run(evaluate(str(run), str(store)))
            return True
        return False

    before, attempts = shown(), rows(store, "attempts").height
    assert not again(first)
    assert again(first.replace("bertscore: embedded", "bertscore: embedded, bertscore_layer: 1"))
    assert shown()[0] != before[0]
    assert again(first)
    assert shown() == before
    weights = ", ".join(f"{name}: {weight}" for name, weight in zip(DIMENSIONS, (0.5, 0.1, 0.1, 0.1, 0.1, 0.1), strict=True))
    assert again(first + f"schemes: {{mine: {{{weights}}}}}\n")
    assert shown()[1] > 0
    assert rows(store, "attempts").height == attempts


def test_a_shard_whose_every_request_failed_is_asked_again_and_not_answered_from_prefects_cache(tmp_path: Path) -> None:
    run, store = write_run(tmp_path, items=2, names=("good",)), tmp_path / "store"
    answers, model = tmp_path / "good.jsonl", tmp_path / "good.yaml"
    whole = answers.read_text()
    answers.write_text("".join(line.replace("}", ', "fail": ["server_fault"]}') for line in whole.splitlines(keepends=True)))
    model.write_text(model.read_text().replace("shard: 20", "shard: 20, attempts: 1"))
    with pytest.raises(Unavailable, match="are missing"):
        asyncio.run(evaluate(str(run), str(store)))
    assert set(rows(store, "generations")["status"]) == {"error"}
    answers.write_text(whole)
    asyncio.run(evaluate(str(run), str(store)))
    assert set(Store(store).newest("generations").collect()["status"]) == {"answered"}


def test_what_was_bought_without_publishing_is_all_there_when_published_later(tmp_path: Path) -> None:
    run, store = write_run(tmp_path, items=2, names=("good",)), tmp_path / "store"
    run.write_text(run.read_text().replace("suite: {", "suite: {dimensions: [correctness], "))
    asyncio.run(evaluate(str(run), str(store), publishing=False))
    assert not Store(store).warehouse.exists()
    scope = prepare(load_run(run), Store(store))
    assert not outstanding(scope, publishing=False)
    assert outstanding(scope)
    asyncio.run(publish(str(store)))
    assert query(store, f"select n_scored, value {POOLED} and dimension = 'correctness'") == [(2, 1.0)]
    assert not outstanding(scope)
