"""Anthropic messages. Wire format: https://platform.claude.com/docs/en/api/messages, errors: https://platform.claude.com/docs/en/api/errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from schemas.config import Model, Sampling
from schemas.errors import ConfigError
from schemas.records import Reply, Request, Usage
from tasks.providers.base import Batches, Provider, count, parameters, secret, string, usage
from tasks.providers.failures import fault
from tasks.providers.thinking import part
from tasks.providers.wire import Wire, WireReply

DEFAULT_URL = "https://api.anthropic.com/v1"
VERSION = "2023-06-01"
FINISH = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "content_filter"}
LEAST_BUDGET = 1024


class Anthropic(Provider):
    """Messages of one model. The API takes no seed."""

    key_env = "ANTHROPIC_API_KEY"
    has_batches = True
    refused = frozenset({"seed"})

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._wire: Wire | None = None

    async def __aenter__(self) -> Self:
        key = secret(self.model, self.key_env)
        headers = {"anthropic-version": VERSION, **({"x-api-key": key.reveal()} if key else {})}
        self._wire = Wire(self.model.base_url or DEFAULT_URL, headers, self.model.limits, (self.model.api_key_env or self.key_env, key))
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._wire:
            await self._wire.close()

    def batches(self) -> Batches:
        """The batch API."""
        from tasks.providers.anthropic_batch import AnthropicBatches

        assert self._wire is not None, "open the provider with `async with`"
        return AnthropicBatches(self, self._wire)

    @classmethod
    def check(cls, model: Model, sampling: Sampling) -> None:
        """Thinking wants temperature 1; a budget is at least 1024 tokens and below max_tokens."""
        thinking = sampling.thinking
        if thinking and sampling.temperature != 1:
            raise ConfigError(f"unsupported_parameter: model {model.name!r}: with `thinking` this API takes `temperature: 1` only")
        if isinstance(thinking, int) and not isinstance(thinking, bool) and not LEAST_BUDGET <= thinking < sampling.max_tokens:
            raise ConfigError(f"model {model.name!r}: a `thinking` budget is at least {LEAST_BUDGET} tokens and below `max_tokens` ({sampling.max_tokens})")

    async def generate(self, request: Request) -> Reply:
        """One message."""
        assert self._wire is not None, "open the provider with `async with`"
        return read_reply(await self._wire.post("/messages", self.body(request)), self.model)

    def body(self, request: Request) -> dict[str, Any]:
        """The JSON body of one request."""
        named = parameters(request, self.model)
        thinking = named.pop("thinking", None)
        if isinstance(thinking, str) or thinking is True:
            named["thinking"] = {"type": "adaptive"}
            if isinstance(thinking, str):
                named["output_config"] = {"effort": thinking}
        elif thinking:
            named["thinking"] = {"type": "enabled", "budget_tokens": thinking}
        elif thinking is not None:
            named["thinking"] = {"type": "disabled"}
        system = "\n\n".join(m.content for m in request.messages if m.role == "system")
        messages = [{"role": m.role, "content": m.content} for m in request.messages if m.role != "system"]
        return {"model": self.model.model, "messages": messages, **({"system": system} if system else {}), **named, **self.model.extra}


def read_reply(answer: WireReply, model: Model) -> Reply:
    """A Reply from a message.

    Raises:
        ServerFault: no list of content blocks.
    """
    body = answer.body
    blocks = body.get("content")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise fault("malformed_body", "code 200 without a list of content blocks")
    text = "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    thoughts = [str(block.get("thinking") or "") for block in blocks if block.get("type") == "thinking"]
    parted = part(text, model.thinking_tags, "\n".join(thoughts) or None)
    stop = string(body.get("stop_reason"))
    return Reply(
        text=parted.text,
        thinking=parted.thinking,
        finish_reason=FINISH.get(stop, stop) if stop else None,
        usage=_usage(body.get("usage"), said_something=bool(blocks)),
        served_model=string(body.get("model")),
        request_id=answer.headers.get("request-id") or string(body.get("id")),
        unclosed_thinking=parted.unclosed,
    )


def _usage(reported: Any, *, said_something: bool) -> Usage:
    stated = reported if isinstance(reported, dict) else {}
    fresh, read, written = (count(stated.get(n)) for n in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
    given = None if fresh is None else fresh + (read or 0) + (written or 0)
    return usage({"input_tokens": given, "output_tokens": stated.get("output_tokens"), "cached_tokens": read}, said_something=said_something)
