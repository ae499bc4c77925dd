"""OpenAI-compatible chat completions: OpenAI, DeepSeek, OpenRouter, Groq, Together, vLLM, SGLang, llama.cpp, Ollama.

Wire format: https://platform.openai.com/docs/api-reference/chat/create. Further fields read where hosts add them: `reasoning_content`
(DeepSeek, vLLM, llama.cpp), `reasoning` (OpenRouter, Ollama, Groq), content parts of type `thinking` (Mistral).
"""

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

DEFAULT_URL = "https://api.openai.com/v1"
_BROKEN_OFF = {"error", "insufficient_system_resource", "abort"}


class OpenAI(Provider):
    """Chat completions of one model."""

    key_env = "OPENAI_API_KEY"
    has_batches = True

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._wire: Wire | None = None

    async def __aenter__(self) -> Self:
        key = secret(self.model, self.key_env)
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        self._wire = Wire(self.model.base_url or DEFAULT_URL, headers, self.model.limits, (self.model.api_key_env or self.key_env, key))
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._wire:
            await self._wire.close()

    def batches(self) -> Batches:
        """The batch API."""
        from tasks.providers.openai_batch import OpenAIBatches

        assert self._wire is not None, "open the provider with `async with`"
        return OpenAIBatches(self, self._wire)

    @classmethod
    def check(cls, model: Model, sampling: Sampling) -> None:
        """A thinking budget in tokens has no field in this API."""
        if isinstance(sampling.thinking, int) and not isinstance(sampling.thinking, bool):
            raise ConfigError(f"unsupported_parameter: model {model.name!r}: `thinking` takes low, medium, high, true or false here, not {sampling.thinking}")

    async def generate(self, request: Request) -> Reply:
        """One chat completion."""
        assert self._wire is not None, "open the provider with `async with`"
        return read_reply(await self._wire.post("/chat/completions", self.body(request)), self.model)

    def body(self, request: Request) -> dict[str, Any]:
        """The JSON body of one request."""
        named = parameters(request, self.model)
        thinking = named.pop("thinking", None)
        if isinstance(thinking, str):
            named["reasoning_effort"] = thinking
        elif thinking is not None:
            named["chat_template_kwargs"] = {"enable_thinking": thinking}
        if "max_tokens" in named and self.model.base_url is None:  # OpenAI's own name since its reasoning models
            named["max_completion_tokens"] = named.pop("max_tokens")
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        return {"model": self.model.model, "messages": messages, **named, **self.model.extra}


def read_reply(answer: WireReply, model: Model) -> Reply:
    """A Reply from a chat completion.

    Raises:
        ServerFault: no choice, no message, or content that is no text.
    """
    body = answer.body
    choice = _first(body.get("choices"))
    finish, message = choice.get("finish_reason"), choice["message"]
    if finish in _BROKEN_OFF:
        raise fault("broken_off", f"the provider broke the answer off ({finish})")
    content, thought = _content(message)
    parted = part(content, model.thinking_tags, thought)
    return Reply(
        text=parted.text,
        thinking=parted.thinking,
        finish_reason=finish if isinstance(finish, str) else None,
        usage=_usage(body.get("usage"), said_something=bool(content or thought)),
        served_model=string(body.get("model")),
        fingerprint=string(body.get("system_fingerprint")),
        request_id=answer.headers.get("x-request-id") or string(body.get("id")),
        unclosed_thinking=parted.unclosed,
    )


def _first(choices: Any) -> dict[str, Any]:
    """The choice of index 0, wherever it stands in the list."""
    whole = [c for c in choices if isinstance(c, dict) and isinstance(c.get("message"), dict)] if isinstance(choices, list) else []
    if not whole:
        raise fault("empty_choices", "code 200 without a choice that holds a message")
    return next((choice for choice in whole if choice.get("index") == 0), whole[0])


def _content(message: dict[str, Any]) -> tuple[str, str | None]:
    content = message.get("content")
    thought = string(message.get("reasoning_content")) or string(message.get("reasoning"))
    if content is None:
        return string(message.get("refusal")) or "", thought
    if isinstance(content, list) and all(isinstance(piece, dict) for piece in content):
        texts = [str(piece.get("text", "")) for piece in content if piece.get("type") == "text"]
        thoughts = [_flat(piece.get("thinking")) for piece in content if piece.get("type") == "thinking"]
        return "".join(texts), "".join(thoughts) or thought
    if not isinstance(content, str):
        raise fault("malformed_body", f"code 200 with content of type {type(content).__name__}")
    return content, thought


def _flat(piece: Any) -> str:
    return "".join(str(p.get("text", "")) for p in piece if isinstance(p, dict)) if isinstance(piece, list) else str(piece or "")


def _usage(reported: Any, *, said_something: bool) -> Usage:
    stated = reported if isinstance(reported, dict) else {}
    output_details, input_details = (stated.get(name) or {} for name in ("completion_tokens_details", "prompt_tokens_details"))
    thinking = count(output_details.get("reasoning_tokens")) if isinstance(output_details, dict) else None
    cached = count(input_details.get("cached_tokens")) if isinstance(input_details, dict) else None
    given, output, total = (count(stated.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    if thinking and output is not None and given is not None and total == given + output + thinking:
        output += thinking  # hosts that count thinking apart (xAI)
    counts = {"input_tokens": given, "output_tokens": output, "thinking_tokens": thinking, "cached_tokens": cached}
    return usage(counts, said_something=said_something)
