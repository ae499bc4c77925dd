"""What a shard of requests runs under."""

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
    poll_s: float = 30.0
    """Seconds between two looks at a batch (`mode: batch`)."""
