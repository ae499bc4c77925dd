"""Where stages say how far they are. The command line shows it; without a listener it goes nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Advance:
    """`done` more units of `stage` for `label` are finished, at a cost; `total` is set once, when the work is known."""

    stage: str
    label: str
    done: int = 0
    total: int | None = None
    tokens: int = 0
    cost_usd: float = 0.0
    retries: int = 0
    errors: int = 0
    limit: int | None = None


_listeners: list[Callable[[Advance], None]] = []


def tell(advance: Advance) -> None:
    """Pass `advance` to the listeners of this process."""
    for listener in _listeners:
        listener(advance)


def listen(listener: Callable[[Advance], None]) -> Callable[[], None]:
    """Add a listener; the returned function removes it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
