"""One row of a data file with its line, and what may be asked of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import BadRow


@dataclass(frozen=True)
class Row:
    """One row: `line` counts from 1 in the file (Parquet: the row), `index` counts rows from 0."""

    file: Path
    line: int
    index: int
    values: Mapping[str, object]

    def bad(self, finding: str) -> BadRow:
        """The error that says what is wrong with this row; the finding names the key."""
        return BadRow(self.file, self.line, finding)

    def value(self, key: str) -> object:
        """The value under `key`.

        Raises:
            BadRow: there is none.
        """
        if key not in self.values:
            raise self.bad(f"{key}: missing; the row has {', '.join(map(str, self.values)) or 'nothing'}")
        return self.values[key]

    def text(self, key: str) -> str:
        """The text under `key`, stripped.

        Raises:
            BadRow: missing, not text, empty, or not storable as UTF-8.
        """
        return self.clean(key, self.value(key))

    def clean(self, key: str, value: object) -> str:
        """`value` as stripped text.

        Raises:
            BadRow: not text, empty, or not storable as UTF-8.
        """
        if not isinstance(value, str):
            raise self.bad(f"{key}: is {kind_of(value)}, must be text")
        text = value.strip()
        if not text:
            raise self.bad(f"{key}: empty")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise self.bad(f"{key}: not valid UTF-8")
        return text


def kind_of(value: object) -> str:
    """What a value is, in words for an error."""
    if value is None:
        return "null"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
