"""`mode: batch`: half the price, answers in any order, resumable by another process, never submitted twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from schemas.config import Model, Prices, Sampling
from schemas.errors import BudgetReached, ConfigError, ConnectionLost, RateLimited, Unavailable
from schemas.records import Request
from tasks.engine import EngineSettings, Event, Journal, Ledger, Limiter, Stopped, read, run_requests
from tasks.providers import check, open_provider
from tests.batch_server import BatchServer
from tests.engine_kit import QUICK, comparable, limits, model, requests, run
from tests.fault_server import FaultServer

WIRES = ("openai", "anthropic")
PRICES = Prices(input=1.0, output=10.0)


def batched(url: str, wire: str = "openai", **changed: Any) -> Model:
    return model(url, wire, mode="batch", **changed)


def go(asked: Model, wanted: list[Request], journal: Path, told: list[Event] | None = None, **settings: Any) -> Journal:
    async def inside() -> None:
        made = EngineSettings(asked.limits, journal, backoff=QUICK, **{"poll_s": 0.002, **settings})
        async with open_provider(asked, Path()) as provider:
            await run_requests(wanted, provider, settings=made, limiter=Limiter(asked.limits), on_event=(told if told is not None else []).append)

    asyncio.run(inside())
    return read(journal)


def notes(journal: Path) -> list[Path]:
    return list((journal.parent / "batches").glob("*"))


@pytest.mark.parametrize("wire", WIRES)
def test_rows_of_a_batch_equal_those_of_live_requests_but_for_what_the_wire_does_not_bring(wire: str, tmp_path: Path) -> None:
    with BatchServer() as server, FaultServer() as live:
        found = go(batched(server.url, wire), requests(20), tmp_path / "j")
        quiet = run(model(live.url, wire), requests(20), tmp_path / "quiet")
    rows, expected = comparable(found), comparable(quiet)
    for name, row in rows.items():
        assert {**row, "request_id": None} == {**expected[name], "request_id": None}
    assert len(rows) == 20
    assert notes(tmp_path / "j") == []


@pytest.mark.parametrize("wire", WIRES)
def test_another_process_fetches_what_this_one_submitted_and_submits_only_the_difference(wire: str, tmp_path: Path) -> None:
    told: list[Event] = []
    with BatchServer(looks=3) as server:
        first = go(batched(server.url, wire, limits=limits(deadline_s=0.001)), requests(20), tmp_path / "a", told)
        assert told[-1] == Stopped("deadline")
        assert first.generations == []
        assert len(notes(tmp_path / "a")) == 1
        found = go(batched(server.url, wire), requests(30)[5:], tmp_path / "b")
        assert sorted(server.bought) == sorted(one.generation_id for one in requests(30)), "something was bought twice, or not at all"
    assert {row["generation_id"] for row in found.generations} == {one.generation_id for one in requests(30)}
    assert {row["status"] for row in found.generations} == {"answered"}


def test_a_finished_journal_submits_nothing(tmp_path: Path) -> None:
    with BatchServer() as server:
        go(batched(server.url), requests(5), tmp_path / "j")
        asked = len(server.log)
        go(batched(server.url), requests(5), tmp_path / "j")
        assert len(server.log) == asked


def test_what_the_batch_did_not_answer_is_an_error_and_is_submitted_again(tmp_path: Path) -> None:
    with BatchServer(drop=2) as server:
        found = go(batched(server.url), requests(5), tmp_path / "j")
        assert sorted(row["status"] for row in found.generations) == ["answered"] * 3 + ["error"] * 2
        server.drop = 0
        found = go(batched(server.url), requests(5), tmp_path / "j")
        assert {row["status"] for row in found.generations} == {"answered"}
        assert len(server.bought) == 7


def test_a_batch_whose_id_was_lost_on_the_way_is_found_by_its_label(tmp_path: Path) -> None:
    with BatchServer(lose_ids=True) as server:
        with pytest.raises(ConnectionLost):
            go(batched(server.url), requests(5), tmp_path / "j")
        server.lose_ids = False
        found = go(batched(server.url), requests(5), tmp_path / "j")
        assert len(server.bought) == 5, "the batch was bought twice"
    assert len(found.generations) == 5


def test_where_the_api_knows_no_label_the_user_is_asked_before_anything_is_bought_twice(tmp_path: Path) -> None:
    with BatchServer(lose_ids=True) as server:
        with pytest.raises(ConnectionLost):
            go(batched(server.url, "anthropic"), requests(5), tmp_path / "j")
        with pytest.raises(Unavailable, match="delete .*json"):
            go(batched(server.url, "anthropic"), requests(5), tmp_path / "j")
        assert len(server.bought) == 5


def test_a_refused_batch_leaves_no_note_and_no_reservation(tmp_path: Path) -> None:
    ledger = Ledger(1.0)
    with BatchServer(refuse=429) as server, pytest.raises(RateLimited):
        go(batched(server.url), requests(5), tmp_path / "j", prices=PRICES, ledger=ledger)
    assert notes(tmp_path / "j") == []
    assert (ledger.spent, ledger.reserved) == (0, 0)


def test_half_the_price_is_booked_and_the_cap_holds(tmp_path: Path) -> None:
    ledger = Ledger(0.004)
    with BatchServer() as server, FaultServer() as live:
        with pytest.raises(BudgetReached):
            go(batched(server.url), requests(50), tmp_path / "j", prices=PRICES, ledger=ledger)
        found = read(tmp_path / "j")
        full = run(model(live.url), requests(50), tmp_path / "live", prices=PRICES)
    cost = {row["generation_id"]: row["cost_usd"] for row in full.generations}
    assert 0 < len(found.generations) < 50
    assert all(row["cost_usd"] == pytest.approx(cost[row["generation_id"]] / 2) for row in found.generations)
    assert ledger.spent == pytest.approx(sum(row["cost_usd"] for row in found.generations))
    assert ledger.spent <= 0.004
    assert ledger.reserved == 0


def test_a_provider_without_batches_refuses_the_mode() -> None:
    with pytest.raises(ConfigError, match="no batch API"):
        check(model("http://127.0.0.1:9/v1", "gemini", mode="batch"), Sampling())
