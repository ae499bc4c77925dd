"""What the engine tells while it runs: cheap values, each of which knows how it moves the progress display."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.progress import Advance

STAGE = "generations"


@dataclass(frozen=True)
class Event:
    """Something happened in a shard."""

    def advance(self, label: str) -> Advance:
        """What it means for the progress line of `label`."""
        return Advance(STAGE, label)


@dataclass(frozen=True)
class Started(Event):
    """A request was sent."""

    generation_id: str
    attempt: int
    limit: int

    def advance(self, label: str) -> Advance:
        """The limit that held when it was sent."""
        return Advance(STAGE, label, limit=self.limit)


@dataclass(frozen=True)
class Done(Event):
    """A generation is finished and its row is on the disk. `detail` is what a failed one was told, without secrets."""

    generation_id: str
    status: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    detail: str | None = None
    known_before: bool = False
    """Found in the journal of a killed run; not asked again."""

    def advance(self, label: str) -> Advance:
        """One more generation, its answer's tokens and its cost."""
        failed = self.status in ("error", "error_permanent")
        bought = not self.known_before
        return Advance(STAGE, label, done=1, tokens=(self.output_tokens or 0) * bought, cost_usd=(self.cost_usd or 0.0) * bought, errors=int(failed))


@dataclass(frozen=True)
class Retry(Event):
    """A request failed and will be asked again after `wait_s` seconds."""

    generation_id: str
    reason: str
    attempt: int
    wait_s: float

    def advance(self, label: str) -> Advance:
        """One more retry."""
        return Advance(STAGE, label, retries=1)


@dataclass(frozen=True)
class LimitChanged(Event):
    """The concurrency limit of the model moved."""

    limit: int

    def advance(self, label: str) -> Advance:
        """The new limit."""
        return Advance(STAGE, label, limit=self.limit)


@dataclass(frozen=True)
class TornLines(Event):
    """Unreadable lines of the journal of a killed run were dropped; their answers are asked again."""

    lines: int


@dataclass(frozen=True)
class Stopped(Event):
    """The shard ended before its requests did: deadline, stopped, budget, interrupted, failed. The rest is planned again by the next run."""

    reason: str


def done_of(row: Mapping[str, Any], *, detail: str | None = None, known_before: bool = False) -> Done:
    """The event of a row of raw.generations."""
    return Done(row["generation_id"], row["status"], row["input_tokens"], row["output_tokens"], row["cost_usd"], detail, known_before)
