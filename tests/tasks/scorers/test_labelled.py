"""The labelled-file checker: what it counts, what it refuses, what it prints."""

import json

import pytest

from schemas.errors import BadRow, InputError
from tasks.scorers.labelled import check

GOOD = {"id": "a", "answer_type": "number", "gold": "42", "response": "The answer is 42.", "correct": True, "status": "scored", "value": "42"}


def written(tmp_path, *rows):
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_agreement_is_counted_per_answer_type(tmp_path):
    wrong = GOOD | {"id": "b", "correct": False}
    boolean = {"id": "c", "answer_type": "boolean", "gold": "no", "response": "No.", "correct": True}
    found = check(written(tmp_path, GOOD, wrong, boolean))
    assert (found.rows, found.agreed) == ({"number": 2, "boolean": 1}, {"number": 1, "boolean": 1})
    assert [(miss.id, miss.differs, miss.extracted, miss.strategy) for miss in found.misses] == [("b", ("correct",), "42", "answer_cue")]
    assert found.share == pytest.approx(2 / 3)


@pytest.mark.parametrize(("field", "value"), [("status", "unparsed"), ("value", "43"), ("value", None)])
def test_status_and_value_count_where_the_label_gives_them(tmp_path, field, value):
    assert check(written(tmp_path, GOOD | {field: value})).misses[0].differs == (field,)


def test_a_null_response_is_an_empty_one_not_the_text_none(tmp_path):
    row = GOOD | {"response": None, "correct": False, "status": "empty", "value": None, "finish_reason": "length"}
    assert check(written(tmp_path, row)).misses == ()


def test_blank_lines_and_a_byte_order_mark_are_skipped(tmp_path):
    assert check(written(tmp_path, "\ufeff" + json.dumps(GOOD), "", json.dumps(GOOD | {"id": "b"}))).rows == {"number": 2}


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ("{not json", "no JSON"),
        ("[1, 2]", "no JSON object"),
        ({"id": "a"}, "'answer_type' is missing"),
        (GOOD | {"answer_type": "integer"}, "'integer' is none of number, choice, boolean, text"),
        (GOOD | {"correct": "yes"}, "'correct' must be true or false"),
        (GOOD | {"response": 5}, "'response' is no text"),
        (GOOD | {"choices": "ABCD"}, "'choices' must be a list"),
        (GOOD | {"choices": ["x"] * 27}, "'choices' must be a list"),
        (GOOD | {"finish_reason": 3}, "'finish_reason' must be a text"),
        (GOOD | {"status": "fine"}, "'fine' is none of scored"),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path, row, finding):
    path = written(tmp_path, GOOD, row)
    with pytest.raises(BadRow, match=finding) as error:
        check(path)
    assert (error.value.file, error.value.line, error.value.exit_code) == (str(path), 2, 2)


def test_an_empty_file_and_a_missing_one_are_input_errors(tmp_path):
    with pytest.raises(InputError, match="no labelled answers"):
        check(written(tmp_path, ""))
    with pytest.raises(InputError, match="No such file"):
        check(tmp_path / "absent.jsonl")


def test_a_repeated_id_is_named_with_both_lines_whatever_its_row_says(tmp_path):
    path = written(tmp_path, GOOD, GOOD | {"id": "b"}, GOOD | {"response": "43"})
    with pytest.raises(BadRow, match="id 'a' is the id of line 1 too") as error:
        check(path)
    assert error.value.line == 3
    with pytest.raises(BadRow, match="id '7' is the id of line 1 too"):
        check(written(tmp_path, GOOD | {"id": 7}, GOOD | {"id": "7"}))
