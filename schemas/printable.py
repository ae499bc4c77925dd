"""Text of models and files on its way to a terminal: nothing in it that a terminal would obey, or that would hide or reorder what is read."""

from __future__ import annotations

import json
import re

_UNUSUAL = re.compile(r"[^\n\x20-\x7e]")


def printable(text: str) -> str:
    """`text` with control, format, private and surrogate characters escaped; line breaks stay."""
    return _UNUSUAL.sub(lambda match: match[0] if match[0].isprintable() else match[0].encode("unicode_escape", "surrogatepass").decode(), text)


def one_line(text: str, width: int = 100) -> str:
    """`text` printable, on one line, at most `width` characters."""
    shown = printable(text[: width + 1]).replace("\n", "\\n")
    return shown if len(shown) <= width else shown[: width - 3] + "..."


def json_shown(value: object, indent: int | None = None) -> str:
    """`value` as JSON: readable where it prints, escaped where it would not; it reads back as it was."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return _UNUSUAL.sub(lambda match: match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1], text)
