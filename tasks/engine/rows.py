"""Replies and failures as rows of raw.generations and raw.attempts, exactly as schemas/tables.py has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from schemas.config import Prices
from schemas.errors import ConnectionLost, Permanent, ProviderError, ServerFault, SextantError
from schemas.keys import digest
from schemas.records import Reply, Request, Usage
from tasks.engine.budget import reply_price


@dataclass(frozen=True)
class Attempt:
    """One request that ended: `outcome` is the whole reply, or why there is none."""

    number: int
    started_at: datetime
    latency_ms: float
    limit_at: int | None
    outcome: Reply | SextantError


def verdict(outcome: Reply | SextantError) -> tuple[str, str | None]:
    """Status and reason of an outcome. An HTTP failure is never an answer; silence and truncation are the model's own."""
    if isinstance(outcome, Permanent):
        return "error_permanent", outcome.reason
    if isinstance(outcome, ProviderError):
        return "error", outcome.reason
    if isinstance(outcome, SextantError):
        return "error", "unavailable"
    if outcome.finish_reason == "content_filter":
        return "error_permanent", "content_filter"
    if outcome.unclosed_thinking:
        return "truncated", "unclosed_thinking"
    if outcome.text.strip():
        return "answered", None
    return ("truncated", "length") if outcome.finish_reason == "length" else ("empty", "no_text")


def may_be_billed(outcome: Reply | SextantError) -> bool:
    """Whether a request without a reply may have been answered, and billed, on the other side."""
    if isinstance(outcome, ServerFault):
        return outcome.status == 200 and outcome.reason == "malformed_body"
    return isinstance(outcome, ConnectionLost) and outcome.reason != "refused"


def attempt_row(request: Request, attempt: Attempt, prices: Prices | None) -> dict[str, Any]:
    """A row of raw.attempts. A failed request costs nothing, unless its reply was lost on the way: then NULL."""
    status, reason = verdict(attempt.outcome)
    reply = attempt.outcome if isinstance(attempt.outcome, Reply) else None
    used = reply.usage if reply else Usage()
    free = 0.0 if prices is not None and not may_be_billed(attempt.outcome) else None
    return {
        "attempt_id": digest("attempt", request.generation_id, attempt.number, attempt.started_at.isoformat()),
        "generation_id": request.generation_id,
        "configuration_id": request.configuration_id,
        "attempt": attempt.number,
        "started_at": attempt.started_at,
        "latency_ms": attempt.latency_ms,
        "status": status,
        "reason": reason,
        "http_status": _http_status(attempt.outcome),
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cost_usd": reply_price(prices, used) if reply else free,
        "limit_at": attempt.limit_at,
        "retry_after_s": getattr(attempt.outcome, "retry_after", None),
        "recorded_at": datetime.now(UTC),
    }


def generation_row(request: Request, kept: Attempt, attempts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A row of raw.generations from its last attempt and the rows of all its attempts (billed tokens count every one)."""
    status, reason = verdict(kept.outcome)
    reply = kept.outcome if isinstance(kept.outcome, Reply) else None
    used = reply.usage if reply else Usage()
    return {
        "generation_id": request.generation_id,
        "configuration_id": request.configuration_id,
        "prompt_id": request.prompt_id,
        "item_id": request.item_id,
        "operator": request.operator,
        "run_index": request.run_index,
        "repeat": request.repeat,
        "seed": request.seed,
        "status": status,
        "reason": reason,
        "text": _clean(reply.text) if reply else None,
        "thinking": _clean(reply.thinking) if reply else None,
        "finish_reason": _clean(reply.finish_reason) if reply else None,
        "served_model": _clean(reply.served_model) if reply else None,
        "fingerprint": _clean(reply.fingerprint) if reply else None,
        "request_id": _clean(reply.request_id) if reply else None,
        "http_status": _http_status(kept.outcome),
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "thinking_tokens": used.thinking_tokens,
        "cached_tokens": used.cached_tokens,
        "usage_source": used.source,
        "billed_input_tokens": _billed(attempts, "input_tokens"),
        "billed_output_tokens": _billed(attempts, "output_tokens"),
        "cost_usd": _billed(attempts, "cost_usd"),
        "attempts": len(attempts),
        "latency_ms": kept.latency_ms,
        "started_at": kept.started_at,
        "recorded_at": datetime.now(UTC),
    }


def _billed(attempts: Sequence[dict[str, Any]], name: str) -> Any:
    """Sum over all attempts; NULL where an answer that came did not say."""
    replied = [row for row in attempts if row["status"] in ("answered", "empty", "truncated")]
    if any(row[name] is None for row in replied):
        return None
    known = [row[name] for row in attempts if row[name] is not None]
    if name == "cost_usd":
        return float(sum(known)) if known else None
    return sum(known)


def _http_status(outcome: Reply | SextantError) -> int | None:
    if isinstance(outcome, Reply):
        return outcome.http_status
    return outcome.status if isinstance(outcome, ProviderError) else None


def _clean(text: str | None) -> str | None:
    """The text with lone surrogates replaced: JSON can escape them, Parquet cannot hold them."""
    return text if text is None or text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
