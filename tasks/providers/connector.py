"""Connections that are reused only while the server has been silent.

HTTP/1.1 matches replies to requests by order alone, and aiohttp hands out an idle connection without a look at what came on it: a second
copy of a reply, sent late, would be read as the answer of the next request.
"""

from __future__ import annotations

import select
from typing import Any

import aiohttp
from aiohttp.connector import Connection
from httpx_aiohttp import AiohttpTransport


class Connector(aiohttp.TCPConnector):
    """Closes an idle connection on which anything has come, and gives another."""

    async def _get(self, key: Any, traces: Any) -> Connection | None:
        while (found := await super()._get(key, traces)) is not None:
            if not _has_spoken(found):
                return found
            found.close()
        return None


def _has_spoken(connection: Connection) -> bool:
    """Whether bytes, or the end, have come on an idle connection: read already, or still in the socket."""
    protocol, transport = connection.protocol, connection.transport
    if protocol is None or transport is None or protocol.should_close:
        return True
    waiting = select.poll()
    waiting.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(waiting.poll(0))


class Transport(AiohttpTransport):
    """The httpx transport over such connections."""

    def get_client(self) -> aiohttp.ClientSession:
        """The session, made in the event loop that uses it."""
        limit, keep = self.limits.max_connections, self.limits.keepalive_expiry
        connector = Connector(limit=0 if limit is None else limit, keepalive_timeout=keep, ssl=self.ssl_context)
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
