"""The replay provider: the shipped stand-in for a model."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from schemas.config import Model, Sampling
from schemas.errors import BadRequest, BadRow, ConfigError, RateLimited
from schemas.records import Request
from tasks.providers import check, open_provider, resolve
from tasks.providers.replay import message_digest
from tests.engine_kit import ask, request, run


def model(folder: Path, *lines: object, **fields: object) -> Model:
    (folder / "answers.jsonl").write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return Model(**{"name": "m", "provider": "replay", "model": "recorded", "replay": str(folder / "answers.jsonl"), **fields})


def test_the_line_that_names_most_answers(tmp_path: Path) -> None:
    one = request(1)
    lines = (
        {"text": "any"},
        {"item": one.item_id, "text": "item"},
        {"item": one.item_id, "operator": "original", "run_index": 1, "text": "second run"},
        {"messages": message_digest(one.messages), "operator": "synonym", "text": "by messages"},
        {"contains": "What is 2", "text": "by words"},
    )
    made = model(tmp_path, *lines)
    asked = [one, replace(one, run_index=1), replace(one, operator="synonym", item_id="x"), request(2), request(3)]
    assert [ask(made, each).text for each in asked] == ["item", "second run", "by messages", "by words", "any"]


def test_reply_fields_and_thinking_tags(tmp_path: Path) -> None:
    line = {"text": "<think>hm</think>4", "finish_reason": "length", "input_tokens": 9, "output_tokens": 3, "fingerprint": "fp"}
    reply = ask(model(tmp_path, line))
    assert (reply.text, reply.thinking, reply.finish_reason, reply.fingerprint) == ("4", "hm", "length", "fp")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.source) == (9, 3, "provider")


def test_scripted_failures_come_first_for_each_request(tmp_path: Path) -> None:
    made = model(tmp_path, {"text": "4", "fail": ["rate_limited", "connection_lost"], "retry_after": 0.001})

    async def go(one: Request) -> list[object]:
        async with open_provider(made, Path()) as provider:
            return await asyncio.gather(*(provider.generate(one) for _ in range(3)), return_exceptions=True)

    first, second, third = asyncio.run(go(request(1)))
    assert isinstance(first, RateLimited)
    assert first.retry_after == 0.001
    assert type(second).__name__ == "ConnectionLost"
    assert getattr(third, "text", None) == "4"


def test_scripted_failures_pass_through_the_engine(tmp_path: Path) -> None:
    found = run(model(tmp_path, {"text": "4", "fail": ["server_fault"]}), [request(1), request(2)], tmp_path / "j.jsonl")
    assert [(row["status"], row["attempts"]) for row in found.generations] == [("answered", 2)] * 2


def test_a_request_no_line_answers_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no line"):
        ask(model(tmp_path, {"item": "other", "text": "4"}))


@pytest.mark.parametrize("line", ["{", "[1]", '{"text": 4}', '{"txt": "4"}', '{"text": "4", "fail": ["explode"]}'])
def test_an_unreadable_line_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(BadRow, match=r"answers\.jsonl:2"):
        ask(model(tmp_path, {"text": "a"}, line))


def test_the_file_pins_unless_a_version_does_and_must_be_there(tmp_path: Path) -> None:
    made = model(tmp_path, {"text": "a"})
    first = resolve(made, Path())
    model(tmp_path, {"text": "b"})
    assert resolve(made, Path()) != first
    assert resolve(made.model_copy(update={"version": "mine"}), Path()) == "mine"
    with pytest.raises(ConfigError, match="replay"):
        check(made.model_copy(update={"replay": None}), Sampling())
