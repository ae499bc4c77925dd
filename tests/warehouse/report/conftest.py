"""One planted store, its report, and Debian's Chromium to open it with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.warehouse.report.planted import plant
from warehouse import build
from warehouse.report import write
from warehouse.store import Store

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


PATIENCE_MS = 120_000
"""How long a busy machine may take; nothing asserts speed."""


@dataclass
class Visit:
    """A page with what went wrong on it: console messages, script errors, requests that left the disk."""

    page: Any
    report: Path
    items: dict[str, str]
    """Source id -> item id in gsm8k of the large suite; `{17}` in an address becomes the item's id."""
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, address: str = "#choose", *, ready: str = "main h2") -> Any:
        """Load the report afresh at `address` and wait until it is drawn."""
        self.page.goto("about:blank")
        address = re.sub(r"\{(\d+)\}", lambda found: self.items[found[1]], address)
        self.page.goto(self.report.absolute().as_uri() + address)
        self.page.wait_for_selector(ready)
        return self.page


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    place = Store(tmp_path_factory.mktemp("report")).open()
    plant(place)
    build.build(place, place.warehouse, replicates=120)
    return place


@pytest.fixture(scope="session")
def report(store: Store) -> Path:
    return write(store)


@pytest.fixture(scope="session")
def items(store: Store) -> dict[str, str]:
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        return dict(connection.execute("select source_id, item_id from report.items where suite_id = 'large' and dataset = 'gsm8k'").fetchall())


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="the report's browser tests need playwright: pip install playwright")
    if not CHROMIUM.exists():
        pytest.skip("the report's browser tests need Chromium: apt-get install chromium")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any, report: Path, items: dict[str, str]) -> Iterator[Visit]:
    """A page at 1280 px that may load nothing but files; at the end nothing may have gone wrong."""
    yield from _visit(browser, report, items, width=1280)


@pytest.fixture
def phone(browser: Any, report: Path, items: dict[str, str]) -> Iterator[Visit]:
    """The same at 390 px, dark."""
    yield from _visit(browser, report, items, width=390, color_scheme="dark")


def _visit(browser: Any, report: Path, items: dict[str, str], *, width: int, color_scheme: str = "light") -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=color_scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    seen = Visit(page, report, items)
    page.on("console", lambda message: seen.troubles.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.troubles.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (seen.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    context.route(
        "**/*", lambda route: route.continue_() if route.request.url.startswith("file://") else (seen.requests.append(route.request.url), route.abort())
    )
    yield seen
    context.close()
    assert seen.troubles == []
    assert seen.requests == []
