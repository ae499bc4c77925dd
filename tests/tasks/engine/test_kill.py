"""kill -9 at seeded moments: nothing missing, nothing doubled, nothing bought again that was journalled."""

from __future__ import annotations

import multiprocessing
import random
import time
from pathlib import Path

import pytest

from tasks.engine import read
from tests.engine_kit import comparable, model, requests, run
from tests.fault_bodies import TRANSIENT
from tests.fault_server import FaultServer, Plan
from tests.kill_driver import drive

N, KILLS = 240, 20
KINDS = tuple(kind for kind in TRANSIENT if kind != "stall")


@pytest.mark.slow
def test_twenty_kills_lose_nothing_double_nothing_and_buy_nothing_twice(tmp_path: Path) -> None:
    journal, draw = tmp_path / "j.jsonl", random.Random(20)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.kill_driver"])
    kept: list[tuple[int, set[str]]] = []
    with FaultServer(Plan(seed=1, rate=0.2, kinds=KINDS, latency_s=0.01)) as server:
        for _ in range(KILLS):
            target = len(server.log) + draw.randint(8, 16)
            process = processes.Process(target=drive, args=(server.url, str(journal), N))
            process.start()
            while len(server.log) < target and process.is_alive():
                time.sleep(0.0005)
            time.sleep(draw.random() * 0.02)
            process.kill()
            process.join()
            assert process.exitcode == -9, "the job ended before it was killed: raise N"
            kept.append((len(server.log), {row["generation_id"] for row in read(journal).generations}))
        process = processes.Process(target=drive, args=(server.url, str(journal), N))
        process.start()
        process.join()
        assert process.exitcode == 0
        asked = [entry["key"] for entry in server.log]
    found = read(journal)
    with FaultServer() as server:
        quiet = comparable(run(model(server.url), requests(N), tmp_path / "quiet.jsonl"))
        key_of = {one.generation_id: entry["key"] for one, entry in _paired(server, requests(N))}
    assert comparable(found) == quiet
    assert len({row["attempt_id"] for row in found.attempts}) == len(found.attempts)
    assert any(ids for _, ids in kept[:-1]), "no answer was journalled before a kill: the test proves nothing"
    for seen, ids in kept:
        assert not {key_of[name] for name in ids} & set(asked[seen:]), "a journalled answer was bought again"


def _paired(server: FaultServer, wanted: list) -> list:
    by_seed = {entry["body"]["seed"]: entry for entry in server.log}
    return [(one, by_seed[one.seed]) for one in wanted]
