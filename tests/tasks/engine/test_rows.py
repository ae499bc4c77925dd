"""Replies and failures as rows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from schemas.config import Prices
from schemas.errors import BadRequest, ConnectionLost, ContentFiltered, ContextOverflow, RateLimited, ServerFault
from schemas.records import Reply, Usage
from schemas.tables import TABLES
from tasks.engine.rows import Attempt, attempt_row, generation_row, verdict
from tests.engine_kit import request

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PRICES = Prices(input=1.0, output=2.0)


def reply(text: str = "4", finish: str | None = "stop", *, thinking: str | None = None, unclosed: bool = False, usage: Usage | None = None) -> Reply:
    return Reply(text, thinking, finish, usage or Usage(10, 5, source="provider"), unclosed_thinking=unclosed)


@pytest.mark.parametrize(
    ("outcome", "status", "reason"),
    [
        (reply(), "answered", None),
        (reply("cut of", "length"), "answered", None),
        (reply(""), "empty", "no_text"),
        (reply(" \n"), "empty", "no_text"),
        (reply("", None), "empty", "no_text"),
        (reply("", "length"), "truncated", "length"),
        (reply("", "length", thinking="hm", unclosed=True), "truncated", "unclosed_thinking"),
        (reply("so far", "content_filter"), "error_permanent", "content_filter"),
        (RateLimited("x"), "error", "rate_limited"),
        (ServerFault("x", status=500), "error", "server_fault"),
        (ConnectionLost("x"), "error", "connection_lost"),
        (BadRequest("x", status=400), "error_permanent", "bad_request"),
        (ContextOverflow("x", status=400), "error_permanent", "context_overflow"),
        (ContentFiltered("x", status=400), "error_permanent", "content_filter"),
    ],
)
def test_status_and_reason(outcome: object, status: str, reason: str | None) -> None:
    assert verdict(outcome) == (status, reason)  # type: ignore[arg-type]


def attempts(*outcomes: object) -> tuple[dict[str, object], list[dict[str, object]]]:
    made = [Attempt(i, NOW, 5.0, 8, outcome) for i, outcome in enumerate(outcomes, start=1)]  # type: ignore[arg-type]
    rows = [attempt_row(request(1), one, PRICES) for one in made]
    return generation_row(request(1), made[-1], rows), rows


def test_rows_have_the_columns_of_their_tables() -> None:
    row, (attempt,) = attempts(reply())
    assert set(row) == {column.name for column in TABLES["generations"].columns}
    assert set(attempt) == {column.name for column in TABLES["attempts"].columns}


def test_billed_counts_every_attempt_and_the_answers_own_tokens_stand_apart() -> None:
    row, rows = attempts(RateLimited("x", retry_after=3.0), reply("", "content_filter", usage=Usage(10, 2, source="provider")), reply())
    assert (row["output_tokens"], row["billed_output_tokens"], row["billed_input_tokens"], row["attempts"]) == (5, 7, 20, 3)
    assert row["cost_usd"] == pytest.approx((20 + 2 * 7) / 1e6)
    assert [one["retry_after_s"] for one in rows] == [3.0, None, None]


def test_missing_usage_leaves_billed_and_cost_null_never_zero() -> None:
    row, _ = attempts(ServerFault("x", status=500), reply(usage=Usage()))
    assert (row["output_tokens"], row["billed_output_tokens"], row["cost_usd"], row["usage_source"]) == (None, None, None, "missing")


def test_a_failed_generation_has_no_text_and_says_what_happened_last() -> None:
    row, _ = attempts(ConnectionLost("x"), ServerFault("x", status=503))
    assert (row["status"], row["text"], row["http_status"], row["attempts"], row["cost_usd"]) == ("error", None, 503, 2, 0.0)


def test_lone_surrogates_are_replaced_and_pairs_are_joined() -> None:
    row, _ = attempts(reply("a\ud800b \ud83d\ude00"))
    assert row["text"] == "a\ufffdb \U0001f600"
