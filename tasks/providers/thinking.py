"""Thinking text out of plain responses: tag pairs, a lone closing tag, an unclosed block. One linear pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Parted:
    """A response parted into thinking and answer. `unclosed`: a block was opened and never ended."""

    text: str
    thinking: str | None
    unclosed: bool = False


def part(content: str, tags: Sequence[tuple[str, str]], structured: str | None = None) -> Parted:
    """Part `content` at the `tags` of the model file; `structured` is thinking the API gave apart.

    Closing tags count once as lone: the opening one often stands in the prompt. Later stray tags are ordinary text.
    """
    opens, closes = {pair[0]: pair[1] for pair in tags}, {pair[1] for pair in tags}
    if not opens:
        return Parted(content, structured)
    thoughts, kept, start, inside, seen = [structured] if structured else [], [], 0, "", False
    for tag in re.finditer("|".join(re.escape(t) for t in sorted({*opens, *closes}, key=len, reverse=True)), content):
        piece, word = content[start : tag.start()], tag.group()
        if inside and word == inside:
            thoughts.append(piece)
            inside = ""
        elif inside:
            continue
        elif word in opens:
            kept.append(piece)
            inside = opens[word]
        elif not seen:
            thoughts.append(piece)
        else:
            continue
        start, seen = tag.end(), True
    (thoughts if inside else kept).append(content[start:])
    text = "".join(kept)
    return Parted(text.strip() if seen else text, "\n".join(t.strip() for t in thoughts) if thoughts else None, unclosed=bool(inside))
