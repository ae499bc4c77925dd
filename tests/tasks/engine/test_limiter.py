"""Pace of one model, by a clock that the test turns."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable

import pytest

from schemas.config import Limits
from tasks.engine import Backoff, Limiter
from tasks.engine.limiter import Slot


class Clock:
    """Time that passes only when somebody sleeps, or the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def made(clock: Clock, **limits: int) -> Limiter:
    return Limiter(Limits(**limits), backoff=Backoff(1.0, 30.0, random.Random(0)), clock=clock, sleep=clock.sleep)


def turn(clock: Clock, limiter: Limiter, end: Callable[[Slot], None], n: int) -> None:
    """Start n requests at once, then end them all one second later."""

    async def go() -> None:
        slots = [await limiter.acquire() for _ in range(n)]
        clock.now += 1
        for slot in slots:
            end(slot)

    asyncio.run(go())


def test_growth_is_additive_per_round_up_to_the_cap() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=32)
    seen = [limiter.limit]
    while limiter.limit < 32:
        turn(clock, limiter, limiter.succeeded, limiter.limit)
        seen.append(limiter.limit)
        assert len(seen) < 500, "the limit never reaches its cap"
    steps = {after - before for before, after in zip(seen, seen[1:], strict=False)}
    assert steps <= {0, 2}, "growth is not additive"
    turn(clock, limiter, limiter.succeeded, 32)
    assert limiter.limit == 32


def test_no_growth_while_the_limit_holds_nobody_back() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=32)
    for _ in range(200):
        turn(clock, limiter, limiter.succeeded, 1)
    assert limiter.limit == 8


def test_a_burst_of_429s_from_one_episode_cuts_once() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=32)
    turn(clock, limiter, lambda slot: limiter.rate_limited(slot, None), 8)
    assert limiter.limit == 4
    turn(clock, limiter, lambda slot: limiter.rate_limited(slot, None), 4)
    assert limiter.limit == 2
    for _ in range(5):
        turn(clock, limiter, lambda slot: limiter.rate_limited(slot, None), 1)
    assert limiter.limit == 1, "the limit never falls below one"


def test_retry_after_holds_for_the_whole_model() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=8)

    async def go() -> tuple[float, Slot | None]:
        first, _second = await limiter.acquire(), await limiter.acquire()
        limiter.rate_limited(first, 30.0)
        at_once = limiter.try_acquire()
        before = clock.now
        await limiter.acquire()
        return clock.now - before, at_once

    waited, at_once = asyncio.run(go())
    assert at_once is None
    assert waited >= 30


def test_a_429_without_retry_after_backs_the_model_off_longer_each_episode() -> None:
    clock = Clock()
    limiter = Limiter(Limits(concurrency=8), backoff=_Ceiling(), clock=clock, sleep=clock.sleep)
    pauses = []
    for _ in range(4):
        turn(clock, limiter, lambda slot: limiter.rate_limited(slot, None), 1)
        pauses.append(limiter.pause_left())
    assert pauses == [1, 2, 4, 8]
    turn(clock, limiter, limiter.succeeded, 1)
    turn(clock, limiter, lambda slot: limiter.rate_limited(slot, None), 1)
    assert limiter.pause_left() == 1, "a success ends the row of episodes"


class _Ceiling(Backoff):
    def wait(self, attempt: int, retry_after: float | None = None) -> float:
        return 1.0 * 2 ** (attempt - 1)


def test_a_server_fault_stops_growth_until_later_requests_succeed() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=32)

    async def go() -> None:
        early = [await limiter.acquire() for _ in range(8)]
        clock.now += 1
        limiter.faulted(early[0])
        for slot in early[1:]:
            limiter.succeeded(slot)

    asyncio.run(go())
    assert limiter.limit == 8, "requests that were in flight at the fault let the limit grow"
    for _ in range(20):
        turn(clock, limiter, limiter.succeeded, limiter.limit)
    assert limiter.limit > 8


@pytest.mark.parametrize("per_minute", [60, 7])
def test_no_minute_sees_more_than_requests_per_minute(per_minute: int) -> None:
    clock = Clock()
    limiter = made(clock, concurrency=64, requests_per_minute=per_minute)
    starts: list[float] = []

    async def one() -> None:
        slot = await limiter.acquire()
        starts.append(slot.started)
        limiter.succeeded(slot)

    asyncio.run(_all(one() for _ in range(3 * per_minute)))
    assert all(sum(start <= other < start + 59.999 for other in starts) <= per_minute for start in starts)
    assert starts[-1] - starts[0] <= 60 * 3, "slower than it may be"


def test_tokens_per_minute_are_paced_by_the_estimate_and_mended_by_the_reply() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=64, tokens_per_minute=6000)

    async def go() -> list[float]:
        starts = []
        for _ in range(10):
            slot = await limiter.acquire(1000)
            starts.append(slot.started)
            limiter.succeeded(slot, 100)
        return starts

    starts = asyncio.run(go())
    gaps = [after - before for before, after in zip(starts, starts[1:], strict=False)]
    assert gaps == pytest.approx([1.0] * 9), "1000 estimated tokens are 10 s, but only 100 came: 1 s"


def test_waiters_are_served_in_their_order_and_never_more_than_the_limit() -> None:
    clock = Clock()
    limiter = made(clock, concurrency=3)
    order: list[int] = []
    most = 0

    async def one(i: int) -> None:
        nonlocal most
        slot = await limiter.acquire()
        order.append(i)
        most = max(most, limiter.in_flight)
        await asyncio.sleep(0)
        limiter.succeeded(slot)

    asyncio.run(_all(one(i) for i in range(50)))
    assert order == list(range(50))
    assert most <= 3
    assert limiter.in_flight == 0


def test_a_cancelled_waiter_takes_no_slot_with_it() -> None:
    limiter = made(Clock(), concurrency=1)

    async def go() -> None:
        slot = await limiter.acquire()
        waiter = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.gather(waiter, return_exceptions=True)
        limiter.cancelled(slot)
        await asyncio.wait_for(limiter.acquire(), 1)

    asyncio.run(go())
    assert limiter.in_flight == 1


async def _all(jobs: Iterable[Coroutine[None, None, None]]) -> None:
    await asyncio.gather(*jobs)
