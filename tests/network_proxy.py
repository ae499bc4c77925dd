"""A TCP proxy whose network can go away: `python tests/network_proxy.py LISTEN TARGET FILE` does what FILE says, looking ten times a second.

`open` forwards. `hole` swallows: connections are taken and nothing passes in either direction, as when a route is lost. `refused` closes the door.
`torn N` breaks each connection that has sent more than N bytes. `mute` breaks each connection when a request has been done and its reply comes.
"""

from __future__ import annotations

import asyncio
import math
import sys
from pathlib import Path

LOOK_S = 0.1


class Proxy:
    def __init__(self, listen: int, target: int, word: Path) -> None:
        self.listen, self.target, self.word = listen, target, word
        self.passing = asyncio.Event()
        self.torn: float = math.inf
        self.mute = False
        self.writers: set[asyncio.StreamWriter] = set()
        self.server: asyncio.Server | None = None

    async def obey(self) -> None:
        while True:
            word, _, most = (self.word.read_text().strip() or "hole").partition(" ")  # empty while it is being written
            self.torn, self.mute = (int(most) if word == "torn" else math.inf), word == "mute"
            self.passing.clear() if word in ("hole", "refused") else self.passing.set()
            if word == "refused" and self.server is not None:
                self.server.close()
                self.server = None
                for writer in self.writers:
                    writer.transport.abort()
            elif word != "refused" and self.server is None:
                self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.listen)
            await asyncio.sleep(LOOK_S)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        back: asyncio.StreamWriter | None = None
        try:
            await self.passing.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(back)
            await asyncio.gather(self.pump(reader, back, request=True), self.pump(there, writer, request=False))
        except OSError:
            writer.transport.abort()
            if back is not None:
                back.transport.abort()
        finally:
            self.writers.discard(writer)

    async def pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, request: bool) -> None:
        sent = 0
        while data := await source.read(65536):
            await self.passing.wait()
            sent += len(data)
            if (request and sent > self.torn) or (not request and self.mute and b" 200 OK" in data[:20]):
                raise ConnectionResetError
            sink.write(data)
            await sink.drain()
        sink.close()


if __name__ == "__main__":
    asyncio.run(Proxy(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])).obey())
