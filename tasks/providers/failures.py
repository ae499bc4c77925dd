"""HTTP failures to our exceptions: what may be asked again, what never succeeds, and what stops the whole model."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from schemas.errors import BadRequest, ConnectionLost, ContentFiltered, ContextOverflow, ProviderError, RateLimited, RunError, ServerFault, Unavailable

_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|request_too_large|string_above_max_length|maximum context length|context (?:length|size|window)"
    r"|prompt is too long|too many tokens|token count .{0,80}exceeds|exceeds? the (?:maximum|model)",
    re.IGNORECASE,
)
_FILTER = re.compile(r"content_filter|content_policy|content management policy|ResponsibleAIPolicy|flagged|moderation|safety", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient balance|credit balance|billing|usage limits?|spend(?:ing)? limit", re.IGNORECASE)
_BAD_KEY = re.compile(r"API_KEY_INVALID|api[ _-]key (?:is )?(?:not valid|invalid|expired)|(?:invalid|incorrect) (?:x-)?api[ _-]key", re.IGNORECASE)


def failure(status: int, headers: Mapping[str, str], body: Mapping[str, Any] | None, key_name: str) -> RunError:
    """The exception for a reply that is no answer. `status` 200: an error body under a good code.

    `key_name` tells the user which variable holds the key; the provider's own words are kept short and hold no key of ours.
    """
    words = _words(body)
    told = f"HTTP {status}" + (f": {words[:300]}" if words else "")
    if status in (401, 402, 403, 404, 405) or (status in (400, 429) and (_NO_CREDIT.search(words) or _BAD_KEY.search(words))):
        return _stops_model(status, words, told, key_name)
    if status == 429:
        return RateLimited(told, status=status, retry_after=retry_after(headers, body))
    if status == 408:
        return ConnectionLost(told, status=status)
    if status in (400, 413, 422) or (400 <= status < 500 and status not in (409, 425, 498, 499)):
        return _rejected(status, words, told)
    error = ServerFault(told, status=status, retry_after=retry_after(headers, body))
    if status == 200:
        if _OVERFLOW.search(words) or _FILTER.search(words):
            return _rejected(status, words, told)
        error.reason = "error_body"
    elif 300 <= status < 400:
        error.reason = "redirect"
    return error


def retry_after(headers: Mapping[str, str], body: Mapping[str, Any] | None = None) -> float | None:
    """Seconds the provider asks us to wait: `retry-after-ms`, `retry-after` (seconds or HTTP date), Gemini's RetryInfo."""
    wait = _number(headers.get("retry-after-ms"), 0.001)
    if wait is None:
        stated = headers.get("retry-after")
        wait = _number(stated, 1.0)
        if wait is None and stated:
            wait = _until(stated, headers.get("date"))
    return wait if wait is not None else _retry_info(body)


def fault(reason: str, message: str) -> ServerFault:
    """A reply under code 200 that is not what the API promises; asked again."""
    error = ServerFault(message, status=200)
    error.reason = reason
    return error


def lost(reason: str, message: str) -> ConnectionLost:
    """A connection that ended before a whole reply; `refused` means that nothing was sent."""
    error = ConnectionLost(message)
    error.reason = reason
    return error


def _rejected(status: int, words: str, told: str) -> ProviderError:
    if status == 413 or _OVERFLOW.search(words):
        return ContextOverflow(told, status=status)
    if _FILTER.search(words):
        return ContentFiltered(told, status=status)
    return BadRequest(told, status=status)


def _stops_model(status: int, words: str, told: str, key_name: str) -> RunError:
    if status == 403 and _FILTER.search(words):
        return ContentFiltered(told, status=status)
    if status in (401, 403) or _BAD_KEY.search(words):
        return Unavailable(f"the provider refused the key ({told}); set {key_name} to a valid one and run again")
    if status in (400, 402, 429):
        return Unavailable(f"the provider's account has no credit left ({told}); top it up and run again")
    return Unavailable(f"the provider knows no such model or path ({told}); mend `model` or `base_url` and run again")


def _words(body: Mapping[str, Any] | None) -> str:
    error = body.get("error", body) if body else None
    if isinstance(error, list) and error:
        error = error[0]
    if isinstance(error, dict):
        parts = [error.get(name) for name in ("type", "code", "status", "message")]
        return " ".join(str(part) for part in parts if isinstance(part, str | int))
    return str(error)[:300] if isinstance(error, str) else ""


def _number(text: str | None, unit: float) -> float | None:
    try:
        value = float(text) if text else math.nan
    except ValueError:
        return None
    return max(value * unit, 0.0) if math.isfinite(value) else None


def _until(stated: str, server_date: str | None) -> float | None:
    """Seconds to an HTTP date, by the server's own clock where it tells it."""
    try:
        target = parsedate_to_datetime(stated).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    try:
        now = parsedate_to_datetime(server_date).timestamp() if server_date else time.time()
    except (ValueError, TypeError, OverflowError):
        now = time.time()
    return max(target - now, 0.0)


def _retry_info(body: Mapping[str, Any] | None) -> float | None:
    error = body.get("error") if body else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else []:
        if isinstance(detail, dict) and isinstance(detail.get("retryDelay"), str):
            return _number(detail["retryDelay"].removesuffix("s"), 1.0)
    return None
