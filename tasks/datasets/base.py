"""What every dataset file shares: the registry entry, what loading returns, ids, and where files are."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, Unavailable
from schemas.keys import digest
from schemas.records import Item
from tasks import hub
from tasks.datasets.rows import Row


@dataclass(frozen=True)
class Loaded:
    """Items of one dataset, with where they came from. `skipped` are the rows set aside under `on_bad_row: skip`."""

    items: list[Item]
    version: str
    """Hub revision, `sha256:` of the files, or generator version and seed."""
    source: str
    licence: str = ""
    skipped: list[BadRow] = field(default_factory=list)
    total: int = 0
    """Items there were before the limit."""


@dataclass(frozen=True)
class DatasetEntry:
    """One registered dataset. `read` takes the spec and the local path (None: hub or generator) and returns all items in source order."""

    name: str
    about: str
    licence: str
    url: str
    answer_types: tuple[str, ...]
    size: int | None
    """Items of the default split and subjects."""
    read: Callable[[Dataset, Path | None], Loaded]
    repo: str | None = None
    revision: str | None = None
    """Pinned hub revision."""
    equal_subjects: bool = False
    """A limit draws the same number from each subject, not in proportion to its size."""


@dataclass(frozen=True)
class Place:
    """Files to read and what pins them."""

    files: list[Path]
    version: str
    source: str


def identified(item: Item) -> Item:
    """`item` under its id: the digest of dataset, source id and the digest of question, options and gold."""
    return replace(item, item_id=digest(item.dataset, item.source_id, digest(item.question, list(item.choices), item.gold)))


def from_hub(repo: str, revision: str, names: Sequence[str], *, every: bool = False) -> Place:
    """The first of `names` (globs allowed) that a dataset repository on the hub holds, or the first file of each with `every`.

    Raises:
        Unavailable: see `tasks.hub`.
    """
    folder = hub.snapshot(repo, revision, kind="dataset", allow=names)
    found = [matches[0] for name in names if (matches := sorted(folder.glob(name)))]
    if not found:
        raise Unavailable(f"dataset {repo} at {folder.name[:12]} holds none of {', '.join(names)}; check `split` and `revision`")
    return Place(found if every else found[:1], folder.name, f"hub {repo}@{folder.name[:12]}")


def from_path(path: Path, names: Sequence[str]) -> Place:
    """A local file, or the first of `names` (globs allowed) that a local folder holds.

    Raises:
        ConfigError: the path is not there, or the folder holds none of them.
    """
    if path.is_file():
        return local([path])
    if not path.is_dir():
        raise ConfigError(f"dataset path {path}: no such file or folder; paths are relative to the run file")
    for name in names:
        if found := sorted(path.glob(name)):
            return local(found)
    raise ConfigError(f"dataset path {path}: the folder holds none of {', '.join(names)}; name the file itself")


def local(files: Sequence[Path]) -> Place:
    """Local files, pinned by the digest of their content."""
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    whole = digests[0] if len(files) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent} ({len(files)} files)"
    return Place(list(files), f"sha256:{whole[:32]}", where)


def collect(rows: Iterable[Row | BadRow], to_item: Callable[[Row], Item], on_bad_row: str, *, has_ids: bool = True) -> tuple[list[Item], list[BadRow]]:
    """Items of `rows` in their order under their ids, and the rows set aside.

    Without ids of their own (`has_ids`) two rows of one content are the same item twice.

    Raises:
        BadRow: the first row that cannot be used, unless `on_bad_row` is `skip`.
    """
    items: list[Item] = []
    skipped: list[BadRow] = []
    lines: dict[str, int] = {}
    contents: dict[tuple[object, ...], int] = {}
    for row in rows:
        try:
            if isinstance(row, BadRow):
                raise row
            item = identified(to_item(row))
            if item.source_id in lines:
                raise row.bad(f"source_id: {item.source_id!r} is already the id of line {lines[item.source_id]}; ids are unique")
            content = (item.question, item.choices, item.answer_type, item.gold)
            if not has_ids and content in contents:
                raise row.bad(f"the same question, options and answer as line {contents[content]}; give both an id if they are two items")
        except BadRow as finding:
            if on_bad_row == "error":
                raise
            skipped.append(finding)
            continue
        lines[item.source_id] = contents[content] = row.line
        items.append(item)
    return items, skipped
