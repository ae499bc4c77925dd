"""Answers and faults of the fault server: what each is on the wire. Answers depend on the prompt and the seed alone."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Act:
    """What the server does with one request: a whole HTTP response, or how it breaks off."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    promise: int | None = None
    """Content-Length when it lies."""
    how: str = "send"
    """send, slow (byte by byte), twice (the reply and its copy), stall, reset, close."""


def key_of(body: dict[str, Any]) -> str:
    """One name for one question: prompt and seed, whatever the wire format."""
    seed = body.get("seed", body.get("generationConfig", {}).get("seed"))
    return hashlib.sha256(json.dumps([body.get("messages") or body.get("contents"), seed]).encode()).hexdigest()[:16]


def answer(wire: str, key: str, model: str) -> dict[str, Any]:
    """A right answer in the wire format `openai`, `anthropic` or `gemini`."""
    number = int(key[:8], 16)
    text, given, spoken = f"First, think about it.\nThe answer is {number % 1000}.", 20 + number % 7, 9 + number % 5
    if wire == "anthropic":
        usage = {"input_tokens": given, "output_tokens": spoken}
        content = [{"type": "text", "text": text}]
        return {"id": f"msg_{key}", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": "end_turn", "usage": usage}
    if wire == "gemini":
        candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
        counts = {"promptTokenCount": given, "candidatesTokenCount": spoken, "totalTokenCount": given + spoken}
        return {"candidates": [candidate], "usageMetadata": counts, "modelVersion": model, "responseId": f"resp-{key}"}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    counts = {"prompt_tokens": given, "completion_tokens": spoken, "total_tokens": given + spoken}
    return {"id": f"chatcmpl-{key}", "object": "chat.completion", "model": model, "system_fingerprint": "fp_fault", "choices": [choice], "usage": counts}


def error(wire: str, status: int, kind: str, message: str) -> dict[str, Any]:
    """An error body as that API writes it."""
    if wire == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_fault"}
    if wire == "gemini":
        return {"error": {"code": status, "message": message, "status": kind.upper()}}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


TRANSIENT = (
    "429", "429_after", "429_date", "500", "502", "503", "529", "reset", "close", "stall", "slow", "truncated_json", "cut_body", "html",
    "invalid_utf8", "empty_choices", "error_body", "redirect", "twice",
)  # fmt: skip
"""Faults after which asking again succeeds."""

_ERRORS = {
    "429": (429, "rate_limit_error", "slow down"),
    "429_after": (429, "rate_limit_error", "slow down"),
    "429_date": (429, "rate_limit_error", "slow down"),
    "500": (500, "api_error", "internal error"),
    "503": (503, "unavailable", "try later"),
    "529": (529, "overloaded_error", "overloaded"),
    "400": (400, "invalid_request_error", "temperature must be a number"),
    "401": (401, "authentication_error", "invalid key"),
    "402": (402, "billing_error", "insufficient balance"),
    "403": (403, "permission_error", "no access"),
    "404": (404, "not_found_error", "no such model"),
    "quota": (429, "insufficient_quota", "you exceeded your current quota"),
    "overflow": (400, "context_length_exceeded", "This model's maximum context length is 4096 tokens"),
    "filter": (400, "content_filter", "the prompt triggered the content management policy"),
}


def fault(name: str, wire: str, good: dict[str, Any], retry_after_s: float) -> Act:
    """The act that `name` stands for; `good` is the answer it spoils."""
    whole = json.dumps(good).encode()
    if name in _ERRORS:
        status, kind, message = _ERRORS[name]
        return Act(status, json.dumps(error(wire, status, kind, message)).encode(), _wait(name, retry_after_s))
    acts = {
        "answer": lambda: Act(body=whole),
        "502": lambda: Act(502, b"<html><body>502 Bad Gateway</body></html>", {"content-type": "text/html"}),
        "reset": lambda: Act(how="reset"),
        "close": lambda: Act(how="close"),
        "stall": lambda: Act(how="stall"),
        "slow": lambda: Act(body=whole, how="slow"),
        "twice": lambda: Act(body=whole, how="twice"),
        "truncated_json": lambda: Act(body=whole[: len(whole) // 2]),
        "cut_body": lambda: Act(body=whole[: len(whole) // 2], promise=len(whole)),
        "html": lambda: Act(body=b"<!doctype html><p>Service page</p>", headers={"content-type": "text/html"}),
        "invalid_utf8": lambda: Act(body=whole.replace(b"answer", b"ans\xff\xfeer")),
        "error_body": lambda: Act(body=json.dumps(error(wire, 200, "server_error", "upstream failed")).encode()),
        "redirect": lambda: Act(302, b"", {"location": "http://user:secret@elsewhere.example/v1"}),
        "huge": lambda: Act(body=_huge()),
    }
    return acts[name]() if name in acts else Act(body=json.dumps(_spoiled(name, wire, good)).encode())


@cache
def _huge() -> bytes:
    return b'{"choices": "' + b"x" * 50_000_000 + b'"}'


def _wait(name: str, seconds: float) -> dict[str, str]:
    if name == "429_after":
        return {"retry-after": f"{seconds:g}"}
    return {"retry-after": formatdate(usegmt=True), "date": formatdate(usegmt=True)} if name == "429_date" else {}


def _spoiled(name: str, wire: str, good: dict[str, Any]) -> dict[str, Any]:
    """A good answer changed in one place."""
    usage = {"openai": "usage", "anthropic": "usage", "gemini": "usageMetadata"}[wire]
    choices = {"openai": "choices", "anthropic": "content", "gemini": "candidates"}[wire]
    if name == "no_usage":
        return {k: v for k, v in good.items() if k != usage}
    if name == "zero_usage":
        return {**good, usage: dict.fromkeys(good[usage], 0)}
    if name == "null_usage":
        return {**good, usage: None}
    if name == "empty_choices":
        return {**good, choices: [] if wire != "anthropic" else None}
    if name == "null_content":
        empty = {"openai": [{"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "stop"}], "anthropic": []}
        return {**good, choices: empty.get(wire, [{"finishReason": "STOP", "index": 0}])}
    raise KeyError(f"no fault named {name!r}")
