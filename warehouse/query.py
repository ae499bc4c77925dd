"""Read-only SQL over the published warehouse. Imports duckdb only, so that it starts at once.

The connection is sealed before a word of the user's SQL is read: no file may be opened but the evidence that `raw.*` shows, nothing can be
written, no setting changed back.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from schemas.errors import InputError, StoreError
from schemas.printable import json_shown, printable
from warehouse.literals import quoted

FORMATS = ("table", "csv", "json", "parquet")
MAX_TABLE_ROWS = 200
_FIRST_WORD = re.compile(r"(?:\s|\(|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*(?P<word>\w+)")
_PIVOTS = ("pivot", "unpivot", "select", "with", "from")


def query(path: Path, sql: str, format: str = "table", output: Path | None = None) -> str:
    """Run one reading statement over the warehouse file at `path`.

    Args:
        path: the published DuckDB file.
        sql: one SELECT (also WITH, FROM, VALUES, PIVOT, DESCRIBE, SHOW, SUMMARIZE).
        format: table, csv, json (a list of objects) or parquet (needs `output`).
        output: file to write instead of returning text.

    Returns:
        The text to print; empty where `output` was written.

    Raises:
        InputError: SQL that is wrong or does more than read; unknown format; no warehouse yet.
        StoreError: the file cannot be opened.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {format!r}; one of {', '.join(FORMATS)}")
    if format == "parquet" and output is None:
        raise InputError("parquet is not text: say where to write it with --output FILE")
    with open_sealed(path) as connection:
        if format == "parquet" and output is not None:
            _to_parquet(connection, sql, output)
            return ""
        result = _run(connection, sql)
        names = [column[0] for column in result.description or ()]
        text = _text(names, result.fetchall(), format)
    if output is None:
        return text
    with _writing(output):
        output.write_text(text + "\n", encoding="utf-8")
    return ""


def open_sealed(path: Path) -> duckdb.DuckDBPyConnection:
    """A read-only connection that can neither write nor read any file but the evidence of `raw.*`.

    Raises:
        InputError: there is no warehouse at `path`.
        StoreError: it cannot be opened.
    """
    if not path.exists():
        raise InputError(f"no warehouse at {path} yet; run `sextant evaluate RUN.yaml` or `sextant publish` first, or name another store with --store")
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as error:
        raise StoreError(f"cannot open {path}: {_first_line(error)}; if another program holds it open for writing, close that one") from error
    connection.execute("set enable_progress_bar = false; set timezone = 'UTC'")
    held = connection.execute("select count(*) from duckdb_tables() where schema_name = 'raw' and table_name = 'stored_files'").fetchone()
    files = [row[0] for row in connection.execute("select path from raw.stored_files").fetchall()] if held and held[0] else []
    listed = ", ".join(map(quoted, files))
    connection.execute(f"set allowed_paths = [{listed}]; set enable_external_access = false; set lock_configuration = true")
    return connection


def _run(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyConnection:
    try:
        return connection.execute(_reading(connection, sql))
    except duckdb.Error as error:
        raise InputError(f"SQL: {_first_line(error)}") from error


def _reading(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise InputError(f"one statement at a time; found {len(statements)}")
    kind = statements[0].type
    # EXPLAIN ANALYZE and PIVOT (a MULTI) can hold a COPY, which would write over the evidence that may be read
    pivot = kind == duckdb.StatementType.MULTI and _FIRST_WORD.match(sql.lower())
    if kind != duckdb.StatementType.SELECT and not (pivot and pivot["word"] in _PIVOTS):
        raise InputError(f"`sextant query` only reads; {kind.name} is refused")
    return statements[0]


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split("\n\n")[0].split())


def _text(names: Sequence[str], rows: list[tuple[Any, ...]], format: str) -> str:
    if format == "json":
        return json_shown([{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in rows], indent=1)
    if format == "csv":
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
        return buffer.getvalue().rstrip("\n")
    shown = [[_cell(value) for value in row] for row in rows[:MAX_TABLE_ROWS]]
    widths = [max(len(name), *(len(row[i]) for row in shown), 1) if shown else len(name) for i, name in enumerate(names)]
    lines = ["  ".join(name.ljust(width) for name, width in zip(names, widths, strict=True)).rstrip(), "  ".join("-" * width for width in widths)]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown]
    rest = f"; first {MAX_TABLE_ROWS} shown, --format csv prints all" if len(rows) > MAX_TABLE_ROWS else ""
    return "\n".join([*lines, f"({len(rows)} row{'' if len(rows) == 1 else 's'}{rest})"])


def _plain(value: Any) -> Any:
    """A value JSON has a form for: decimals are numbers, NaN and infinity are null."""
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, Decimal):
        value = float(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = printable(str(value)[:81]).replace("\n", "\\n")
    return text if len(text) <= 80 else text[:79] + "…"


def _to_parquet(connection: duckdb.DuckDBPyConnection, sql: str, output: Path) -> None:
    import pyarrow.parquet as pq

    try:
        _reading(connection, sql)
        rows = connection.sql(sql).to_arrow_table()
    except duckdb.Error as error:
        raise InputError(f"SQL: {_first_line(error)}") from error
    temporary = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    with _writing(output):
        pq.write_table(rows, temporary)
        temporary.replace(output)


@contextmanager
def _writing(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}; name a file in a folder that exists") from error
