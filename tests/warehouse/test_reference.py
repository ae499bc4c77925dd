"""Every relation and every column says what it is, and the reference page is not stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.errors import UnknownName
from warehouse.reference import described, markdown, text

PAGE = Path(__file__).parents[2] / "docs" / "references" / "relations.md"


def test_every_column_has_a_unit_and_a_meaning() -> None:
    bare = [f"{d.relation.full_name}.{name}" for d in described() for name, _, unit, words in d.columns if not unit or not words]
    assert not bare, f"describe these in the comment block of their SQL file or in sql/columns.csv: {bare}"


def test_no_documented_column_is_gone() -> None:
    gone = [f"{d.relation.full_name}.{name}" for d in described() for name, _, _ in d.relation.documented if name not in {column[0] for column in d.columns}]
    assert not gone, f"documented but not there: {gone}"


def test_reference_page_is_what_the_sql_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run `make docs`"


def test_schema_finds_a_mart_without_its_prefix_and_names_the_nearest_of_a_typo() -> None:
    assert text("dimension_scores").startswith("marts.dimension_scores")
    with pytest.raises(UnknownName, match=r"did you mean 'marts\.rankings'"):
        text("marts.rankngs")
