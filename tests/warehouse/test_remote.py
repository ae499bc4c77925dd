"""A store on object storage, against a real S3 server."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from holders import hold, released
from object_store import READER, object_store

from schemas.errors import StoreError
from tests.warehouse.test_store import active
from warehouse import lease
from warehouse.build import publish
from warehouse.parts import former
from warehouse.published import bring, share
from warehouse.query import query
from warehouse.remote import Remote
from warehouse.store import Store, store_at

Machine = Callable[[str], Store]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with object_store(tmp_path_factory.mktemp("s3")) as environment:
        yield environment


@pytest.fixture
def machine(server: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The test's store as a machine of that name sees it."""
    for name, value in server.items():
        monkeypatch.setenv(name, value)

    def store(name: str) -> Store:
        monkeypatch.setenv("SEXTANT_MIRROR", str(tmp_path / name))
        return store_at(f"s3://evidence/{tmp_path.name}").open()

    return store


def scorers(store: Store) -> list[str]:
    return sorted(store.scan("active_scorers").collect()["scorer"].to_list())


def test_what_one_machine_writes_another_reads_and_what_one_removes_leaves_the_other(machine: Machine) -> None:
    one = machine("one")
    first = one.write("active_scorers", [active(scorer="a")])
    one.write("active_scorers", [active(scorer="b")])
    two = machine("two")
    two.refresh()
    assert scorers(two) == ["a", "b"]
    one.remove(one.root / first.path)
    two.refresh()
    assert scorers(two) == ["b"]
    with two.writing():
        assert scorers(two) == ["b"], "the mirror does not bring back what was pruned"
    one.refresh()
    assert scorers(one) == ["b"]


def test_a_file_that_could_not_be_sent_is_no_evidence_yet_and_is_sent_by_the_next_run(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    store = machine("one")
    url = os.environ["AWS_ENDPOINT_URL"]
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    cut_off = Store(store.root, type(store.mirror)(Remote(store.address), store.root))  # type: ignore[misc]
    with pytest.raises(StoreError, match=r"check the network.*nothing is lost"):
        cut_off.write("active_scorers", [active()])
    assert not store.files("active_scorers")
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    with store.writing():
        assert scorers(store) == ["c"]
    other = machine("two")
    other.refresh()
    assert scorers(other) == ["c"]
    assert not list((store.root / "unsent").glob("*/*"))


@pytest.mark.parametrize(("where", "who", "finding"), [("evidence", READER, "access denied"), ("nowhere", {}, "access denied|no such bucket")])
def test_a_refusing_bucket_is_named_with_a_remedy_and_no_secret(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, who: dict[str, str], finding: str
) -> None:
    machine("one")
    for name, value in who.items():
        monkeypatch.setenv(name, value)
    store = store_at(f"s3://{where}/{tmp_path.name}").open()
    with pytest.raises(StoreError, match=finding) as caught:
        store.write("active_scorers", [active()])
    assert "secret" not in str(caught.value).replace("AWS_SECRET_ACCESS_KEY", "")


def test_an_emptied_bucket_does_not_empty_the_mirror(machine: Machine) -> None:
    store = machine("one")
    asset = store.write("active_scorers", [active()])
    assert store.mirror is not None
    store.mirror.remote.delete([asset.path])
    with pytest.raises(StoreError, match="restore the bucket"):
        store.refresh()
    assert scorers(store) == ["c"]


def test_a_damaged_copy_is_fetched_again_and_a_damaged_object_is_set_aside(machine: Machine) -> None:
    one = machine("one")
    path = one.root / one.write("active_scorers", [active()]).path
    path.write_bytes(b"no Parquet")
    again = machine("one")
    assert again.set_aside_damaged() == []
    assert scorers(again) == ["c"]
    assert one.mirror is not None
    path.write_bytes(b"no Parquet")
    one.mirror.remote.put(str(path.relative_to(one.root)), path)
    other = machine("two")
    with other.writing():
        assert [moved.name for moved in other.set_aside_damaged()] == [path.name]
    assert one.mirror.remote.names("evidence/") == {}


def test_a_warehouse_built_elsewhere_reads_the_evidence_that_lies_here(machine: Machine) -> None:
    one = machine("one")
    one.write("active_scorers", [active(scorer="a")])
    with one.writing():
        publish(one, replicates=10)
        (one.root / "report.html").write_text("report")
        share(one)
    two = machine("two")
    warehouse = bring(two)
    assert warehouse.parent == two.root != one.root
    for path in (one.root / "evidence").glob("*/*"):
        path.unlink()
    assert query(warehouse, "select scorer from raw.active_scorers", "csv") == "scorer\na"
    before = warehouse.stat().st_mtime_ns
    assert bring(two).stat().st_mtime_ns == before, "unchanged, so not fetched again"
    assert former(warehouse, replicates=10) == warehouse, "a build here goes on from what was built there"


def start(address: str, mirror: Path) -> subprocess.Popen[str]:
    return hold(address, {**os.environ, "SEXTANT_MIRROR": str(mirror)})


def test_a_writer_on_another_machine_is_waited_for_by_name(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LOOK_S", 0.05)
    store = machine("one")
    holder = start(store.address, tmp_path / "two")
    said: list[str] = []
    with store.writing(waiting=released(holder, said)):
        assert f"process {holder.pid} on" in said[0]
    assert holder.wait(timeout=60) == 0


@pytest.mark.parametrize("where", ["the same machine, at once", "another machine, after the lease"])
def test_the_lock_of_a_writer_killed_with_9_is_taken_over(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setattr(lease, "LOOK_S", 0.05)
    monkeypatch.setattr(lease, "LEASE_S", 3600.0 if where.startswith("the same") else 0.5)
    store = machine("one")
    holder = start(store.address, tmp_path / ("one" if where.startswith("the same") else "two"))
    holder.kill()
    holder.wait()
    with store.writing():
        store.write("active_scorers", [active()])
    assert scorers(store) == ["c"]


def test_of_many_who_find_the_lock_free_one_has_it(machine: Machine) -> None:
    store = machine("one")
    assert store.mirror is not None
    remote = store.mirror.remote
    got: list[str | None] = []
    racers = [threading.Thread(target=lambda n=n: got.append(remote.swap("lock", f"{n}".encode(), None))) for n in range(8)]  # type: ignore[misc]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert len([tag for tag in got if tag]) == 1


def test_a_holder_that_was_taken_over_stops_writing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "BEAT_S", 0.05)
    store = machine("one")
    assert store.mirror is not None
    with store.writing():
        taken = False
        while not taken:
            found = store.mirror.remote.read(lease.NAME)
            taken = found is not None and bool(store.mirror.remote.swap(lease.NAME, b'{"holder": "another", "machine": "m", "name": "n"}', found[1]))
        with pytest.raises(StoreError, match="taken over"):
            for _ in range(200):
                store.write("active_scorers", [active()])
                threading.Event().wait(0.05)
