"""Runs the engine until done, in a process that the kill test kills: see tests/tasks/engine/test_kill.py."""

from __future__ import annotations

from pathlib import Path

from tests.engine_kit import model, requests, run


def drive(url: str, journal: str, n: int) -> None:
    """Ask n requests of the server at `url`, journalling to `journal`."""
    run(model(url), requests(n), Path(journal))
