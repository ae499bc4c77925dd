"""The engine against the fault server: whatever breaks on the wire, the stored generations are those of a quiet night."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine_kit import comparable, model, requests, run
from tests.fault_bodies import TRANSIENT
from tests.fault_server import FaultServer, Plan
from warehouse.store import Store

N = 40
WHOLE = ("answer", "slow", "twice")
"""What the server may do and still deliver the answer."""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    with FaultServer() as server:
        return comparable(run(model(server.url), requests(N), tmp_path_factory.mktemp("quiet") / "j.jsonl"))


def test_the_quiet_run_has_every_answer_and_they_differ(quiet: dict[str, dict[str, object]]) -> None:
    assert len(quiet) == N
    assert {row["status"] for row in quiet.values()} == {"answered"}
    assert len({row["text"] for row in quiet.values()}) > N / 2


@pytest.mark.parametrize("seed", range(20))
def test_rows_under_a_seeded_fault_plan_equal_the_quiet_rows(seed: int, quiet: dict[str, dict[str, object]], tmp_path: Path) -> None:
    with FaultServer(Plan(seed=seed, rate=0.35, latency_s=0.001)) as server:
        found = run(model(server.url), requests(N), tmp_path / "j.jsonl")
        injected = [entry["fault"] for entry in server.log if entry["fault"] not in WHOLE]
    assert comparable(found) == quiet
    assert len(injected) > 5, "the plan injected next to nothing: the test proves nothing"
    assert len(found.attempts) >= N + len(injected), "a request left no attempt row"
    assert sum(row["attempts"] for row in found.generations) == len(found.attempts)


def test_the_twenty_plans_meet_every_kind_of_fault() -> None:
    plans = [Plan(seed=seed, rate=0.35) for seed in range(20)]
    met = {plan.fault_for(f"{key:x}", nth) for plan in plans for key in range(N) for nth in range(3)}
    assert met >= set(TRANSIENT)


@pytest.mark.parametrize("kind", [kind for kind in TRANSIENT if kind not in WHOLE])
def test_a_fault_that_never_ends_becomes_an_error_row_and_no_answer(kind: str, tmp_path: Path) -> None:
    with FaultServer(Plan(always=kind)) as server:
        found = run(model(server.url, limits=model(server.url).limits.model_copy(update={"attempts": 2})), requests(1), tmp_path / "j.jsonl")
    (row,) = found.generations
    assert (row["status"], row["text"], row["attempts"], row["output_tokens"]) == ("error", None, 2, None)
    assert row["reason"]
    assert len(found.attempts) == 2


def test_an_error_is_asked_again_by_the_next_run_and_a_permanent_one_is_not(tmp_path: Path) -> None:
    journal = tmp_path / "j.jsonl"
    for always, status in (("500", "error"), ("400", "error_permanent"), (None, "error_permanent")):
        with FaultServer(Plan(always=always)) as server:
            found = run(model(server.url, limits=model(server.url).limits.model_copy(update={"attempts": 1})), requests(1), journal)
            asked = len(server.log)
        assert [row["status"] for row in found.generations] == [status]
        assert asked == (1 if always else 0)


def test_rows_fit_the_raw_tables(tmp_path: Path) -> None:
    with FaultServer(Plan(seed=3, rate=0.5)) as server:
        found = run(model(server.url), requests(10), tmp_path / "j.jsonl")
    store = Store(tmp_path / "store").open()
    assert store.write("generations", found.generations).rows == 10
    assert store.write("attempts", found.attempts).rows == len(found.attempts)


@pytest.mark.parametrize("kind", ["401", "402", "403", "404", "quota"])
def test_a_failure_of_the_whole_model_stops_it_before_every_request_is_burnt(kind: str, tmp_path: Path) -> None:
    from schemas.errors import Unavailable

    with FaultServer(Plan(always=kind, latency_s=0.005)) as server, pytest.raises(Unavailable, match="run again"):
        run(model(server.url), requests(500), tmp_path / "j.jsonl")
    assert len(server.log) <= 8
    assert len({entry["key"] for entry in server.log}) == len(server.log), "a refused key was tried again"


def test_a_server_that_is_not_there_stops_the_model_with_a_remedy(tmp_path: Path) -> None:
    from schemas.errors import Unavailable

    with FaultServer() as server:
        gone = server.url
    with pytest.raises(Unavailable, match="start the server"):
        run(model(gone), requests(500), tmp_path / "j.jsonl")
