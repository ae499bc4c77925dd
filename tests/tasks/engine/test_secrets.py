"""A planted key is in no journal, exception or repr, even where the server throws it back."""

from __future__ import annotations

import json
import traceback
from pathlib import Path

import pytest

from schemas.errors import SextantError
from tasks.providers import open_provider
from tasks.providers.base import Secret
from tests.engine_kit import model, requests, run
from tests.fault_bodies import TRANSIENT, Act, answer
from tests.fault_server import FaultServer, Plan

KEY = "sk-planted-0123456789"
OTHER_FAULTS = ("400", "401", "403", "404", "429", "quota", "overflow", "filter", "huge")


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)


@pytest.mark.parametrize("wire", ["openai", "anthropic", "gemini"])
def test_no_fault_brings_the_key_to_disk_or_screen(wire: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    told: list[str] = []
    for kind in (*TRANSIENT, *OTHER_FAULTS):
        with FaultServer(Plan(always=kind)) as server:
            asked = model(server.url, wire, api_key_env="PLANTED_KEY", limits=model(server.url).limits.model_copy(update={"attempts": 1}))
            try:
                run(asked, requests(2), tmp_path / kind, on_event=lambda event: told.append(repr(event)))
            except SextantError as error:
                told.append("".join(traceback.format_exception(error)))
            assert any(KEY in str(entry["headers"]) for entry in server.log), "the key was never sent: the test proves nothing"
    written = "".join(path.read_text() for path in tmp_path.iterdir())
    assert KEY not in written + "".join(told) + caplog.text


@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_a_server_that_echoes_the_key_does_not_get_it_onto_our_disk(status: int, tmp_path: Path) -> None:
    def echo(wire: str, body: dict[str, object], headers: dict[str, str]) -> Act:
        good = answer(wire, "0123456789abcdef", "m")
        if status == 200:
            good["choices"][0]["message"]["content"] = f"your header was {headers['authorization']}"
            return Act(body=json.dumps(good).encode())
        return Act(status, json.dumps({"error": {"message": f"bad key {headers['authorization']}"}}).encode())

    told: list[str] = []
    with FaultServer(act=echo) as server:
        asked = model(server.url, api_key_env="PLANTED_KEY")
        try:
            run(asked, requests(1), tmp_path / "j", on_event=lambda event: told.append(repr(event)))
        except SextantError as error:
            told.append(str(error))
    written = (tmp_path / "j").read_text() + "".join(told)
    assert "bad key" in written or "your header was" in written
    assert KEY not in written


def test_no_repr_shows_the_key_and_no_pickle_takes_it() -> None:
    import asyncio
    import pickle

    async def go() -> str:
        async with open_provider(model("http://127.0.0.1:9/v1", api_key_env="PLANTED_KEY"), Path()) as provider:
            return repr(provider) + repr(vars(provider)) + repr(provider._wire)  # type: ignore[attr-defined]

    assert KEY not in asyncio.run(go()) + repr(Secret(KEY)) + str(Secret(KEY)) + f"{Secret(KEY)}"
    with pytest.raises(TypeError):
        pickle.dumps(Secret(KEY))


def test_an_exception_holds_no_request_object_in_its_context(tmp_path: Path) -> None:
    from schemas.errors import ConnectionLost
    from tests.engine_kit import ask

    with FaultServer(Plan(always="reset")) as server, pytest.raises(ConnectionLost) as caught:
        ask(model(server.url, api_key_env="PLANTED_KEY"))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
