"""kill -9 while the rewriter is being paid, then the same command: its replies are neither lost nor bought again, and a third run asks nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from killed import journal, kill_once, start
from replay_run import MODEL, write_run

from schemas.records import REWRITING
from tasks.rewordings import INSTRUCTION
from tests.fault_bodies import Act, answer
from tests.fault_server import FaultServer, Plan
from warehouse.store import Store

OPTIONS = ("--quiet", "--no-publish")
ITEMS = 24
pytestmark = [pytest.mark.models]


def reworded(wire: str, body: dict[str, Any], _: dict[str, str]) -> Act:
    reply = answer(wire, "0" * 8, body["model"])
    question = body["messages"][0]["content"].removeprefix(INSTRUCTION)
    reply["choices"][0]["message"]["content"] = question.replace("buys", "purchases")
    return Act(body=json.dumps(reply).encode())


def asked(server: FaultServer) -> Counter[str]:
    return Counter(entry["key"] for entry in server.log)


def replies(store: Path) -> set[str]:
    stored = Store(store).scan("generations").filter(pl.col("operator") == REWRITING).collect()["generation_id"] if store.exists() else []
    return {row["generation_id"] for row in journal(store) if row["operator"] == REWRITING} | set(stored)


@pytest.mark.parametrize("after", [1, ITEMS // 2])
def test_rewordings_that_arrived_before_kill_9_are_neither_lost_nor_bought_again(tmp_path: Path, prefect: str, after: int) -> None:
    run, store = write_run(tmp_path, items=ITEMS, runs=1, names=("good",)), tmp_path / "store"
    run.write_text(
        run.read_text().replace("synonym, reorder, paraphrase]", "llm_paraphrase], dimensions: [correctness, robustness]") + "rewriter: {model: w.yaml}\n"
    )
    with FaultServer(Plan(latency_s=0.1), act=reworded) as server:
        model = MODEL.format(name="w", version="1").replace("provider: replay", f"provider: openai\nbase_url: {server.url}").replace("replay: w.jsonl\n", "")
        (tmp_path / "w.yaml").write_text(model.replace("concurrency: 4", "concurrency: 2"))
        killed = start(run, store, prefect, *OPTIONS)
        kill_once(killed, lambda: len(replies(store)) >= after)
        had, before = replies(store), asked(server)
        assert after <= len(had) <= before.total() < ITEMS, "killed too late: the test proves nothing"

        again = start(run, store, prefect, *OPTIONS)
        _, err = again.communicate(timeout=240)
        assert again.returncode == 0, err
        assert "recovered from the journal" in err
        twice = [key for key, count in asked(server).items() if count > 1]
        assert len(twice) <= before.total() - len(had), "only what had not arrived is asked again"
        rows = Store(store).scan("generations").filter(pl.col("operator") == REWRITING).collect()
        assert rows["generation_id"].is_unique().all() and rows.height == ITEMS and had <= set(rows["generation_id"])
        attempts = Store(store).scan("attempts").filter(pl.col("generation_id").is_in(rows["generation_id"].to_list())).collect()
        assert attempts.height == ITEMS
        prompts = Store(store).scan("prompts").filter(pl.col("operator") == "llm_paraphrase").collect()
        assert prompts["status"].to_list() == ["applied"] * ITEMS

        total = asked(server).total()
        third = start(run, store, prefect, *OPTIONS)
        _, err = third.communicate(timeout=240)
        assert third.returncode == 0, err
        assert asked(server).total() == total
