"""Money: what a request may cost at most is reserved before it is sent."""

from __future__ import annotations

import asyncio
import math

from schemas.config import Prices
from schemas.errors import BudgetReached
from schemas.records import Request, Usage

_BYTES_PER_TOKEN = 2
"""Few texts have more tokens than half their bytes; an estimate must not fall short."""
_PER_MESSAGE = 16


def estimated_tokens(request: Request) -> tuple[int, int]:
    """Upper estimate of (input, output) tokens of one request; output is its max_tokens."""
    given = sum(math.ceil(len(m.content.encode("utf-8", "replace")) / _BYTES_PER_TOKEN) + _PER_MESSAGE for m in request.messages)
    most = dict(request.sampling).get("max_tokens")
    return given, int(most) if most is not None else 0


def price(prices: Prices | None, input_tokens: int | None, output_tokens: int | None, cached_tokens: int | None = None) -> float | None:
    """USD of one reply; None without prices, or where a count is not known."""
    if prices is None or input_tokens is None or output_tokens is None:
        return None
    cached = min(cached_tokens or 0, input_tokens) if prices.cached_input is not None else 0
    cached_rate = prices.cached_input or 0.0
    return ((input_tokens - cached) * prices.input + cached * cached_rate + output_tokens * prices.output) / 1e6


def reply_price(prices: Prices | None, used: Usage) -> float | None:
    """USD of a reply with usage `used`; None where it cannot be told."""
    return price(prices, used.input_tokens, used.output_tokens, used.cached_tokens)


def halved(prices: Prices | None) -> Prices | None:
    """Prices of `mode: batch`."""
    if prices is None:
        return None
    cached = None if prices.cached_input is None else prices.cached_input / 2
    return Prices(input=prices.input / 2, output=prices.output / 2, cached_input=cached)


class Ledger:
    """One per run command: what was spent, what is reserved for requests in flight, and the cap over both."""

    def __init__(self, max_usd: float | None = None, spent: float = 0.0) -> None:
        self.max_usd, self.spent, self.reserved = max_usd, spent, 0.0
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(self, usd: float) -> None:
        """Reserve `usd` for one request; waits while requests in flight may still settle for less.

        Raises:
            BudgetReached: with nothing in flight, the request could pass the cap.
        """
        while not self.try_reserve(usd):
            if self.reserved <= 0:
                raise BudgetReached(
                    f"budget reached: {self.spent:.4f} of {self.max_usd:g} USD spent and the next request may cost {usd:.4f}; "
                    "raise `budget.max_usd` and run again, nothing is bought twice"
                )
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled

    def try_reserve(self, usd: float) -> bool:
        """Reserve `usd` if it fits below the cap now."""
        if self.max_usd is not None and self.spent + self.reserved + usd > self.max_usd * (1 + 1e-12):
            return False
        self.reserved += usd
        return True

    def settle(self, reserved: float, actual: float) -> None:
        """Replace a reservation by what the request cost."""
        self.reserved = max(0.0, self.reserved - reserved)
        if self.reserved < 1e-12:
            self.reserved = 0.0
        self.spent += actual
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():
                settled.set_result(None)
