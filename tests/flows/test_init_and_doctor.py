from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from flows.cli import doctor as doctor_command
from flows.cli import init
from flows.doctor import findings
from flows.reference import commented, generated, json_schema, keys
from schemas.config import Model, Run
from schemas.errors import ConfigError
from tasks.run_files import load_run

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", [Run, Model])
def test_what_init_writes_is_accepted_as_it_is_and_names_every_key(kind: type[Run] | type[Model], tmp_path: Path) -> None:
    text = commented(kind, "mine.yaml")
    kind.model_validate(yaml.safe_load(text))
    for key in keys(kind):
        assert re.search(rf"^# *{key.place.split('.')[-1]}:.*# \S", text, re.M), key.place


def test_a_run_file_of_init_evaluates_once_its_model_file_is_there(tmp_path: Path) -> None:
    init.command(tmp_path / "run.yaml")
    init.command(tmp_path / "my-model.yaml", model=True)
    assert load_run(tmp_path / "run.yaml").run.name == "mine"


def test_init_never_writes_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text("mine")
    with pytest.raises(ConfigError, match="exists already"):
        init.command(tmp_path / "run.yaml")
    assert (tmp_path / "run.yaml").read_text() == "mine"


def test_the_schema_for_editors_knows_the_keys() -> None:
    assert {"name", "datasets", "configurations"} == set(json.loads(json_schema())["required"])


def test_doctor_says_whether_a_key_is_there_and_never_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    init.command(tmp_path / "run.yaml")
    init.command(tmp_path / "my-model.yaml", model=True)
    with (tmp_path / "my-model.yaml").open("a") as file:
        file.write("api_key_env: SEXTANT_TEST_KEY\n")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("SEXTANT_TEST_KEY", "sk-planted")
    found = {finding.what: finding for finding in findings(tmp_path / "run.yaml", str(tmp_path / "store"))}
    assert found["key of my-model"].found == "SEXTANT_TEST_KEY is set"
    assert found["model hub"].optional
    monkeypatch.delenv("SEXTANT_TEST_KEY")
    found = {finding.what: finding for finding in findings(tmp_path / "run.yaml", str(tmp_path / "store"))}
    assert "export SEXTANT_TEST_KEY" in found["key of my-model"].remedy
    with pytest.raises(BaseException, match="1"):
        doctor_command.command(tmp_path / "run.yaml", str(tmp_path / "store"))
    assert "sk-planted" not in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(generated()))
def test_a_generated_page_is_not_stale(name: str) -> None:
    assert (ROOT / "docs" / "references" / name).read_text(encoding="utf-8") == generated()[name], "run `make docs`"
