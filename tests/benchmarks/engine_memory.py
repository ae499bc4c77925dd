"""100,000 requests planned, 1,000 run: memory stays flat, because work is pulled and never planned as coroutines.

    python tests/benchmarks/engine_memory.py

Prints resident memory before, after 1,000 of 1,000 and after 1,000 of 100,000 requests, and MiB per 1,000 requests left pending; beside it
what a gather over one coroutine a request takes. Figures: engine.md.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from schemas.config import Limits
from schemas.records import Request
from tasks.engine import Done, EngineSettings, Event, Limiter, read, run_requests
from tasks.providers import open_provider
from tests.benchmarks.quick_server import serve
from tests.engine_kit import model, request

RUN = 1000


def resident_mib() -> float:
    """Resident memory of this process now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


async def part_of(url: str, planned: int, folder: Path) -> float:
    """Plan `planned` requests, stop after 1,000, and tell the memory held at that moment."""
    limits, stop, done = Limits(concurrency=64, read_timeout_s=30), asyncio.Event(), 0
    held = 0.0

    def wanted() -> Iterator[Request]:
        for i in range(planned):
            yield request(i)

    def hear(event: Event) -> None:
        nonlocal done, held
        done += isinstance(event, Done)
        if done == RUN and not stop.is_set():
            held = resident_mib()
            stop.set()

    asked = model(url, limits=limits)
    async with open_provider(asked, Path()) as provider:
        settings = EngineSettings(limits, folder / f"{planned}", stop=stop)
        await run_requests(wanted(), provider, settings=settings, limiter=Limiter(limits), on_event=hear)
    assert len(read(folder / f"{planned}").generations) >= RUN
    return held


async def gathered(planned: int) -> float:
    """What one waiting task a request holds."""
    gate = asyncio.Event()

    async def one(_: Request) -> None:
        await gate.wait()

    before = resident_mib()
    tasks = [asyncio.create_task(one(request(i))) for i in range(planned)]
    await asyncio.sleep(0)
    held = resident_mib() - before
    gate.set()
    await asyncio.gather(*tasks)
    return held


def main() -> None:
    """Print the figures."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, 0.005), daemon=True)
    server.start()
    try:
        url = ours.recv()
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(part_of(url, RUN + 1, Path(folder)))  # imports, pools and caches are paid for here
            before = resident_mib()
            small = asyncio.run(part_of(url, RUN + 64, Path(folder)))
            large = asyncio.run(part_of(url, 100_000, Path(folder)))
    finally:
        server.kill()
    print(f"resident before {before:.1f} MiB; at 1,000 done of 1,064 planned {small:.1f} MiB; of 100,000 planned {large:.1f} MiB")
    print(f"engine: {max(0.0, large - small) / 99:.4f} MiB per 1,000 pending requests")
    print(f"one task a request: {asyncio.run(gathered(100_000)) / 100:.2f} MiB per 1,000 pending requests")


if __name__ == "__main__":
    main()
