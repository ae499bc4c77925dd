"""A user's own rows: what is accepted, and each kind of bad row with file, line and key."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, UnknownName
from schemas.records import Item
from tasks.datasets import Loaded, load


def _load(path: Path, **keys: Any) -> Loaded:
    return load(Dataset(name="mine", path=path.name, **keys), path.parent, 42)


def _jsonl(folder: Path, *rows: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def _csv(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text)
    return path


def _by_question(loaded: Loaded) -> dict[str, Item]:
    return {item.question: item for item in loaded.items}


def test_svamp_is_read_by_a_field_map_alone(shared_data: Path) -> None:
    fields: dict[str, str | list[str]] = {"question": ["Body", "Question"], "answer": "Answer", "source_id": "ID", "subject": "Type"}
    loaded = load(Dataset(name="svamp", path=str(shared_data / "svamp" / "SVAMP.json"), fields=fields), Path(), 42)
    first = {item.source_id: item for item in loaded.items}["chal-1"]
    assert len(loaded.items) == 1000 and loaded.skipped == []
    assert first.question.endswith("on each pack, how much do you have to pay to buy each pack?")
    assert (first.gold, first.answer_type, first.subject) == ("51", "number", "Subtraction")


def test_each_answer_type_is_read_off_the_file(tmp_path: Path) -> None:
    for answers, kind, golds in (
        ([1, 2.5], "number", ["1", "2.5"]),
        (["1,200", "$3.50"], "number", ["1200", "3.50"]),
        ([True, False], "boolean", ["yes", "no"]),
        (["Yes", "no"], "boolean", ["yes", "no"]),
        (["Paris", "New York"], "text", ["Paris", "New York"]),
    ):
        loaded = _load(_jsonl(tmp_path, *({"question": f"q{n}", "answer": answer} for n, answer in enumerate(answers))))
        items = _by_question(loaded)
        assert {item.answer_type for item in loaded.items} == {kind}
        assert [items[f"q{n}"].gold for n in range(len(answers))] == golds


def test_a_stated_type_overrules_the_look_of_a_value(tmp_path: Path) -> None:
    loaded = _load(_jsonl(tmp_path, {"question": "Which number stands on the door?", "answer": "42"}), answer_type="text")
    assert (loaded.items[0].answer_type, loaded.items[0].gold) == ("text", "42")


def test_mixed_types_name_the_line_and_the_remedy(tmp_path: Path) -> None:
    rows = [{"question": "a", "answer": 1}, {"question": "b", "answer": 2}, {"question": "c", "answer": "Paris"}]
    with pytest.raises(BadRow, match=r"rows.jsonl:3: answer: 'Paris' looks like text, most others like number; state `answer_type`"):
        _load(_jsonl(tmp_path, *rows))


def test_types_may_be_mixed_where_each_row_says_its_own(tmp_path: Path) -> None:
    rows = [{"question": "a", "answer": 1, "answer_type": "number"}, {"question": "b", "answer": "Paris", "answer_type": "text"}]
    assert {item.answer_type for item in _load(_jsonl(tmp_path, *rows)).items} == {"number", "text"}


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ({"question": "q", "answer": ""}, "answer: empty"),
        ({"question": "q", "answer": "   "}, "answer: empty"),
        ({"question": "q", "answer": None}, "answer: empty"),
        ({"question": "q"}, "answer: missing"),
        ({"question": " ", "answer": 1}, "question: empty"),
        ({"question": 7, "answer": 1}, "question: is a number, must be text"),
        ({"question": "q", "answer": math.nan}, "answer: 'nan' is not a number"),
        ({"question": "q", "answer": math.inf}, "answer: 'inf' is not a number"),
        ({"question": "q", "answer": [1]}, "answer: '\\[1\\]' looks like text"),
        ({"question": "q", "answer": "F", "choices": ["x", "y", "z", "w"]}, "answer: option letter F is out of range; 4 choices, A-D"),
        ({"question": "q", "answer": 4, "choices": ["x", "y", "z", "w"]}, "answer: option 4 is out of range; positions count from 0"),
        ({"question": "q", "answer": -1, "choices": ["x", "y"]}, "answer: option -1 is out of range"),
        ({"question": "q", "answer": "v", "choices": ["x1", "y1"]}, "answer: option letter v is out of range"),
        ({"question": "q", "answer": "A", "choices": ["x"]}, "choices: must be a list of 2 to 26"),
        ({"question": "q", "answer": "A", "choices": "x, y"}, "choices: must be a JSON list"),
        ({"question": "q", "answer": "A", "choices": ["x", ""]}, "choices: empty"),
        ({"question": "q", "answer": "A", "choices": ["x", "y", "x"]}, "choices: options A and C are the same text"),
        ({"question": "q", "answer": "A", "choices": ["x", math.nan]}, "choices: is NaN, must be text"),
        ({"question": "q", "answer": 1, "answer_type": "letter"}, "answer_type: 'letter' is none of"),
        ({"question": "q", "answer": "A", "answer_type": "choice"}, "choices: missing"),
        ({"question": "q", "answer": 1, "perturbations": 5}, "perturbations: must be a list"),
        ({"question": "q", "answer": 1, "perturbations": [""]}, "perturbations: empty"),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_key_or_set_aside(tmp_path: Path, row: dict[str, object], finding: str) -> None:
    good = [{"question": f"good {n}", "answer": n} for n in range(2)]
    path = _jsonl(tmp_path, good[0], row, good[1])
    with pytest.raises(BadRow, match=f"rows.jsonl:2: {finding}"):
        _load(path)
    kept = _load(path, on_bad_row="skip")
    assert {item.question for item in kept.items} == {"good 0", "good 1"}
    assert [(error.line, error.file) for error in kept.skipped] == [(2, str(path))]


def test_a_row_set_aside_moves_no_other_id(tmp_path: Path) -> None:
    rows: list[object] = [{"question": f"q{n}", "answer": n} for n in range(3)]
    whole = _by_question(_load(_jsonl(tmp_path, *rows)))
    rows[1] = {"question": "q1", "answer": ""}
    part = _by_question(_load(_jsonl(tmp_path, *rows), on_bad_row="skip"))
    assert part["q2"].item_id == whole["q2"].item_id


def test_duplicate_ids_name_both_lines(tmp_path: Path) -> None:
    path = _csv(tmp_path, "id,question,answer\n7,a,1\n8,b,2\n7,c,3\n")
    with pytest.raises(BadRow, match=r"rows.csv:4: source_id: '7' is already the id of line 2"):
        _load(path)
    assert len(_load(path, on_bad_row="skip").items) == 2


def test_equal_rows_without_ids_are_one_item_twice_and_the_place_is_named(tmp_path: Path) -> None:
    path = _csv(tmp_path, "question,answer\na,1\nb,1\na,1\na,2\n")
    with pytest.raises(BadRow, match=r"rows.csv:4: the same question, options and answer as line 2"):
        _load(path)
    kept = _load(path, on_bad_row="skip")
    assert len(kept.items) == 3 and [error.line for error in kept.skipped] == [4]


def test_equal_rows_with_ids_of_their_own_are_two_items(tmp_path: Path) -> None:
    loaded = _load(_csv(tmp_path, "id,question,answer\nx,a,1\ny,a,1\n"))
    assert len({item.item_id for item in loaded.items}) == 2


def test_when_every_row_is_bad_the_run_stops_and_shows_the_first(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no usable row; every row was set aside, the first: .*rows.csv:2: answer: empty"):
        _load(_csv(tmp_path, "question,answer\na,\nb,\n"), on_bad_row="skip")


def test_options_are_named_by_letter_position_or_text(tmp_path: Path) -> None:
    options = ["red", "green", "blue"]
    for answers in (["B", "(c)"], [1, 2], ["1", "2"], [1.0, 2.0], ["green", "blue"]):
        loaded = _by_question(_load(_jsonl(tmp_path, *({"question": f"q{n}", "answer": a, "choices": options} for n, a in enumerate(answers)))))
        assert (loaded["q0"].gold, loaded["q1"].gold) == ("B", "C")
        assert loaded["q0"].choices == tuple(options) and loaded["q0"].answer_type == "choice"


def test_positions_of_a_file_are_not_taken_for_texts_where_options_are_digits(tmp_path: Path) -> None:
    rows = [
        {"question": "q0", "answer": 1, "choices": ["1", "2", "3", "4"]},
        {"question": "q1", "answer": 2, "choices": ["x", "y", "z", "w"]},
    ]
    items = _by_question(_load(_jsonl(tmp_path, *rows)))
    assert (items["q0"].gold, items["q1"].gold) == ("B", "C")


def test_an_answer_of_two_readings_is_refused_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match="1 by position and another option by its text; give letters"):
        _load(_jsonl(tmp_path, {"question": "q", "answer": 1, "choices": ["1", "2", "3"]}))


def test_options_may_stand_in_columns_of_their_own(tmp_path: Path) -> None:
    path = _csv(tmp_path, 'stem,a,b,c,key\n"Which?",1,2,3,B\n"Why?",4,5,6,A\n')
    loaded = _load(path, fields={"question": "stem", "answer": "key", "choices": ["a", "b", "c"]})
    assert _by_question(loaded)["Which?"].choices == ("1", "2", "3")
    assert _by_question(loaded)["Which?"].gold == "B"


def test_options_may_stand_as_json_in_one_cell(tmp_path: Path) -> None:
    loaded = _load(_csv(tmp_path, 'question,choices,answer\nq,"[""red"", ""blue""]",B\n'))
    assert loaded.items[0].choices == ("red", "blue")


def test_the_users_rewordings_come_in_three_forms(tmp_path: Path) -> None:
    for given, expected in (
        ({"synonym": "q?"}, (("synonym", "q?"),)),
        ([{"operator": "reorder", "question": "r?"}], (("reorder", "r?"),)),
        (["s?", "t?"], (("own1", "s?"), ("own2", "t?"))),
        (None, ()),
    ):
        assert _load(_jsonl(tmp_path, {"question": "q", "answer": 1, "perturbations": given})).items[0].perturbations == expected


@pytest.mark.parametrize(
    ("given", "finding"),
    [
        ([{"operator": "formal", "text": "r?"}], "entry 1 has operator, text; it needs operator and question"),
        (["s?", {"question": "r?"}], "entry 2 has question; it needs operator and question"),
        ({"original": "r?"}, "'original' is a name of ours"),
        ({"formal": ""}, "empty"),
        ({"formal": 7}, "is a number, must be text"),
        ([["formal", "r?"]], "is a list, must be text"),
        ("formal: r?", "must be a JSON list"),
        ([{"operator": "formal", "question": "r?"}, {"operator": "formal", "question": "t?"}], "an operator is named twice"),
    ],
)
def test_a_mistake_among_the_users_rewordings_is_named_with_file_and_line(tmp_path: Path, given: object, finding: str) -> None:
    path = _jsonl(tmp_path, {"question": "p", "answer": 1}, {"question": "q", "answer": 1, "perturbations": given})
    with pytest.raises(BadRow, match=rf"rows\.jsonl:2: perturbations: .*{finding}"):
        _load(path)


def test_parquet_columns_filled_with_nan_are_empty_not_a_subject_called_nan(tmp_path: Path) -> None:
    table = pa.table({"question": ["a", "b"], "answer": [1, 2], "subject": pa.array([math.nan, math.nan], pa.float64())})
    pq.write_table(table, tmp_path / "rows.parquet")
    assert {item.subject for item in _load(tmp_path / "rows.parquet").items} == {None}


def test_a_mapped_column_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    path = _csv(tmp_path, "stem,answer\nq,1\n")
    with pytest.raises(ConfigError, match=r"fields.question names column 'body'; rows.csv has answer, stem"):
        _load(path, fields={"question": "body"})
    with pytest.raises(ConfigError, match="has no column 'question'.*map it with `fields`"):
        _load(path)


def test_a_key_of_the_map_that_is_none_of_ours_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'question'"):
        _load(_csv(tmp_path, "q,answer\nq,1\n"), fields={"qestion": "q"})


def test_a_number_gold_keeps_the_decimals_it_was_written_with(tmp_path: Path) -> None:
    loaded = _by_question(_load(_csv(tmp_path, "question,answer\na,0.50\nb,3/4\nc,-7\nd,2.0\n")))
    assert [loaded[name].gold for name in "abcd"] == ["0.50", "3/4", "-7", "2"]


def test_ids_do_not_depend_on_seed_limit_or_place(tmp_path: Path) -> None:
    rows = [{"question": f"q{n}", "answer": n} for n in range(20)]
    path = _jsonl(tmp_path, *rows)
    (tmp_path / "elsewhere").mkdir()
    other = _jsonl(tmp_path / "elsewhere", *rows)
    whole = {item.question: item.item_id for item in _load(path).items}
    drawn = load(Dataset(name="mine", path=str(other), limit=5), Path(), 7)
    assert len(drawn.items) == 5 and all(whole[item.question] == item.item_id for item in drawn.items)
    assert drawn.version == _load(path).version


def test_a_changed_question_option_or_gold_is_another_item(tmp_path: Path) -> None:
    row = {"id": "7", "question": "q", "choices": ["x", "y"], "answer": "A"}
    changed = [row, {**row, "question": "r"}, {**row, "choices": ["x", "z"]}, {**row, "answer": "B"}, {**row, "id": "8"}]
    assert len({_load(_jsonl(tmp_path, each)).items[0].item_id for each in changed}) == 5


def test_a_registered_name_with_a_map_reads_the_users_file(tmp_path: Path) -> None:
    path = _csv(tmp_path, "stem,key\nq,1\n")
    loaded = load(Dataset(name="gsm8k", path=str(path), fields={"question": "stem", "answer": "key"}), Path(), 42)
    assert loaded.items[0].dataset == "gsm8k" and loaded.items[0].gold == "1"


def test_an_unknown_name_without_a_path_gets_the_nearest_known() -> None:
    with pytest.raises(UnknownName, match="unknown dataset 'gsm8'; did you mean 'gsm8k'"):
        load(Dataset(name="gsm8"), Path(), 42)


def test_a_folder_is_no_file_of_rows(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder; name the file"):
        load(Dataset(name="mine", path=str(tmp_path)), Path(), 42)
