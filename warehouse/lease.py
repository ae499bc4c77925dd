"""The writer's lock of a store on object storage: one object, changed only where it is still what was last seen (conditional PUT).

Its holder writes a new beat every BEAT_S. Who waits counts by his own clock how long the object has stayed the same, so that clocks need not agree,
and takes over after LEASE_S. A holder that was cut off that long finds his next beat refused and stops. Evidence is only ever added, so the worst that
two writers can do is to buy the same answer twice.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from schemas.errors import StoreError
from warehouse.mirror import Mirror
from warehouse.remote import Remote

NAME = "lock"
BEAT_S = 15.0
LEASE_S = 120.0
LOOK_S = 2.0


@dataclass
class Lease:
    """The lock as this process holds it."""

    remote: Remote
    machine: str
    _name: str = field(default_factory=lambda: uuid.uuid4().hex)
    _etag: str | None = None
    _lost: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)

    def mind(self) -> None:
        """Raise StoreError where another has taken the lock over."""
        if self._lost:
            raise StoreError(f"{self.remote.address} was taken over by another run while this one could not reach it; run again, nothing is lost")

    def take(self, waiting: Callable[[str], None]) -> None:
        """Wait for the lock and take it. A former holder on this same machine is dead: the caller holds the machine's own lock."""
        seen, since, told = "", time.monotonic(), False
        while True:
            found = self.remote.read(NAME)
            holder = json.loads(found[0]) if found else {}
            etag = found[1] if found else None
            if etag != seen:
                seen, since = etag or "", time.monotonic()
            if not holder.get("holder") or holder["machine"] == self.machine or time.monotonic() - since > LEASE_S:
                if self._write(etag):
                    return
                continue
            if not told:
                waiting(f"another run ({holder['holder']}) is writing to {self.remote.address}; waiting for it")
                told = True
            time.sleep(LOOK_S)

    def keep(self) -> None:
        """Beat until released; run in a thread."""
        while not self._ended.wait(BEAT_S):
            try:
                found = self.remote.read(NAME)
                ours = found is not None and json.loads(found[0]).get("name") == self._name
                if not (ours and found and self._write(found[1])):
                    self._lost = True
                    return
            except StoreError:  # unreachable: the next beat tells whether the lock is still ours
                continue

    def release(self, keeper: threading.Thread) -> None:
        """Give the lock back."""
        self._ended.set()
        keeper.join()
        with suppress(StoreError):  # unreachable: the lock falls to the next after LEASE_S
            self.remote.swap(NAME, json.dumps({"holder": None, "released": uuid.uuid4().hex}).encode(), self._etag)

    def _write(self, expected: str | None) -> bool:
        body = {"holder": f"process {os.getpid()} on {socket.gethostname()}", "machine": self.machine, "name": self._name, "beat": uuid.uuid4().hex}
        etag = self.remote.swap(NAME, json.dumps(body).encode(), expected)
        self._etag = etag or self._etag
        return etag is not None


@contextmanager
def held(mirror: Mirror, waiting: Callable[[str], None]) -> Iterator[Lease]:
    """Hold the lock of a bucket for this block."""
    lease = Lease(mirror.remote, _machine(mirror.root))
    lease.take(waiting)
    keeper = threading.Thread(target=lease.keep, daemon=True)
    keeper.start()
    try:
        yield lease
    finally:
        lease.release(keeper)


def _machine(mirror: Path) -> str:
    """A name for this mirror, made once."""
    path = mirror / ".machine"
    if not path.exists():
        path.write_text(uuid.uuid4().hex)
    return path.read_text()
