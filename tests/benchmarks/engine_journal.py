"""How long a journalled answer waits for its fsync, and how many answers share one.

    python tests/benchmarks/engine_journal.py [--rate 1000] [--seconds 5]

Appends records of 2 kB at a steady rate and measures append to durable. The window stated is 50 ms between fsyncs, so the lag is at most
50 ms plus one fsync of this disk. Figures: engine.md.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tasks.engine.journal import Writer


async def lags(rate: int, seconds: float, folder: Path) -> tuple[list[float], int]:
    """Seconds from append to durable for each record, and the number of groups."""
    writer, waited, groups = Writer(folder / "j"), [], set[float]()

    def durable(since: float) -> None:
        now = time.perf_counter()
        waited.append(now - since)
        groups.add(round(now, 2))

    ends, text = time.perf_counter() + seconds, "x" * 2000
    while time.perf_counter() < ends:
        for _ in range(max(1, rate // 200)):
            writer.append({"attempt_id": "a", "text": text}, None, partial(durable, time.perf_counter()))
        await asyncio.sleep(0.005)
    await writer.close()
    return waited, len(groups)


def main() -> None:
    """Print the lag's distribution."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=int, default=1000, help="records a second")
    parser.add_argument("--seconds", type=float, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        waited, groups = asyncio.run(lags(asked.rate, asked.seconds, Path(folder)))
    half, most_of_them = (statistics.quantiles(waited, n=100)[cut] * 1000 for cut in (49, 98))
    print(
        f"{len(waited)} records in about {groups} groups: append to durable median {half:.0f} ms, 99 % {most_of_them:.0f} ms, most {max(waited) * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
