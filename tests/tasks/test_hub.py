"""tasks.hub against the stand-in, through the real huggingface_hub client."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.errors import Unavailable
from tasks.hub import files, snapshot
from tests.hub_server import HubServer

OLD, NEW = "a" * 40, "b" * 40


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer() as server:
        server.add("model", "lab/judge", OLD, {"config.json": b"{}", "weights/part.bin": b"old"})
        server.add("model", "lab/judge", NEW, {"config.json": b'{"new": 1}', "weights/part.bin": b"new"})
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("HF_TOKEN", raising=False)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield server


def test_a_branch_resolves_to_the_commit_that_names_the_folder(hub: HubServer) -> None:
    folder = snapshot("lab/judge", None)
    assert folder.name == NEW
    assert (folder / "weights/part.bin").read_bytes() == b"new"


def test_a_pinned_commit_gives_the_old_files_though_main_moved_on(hub: HubServer) -> None:
    assert (snapshot("lab/judge", OLD) / "weights/part.bin").read_bytes() == b"old"


def test_only_the_allowed_files_are_fetched(hub: HubServer) -> None:
    folder = snapshot("lab/judge", OLD, allow=["*.json"])
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["config.json"]
    assert not any("part.bin" in request for request in hub.requests)


def test_a_pinned_commit_in_the_cache_makes_no_request(hub: HubServer) -> None:
    snapshot("lab/judge", OLD)
    hub.requests.clear()
    snapshot("lab/judge", OLD)
    assert hub.requests == []


def test_a_pinned_commit_in_the_cache_is_served_while_the_hub_is_down(hub: HubServer) -> None:
    snapshot("lab/judge", OLD)
    hub.failing = 503
    assert snapshot("lab/judge", OLD).name == OLD


def test_a_model_is_not_a_dataset_of_the_same_name(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match="dataset lab/judge.*no such repository"):
        snapshot("lab/judge", None, kind="dataset")


def test_a_missing_repository_names_the_remedy_in_one_line(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match=r"model lab/nothing cannot be had: no such repository.*check the name, or set HF_TOKEN") as caught:
        snapshot("lab/nothing", None)
    assert "\n" not in str(caught.value)


def test_a_missing_revision_is_told_from_a_missing_repository(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match=r"at revision v9 cannot be had: no such revision"):
        snapshot("lab/judge", "v9")


def test_a_missing_file_is_named(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match="holds no file vocab.txt"):
        files("lab/judge", OLD, ["config.json", "vocab.txt"], kind="model")


def test_patterns_that_match_nothing_are_an_error_not_an_empty_folder(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match=r"holds no file like \*\.onnx"):
        snapshot("lab/judge", OLD, allow=["*.onnx"])


def test_a_gated_repository_asks_for_a_token_and_takes_it(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add("model", "lab/gated", OLD, {"config.json": b"{}"}, gated=True)
    with pytest.raises(Unavailable, match="it is gated; accept its terms .* and set HF_TOKEN"):
        snapshot("lab/gated", OLD)
    monkeypatch.setenv("HF_TOKEN", hub.token)
    assert (snapshot("lab/gated", OLD) / "config.json").read_bytes() == b"{}"


def test_offline_without_a_cached_copy_names_the_switch_and_makes_no_request(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE is set"):
        snapshot("lab/judge", OLD)
    assert hub.requests == []


def test_offline_reads_the_cache(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot("lab/judge", OLD)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert snapshot("lab/judge", OLD).name == OLD


def test_offline_does_not_pass_a_part_of_the_files_off_as_all(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot("lab/judge", OLD, allow=["config.json"])
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(Unavailable):
        snapshot("lab/judge", OLD)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client waits 23 s in all between its retries; here it does not."""
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _seconds: None)


@pytest.mark.usefixtures("impatient")
def test_a_hub_that_nobody_answers_is_unavailable_with_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setenv("HF_ENDPOINT", address)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(Unavailable, match=f"{address} could not be reached"):
        snapshot("lab/judge", OLD)


@pytest.mark.usefixtures("impatient")
def test_a_failing_hub_is_unavailable(hub: HubServer) -> None:
    hub.failing = 500
    with pytest.raises(Unavailable, match="could not be reached or failed"):
        snapshot("lab/judge", OLD)


def test_a_name_that_is_no_repository_is_told_so(hub: HubServer) -> None:
    with pytest.raises(Unavailable, match="not a repository name"):
        snapshot("../weights/of mine", None)
