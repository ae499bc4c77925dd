"""A process that holds a store's lock until it is told to let go by a line on its standard input."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from warehouse.store import store_at
with store_at(sys.argv[1]).writing():
    print("held", flush=True)
    sys.stdin.readline()
"""


def hold(address: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a process that holds the store at `address`, and wait until it does."""
    line = [sys.executable, "-c", HOLDER, address]
    holder = subprocess.Popen(line, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    return holder


def released(holder: subprocess.Popen[str], said: list[str]) -> Callable[[str], None]:
    """For `waiting`: keeps what the one who waits is told, and lets the holder go."""

    def waiting(line: str) -> None:
        said.append(line)
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()

    return waiting
