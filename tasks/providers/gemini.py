"""Gemini generateContent. Wire format: https://ai.google.dev/api/generate-content. The key goes in a header, never in the URL."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from schemas.config import Model
from schemas.errors import ContentFiltered
from schemas.records import Reply, Request, Usage
from tasks.providers.base import Provider, count, parameters, secret, string, usage
from tasks.providers.failures import fault
from tasks.providers.thinking import part
from tasks.providers.wire import Wire, WireReply

DEFAULT_URL = "https://generativelanguage.googleapis.com/v1beta"
FINISH = {"STOP": "stop", "MAX_TOKENS": "length"}
FILTERED = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY")
NAMES = {"temperature": "temperature", "top_p": "topP", "max_tokens": "maxOutputTokens", "seed": "seed"}


class Gemini(Provider):
    """generateContent of one model; `extra` goes into generationConfig."""

    key_env = "GEMINI_API_KEY"

    def __init__(self, model: Model, base: Path) -> None:
        super().__init__(model, base)
        self._wire: Wire | None = None

    async def __aenter__(self) -> Self:
        key = secret(self.model, self.key_env)
        headers = {"x-goog-api-key": key.reveal()} if key else {}
        self._wire = Wire(self.model.base_url or DEFAULT_URL, headers, self.model.limits, (self.model.api_key_env or self.key_env, key))
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._wire:
            await self._wire.close()

    async def generate(self, request: Request) -> Reply:
        """One generated content."""
        assert self._wire is not None, "open the provider with `async with`"
        path = f"/models/{quote(self.model.model.removeprefix('models/'), safe='')}:generateContent"
        return read_reply(await self._wire.post(path, self._body(request)), self.model)

    def _body(self, request: Request) -> dict[str, Any]:
        named = parameters(request, self.model)
        thinking = named.pop("thinking", None)
        settings: dict[str, Any] = {NAMES.get(name, name): value for name, value in named.items()}
        if thinking is not None:
            settings["thinkingConfig"] = _thinking(thinking)
        roles = {"assistant": "model"}
        contents = [{"role": roles.get(m.role, m.role), "parts": [{"text": m.content}]} for m in request.messages if m.role != "system"]
        system = [{"text": m.content} for m in request.messages if m.role == "system"]
        body: dict[str, Any] = {"contents": contents, "generationConfig": {**settings, **self.model.extra}}
        if system:
            body["systemInstruction"] = {"parts": system}
        return body


def _thinking(thinking: Any) -> dict[str, Any]:
    """thinkingConfig: a level (3.x models), a budget in tokens (2.5), true for the model's own choice, false or 0 for none."""
    if isinstance(thinking, str):
        return {"thinkingLevel": thinking, "includeThoughts": True}
    budget = (-1 if thinking else 0) if isinstance(thinking, bool) else thinking
    return {"thinkingBudget": budget, "includeThoughts": bool(budget)}


def read_reply(answer: WireReply, model: Model) -> Reply:
    """A Reply from generated content.

    Raises:
        ContentFiltered: the prompt was blocked.
        ServerFault: no candidate.
    """
    body = answer.body
    candidates = body.get("candidates")
    if not isinstance(candidates, list) or not candidates or not isinstance(candidates[0], dict):
        blocked = body.get("promptFeedback")
        if isinstance(blocked, dict) and blocked.get("blockReason"):
            raise ContentFiltered(f"the prompt was blocked ({blocked['blockReason']})", status=200)
        raise fault("empty_choices", "code 200 without a candidate")
    content, finish = candidates[0].get("content"), string(candidates[0].get("finishReason"))
    pieces = content.get("parts") if isinstance(content, dict) else None
    parts = [piece for piece in pieces if isinstance(piece, dict)] if isinstance(pieces, list) else []
    text = "".join(str(piece.get("text") or "") for piece in parts if not piece.get("thought"))
    thoughts = "".join(str(piece.get("text") or "") for piece in parts if piece.get("thought"))
    parted = part(text, model.thinking_tags, thoughts or None)
    return Reply(
        text=parted.text,
        thinking=parted.thinking,
        finish_reason="content_filter" if finish in FILTERED else FINISH.get(finish or "", finish),
        usage=_usage(body.get("usageMetadata"), said_something=bool(text or thoughts)),
        served_model=string(body.get("modelVersion")),
        request_id=string(body.get("responseId")),
        unclosed_thinking=parted.unclosed,
    )


def _usage(reported: Any, *, said_something: bool) -> Usage:
    """Thinking tokens stand beside the candidate's in this API; our output count holds both."""
    stated = reported if isinstance(reported, dict) else {}
    spoken, thinking = count(stated.get("candidatesTokenCount")), count(stated.get("thoughtsTokenCount"))
    output = None if spoken is None and thinking is None else (spoken or 0) + (thinking or 0)
    counts = {"input_tokens": stated.get("promptTokenCount"), "output_tokens": output, "thinking_tokens": thinking}
    return usage({**counts, "cached_tokens": stated.get("cachedContentTokenCount")}, said_something=said_something)
