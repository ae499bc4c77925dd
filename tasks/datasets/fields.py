"""Fields of a user's row: options, gold by type, their own rewordings."""

from __future__ import annotations

import json
from collections.abc import Sequence

from schemas.records import ORIGINAL, REWRITING
from tasks.datasets.choices import LETTERS, letter
from tasks.datasets.numbers import plain
from tasks.datasets.rows import Row

POLARITY = {"yes": "yes", "no": "no", "true": "yes", "false": "no"}


def guess_type(answer: object) -> str:
    """The answer type a value looks like: boolean, number or text."""
    if isinstance(answer, bool) or (isinstance(answer, str) and answer.strip().lower() in POLARITY):
        return "boolean"
    return "number" if isinstance(answer, int | float) or plain(answer) is not None else "text"


def gold_of(row: Row, key: str, kind: str, options: Sequence[str], ways: Sequence[str]) -> str:
    """The gold answer under `key` in the form its type has; options are named in one of `ways`.

    Raises:
        BadRow: missing, or not of the type.
    """
    answer = row.value(key)
    if kind == "choice":
        return letter(row, key, answer, options, ways)
    if kind == "boolean":
        gold = POLARITY.get(str(answer).strip().lower()) if isinstance(answer, bool | str) else None
        if gold is None:
            raise row.bad(f"{key}: {answer!r} is not yes, no, true or false")
        return gold
    if kind == "number":
        number = plain(answer)
        if number is None:
            raise row.bad(f"{key}: {str(answer)[:60]!r} is not a number")
        return number
    return row.clean(key, answer if isinstance(answer, str) else plain(answer) or answer)


def choices_of(row: Row, columns: Sequence[str]) -> tuple[str, ...]:
    """Options of a row: several columns in order, or one that holds a list (in CSV: as JSON). Empty where the row has none.

    Raises:
        BadRow: not a list of two to 26 different texts.
    """
    values: object = row.values.get(columns[0]) if len(columns) == 1 else [row.values.get(column) for column in columns]
    if isinstance(values, str) and values.strip():
        values = _json(row, columns[0], values)
    if not values or (len(columns) > 1 and isinstance(values, list) and not any(_filled(value) for value in values)):
        return ()
    if not isinstance(values, list) or not 2 <= len(values) <= len(LETTERS):
        raise row.bad(f"choices: must be a list of 2 to {len(LETTERS)} options")
    options = tuple(row.clean("choices", value if isinstance(value, str) else plain(value) or value) for value in values)
    for n, option in enumerate(options):
        if option in options[:n]:
            raise row.bad(f"choices: options {LETTERS[options.index(option)]} and {LETTERS[n]} are the same text")
    return options


RESERVED = {ORIGINAL, REWRITING}
"""Values of `generations.operator` that no rewording may have."""


def own_perturbations(row: Row, value: object) -> tuple[tuple[str, str], ...]:
    """Rewordings from the user's file as (operator, question): `{operator: question}`, `[{operator, question}]`, or `[question]` (named own1, own2, ...).

    Raises:
        BadRow: another form, an entry without a question, an empty text, or an operator twice or of a name that is taken.
    """
    if value is None:
        return ()
    parsed = _json(row, "perturbations", value) if isinstance(value, str) else value
    if isinstance(parsed, dict):
        pairs = list(parsed.items())
    elif isinstance(parsed, list):
        for n, each in enumerate(parsed, start=1):
            if isinstance(each, dict) and not {"operator", "question"} <= set(each):
                raise row.bad(f"perturbations: entry {n} has {', '.join(map(str, each)) or 'nothing'}; it needs operator and question")
        pairs = [(each["operator"], each["question"]) if isinstance(each, dict) else (f"own{n}", each) for n, each in enumerate(parsed, start=1)]
    else:
        raise row.bad("perturbations: must be a list of questions, or an object of operator and question")
    cleaned = [(row.clean("perturbations", name), row.clean("perturbations", question)) for name, question in pairs if question is not None]
    for name in {name for name, _ in cleaned} & RESERVED:
        raise row.bad(f"perturbations: {name!r} is a name of ours; give another")
    if len({name for name, _ in cleaned}) < len(cleaned):
        raise row.bad("perturbations: an operator is named twice")
    return tuple(cleaned)


def _filled(value: object) -> bool:
    return value is not None and value != ""


def _json(row: Row, key: str, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise row.bad(f'{key}: must be a JSON list in one cell, e.g. ["red", "blue"] ({error})') from error
