"""README.md and docs/*.md: commands exist with the options shown, cheap ones run, files are valid, SQL answers, links lead somewhere."""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer
import yaml
from pydantic import BaseModel
from small_store import small_store
from typer.testing import CliRunner

import flows.cli
from flows.cli import COMMANDS
from schemas.config import Model, Run
from tasks.scorers.extraction.found import STRATEGIES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in PAGES}
CHEAP = ("query", "schema", "datasets synthetic", "datasets")


def blocks(language: str) -> list[tuple[str, str]]:
    return [(name, body) for name, text in TEXTS.items() for body in re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)]


def commands() -> list[tuple[str, str]]:
    """`sextant ...` lines of shell blocks, and `sextant ...` in the running text where it is a whole command."""
    found = []
    for name, body in blocks("sh"):
        for line in body.splitlines():
            found += [
                (name, part) for part in re.findall(r"(?:^|&& )(?:\.venv/bin/)?sextant ([^#&|]*[^#&|\s\"])", re.sub(r'^\(.*?echo "(.*?)".*', r"\1", line))
            ]
    for name, text in TEXTS.items():
        prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        found += [(name, part.replace("\\|", "|")) for part in re.findall(r"`sextant ([a-z][^`]*)`", prose)]
    return sorted(set(found))


def arguments(command: str) -> list[str]:
    return [word for word in shlex.split(re.sub(r"\[[A-Z.a-z]+\]", "", command)) if word not in ("...",)]


@pytest.fixture(scope="module")
def app() -> Any:
    if not flows.cli.app.registered_commands:
        flows.cli._register()
    return typer.main.get_command(flows.cli.app)


@pytest.mark.parametrize(("page", "command"), commands(), ids=lambda value: value[:50])
def test_command_exists_with_the_options_and_arguments_shown(app: Any, page: str, command: str) -> None:
    words = arguments(command)
    if words[0].startswith("--"):
        assert words[0] in {option for parameter in app.params for option in parameter.opts}
        return
    assert words[0] in app.commands or words[0] == "COMMAND", f"{page}: sextant {command}"
    if words[0] in app.commands and len(words) > 1:
        known = app.commands[words[0]]
        known.make_context(words[0], words[1:], resilient_parsing=False)


@pytest.mark.parametrize(("page", "command"), [pair for pair in commands() if pair[1].startswith(CHEAP) and "--path" not in pair[1]], ids=lambda v: v[:50])
def test_cheap_command_runs(app: Any, monkeypatch: pytest.MonkeyPatch, page: str, command: str) -> None:
    if "..." in command or "[" in command or command[-1] == "*":
        pytest.skip("a shape, not a command")
    monkeypatch.setenv("SEXTANT_STORE", str(small_store().root))
    result = CliRunner().invoke(flows.cli.app, arguments(command))
    assert result.exit_code == 0, f"{page}: sextant {command}: {result.output} {result.exception}"
    assert result.output.strip()


def test_help_of_every_command_names_its_options(app: Any) -> None:
    for name in COMMANDS:
        result = CliRunner().invoke(flows.cli.app, [name.replace("_", "-"), "--help"], env={"COLUMNS": "80"})
        assert result.exit_code == 0 and "Usage" in result.output


@pytest.mark.parametrize(("page", "text"), blocks("yaml"), ids=lambda value: value[:20])
def test_every_file_shown_is_valid(page: str, text: str) -> None:
    shown = yaml.safe_load(text)
    kind: type[BaseModel] = Model if "provider" in shown else Run
    assert kind.model_validate(shown).name == shown["name"]  # type: ignore[attr-defined]


def test_plan_accepts_the_readmes_own_model_and_dataset_as_they_stand(tmp_path: Path, app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [text for page, text in blocks("yaml") if page == "README.md"]
    (tmp_path / "my-model.yaml").write_text(next(text for text in files if "provider:" in text))
    (tmp_path / "mine.yaml").write_text(next(text for text in files if text.startswith("# mine.yaml")))
    rows = ["text,label,opt_a,opt_b,opt_c"] + [f"Which team takes ticket {n} about a lost card?,B,Sales,Cards,Press" for n in range(12)]
    (tmp_path / "tickets.csv").write_text("\n".join(rows))
    monkeypatch.setenv("MY_KEY", "k")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(flows.cli.app, ["plan", "mine.yaml", "--store", str(tmp_path / "store")])
    assert result.exit_code == 0, f"{result.output} {result.exception}"
    (shown,) = [command for page, command in commands() if page == "README.md" and command.startswith("datasets tickets")]
    result = CliRunner().invoke(flows.cli.app, arguments(shown))
    assert result.exit_code == 0 and "Cards" in result.output, f"{result.output} {result.exception}"


@pytest.mark.parametrize(("page", "sql"), [(page, sql) for page, body in blocks("sql") if page == "README.md" for sql in body.split(";") if sql.strip()])
def test_every_query_shown_answers(page: str, sql: str) -> None:
    with duckdb.connect(str(small_store().warehouse), read_only=True) as connection:
        connection.execute(sql).fetchall()


def test_the_example_reads_a_store_with_duckdb_and_polars() -> None:
    script = ROOT / "docs" / "examples" / "explore.py"
    done = subprocess.run([sys.executable, str(script), str(small_store().root)], capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "Alpha" in done.stdout and "answered" in done.stdout


@pytest.mark.parametrize("page", sorted(TEXTS))
def test_links_and_paths_lead_somewhere(page: str) -> None:
    text = TEXTS[page]
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert target.startswith("https://") or ((ROOT / page).parent / target).exists(), f"{page}: {target}"
    for path in re.findall(r"`((?:warehouse|tasks|flows|schemas|deploy|tests|docs)/[\w./-]+)`", text):
        assert (ROOT / path).exists() or page == "docs/extending.md", f"{page}: {path}"


def test_metrics_names_every_dimensions_and_every_scheme() -> None:
    for path in (ROOT / "warehouse" / "sql" / "dimensions").glob("*.sql"):
        assert f"warehouse/sql/dimensions/{path.name}" in TEXTS["docs/metrics.md"]
    for path in re.findall(r"`(\w+\.sql)`", TEXTS["docs/metrics.md"]):
        assert (ROOT / "warehouse" / "sql" / "marts" / path).exists(), path


def test_metrics_explains_every_strategy_that_can_find_an_answer() -> None:
    table = TEXTS["docs/metrics.md"].split("| strategy |", 1)[1].split("\n\n", 1)[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)) == set(STRATEGIES)


def test_metrics_explains_every_reason_the_sql_gives() -> None:
    sql = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "warehouse" / "sql").rglob("*.sql")))
    word = "'([a-z]+(?:_[a-z0-9]+)+)'"
    given = {*re.findall(rf"\b(?:then|else) {word}", sql), *re.findall(rf"\bcoalesce\(.*, {word}\)", sql)} - {"not_applicable"}
    with (ROOT / "warehouse" / "seeds" / "estimators.csv").open(encoding="utf-8") as handle:
        given |= {row[column] for row in csv.DictReader(handle) for column in ("no_baseline_reason", "limit_reason") if row[column]}
    assert {"null_pairs_below_30", "not_given", "single_step"} <= given
    section = TEXTS["docs/metrics.md"].split("## Reasons", 1)[1].split("## ", 1)[0]
    assert not {name for name in given if f"`{name}`" not in section}


def test_every_page_is_in_the_index() -> None:
    for name in TEXTS:
        if name.startswith("docs/") and name != "docs/README.md":
            assert f"({name.removeprefix('docs/')})" in TEXTS["docs/README.md"], name
