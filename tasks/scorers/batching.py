"""Batches of like length within a token budget, and work spread over cores without spinning threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


def batches(lengths: Sequence[int], *, tokens: int, rows: int) -> Iterator[list[int]]:
    """Indices of `lengths` in batches of similar length, longest first.

    A batch holds at most `rows` sequences and at most `tokens` tokens, padding included (one sequence at least).
    Longest first, so that memory peaks at once and not after an hour.
    """
    batch: list[int] = []
    width = 0
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if batch and (len(batch) >= rows or width * (len(batch) + 1) > tokens):
            yield batch
            batch = []
        if not batch:
            width = max(1, lengths[index])
        batch.append(index)
    if batch:
        yield batch


def blocks(items: Iterable[In], size: int) -> Iterator[list[In]]:
    """Consecutive blocks of at most `size` items: what bounds memory on an endless stream."""
    stream = iter(items)
    while block := list(islice(stream, size)):
        yield block


def cores() -> int:
    """Cores this process may use; `SEXTANT_THREADS` overrides."""
    named = os.environ.get("SEXTANT_THREADS", "")
    return max(1, int(named)) if named.isdigit() else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(work: Callable[[In], Out], items: Sequence[In]) -> list[Out]:
    """`work` over `items`, one thread per core, in order. For work that drops the interpreter lock (sessions of one thread each)."""
    count = min(cores(), len(items))
    if count <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, items))
