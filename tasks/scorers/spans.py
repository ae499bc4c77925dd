"""Spans of a text that no step boundary may cut: code, formulas, calculator marks, short parentheses. One pass, linear time."""

from __future__ import annotations

import re

_OPENER = re.compile(r"```|~~~|\$\$|\\\[|\\\(|\\begin\{|<<|`|\$|\(|https?://")
_CLOSER = {"```": "```", "~~~": "~~~", "$$": "$$", "\\[": "\\]", "\\(": "\\)", "\\begin{": "\\end{", "<<": ">>"}
_WITHIN_LINE = 400


def protected(text: str) -> list[tuple[int, int]]:
    """Disjoint spans in order. An unclosed code fence reaches the end of the text; other unclosed openers protect nothing."""
    spans: list[tuple[int, int]] = []
    never: set[str] = set()
    brackets = _parentheses(text)
    position = 0
    while opener := _OPENER.search(text, position):
        start, word = opener.start(), opener.group()
        end = brackets.get(start) if word == "(" else _end(text, start, word, never)
        if end is None:
            position = opener.end()
        else:
            spans.append((start, end))
            position = end
    return spans


def _end(text: str, start: int, word: str, never: set[str]) -> int | None:
    if word.startswith("http"):
        match = re.compile(r"\S+").match(text, start)
        return start + len(match.group().rstrip(".,;:!?)")) if match else None
    if word not in _CLOSER:
        return _within_line(text, start, word)
    closer = _CLOSER[word]
    found = -1 if closer in never else text.find(closer, start + len(word))
    if found < 0:
        never.add(closer)
        return len(text) if word in ("```", "~~~") and _opens_line(text, start) else None
    end = found + len(closer)
    if word == "\\begin{":
        brace = text.find("}", end, end + 40)
        end = brace + 1 if brace >= 0 else end
    return end


def _opens_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _within_line(text: str, start: int, word: str) -> int | None:
    stop = min(len(text), start + _WITHIN_LINE)
    newline = text.find("\n", start, stop)
    stop = newline if newline >= 0 else stop
    if word == "$" and (start + 1 >= stop or text[start + 1].isspace()):
        return None
    closing = text.find(word, start + 1, stop)
    if closing < 0 or closing == start + 1:
        return None
    if word == "$" and (text[closing - 1].isspace() or text[closing + 1 : closing + 2].isdigit()):
        return None
    return closing + 1


def _parentheses(text: str) -> dict[int, int]:
    """Opening position -> end of each pair of round brackets that closes on its line."""
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for match in re.finditer(r"[()\n]", text):
        if match.group() == "(":
            open_at.append(match.start())
        elif match.group() == "\n":
            open_at.clear()
        elif open_at:
            pairs[open_at.pop()] = match.end()
    return pairs
