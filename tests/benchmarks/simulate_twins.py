"""How often two equal configurations differ, per dimension, in 200 worlds: python -m tests.benchmarks.simulate_twins

Prints per protocol and dimension: worlds, 95 % intervals of the difference that leave 0 out, Holm p below .05, standard deviation of the difference
over worlds and its mean stated standard error.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb
import polars as pl

from tests.benchmarks.simulate import TWIN
from tests.warehouse.worlds import World, write
from warehouse.build import populate
from warehouse.store import Store

WORLDS, BATCH, FIRST_SEED = 200, 20, 50000


def batch(first: int) -> pl.DataFrame:
    """Comparisons of the worlds `first` and following, in one build."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        store = Store(Path(folder)).open()
        for seed in range(first, first + BATCH):
            world = World({"twin1": TWIN, "twin2": TWIN}, seed=FIRST_SEED + seed, suite=f"s{seed}", prefix=f"s{seed}-", random_calibration=True)
            write(store, world)
        populate(connection, store, only=("marts.comparisons",))
        return connection.sql("select * from marts.comparisons where configuration_id_a = 'twin1'").pl()


def main() -> None:
    found = pl.concat(batch(first) for first in range(0, WORLDS, BATCH))
    told = found.group_by("protocol", "dimension").agg(
        worlds=pl.len(),
        zero_left_out=(pl.col("ci_low") * pl.col("ci_high") > 0).sum(),
        holm=(pl.col("p_holm") < 0.05).sum(),
        deviation=pl.col("difference").std(),
        stated_error=pl.col("standard_error").mean(),
    )
    with pl.Config(tbl_rows=20, float_precision=4):
        print(told.sort("protocol", "dimension"))


if __name__ == "__main__":
    main()
