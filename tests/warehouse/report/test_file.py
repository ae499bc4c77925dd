"""The report as a file: what stands in its markup, what it may load, what happens where there is nothing to report."""

from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from schemas.errors import StoreError
from tests.warehouse.report.planted import HOSTILE
from warehouse import build
from warehouse.report import write
from warehouse.report.page import safe_json
from warehouse.store import Store


class Markup(HTMLParser):
    """Scripts by type, and every attribute that could make a browser fetch something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        self.policy = ""
        self._open: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.addresses += [str(named[name]) for name in ("src", "href", "srcset", "action", "data") if named.get(name)]
        if named.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(named["content"])
        if tag == "script":
            self._open = named.get("type") or "javascript"
            self.scripts.setdefault(self._open, []).append("")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.scripts[self._open][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._open = None


def test_no_text_of_a_model_stands_in_the_markup(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert "window.pwned" not in text
    assert not any(character in text for character in "\x00\x07\x1b\u202e\u2028\u2029\u2066\u200b")
    assert len(Markup(text).scripts["javascript"]) == 1


def test_the_policy_admits_the_two_scripts_of_the_report_and_no_other(report: Path) -> None:
    markup = Markup(report.read_text(encoding="utf-8"))
    own = base64.b64encode(hashlib.sha256(markup.scripts["javascript"][0].encode()).digest()).decode()
    assert f"'sha256-{own}'" in markup.policy
    assert markup.policy.count("sha256-") == 2
    assert "default-src 'none'" in markup.policy
    assert "unsafe-eval" not in markup.policy


def test_nothing_in_the_markup_points_out_of_the_file(report: Path) -> None:
    assert {address for address in Markup(report.read_text(encoding="utf-8")).addresses if not address.startswith(("#", "data:,"))} == set()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_survives_the_data_block_unchanged_and_without_markup(name: str) -> None:
    written = safe_json({"text": HOSTILE[name]})
    assert json.loads(written) == {"text": HOSTILE[name]}
    assert not set(written) & set("<>&\u2028\u2029\x00")


def test_an_unpublished_store_is_an_error_that_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="sextant publish"):
        write(Store(tmp_path).open())


def test_a_damaged_warehouse_leaves_the_last_report_in_place(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    store.warehouse.write_bytes(b"not a database, though as long as a header of one would be" * 100)
    (tmp_path / "report.html").write_text("last night")
    with pytest.raises(StoreError, match="cannot read"):
        write(store)
    assert (tmp_path / "report.html").read_text() == "last night"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


def test_a_store_without_evidence_makes_a_report_too(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    build.build(store, store.warehouse, replicates=20)
    assert Markup(write(store).read_text(encoding="utf-8")).scripts["application/json"][0].startswith('{"suites":[]')


def test_the_same_warehouse_gives_the_same_report(store: Store, report: Path, tmp_path: Path) -> None:
    def body(path: Path) -> list[str]:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if '"generated_at"' not in line]

    assert body(write(store, tmp_path / "again.html")) == body(report)


def test_evidence_over_the_limit_is_left_out_and_aggregates_stay(store: Store, report: Path, tmp_path: Path) -> None:
    small = write(store, tmp_path / "small.html", evidence_bytes=0)
    text = small.read_text(encoding="utf-8")
    assert 'id="runs-0-0-0-0"' not in text
    assert 'id="marks-0-0-0"' in text
    assert small.stat().st_size < report.stat().st_size
