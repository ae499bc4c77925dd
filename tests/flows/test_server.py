from __future__ import annotations

import multiprocessing
import os
import resource
from pathlib import Path

import pytest

from flows.server import prefect_server
from schemas.errors import StoreError


def _start_on_a_full_disk(home: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        with prefect_server(Path(home)):
            pass
    except StoreError as error:
        os._exit(7 if "free the disk" in str(error) else 8)


@pytest.mark.usefixtures("prefect")
def test_a_disk_too_full_for_the_servers_database_is_named_and_the_next_start_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    process = multiprocessing.get_context("spawn").Process(target=_start_on_a_full_disk, args=(str(tmp_path),))
    process.start()
    process.join(120)
    assert process.exitcode == 7
    assert not list(tmp_path.glob("server.*")), "half a database would end every later start"
    with prefect_server(tmp_path) as url:
        assert url.startswith("http://127.0.0.1:")
