"""Runs one shard of requests against one open provider: pulled, paced, retried, journalled."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from schemas.errors import BudgetReached, ConnectionLost, ProviderError, RateLimited, Retryable, RunError, ServerFault, Unavailable
from schemas.records import Reply, Request
from tasks.engine import journal
from tasks.engine.batch import run_batches
from tasks.engine.budget import estimated_tokens, price
from tasks.engine.events import Event, LimitChanged, Retry, Started, Stopped, TornLines, done_of
from tasks.engine.limiter import Limiter, Slot
from tasks.engine.rows import Attempt, attempt_row, generation_row, may_be_billed
from tasks.engine.settings import EngineSettings
from tasks.providers.base import Provider

T = TypeVar("T")
_UNREACHABLE = 3
"""Generations in a row whose every request was refused a connection, before any reply: the server is not there."""

_LOOK_S = 0.02


class _Closing(Exception):
    """The shard takes no more requests."""


async def run_requests(
    requests: Iterable[Request],
    provider: Provider,
    *,
    settings: EngineSettings,
    limiter: Limiter,
    on_event: Callable[[Event], None] = lambda _: None,
) -> None:
    """Ask every request of `requests` that the journal does not answer yet; rows are read back with `journal.read`.

    Returns when all are done, at the deadline, or when `settings.stop` is set: what was not asked is planned again by the next run. On
    cancellation too, requests in flight finish and are journalled first; a second cancellation drops them.

    Raises:
        BudgetReached: the next request could pass the cap.
        Unavailable: no request can succeed (key refused, no credit, unknown model, nobody listening).
        StoreError: the journal cannot be written.
    """
    if provider.model.mode == "batch":
        await run_batches(requests, provider, settings, on_event)
        return
    await _Shard(provider, settings, limiter, on_event).run(requests)


class _Shard:
    def __init__(self, provider: Provider, settings: EngineSettings, limiter: Limiter, on_event: Callable[[Event], None]) -> None:
        self._provider, self._settings, self._limiter, self._tell = provider, settings, limiter, on_event
        found = journal.read(settings.journal)
        self._known = {row["generation_id"]: row for row in found.generations if row["status"] in journal.FINAL}
        self._earlier: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in found.attempts:
            if row["generation_id"] not in self._known:
                self._earlier[row["generation_id"]].append(row)
        if found.torn:
            on_event(TornLines(found.torn))
        self._writer = journal.Writer(settings.journal, settings.commit_window_s)
        self._closing: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._ends = asyncio.get_running_loop().time() + settings.limits.deadline_s
        self._refused: int | None = 0
        self._taken: set[str] = set()

    async def run(self, requests: Iterable[Request]) -> None:
        source = iter(requests)
        workers = [asyncio.create_task(self._work(source)) for _ in range(self._settings.limits.concurrency)]
        timer = asyncio.get_running_loop().call_at(self._ends, self._close, "deadline")
        watcher = asyncio.create_task(self._watch())
        try:
            await self._settle(workers)
        finally:
            timer.cancel()
            watcher.cancel()
            await self._writer.close()
            if self._closing.done():
                self._tell(Stopped(self._closing.result()))

    async def _settle(self, workers: list[asyncio.Task[None]]) -> None:
        """Wait for the workers; after a failure or a cancellation, for what is in flight. Raises the first failure."""
        try:
            done, rest = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
            failures = [error for worker in done if (error := worker.exception())]
            if failures:
                self._close("budget" if isinstance(failures[0], BudgetReached) else "failed")
                await asyncio.gather(*rest, return_exceptions=True)
                raise failures[0]
        except asyncio.CancelledError:
            self._close("interrupted")
            try:
                await asyncio.wait(workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
            raise

    async def _watch(self) -> None:
        while self._settings.stop is not None:  # looked at, not waited for: an Event belongs to one event loop, a run's stop sign may not
            if self._settings.stop.is_set():
                self._close("stopped")
                return
            await asyncio.sleep(_LOOK_S)

    def _close(self, reason: str) -> None:
        if not self._closing.done():
            self._closing.set_result(reason)

    async def _work(self, source: Iterable[Request]) -> None:
        for request in source:
            if self._closing.done():
                return
            known = self._known.get(request.generation_id)
            if request.generation_id in self._taken:
                continue
            self._taken.add(request.generation_id)
            if known:
                self._tell(done_of(known, known_before=True))
                continue
            try:
                await self._answer(request)
            except _Closing:
                return

    async def _answer(self, request: Request) -> None:
        """Ask until there is an answer, a permanent failure, or no attempt left."""
        rows = self._earlier.pop(request.generation_id, [])
        before = len(rows)
        while True:
            attempt = await self._ask(request, len(rows) + 1)
            rows.append(attempt_row(request, attempt, self._settings.prices))
            outcome = attempt.outcome
            if isinstance(outcome, Retryable) and len(rows) - before < self._settings.limits.attempts:
                self._writer.append(rows[-1], None, lambda: None)
                wait = self._settings.backoff.wait(len(rows) - before, getattr(outcome, "retry_after", None))
                self._tell(Retry(request.generation_id, outcome.reason, attempt.number, wait))
                self._mind_deadline(wait)
                await self._unless_closing(asyncio.sleep(wait))
                continue
            if isinstance(outcome, Reply | ProviderError):
                row = generation_row(request, attempt, rows)
                self._writer.append(rows[-1], row, partial(self._tell, done_of(row, detail=str(outcome) if isinstance(outcome, ProviderError) else None)))
                self._mind_reach(outcome)
                return
            self._writer.append(rows[-1], None, lambda: None)
            raise outcome

    async def _ask(self, request: Request, number: int) -> Attempt:
        slot, reserved = await self._leave(request)
        self._tell(Started(request.generation_id, number, slot.limit))
        started_at, clock, limit = datetime.now(UTC), time.perf_counter(), self._limiter.limit
        outcome: Reply | RunError | None = None
        try:
            async with asyncio.timeout(self._settings.limits.total_timeout_s):
                outcome = await self._provider.generate(request)
        except TimeoutError:
            outcome = ConnectionLost(f"no whole reply within {self._settings.limits.total_timeout_s:g} s")
            outcome.reason = "timeout"
        except RunError as error:
            outcome = error
        finally:
            self._limiter_hears(slot, outcome)
            self._ledger_hears(reserved, outcome)
        if self._limiter.limit != limit:
            self._tell(LimitChanged(self._limiter.limit))
        return Attempt(number, started_at, (time.perf_counter() - clock) * 1000, slot.limit, outcome)

    def _mind_deadline(self, wait_s: float) -> None:
        """End the shard now where the wait ahead would outlast it."""
        if wait_s > self._ends - asyncio.get_running_loop().time():
            self._close("deadline")

    async def _leave(self, request: Request) -> tuple[Slot, float]:
        """Leave to send one request: a slot of the limiter and a reservation in the ledger."""
        given, most = estimated_tokens(request)
        self._mind_deadline(self._limiter.pause_left())
        if self._closing.done():
            raise _Closing
        slot = self._limiter.try_acquire(given + most)
        if slot is None:
            slot = await self._unless_closing(self._limiter.acquire(given + most))
        cost = price(self._settings.prices, given, most) or 0.0
        try:
            if self._closing.done():
                raise _Closing
            if not self._settings.ledger.try_reserve(cost):
                await self._unless_closing(self._settings.ledger.reserve(cost))
        except BaseException:
            self._limiter.cancelled(slot)
            raise
        return slot, cost

    def _limiter_hears(self, slot: Slot, outcome: Reply | RunError | None) -> None:
        if isinstance(outcome, Reply):
            used = outcome.usage
            known = used.input_tokens is not None and used.output_tokens is not None
            self._limiter.succeeded(slot, (used.input_tokens or 0) + (used.output_tokens or 0) if known else None)
        elif isinstance(outcome, RateLimited):
            self._limiter.rate_limited(slot, outcome.retry_after)
        elif isinstance(outcome, ServerFault):
            self._limiter.faulted(slot, outcome.retry_after)
        elif isinstance(outcome, ConnectionLost):
            self._limiter.faulted(slot)
        else:
            self._limiter.cancelled(slot)

    def _ledger_hears(self, reserved: float, outcome: Reply | RunError | None) -> None:
        """What a reply cost; the whole reservation where it may have been billed and we cannot know."""
        spent = 0.0
        if outcome is None or may_be_billed(outcome):
            spent = reserved
        elif isinstance(outcome, Reply):
            known = price(self._settings.prices, outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.usage.cached_tokens)
            spent = reserved if known is None else known
        self._settings.ledger.settle(reserved, spent)

    def _mind_reach(self, outcome: Reply | ProviderError) -> None:
        """Stop the model where nobody listens: every request of several generations refused, and never a reply."""
        if self._refused is None or not isinstance(outcome, ConnectionLost) or outcome.reason != "refused":
            self._refused = None
            return
        self._refused += 1
        if self._refused >= _UNREACHABLE:
            raise Unavailable(f"{outcome}; start the server or mend `base_url`, then run again")

    async def _unless_closing(self, waiting: Coroutine[Any, Any, T]) -> T:
        """The result of `waiting`, or _Closing as soon as the shard closes."""
        task = asyncio.create_task(waiting)
        try:
            either: list[asyncio.Future[Any]] = [task, self._closing]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
        if task.cancelled() or not task.done():
            await asyncio.gather(task, return_exceptions=True)
            raise _Closing
        return task.result()
