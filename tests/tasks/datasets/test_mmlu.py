"""MMLU from the real files, from the hub's layout and from the authors' own CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.config import Dataset
from schemas.errors import BadRow, Unavailable, UnknownName
from tasks.datasets import DATASETS, load
from tasks.datasets.mmlu import SUBJECTS
from tests.hub_server import HubServer


def _hub_files(folder: Path, count: int) -> dict[str, bytes]:
    """The first rows of each subject's CSV in the hub's layout."""
    files = {}
    for subject in SUBJECTS:
        with (folder / "mmlu" / "test" / f"{subject}_test.csv").open(newline="") as handle:
            rows = [row for _, row in zip(range(count), csv.DictReader(handle), strict=False)]
        listed = [
            {"question": row["question"], "subject": subject, "choices": [row[f"choice{n}"] for n in range(4)], "answer": int(row["answer"])} for row in rows
        ]
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(listed), sink)
        files[f"{subject}/test-00000-of-00001.parquet"] = sink.getvalue()
    return files


def test_the_nine_subjects_are_read_whole(shared_data: Path) -> None:
    loaded = load(Dataset(name="mmlu", path=str(shared_data / "mmlu")), Path(), 42)
    assert len(loaded.items) == 1899 == DATASETS["mmlu"].size
    assert {item.subject for item in loaded.items} == set(SUBJECTS)
    first = {item.source_id: item for item in loaded.items}["abstract_algebra-0"]
    assert first.choices == ("0", "4", "2", "6") and first.gold == "B"


def test_225_items_are_nine_times_25_whatever_the_subjects_sizes(shared_data: Path) -> None:
    loaded = load(Dataset(name="mmlu", path=str(shared_data / "mmlu"), limit=225), Path(), 42)
    assert Counter(item.subject for item in loaded.items) == dict.fromkeys(SUBJECTS, 25)


def test_hub_and_files_give_the_same_items(shared_data: Path, hub: HubServer) -> None:
    pinned = str(DATASETS["mmlu"].revision)
    hub.add("dataset", "cais/mmlu", pinned, {**_hub_files(shared_data, 12), "anatomy/test-00000-of-00001.parquet": b"not wanted"})
    from_hub = load(Dataset(name="mmlu"), Path(), 42)
    whole = {item.item_id for item in load(Dataset(name="mmlu", path=str(shared_data / "mmlu")), Path(), 42).items}
    assert len(from_hub.items) == 9 * 12 and {item.item_id for item in from_hub.items} <= whole
    assert from_hub.version == pinned
    assert not any("anatomy" in request for request in hub.requests)


def test_a_subject_the_hub_lacks_is_named(shared_data: Path, hub: HubServer) -> None:
    hub.add("dataset", "cais/mmlu", str(DATASETS["mmlu"].revision), _hub_files(shared_data, 1))
    with pytest.raises(Unavailable, match="no test file of anatomy; check `subjects`"):
        load(Dataset(name="mmlu", subjects=("philosophy", "anatomy")), Path(), 42)


def test_subjects_narrow_a_folder_and_a_typo_gets_the_nearest(shared_data: Path) -> None:
    loaded = load(Dataset(name="mmlu", path=str(shared_data / "mmlu"), subjects=("philosophy",)), Path(), 42)
    assert {item.subject for item in loaded.items} == {"philosophy"} and len(loaded.items) == 311
    with pytest.raises(UnknownName, match="did you mean 'philosophy'"):
        load(Dataset(name="mmlu", path=str(shared_data / "mmlu"), subjects=("philosofy",)), Path(), 42)


def test_one_file_keeps_its_subject_and_ids(shared_data: Path) -> None:
    alone = load(Dataset(name="mmlu", path=str(shared_data / "mmlu/test/formal_logic_test.csv")), Path(), 42)
    among = load(Dataset(name="mmlu", path=str(shared_data / "mmlu/test")), Path(), 42)
    assert {item.item_id for item in alone.items} == {item.item_id for item in among.items if item.subject == "formal_logic"}


def test_the_authors_csv_without_header_loses_no_first_row(tmp_path: Path) -> None:
    (tmp_path / "philosophy_test.csv").write_text('"Who?",Kant,Hume,Plato,Marx,C\nWhere?,Rome,Bonn,Jena,Ulm,A\n')
    loaded = load(Dataset(name="mmlu", path=str(tmp_path)), Path(), 42)
    assert {(item.question, item.gold, item.subject) for item in loaded.items} == {("Who?", "C", "philosophy"), ("Where?", "A", "philosophy")}


def test_options_that_are_digits_do_not_turn_positions_into_texts(tmp_path: Path) -> None:
    (tmp_path / "x_test.csv").write_text("question,choice0,choice1,choice2,choice3,answer\nq,3,2,1,0,1\n")
    assert load(Dataset(name="mmlu", path="x_test.csv"), tmp_path, 42).items[0].gold == "B"


@pytest.mark.parametrize(
    ("answer", "finding"), [("4", "answer: option 4 is out of range"), ("E", "answer: option letter E is out of range"), ("", "answer: empty")]
)
def test_an_answer_out_of_range_is_a_bad_row(tmp_path: Path, answer: str, finding: str) -> None:
    (tmp_path / "x_test.csv").write_text(f"question,choice0,choice1,choice2,choice3,answer\nq,a,b,c,d,{answer}\n")
    with pytest.raises(BadRow, match=f"x_test.csv:2: {finding}"):
        load(Dataset(name="mmlu", path="x_test.csv"), tmp_path, 42)


def test_a_row_of_three_options_is_a_bad_row(tmp_path: Path) -> None:
    table = pa.table({"question": ["q"], "choices": [["a", "b", "c"]], "answer": [0]})
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(BadRow, match="choices: must be a list of four texts"):
        load(Dataset(name="mmlu", path="x.parquet"), tmp_path, 42)
