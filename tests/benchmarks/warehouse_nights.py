"""A night's build with kept parts against a whole build: python -m tests.benchmarks.warehouse_nights --nights 10 [--own-suites]

Writes that many nights of 7 configurations x 975 items x 6 generations (one suite that grows, or a suite a night), builds before and after the
last night with kept parts, then whole, and prints wall and CPU seconds, peak memory and sizes.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path

from tests.benchmarks.warehouse_build import ABILITIES, timed
from tests.warehouse.worlds import World, write
from warehouse.build import REPLICATES, build
from warehouse.reuse import Reuse
from warehouse.store import Store


def night(store: Store, number: int, own_suites: bool) -> None:
    """Write the evidence of one night."""
    abilities = {f"night{number}-{name}": ability for name, ability in ABILITIES.items()}
    write(store, World(abilities, seed=number, suite=f"suite{number}" if own_suites else "suite"))


def kept_build(store: Store) -> None:
    """Build with what earlier builds kept, and say what was computed."""
    reuse = Reuse(store.root / "marts", REPLICATES)
    target = store.root / "kept.duckdb"
    target.unlink(missing_ok=True)
    build(store, target, reuse=reuse)
    print(f"computed parts: {reuse.computed}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--own-suites", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder)).open()
        for number in range(arguments.nights - 1):
            night(store, number, arguments.own_suites)
        timed("all nights but the last, nothing kept", lambda: kept_build(store))
        night(store, arguments.nights - 1, arguments.own_suites)
        timed("the last night, kept parts", lambda: kept_build(store))
        timed("the last night, whole build", lambda: build(store, store.root / "whole.duckdb"))
        kept = sum(path.stat().st_size for path in (store.root / "marts").glob("*/*"))
        size = (store.root / "kept.duckdb").stat().st_size
        print(f"kept parts {kept / 2**20:.0f} MiB, warehouse {size / 2**20:.0f} MiB")
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB", flush=True)


if __name__ == "__main__":
    main()
