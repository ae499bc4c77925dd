"""A chat completion server that costs next to nothing: one protocol, one fixed answer under an id of its own, a fixed latency. For benchmarks only."""

from __future__ import annotations

import asyncio
import itertools
import json
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized

_BODY = json.dumps(
    {
        "id": "chatcmpl-%012d",
        "object": "chat.completion",
        "created": 1764460800,
        "model": "quick",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Step by step. " * 20 + "The answer is 7."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 90, "total_tokens": 110},
    }
).encode()
_REPLY = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(_BODY % 0) + _BODY
_NUMBERS = itertools.count()


class _Quick(asyncio.Protocol):
    def __init__(self, latency_s: float, served: Synchronized[int] | None) -> None:
        self._latency, self._served, self._data = latency_s, served, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        while b"\r\n\r\n" in self._data:
            head, _, rest = self._data.partition(b"\r\n\r\n")
            length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
            if len(rest) < length:
                return
            self._data = rest[length:]
            asyncio.get_running_loop().call_later(self._latency, self._reply)

    def _reply(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(_REPLY % next(_NUMBERS))  # type: ignore[attr-defined]
            if self._served is not None:
                self._served.value += 1


def serve(pipe: Connection, latency_s: float, served: Synchronized[int] | None = None) -> None:
    """Serve until killed; sends its root URL through `pipe` and counts its replies in `served`."""

    async def go() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: _Quick(latency_s, served), "127.0.0.1", 0, backlog=1024)
        pipe.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await server.serve_forever()

    asyncio.run(go())
