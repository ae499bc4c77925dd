"""Backoff."""

from __future__ import annotations

import random

from tasks.engine import Backoff


def test_jitter_is_full_from_zero_to_a_ceiling_that_doubles_up_to_its_cap() -> None:
    backoff = Backoff(0.5, 8.0, random.Random(0))
    assert [backoff.ceiling(n) for n in range(1, 8)] == [0.5, 1, 2, 4, 8, 8, 8]
    assert backoff.ceiling(10_000) == 8
    waits = [backoff.wait(3) for _ in range(2000)]
    assert 0 <= min(waits) < 0.05
    assert 1.95 < max(waits) <= 2
    assert 0.95 < sum(waits) / len(waits) < 1.05


def test_never_sooner_than_asked_and_not_all_at_the_same_moment() -> None:
    backoff = Backoff(0.5, 8.0, random.Random(0))
    waits = [backoff.wait(1, 30.0) for _ in range(100)]
    assert min(waits) >= 30
    assert len(set(waits)) == 100
