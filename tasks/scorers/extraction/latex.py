r"""LaTeX made plain in one pass: `\frac{1}{2}` -> `1/2`, `\text{B}` -> `B`, `1{,}200` -> `1,200`. Balanced braces by a stack, so linear."""

from __future__ import annotations

import re

_SPACING = re.compile(r"\\(?:[,;:> ]|quad\b|qquad\b|hspace\{[^{}]{0,20}\})")
_NOTHING = re.compile(r"\\(?:!|left\b|right\b|displaystyle\b|[bB]igg?[lr]?\b|limits\b)")
_SYMBOLS = {
    "times": "×", "cdot": "×", "ast": "×", "div": "÷", "approx": "≈", "pm": "±", "leq": "≤", "le": "≤", "lt": "<", "geq": "≥", "ge": "≥", "gt": ">",
    "infty": "∞", "pi": "π", "sqrt": "√", "degree": "°", "implies": "→", "Rightarrow": "→", "rightarrow": "→", "to": "→", "neq": "≠", "ne": "≠",
    "euro": "€", "pounds": "£", "percent": "%", "therefore": "so ", "dots": "...", "ldots": "...", "cup": "∪", "cap": "∩",
}  # fmt: skip
_SYMBOL = re.compile(r"\\(" + "|".join(sorted(_SYMBOLS, key=len, reverse=True)) + r")(?![A-Za-z])")
_DEGREES = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ\b)")
_WRAPPER = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|texttt|emph|underline|mathbf|mathrm|mathit|mathsf|mathbb|bm|boldsymbol|mbox|hbox|operatorname"
    r"|overline|num|SI)\s*\{"
)
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{")
_SHORT_FRACTION = re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)(?!\d)")
_SIMPLE = re.compile(r"\s*-?[\d.,]+\s*")


def braces(text: str) -> dict[int, int]:
    """Position of each `{` -> position of its `}`; an unclosed brace is absent."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for match in re.finditer(r"\\[{}]|[{}]", text):
        if match[0] == "{":
            stack.append(match.start())
        elif match[0] == "}" and stack:
            pairs[stack.pop()] = match.start()
    return pairs


def plain_latex(text: str) -> str:
    r"""`text` with its LaTeX read as a person would; `\boxed{...}` is left for the markers."""
    if "\\" in text or "{" in text:
        text = _SPACING.sub(" ", text.replace("{,}", ",").replace("~\\", " \\").replace("\\\\", "\n"))
        text = _NOTHING.sub("", _DEGREES.sub("°", text))
        text = re.sub(r"\\([$%#&_])", r"\1", re.sub(r"\\[()\[\]]", " ", text))
        text = _SYMBOL.sub(lambda match: _SYMBOLS[match[1]], text)
        text = _SHORT_FRACTION.sub(r" \1/\2", text)
        text = _apply(text, _edits(text))
    return text


def _edits(text: str) -> dict[int, tuple[int, str]]:
    """Start -> (end, replacement), never overlapping: commands and braces that go, slashes that come."""
    pairs = braces(text)
    edits: dict[int, tuple[int, str]] = {}
    for match in _WRAPPER.finditer(text):
        opening = match.end() - 1
        if opening in pairs:
            edits[match.start()] = (match.end(), "")
            edits[pairs[opening]] = (pairs[opening] + 1, "")
    for match in _FRACTION.finditer(text):
        edits.update(_fraction(text, match, pairs))
    for match in re.finditer(r"\^\s*\{", text):
        opening = match.end() - 1
        if opening in pairs:
            edits[match.start()] = (match.end(), "^")
            edits[pairs[opening]] = (pairs[opening] + 1, "")
    return edits


def _fraction(text: str, match: re.Match[str], pairs: dict[int, int]) -> dict[int, tuple[int, str]]:
    first = match.end() - 1
    if first not in pairs:
        return {}
    gap = re.compile(r"\s{0,4}").match(text, pairs[first] + 1)
    second = gap.end() if gap else pairs[first] + 1
    if text[second : second + 1].isdigit():
        return {match.start(): (match.end(), " "), pairs[first]: (second, "/")}
    if second not in pairs:
        return {}
    simple = _SIMPLE.fullmatch(text, first + 1, pairs[first]) and _SIMPLE.fullmatch(text, second + 1, pairs[second])
    left, middle, right = ("", "/", "") if simple else ("(", ")/(", ")")
    signed = text[match.start() - 1 : match.start()] in ("-", "+", "$")
    return {
        match.start(): (match.end(), left if signed else " " + left),
        pairs[first]: (second + 1, middle),
        pairs[second]: (pairs[second] + 1, right),
    }


def _apply(text: str, edits: dict[int, tuple[int, str]]) -> str:
    parts, position = [], 0
    for start in sorted(edits):
        if start < position:
            continue
        end, replacement = edits[start]
        parts += [text[position:start], replacement]
        position = end
    return "".join([*parts, text[position:]])
