"""A local model server that answers from the prompt alone and injects faults by a seeded plan. Usable by hand:

    python tests/fault_server.py --port 8900 --rate 0.3 --seed 7          # then set base_url: http://127.0.0.1:8900/v1
    python tests/fault_server.py --always 429_after                        # one fault for every request
    curl http://127.0.0.1:8900/log                                         # what was asked, and what became of it

Speaks OpenAI chat completions (/chat/completions), Anthropic messages (/messages) and Gemini (:generateContent). The n-th request for one prompt
and seed meets the same fault in every run of the same plan; no prompt meets more than `most` faults.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import socket
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fault_bodies import TRANSIENT, Act, answer, fault, key_of


@dataclass(frozen=True)
class Plan:
    """Which faults come: each with probability `rate`, drawn from `kinds` by `seed`; `always` names one for every request."""

    seed: int = 0
    rate: float = 0.0
    kinds: tuple[str, ...] = TRANSIENT
    most: int = 3
    latency_s: float = 0.0
    always: str | None = None
    retry_after_s: float = 0.01
    stall_s: float = 30.0

    def fault_for(self, key: str, nth: int) -> str:
        """Name of the fault for the nth request (from 0) of one prompt, or 'answer'."""
        if self.always:
            return self.always
        draw = random.Random(f"{self.seed}/{key}/{nth}")
        return draw.choice(self.kinds) if nth < self.most and draw.random() < self.rate else "answer"


@dataclass
class FaultServer:
    """The server in a thread of its own; a context manager. `act` overrides the plan: (wire, body, headers) -> Act."""

    plan: Plan = field(default_factory=Plan)
    act: Callable[[str, dict[str, Any], dict[str, str]], Act] | None = None
    port: int = 0
    log: list[dict[str, Any]] = field(default_factory=list)
    """One entry a request: key, fault, path, body, headers."""
    in_flight: int = 0
    most_in_flight: int = 0
    _asked: Counter[str] = field(default_factory=Counter)
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Root of the API."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> FaultServer:
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(started,), daemon=True)
        self._thread.start()
        started.wait()
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _serve(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._run(started))
        self._loop.close()

    async def _run(self, started: threading.Event) -> None:
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._end.wait()
        server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if path == "/log":
            return await _send(writer, Act(body=json.dumps(self.log).encode()))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            act = self.decide(path, _parsed(body), headers)
            await asyncio.sleep(self.plan.latency_s if act.how != "stall" else self.plan.stall_s)
            return await _send(writer, act)
        finally:
            self.in_flight -= 1

    def decide(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Act:
        wire = "gemini" if path.endswith(":generateContent") else "anthropic" if path.endswith("/messages") else "openai"
        key = key_of(body)
        name = self.plan.fault_for(key, self._asked[key])
        self._asked[key] += 1
        self.log.append({"key": key, "fault": "act" if self.act else name, "path": path, "body": body, "headers": headers})
        if self.act:
            return self.act(wire, body, headers)
        return fault(name, wire, answer(wire, key, body.get("model") or path.rpartition("/")[2].partition(":")[0]), self.plan.retry_after_s)


def _parsed(body: bytes) -> dict[str, Any]:
    """A JSON body; anything else (nothing, an uploaded file) as text under `raw`."""
    try:
        parsed = json.loads(body)
    except ValueError:
        parsed = None
    return parsed if isinstance(parsed, dict) else {"raw": body.decode("utf-8", "replace")}


async def _send(writer: asyncio.StreamWriter, act: Act) -> bool:
    """Carry out `act`; whether the connection may be used again."""
    if act.how in ("reset", "close", "stall"):
        if act.how == "reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort() if act.how == "reset" else writer.close()
        return False
    length = len(act.body) if act.promise is None else act.promise
    headers = {"content-type": "application/json", "content-length": str(length), "x-request-id": "req-fault", **act.headers}
    head = (f"HTTP/1.1 {act.status} X\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n").encode("latin-1")
    writer.write(head + act.body + head if act.how == "twice" else head)
    if act.how == "slow":
        for start in range(0, len(act.body), 64):
            writer.write(act.body[start : start + 64])
            await writer.drain()
            await asyncio.sleep(0.002)
    else:
        writer.write(act.body)
    await writer.drain()
    return length == len(act.body)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--seed", type=int, default=0, help="seed of the plan")
    parser.add_argument("--rate", type=float, default=0.0, help="share of requests that meet a fault")
    parser.add_argument("--kinds", nargs="*", default=list(TRANSIENT), help=f"faults to draw from (default: {' '.join(TRANSIENT)})")
    parser.add_argument("--most", type=int, default=3, help="most faults one prompt meets")
    parser.add_argument("--latency", type=float, default=0.05, help="seconds before each reply")
    parser.add_argument("--always", help="one fault for every request; also 400 401 402 403 404 quota overflow filter null_content no_usage zero_usage huge")
    asked = parser.parse_args()
    plan = Plan(asked.seed, asked.rate, tuple(asked.kinds), asked.most, asked.latency, asked.always)
    with FaultServer(plan, port=asked.port) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"fault server at {server.url}; Ctrl-C ends it")
        threading.Event().wait()


if __name__ == "__main__":
    main()
