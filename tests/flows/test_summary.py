"""What `sextant evaluate` ends with, on terminals of several widths and as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from small_store import small_store

from flows import summary
from schemas.records import DIMENSIONS


def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    summary.show(small_store(), "s")
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_fit_the_terminal_and_no_number_or_name_is_cut(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    tables = shown(capsys, monkeypatch, width).split("warehouse  ")[0]
    assert max(map(len, tables.splitlines())) <= width
    assert "…" not in tables
    assert "0.667 [" in tables and "P(best)" in tables
    for name in ("Alpha", "Beta", *DIMENSIONS):
        assert name in tables


def test_nothing_but_text_goes_into_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in shown(capsys, monkeypatch, 80)


def test_no_color_is_honoured_where_colour_is_forced(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in shown(capsys, monkeypatch, 80).replace("\x1b[3m", "")


def test_queries_to_try_name_the_store_where_it_is_not_the_usual_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"query --store {small_store().root} " in shown(capsys, monkeypatch, 80)
    monkeypatch.setenv("SEXTANT_STORE", str(small_store().root))
    assert "--store" not in shown(capsys, monkeypatch, 80)


def test_queries_to_try_can_be_typed_where_the_environment_is_not_on_the_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    assert "  .venv/bin/sextant query" in shown(capsys, monkeypatch, 80)


def test_json_holds_every_score_with_interval_or_reason() -> None:
    told = json.loads(summary.as_json(small_store(), "s"))
    assert (told["suite_id"], Path(told["warehouse"]).is_file()) == ("s", True)
    assert len(told["scores"]) == 2 * 2 * len(DIMENSIONS)
    (alpha,) = [r for r in told["scores"] if (r["protocol"], r["configuration"], r["dimension"]) == ("paper", "Alpha", "consistency")]
    assert (alpha["value"], alpha["n"]) == (1.0, 12)
    assert all(row["reason"] for row in told["scores"] if row["value"] is None)
    assert {row["scheme"] for row in told["quality"] if row["weight_set"] == "arxiv-v1"} >= {"balanced", "edge_device_iot"}


def test_two_configurations_of_one_name_are_told_apart() -> None:
    rows = [{"configuration_id": key, "configuration": name} for key, name in (("a1b2c3d4", "same"), ("e5f6a7b8", "same"), ("c9", "other"))]
    assert summary._names(rows) == {"a1b2c3d4": "same (a1b2c3)", "e5f6a7b8": "same (e5f6a7)", "c9": "other"}
