"""What a command ends with: six scores with intervals, Q_w under the schemes, ranks, where things lie, three queries to try.

Or the same as one JSON object, for scripts.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import Counter
from pathlib import Path
from shutil import which
from typing import Any

import duckdb
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from flows.places import DEFAULT
from schemas.records import DIMENSIONS
from warehouse.store import Store, store_at

QUERIES = (
    "select configuration, dimension, value, ci_low, ci_high from marts.dimension_scores where dataset = 'all' and protocol = 'paper'",
    "select scheme, configuration, value, rank, p_best from marts.rankings where protocol = 'paper' and weight_set = 'arxiv-v1' order by scheme, rank",
    "select configuration, dataset, status, strategy, n_answers, n_correct from report.extraction order by all",
)


LONG: dict[str, Any] = {"title_justify": "left", "box": box.HORIZONTALS, "show_edge": False, "pad_edge": False, "collapse_padding": True}
"""Tables that grow downwards."""
SCORES = """
select protocol, configuration_id, configuration, dimension, value, ci_low, ci_high, n, n_scored, coverage, status, reason
from marts.dimension_scores
where suite_id = ? and dataset = 'all'
"""
QUALITY = """
select protocol, weight_set, scheme, configuration_id, configuration, value, ci_low, ci_high, rank, p_best, status, reason
from marts.rankings
where suite_id = ?
"""


def show(store: Store, suite_id: str) -> None:
    """Print the summary of one suite to stdout; tables that are wider than the terminal are laid out in its length."""
    console = Console()
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        for protocol in ("paper", "strict"):
            console.print(_scores(connection, suite_id, protocol, console), "")
        console.print(_schemes(connection, suite_id), "")
    console.print(Text(f"warehouse  {store.warehouse}\nreport     {store.root / 'report.html'}\n\ntry next:"), soft_wrap=True)
    for query in QUERIES:
        console.print(Text(f'  {_command(store)} "{query}"'), soft_wrap=True)


def _command(store: Store) -> str:
    """`sextant query` as it can be typed here: by its path where it is not on PATH, with the store where it is not the usual one."""
    script = Path(sys.executable).with_name("sextant")
    here = script.relative_to(Path.cwd()) if script.is_relative_to(Path.cwd()) else script
    usual = store_at(os.environ.get("SEXTANT_STORE") or DEFAULT).address == store.address
    return ("sextant" if which("sextant") else shlex.quote(str(here))) + " query" + ("" if usual else f" --store {shlex.quote(store.address)}")


def as_json(store: Store, suite_id: str) -> str:
    """The summary of one suite as a JSON object: suite_id, warehouse, report, scores and quality, whose items are rows of the marts."""
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        scores = _rows(connection, SCORES + "order by protocol, configuration, dimension", suite_id)
        quality = _rows(connection, QUALITY + "order by protocol, weight_set, scheme, rank nulls last, configuration", suite_id)
    places = {"warehouse": str(store.warehouse), "report": str(store.root / "report.html")}
    return json.dumps({"suite_id": suite_id, **places, "scores": scores, "quality": quality}, indent=2, allow_nan=False)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, *parameters: Any) -> list[dict[str, Any]]:
    result = connection.execute(sql, parameters)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _scores(connection: duckdb.DuckDBPyConnection, suite_id: str, protocol: str, console: Console) -> Table:
    rows = _rows(connection, SCORES + "and protocol = ?", suite_id, protocol)
    names = dict(sorted(_names(rows).items(), key=lambda pair: pair[1]))
    cells = {(row["configuration_id"], row["dimension"]): score_cell(row) for row in rows}
    title = f"{protocol} protocol, all datasets: score [95 % interval] (scored)"
    table = Table("dimension", *map(escape, names.values()), title=title, title_justify="left")
    for dimension in DIMENSIONS:
        table.add_row(dimension, *(Text(cells.get((key, dimension), "not asked")) for key in names))
    if console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width:
        return table
    table = Table("dimension", Column("configuration", overflow="fold"), Column("score", no_wrap=_valued(rows)), title=title, **LONG)
    for dimension in DIMENSIONS:
        for place, (key, name) in enumerate(names.items()):
            table.add_row("" if place else dimension, Text(name), Text(cells.get((key, dimension), "not asked")))
    return table


def _names(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Display name by configuration id; where two share one, each with the beginning of its id."""
    names = {row["configuration_id"]: str(row["configuration"]) for row in rows}
    shared = Counter(names.values())
    return {key: name if shared[name] == 1 else f"{name} ({key[:6]})" for key, name in names.items()}


def _valued(rows: list[dict[str, Any]]) -> bool:
    """Whether all rows hold numbers, which are never broken over lines; reasons are."""
    return all(row["value"] is not None for row in rows)


def score_cell(row: dict[str, Any]) -> str:
    """One score as text: value [low, high] (units scored, of units asked where fewer), or why there is none."""
    if row["value"] is None:
        return f"none: {row['reason'] or row['status']}"
    interval = f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]" if row["ci_low"] is not None else f" [no interval: {row['reason'] or 'too few'}]"
    mark = "" if row["status"] in ("scored", "complete", "ok") else f" {row['status']}"
    scored = row["n"] if row["n_scored"] == row["n"] else f"{row['n_scored']} of {row['n']}"
    return f"{row['value']:.3f}{interval} ({scored}){mark}"


def _schemes(connection: duckdb.DuckDBPyConnection, suite_id: str) -> Table:
    order = "and protocol = 'paper' and weight_set = 'arxiv-v1' order by scheme, rank nulls last, configuration"
    rows = _rows(connection, QUALITY + order, suite_id)
    columns = (
        Column("scheme", overflow="fold"),
        "rank",
        Column("configuration", overflow="fold"),
        Column("Q_w [95 %]", no_wrap=_valued(rows)),
        Column("P(best)", no_wrap=True),
    )
    table = Table(*columns, title="Q_w [95 % interval], paper protocol, weights arxiv-v1", **LONG)
    names, previous = _names(rows), None
    for row in rows:
        value = "none: " + str(row["reason"]) if row["value"] is None else f"{row['value']:.3f}"
        interval = "" if row["ci_low"] is None else f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]"
        rank = "-" if row["rank"] is None else f"{row['rank']:g}"
        best = "" if row["p_best"] is None else f"{row['p_best']:.2f}"
        table.add_row(
            *(Text(cell) for cell in ("" if previous == row["scheme"] else row["scheme"], rank, names[row["configuration_id"]], value + interval, best))
        )
        previous = row["scheme"]
    return table
