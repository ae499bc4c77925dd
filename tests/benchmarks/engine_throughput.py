"""Engine against a 50 ms server, 64 in flight: wall against the ideal and against a bare client, side by side in one run.

    python tests/benchmarks/engine_throughput.py [--n 2000] [--rounds 5]

The server runs in a process of its own. A round is: the same requests by a bare httpx client with its own transport, by one with the aiohttp
transport (the better client), each a gather behind a semaphore of 64, then by the engine (journal, fsyncs, rows and all) with a limiter that
has already grown to 64. Medians over the rounds; the ideal is ceil(n / 64) x 50 ms. Figures: engine.md.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from httpx_aiohttp import HttpxAiohttpClient

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from schemas.config import Limits
from tasks.engine import EngineSettings, Limiter, read, run_requests
from tasks.providers import open_provider
from tests.benchmarks.quick_server import serve
from tests.engine_kit import model, requests

FLIGHT, LATENCY_S = 64, 0.05


async def bare(kind: type[httpx.AsyncClient], url: str, n: int) -> None:
    """The same requests by a client alone: no limiter, no journal, no rows."""
    gate = asyncio.Semaphore(FLIGHT)
    pool = httpx.Limits(max_connections=FLIGHT, max_keepalive_connections=FLIGHT)

    async with kind(limits=pool, timeout=30, verify=False) as client:

        async def one(i: int) -> None:
            async with gate:
                body = {"model": "m", "messages": [{"role": "user", "content": f"What is {i} + 2?"}], "max_tokens": 64, "seed": i}
                (await client.post(f"{url}/chat/completions", json=body)).json()

        await asyncio.gather(*map(one, range(n)))


async def engine(url: str, n: int, folder: Path) -> tuple[float, float]:
    """The engine with a limiter grown to its cap. Returns wall and CPU seconds, without the growing."""
    limits = Limits(concurrency=FLIGHT, read_timeout_s=30)
    asked, limiter = model(url, limits=limits), Limiter(limits)
    async with open_provider(asked, Path()) as provider:
        while limiter.limit < FLIGHT:
            await run_requests(requests(400), provider, settings=EngineSettings(limits, folder / f"warm{time.monotonic_ns()}"), limiter=limiter)
        wall, cpu = time.perf_counter(), time.process_time()
        await run_requests(requests(n), provider, settings=EngineSettings(limits, folder / "j"), limiter=limiter)
        spent = time.perf_counter() - wall, time.process_time() - cpu
    assert len(read(folder / "j").generations) == n
    return spent


async def bare_timed(kind: type[httpx.AsyncClient], url: str, n: int) -> tuple[float, float]:
    """Wall and CPU seconds of a bare client."""
    wall, cpu = time.perf_counter(), time.process_time()
    await bare(kind, url, n)
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    """Print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, LATENCY_S), daemon=True)
    server.start()
    try:
        _report(ours, asked.n, asked.rounds)
    finally:
        server.kill()


def _report(ours: Connection, n: int, rounds: int) -> None:
    url = ours.recv()
    ideal = math.ceil(n / FLIGHT) * LATENCY_S
    found: dict[str, list[tuple[float, float]]] = {"bare httpx": [], "bare httpx, aiohttp transport": [], "engine": []}
    for _ in range(rounds):
        found["bare httpx"].append(asyncio.run(bare_timed(httpx.AsyncClient, url, n)))
        found["bare httpx, aiohttp transport"].append(asyncio.run(bare_timed(HttpxAiohttpClient, url, n)))
        with tempfile.TemporaryDirectory() as folder:
            found["engine"].append(asyncio.run(engine(url, n, Path(folder))))
    print(f"n {n}, {FLIGHT} in flight, {LATENCY_S * 1000:.0f} ms, ideal {ideal:.2f} s, medians of {rounds}, load {os.getloadavg()[0]:.1f}\n")
    print("| | wall s | wall / ideal | CPU ms per request | engine's wall / its | engine's CPU / its | walls |\n|---|---|---|---|---|---|---|")
    wall, cpu = (statistics.median(column) for column in zip(*found["engine"], strict=True))
    for name, runs in found.items():
        its_wall, its_cpu = (statistics.median(column) for column in zip(*runs, strict=True))
        walls = " ".join(f"{one[0]:.2f}" for one in runs)
        ratios = f"{wall / its_wall:.2f} | {cpu / its_cpu:.2f}"
        print(f"| {name} | {its_wall:.2f} | {its_wall / ideal:.2f} | {its_cpu / n * 1000:.2f} | {ratios} | {walls} |")


if __name__ == "__main__":
    main()
