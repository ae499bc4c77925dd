from __future__ import annotations

from pathlib import Path

import pytest

from schemas.errors import ConfigError
from tasks import providers
from tasks.run_files import load_run

MODEL = "name: m\nprovider: replay\nmodel: m\nversion: '1'\nreplay: replies.jsonl\n"
RUN = """
name: r
datasets:
  - {name: synthetic, limit: 2}
configurations:
  - {name: one, model: m.yaml}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.yaml").write_text(MODEL)
    return tmp_path


def load(folder: Path, text: str) -> None:
    (folder / "run.yaml").write_text(text)
    load_run(folder / "run.yaml")


def test_a_whole_run_file_is_read(folder: Path) -> None:
    (folder / "run.yaml").write_text(RUN)
    loaded = load_run(folder / "run.yaml")
    assert loaded.run.suite.runs == 3
    assert loaded.configurations[0].template.name == "bare"


EVEN = "correctness: 0.5, consistency: 0.1, robustness: 0.1, coherence: 0.1, efficiency: 0.1, stability: 0.05"


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (RUN + "suit: {}\n", ["suit", "unknown key", "'suite'"]),
        (RUN.replace("datasets:", "datsets:"), ["datsets: unknown key", "'datasets'"]),
        (RUN + "suite: {rns: 3}\n", ["suite.rns", "'runs'"]),
        (RUN + "suite: {runs: three}\n", ["suite.runs", "three"]),
        (RUN + "suite: {runs: 1}\n", ["consistency", "runs: 3"]),
        (RUN + "suite: {dimensions: [coherense]}\n", ["suite.dimensions", "'coherence'"]),
        (RUN + f"schemes: {{mine: {{{EVEN}}}}}\n", ["schemes.mine", "0.95", "not 1"]),
        (RUN.replace("m.yaml", "mm.yaml"), ["configurations.one.model", "mm.yaml", "'m.yaml'"]),
        (RUN.replace("model: m.yaml", "model: m.yaml, template: bear"), ["template", "'bare'"]),
        (RUN.replace("name: one", "name: one, sampling: {temperature: -1}"), ["sampling.temperature"]),
        (RUN + "  - {name: one, model: m.yaml}\n", ["'one'", "twice"]),
        ("name: [", ["run.yaml:1", "YAML"]),
        ("- a\n", ["mapping"]),
    ],
)
def test_each_mistake_names_file_key_and_remedy_on_one_line(folder: Path, text: str, findings: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    for finding in ["run.yaml", *findings]:
        assert finding in message


def test_a_missing_run_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="sextant init"):
        load_run(tmp_path / "none.yaml")


def test_credentials_in_a_base_url_are_refused_and_not_repeated(folder: Path) -> None:
    (folder / "m.yaml").write_text(MODEL + "base_url: https://user:hunter2@host/v1\n")
    with pytest.raises(ConfigError, match="api_key_env") as caught:
        load(folder, RUN)
    assert "hunter2" not in str(caught.value)


RUNS = sorted((Path(__file__).parents[2] / "deploy" / "runs").glob("*.yaml"))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_every_shipped_run_file_loads_with_its_models_keys_given_and_parameters_they_take(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_run(path)
    assert loaded.configurations
    for configuration in loaded.configurations:
        if configuration.model.api_key_env:
            monkeypatch.setenv(configuration.model.api_key_env, "planted")
        providers.check(configuration.model, configuration.configuration.sampling)


def test_the_paper_suite_is_its_975_items_and_seven_models() -> None:
    run = load_run(next(path for path in RUNS if path.stem == "paper")).run
    assert [dataset.limit for dataset in run.datasets] == [250, 225, 250, None]
    assert len(run.configurations) == 7
    assert (run.suite.runs, len(run.suite.operators), run.configurations[0].sampling.temperature) == (3, 3, 0.7)
