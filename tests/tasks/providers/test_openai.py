"""Chat completions: what is sent, and the fields that hosts add."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schemas.config import Model, Sampling
from schemas.errors import ConfigError, ServerFault
from schemas.records import Reply
from tasks.providers import check
from tests.engine_kit import ask, model, request
from tests.fault_bodies import Act
from tests.fault_server import FaultServer


def reply(message: dict[str, Any], *, finish: Any = "stop", usage: Any = None, **changed: Any) -> Reply:
    body = {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}
    with FaultServer(act=lambda *_: Act(body=json.dumps(body).encode())) as server:
        return ask(model(server.url, **changed))


def sent(sampling: dict[str, Any], **changed: Any) -> dict[str, Any]:
    with FaultServer() as server:
        ask(model(server.url, **changed), request(5, **sampling))
    return server.log[0]["body"]


def test_parameters_seed_and_extra_fields_are_sent_as_asked() -> None:
    body = sent({"top_p": 0.9}, extra={"repetition_penalty": 1.1})
    assert body == {
        "model": "model-2026-01-01",
        "messages": [{"role": "user", "content": "What is 5 + 2?"}],
        "temperature": 0.7,
        "max_tokens": 64,
        "top_p": 0.9,
        "seed": 5,
        "repetition_penalty": 1.1,
    }


def test_thinking_is_an_effort_word_or_a_switch_of_the_chat_template() -> None:
    assert sent({"thinking": "low"})["reasoning_effort"] == "low"
    assert sent({"thinking": False})["chat_template_kwargs"] == {"enable_thinking": False}


def test_a_thinking_budget_in_tokens_is_refused_before_any_request() -> None:
    with pytest.raises(ConfigError, match="unsupported_parameter"):
        check(model("http://127.0.0.1:9/v1"), Sampling(thinking=2048))


def test_temperature_is_left_out_only_where_the_model_takes_none_and_one_is_asked() -> None:
    assert "temperature" not in sent({"temperature": 1}, unsupported=["temperature"])
    assert sent({"temperature": 1})["temperature"] == 1


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_structured_thinking_stands_apart(field: str) -> None:
    got = reply({"content": "4", field: "2 and 2"})
    assert (got.text, got.thinking) == ("4", "2 and 2")


def test_content_in_parts_is_joined_and_thinking_parts_stand_apart() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "4"}, {"type": "text", "text": "2"}]
    got = reply({"content": parts})
    assert (got.text, got.thinking) == ("42", "hm")


def test_an_unclosed_thinking_tag_is_marked() -> None:
    got = reply({"content": "<think>forever"}, finish="length")
    assert (got.text, got.thinking, got.unclosed_thinking) == ("", "forever", True)


def test_a_refusal_is_the_models_text() -> None:
    assert reply({"content": None, "refusal": "I cannot."}).text == "I cannot."


def test_choices_out_of_order_give_the_first() -> None:
    choices = [{"index": i, "message": {"content": str(i)}, "finish_reason": "stop"} for i in (1, 0)]
    with FaultServer(act=lambda *_: Act(body=json.dumps({"choices": choices}).encode())) as server:
        assert ask(model(server.url)).text == "0"


@pytest.mark.parametrize("content", [7, {"a": 1}, True, ["text"]])
def test_content_that_is_no_text_is_a_fault(content: object) -> None:
    with pytest.raises(ServerFault):
        reply({"content": content})


@pytest.mark.parametrize("finish", ["error", "insufficient_system_resource", "abort"])
def test_an_answer_broken_off_by_the_provider_is_asked_again(finish: str) -> None:
    with pytest.raises(ServerFault, match="broke"):
        reply({"content": "The answer is"}, finish=finish)


def test_thinking_and_cached_tokens_are_read_and_output_holds_thinking() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 30, "total_tokens": 40}
    details = {"completion_tokens_details": {"reasoning_tokens": 25}, "prompt_tokens_details": {"cached_tokens": 8}}
    got = reply({"content": "4"}, usage={**usage, **details}).usage
    assert (got.input_tokens, got.output_tokens, got.thinking_tokens, got.cached_tokens) == (10, 30, 25, 8)


def test_a_host_that_counts_thinking_apart_has_it_added() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 25}}
    assert reply({"content": "4"}, usage=usage).usage.output_tokens == 30


@pytest.mark.parametrize("tokens", [None, 0, -3, 2.5, "12", True, 10**30])
def test_a_count_that_is_none_is_null(tokens: object) -> None:
    got = reply({"content": "4"}, usage={"prompt_tokens": 10, "completion_tokens": tokens}).usage
    assert (got.output_tokens, got.source) == (None, "missing")


def test_openais_own_host_is_sent_its_own_name_for_max_tokens() -> None:
    from pathlib import Path

    from tasks.providers.openai import OpenAI

    ours = Model(name="m", provider="openai", model="gpt-4o-mini-2024-07-18")
    body = OpenAI(ours, Path()).body(request(1))
    assert body["max_completion_tokens"] == 64
    assert "max_tokens" not in body
