"""`mode: batch`: a shard as one batch of the provider's batch API; its id is on disk, so another process can fetch the answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from schemas.errors import BudgetReached, ConfigError, Retryable, RunError, ServerFault, Unavailable
from schemas.keys import digest
from schemas.records import Reply, Request
from tasks.engine import batch_notes, journal
from tasks.engine.batch_notes import Note
from tasks.engine.budget import estimated_tokens, halved, price
from tasks.engine.events import Event, Started, Stopped, done_of
from tasks.engine.rows import Attempt, attempt_row, generation_row, may_be_billed
from tasks.engine.settings import EngineSettings
from tasks.providers.base import Batches, Provider

T = TypeVar("T")


async def run_batches(requests: Iterable[Request], provider: Provider, settings: EngineSettings, on_event: Callable[[Event], None]) -> None:
    """Submit what no pending batch asks for yet, then wait for every batch that answers one of `requests`; see `run_requests`."""
    batches = provider.batches()
    if batches is None:
        raise ConfigError(f"model {provider.model.name!r}: provider {provider.model.provider!r} has no batch API; leave `mode` out")
    await _BatchShard(batches, provider, settings, on_event).run(requests)


class _BatchShard:
    def __init__(self, batches: Batches, provider: Provider, settings: EngineSettings, on_event: Callable[[Event], None]) -> None:
        self._batches, self._settings, self._tell = batches, settings, on_event
        self._model = digest("batch", provider.model.provider, provider.model.model, provider.model.base_url)
        self._folder = settings.journal.parent / "batches"
        self._prices = halved(settings.prices)
        self._reserved: dict[str, float] = {}
        self._known = {row["generation_id"] for row in journal.read(settings.journal).generations if row["status"] in journal.FINAL}
        self._writer = journal.Writer(settings.journal, settings.commit_window_s)
        self._finished: list[Note] = []
        self._ends = time.monotonic() + settings.limits.deadline_s

    async def run(self, requests: Iterable[Request]) -> None:
        wanted = {r.generation_id: r for r in requests if r.generation_id not in self._known}
        notes = [await self._identified(n) for n in batch_notes.pending(self._folder, self._model) if n.wanted & wanted.keys()]
        notes = [note for note in notes if note.batch_id is not None]
        asked = set().union(*(note.wanted for note in notes))
        fresh = [request for name, request in wanted.items() if name not in asked]
        affordable = [request for request in fresh if self._afford(request)]
        try:
            if affordable:
                notes.append(await self._submit(affordable))
            await self._collect(notes)
        finally:
            await self._writer.close()
            for note in self._finished:
                batch_notes.drop(self._folder, note)
            for usd in self._reserved.values():  # submitted and unanswered: it will be billed
                self._settings.ledger.settle(usd, usd)
        if len(affordable) < len(fresh):
            self._tell(Stopped("budget"))
            raise BudgetReached(f"budget reached: {len(fresh) - len(affordable)} requests were not submitted; raise `budget.max_usd` and run again")

    def _afford(self, request: Request) -> bool:
        usd = price(self._prices, *estimated_tokens(request)) or 0.0
        if not self._settings.ledger.try_reserve(usd):
            return False
        self._reserved[request.generation_id] = usd
        return True

    async def _identified(self, note: Note) -> Note:
        """A note with its id; one without was cut off while submitting, and is looked for by its label."""
        if note.batch_id is not None:
            return note
        try:
            found = await self._persist(lambda: self._batches.find(note.label))
        except Unavailable as error:
            path = self._folder / f"{note.label}.json"
            raise Unavailable(f"a run ended while it submitted a batch of {len(note.requests)}; {error}; if it was not, delete {path} and run again") from error
        if found is None:
            batch_notes.drop(self._folder, note)
            return note
        batch_notes.keep(self._folder, replace(note, batch_id=found))
        return replace(note, batch_id=found)

    async def _submit(self, requests: list[Request]) -> Note:
        note = batch_notes.new(self._model, requests)
        batch_notes.keep(self._folder, note)
        try:
            named = replace(note, batch_id=await self._batches.submit(requests, note.label))
        except RunError as error:
            if not _may_have_been_taken(error):
                batch_notes.drop(self._folder, note)
            for name in note.wanted:
                self._settings.ledger.settle(self._reserved.pop(name), 0.0)
            raise
        batch_notes.keep(self._folder, named)
        for request in requests:
            self._tell(Started(request.generation_id, 1, len(requests)))
        return named

    async def _collect(self, notes: list[Note]) -> None:
        """Poll until every batch has ended, the deadline passes or the run is stopped."""
        while notes:
            for note in list(notes):
                outcomes = await self._persist(partial(self._batches.results, str(note.batch_id)))
                if outcomes is not None:
                    self._record(note, outcomes)
                    notes.remove(note)
            if notes and not await self._pause():
                return

    async def _pause(self) -> bool:
        """Wait for the next poll; False when the shard must end first."""
        stop = self._settings.stop
        if stop is not None and stop.is_set():
            self._tell(Stopped("stopped"))
            return False
        if time.monotonic() + self._settings.poll_s > self._ends:
            self._tell(Stopped("deadline"))
            return False
        wakes = time.monotonic() + self._settings.poll_s
        while time.monotonic() < wakes and not (stop is not None and stop.is_set()):
            await asyncio.sleep(min(0.1, self._settings.poll_s))
        return True

    def _record(self, note: Note, outcomes: Mapping[str, Reply | RunError]) -> None:
        """Journal one ended batch; what it did not answer is an error, asked again by the next run."""
        waited = (datetime.now(UTC) - note.submitted_at).total_seconds() * 1000
        for request in note.requests:
            outcome = outcomes.get(request.generation_id) or ServerFault("the batch ended without an answer to this request")
            attempt = attempt_row(request, Attempt(1, note.submitted_at, waited, None, outcome), self._prices)
            row = generation_row(request, Attempt(1, note.submitted_at, waited, None, outcome), [attempt])
            self._settings.ledger.settle(self._reserved.pop(request.generation_id, 0.0), attempt["cost_usd"] or 0.0)
            self._writer.append(attempt, row, partial(self._tell, done_of(row, detail=None if isinstance(outcome, Reply) else str(outcome))))
        self._finished.append(note)

    async def _persist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask again after a passing failure, as often as the model file allows."""
        for number in range(1, self._settings.limits.attempts + 1):
            try:
                return await ask()
            except Retryable as error:
                if number == self._settings.limits.attempts:
                    raise
                await asyncio.sleep(self._settings.backoff.wait(number, getattr(error, "retry_after", None)))
        raise AssertionError("limits.attempts is at least 1")


def _may_have_been_taken(error: RunError) -> bool:
    """Whether the batch may exist although its id did not reach us."""
    if isinstance(error, ServerFault):
        return error.status in (None, 200, 502, 504)
    return may_be_billed(error)
