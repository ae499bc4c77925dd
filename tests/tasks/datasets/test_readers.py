"""Rows with their lines, from every format, through what files really hold."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.errors import BadRow, ConfigError
from tasks.datasets.readers import read
from tasks.datasets.rows import Row


def _file(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def _seen(path: Path) -> list[tuple[int, object]]:
    """(line, values or finding) of each row."""
    return [(row.line, dict(row.values) if isinstance(row, Row) else row.finding) for row in read(path)]


def test_a_byte_order_mark_does_not_become_part_of_the_first_key(tmp_path: Path) -> None:
    for name, content in (("a.jsonl", b'\xef\xbb\xbf{"q": "x"}\n'), ("a.json", b'\xef\xbb\xbf[{"q": "x"}]'), ("a.csv", b"\xef\xbb\xbfq\nx\n")):
        assert _seen(_file(tmp_path, name, content))[0][1] == {"q": "x"}


def test_blank_lines_shift_no_line_number(tmp_path: Path) -> None:
    assert _seen(_file(tmp_path, "a.jsonl", '\n{"q": "x"}\n\n  \n{"q": "y"}\n')) == [(2, {"q": "x"}), (5, {"q": "y"})]
    assert _seen(_file(tmp_path, "a.csv", "\nq,a\nx,1\n\ny,2\n")) == [(3, {"q": "x", "a": "1"}), (5, {"q": "y", "a": "2"})]


def test_a_line_separator_inside_a_text_is_no_new_row(tmp_path: Path) -> None:
    assert _seen(_file(tmp_path, "a.jsonl", '{"q": "one\u2028two"}\n{"q": "y"}\n')) == [(1, {"q": "one\u2028two"}), (2, {"q": "y"})]


def test_a_line_that_is_not_utf8_is_found_and_the_next_is_read(tmp_path: Path) -> None:
    rows = _seen(_file(tmp_path, "a.jsonl", b'{"q": "x"}\n{"q": "caf\xe9"}\n{"q": "y"}\n'))
    assert rows[0] == (1, {"q": "x"}) and rows[2] == (3, {"q": "y"})
    assert rows[1] == (2, "not valid UTF-8 (byte 11 of the line)")


def test_a_cell_that_is_not_utf8_is_found_when_it_is_used(tmp_path: Path) -> None:
    (row,) = read(_file(tmp_path, "a.csv", b"q,a\ncaf\xe9,1\n"))
    assert isinstance(row, Row)
    with pytest.raises(BadRow, match="a.csv:2: q: not valid UTF-8"):
        row.text("q")


def test_a_lone_surrogate_is_no_text(tmp_path: Path) -> None:
    (row,) = read(_file(tmp_path, "a.jsonl", '{"q": "\\ud800"}\n'))
    assert isinstance(row, Row)
    with pytest.raises(BadRow, match="q: not valid UTF-8"):
        row.text("q")


@pytest.mark.parametrize("line", ["[1, 2]", '"text"', "17", "null"])
def test_a_line_that_is_no_object_is_a_bad_row(tmp_path: Path, line: str) -> None:
    ((number, finding),) = _seen(_file(tmp_path, "a.jsonl", line))
    assert number == 1 and "must be an object" in str(finding)


def test_a_cut_line_and_a_nest_without_end_are_bad_rows_not_crashes(tmp_path: Path) -> None:
    rows = _seen(_file(tmp_path, "a.jsonl", '{"q": "x"\n' + "[" * 200_000 + '\n{"q": "y"}\n'))
    assert [line for line, _ in rows] == [1, 2, 3]
    assert "not valid JSON" in str(rows[0][1]) and "not valid JSON" in str(rows[1][1]) and rows[2][1] == {"q": "y"}


def test_rows_of_a_json_array_carry_the_line_they_start_on(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.json", '[\n  {\n    "q": "x"\n  },\n\n  {"q": "y"}, {"q": "z"}\n]\n')
    assert _seen(path) == [(2, {"q": "x"}), (6, {"q": "y"}), (6, {"q": "z"})]


@pytest.mark.parametrize(("text", "line"), [('{"data": []}', 1), ('[{"q": 1}\n', 2), ('[{"q": 1}\n{"q": 2}]', 2), ('[{"q": 1}]\n[]', 1), ('[\n{"q": tru}]', 2)])
def test_json_that_is_no_array_or_is_cut_says_where(tmp_path: Path, text: str, line: int) -> None:
    number, finding = _seen(_file(tmp_path, "a.json", text))[-1]
    assert isinstance(finding, str) and number == line


def test_a_ragged_row_is_not_filled_with_none(tmp_path: Path) -> None:
    rows = _seen(_file(tmp_path, "a.csv", "q,a\nx\ny,1,2\nz,3\n"))
    assert rows == [(2, "has 1 columns, the header has 2"), (3, "has 3 columns, the header has 2"), (4, {"q": "z", "a": "3"})]


def test_a_quoted_line_break_counts_lines_but_makes_one_row(tmp_path: Path) -> None:
    assert _seen(_file(tmp_path, "a.csv", 'q,a\n"one\ntwo",1\nx,2\n')) == [(2, {"q": "one\ntwo", "a": "1"}), (4, {"q": "x", "a": "2"})]


def test_an_open_quote_is_an_error_at_its_line_not_one_huge_cell(tmp_path: Path) -> None:
    rows = _seen(_file(tmp_path, "a.csv", 'q,a\nx,1\n"open,2\ny,3\n'))
    assert rows[0] == (2, {"q": "x", "a": "1"})
    assert rows[1][0] == 3 and "quote may be left open" in str(rows[1][1])


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match="a.csv:1: q: two columns have this name"):
        list(read(_file(tmp_path, "a.csv", "q,a,q\n1,2,3\n")))


def test_tabs_part_the_columns_of_a_tsv(tmp_path: Path) -> None:
    assert _seen(_file(tmp_path, "a.tsv", "q\ta\none, two\t1\n")) == [(2, {"q": "one, two", "a": "1"})]


def test_parquet_rows_count_from_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": ["x", "y"], "n": [1, 2]}), tmp_path / "a.parquet")
    assert _seen(tmp_path / "a.parquet") == [(1, {"q": "x", "n": 1}), (2, {"q": "y", "n": 2})]


def test_a_file_that_is_no_parquet_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not a Parquet file"):
        list(read(_file(tmp_path, "a.parquet", b"PAR1 not really")))


@pytest.mark.parametrize("name", ["a.xlsx", "a"])
def test_a_format_nobody_reads_names_those_that_are(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"\.jsonl \.json \.csv \.tsv \.parquet"):
        read(_file(tmp_path, name, "x"))


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        read(tmp_path / "none.jsonl")


TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), min_size=1, max_size=30)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6))
def test_any_text_comes_back_from_every_format_as_it_was(rows: list[tuple[str, str]]) -> None:
    named = [{"q": question, "a": answer} for question, answer in rows]
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        with (base / "a.csv").open("w", newline="", encoding="utf-8") as handle:
            writer = csv.DictWriter(handle, ["q", "a"], quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(named)
        (base / "a.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in named), encoding="utf-8")
        (base / "a.json").write_text(json.dumps(named, indent=1, ensure_ascii=False), encoding="utf-8")
        pq.write_table(pa.Table.from_pylist(named), base / "a.parquet")
        for name in ("a.jsonl", "a.json", "a.parquet"):
            assert [values for _, values in _seen(base / name)] == named
        assert [values for _, values in _seen(base / "a.csv")] == [row for row in named if row["q"].strip() or row["a"].strip()]
