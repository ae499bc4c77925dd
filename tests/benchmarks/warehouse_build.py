"""The whole build for 7 configurations x 975 items x 6 generations with 1,000 replicates, and its bootstrap done again in polars.

Run by hand: python -m tests.benchmarks.warehouse_build. Prints seconds (wall and CPU), the slowest relations, and the ratio of the replicates in
polars (a join with the weights and a group-by, one configuration at a time) to the same in SQL within one run; both must agree to 1e-9.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import duckdb
import polars as pl

from tests.warehouse.worlds import Ability, World, write
from warehouse.build import build, check
from warehouse.relations import catalog
from warehouse.store import Store

ABILITIES = {f"m{i}": Ability(correct=0.5 + 0.06 * i, tokens=100 + 30 * i, similarity=0.8 + 0.01 * i, contradiction=0.05 * i % 0.2) for i in range(7)}
KEYS = ["protocol", "suite_id", "configuration_id", "dataset", "dimension", "component", "replicate"]


def timed(name: str, work: object) -> float:
    """Run `work`, print its times, return wall seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()  # type: ignore[operator]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name}: {wall:.2f} s wall, {cpu:.2f} s CPU")
    return wall


def in_polars(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Weighted sums of every component in every replicate, by joins."""
    weights = connection.sql("select suite_id, dataset, cluster, replicate, weight from marts.bootstrap_weights where weight > 0").pl()
    sums = connection.sql("select * from marts.cluster_sums").pl()
    parts = []
    for part in sums.partition_by("configuration_id", "protocol"):
        joined = part.lazy().join(weights.lazy(), on=["suite_id", "dataset", "cluster"])
        totals = [(pl.col(name) * pl.col("weight")).sum() for name in ("numerator", "denominator")]
        parts.append(joined.group_by(KEYS).agg(totals).collect())
    return pl.concat(parts)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder)).open()
        write(store, World(ABILITIES))
        print(f"{store.scan('generations').select(pl.len()).collect().item()} generations")
        timed("whole build", lambda: build(store, store.warehouse))
        timed("SQL checks", lambda: check(store.warehouse))
        with duckdb.connect(str(store.warehouse)) as connection:
            connection.execute("set enable_progress_bar = false")
            sql = timed("replicates in SQL", lambda: connection.execute(f"create temp table again as {catalog()['marts.replicates'].sql}"))
            frames: list[pl.DataFrame] = []
            polars = timed("weighted sums of the replicates in polars", lambda: frames.append(in_polars(connection)))
            observed = frames[0].filter(pl.col("component") == "observed", pl.col("denominator") > 0)
            ours = connection.sql("select * from marts.replicates where dataset <> 'all'").pl()
            both = observed.join(ours, on=[key for key in KEYS if key != "component"])
            worst = both.select((pl.col("numerator") / pl.col("denominator") - pl.col("observed")).abs().max()).item()
        print(f"polars / SQL: {polars / sql:.1f}; largest difference {worst:.1e} over {len(both)} replicate scores")
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB, warehouse {store.warehouse.stat().st_size / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
