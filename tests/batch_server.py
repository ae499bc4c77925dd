"""A local stand-in for OpenAI's and Anthropic's batch APIs: answers come out of order, some twice, after a few looks."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.fault_bodies import Act, answer, error, key_of
from tests.fault_server import FaultServer


@dataclass
class BatchServer(FaultServer):
    """`looks`: how many polls a batch stays unfinished. `drop`: how many answers of each batch never come. `lose_ids`: submits break off."""

    looks: int = 2
    drop: int = 0
    lose_ids: bool = False
    refuse: int | None = None
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def bought(self) -> list[str]:
        """custom_id of everything that was ever submitted."""
        return [one["custom_id"] for batch in self.batches.values() for one in batch["requests"]]

    def decide(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Act:
        """Route one request."""
        self.log.append({"path": path, "body": body, "headers": headers})
        if path.endswith("/files"):
            lines = [json.loads(line) for line in body["raw"].splitlines() if line.startswith("{")]
            self.files[f"file-{len(self.files)}"] = lines
            return _json({"id": f"file-{len(self.files) - 1}"})
        if path.endswith("/batches?limit=100"):
            return _json({"data": [{"id": name, "metadata": batch["metadata"]} for name, batch in self.batches.items()]})
        if path.endswith("/batches"):
            return self._submit(path, body)
        if path.endswith("/content"):
            return _lines(self._answers(path.split("/")[-2].removeprefix("out-"), "openai"))
        if path.endswith("/results"):
            return _lines(self._answers(path.split("/")[-2], "anthropic"))
        return self._look(path)

    def _submit(self, path: str, body: dict[str, Any]) -> Act:
        if self.refuse is not None:
            return Act(self.refuse, json.dumps(error("openai", self.refuse, "rate_limit_error", "no")).encode())
        name = f"batch_{len(self.batches)}"
        wanted = body.get("requests") or self.files[body["input_file_id"]]
        self.batches[name] = {"requests": wanted, "looks": 0, "metadata": body.get("metadata")}
        return Act(how="close") if self.lose_ids else _json({"id": name, "status": "validating", "processing_status": "in_progress"})

    def _look(self, path: str) -> Act:
        name = path.rpartition("/")[2]
        self.batches[name]["looks"] += 1
        ended = self.batches[name]["looks"] > self.looks
        states = {"status": "completed" if ended else "in_progress", "processing_status": "ended" if ended else "in_progress"}
        return _json({"id": name, **states, "output_file_id": f"out-{name}", "error_file_id": None})

    def _answers(self, name: str, wire: str) -> list[dict[str, Any]]:
        out = []
        for one in self.batches[name]["requests"][self.drop :]:
            body = one.get("body") or one["params"]
            reply = answer(wire, key_of(body), body["model"])
            openai = {"response": {"status_code": 200, "request_id": "req", "body": reply}, "error": None}
            out.append({"custom_id": one["custom_id"], **(openai if wire == "openai" else {"result": {"type": "succeeded", "message": reply}})})
        return [*reversed(out), *out[:2]]


def _json(body: dict[str, Any]) -> Act:
    return Act(body=json.dumps(body).encode())


def _lines(rows: list[dict[str, Any]]) -> Act:
    return Act(body="\n".join(json.dumps(row) for row in rows).encode() + b"\n{torn")
