"""Item evidence as small compressed blocks that the browser opens when someone looks: nothing is parsed before it is needed.

Per suite and dataset: `items-S-D` (what the list shows) and `texts-S-D-P` (full questions, a page of items each); per configuration C of them:
`marks-S-D-C` (one line an item) and `runs-S-D-C-P` (generations and rewordings of a page). S, D, C and P are numbers. Blocks are gzipped
JSON in base64, so that no model text stands in the page's markup at all.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

from warehouse.report.tables import plain, table

PAGE = 50
"""Items in one page of texts or runs."""
HEAD = 200
"""Characters of a question in the list."""

_OPENED = (
    "create or replace temp table suite_items as select * from report.items where suite_id = ?",
    """
    create or replace temp table suite_marks as
    select position, marks.* exclude (suite_id, item_id) from report.item_summaries as marks inner join temp.suite_items using (suite_id, item_id)
    where suite_id = ?
    """,
)
_OPENED_TEXTS = (
    """
    create or replace temp table suite_runs as
    select position, runs.* exclude (suite_id, item_id) from report.runs as runs inner join temp.suite_items using (suite_id, item_id)
    where suite_id = ? order by runs.dataset, configuration_id, position
    """,
    """
    create or replace temp table suite_rewordings as
    select position, rewordings.* exclude (suite_id, item_id) from report.rewordings as rewordings inner join temp.suite_items using (suite_id, item_id)
    where suite_id = ? order by rewordings.dataset, configuration_id, position
    """,
)
"""One suite's evidence, read once from the views; the temporary tables vanish with the connection."""

_ITEMS = """
select item_id, source_id, subject, answer_type, left(gold, 80) as gold, left(question, ?) as question
from temp.suite_items where dataset = ? order by position
"""
_TEXTS = "select item_id, question, choices, gold from temp.suite_items where dataset = ? order by position"
_MARKS = """
select position, run_marks, reworded_marks, agreement, similarity, n_contradictions, n_false, max_steps, round(mean_tokens, 1) as mean_tokens,
    left(answers, 120) as answers
from temp.suite_marks where dataset = ? and configuration_id = ? order by position
"""
_RUNS = """
select * exclude (configuration_id, dataset) from temp.suite_runs
where dataset = ? and configuration_id = ? order by position, operator <> 'original', operator, run_index
"""
_REWORDINGS = """
select * exclude (configuration_id, dataset) from temp.suite_rewordings
where dataset = ? and configuration_id = ? order by position, operator
"""


@dataclass(frozen=True)
class Block:
    """One compressed block: its id in the page and its base64 text."""

    name: str
    text: str

    @classmethod
    def of(cls, name: str, value: Any) -> Block:
        """`value` as JSON, gzipped the same way every time."""
        data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
        return cls(name, base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii"))


@dataclass
class Budget:
    """Bytes that item evidence may still take."""

    left: int

    def takes(self, block: Block) -> bool:
        """Whether `block` still fits; if so it is counted."""
        fits = len(block.text) <= self.left
        if fits:
            self.left -= len(block.text)
        return fits


def item_blocks(connection: duckdb.DuckDBPyConnection, number: int, suite_id: str, budget: Budget) -> Iterator[Block]:
    """Blocks of the items of one suite, and last `evidence-S`: datasets, configurations, page size and which pages did not fit."""
    for statement in (*_OPENED, *_OPENED_TEXTS):
        connection.execute(statement, [suite_id])
    datasets, configurations = (_distinct(connection, column) for column in ("dataset", "configuration_id"))
    left_out: list[str] = []
    for d, dataset in enumerate(datasets):
        yield Block.of(f"items-{number}-{d}", table(connection, _ITEMS, HEAD, dataset))
        for c, configuration in enumerate(configurations):
            yield Block.of(f"marks-{number}-{d}-{c}", table(connection, _MARKS, dataset, configuration))
    for d, dataset in enumerate(datasets):
        pages = [_pages(f"texts-{number}-{d}", _rows(connection, _TEXTS, dataset))]
        for c, configuration in enumerate(configurations):
            pages.append(_run_pages(connection, f"runs-{number}-{d}-{c}", dataset, configuration))
        for block in (block for source in pages for block in source):
            if budget.takes(block):
                yield block
            else:
                left_out.append(block.name)
    yield Block.of(f"evidence-{number}", {"datasets": datasets, "configurations": configurations, "page": PAGE, "left_out": left_out})


def _distinct(connection: duckdb.DuckDBPyConnection, column: str) -> list[str]:
    return [row[0] for row in connection.execute(f"select distinct {column} from temp.suite_marks order by all").fetchall()]


def _run_pages(connection: duckdb.DuckDBPyConnection, name: str, *key: str) -> Iterator[Block]:
    rewordings: dict[int, list[dict[str, Any]]] = {}
    for row in _rows(connection, _REWORDINGS, *key):
        rewordings.setdefault(row.pop("position"), []).append(row)
    page: dict[int, dict[str, Any]] = {}
    for row in _rows(connection, _RUNS, *key):
        position = row.pop("position")
        if page and position // PAGE != next(iter(page)) // PAGE:
            yield Block.of(f"{name}-{next(iter(page)) // PAGE}", page)
            page = {}
        entry = page.setdefault(position, {"runs": [], "rewordings": rewordings.get(position, [])})
        entry["runs"].append(row)
    if page:
        yield Block.of(f"{name}-{next(iter(page)) // PAGE}", page)


def _pages(name: str, rows: Iterator[dict[str, Any]]) -> Iterator[Block]:
    page: list[dict[str, Any]] = []
    number = 0
    for row in rows:
        page.append(row)
        if len(page) == PAGE:
            yield Block.of(f"{name}-{number}", page)
            page, number = [], number + 1
    if page:
        yield Block.of(f"{name}-{number}", page)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, *parameters: object) -> Iterator[dict[str, Any]]:
    # one result at a time: the next statement on a connection ends the one before
    result = connection.execute(sql, list(parameters))
    columns = [column[0] for column in result.description or ()]
    while rows := result.fetchmany(200):
        for row in rows:
            yield dict(zip(columns, map(plain, row), strict=True))
