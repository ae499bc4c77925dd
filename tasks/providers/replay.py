"""Recorded or scripted answers from a JSONL file: for tests, docs and evaluations of answers bought elsewhere.

One JSON object a line. A line answers a request when every key it names agrees with it:

    {"item": "<item_id>", "operator": "original", "run_index": 0, "text": "The answer is 4."}
    {"messages": "<digest>", "text": "..."}          # sha256 key of the messages, `message_digest`
    {"contains": "2 + 2", "text": "4", "thinking": "add", "finish_reason": "stop", "input_tokens": 9, "output_tokens": 3}
    {"text": "I do not know."}                       # no key: answers everything left

Match keys: item, operator, run_index, repeat, messages, contains (in the last message). The line that names most keys wins, then the first.
Reply fields: text, thinking, finish_reason, input_tokens, output_tokens, thinking_tokens, cached_tokens, served_model, fingerprint,
request_id, unclosed_thinking. Scripted failures: `"fail": ["rate_limited", "server_fault", ...]` fails the first attempts of each request
in that order before the answer comes; names of FAILURES; `"retry_after": 1.5` goes with rate_limited; `"delay_s": 0.05` waits first.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from schemas.config import Model, Sampling
from schemas.errors import (
    BadRequest,
    BadRow,
    ConfigError,
    ConnectionLost,
    ContentFiltered,
    ContextOverflow,
    RateLimited,
    RunError,
    ServerFault,
    Unavailable,
)
from schemas.keys import digest
from schemas.records import Message, Reply, Request
from tasks.providers.base import Provider, usage
from tasks.providers.thinking import part
from tasks.providers.weights import sha256

FAILURES: dict[str, type[RunError]] = {
    "rate_limited": RateLimited,
    "server_fault": ServerFault,
    "connection_lost": ConnectionLost,
    "bad_request": BadRequest,
    "context_overflow": ContextOverflow,
    "content_filter": ContentFiltered,
    "unauthorized": Unavailable,
}
_KEYS = ("item", "operator", "run_index", "repeat", "messages", "contains")
_COUNTS = ("input_tokens", "output_tokens", "thinking_tokens", "cached_tokens")
_FIELDS = {
    *_KEYS,
    *_COUNTS,
    "text",
    "thinking",
    "finish_reason",
    "served_model",
    "fingerprint",
    "request_id",
    "unclosed_thinking",
    "fail",
    "retry_after",
    "delay_s",
}


class Replay(Provider):
    """Answers from the file that the model file's `replay` names."""

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._lines = _read(_file(model, base))
        self._asked: Counter[str] = Counter()

    @classmethod
    def pin(cls, model: Model, base: Path) -> str | None:
        """`version` where the model file states one, else the digest of the file of answers."""
        return model.version or f"sha256:{sha256([_file(model, base)])}"

    @classmethod
    def check(cls, model: Model, sampling: Sampling) -> None:
        """The file must be named."""
        if model.replay is None:
            raise ConfigError(f"model {model.name!r} (replay) needs `replay`: a JSONL file of answers")

    async def generate(self, request: Request) -> Reply:
        """The recorded answer.

        Raises:
            BadRequest: no line answers the request.
        """
        line = self._find(request)
        if line.get("delay_s"):
            await asyncio.sleep(line["delay_s"])
        attempt, failures = self._asked[request.generation_id], line.get("fail", [])
        self._asked[request.generation_id] += 1
        if attempt < len(failures):
            raise _failure(failures[attempt], line.get("retry_after"))
        return _reply(line, self.model)

    def _find(self, request: Request) -> dict[str, Any]:
        facts = {
            "item": request.item_id,
            "operator": request.operator,
            "run_index": request.run_index,
            "repeat": request.repeat,
            "messages": message_digest(request.messages),
        }
        last = request.messages[-1].content if request.messages else ""
        fitting = [line for line in self._lines if all(line[key] in last if key == "contains" else line[key] == facts[key] for key in _KEYS if key in line)]
        if not fitting:
            raise BadRequest(f"no line of {self.model.replay} answers item {request.item_id}, operator {request.operator}, run {request.run_index}")
        return max(fitting, key=lambda line: sum(key in line for key in _KEYS))


def message_digest(messages: tuple[Message, ...]) -> str:
    """Key of the exact messages, as a replay file names them."""
    return digest([[m.role, m.content] for m in messages])


def _file(model: Model, base: Path) -> Path:
    path = base / (model.replay or "")
    if model.replay is None or not path.is_file():
        raise ConfigError(f"model {model.name!r}: no replay file {model.replay or ''}; `replay` is relative to the model file")
    return path


def _read(path: Path) -> list[dict[str, Any]]:
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadRow(path, number, f"no JSON object ({error.msg})") from error
        if not isinstance(line, dict) or not isinstance(line.get("text", ""), str):
            raise BadRow(path, number, "a replay line is a JSON object whose `text` is a string")
        unknown = sorted(set(line) - _FIELDS) + sorted(set(line.get("fail", [])) - set(FAILURES))
        if unknown:
            raise BadRow(path, number, f"unknown field or failure {unknown[0]!r}")
        lines.append(line)
    return lines


def _failure(name: str, retry_after: float | None) -> RunError:
    error = FAILURES[name](f"scripted {name}")
    if isinstance(error, RateLimited | ServerFault):
        error.retry_after = retry_after
    return error


def _reply(line: dict[str, Any], model: Model) -> Reply:
    parted = part(line.get("text", ""), model.thinking_tags, line.get("thinking"))
    return Reply(
        text=parted.text,
        thinking=parted.thinking,
        finish_reason=line.get("finish_reason", "stop"),
        usage=usage({name: line.get(name) for name in _COUNTS}, said_something=bool(line.get("text") or line.get("thinking"))),
        served_model=line.get("served_model", model.model),
        fingerprint=line.get("fingerprint"),
        request_id=line.get("request_id"),
        unclosed_thinking=bool(line.get("unclosed_thinking")) or parted.unclosed,
    )
