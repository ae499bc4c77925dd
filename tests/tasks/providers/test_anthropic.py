"""Anthropic messages: what is sent and read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemas.config import Sampling
from schemas.errors import ConfigError
from schemas.records import Message, Reply, Request
from tasks.providers import check
from tests.engine_kit import ask, model, request
from tests.fault_bodies import Act
from tests.fault_server import FaultServer

NO_SEED = Sampling(send_seed=False)


def reply(content: Any, stop: str = "end_turn", usage: Any = None) -> Reply:
    body = {"type": "message", "content": content, "stop_reason": stop, "usage": usage, "model": "served"}
    with FaultServer(act=lambda *_: Act(body=json.dumps(body).encode(), headers={"request-id": "req_7"})) as server:
        return ask(model(server.url, "anthropic"), unseeded())


def unseeded(**sampling: Any) -> Request:
    made = request(3, **sampling)
    return Request(**{**made.__dict__, "seed": None, "messages": (Message("system", "Be brief."), *made.messages)})


def sent(**sampling: Any) -> dict[str, Any]:
    with FaultServer() as server:
        ask(model(server.url, "anthropic"), unseeded(**sampling))
    assert server.log[0]["headers"]["anthropic-version"] == "2023-06-01"
    return server.log[0]["body"]


def test_the_system_prompt_stands_apart_and_no_seed_is_sent() -> None:
    messages = [{"role": "user", "content": "What is 3 + 2?"}]
    assert sent() == {"model": "model-2026-01-01", "system": "Be brief.", "messages": messages, "temperature": 0.7, "max_tokens": 64}


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        (2048, {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        (True, {"thinking": {"type": "adaptive"}}),
        (False, {"thinking": {"type": "disabled"}}),
        ("low", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}),
    ],
)
def test_thinking_is_a_budget_an_effort_or_a_switch(thinking: object, expected: dict[str, Any]) -> None:
    body = sent(thinking=thinking)
    assert {key: body[key] for key in body if key in ("thinking", "output_config")} == expected


def test_a_seed_is_refused_not_dropped() -> None:
    with pytest.raises(ConfigError, match="unsupported_parameter.*send_seed"):
        check(model("http://127.0.0.1:9/v1", "anthropic"), Sampling())
    check(model("http://127.0.0.1:9/v1", "anthropic"), NO_SEED)


@pytest.mark.parametrize(
    "sampling", [{"thinking": 2048, "temperature": 0.7, "max_tokens": 4096}, {"thinking": 2048, "temperature": 1.0}, {"thinking": 12, "temperature": 1.0}]
)
def test_thinking_settings_the_api_would_reject_are_refused(sampling: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        check(model("http://127.0.0.1:9/v1", "anthropic"), Sampling(send_seed=False, **sampling))


def test_thinking_blocks_and_text_blocks_stand_apart() -> None:
    got = reply([{"type": "thinking", "thinking": "hm"}, {"type": "redacted_thinking", "data": "xx"}, {"type": "text", "text": "4"}])
    assert (got.text, got.thinking, got.request_id, got.served_model) == ("4", "hm", "req_7", "served")


@pytest.mark.parametrize(("stop", "finish"), [("max_tokens", "length"), ("refusal", "content_filter"), ("stop_sequence", "stop"), ("pause_turn", "pause_turn")])
def test_stop_reasons_get_our_words(stop: str, finish: str) -> None:
    assert reply([{"type": "text", "text": "4"}], stop).finish_reason == finish


def test_input_tokens_hold_what_came_from_the_cache() -> None:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 7, "output_tokens": 3}
    got = reply([{"type": "text", "text": "4"}], usage=usage).usage
    assert (got.input_tokens, got.cached_tokens, got.output_tokens) == (102, 90, 3)
