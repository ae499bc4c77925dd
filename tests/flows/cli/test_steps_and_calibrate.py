"""`sextant steps` and `sextant calibrate` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from flows.cli import calibrate, steps
from schemas.errors import InputError, Unavailable

app = typer.Typer()
app.command("steps")(steps.command)
app.command("calibrate")(calibrate.command)
RUNNER = CliRunner()


def test_steps_prints_clean_json_lines(tmp_path: Path) -> None:
    (tmp_path / "trace.txt").write_text("Step 1: 5 + 3 = 8.\nStep 2: 8 + 2 = 11.", encoding="utf-8")
    result = RUNNER.invoke(app, ["steps", str(tmp_path / "trace.txt"), "--judge", "none", "--format", "jsonl"], catch_exceptions=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["step"] for row in rows] == ["Step 1: 5 + 3 = 8.", "Step 2: 8 + 2 = 11."]
    assert [row["equations"][0]["verdict"] for row in rows] == ["true", "false"]


def test_steps_reads_standard_input() -> None:
    result = RUNNER.invoke(app, ["steps", "-", "--judge", "none"], input="One. Two.", catch_exceptions=False)
    assert "  1  One." in result.stdout
    assert "  2  Two." in result.stdout


def test_a_blank_or_missing_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n", encoding="utf-8")
    with pytest.raises(InputError, match="blank"):
        RUNNER.invoke(app, ["steps", str(tmp_path / "blank.txt"), "--judge", "none"], catch_exceptions=False)
    with pytest.raises(InputError, match="cannot read"):
        RUNNER.invoke(app, ["steps", str(tmp_path / "none.txt"), "--judge", "none"], catch_exceptions=False)


def test_a_judge_that_cannot_be_had_stops_the_command(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no folder"):
        RUNNER.invoke(app, ["calibrate", "--judge", str(tmp_path / "none")], catch_exceptions=False)


@pytest.mark.models
def test_steps_shows_label_and_probabilities_of_each_pair(tmp_path: Path) -> None:
    (tmp_path / "trace.txt").write_text("A man is playing a guitar on stage. Nobody is playing an instrument.", encoding="utf-8")
    result = RUNNER.invoke(app, ["steps", str(tmp_path / "trace.txt"), "--format", "jsonl"], catch_exceptions=False)
    second = json.loads(result.stdout.splitlines()[1])
    assert second["label"] == "contradiction"
    assert second["p_entailment"] + second["p_neutral"] + second["p_contradiction"] == pytest.approx(1)
