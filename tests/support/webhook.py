"""A webhook's other end on loopback: answers with the scripted codes, then 200, and keeps what it got."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class Webhook(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.codes: list[int] = []
        self.got: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook/secret-token"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: Any = self.server
        server.got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(server.codes.pop(0) if server.codes else 200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        return


@contextmanager
def listening() -> Iterator[Webhook]:
    with Webhook() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
