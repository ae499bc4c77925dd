"""What the engine's tests share: a model that points at the fault server, requests, one run, rows without what may differ."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from schemas.config import Limits, Model, Prices
from schemas.keys import digest
from schemas.records import Message, Reply, Request
from tasks.engine import Backoff, EngineSettings, Event, Journal, Ledger, Limiter, read, run_requests
from tasks.providers import open_provider

QUICK = Backoff(base_s=0.005, cap_s=0.05, rng=random.Random(1))
VARYING = {"attempts", "latency_ms", "started_at", "recorded_at"}


def limits(**changed: Any) -> Limits:
    """Limits with short timeouts."""
    return Limits(**{"concurrency": 8, "read_timeout_s": 0.4, "total_timeout_s": 3, "connect_timeout_s": 3, **changed})


def model(url: str, provider: str = "openai", **changed: Any) -> Model:
    """A model file that points at `url`."""
    return Model(**{"name": "m", "provider": provider, "model": "model-2026-01-01", "base_url": url, "limits": limits(), **changed})


def request(i: int, *, content: str | None = None, **sampling: Any) -> Request:
    """Request number i; each has its own seed, so each has its own answer."""
    settings = {"temperature": 0.7, "max_tokens": 64, **sampling}
    messages = (Message("user", content or f"What is {i} + 2?"),)
    return Request(digest("g", i), messages, tuple(settings.items()), i, digest("c"), digest("p", i), digest("i", i), "original", 0)


def requests(n: int) -> list[Request]:
    """The first n requests."""
    return [request(i) for i in range(n)]


def ask(asked: Model, one: Request | None = None) -> Reply:
    """One reply of an open provider, without the engine."""

    async def go() -> Reply:
        async with open_provider(asked, Path()) as provider:
            return await provider.generate(one or request(1))

    return asyncio.run(go())


def run(
    asked: Model,
    wanted: Iterable[Request],
    journal: Path,
    *,
    on_event: Callable[[Event], None] = lambda _: None,
    stop_when: Callable[[Event], bool] = lambda _: False,
    prices: Prices | None = None,
    ledger: Ledger | None = None,
) -> Journal:
    """Run `wanted` through the engine and read the journal back."""

    async def go() -> None:
        stop = asyncio.Event()

        def hear(event: Event) -> None:
            on_event(event)
            if stop_when(event):
                stop.set()

        settings = EngineSettings(asked.limits, journal, prices, ledger or Ledger(), stop, QUICK)
        async with open_provider(asked, Path()) as provider:
            await run_requests(wanted, provider, settings=settings, limiter=Limiter(asked.limits, backoff=QUICK), on_event=hear)

    asyncio.run(go())
    return read(journal)


def comparable(found: Journal) -> dict[str, dict[str, Any]]:
    """Generations by id, without attempts and times."""
    rows = {row["generation_id"]: {k: v for k, v in row.items() if k not in VARYING} for row in found.generations}
    assert len(rows) == len(found.generations), "a generation stands twice"
    return rows
