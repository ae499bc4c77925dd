"""docs/extending.md: its blocks, put where their headings say, work."""

from __future__ import annotations

import asyncio
import importlib
import json
import random
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import pytest

import schemas.columns
import schemas.tables
import tasks.datasets
import tasks.perturbations
import tasks.providers
from schemas.config import Dataset, Model
from schemas.records import Item, Message, Request
from tasks.identities import fingerprint
from tests.warehouse.rows import fill
from tests.warehouse.test_cases import CASES, raw_rows
from warehouse import build, relations
from warehouse.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = {path: body for path, _, body in re.findall(r"^`([\w/.]+)`(?:: [^\n]*)?\n\n```(python|sql)\n(.*?)```", PAGE, flags=re.DOTALL | re.MULTILINE)}


@pytest.fixture
def mounted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Execute the block of a new file as the module it would be."""

    def mount(path: str) -> ModuleType:
        name = path.removesuffix(".py").replace("/", ".")
        assert not (Path(__file__).parents[2] / path).exists(), f"{path} exists; the page calls it new"
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        parent, _, child = name.rpartition(".")
        monkeypatch.setattr(importlib.import_module(parent), child, module, raising=False)
        exec(compile(BLOCKS[path], path, "exec", dont_inherit=True), module.__dict__)
        return module

    return mount


def entry(path: str, registry: ModuleType, **names: Any) -> dict[str, Any]:
    """The registry line of a page, read in the registry's own file."""
    return eval(BLOCKS[path], {**registry.__dict__, **names})


def test_a_dataset_is_one_file_and_one_line(mounted: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = mounted("tasks/datasets/riddles.py")
    for name, made in entry("tasks/datasets/__init__.py", tasks.datasets, riddles=module).items():
        monkeypatch.setitem(tasks.datasets.DATASETS, name, made)
    rows = [{"riddle": "What gets wetter as it dries?", "solution": "a towel"}, {"riddle": "What has keys and opens nothing?", "solution": "a piano"}]
    (tmp_path / "riddles.jsonl").write_text("\n".join(map(json.dumps, rows)))
    loaded = tasks.datasets.load(Dataset(name="riddles", path="riddles.jsonl", limit=1), tmp_path, seed=1)
    assert loaded.total == 2
    assert [item.gold in ("a towel", "a piano") for item in loaded.items] == [True]
    assert loaded.items[0].item_id


@pytest.fixture
def generate_server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append({"path": self.path, **json.loads(self.rfile.read(int(self.headers["content-length"])))})
            body = json.dumps({"generated_text": "Answer: 4", "details": {"finish_reason": "length", "generated_tokens": 4}}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_provider_is_one_method(mounted: Any, monkeypatch: pytest.MonkeyPatch, generate_server: tuple[str, list[dict[str, Any]]]) -> None:
    module = mounted("tasks/providers/tgi.py")
    for name, made in entry("tasks/providers/__init__.py", tasks.providers, Tgi=module.Tgi).items():
        monkeypatch.setitem(tasks.providers.PROVIDERS, name, made)
    model = Model(name="m", provider="tgi", model="m", version="1", base_url=generate_server[0])
    request = Request("g", (Message("user", "What is 2 + 2?"),), (("temperature", 0.7), ("max_tokens", 4)), 7, "c", "p", "i", "original", 0)

    async def ask() -> Any:
        async with tasks.providers.open_provider(model, Path()) as provider:
            return await provider.generate(request)

    reply = asyncio.run(ask())
    assert (reply.text, reply.finish_reason, reply.usage.output_tokens) == ("Answer: 4", "length", 4)
    sent = {"temperature": 0.7, "max_new_tokens": 4, "seed": 7, "details": True}
    assert generate_server[1] == [{"path": "/generate", "inputs": "What is 2 + 2?", "parameters": sent}]


def test_a_rewording_is_one_generator_and_passes_the_gate(mounted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = mounted("tasks/perturbations/spelling.py")
    for name, made in entry("tasks/perturbations/__init__.py", tasks.perturbations, spelling=module).items():
        monkeypatch.setitem(tasks.perturbations.PERTURBATIONS, name, made)
    assert not list(module.propose(Item("i", "d", "1", "Is rain wet?", "boolean", "yes"), random.Random(1)))
    fence = Item("i", "d", "1", "A gray fence is 12 meters long. How many meters are 3 fences?", "number", "36")
    (made,) = tasks.perturbations.reword_all(fence, ["spelling"], seed=1)
    assert (made.status, made.question) == ("applied", "A grey fence is 12 metres long. How many metres are 3 fences?")


@pytest.fixture
def hedges(mounted: Any, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    column = eval(BLOCKS["schemas/columns.py"], {**schemas.columns.__dict__})
    monkeypatch.setitem(schemas.columns.COLUMNS, column.name, column)
    table = eval(BLOCKS["schemas/tables.py"], {**schemas.tables.__dict__})
    monkeypatch.setitem(schemas.tables.TABLES, table.name, table)
    mounted("tasks/scorers/hedges.py")
    return mounted("tasks/hedges.py")


@pytest.fixture
def extended_sql(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The warehouse's SQL with the page's files among it."""
    folder = tmp_path / "sql"
    shutil.copytree(relations.SQL, folder)
    for path, body in BLOCKS.items():
        if path.endswith(".sql"):
            (folder / path.removeprefix("warehouse/sql/")).write_text(body)
    monkeypatch.setattr(relations, "SQL", folder)
    relations.catalog.cache_clear()
    yield
    relations.catalog.cache_clear()


@pytest.mark.usefixtures("extended_sql")
def test_a_stage_and_one_sql_file_make_a_dimension_with_intervals_in_both_protocols(hedges: ModuleType, tmp_path: Path) -> None:
    store = Store(tmp_path / "store").open()
    rows = raw_rows(CASES)
    for row in rows["generations"]:
        if row["generation_id"] in {f"A{n}r0" for n in range(6)}:
            row |= {"text": "Maybe 4. I think."}
    rows["active_scorers"] = [*rows["active_scorers"], {"suite_id": "s", "stage": "hedges", "scorer": fingerprint(hedges.CARD)}]
    for table, listed in rows.items():
        store.write(table, fill(table, listed))
    ids = [row["generation_id"] for row in rows["generations"]]
    hedges.score_shard({"stage": "hedges", "version": "1", "store": str(store.root), "ids": ids, "scorer": fingerprint(hedges.CARD)})
    assert store.scan("hedges").collect()["n_hedges"].max() == 2
    with duckdb.connect(config={"threads": 1}) as connection:
        build.populate(connection, store, replicates=40, only=["marts.dimension_scores"])
        found = connection.execute(
            "select protocol, configuration, value, n, coverage, ci_low is not null from marts.dimension_scores "
            "where dimension = 'plainness' and dataset = 'all'"
        ).fetchall()
    # Alpha hedges in the first of two runs of six of its twelve items
    assert sorted(found) == [("paper", "Alpha", 0.5, 12, 1, True), ("paper", "Beta", 1, 12, 1, True)] + [
        ("strict", "Alpha", 0.75, 24, 1, True),
        ("strict", "Beta", 1, 24, 1, True),
    ]


def test_every_block_of_the_page_was_found() -> None:
    assert len(BLOCKS) == PAGE.count("```") // 2
