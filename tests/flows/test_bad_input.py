"""Each mistake of a user: one line on stderr with the remedy, the right exit code, no traceback, nothing lost."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from replay_run import write_run

from flows import cli
from schemas.records import DIMENSIONS


@pytest.fixture(scope="module", autouse=True)
def _commands() -> None:
    if not cli.app.registered_commands:
        cli._register()


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["sextant", *arguments])
    monkeypatch.setattr(cli, "_register", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0), capsys.readouterr().err


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


KEYED = ("good.yaml", "provider: replay", "provider: openai\nbase_url: http://127.0.0.1:9/v1\napi_key_env: SEXTANT_ABSENT_KEY")
TWIN = "{name: twin, model: good.yaml, sampling: {temperature: 0.7, max_tokens: 64}}"
SIX_TENTHS = ", ".join(f"{dimension}: 0.1" for dimension in DIMENSIONS)
MISTAKES = {
    "unknown_key": (("run.yaml", "suite:", "suit:"), 2, ["run.yaml", "suit", "did you mean 'suite'"]),
    "wrong_type": (("run.yaml", "runs: 3", "runs: three"), 2, ["suite.runs", "three"]),
    "weights": (("run.yaml", "judges:", f"schemes: {{s: {{{SIX_TENTHS}}}}}\njudges:"), 2, ["schemes.s", "0.6", "not 1"]),
    "one_run": (("run.yaml", "runs: 3", "runs: 1"), 2, ["consistency", "runs: 3"]),
    "missing_file": (("run.yaml", "sums.jsonl", "none.jsonl"), 2, ["none.jsonl", "no such file"]),
    "unreadable_row": (("sums.jsonl", '"answer": "7"', '"answer": '), 2, ["sums.jsonl:2"]),
    "missing_key": (KEYED, 2, ["SEXTANT_ABSENT_KEY", "good"]),
    "unknown_model": (("run.yaml", "model: good.yaml", "model: goood.yaml"), 2, ["goood.yaml", "did you mean 'good.yaml'"]),
    "unknown_provider": (("good.yaml", "provider: replay", "provider: opnai"), 2, ["opnai", "did you mean 'openai'"]),
    "unknown_dataset": (("run.yaml", "name: sums, path: sums.jsonl, answer_type: number", "name: gsm8kk"), 2, ["gsm8kk", "did you mean 'gsm8k'"]),
    "unknown_operator": (("run.yaml", "synonym", "synonim"), 2, ["suite.operators", "did you mean 'synonym'"]),
    "twins": (("run.yaml", "configurations:", f"configurations:\n  - {TWIN}"), 2, ["'twin'", "'good'", "same"]),
    "judge_not_there": (("run.yaml", "nli: embedded", "nli: ./no/such/judge"), 1, ["./no/such/judge"]),
}


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_a_mistake_in_a_file_is_one_line_with_place_and_remedy(
    mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path)
    (file, old, new), code, findings = MISTAKES[mistake]
    change(tmp_path / file, old, new)
    ended, said = run(monkeypatch, capsys, "evaluate", str(path), "--store", str(tmp_path / "store"))
    assert ended == code
    assert re.fullmatch(r"sextant: [^\n]+\n", said), said
    for finding in findings:
        assert finding in said
    assert not list((tmp_path / "store").glob("evidence/*/*.parquet"))


def test_a_cap_in_dollars_on_a_model_without_prices_is_refused_before_anything_is_bought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path)
    change(path, "judges:", "budget: {max_usd: 1.0}\njudges:")
    change(tmp_path / "good.yaml", "provider: replay", "provider: openai\nbase_url: http://127.0.0.1:9/v1")
    change(tmp_path / "good.yaml", "replay: good.jsonl", "")
    change(tmp_path / "good.yaml", "prices: {input: 1.0, output: 2.0}", "")
    ended, said = run(monkeypatch, capsys, "evaluate", str(path), "--store", str(tmp_path / "store"))
    assert ended == 2
    assert re.fullmatch(r"sextant: budget.max_usd cannot be kept: model 'good' has no `prices`[^\n]+\n", said), said
    assert not list((tmp_path / "store").glob("evidence/*/*.parquet"))


@pytest.mark.parametrize(
    ("arguments", "code", "findings"),
    [
        (["backfill", "coherense", "{run}"], 2, ["coherense", "did you mean 'coherence'"]),
        (["evaluate", "{folder}/none.yaml"], 2, ["none.yaml", "sextant init"]),
        (["query", "select 1", "--store", "{folder}"], 2, ["warehouse.duckdb", "sextant evaluate"]),
        (["plan", "{run}", "--format", "tabel"], 2, ["tabel", "did you mean 'table'"]),
        (["datasets", "gsm9k"], 2, ["gsm9k", "did you mean 'gsm8k'"]),
    ],
)
def test_a_mistake_on_the_command_line_names_what_is_near(
    arguments: list[str], code: int, findings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_run(tmp_path)
    monkeypatch.chdir(tmp_path)
    ended, said = run(monkeypatch, capsys, *(argument.format(run=path, folder=tmp_path) for argument in arguments))
    assert ended == code
    assert re.fullmatch(r"sextant: [^\n]+\n", said), said
    for finding in findings:
        assert finding in said


def test_a_prefect_server_that_does_not_answer_is_one_line_with_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    ended, said = run(monkeypatch, capsys, "evaluate", str(write_run(tmp_path)), "--store", str(tmp_path / "store"), "--quiet")
    assert ended == 1
    assert re.fullmatch(r"sextant: PREFECT_API_URL names http://127.0.0.1:9/api[^\n]+\n", said), said
