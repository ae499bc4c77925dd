"""`sextant datasets` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from flows.cli.datasets import command
from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, UnknownName
from tasks.datasets import DATASETS, load


def _run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(arguments))


def test_every_registered_dataset_is_listed_with_count_licence_and_source() -> None:
    rows = [json.loads(line) for line in _run("--format", "jsonl").stdout.splitlines()]
    assert {row["dataset"] for row in rows} == set(DATASETS)
    for row in rows:
        assert row["items"] > 0 and row["licence"] and row["source"] and row["read_from"]
    table = _run().stdout
    assert all(name in table for name in DATASETS)


def test_items_shown_are_those_a_run_would_draw() -> None:
    shown = [json.loads(line) for line in _run("synthetic", "--limit", "7", "--format", "jsonl").stdout.splitlines()]
    assert [row["item_id"] for row in shown] == [item.item_id for item in load(Dataset(name="synthetic", limit=7), Path(), 42).items]


def test_brackets_in_a_question_are_shown_not_taken_for_markup(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(json.dumps({"question": "What is [bold]2[/bold] in [x]?", "answer": 2}))
    assert "[bold]2[/bold]" in _run("mine", "--path", str(tmp_path / "mine.jsonl")).stdout


def test_a_field_map_and_rows_set_aside_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("Body,Ask,Key\nTom has 2.,How many?,2\nAna has 3.,How many?,\n")
    arguments = ["mine", "--path", str(path), "--field", "question=Body,Ask", "--field", "answer=Key"]
    assert isinstance(_run(*arguments).exception, BadRow)
    shown = _run(*arguments, "--skip-bad-rows").stdout
    assert "Tom has 2. How many?" in shown and "1 rows set aside" in shown and "mine.csv:3: Key: empty" in shown.replace("\n", "")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["synthetc"], UnknownName),
        (["synthetic", "--format", "xml"], ConfigError),
        (["--format", "xml"], ConfigError),
        (["x", "--path", "x", "--field", "q"], ConfigError),
    ],
)
def test_wrong_use_is_an_input_error(arguments: list[str], error: type[Exception]) -> None:
    assert isinstance(_run(*arguments).exception, error)
