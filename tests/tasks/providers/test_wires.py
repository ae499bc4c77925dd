"""All three wire formats against a server that speaks them: answers, and everything that is no answer."""

from __future__ import annotations

import pytest

from schemas.errors import BadRequest, ConnectionLost, ContentFiltered, ContextOverflow, RateLimited, ServerFault, Unavailable
from schemas.records import Usage
from tests.engine_kit import ask, limits, model
from tests.fault_bodies import Act
from tests.fault_server import FaultServer, Plan

WIRES = ("openai", "anthropic", "gemini")
NO_ANSWER = {
    "429": (RateLimited, "rate_limited"),
    "429_after": (RateLimited, "rate_limited"),
    "429_date": (RateLimited, "rate_limited"),
    "500": (ServerFault, "server_fault"),
    "502": (ServerFault, "server_fault"),
    "503": (ServerFault, "server_fault"),
    "529": (ServerFault, "server_fault"),
    "reset": (ConnectionLost, "reset"),
    "close": (ConnectionLost, "reset"),
    "stall": (ConnectionLost, "timeout"),
    "truncated_json": (ServerFault, "malformed_body"),
    "cut_body": (ConnectionLost, "reset"),
    "html": (ServerFault, "malformed_body"),
    "invalid_utf8": (ServerFault, "malformed_body"),
    "empty_choices": (ServerFault, None),
    "error_body": (ServerFault, "error_body"),
    "redirect": (ServerFault, "redirect"),
    "huge": (ServerFault, "body_too_large"),
    "400": (BadRequest, "bad_request"),
    "overflow": (ContextOverflow, "context_overflow"),
    "filter": (ContentFiltered, "content_filter"),
}


@pytest.mark.parametrize("wire", WIRES)
def test_an_answer_fills_the_one_record(wire: str) -> None:
    with FaultServer() as server:
        reply = ask(model(server.url, wire, api_key_env=None))
    assert reply.text.startswith("First, think about it.")
    assert (reply.finish_reason, reply.served_model, reply.http_status) == ("stop", "model-2026-01-01", 200)
    assert reply.usage.source == "provider"
    assert reply.usage.input_tokens and reply.usage.output_tokens
    assert reply.request_id


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("kind", NO_ANSWER)
def test_what_is_no_answer_is_raised_by_its_right_name(kind: str, wire: str) -> None:
    expected, reason = NO_ANSWER[kind]
    with FaultServer(Plan(always=kind)) as server, pytest.raises(expected) as caught:
        ask(model(server.url, wire, limits=limits(read_timeout_s=0.15 if kind == "stall" else 20)))
    assert type(caught.value) is expected
    assert reason is None or caught.value.reason == reason


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("kind", ["401", "402", "403", "404", "quota"])
def test_what_no_request_can_survive_is_unavailable_with_its_remedy(kind: str, wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-planted")
    remedy = {"401": "SOME_KEY", "403": "SOME_KEY", "402": "credit", "quota": "credit", "404": "base_url"}[kind]
    with FaultServer(Plan(always=kind)) as server, pytest.raises(Unavailable, match=remedy):
        ask(model(server.url, wire, api_key_env="SOME_KEY"))


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("kind", ["no_usage", "null_usage", "zero_usage"])
def test_missing_or_zero_usage_with_text_is_null_never_zero(kind: str, wire: str) -> None:
    with FaultServer(Plan(always=kind)) as server:
        reply = ask(model(server.url, wire))
    assert reply.text
    assert reply.usage == Usage(source="missing", cached_tokens=reply.usage.cached_tokens)


@pytest.mark.parametrize("wire", WIRES)
def test_null_content_is_an_empty_reply_of_the_model(wire: str) -> None:
    with FaultServer(Plan(always="null_content")) as server:
        assert ask(model(server.url, wire)).text == ""


@pytest.mark.parametrize("wire", WIRES)
def test_a_redirect_is_not_followed_and_its_credentials_are_not_told(wire: str) -> None:
    with FaultServer(Plan(always="redirect")) as server:
        with pytest.raises(ServerFault) as caught:
            ask(model(server.url, wire))
        assert len(server.log) == 1
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("body", [b"[]", b"null", b'"text"', b"3", b"{}", b"[" * 100_000, b'{"x": ' + b"9" * 5000 + b"}", b""])
def test_json_that_is_no_reply_is_a_fault_of_the_server(body: bytes) -> None:
    with FaultServer(act=lambda *_: Act(body=body)) as server, pytest.raises(ServerFault):
        ask(model(server.url))


@pytest.mark.parametrize("status", [201, 204, 206, 301, 304, 409, 425, 498, 501, 505, 520, 599])
def test_any_code_but_200_is_no_answer_even_with_a_good_body(status: int) -> None:
    good = b'{"choices": [{"message": {"content": "42"}, "finish_reason": "stop"}]}'
    with FaultServer(act=lambda *_: Act(status, b"" if status in (204, 304) else good)) as server, pytest.raises(ServerFault):
        ask(model(server.url))


def test_the_key_is_sent_where_each_api_wants_it_and_never_in_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-planted")
    for wire, header, value in (
        ("openai", "authorization", "Bearer sk-planted"),
        ("anthropic", "x-api-key", "sk-planted"),
        ("gemini", "x-goog-api-key", "sk-planted"),
    ):
        with FaultServer() as server:
            ask(model(server.url, wire, api_key_env="SOME_KEY"))
        assert server.log[0]["headers"][header] == value
        assert "planted" not in server.log[0]["path"]


def test_no_key_variable_and_an_own_base_url_send_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    with FaultServer() as server:
        ask(model(server.url))
    assert "authorization" not in server.log[0]["headers"], "OpenAI's key went to another host"
