"""Nights of 7 new model versions x 975 items x 6 generations in one suite, each published over the one before.

Run by hand: python -m tests.benchmarks.warehouse_nights FOLDER --nights 100 [--whole]. Evidence and warehouse are kept in FOLDER, so that a run that was
stopped goes on with the next night; with nights left out by `--until N` their evidence is written and not published. Prints wall and CPU seconds,
the parts computed and peak memory of every night that is published; with `--whole` a build from nothing at the end.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from tests.benchmarks.warehouse_build import ABILITIES, timed
from tests.warehouse.worlds import World, write
from warehouse.build import build, publish
from warehouse.store import Store


def night(store: Store, number: int) -> None:
    """Write the evidence of one night."""
    write(store, World({f"night{number:03d}-{name}": ability for name, ability in ABILITIES.items()}, seed=number))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--until", type=int, default=0, help="write the evidence of the first so many nights without publishing each")
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    store = Store(arguments.folder).open()
    done = store.scan("evaluations").select("recorded_at").collect().height
    for number in range(done, arguments.nights):
        night(store, number)
        if number + 1 >= arguments.until:
            timed(f"night {number + 1}", lambda: publish(store))
            size = store.warehouse.stat().st_size / 2**20
            print(f"  warehouse {size:.0f} MiB, peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB", flush=True)
    if arguments.whole:
        target = arguments.folder / f"whole-{time.time_ns()}.duckdb"
        timed("whole build", lambda: build(store, target))
        target.unlink()
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
