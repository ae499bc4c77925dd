"""A user's own rows: JSONL, JSON array, CSV, TSV or Parquet, with a field map where their columns have other names.

Fields: `question`, `answer`; optional `choices`, `answer_type`, `source_id` (or `id`), `subject`, `perturbations`. The map of the run file gives our field the
name of their column; a list of columns is joined (question) or is the options in order (choices). SVAMP, for one:
`fields: {question: [Body, Question], answer: Answer}`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, UnknownName
from schemas.records import ANSWER_TYPES, Item
from tasks.datasets.base import Loaded, collect, local
from tasks.datasets.choices import WAYS, usual_ways
from tasks.datasets.fields import choices_of, gold_of, guess_type, own_perturbations
from tasks.datasets.readers import read
from tasks.datasets.rows import Row

FIELDS = ("question", "answer", "choices", "answer_type", "source_id", "subject", "perturbations")
_ALSO = {"source_id": ("source_id", "id"), "choices": ("choices", "options")}
"""Columns looked for where the map says nothing; every other field is looked for under its own name."""
_ASKING = ("How ", "What ", "Who ", "Which ", "When ", "Where ")


def load(spec: Dataset, path: Path | None) -> Loaded:
    """All rows of the file, in source order.

    Raises:
        ConfigError: no path, no such file, a folder, or a mapped column that the file lacks.
        UnknownName: the map names a field that there is not.
        BadRow: a row that cannot be used; the finding names the key.
    """
    if path is None:
        raise ConfigError(f"dataset {spec.name}: a dataset of your own needs `path`")
    if path.is_dir():
        raise ConfigError(f"dataset {spec.name}: {path} is a folder; name the file")
    rows = list(read(path))
    columns = _columns(spec, path, rows)
    mapper = _Mapper(spec.name, columns, spec.answer_type).after(rows)
    items, skipped = collect(rows, mapper.item, spec.on_bad_row, has_ids="source_id" in columns)
    place = local([path])
    return Loaded(items, place.version, place.source, "your own", skipped)


def _columns(spec: Dataset, path: Path, rows: list[Row | BadRow]) -> Mapping[str, tuple[str, ...]]:
    """Our field -> their columns, of those that the file has."""
    given = spec.fields or {}
    for name in given:
        if name not in FIELDS:
            raise UnknownName(f"key in fields of dataset {spec.name}", name, FIELDS)
    seen = {str(key) for row in rows if isinstance(row, Row) for key in row.values}
    found: dict[str, tuple[str, ...]] = {}
    for name in FIELDS:
        if name in given:
            theirs = given[name]
            found[name] = (theirs,) if isinstance(theirs, str) else tuple(theirs)
            if missing := [column for column in found[name] if seen and column not in seen]:
                raise ConfigError(f"dataset {spec.name}: fields.{name} names column {missing[0]!r}; {path.name} has {', '.join(sorted(seen))}")
        elif present := [column for column in _ALSO.get(name, (name,)) if column in seen]:
            found[name] = (present[0],)
    if seen and (lacking := [name for name in ("question", "answer") if name not in found]):
        raise ConfigError(f"dataset {spec.name}: {path.name} has no column {lacking[0]!r} (it has {', '.join(sorted(seen))}); map it with `fields`")
    return found


@dataclass(frozen=True)
class _Mapper:
    """Rows of one file -> items."""

    dataset: str
    columns: Mapping[str, tuple[str, ...]]
    stated: str | None
    usual: str | None = None
    """What most answers without options look like, where nothing states their type."""
    ways: tuple[str, ...] = WAYS
    """How most rows name the right option."""

    def after(self, rows: Sequence[Row | BadRow]) -> _Mapper:
        """The mapper that knows how most of `rows` give their answers."""
        whole = [(self._raw(row, "answer"), self._options(row)) for row in rows if isinstance(row, Row)]
        guesses = Counter(guess_type(answer) for answer, options in whole if not options and answer is not None)
        usual = guesses.most_common(1)[0][0] if guesses else None
        return replace(self, usual=usual, ways=usual_ways((answer, options) for answer, options in whole if options))

    def _options(self, row: Row) -> tuple[str, ...]:
        try:
            return choices_of(row, self.columns.get("choices", ()))
        except BadRow:
            return ()

    def item(self, row: Row) -> Item:
        """The item of `row`.

        Raises:
            BadRow: the finding names the key.
        """
        question = _joined([row.text(column) for column in self.columns["question"]])
        key = self.columns["answer"][0]
        options = choices_of(row, self.columns.get("choices", ()))
        answer = row.value(key)
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            raise row.bad(f"{key}: empty")
        kind = self._kind(row, answer, options)
        subject, source_id = self._raw(row, "subject"), self._raw(row, "source_id")
        return Item(
            "",
            self.dataset,
            str(row.index) if source_id is None else row.clean("source_id", str(source_id)),
            question,
            kind,
            gold_of(row, key, kind, options, self.ways),
            options if kind == "choice" else (),
            None if subject is None else row.clean("subject", str(subject)),
            perturbations=own_perturbations(row, self._raw(row, "perturbations")),
        )

    def _raw(self, row: Row, name: str) -> object:
        """The value of an optional field; an empty cell and the NaN of a data frame are none."""
        value = next((row.values.get(column) for column in self.columns.get(name, ())), None)
        empty = (isinstance(value, str) and not value.strip()) or (isinstance(value, float) and math.isnan(value))
        return None if empty else value

    def _kind(self, row: Row, answer: object, options: tuple[str, ...]) -> str:
        kind = self.stated or self._raw(row, "answer_type")
        if kind is not None:
            if kind not in ANSWER_TYPES:
                raise row.bad(f"answer_type: {kind!r} is none of {', '.join(ANSWER_TYPES)}")
            if kind == "choice" and not options:
                raise row.bad("choices: missing; a choice answer needs them")
            return str(kind)
        if options:
            return "choice"
        guess = guess_type(answer)
        if guess != self.usual:
            raise row.bad(f"answer: {str(answer)[:60]!r} looks like {guess}, most others like {self.usual}; state `answer_type` in the run file or in a column")
        return guess


def _joined(parts: Sequence[str]) -> str:
    """Parts of a question as one text. A part without an end gets a full stop, or a comma where its last sentence is an if-clause."""
    text = parts[0]
    for part in parts[1:]:
        if text[-1] not in ".?!:;,\u2026\"'":
            text += "," if re.search(r"(?:^|[.?!] )If [^.?!]*$", text) else "."
        text += " " + (part[0].lower() + part[1:] if text.endswith(",") and part.startswith(_ASKING) else part)
    return text
