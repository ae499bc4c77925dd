"""A user's own rewordings in a file of their own: what is taken, and each kind of bad row with file, line and key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from flows.cli.perturb import command
from schemas.config import Dataset
from schemas.errors import BadRow, UnknownName
from schemas.records import Item
from tasks.datasets import Loaded, load

QUESTION = "Anna buys {n} apples and 3 pears at the market. How many pieces of fruit does Anna have?"
GOOD = QUESTION.replace("buys", "purchases")


def loaded(folder: Path, *rows: object, raw: bytes | None = None, **keys: Any) -> Loaded:
    items = [{"id": f"q{n}", "question": QUESTION.format(n=n), "answer": n + 3} for n in range(4, 8)]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, items)))
    (folder / "mine.jsonl").write_bytes(raw if raw is not None else "\n".join(map(json.dumps, rows)).encode())
    return load(Dataset(name="mine", path="rows.jsonl", perturbations="mine.jsonl", **keys), folder, 42)


def item_of(found: Loaded, source: str) -> Item:
    return next(item for item in found.items if item.source_id == source)


def test_rows_by_either_id_join_their_items_and_leave_the_ids_as_they_were(tmp_path: Path) -> None:
    bare = item_of(loaded(tmp_path), "q4")
    own = loaded(tmp_path, {"item_id": bare.item_id, "operator": "formal", "question": GOOD}, {"source_id": "q5", "operator": "synonym", "question": "x"})
    assert item_of(own, "q4").perturbations == (("formal", GOOD),) and item_of(own, "q5").perturbations == (("synonym", "x"),)
    assert item_of(own, "q4").item_id == bare.item_id and not item_of(own, "q6").perturbations


def test_a_row_for_an_item_that_the_limit_leaves_out_is_no_mistake(tmp_path: Path) -> None:
    rows = [{"source_id": f"q{n}", "operator": "formal", "question": "x"} for n in range(4, 8)]
    assert [len(item.perturbations) for item in loaded(tmp_path, *rows, limit=2).items] == [1, 1]


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ({"item_id": "feed", "operator": "formal", "question": "x"}, r"item_id: 'feed' is no item of this dataset"),
        ({"source_id": "q44", "operator": "formal", "question": "x"}, r"source_id: 'q44' is no item"),
        ({"operator": "formal", "question": "x"}, r"source_id: missing; the row has operator, question"),
        ({"source_id": ["q4"], "operator": "formal", "question": "x"}, r"source_id: is a list, must be text"),
        ({"source_id": "q4", "question": "x"}, r"operator: missing"),
        ({"source_id": "q4", "operator": 7, "question": "x"}, r"operator: is a number, must be text"),
        ({"source_id": "q4", "operator": "original", "question": "x"}, r"operator: 'original' is a name of ours"),
        ({"source_id": "q4", "operator": "formal", "question": " "}, r"question: empty"),
        ({"source_id": "q4", "operator": "formal", "question": None}, r"question: is null, must be text"),
        ({"source_id": "q4", "operator": "formal", "question": {"text": "x"}}, r"question: is an object, must be text"),
        ({"source_id": "q5", "operator": "formal", "question": "y"}, r"operator: 'formal' is given twice for this item, first on line 1"),
        ({"source_id": "q4", "operator": "formal", "question": "x", "choices": ["a"]}, r"choices: differ from the item's"),
        (["q4", "formal", "x"], r"is a list, must be an object"),
    ],
)
def test_a_mistake_is_named_with_file_and_line_or_set_aside_and_counted(tmp_path: Path, row: object, finding: str) -> None:
    first = {"source_id": "q5", "operator": "formal", "question": GOOD}
    with pytest.raises(BadRow, match=rf"mine\.jsonl:2: {finding}"):
        loaded(tmp_path, first, row)
    kept = loaded(tmp_path, first, row, on_bad_row="skip")
    assert len(kept.skipped) == 1 and item_of(kept, "q5").perturbations == (("formal", GOOD),)


def test_bytes_that_are_no_utf_8_are_named_by_line(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match=r"mine\.jsonl:2: not valid UTF-8 \(byte 15"):
        loaded(tmp_path, raw=b'{"source_id": "q4", "operator": "formal", "question": "x"}\n{"source_id":"\xff"}\n')


def test_what_perturb_prints_can_be_mended_by_hand_and_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loaded(tmp_path)
    app, shown = typer.Typer(), ["mine", "--path", "rows.jsonl", "--format", "jsonl"]
    app.command()(command)
    printed = CliRunner().invoke(app, [*shown, "--operators", "synonym,contractions"]).stdout
    rows = [json.loads(line) for line in printed.splitlines()]
    assert {row["status"] for row in rows} == {"applied", "unavailable"}
    for row in rows:
        if row["operator"] == "synonym":
            row["question"] = GOOD.format(n=row["source_id"][1:])
    rows[0]["question"] = QUESTION.format(n=rows[0]["source_id"][1:])
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    again = CliRunner().invoke(app, [*shown, "--operators", "synonym", "--perturbations", "mine.jsonl"]).stdout
    judged = {row["source_id"]: row for row in map(json.loads, again.splitlines())}
    spoiled = judged.pop(rows[0]["source_id"])
    assert spoiled["status"] == "rejected" and spoiled["reason"].startswith("unchanged")
    assert all(row["question"] == GOOD.format(n=source[1:]) for source, row in judged.items())


def test_an_operator_of_the_users_own_can_be_asked_for_by_name_and_a_misspelt_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loaded(tmp_path, {"source_id": "q5", "operator": "formal", "question": GOOD.format(n=5)})
    app, shown = typer.Typer(), ["mine", "--path", "rows.jsonl", "--format", "jsonl", "--perturbations", "mine.jsonl", "--operators"]
    app.command()(command)
    rows = [json.loads(line) for line in CliRunner().invoke(app, [*shown, "synonym,formal"]).stdout.splitlines()]
    assert {row["source_id"] for row in rows if row["operator"] == "formal"} == {"q5"}
    assert len({row["source_id"] for row in rows if row["operator"] == "synonym"}) > 1
    with pytest.raises(UnknownName, match="formel.*formal"):
        CliRunner().invoke(app, [*shown, "formel"], catch_exceptions=False)
