"""A stand-in for the Hugging Face hub's HTTP API: repo info, tree listing and file download, with the error codes the hub sends.

It serves what the real client asks for when `HF_ENDPOINT` names it, and notes every request. Nothing in it knows of Sextant.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import unquote, urlsplit

_INFO = re.compile(r"/api/(datasets|models)/([^/]+/[^/]+)(?:/revision/(.+))?")
_TREE = re.compile(r"/api/(datasets|models)/([^/]+/[^/]+)/tree/([^/]+)")
_FILE = re.compile(r"/(datasets/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)")


@dataclass
class Repo:
    """One repository: commits by hash, and the commit each branch or tag points to."""

    commits: dict[str, dict[str, bytes]]
    refs: dict[str, str]
    gated: bool = False

    def commit(self, revision: str) -> str | None:
        resolved = self.refs.get(revision, revision)
        return resolved if resolved in self.commits else None


@dataclass
class HubServer:
    """`with HubServer() as hub:` serves `hub.repos` at `hub.url`."""

    repos: dict[tuple[str, str], Repo] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    failing: int | None = None
    """HTTP status of every answer, while set."""
    token: str = "let-me-in"

    def add(self, kind: str, repo: str, commit: str, files: dict[str, bytes], *, gated: bool = False) -> None:
        """Put `files` into `repo` as `commit`, the newest of its main branch."""
        held = self.repos.setdefault((kind, repo), Repo({}, {}, gated))
        held.commits[commit] = files
        held.refs["main"] = commit

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> HubServer:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str, authorization: str | None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for one request."""
        if self.failing is not None:
            return self.failing, {}, b"{}"
        for pattern, respond in ((_TREE, self._tree), (_INFO, self._info), (_FILE, self._file)):
            match = pattern.fullmatch(unquote(urlsplit(path).path))
            if match:
                kind = "dataset" if (match[1] or "").startswith("datasets") else "model"
                repo = self.repos.get((kind, match[2]))
                if repo is None:
                    return 401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"}, b"{}"
                if repo.gated and authorization != f"Bearer {self.token}":
                    return 401, {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access to this repository is restricted"}, b"{}"
                commit = repo.commit(match[3] or "main")
                if commit is None:
                    return 404, {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "Invalid rev id"}, b"{}"
                return respond(repo, commit, match)
        return 404, {}, b"{}"

    def _info(self, repo: Repo, commit: str, match: re.Match[str]) -> tuple[int, dict[str, str], bytes]:
        body = {"id": match[2], "sha": commit, "siblings": [{"rfilename": name} for name in repo.commits[commit]]}
        return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()

    def _tree(self, repo: Repo, commit: str, match: re.Match[str]) -> tuple[int, dict[str, str], bytes]:
        listed = [{"type": "file", "path": name, "size": len(data), "oid": _oid(data)} for name, data in repo.commits[commit].items()]
        return 200, {"Content-Type": "application/json"}, json.dumps(listed).encode()

    def _file(self, repo: Repo, commit: str, match: re.Match[str]) -> tuple[int, dict[str, str], bytes]:
        data = repo.commits[commit].get(match[4])
        if data is None:
            return 404, {"X-Error-Code": "EntryNotFound", "X-Error-Message": "Entry not found"}, b"{}"
        return 200, {"X-Repo-Commit": commit, "ETag": f'"{_oid(data)}"', "Content-Type": "application/octet-stream"}, data


def _oid(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def _handler(hub: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply(body=True)

        def do_HEAD(self) -> None:
            self._reply(body=False)

        def _reply(self, *, body: bool) -> None:
            hub.requests.append(f"{self.command} {self.path}")
            status, headers, data = hub.answer(self.path, self.headers.get("Authorization"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if body:
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            return

    return Handler
