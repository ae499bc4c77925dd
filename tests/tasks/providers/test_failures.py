"""Retry-After in all its forms."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from schemas.errors import ContentFiltered, RateLimited, Unavailable
from tasks.providers.failures import failure, retry_after

NOW = 1_700_000_000


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": formatdate(NOW + 90, usegmt=True), "date": formatdate(NOW, usegmt=True)}, 90.0),
        ({"retry-after": formatdate(NOW - 90, usegmt=True), "date": formatdate(NOW, usegmt=True)}, 0.0),
        ({"retry-after": formatdate(NOW, usegmt=True)}, 0.0),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_by_the_servers_clock(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_without_the_servers_clock_counts_from_ours() -> None:
    wait = retry_after({"retry-after": formatdate(4_000_000_000, usegmt=True)})
    assert wait is not None
    assert wait > 1e8


def test_retry_after_of_an_overloaded_server_reaches_the_exception() -> None:
    assert failure(503, {"retry-after": "9"}, None, "KEY").retry_after == 9  # type: ignore[attr-defined]
    limited = failure(429, {"retry-after": "9"}, {"error": {"message": "slow"}}, "KEY")
    assert isinstance(limited, RateLimited)
    assert limited.retry_after == 9


def test_a_moderated_prompt_under_403_does_not_stop_the_model() -> None:
    body = {"error": {"code": 403, "message": "Your input was flagged by moderation"}}
    assert isinstance(failure(403, {}, body, "KEY"), ContentFiltered)
    assert isinstance(failure(403, {}, None, "KEY"), Unavailable)


def test_a_spent_account_under_code_400_stops_the_model() -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API."}}
    assert isinstance(failure(400, {}, body, "KEY"), Unavailable)


def test_a_long_message_of_the_provider_is_cut() -> None:
    assert len(str(failure(500, {}, {"error": {"message": "x" * 100_000}}, "KEY"))) < 400
