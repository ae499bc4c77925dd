"""OpenAI's batch API: a file of requests in, a file of answers out. https://platform.openai.com/docs/api-reference/batch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from schemas.errors import RunError
from schemas.records import Reply, Request
from tasks.providers.base import Batches
from tasks.providers.failures import failure, fault
from tasks.providers.openai import OpenAI, read_reply
from tasks.providers.wire import Wire, WireReply

ENDED = ("completed", "failed", "expired", "cancelled")
ENDPOINT = "/v1/chat/completions"


class OpenAIBatches(Batches):
    """Batches of one open OpenAI provider; the label travels in the batch's metadata."""

    def __init__(self, provider: OpenAI, wire: Wire) -> None:
        self._provider, self._wire = provider, wire

    async def submit(self, requests: Sequence[Request], label: str) -> str:
        """Upload the requests and start the batch."""
        lines = [{"custom_id": r.generation_id, "method": "POST", "url": ENDPOINT, "body": self._provider.body(r)} for r in requests]
        uploaded = await self._wire.upload("/files", "batch", "\n".join(json.dumps(line) for line in lines).encode())
        body = {"input_file_id": _id(uploaded), "endpoint": ENDPOINT, "completion_window": "24h", "metadata": {"sextant": label}}
        return _id(await self._wire.post("/batches", body))

    async def find(self, label: str) -> str | None:
        """The batch whose metadata hold `label`, among the newest hundred."""
        listed = (await self._wire.get("/batches?limit=100")).body.get("data")
        marked = [b for b in listed if isinstance(b, dict) and (b.get("metadata") or {}).get("sextant") == label] if isinstance(listed, list) else []
        return str(marked[0]["id"]) if marked else None

    async def results(self, batch_id: str) -> Mapping[str, Reply | RunError] | None:
        """Outcomes of both result files, whichever there are."""
        state = (await self._wire.get(f"/batches/{batch_id}")).body
        if state.get("status") not in ENDED:
            return None
        outcomes: dict[str, Reply | RunError] = {}
        for name in ("error_file_id", "output_file_id"):
            if isinstance(state.get(name), str):
                for line in await self._wire.lines(f"/files/{state[name]}/content"):
                    outcomes[str(line.get("custom_id"))] = self._outcome(line)
        return outcomes

    def _outcome(self, line: dict[str, Any]) -> Reply | RunError:
        response = line.get("response")
        if not isinstance(response, dict) or not isinstance(response.get("body"), dict):
            told = line.get("error")
            return fault("batch_unanswered", f"the batch gave no answer ({told.get('code') if isinstance(told, dict) else 'no response'})")
        status, body = response.get("status_code"), response["body"]
        if status != 200:
            return failure(status if isinstance(status, int) else 500, {}, body, self._provider.key_env)
        try:
            return read_reply(WireReply(body, {"x-request-id": str(response.get("request_id") or "")}), self._provider.model)
        except RunError as error:
            return error


def _id(answer: WireReply) -> str:
    name = answer.body.get("id")
    if not isinstance(name, str) or not name:
        raise fault("malformed_body", "code 200 without an id")
    return name
