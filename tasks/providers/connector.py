"""Connections on which a reply can only be that of its request.

HTTP/1.1 matches replies to requests by order alone. A second copy of a reply that comes while its connection is idle is found by the
connector before the connection is used again (aiohttp does not look); one that comes under a later request has the bytes of an earlier reply.
"""

from __future__ import annotations

import select
from collections import deque
from typing import Any

import aiohttp
import httpx
from aiohttp.connector import Connection
from httpx_aiohttp import AiohttpTransport

REMEMBERED = 64
"""Replies of one connection that are known again."""


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
        connector = Connector(limit=self.limits.max_connections or 0, keepalive_timeout=self.limits.keepalive_expiry, ssl=self.ssl_context)
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def repeats(response: httpx.Response, body: int) -> bool:
    """Whether a reply of this digest came before on this connection, which then is closed."""
    connection: Any = response.stream._aiohttp_response._protocol  # type: ignore[union-attr]
    earlier = connection.__dict__.setdefault("bodies", deque(maxlen=REMEMBERED))
    if body in earlier:
        connection.close()
        return True
    earlier.append(body)
    return False
