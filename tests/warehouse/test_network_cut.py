"""The network breaks in the middle of an upload: a proxy between the client and a real S3 server breaks the connections."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import Network, network, object_store

from schemas.errors import StoreError
from tests.warehouse.test_store import active
from warehouse.remote import Remote
from warehouse.store import Store, store_at

ROWS = 5000
"""Of 400 random hex digits each: a file of a megabyte, which no buffer on the way swallows."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with object_store(tmp_path_factory.mktemp("s3")) as environment:
        yield environment


@pytest.fixture
def between(server: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    for name, value in server.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SEXTANT_MIRROR", str(tmp_path / "one"))
    with network(tmp_path, server["AWS_ENDPOINT_URL"]) as cable:
        monkeypatch.setenv("AWS_ENDPOINT_URL", cable.url)
        yield cable


def in_bucket(store: Store, server: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server itself holds, asked past the broken network."""
    with monkeypatch.context() as direct:
        direct.setenv("AWS_ENDPOINT_URL", server["AWS_ENDPOINT_URL"])
        return sorted(Remote(store.address).names("evidence/"))


@pytest.mark.parametrize(("broken", "arrived"), [("torn 400000", 0), ("mute", 1)], ids=["half the file was sent", "all was stored and the reply is lost"])
def test_an_upload_cut_in_the_middle_loses_nothing_and_is_sent_once_by_the_next_run(
    between: Network, server: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, arrived: int
) -> None:
    store = store_at(f"s3://evidence/{tmp_path.name}").open()
    rows = [active(suite=os.urandom(200).hex()) for _ in range(ROWS)]
    between.becomes(broken)
    with pytest.raises(StoreError, match=r"cannot write .*check the network.*nothing is lost"):
        store.write("active_scorers", rows)
    assert len(in_bucket(store, server, monkeypatch)) == arrived, "an object appears whole or not at all"
    (unsent,) = (store.root / "unsent").glob("*/*.parquet")
    assert not store.files("active_scorers"), "no evidence before the bucket is known to have it"

    between.becomes("open")
    with store.writing():
        assert store.scan("active_scorers").collect().height == ROWS
    assert in_bucket(store, server, monkeypatch) == [f"evidence/active_scorers/{unsent.name}"]
    assert not unsent.exists()
    monkeypatch.setenv("SEXTANT_MIRROR", str(tmp_path / "two"))
    other = store_at(store.address).open()
    other.refresh()
    assert sorted(other.scan("active_scorers").collect()["suite_id"]) == sorted(row["suite_id"] for row in rows)
