"""The folder of this machine that is kept equal to a bucket: a file is evidence once it is in the bucket, readers read the folder."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import StoreError
from warehouse.remote import Remote

BUILT = ("warehouse.duckdb", "report.html")
MARK = "published.json"
"""What a publication puts into the bucket, the mark last."""
ABREAST = 8
"""Objects fetched at once."""


@dataclass(frozen=True)
class Mirror:
    """`root` as the mirror of `remote`."""

    remote: Remote
    root: Path

    def refresh(self) -> None:
        """Fetch evidence that others added, let go what others removed.

        Raises:
            StoreError: the bucket cannot be reached, or has lost what it held.
        """
        # looked at before the bucket is: a file that another process adds meanwhile must not seem removed
        here = {self._name(path) for path in (self.root / "evidence").glob("*/*.parquet")}
        there = self.remote.names("evidence/")
        if here and not there:
            raise StoreError(f"{self.remote.address} holds no evidence, its mirror {self.root} {len(here)} files; restore the bucket, or move the mirror away")
        self._fetch(sorted(there.keys() - here))
        for name in here - there.keys():
            (self.root / name).unlink(missing_ok=True)

    def send(self, path: Path) -> Path:
        """Put a file of `unsent/` into the bucket, then among the evidence; returns where it lies."""
        final = self.root / "evidence" / path.parent.name / path.name
        self.remote.put(self._name(final), path)
        final.parent.mkdir(parents=True, exist_ok=True)
        path.replace(final)
        return final

    def send_unsent(self) -> None:
        """Send what a run could not. Call while holding the writer lock."""
        for path in sorted((self.root / "unsent").glob("*/*.parquet")):
            self.send(path)

    def fetch_again(self, path: Path) -> None:
        """Replace a file by what the bucket holds."""
        self.remote.get(self._name(path), path)

    def delete(self, path: Path) -> None:
        """Remove the object of a file."""
        self.remote.delete([self._name(path)])

    def fetch_published(self, turn: Callable[[Path], None]) -> None:
        """Bring what was published last and has changed; `turn` makes a fetched warehouse fit this machine before anyone sees it."""
        there = {name: tag for name, tag in self.remote.names("published/").items() if Path(name).name in (*BUILT, MARK)}
        known = self._tags()
        changed = [name for name, tag in there.items() if known.get(name) != tag or not (self.root / Path(name).name).exists()]
        for name in changed:
            aside = self.root / f".{uuid.uuid4().hex}.tmp"
            self.remote.get(name, aside)
            if name.endswith(".duckdb"):
                turn(aside)
            aside.replace(self.root / Path(name).name)
        self._remember(there)

    def send_published(self, names: Collection[str]) -> None:
        """Put files of a publication into the bucket. Call while holding the writer lock."""
        for name in names:
            self.remote.put(f"published/{name}", self.root / name)
        self._remember(self.remote.names("published/"))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _fetch(self, names: Collection[str]) -> None:
        with ThreadPoolExecutor(ABREAST) as pool:
            for done in [pool.submit(self.remote.get, name, self.root / name) for name in names]:
                done.result()

    def _tags(self) -> dict[str, str]:
        try:
            return dict(json.loads((self.root / ".tags.json").read_text()))
        except (FileNotFoundError, ValueError):
            return {}

    def _remember(self, tags: Mapping[str, str]) -> None:
        temporary = self.root / f".{uuid.uuid4().hex}.tmp"
        temporary.write_text(json.dumps(dict(tags)))
        temporary.replace(self.root / ".tags.json")
