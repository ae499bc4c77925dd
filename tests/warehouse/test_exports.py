"""Tables of scores for other programs, read back by those programs' readers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from schemas.errors import StoreError, UnknownName
from tests.warehouse.worlds import Ability, World, write
from warehouse.build import build
from warehouse.exports import TABLES, escaped, export
from warehouse.store import Store


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = Store(tmp_path_factory.mktemp("export")).open()
    write(store, World({"=cmd|x_1": Ability(), "b & c": Ability(correct=0.4)}, items={"gsm8k": 12}))
    build(store, store.warehouse, replicates=50)
    return store.warehouse


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_one_file_per_table_holds_every_row(warehouse: Path, tmp_path: Path, form: str) -> None:
    files = export(warehouse, form, tmp_path / "a new folder")
    assert [path.name for path in files] == [f"{name}.{form}" for name in TABLES]
    read = pl.read_csv if form == "csv" else pl.read_parquet
    scores = read(files[0])
    assert scores.height == 2 * 2 * 2 * 6
    assert scores.filter(pl.col("dimension") == "correctness")["value"].null_count() == 0
    assert not list((tmp_path / "a new folder").glob(".*"))


def test_a_workbook_has_a_sheet_per_table_and_a_name_that_looks_like_a_formula_stays_text(warehouse: Path, tmp_path: Path) -> None:
    (path,) = export(warehouse, "xlsx", tmp_path / "scores.xlsx")
    sheets = pd.read_excel(path, sheet_name=None)
    assert set(sheets) == set(TABLES)
    assert set(sheets["scores"]["configuration"]) == {"=cmd|x_1", "b & c"}
    assert sheets["scores"]["value"].dropna().between(0, 2).all()


def test_latex_has_a_table_per_protocol_with_names_made_harmless(warehouse: Path, tmp_path: Path) -> None:
    (path,) = export(warehouse, "latex", tmp_path / "scores.tex")
    text = path.read_text()
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert r"b \& c & 0." in text
    assert r"=cmd|x\_1" in text
    assert all(line.count(" & ") == 6 for line in text.splitlines() if line.endswith(r"\\"))


def test_special_characters_cannot_become_commands() -> None:
    assert escaped(r"\input{x}_%") == r"\textbackslash{}input\{x\}\_\%"


def test_an_unknown_form_and_a_place_that_cannot_be_written_are_told(warehouse: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="latex"):
        export(warehouse, "latx", tmp_path / "x")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        export(warehouse, "csv", tmp_path / "file" / "below")
