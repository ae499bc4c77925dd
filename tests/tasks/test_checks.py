"""Great Expectations before publishing: what is broken is named with table, column, rule, count and keys; nothing is lost."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from schemas.checks import suite_for
from schemas.errors import CheckFailed
from schemas.tables import TABLES
from tasks.checks import check
from warehouse.store import Store


def prompt(name: str, **values: Any) -> dict[str, Any]:
    row = {column.name: None for column in TABLES["prompts"].columns}
    row |= {"prompt_id": name, "item_id": "i", "operator": "original", "template": "bare", "template_digest": "t", "seed": 42, "operator_version": "1"}
    row |= {"status": "applied", "question": "q", "choices": [], "messages": "[]", "recorded_at": datetime.now(UTC)}
    return row | values


@pytest.mark.parametrize(
    ("values", "findings"),
    [
        ({"status": "fine"}, ["prompts.status", "in_set", "1 of 2", "bad"]),
        ({"messages": None}, ["prompts.messages", "not_be_null", "status is applied", "bad"]),
        ({"p_contradiction_forward": 1.5}, ["prompts.p_contradiction_forward", "between", "1 of 2", "bad"]),
        ({"status": "rejected"}, ["prompts.reason", "not_be_null", "status is rejected", "bad"]),
    ],
)
def test_a_broken_rule_is_named_with_table_column_count_and_key(tmp_path: Path, values: dict[str, Any], findings: list[str]) -> None:
    store = Store(tmp_path).open()
    store.write("prompts", [prompt("good"), prompt("bad", **values)])
    with pytest.raises(CheckFailed) as caught:
        check(store)
    for finding in findings:
        assert finding in str(caught.value)
    assert store.scan("prompts").collect().height == 2


def test_a_file_that_failed_is_checked_again_and_one_that_passed_is_not(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    store.write("prompts", [prompt("good")])
    assert check(store) == 1
    assert check(store) == 0
    store.write("prompts", [prompt("bad", status="fine")])
    for _ in range(2):
        with pytest.raises(CheckFailed):
            check(store)


def test_a_missing_column_is_a_finding_and_not_a_traceback(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    asset = store.write("prompts", [prompt("good")])
    whole = pq.read_table(tmp_path / asset.path)
    (tmp_path / asset.path).unlink()
    temporary = tmp_path / "evidence" / "prompts" / "x"
    pq.write_table(whole.drop_columns(["messages"]), temporary)
    temporary.rename(temporary.with_name(hashlib.sha256(temporary.read_bytes()).hexdigest()[:32] + ".parquet"))
    with pytest.raises(CheckFailed, match="messages"):
        check(Store(tmp_path))


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_every_table_has_rules_for_its_rows_columns_and_values(table: Any) -> None:
    kinds = {type(rule).__name__ for rule in suite_for(table).expectations}
    assert {"ExpectTableRowCountToBeBetween", "ExpectTableColumnsToMatchSet", "ExpectColumnValuesToNotBeNull"} <= kinds
    assert table.schema.names() == [column.name for column in table.columns]
