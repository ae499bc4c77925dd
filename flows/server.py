"""The local Prefect server of a run: started when there is work and `PREFECT_API_URL` names no other, drained and stopped after it.

Never Prefect's ephemeral mode: it times out on a fresh home and loses task records (STACK.md). The server's files lie under the
store. It dies with the process that started it, kill -9 included.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx

from schemas.errors import StoreError, Unavailable

START_TIMEOUT_S = 120
DRAIN_TIMEOUT_S = 10
PR_SET_PDEATHSIG = 1
QUIET = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "200",
}
"""Analytics off; recorder and persister in batches (57 -> 15 ms server CPU per task run)."""


def configure(home: Path) -> None:
    """Set Prefect's environment for this process and its children. Call before Prefect is imported."""
    settings = QUIET | {
        "PREFECT_HOME": str(home),
        "PREFECT_LOCAL_STORAGE_PATH": str(home / "results"),
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        "PREFECT_LOGGING_EXTRA_LOGGERS": "sextant",
    }
    for name, value in settings.items():
        os.environ.setdefault(name, value)


@contextmanager
def prefect_server(home: Path) -> Iterator[str]:
    """Yield the API URL: the one the environment names, else that of a local server that lives for this block.

    Raises:
        Unavailable: the server did not come up.
        StoreError: there is no room for its database.
    """
    named = os.environ.get("PREFECT_API_URL")
    if named:
        _reach(named)
        yield named
        return
    home.mkdir(parents=True, exist_ok=True)
    configure(home)
    started = datetime.now(UTC).isoformat()
    database = home / "server.db"
    if not database.exists():
        _copy(_template(), database)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/api"
    log = (home / "server.log").open("ab")
    process = subprocess.Popen(_command(port), env=_environment(database, url), stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent)
    try:
        _wait_until_healthy(url, process, home / "server.log")
        os.environ["PREFECT_API_URL"] = url
        from prefect.settings import PREFECT_API_URL, temporary_settings

        with temporary_settings({PREFECT_API_URL: url}):
            try:
                yield url
            finally:
                _drain(url, started)
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _copy(template: Path, database: Path) -> None:
    """Half a database, of a full disk or a kill, would end every later start."""
    half = database.with_suffix(f".{os.getpid()}.tmp")
    try:
        shutil.copy(template, half)
        half.replace(database)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise StoreError(f"cannot write {database}: {error.strerror}; free the disk, or choose another store with --store") from error


def _reach(url: str) -> None:
    try:
        answers = httpx.get(f"{url}/health", timeout=10).is_success
    except (httpx.HTTPError, httpx.InvalidURL):
        answers = False
    if not answers:
        raise Unavailable(f"PREFECT_API_URL names {url}, where no Prefect server answers; start it, or unset the variable and each run starts its own")


def _command(port: int) -> list[str]:
    factory = ["--factory", "prefect.server.api.server:create_app"]
    return [sys.executable, "-m", "uvicorn", *factory, "--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--lifespan", "on"]


def _environment(database: Path, url: str) -> dict[str, str]:
    return {
        **os.environ,
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{database}",
        "PREFECT_UI_API_URL": url,
        "PREFECT__SERVER_FINAL": "1",
    }


def _die_with_parent() -> None:
    # without it kill -9 of a run would leave its server behind; Ctrl-C must reach us and not the server
    os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _template() -> Path:
    """A migrated empty database, made once per environment: a start from it takes 6-10 s instead of 21-35 s."""
    import importlib.metadata

    version = importlib.metadata.version("prefect")
    path = Path(sys.prefix) / "share" / "sextant" / f"prefect-{version}.db"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}.tmp")
    command = [sys.executable, "-m", "prefect", "server", "database", "upgrade", "-y"]
    environment = {**os.environ, "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{fresh}"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=START_TIMEOUT_S, check=False)
    if done.returncode or not fresh.exists():
        raise Unavailable(f"Prefect could not create its database: {done.stderr.strip()[-300:]}")
    fresh.replace(path)
    return path


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise Unavailable(f"the local Prefect server ended with code {process.returncode}; its log is {log}")
        try:
            if httpx.get(f"{url}/health", timeout=2).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise Unavailable(f"the local Prefect server was not ready within {START_TIMEOUT_S} s; its log is {log}; or name a running one in PREFECT_API_URL")


def _drain(url: str, started: str) -> None:
    """Send the last log lines; wait until the recorder has written the end of every task run: the page would show them running for ever."""
    from prefect.logging.handlers import APILogWorker

    APILogWorker.drain_all(timeout=5)
    running = {"task_runs": {"state": {"type": {"any_": ["RUNNING", "PENDING"]}}, "start_time": {"after_": started}}}
    deadline = time.monotonic() + DRAIN_TIMEOUT_S
    while time.monotonic() < deadline:
        time.sleep(0.5)
        try:
            if httpx.post(f"{url}/task_runs/count", json=running, timeout=5).json() == 0:
                return
        except (httpx.HTTPError, ValueError):
            return
