"""Read a warehouse with DuckDB and polars: `python docs/examples/explore.py [sextant-data]`.

Opens the published file read-only, so it may run while an evaluation is writing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import polars as pl

SCORES = """
select suite_id, configuration_id, configuration, dimension, value
from report.scores
where protocol = 'paper' and dataset = 'all'
order by dimension
"""

ANSWERS = """
select suite_id, configuration_id, configuration, question, answer, is_correct
from staging.stg_unit_answers
inner join staging.stg_configurations using (configuration_id)
inner join report.items using (suite_id, item_id)
where operator = 'original'
"""


def profiles(warehouse: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row per suite and configuration, one column per dimension; null where the score has no value."""
    scores = warehouse.sql(SCORES).pl()
    wide = scores.pivot(on="dimension", index=["suite_id", "configuration_id", "configuration"], values="value")
    return wide.sort("suite_id", "configuration").drop("suite_id", "configuration_id")


def disagreements(warehouse: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Items whose runs gave more than one answer (none counts as one), the most divided first."""
    answers = warehouse.sql(ANSWERS).pl()
    return (
        answers.group_by("suite_id", "configuration_id", "configuration", "question")
        .agg(pl.col("answer").n_unique().alias("answers"), pl.col("is_correct").mean().alias("share_correct"))
        .filter(pl.col("answers") > 1)
        .sort("answers", "question", descending=[True, False])
        .drop("suite_id", "configuration_id")
    )


def tokens(evidence: Path) -> pl.DataFrame:
    """Without the warehouse: polars reads the evidence itself, here mean output tokens by status (rows later replaced included)."""
    generations = pl.scan_parquet(evidence / "generations" / "*.parquet")
    return generations.group_by("status").agg(pl.len(), pl.col("output_tokens").mean().round(1)).sort("status").collect()


def main(store: Path) -> None:
    """Print the three tables."""
    with duckdb.connect(str(store / "warehouse.duckdb"), read_only=True) as warehouse:
        print(profiles(warehouse))
        print(disagreements(warehouse))
    print(tokens(store / "evidence"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sextant-data"))
