"""Money: the cap stops before the request that could pass it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from schemas.config import Prices
from schemas.errors import BudgetReached
from tasks.engine import Done, Ledger, read
from tasks.engine.budget import estimated_tokens, price
from tests.engine_kit import model, request, requests, run
from tests.fault_server import FaultServer, Plan

PRICES = Prices(input=1.0, output=10.0, cached_input=0.1)


def test_prices_are_per_million_and_cached_input_has_its_own() -> None:
    assert price(PRICES, 1_000_000, 0) == 1.0
    assert price(PRICES, 1_000_000, 100_000, 500_000) == pytest.approx(0.5 + 0.05 + 1.0)
    assert price(Prices(input=1.0, output=10.0), 1_000_000, 0, 500_000) == 1.0
    assert price(None, 5, 5) is None
    assert price(PRICES, 5, None) is None


def test_the_estimate_is_no_lower_than_what_comes() -> None:
    given, most = estimated_tokens(request(1, content="número 12345 " * 50))
    assert most == 64
    assert given >= 13 * 50 / 2


@pytest.mark.parametrize("always", [None, "no_usage"])
def test_the_cap_is_never_passed_the_rest_is_resumable_and_in_flight_ones_are_kept(always: str | None, tmp_path: Path) -> None:
    cap, journal = 0.02, tmp_path / "j.jsonl"
    ledger = Ledger(cap)
    with FaultServer(Plan(latency_s=0.002, always=always)) as server:
        with pytest.raises(BudgetReached, match="max_usd"):
            run(model(server.url), requests(500), journal, prices=PRICES, ledger=ledger)
        asked = len(server.log)
        kept = {row["generation_id"] for row in read(journal).generations}
        found = run(model(server.url), [one for one in requests(500) if one.generation_id in kept], journal)
        assert len(server.log) == asked == len(kept), "an answer that was paid for was dropped or bought again"
    assert 0 < ledger.spent <= cap
    assert ledger.reserved == 0
    assert len(found.generations) == asked
    if always is None:
        assert sum(row["cost_usd"] for row in found.generations) == pytest.approx(ledger.spent)
        assert cap - ledger.spent < 2 * (price(PRICES, *estimated_tokens(request(1))) or 0), "it stopped long before the cap"
    else:
        assert {row["cost_usd"] for row in found.generations} == {None}


def test_a_reservation_waits_for_what_is_in_flight_before_it_gives_up() -> None:
    async def go() -> float:
        ledger = Ledger(1.0)
        await ledger.reserve(0.9)
        waiting = asyncio.create_task(ledger.reserve(0.5))
        await asyncio.sleep(0)
        assert not waiting.done()
        ledger.settle(0.9, 0.1)
        await asyncio.wait_for(waiting, 1)
        ledger.settle(0.5, 0.5)
        with pytest.raises(BudgetReached):
            await ledger.reserve(0.5)
        return ledger.spent

    assert asyncio.run(go()) == pytest.approx(0.6)


@pytest.mark.parametrize("kind", ["cut_body", "html", "truncated_json", "invalid_utf8"])
def test_a_reply_lost_or_malformed_is_charged_to_the_cap_and_unknown_in_the_row_never_zero(kind: str, tmp_path: Path) -> None:
    ledger = Ledger(1.0)
    with FaultServer(Plan(always=kind)) as server:
        found = run(model(server.url), [request(1)], tmp_path / "j", prices=PRICES, ledger=ledger)
    assert ledger.spent == pytest.approx(6 * (price(PRICES, *estimated_tokens(request(1))) or 0))
    assert {row["cost_usd"] for row in found.attempts} == {None}
    assert [row["cost_usd"] for row in found.generations] == [None]


def test_a_request_that_the_server_refused_to_answer_costs_nothing(tmp_path: Path) -> None:
    ledger = Ledger(1.0)
    with FaultServer(Plan(always="500")) as server:
        found = run(model(server.url), [request(1)], tmp_path / "j", prices=PRICES, ledger=ledger)
    assert ledger.spent == 0
    assert {row["cost_usd"] for row in found.attempts} == {0.0}


def test_events_carry_the_cost(tmp_path: Path) -> None:
    told: list[Done] = []
    with FaultServer() as server:
        found = run(model(server.url), requests(3), tmp_path / "j", prices=PRICES, on_event=lambda e: told.append(e) if isinstance(e, Done) else None)
    assert sum(event.cost_usd or 0 for event in told) == pytest.approx(sum(row["cost_usd"] for row in found.generations))
    assert sum(event.advance("m").cost_usd for event in told) == pytest.approx(sum(event.cost_usd or 0 for event in told))
