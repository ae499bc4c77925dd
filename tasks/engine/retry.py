"""The one retry layer: how long to wait before a request is asked again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Backoff:
    """Exponential backoff with full jitter, in seconds: uniform in [0, min(cap, base * 2**(attempt - 1))]."""

    base_s: float = 0.5
    cap_s: float = 30.0
    rng: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    def ceiling(self, attempt: int) -> float:
        """Most seconds to wait after failed attempt number `attempt` (from 1)."""
        return float(min(self.cap_s, self.base_s * 2 ** min(attempt - 1, 30)))

    def wait(self, attempt: int, retry_after: float | None = None) -> float:
        """Seconds to wait after failed attempt number `attempt`; never less than what the provider asked for."""
        jitter = self.rng.uniform(0, self.ceiling(attempt))
        return jitter if retry_after is None else max(retry_after, jitter) + self.rng.uniform(0, self.base_s)
