"""Anthropic's message batches. https://platform.claude.com/docs/en/build-with-claude/batch-processing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemas.errors import RunError, Unavailable
from schemas.records import Reply, Request
from tasks.providers.anthropic import Anthropic, read_reply
from tasks.providers.base import Batches
from tasks.providers.failures import failure, fault
from tasks.providers.wire import Wire, WireReply

_STATUS = {"invalid_request_error": 400, "authentication_error": 401, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529}


class AnthropicBatches(Batches):
    """Batches of one open Anthropic provider. The API keeps no label, so a lost id cannot be found again."""

    def __init__(self, provider: Anthropic, wire: Wire) -> None:
        self._provider, self._wire = provider, wire

    async def submit(self, requests: Sequence[Request], label: str) -> str:
        """Start the batch."""
        wanted = [{"custom_id": r.generation_id, "params": self._provider.body(r)} for r in requests]
        name = (await self._wire.post("/messages/batches", {"requests": wanted})).body.get("id")
        if not isinstance(name, str) or not name:
            raise fault("malformed_body", "code 200 without a batch id")
        return name

    async def find(self, label: str) -> str | None:
        """Never known here."""
        raise Unavailable("Anthropic's batches carry no label: look in its console whether the batch was taken")

    async def results(self, batch_id: str) -> Mapping[str, Reply | RunError] | None:
        """Outcomes of the result file."""
        if (await self._wire.get(f"/messages/batches/{batch_id}")).body.get("processing_status") != "ended":
            return None
        return {str(line.get("custom_id")): self._outcome(line.get("result")) for line in await self._wire.lines(f"/messages/batches/{batch_id}/results")}

    def _outcome(self, result: Any) -> Reply | RunError:
        kind = result.get("type") if isinstance(result, dict) else None
        if kind == "succeeded" and isinstance(result.get("message"), dict):
            try:
                return read_reply(WireReply(result["message"], {}), self._provider.model)
            except RunError as error:
                return error
        if kind == "errored" and isinstance(result.get("error"), dict):
            inner = result["error"].get("error")
            name = inner.get("type") if isinstance(inner, dict) else None
            return failure(_STATUS.get(str(name), 500), {}, result["error"], self._provider.key_env)
        return fault("batch_unanswered", f"the batch gave no answer ({kind})")
