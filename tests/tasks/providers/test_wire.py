"""The wire against a raw socket server: a reply sent twice, and the proxy that the environment names."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tasks.engine import EngineSettings, Limiter, read, run_requests
from tasks.providers import open_provider
from tests.engine_kit import QUICK, limits, model, request


def reply_to(body: bytes) -> bytes:
    """A chat completion that repeats the question."""
    asked = json.loads(body)["messages"][-1]["content"]
    message = {"id": f"chatcmpl-{asked}", "choices": [{"index": 0, "message": {"content": f"re: {asked}"}, "finish_reason": "stop"}]}
    text = json.dumps(message).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(text) + text


class Raw:
    """Hands every request to `answer(writer, reply)` and keeps its first line."""

    def __init__(self, answer: Callable[[asyncio.StreamWriter, bytes], None]) -> None:
        self._answer, self.lines, self.connections = answer, list[str](), 0
        self._open = set[asyncio.StreamWriter]()

    async def __aenter__(self) -> Raw:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._open.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.lines.append(head.split("\r\n")[0])
                length = next(int(line.split(":")[1]) for line in head.lower().split("\r\n") if line.startswith("content-length"))
                self._answer(writer, reply_to(await reader.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def once(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """A server that behaves."""
    writer.write(reply)


def at_once(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """The second copy in the same write."""
    writer.write(reply + reply)


def late(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """The second copy while the connection lies idle in the pool."""
    writer.write(reply)
    asyncio.get_running_loop().call_later(0.02, writer.write, reply)


def half_late(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """The second copy starts in the same write and ends while the connection lies idle."""
    writer.write(reply + reply[:30])
    asyncio.get_running_loop().call_later(0.02, writer.write, reply[30:])


def under_the_next(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """Each reply takes 40 ms; its second copy comes 20 ms later, when the next request is under way."""
    loop = asyncio.get_running_loop()
    for delay in (0.04, 0.06):
        loop.call_later(delay, writer.write, reply)


async def texts(url: str, n: int, pause_s: float) -> list[str]:
    """Answers to n different questions, asked one after the other over at most one connection."""
    answers = []
    async with open_provider(model(url, limits=limits(concurrency=1)), Path()) as provider:
        for i in range(n):
            answers.append((await provider.generate(request(i, content=f"question {i}"))).text)
            await asyncio.sleep(pause_s)
    return answers


def test_a_server_that_behaves_keeps_its_one_connection() -> None:
    async def go() -> tuple[list[str], int]:
        async with Raw(once) as server:
            return await texts(server.url, 3, 0), server.connections

    assert asyncio.run(go()) == ([f"re: question {i}" for i in range(3)], 1)


@pytest.mark.parametrize("pause_s", [0, 0.05])
@pytest.mark.parametrize("answer", [at_once, half_late])
def test_a_second_copy_of_a_reply_is_never_the_answer_of_the_next_request(answer: Callable[..., None], pause_s: float) -> None:
    async def go() -> list[str]:
        async with Raw(answer) as server:
            return await texts(server.url, 4, pause_s)

    assert asyncio.run(go()) == [f"re: question {i}" for i in range(4)]


def test_a_second_copy_that_comes_while_the_connection_is_idle_is_never_the_answer_of_the_next_request() -> None:
    async def go() -> list[str]:
        async with Raw(late) as server:
            return await texts(server.url, 4, 0.1)

    assert asyncio.run(go()) == [f"re: question {i}" for i in range(4)]


def through_the_engine(answer: Callable[[asyncio.StreamWriter, bytes], None], n: int, journal: Path) -> tuple[list[str], list[str | None], int]:
    """n different questions over one connection at a time: the texts, the attempts' reasons, and how many requests the server saw."""

    async def go() -> int:
        async with Raw(answer) as server:
            asked = model(server.url, limits=limits(concurrency=1))
            wanted = [request(i, content=f"question {i}") for i in range(n)]
            async with open_provider(asked, Path()) as provider:
                settings = EngineSettings(asked.limits, journal, backoff=QUICK)
                await run_requests(wanted, provider, settings=settings, limiter=Limiter(asked.limits, backoff=QUICK))
            return len(server.lines)

    seen = asyncio.run(go())
    found = read(journal)
    return [row["text"] for row in found.generations], [row["reason"] for row in found.attempts], seen


def test_a_second_copy_that_comes_under_the_next_request_is_not_its_answer(tmp_path: Path) -> None:
    texts, reasons, seen = through_the_engine(under_the_next, 4, tmp_path / "j")
    assert texts == [f"re: question {i}" for i in range(4)]
    assert "repeated" in reasons
    assert len(reasons) == seen, "a request left no attempt row"


def padded(writer: asyncio.StreamWriter, reply: bytes) -> None:
    """As `under_the_next`, the JSON after blank lines that keep a proxy awake."""
    body = b"\n\n" + reply.partition(b"\r\n\r\n")[2]
    under_the_next(writer, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def older() -> Callable[[asyncio.StreamWriter, bytes], None]:
    """Before the third reply comes a copy of the first."""
    sent: list[bytes] = []

    def answer(writer: asyncio.StreamWriter, reply: bytes) -> None:
        sent.append(reply)
        if len(sent) == 3:
            asyncio.get_running_loop().call_later(0.02, writer.write, sent[0])
        asyncio.get_running_loop().call_later(0.04, writer.write, reply)

    return answer


def same_twice_before_a_late_copy() -> Callable[[asyncio.StreamWriter, bytes], None]:
    """A server that says the same to the first three; then the fourth reply comes twice."""
    sent: list[bytes] = []

    def answer(writer: asyncio.StreamWriter, reply: bytes) -> None:
        sent.append(reply)
        if len(sent) < 5:
            asyncio.get_running_loop().call_later(0.01, writer.write, reply_to(json.dumps({"messages": [{"content": "anything"}]}).encode()))
        else:
            under_the_next(writer, reply)

    return answer


@pytest.mark.parametrize(
    ("answer", "alike"), [(padded, 0), (older(), 0), (same_twice_before_a_late_copy(), 3)], ids=["padded", "older", "after honest repeats"]
)
def test_no_disguise_of_a_second_copy_makes_it_the_answer_of_a_later_request(
    answer: Callable[[asyncio.StreamWriter, bytes], None], alike: int, tmp_path: Path
) -> None:
    texts, reasons, seen = through_the_engine(answer, 8, tmp_path / "j")
    assert texts == ["re: anything"] * alike + [f"re: question {i}" for i in range(alike, 8)]
    assert "repeated" in reasons
    assert len(reasons) == seen


def test_a_server_that_says_the_same_to_everyone_is_doubted_once_and_then_believed(tmp_path: Path) -> None:
    same = reply_to(json.dumps({"messages": [{"content": "anything"}]}).encode())
    texts, reasons, seen = through_the_engine(lambda writer, _: writer.write(same), 6, tmp_path / "j")
    assert texts == ["re: anything"] * 6
    assert reasons.count("repeated") == 1
    assert len(reasons) == seen == 7


@contextmanager
def environment(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Iterator[None]:
    with monkeypatch.context() as patch:
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            patch.delenv(name, raising=False)
            patch.delenv(name.upper(), raising=False)
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_the_proxy_of_the_environment_is_asked_for_a_distant_host(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> list[str]:
        async with Raw(once) as proxy:
            with environment(monkeypatch, **{variable: proxy.url}):
                assert await texts("http://models.example/v1", 1, 0) == ["re: question 0"]
        return proxy.lines

    if variable == "HTTP_PROXY":
        monkeypatch.delenv("REQUEST_METHOD", raising=False)  # where it is set urllib takes us for a CGI script
    assert asyncio.run(go()) == ["POST http://models.example/v1/chat/completions HTTP/1.1"]


@pytest.mark.parametrize(("url", "variables"), [("", {}), ("", {"NO_PROXY": "elsewhere.example"})])
def test_no_proxy_is_asked_for_this_machine(url: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> list[str]:
        async with Raw(once) as proxy, Raw(once) as server:
            with environment(monkeypatch, HTTP_PROXY=proxy.url, **variables):
                assert await texts(server.url, 1, 0) == ["re: question 0"]
        return proxy.lines

    assert asyncio.run(go()) == []


def test_a_host_that_no_proxy_names_is_asked_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.providers.wire import _proxy

    with environment(monkeypatch, HTTPS_PROXY="proxy.example:3128", NO_PROXY="inner.example"):
        assert _proxy("https://inner.example/v1") is None
        outer = _proxy("https://outer.example/v1")
    assert outer is not None and str(outer.url) == "http://proxy.example:3128"
