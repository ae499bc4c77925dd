"""The wire: one httpx transport per open provider, and what becomes of a reply that is not an answer.

An HTTP failure is never an answer; no exception text holds a key, a header or a query string.
"""

from __future__ import annotations

import json
import urllib.request
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import aiohttp
import httpx

from schemas.config import Limits
from schemas.errors import ProviderError, ServerFault
from tasks.providers.base import Secret
from tasks.providers.connector import Transport, repeats
from tasks.providers.failures import failure, fault, lost

MAX_BODY = 8 * 1024 * 1024
"""Bytes of one decoded reply; a longer one is a fault of the server, and is not read to its end."""
MAX_FILE = 512 * 1024 * 1024
"""Bytes of a file of batch results."""
_Exchanged = tuple[int, httpx.Headers, bytes]
_SENT = {"accept": "*/*", "accept-encoding": "gzip, deflate", "user-agent": f"sextant python-httpx/{httpx.__version__}"}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class WireReply:
    """A reply with code 200 whose body is a JSON object."""

    body: dict[str, Any]
    headers: Mapping[str, str]


class Wire:
    """Posts JSON to one API. Open it in the event loop that uses it."""

    def __init__(self, base_url: str, headers: Mapping[str, str], limits: Limits, key: tuple[str, Secret | None]) -> None:
        """`key`: the variable's name, and the key if there is one; `headers` hold it where the API wants it."""
        self._base, self._key_name = base_url.rstrip("/"), key[0]
        self._key = key[1]
        self._urls: dict[str, httpx.URL] = {}
        self._headers = _SENT | dict(headers)
        # pool: waiting for a free connection is our own doing and has no limit of its own
        timeout = httpx.Timeout(limits.read_timeout_s, connect=limits.connect_timeout_s, pool=None)
        self._extensions = {"timeout": timeout.as_dict()}
        pool = httpx.Limits(max_connections=limits.concurrency, max_keepalive_connections=limits.concurrency, keepalive_expiry=4)
        tls = urlsplit(self._base).scheme != "http"  # a TLS context that nothing uses costs 30 ms
        # the transport and no client around it: redirects, cookies and auth flows are never wanted here, and cost a third of a request
        self._transport = Transport(verify=tls, limits=pool, proxy=_proxy(self._base))
        self._doubted: set[int] = set()

    def __repr__(self) -> str:
        return f"Wire({self._base!r})"

    async def close(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

    async def post(self, path: str, body: Mapping[str, Any]) -> WireReply:
        """Post `body` as JSON and read a JSON object.

        Raises:
            ProviderError: anything but a whole JSON object with code 200.
            Unavailable: key refused, no credit, unknown model: no request can succeed.
        """
        return await self._ask("POST", path, json.dumps(body).encode(), "application/json")

    async def get(self, path: str) -> WireReply:
        """Read a JSON object; raises as `post`."""
        return await self._ask("GET", path)

    async def upload(self, path: str, purpose: str, lines: bytes) -> WireReply:
        """Post `lines` as a multipart file, as OpenAI's files API takes it; raises as `post`."""
        edge = uuid.uuid4().hex
        before = f'--{edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\n{purpose}\r\n--{edge}\r\n'
        head = 'Content-Disposition: form-data; name="file"; filename="requests.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n'
        whole = f"{before}{head}".encode() + lines + f"\r\n--{edge}--\r\n".encode()
        return await self._ask("POST", path, whole, f"multipart/form-data; boundary={edge}")

    async def lines(self, path: str) -> list[dict[str, Any]]:
        """Read a file of JSON lines; a line that is no JSON object is left out, so its request counts as unanswered. Raises as `post`."""
        status, headers, data = _whole(await self._exchange("GET", path, None, None, MAX_FILE))
        if status != 200:
            raise failure(status, headers, _object(data), self._key_name)
        return [parsed for line in data.splitlines() if (parsed := _object(line)) is not None]

    async def _ask(self, method: str, path: str, content: bytes | None = None, kind: str | None = None) -> WireReply:
        # raised outside the handlers of `_exchange`, so that no request object with its headers hangs on the exception
        status, headers, data = _whole(await self._exchange(method, path, content, kind, MAX_BODY))
        parsed = _object(data)
        if status != 200:
            raise failure(status, headers, parsed, self._key_name)
        if parsed is None:
            raise _malformed(data)
        if parsed.get("error"):
            raise failure(_status_within(parsed["error"]), headers, parsed, self._key_name)
        return WireReply(parsed, headers)

    def _url(self, path: str) -> httpx.URL:
        if path not in self._urls:  # parsing one costs as much as sending a request
            self._urls[path] = httpx.URL(self._base + path)
        return self._urls[path]

    async def _exchange(self, method: str, path: str, content: bytes | None, kind: str | None, most: int) -> _Exchanged | ProviderError:
        try:
            headers = self._headers | {"content-type": kind} if kind else self._headers
            request = httpx.Request(method, self._url(path), headers=headers, content=content, extensions=self._extensions)
            response = await self._transport.handle_async_request(request)
            try:
                data = await _read(response, most)
            finally:
                await response.aclose()
        except (httpx.ReadTimeout, TimeoutError):
            return lost("timeout", f"no byte from {self._base} within the read timeout")
        except (httpx.TransportError, OSError) as error:
            if isinstance(error, httpx.ConnectError) or isinstance(error.__cause__, aiohttp.ClientConnectorError):
                return lost("refused", f"cannot connect to {self._base}")
            return lost("reset", f"connection to {self._base} lost ({type(error).__name__})")
        except (httpx.DecodingError, aiohttp.ClientError) as error:
            return fault("malformed_body", f"{self._base} sent no valid HTTP reply ({type(error).__name__})")
        if data is not None and self._key:  # a server that echoes the key into its reply does not get it onto our disk
            data = data.replace(self._key.reveal().encode(), b"***")
        if data is None:
            return fault("body_too_large", f"{self._base} sent more than {most} bytes")
        if content is not None and response.status_code == 200 and self._is_late_copy(response, data):
            return lost("repeated", f"{self._base} sent the bytes of an earlier reply: taken for its late copy")
        return response.status_code, response.headers, data

    def _is_late_copy(self, response: httpx.Response, data: bytes) -> bool:
        """Whether this may be an earlier reply of its connection, sent twice. Bytes doubted once are believed: a server without ids may repeat itself."""
        body = hash(data.strip())
        if not data.lstrip().startswith(b"{") or not repeats(response, body) or body in self._doubted:
            return False
        self._doubted.add(body)
        return True


def _proxy(base_url: str) -> httpx.Proxy | None:
    """The proxy that the environment names for `base_url`; never one for this machine."""
    place = urlsplit(base_url)
    if place.hostname in _LOOPBACK or urllib.request.proxy_bypass(place.netloc):
        return None
    named = urllib.request.getproxies()
    url = named.get(place.scheme) or named.get("all")
    return httpx.Proxy(url if "://" in url else f"http://{url}") if url else None


def _whole(outcome: _Exchanged | ProviderError) -> _Exchanged:
    if isinstance(outcome, ProviderError):
        raise outcome
    return outcome


async def _read(response: httpx.Response, most: int) -> bytes | None:
    data = bytearray()
    packed = "content-encoding" in response.headers
    async for chunk in response.aiter_bytes() if packed else cast("httpx.AsyncByteStream", response.stream):
        data += chunk
        if len(data) > most:
            return None
    return bytes(data)


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        parsed = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):  # no UTF-8, no JSON, a number of thousands of digits, endless nesting
        return None
    return parsed if isinstance(parsed, dict) else None


def _malformed(data: bytes) -> ServerFault:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return fault("malformed_body", "code 200 with invalid UTF-8")
    kind = "HTML" if text.lstrip()[:1] == "<" else "no JSON object"
    return fault("malformed_body", f"code 200 with {kind} of {len(data)} bytes")


def _status_within(error: Any) -> int:
    code = error.get("code", error.get("status")) if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code <= 599 else 200
