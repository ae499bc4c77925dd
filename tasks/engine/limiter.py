"""Pace of one model in one process: adaptive concurrency, requests and tokens per minute, Retry-After for the whole model.

Additive growth (a sixteenth of the cap per round of successes at the limit), multiplicative cut on a 429 once per episode: requests that
were already in flight when the limit was cut cannot cut it again. Server faults stop growth until a full round of later requests succeeds.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from schemas.config import Limits
from tasks.engine.retry import Backoff

CUT = 0.5


@dataclass(frozen=True)
class Slot:
    """Leave to send one request: when it started (limiter's clock), the limit then, and whether the limit was what held others back."""

    started: float
    limit: int
    saturated: bool
    tokens: int


class _Ticket:
    """A place in the line. Made of plain futures, so that a limiter outlives the event loop of one run."""

    def __init__(self) -> None:
        self._future: asyncio.Future[None] | None = None

    async def called(self) -> None:
        self._future = asyncio.get_running_loop().create_future()
        await self._future

    def call(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)


class Limiter:
    """Shared by every shard of one model in one process."""

    def __init__(
        self,
        limits: Limits,
        *,
        backoff: Backoff | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.cap = limits.concurrency
        self.limit = max(min(4, self.cap), self.cap // 4)
        self.in_flight, self.paused_until = 0, 0.0
        self.history: list[tuple[float, int]] = [(clock(), self.limit)]
        self._limits, self._backoff, self._clock, self._sleep = limits, backoff or Backoff(), clock, sleep
        self._step = max(1, self.cap // 16)
        self._credit, self._episodes = 0, 0
        self._cut_at = self._fault_at = float("-inf")
        self._next_request = self._next_tokens = float("-inf")
        self._line: deque[_Ticket] = deque()

    def pause_left(self) -> float:
        """Seconds that the model is still told to wait."""
        return max(0.0, self.paused_until - self._clock())

    def try_acquire(self, tokens: int = 0) -> Slot | None:
        """Leave to send one request if it can be given at once and nobody waits."""
        now = self._clock()
        if self._line or self.in_flight >= self.limit or max(self.paused_until, self._next_request, self._next_tokens) > now:
            return None
        return self._take(tokens, now)

    async def acquire(self, tokens: int = 0) -> Slot:
        """Wait for leave to send one request of about `tokens` tokens, first come first served."""
        ticket = _Ticket()
        self._line.append(ticket)
        try:
            while True:
                if self._line[0] is not ticket or self.in_flight >= self.limit:
                    await ticket.called()
                    continue
                wait = max(self.paused_until, self._next_request, self._next_tokens) - self._clock()
                if wait <= 0:
                    return self._take(tokens, self._clock())
                await self._sleep(wait)
        finally:
            self._line.remove(ticket)
            self._call_next()

    def cancelled(self, slot: Slot) -> None:
        """Give the slot back without an outcome."""
        self._release()

    def succeeded(self, slot: Slot, tokens: int | None = None) -> None:
        """A whole reply arrived, of `tokens` tokens where the provider says so."""
        self._release()
        if tokens is not None and self._limits.tokens_per_minute:
            self._next_tokens += (tokens - slot.tokens) * 60 / self._limits.tokens_per_minute
        if slot.started <= self._cut_at or slot.started <= self._fault_at:
            return
        self._episodes = 0
        self._credit += slot.saturated
        if self._credit >= self.limit:
            self._credit = 0
            self._move(min(self.cap, self.limit + self._step))

    def rate_limited(self, slot: Slot, retry_after: float | None) -> None:
        """A 429: cut once per episode; the whole model waits for what was asked, or backs off by itself."""
        self._release()
        self._credit = 0
        now = self._clock()
        if slot.started > self._cut_at:
            self._cut_at = now
            self._episodes += 1
            self._move(max(1, int(self.limit * CUT)))
            if retry_after is None:
                self.paused_until = max(self.paused_until, now + self._backoff.wait(self._episodes))
        if retry_after is not None:
            self.paused_until = max(self.paused_until, now + retry_after)

    def faulted(self, slot: Slot, retry_after: float | None = None) -> None:
        """A server fault or a lost connection: no growth until later requests succeed."""
        self._release()
        self._credit, self._fault_at = 0, self._clock()
        if retry_after is not None:
            self.paused_until = max(self.paused_until, self._fault_at + retry_after)

    def _take(self, tokens: int, now: float) -> Slot:
        if self._limits.requests_per_minute:
            self._next_request = now + 60 / self._limits.requests_per_minute
        if self._limits.tokens_per_minute:
            self._next_tokens = max(self._next_tokens, now) + tokens * 60 / self._limits.tokens_per_minute
        self.in_flight += 1
        return Slot(now, self.limit, self.in_flight >= self.limit, tokens)

    def _release(self) -> None:
        self.in_flight -= 1
        self._call_next()

    def _call_next(self) -> None:
        if self._line:
            self._line[0].call()

    def _move(self, limit: int) -> None:
        if limit != self.limit:
            self.limit = limit
            self.history.append((self._clock(), limit))
            self._call_next()
