"""Fixtures that several folders share. One Prefect server for the whole session, from the product's own launcher."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.server import configure, prefect_server

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session", autouse=True)
def _prefect_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("prefect")
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        del os.environ[name]
    configure(home)
    yield home


@pytest.fixture(scope="session")
def prefect(_prefect_settings: Path) -> Iterator[str]:
    with prefect_server(_prefect_settings) as url:
        yield url


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not (SHARED / "data").is_dir():
        pytest.skip(f"the real benchmark items are not at {SHARED / 'data'}")
    return SHARED / "data"
