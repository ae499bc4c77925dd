"""How a shard begins, ends early, and keeps what it paid for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.config import Prices
from schemas.records import Reply, Request, Usage
from tasks.engine import Backoff, Done, EngineSettings, Event, Ledger, LimitChanged, Limiter, Retry, Started, Stopped, TornLines, read, run_requests
from tasks.providers import Provider, open_provider
from tests.engine_kit import QUICK, limits, model, request, requests, run
from tests.fault_server import FaultServer, Plan


def test_work_is_pulled_never_planned_all_at_once(tmp_path: Path) -> None:
    pulled = 0
    ahead: list[int] = []

    def endless() -> Iterator[Request]:
        nonlocal pulled
        for i in range(10**9):
            pulled += 1
            yield request(i)

    done = 0

    def hear(event: Event) -> None:
        nonlocal done
        if isinstance(event, Done):
            done += 1
            ahead.append(pulled - done)

    with FaultServer() as server:
        found = run(model(server.url), endless(), tmp_path / "j", on_event=hear, stop_when=lambda e: isinstance(e, Done) and done >= 200)
    assert len(found.generations) >= 200
    assert pulled == len(found.generations) + 8 or pulled <= len(found.generations) + 8, "more was pulled than the workers hold"


def test_never_more_in_flight_than_the_limit(tmp_path: Path) -> None:
    with FaultServer(Plan(latency_s=0.002)) as server:
        found = run(model(server.url, limits=limits(concurrency=5)), requests(200), tmp_path / "j")
    assert server.most_in_flight <= 5
    assert max(row["limit_at"] for row in found.attempts) == 5, "the limit never grew to its cap"


def test_stop_lets_what_is_in_flight_finish_and_starts_no_more(tmp_path: Path) -> None:
    told: list[Event] = []
    with FaultServer(Plan(latency_s=0.02)) as server:
        found = run(model(server.url), requests(500), tmp_path / "j", on_event=told.append, stop_when=lambda e: isinstance(e, Done))
        asked = len(server.log)
    assert told[-1] == Stopped("stopped")
    assert len(found.generations) == asked < 500, "a request in flight was dropped"


def test_cancellation_journals_what_is_in_flight_and_then_passes_on(tmp_path: Path) -> None:
    async def go(url: str) -> list[Event]:
        asked, told = model(url), []
        settings = EngineSettings(asked.limits, tmp_path / "j")
        async with open_provider(asked, Path()) as provider:
            job = asyncio.create_task(run_requests(requests(500), provider, settings=settings, limiter=Limiter(asked.limits), on_event=told.append))
            while not any(isinstance(event, Done) for event in told):
                await asyncio.sleep(0.001)
            job.cancel()
            with pytest.raises(asyncio.CancelledError):
                await job
        return told

    with FaultServer(Plan(latency_s=0.02)) as server:
        told = asyncio.run(go(server.url))
        asked = len(server.log)
    assert told[-1] == Stopped("interrupted")
    assert len(read(tmp_path / "j").generations) == asked < 500


def test_the_deadline_ends_the_shard_and_the_rest_is_left_for_the_next_run(tmp_path: Path) -> None:
    told: list[Event] = []
    with FaultServer(Plan(latency_s=0.01)) as server:
        short = model(server.url, limits=limits(deadline_s=0.15, concurrency=2))
        first = run(short, requests(300), tmp_path / "j", on_event=told.append)
        left = 300 - len(first.generations)
        assert 0 < left < 300
        assert told[-1] == Stopped("deadline")
        assert len(run(model(server.url), requests(300), tmp_path / "j").generations) == 300
        assert len(server.log) == 300


def test_a_wait_longer_than_the_deadline_ends_the_shard_at_once(tmp_path: Path) -> None:
    told: list[Event] = []
    with FaultServer(Plan(always="429_after", retry_after_s=100_000)) as server:
        found = run(model(server.url), requests(50), tmp_path / "j", on_event=told.append)
        assert len(server.log) <= 8
    assert told[-1] == Stopped("deadline")
    assert found.generations == []
    assert {row["retry_after_s"] for row in found.attempts} == {100_000}


def test_a_429_stops_the_whole_model_not_only_its_request(tmp_path: Path) -> None:
    """While the model is told to wait, requests that were never refused wait too."""
    told: list[Event] = []
    with FaultServer(Plan(seed=0, rate=1.0, kinds=("429_after",), most=1, retry_after_s=0.2)) as server:
        run(model(server.url, limits=limits(concurrency=2)), requests(10), tmp_path / "j", on_event=told.append)
    first_retry = next(i for i, event in enumerate(told) if isinstance(event, Retry))
    before = [event for event in told[:first_retry] if isinstance(event, Started)]
    assert len(before) <= 2
    assert any(isinstance(event, LimitChanged) and event.limit == 1 for event in told)


def test_answers_found_in_the_journal_are_told_and_not_asked(tmp_path: Path) -> None:
    told: list[Event] = []
    with FaultServer() as server:
        run(model(server.url), requests(20), tmp_path / "j")
        run(model(server.url), requests(30), tmp_path / "j", on_event=told.append)
        assert len(server.log) == 30
    done = [event for event in told if isinstance(event, Done)]
    assert sum(event.known_before for event in done) == 20
    assert sum(event.advance("m").tokens for event in done if event.known_before) == 0


def test_a_torn_journal_is_reported_and_only_its_torn_answer_is_asked_again(tmp_path: Path) -> None:
    told: list[Event] = []
    with FaultServer() as server:
        run(model(server.url), requests(5), tmp_path / "j")
        whole = (tmp_path / "j").read_bytes()
        (tmp_path / "j").write_bytes(whole[:-20])
        found = run(model(server.url), requests(5), tmp_path / "j", on_event=told.append)
        assert len(server.log) == 6
    assert told[0] == TornLines(1)
    assert len(found.generations) == 5


def test_attempts_of_a_killed_run_count_for_the_answer_that_comes_later(tmp_path: Path) -> None:
    once = model("http://127.0.0.1:9/v1", limits=limits(attempts=2))
    with FaultServer(Plan(always="500")) as server:
        run(once.model_copy(update={"base_url": server.url}), [request(1)], tmp_path / "j")
    with FaultServer() as server:
        found = run(model(server.url), [request(1)], tmp_path / "j")
    assert [row["attempts"] for row in found.generations] == [3]
    assert sorted(row["attempt"] for row in found.attempts) == [1, 2, 3]


def test_two_shards_of_one_model_share_its_limit(tmp_path: Path) -> None:
    async def go(url: str) -> None:
        asked = model(url, limits=limits(concurrency=4))
        limiter = Limiter(asked.limits)
        async with open_provider(asked, Path()) as provider:
            shards = (requests(60)[:30], requests(60)[30:])
            jobs = (run_requests(shard, provider, settings=EngineSettings(asked.limits, tmp_path / f"{i}"), limiter=limiter) for i, shard in enumerate(shards))
            await asyncio.gather(*jobs)

    with FaultServer(Plan(latency_s=0.003)) as server:
        asyncio.run(go(server.url))
        assert len(server.log) == 60
        assert server.most_in_flight <= 4


class Slow(Provider):
    """Replies in the reverse order of asking."""

    async def generate(self, request: Request) -> Reply:
        await asyncio.sleep(0.03 - 0.003 * (request.seed or 0))
        return Reply(f"answer to {request.messages[0].content}", None, "stop", Usage(1, 1, source="provider"))


def test_replies_out_of_order_go_to_their_own_requests(tmp_path: Path) -> None:
    settings = EngineSettings(limits(concurrency=8), tmp_path / "j", backoff=Backoff())
    asyncio.run(run_requests(requests(8), Slow(model("http://127.0.0.1:9/v1"), Path()), settings=settings, limiter=Limiter(settings.limits)))
    found = read(tmp_path / "j")
    assert [row["seed"] for row in found.generations] != sorted(row["seed"] for row in found.generations), "nothing came out of order"
    assert all(row["text"] == f"answer to What is {row['seed']} + 2?" for row in found.generations)


def test_a_request_listed_twice_is_bought_once(tmp_path: Path) -> None:
    with FaultServer(Plan(latency_s=0.002)) as server:
        found = run(model(server.url), [request(1), request(2), request(1), request(1)], tmp_path / "j")
        assert len(server.log) == 2
    assert len(found.generations) == 2


def test_limiter_ledger_and_stop_sign_outlive_the_event_loop_of_one_run(tmp_path: Path) -> None:
    stop, ledger = asyncio.Event(), Ledger(1.0)
    with FaultServer(Plan(seed=2, rate=0.4, kinds=("429", "500"), latency_s=0.002)) as server:
        asked = model(server.url)
        limiter = Limiter(asked.limits, backoff=QUICK)

        async def go(name: str, wanted: list[Request]) -> None:
            settings = EngineSettings(asked.limits, tmp_path / name, Prices(input=1, output=1), ledger, stop, QUICK)
            async with open_provider(asked, Path()) as provider:
                await run_requests(wanted, provider, settings=settings, limiter=limiter)

        for name in ("a", "b", "c"):
            asyncio.run(go(name, requests(60)))
            assert len(read(tmp_path / name).generations) == 60
    assert limiter.in_flight == 0
