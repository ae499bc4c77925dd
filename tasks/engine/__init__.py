"""The generation engine: never loses, doubles or fakes an answer."""

from __future__ import annotations

from tasks.engine.budget import Ledger
from tasks.engine.events import Done, Event, LimitChanged, Retry, Started, Stopped, TornLines
from tasks.engine.journal import Journal, read
from tasks.engine.limiter import Limiter
from tasks.engine.retry import Backoff
from tasks.engine.run import run_requests
from tasks.engine.settings import EngineSettings

__all__ = [
    "Backoff",
    "Done",
    "EngineSettings",
    "Event",
    "Journal",
    "Ledger",
    "LimitChanged",
    "Limiter",
    "Retry",
    "Started",
    "Stopped",
    "TornLines",
    "read",
    "run_requests",
]
