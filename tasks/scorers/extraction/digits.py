"""Digit runs with their separators: `1,234.5`, `1.234,56`, `1 200`, `1'234`, `1_000`, `12,34,567`, `.5`; lists are split."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

MAX_DIGITS = 400
"""Longer runs are noise, not answers, and cost quadratic time to convert."""

BLOB = re.compile(r"(?<![\d.])\.\d+(?![.,]?\d)|\d+(?:[.,'_]\d+|[ \u00a0]\d{3}(?!\d|\s?/|-[A-Za-z]))*")
_PLAIN = re.compile(r"\d+")
_GROUPED = re.compile(r"\d{1,3}(?P<mark>[,'_ ])\d{3}(?:(?P=mark)\d{3})*(?:[.,](?P<fraction>\d+))?")
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.(?P<fraction>\d+))?")
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+,(?P<fraction>\d{1,2})|\d{1,3}(?:\.\d{3}){2,}(?P<none>)")
_POINT = re.compile(r"\d*\.(?P<fraction>\d+)")
_DECIMAL_COMMA = re.compile(r"(?:\d+,(?P<short>\d{1,2})|0,(?P<zero>\d+)|\d+,(?P<long>\d{4,}))")


@dataclass(frozen=True)
class Digits:
    """One number of digits: place, value, decimals written; `broken` where it is part of a list, version or interval."""

    start: int
    end: int
    value: Fraction
    decimals: int
    broken: bool = False
    unsure: bool = False
    thousands_if_euro: bool = False


def read_blob(match: re.Match[str], text: str) -> list[Digits]:
    """The number a run of digits and separators is, or its parts where it is a list."""
    blob, start, end = match[0], match.start(), match.end()
    enclosed = (
        text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]") or text[end : end + 1] in ("[", "]", ")") and text[start - 1 : start] == "["
    )
    whole = None if len(blob) > MAX_DIGITS else _read(blob, enclosed)
    if whole is not None:
        value, decimals, unsure = whole
        euro = bool(re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", blob))
        return [Digits(start, end, value, decimals, unsure=unsure, thousands_if_euro=euro)]
    if len(blob) > MAX_DIGITS and blob.isdigit():
        return []
    spaced = " " in blob and not re.search(r"[.,'_]", blob)
    parts = _PLAIN.finditer(blob) if blob.count(".") != 1 else re.finditer(r"\d+(?:\.\d+)?", blob)
    return [
        Digits(start + part.start(), start + part.end(), Fraction(part[0]), len(part[0].partition(".")[2]), broken=not spaced)
        for part in parts
        if len(part[0]) <= MAX_DIGITS
    ]


def _read(blob: str, enclosed: bool) -> tuple[Fraction, int, bool] | None:
    """Value, decimals, unsure; None where the run is no single number."""
    if blob.isdigit():
        return Fraction(int(blob)), 0, False
    if point := _POINT.fullmatch(blob):
        return Fraction("0" + blob if blob[0] == "." else blob), len(point["fraction"]), False
    for pattern in (_GROUPED, _INDIAN, _EUROPEAN):
        if match := pattern.fullmatch(blob):
            fraction = match["fraction"] or ""
            body = blob[: len(blob) - len(fraction) - 1] if fraction else blob
            return Fraction(f"{re.sub(r'[^0-9]', '', body)}.{fraction or '0'}"), len(fraction), False
    comma = None if enclosed else _DECIMAL_COMMA.fullmatch(blob)
    if comma:
        return Fraction(blob.replace(",", ".")), len(blob.partition(",")[2]), not blob.startswith("0")
    return None
