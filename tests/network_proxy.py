"""A TCP proxy whose network can go away: `python tests/network_proxy.py LISTEN TARGET FILE` does what FILE says, looking ten times a second.

`open` forwards. `hole` swallows: connections are taken and nothing passes in either direction, as when a route is lost. `refused` closes the door.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

LOOK_S = 0.1


class Proxy:
    def __init__(self, listen: int, target: int, word: Path) -> None:
        self.listen, self.target, self.word = listen, target, word
        self.passing = asyncio.Event()
        self.writers: set[asyncio.StreamWriter] = set()
        self.server: asyncio.Server | None = None

    async def obey(self) -> None:
        while True:
            word = self.word.read_text().strip()
            self.passing.set() if word == "open" else self.passing.clear()
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
        try:
            await self.passing.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(back)
            await asyncio.gather(self.pump(reader, back), self.pump(there, writer))
        except OSError:
            writer.transport.abort()
        finally:
            self.writers.discard(writer)

    async def pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            await self.passing.wait()
            sink.write(data)
            await sink.drain()
        sink.close()


if __name__ == "__main__":
    asyncio.run(Proxy(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])).obey())
