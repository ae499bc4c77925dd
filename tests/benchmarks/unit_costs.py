"""Unit costs behind docs/scale.md: planning, storing, reading, extracting, building. `python -m tests.benchmarks.unit_costs [n]`; one core, n = 100,000."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from schemas.keys import digest
from tasks.identities import generation_id
from tasks.scorers.answers import extract
from tests.warehouse.worlds import Ability, World, write
from warehouse.build import build
from warehouse.store import Store

TEXT = (
    "1. Anna has {n} apples and buys {m} more.\n2. We add the numbers: {n} + {m} = {s}.\n3. Half of them are red, so {s} / 2 is the share.\nThe answer is {s}."
)


def timed(name: str, n: int, work: Callable[[], Any]) -> Any:
    began, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, used = time.perf_counter() - began, time.process_time() - cpu
    print(f"{name:60s} {n:>9,} in {wall:7.2f} s wall, {used:7.2f} s CPU: {1e6 * used / n:9.2f} us CPU each")
    return result


def generation(i: int, at: datetime) -> dict[str, Any]:
    text = TEXT.format(n=i % 97, m=i % 89, s=i % 97 + i % 89)
    nothing = ("reason", "thinking", "fingerprint", "request_id", "thinking_tokens", "cached_tokens")
    return {
        **dict.fromkeys(nothing),
        "generation_id": f"{i:032x}",
        "configuration_id": f"{i % 100:032x}",
        "prompt_id": f"{i // 3:032x}",
        "item_id": f"{i // 6:032x}",
        "operator": "original",
        "run_index": i % 3,
        "repeat": "",
        "seed": i,
        "status": "answered",
        "text": text,
        "finish_reason": "stop",
        "served_model": "m",
        "http_status": 200,
        "input_tokens": 60,
        "output_tokens": 60,
        "usage_source": "provider",
        "billed_input_tokens": 60,
        "billed_output_tokens": 60,
        "cost_usd": 1e-5,
        "attempts": 1,
        "latency_ms": 500.0,
        "started_at": at,
        "recorded_at": at,
    }


def _bytes(store: Store, at: datetime) -> float:
    """Texts that repeat compress to nothing, so the size is that of real worked solutions."""
    lines = (Path(__file__).parents[3] / "shared" / "data" / "gsm8k" / "test.jsonl").read_text().splitlines()
    rows = [generation(i, at) | {"text": json.loads(line)["answer"], "generation_id": digest(i), "prompt_id": digest("p", i)} for i, line in enumerate(lines)]
    return (store.root / store.write("generations", rows).path).stat().st_size / len(rows)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    at = datetime.now(UTC)
    timed("generation id (digest)", n, lambda: [generation_id("c" * 32, f"{i:032x}", 0, "") for i in range(n)])
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder)).open()
        rows = [generation(i, at) for i in range(n)]
        timed("write generations (Parquet, zstd, fsync), 50 shards", n, lambda: [store.write("generations", rows[k::50]) for k in range(50)])
        print(f"{'bytes of one stored generation, real worked solutions':60s} {_bytes(Store(Path(folder) / 'real').open(), at):9.0f}")
        wanted = pl.DataFrame({"generation_id": [f"{i:032x}" for i in range(0, 2 * n, 2)]}).lazy()
        fresh = Store(store.root)
        timed("hash the files once per process", n, lambda: fresh.files("generations"))
        timed(
            "newest row of each key, then anti-join",
            n,
            lambda: wanted.join(fresh.newest("generations").select("generation_id"), on="generation_id", how="anti").collect(),
        )
    timed("extract and compare an answer", n // 10, lambda: [extract(r["text"], answer_type="number", gold="7") for r in rows[: n // 10]])
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder)).open()
        items = {"gsm8k": 250, "mmlu": 225, "strategyqa": 250, "synthetic": 250}
        write(store, World({f"c{k}": Ability() for k in range(7)}, items=items))
        units = store.scan("generations").select(pl.len()).collect().item()
        timed("build the whole warehouse, 7 configurations x 975 items", units, lambda: build(store, store.warehouse))
        print(f"{'bytes of the warehouse per generation':60s} {store.warehouse.stat().st_size / units:9.0f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
