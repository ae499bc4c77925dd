"""What a shard of requests runs under, and what it tells while it runs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from schemas.config import Limits, Prices
from tasks.engine.budget import Ledger
from tasks.engine.retry import Backoff


@dataclass(frozen=True)
class EngineSettings:
    """Settings of one shard. `stop` set: what is in flight finishes, nothing more starts."""

    limits: Limits
    journal: Path
    prices: Prices | None = None
    ledger: Ledger = field(default_factory=Ledger)
    stop: asyncio.Event | None = None
    backoff: Backoff = field(default_factory=Backoff)
    commit_window_s: float = 0.05
    """Least time between two fsyncs of the journal."""


@dataclass(frozen=True)
class Started:
    """A request was sent."""

    generation_id: str
    attempt: int


@dataclass(frozen=True)
class Done:
    """A generation is finished and its row is on the disk."""

    generation_id: str
    status: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    known_before: bool = False
    """Found in the journal of a killed run; not asked again."""


@dataclass(frozen=True)
class Retry:
    """A request failed and will be asked again after `wait_s` seconds."""

    generation_id: str
    reason: str
    attempt: int
    wait_s: float


@dataclass(frozen=True)
class LimitChanged:
    """The concurrency limit of the model moved."""

    limit: int


@dataclass(frozen=True)
class TornLines:
    """Unreadable lines of the journal of a killed run were dropped; their answers are asked again."""

    lines: int


@dataclass(frozen=True)
class Stopped:
    """The shard ended before its requests did: deadline, stop, budget, failure. The rest is planned again by the next run."""

    reason: str


Event = Started | Done | Retry | LimitChanged | TornLines | Stopped
