"""What a command ends with: six scores with intervals, Q_w under the schemes, ranks, where things lie, three queries to try."""

from __future__ import annotations

from typing import Any

import duckdb
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from schemas.records import DIMENSIONS
from warehouse.store import Store

QUERIES = (
    "select configuration, dimension, value, ci_low, ci_high from marts.dimension_scores where dataset = 'all' and protocol = 'paper'",
    "select scheme, configuration, value, rank, p_best from marts.rankings where protocol = 'paper' and weight_set = 'arxiv-v1' order by scheme, rank",
    "select configuration, dataset, status, strategy, n_answers, n_correct from report.extraction order by all",
)


def show(store: Store, suite_id: str) -> None:
    """Print the summary of one suite to stdout."""
    console = Console()
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        for protocol in ("paper", "strict"):
            console.print(_scores(connection, suite_id, protocol))
        console.print(_schemes(connection, suite_id))
    console.print(Text(f"warehouse  {store.warehouse}\nreport     {store.root / 'report.html'}\n\ntry next:"), soft_wrap=True)
    for query in QUERIES:
        console.print(Text(f'  sextant query "{query}"'), soft_wrap=True)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, *parameters: Any) -> list[dict[str, Any]]:
    result = connection.execute(sql, parameters)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _scores(connection: duckdb.DuckDBPyConnection, suite_id: str, protocol: str) -> Table:
    rows = _rows(
        connection,
        """
        select configuration_id, configuration, dimension, value, ci_low, ci_high, n, status, reason
        from marts.dimension_scores
        where suite_id = ? and protocol = ? and dataset = 'all'
        """,
        suite_id,
        protocol,
    )
    names = dict(sorted({row["configuration_id"]: row["configuration"] for row in rows}.items(), key=lambda pair: str(pair[1])))
    table = Table(
        "dimension",
        *(escape(str(name)) for name in names.values()),
        title=f"{protocol} protocol, all datasets: score [95 % interval] (n)",
        title_justify="left",
    )
    cells = {(row["configuration_id"], row["dimension"]): score_cell(row) for row in rows}
    for dimension in DIMENSIONS:
        table.add_row(dimension, *(Text(cells.get((key, dimension), "not asked")) for key in names))
    return table


def score_cell(row: dict[str, Any]) -> str:
    """One score as text: value [low, high] (n), or why there is none."""
    if row["value"] is None:
        return f"none: {row['reason'] or row['status']}"
    interval = f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]" if row["ci_low"] is not None else f" [no interval: {row['reason'] or 'too few'}]"
    mark = "" if row["status"] in ("scored", "complete", "ok") else f" {row['status']}"
    return f"{row['value']:.3f}{interval} ({row['n']}){mark}"


def _schemes(connection: duckdb.DuckDBPyConnection, suite_id: str) -> Table:
    rows = _rows(
        connection,
        """
        select configuration, scheme, value, ci_low, ci_high, rank, p_best, status, reason
        from marts.rankings
        where suite_id = ? and protocol = 'paper' and weight_set = 'arxiv-v1'
        order by scheme, rank nulls last, configuration
        """,
        suite_id,
    )
    table = Table("scheme", "rank", "configuration", "Q_w [95 % interval]", "P(best)", title="Q_w, paper protocol, weights arxiv-v1", title_justify="left")
    previous = None
    for row in rows:
        value = "none: " + str(row["reason"]) if row["value"] is None else f"{row['value']:.3f}"
        interval = "" if row["ci_low"] is None else f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]"
        rank = "-" if row["rank"] is None else f"{row['rank']:g}"
        best = "" if row["p_best"] is None else f"{row['p_best']:.2f}"
        if previous not in (None, row["scheme"]):
            table.add_section()
        table.add_row(*(Text(cell) for cell in ("" if previous == row["scheme"] else row["scheme"], rank, row["configuration"], value + interval, best)))
        previous = row["scheme"]
    return table
