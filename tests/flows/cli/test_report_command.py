"""`sextant report`: where it writes and what it says."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from flows.cli.report import command
from schemas.errors import StoreError
from warehouse import build
from warehouse.store import Store

app = typer.Typer()
app.command()(command)


def test_the_report_goes_where_output_says_and_only_its_path_to_stdout(tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    build.build(store, store.warehouse, replicates=20)
    target = tmp_path / "site" / "index.html"
    result = CliRunner().invoke(app, ["--store", str(store.root), "--output", str(target)])
    assert (result.exit_code, result.stdout) == (0, f"{target}\n")
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not (store.root / "report.html").exists()


def test_without_a_published_warehouse_nothing_is_written(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--store", str(tmp_path)])
    assert isinstance(result.exception, StoreError)
    assert list(tmp_path.iterdir()) == []
