"""Notes of submitted batches beside the journals: what was asked, under which id. They outlive the process that wrote them."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from schemas.errors import StoreError
from schemas.records import Request


@dataclass(frozen=True)
class Note:
    """One batch. `batch_id` is None from just before it is submitted until its id is known."""

    label: str
    model: str
    submitted_at: datetime
    requests: tuple[Request, ...]
    batch_id: str | None = None

    @property
    def wanted(self) -> set[str]:
        """The generations it will answer."""
        return {request.generation_id for request in self.requests}


def new(model: str, requests: Sequence[Request]) -> Note:
    """A note of a batch about to be submitted. The messages themselves stay with the provider."""
    return Note(uuid.uuid4().hex, model, datetime.now(UTC), tuple(replace(request, messages=(), sampling=()) for request in requests))


def keep(folder: Path, note: Note) -> None:
    """Write the note, durably.

    Raises:
        StoreError: the disk refuses.
    """
    path, temporary = folder / f"{note.label}.json", folder / f".{note.label}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with temporary.open("w") as out:
            json.dump({**asdict(note), "submitted_at": note.submitted_at.isoformat()}, out)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
    except OSError as error:
        raise StoreError(f"cannot write the batch note {path}: {error.strerror}; free the disk or mend its permissions, then run again") from error


def drop(folder: Path, note: Note) -> None:
    """Forget a batch whose answers are journalled."""
    (folder / f"{note.label}.json").unlink(missing_ok=True)


def pending(folder: Path, model: str) -> list[Note]:
    """Notes of `model`, oldest first."""
    notes = []
    for path in folder.glob("*.json"):
        try:
            read = json.loads(path.read_text())
        except FileNotFoundError:
            continue  # another shard has just finished it
        if read["model"] == model:
            requests = tuple(Request(**{**one, "messages": (), "sampling": ()}) for one in read["requests"])
            notes.append(Note(read["label"], model, datetime.fromisoformat(read["submitted_at"]), requests, read["batch_id"]))
    return sorted(notes, key=lambda note: note.submitted_at)
