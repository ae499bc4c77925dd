"""`sextant check-answers` as users run it: a process, its output and its exit code."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests/tasks/scorers/answers.jsonl"


def sextant(*words):
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", "check-answers", *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_shipped_cases_agree(tmp_path):
    done = sextant(CASES, "--min", "1")
    assert done.returncode == 0, done.stdout
    assert "all          85 of     85   100.00%" in done.stdout
    assert "miss" not in done.stdout


def test_below_the_minimum_the_exit_code_is_1_and_each_miss_is_shown(tmp_path):
    path = tmp_path / "cases.jsonl"
    row = {"id": "x\x1b[2J", "answer_type": "number", "gold": "7", "response": "line one\nThe answer is 8.", "correct": True}
    path.write_text(json.dumps(row))
    done = sextant(path)
    assert done.returncode == 1
    assert "miss x\\x1b[2J [number] gold='7': expected correct=True, got correct=False" in done.stdout
    assert "extracted='8' strategy=answer_cue response: line one\\nThe answer is 8." in done.stdout
    assert sextant(path, "--min", "0").returncode == 0


def test_a_bad_row_is_one_line_with_file_and_line_and_exit_code_2(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("{}\n")
    done = sextant(path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"sextant: {path}:1: field 'id' is missing\n"


def test_the_command_loads_none_of_the_heavy_libraries():
    heavy = {"torch", "transformers", "prefect", "duckdb", "polars", "spacy", "pandas"}
    code = f"import sys, tasks.scorers.labelled; print(sorted(set({sorted(heavy)!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
