"""No command lets model text or a file's text talk to the terminal: one hostile string through each of them, as processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warehouse.rows import fill
from warehouse.build import publish
from warehouse.store import Store

ROOT = Path(__file__).parents[3]
EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u200b"
TEXT = f"Tom has 3 pens{EVIL} and buys 4. How many pens does he have?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "mine.jsonl").write_text(json.dumps({"question": TEXT, "answer": "7"}), encoding="utf-8")
    (folder / "bad.jsonl").write_text(json.dumps({"question": TEXT, "answer": ""}), encoding="utf-8")
    (folder / "trace.txt").write_text(f"Step 1: 3 + 4 = 7{EVIL}.\nStep 2: so{EVIL} 8.", encoding="utf-8")
    labelled = {"id": f"x{EVIL}", "answer_type": "text", "gold": f"g{EVIL}", "response": f"The answer is h{EVIL}.", "correct": True}
    (folder / "labelled.jsonl").write_text(json.dumps(labelled), encoding="utf-8")
    (folder / "twice.jsonl").write_text(json.dumps(labelled) + "\n" + json.dumps(labelled), encoding="utf-8")
    (folder / "run.yaml").write_text(f"name: {json.dumps(EVIL)}\nsurprise: {json.dumps(EVIL)}\n", encoding="utf-8")
    store = Store(folder / "store").open()
    store.write("items", fill("items", [{"item_id": "i", "dataset": "d", "question": TEXT, "gold": "7", "answer_type": "number", "cluster": "i"}]))
    publish(store, replicates=2)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "steps trace.txt --judge none",
        "steps trace.txt --judge none --format jsonl",
        "check-answers labelled.jsonl",
        "check-answers twice.jsonl",
        "datasets mine --path mine.jsonl",
        "datasets mine --path mine.jsonl --format jsonl",
        "datasets mine --path bad.jsonl",
        "datasets mine --path bad.jsonl --skip-bad-rows",
        "perturb mine --path mine.jsonl",
        "perturb mine --path mine.jsonl --format jsonl",
        "query --store store --format table|select question from raw.items",
        "query --store store --format json|select question from raw.items",
        f"query --store store|select '{EVIL}' from nowhere",
        "plan run.yaml",
        f"steps no{EVIL}where.txt",
    ],
)
def test_nothing_that_a_terminal_obeys_reaches_the_output(folder, command):
    words, _, sql = command.partition("|")
    arguments = [sys.executable, "-m", "flows.cli", *words.split(), *([sql] if sql else [])]
    done = subprocess.run(arguments, cwd=folder, env=_environment(folder), capture_output=True, timeout=240, check=False)
    shown = (done.stdout + done.stderr).decode()
    assert shown.strip() and "Traceback" not in shown
    assert not set(EVIL) & set("\x1b\x07\x9b\u202e\u200b") & set(shown), shown


def test_csv_in_a_pipe_is_exact(folder):
    arguments = [sys.executable, "-m", "flows.cli", "query", "--store", "store", "--format", "csv", "select question from raw.items"]
    done = subprocess.run(arguments, cwd=folder, env=_environment(folder), capture_output=True, timeout=240, check=True)
    assert TEXT in done.stdout.decode()


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "NO_COLOR": "1"}
