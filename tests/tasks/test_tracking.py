"""Following a hub model by its branch, against a hub on loopback; and the run file of a night, read back."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from replay_run import write_run

from schemas.errors import Unavailable
from tasks.identities import identify
from tasks.providers import resolve
from tasks.run_files import load_run
from tasks.tracking import tracked, written_out
from warehouse.store import Store

COMMITS = {"main": "a" * 40, "next": "b" * 40}


class _Hub(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        *_, branch = self.path.split("?")[0].split("/")
        branch = branch if "/revision/" in self.path else "main"
        found = branch in COMMITS
        body = json.dumps({"id": "owner/m", "sha": COMMITS.get(branch)} if found else {"error": "Invalid rev id"}).encode()
        self.send_response(200 if found else 404)
        if not found:
            self.send_header("x-error-code", "RevisionNotFound")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with HTTPServer(("127.0.0.1", 0), _Hub) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield
        server.shutdown()
        thread.join()


def hub_run(folder: Path, revision: str | None) -> Path:
    run = write_run(folder, names=("good",))
    stated = f"revision: {revision}\n" if revision else ""
    (folder / "good.yaml").write_text(f"name: good\nprovider: transformers\nmodel: owner/m\n{stated}")
    return run


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize(("revision", "commit"), [(None, "a" * 40), ("main", "a" * 40), ("next", "b" * 40), ("c" * 40, "c" * 40)])
def test_a_branch_is_pinned_to_the_commit_it_names_now_and_a_commit_stays(tmp_path: Path, revision: str | None, commit: str) -> None:
    (configuration,) = tracked(load_run(hub_run(tmp_path, revision))).configurations
    assert resolve(configuration.model, configuration.model_base) == f"hub:{commit}"


@pytest.mark.usefixtures("hub")
def test_a_revision_the_hub_does_not_know_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="revision"):
        tracked(load_run(hub_run(tmp_path, "gone")))


def test_offline_says_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(Unavailable, match="set `revision` to a commit"):
        tracked(load_run(hub_run(tmp_path, None)))


@pytest.mark.usefixtures("hub")
def test_the_run_file_of_a_night_names_the_same_configurations_from_any_folder(tmp_path: Path) -> None:
    run = hub_run(tmp_path, "next")
    (tmp_path / "mine.yaml").write_text(
        "name: mine\nversion: '1'\nnumber: 'N {question}'\nchoice: '{question}{options}'\nboolean: '{question}'\ntext: '{question}'\n"
    )
    run.write_text(run.read_text().replace("model: good.yaml", "model: good.yaml, template: mine.yaml, system_prompt: 'Be: brief'"))
    loaded = tracked(load_run(run))
    again = load_run(written_out(loaded, Store(tmp_path / "elsewhere").open(), ["good"], "drift-1", 0.5))
    assert (again.run.repeat, again.run.budget.max_usd, again.run.name, again.run.suite) == ("drift-1", 0.5, loaded.run.name, loaded.run.suite)
    before, after = (identify(x.configurations[0], resolve(x.configurations[0].model, x.configurations[0].model_base)) for x in (loaded, again))
    assert (before.configuration_id, before.model_version_id) == (after.configuration_id, after.model_version_id)
    assert (again.base / str(again.run.datasets[0].path)).is_file()


def test_only_the_configurations_of_tonight_are_in_it(tmp_path: Path) -> None:
    loaded = load_run(write_run(tmp_path))
    again = load_run(written_out(loaded, Store(tmp_path / "store").open(), ["poor"], "", None))
    assert [c.configuration.name for c in again.configurations] == ["poor"]
    assert again.run.budget.max_usd is None
