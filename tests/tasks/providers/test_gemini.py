"""Gemini generateContent: what is sent and read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemas.errors import ContentFiltered, RateLimited, Unavailable
from schemas.records import Message, Reply, Request
from tests.engine_kit import ask, model, request
from tests.fault_bodies import Act
from tests.fault_server import FaultServer


def reply(body: dict[str, Any], status: int = 200) -> Reply:
    with FaultServer(act=lambda *_: Act(status, json.dumps(body).encode())) as server:
        return ask(model(server.url, "gemini"))


def candidate(parts: list[dict[str, Any]], finish: str = "STOP") -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": parts}, "finishReason": finish}]}


def sent(**sampling: Any) -> dict[str, Any]:
    made = request(3, **sampling)
    with FaultServer() as server:
        ask(model(server.url, "gemini"), Request(**{**made.__dict__, "messages": (Message("system", "Be brief."), *made.messages)}))
    assert server.log[0]["path"] == "/v1/models/model-2026-01-01:generateContent"
    return server.log[0]["body"]


def test_the_body_is_in_geminis_words() -> None:
    assert sent(top_p=0.9) == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": "What is 3 + 2?"}]}],
        "generationConfig": {"temperature": 0.7, "maxOutputTokens": 64, "topP": 0.9, "seed": 3},
    }


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        (512, {"thinkingBudget": 512, "includeThoughts": True}),
        (False, {"thinkingBudget": 0, "includeThoughts": False}),
        (True, {"thinkingBudget": -1, "includeThoughts": True}),
        ("low", {"thinkingLevel": "low", "includeThoughts": True}),
    ],
)
def test_thinking_is_a_budget_a_level_or_a_switch(thinking: object, expected: dict[str, Any]) -> None:
    assert sent(thinking=thinking)["generationConfig"]["thinkingConfig"] == expected


def test_thoughts_stand_apart_and_their_tokens_count_as_output() -> None:
    body = candidate([{"text": "hm", "thought": True}, {"text": "4"}, {"text": "2"}])
    body["usageMetadata"] = {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 40, "cachedContentTokenCount": 5}
    got = reply(body)
    assert (got.text, got.thinking) == ("42", "hm")
    assert (got.usage.input_tokens, got.usage.output_tokens, got.usage.thinking_tokens, got.usage.cached_tokens) == (9, 42, 40, 5)


@pytest.mark.parametrize(("finish", "ours"), [("MAX_TOKENS", "length"), ("SAFETY", "content_filter"), ("RECITATION", "content_filter"), ("OTHER", "OTHER")])
def test_finish_reasons_get_our_words(finish: str, ours: str) -> None:
    assert reply(candidate([{"text": "4"}], finish)).finish_reason == ours


def test_a_blocked_prompt_is_content_filtered_not_an_empty_answer() -> None:
    with pytest.raises(ContentFiltered, match="PROHIBITED_CONTENT"):
        reply({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 5}})


def test_retry_info_in_the_error_body_is_honoured() -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}]
    with pytest.raises(RateLimited) as caught:
        reply({"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}}, 429)
    assert caught.value.retry_after == 17


def test_a_bad_key_under_code_400_stops_the_model() -> None:
    with pytest.raises(Unavailable, match="GEMINI_API_KEY"):
        reply({"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}, 400)
