"""Alerts: both forms of the webhook, bounded retries, and a URL that nothing shows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest
from webhook import Webhook, listening

from flows.alerts import ATTEMPTS, Alert, body_of, post, tell_operator, text_of, webhook_of
from schemas.config import Run
from schemas.errors import MissingSecret

WORSE = Alert("regressed", "gpt: regressed in correctness <&>", ("correctness: 0.900 -> 0.500",), "gpt", "c1", 0.25, "report: file:///r.html")


def run_of(**settings: object) -> Run:
    body = {"name": "night", "datasets": [{"name": "gsm8k"}], "configurations": [{"name": "gpt", "model": "gpt.yaml"}]}
    return Run.model_validate(body | settings)


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with listening() as server:
        yield server


def test_an_alert_says_what_moved_what_it_cost_and_where_to_look() -> None:
    assert text_of(WORSE).splitlines() == [WORSE.title, "correctness: 0.900 -> 0.500", "cost of the night so far: $0.2500", "report: file:///r.html"]


@pytest.mark.parametrize(
    ("form", "url", "slack"),
    [
        ("auto", "https://hooks.slack.com/services/T/B/x", True),
        ("auto", "https://hooks.slack.com.evil.example/x", False),
        ("auto", "https://example.org/slack.com", False),
        ("slack", "https://mattermost.example.org/hooks/x", True),
        ("json", "https://hooks.slack.com/services/T/B/x", False),
    ],
)
def test_slacks_hosts_get_slacks_form_and_others_generic_json(form: str, url: str, slack: bool) -> None:
    body = body_of([WORSE], run_of(alert_form=form), url)
    assert ("blocks" in body) is slack
    if slack:
        assert "&lt;&amp;&gt;" in body["blocks"][0]["text"]["text"], "names cannot become Slack's links or mentions"
    else:
        assert body["alerts"][0]["kind"] == "regressed"
        assert body["alerts"][0]["cost_usd"] == 0.25


def test_a_hundred_alerts_stay_within_slacks_limits() -> None:
    body = body_of([Alert("drift", "x" * 5000)] * 100, run_of(alert_form="slack"), "https://x")
    assert len(body["blocks"]) == 50
    assert max(len(block["text"]["text"]) for block in body["blocks"]) <= 3000
    assert len(body["text"]) <= 3000


def test_what_may_pass_is_sent_again_and_what_will_not_is_not(webhook: Webhook) -> None:
    webhook.codes = [503, 429]
    assert post(webhook.url, {"a": 1}, pause_s=0) is None
    assert len(webhook.got) == 3
    webhook.codes = [404]
    assert post(webhook.url, {"a": 1}, pause_s=0) == "code 404"
    assert len(webhook.got) == 4
    webhook.codes = [500] * 99
    assert post(webhook.url, {"a": 1}, pause_s=0) == "code 500"
    assert len(webhook.got) == 4 + ATTEMPTS


def test_a_webhook_that_nobody_answers_is_told_without_its_url_and_stops_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("flows.alerts.PAUSE_S", 0)
    monkeypatch.setattr("flows.alerts.ATTEMPTS", 1)
    with caplog.at_level(logging.WARNING, logger="sextant"):
        asyncio.run(tell_operator([WORSE], run_of(alert_webhook_env="HOOK"), "http://127.0.0.1:9/secret-token"))
    assert "regressed in correctness" in caplog.text
    assert "webhook of HOOK took nothing" in caplog.text
    assert "secret-token" not in caplog.text


def test_a_webhook_whose_variable_is_not_set_is_refused_before_the_night_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOOK", raising=False)
    with pytest.raises(MissingSecret, match="HOOK"):
        webhook_of(run_of(alert_webhook_env="HOOK"))
    assert webhook_of(run_of()) is None


def test_nothing_to_tell_posts_nothing(webhook: Webhook) -> None:
    asyncio.run(tell_operator([], run_of(), webhook.url))
    assert webhook.got == []
