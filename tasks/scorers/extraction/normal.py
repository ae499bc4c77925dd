r"""One plain spelling for what people and models write: Unicode, LaTeX, Markdown and HTML made plain, meaning kept.

`\boxed{...}`, `####` and `<answer>` stay: they are markers. Every regex here is linear (bounded gaps, no nested repeats).
"""

from __future__ import annotations

import html
import re
import unicodedata

from tasks.scorers.extraction.latex import plain_latex

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_VULGAR = re.compile("[¼-¾⅐-⅞↉]")
_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("−﹣－‐‑‒–﹘", "-"),
        **dict.fromkeys("’‘ʼ‛′＇", "'"),
        **dict.fromkeys("“”„«»＂", '"'),
        "٫": ".",
        "٬": ",",
        "٪": "%",
        "⁄": "/",
        "∕": "/",
        "。": ". ",
        "।": ". ",
        "、": ", ",
        "∙": "·",
        "⋅": "·",
        "✕": "×",
        "✖": "×",
        "≃": "≈",
        "≅": "≈",
        "⩽": "≤",
        "⩾": "≥",
    }
)
_CONTROLS = {code: None for code in range(32) if code not in (9, 10)} | {127: None}
_CALCULATION = re.compile(r"<<[^<>\n]{0,200}>>")
_BREAK = re.compile(r"</?(?:br|p|div|li|tr)\b[^<>]{0,80}>", re.IGNORECASE)
_HTML_TAG = re.compile(r"</?(?!answer\b)[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,120})?/?>", re.IGNORECASE)
_HTML_NAMES = frozenset(
    ["a", "b", "big", "blockquote", "body", "center", "code", "del", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "html", "i", "img", "ins"]
    + ["kbd", "mark", "ol", "pre", "q", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "u", "ul", "var"]
)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_STARS = re.compile(r"\*{1,3}")
_UNDERSCORES = re.compile(r"(?<![A-Za-z0-9])_{1,3}|_{1,3}(?![A-Za-z0-9])")
_SNAKE = re.compile(r"(?<![\w\\])[A-Za-z0-9]+(?:_[A-Za-z0-9]+){2,}(?![\w(])")
"""`The_answer_is_7`: a sentence without spaces."""
_LINE_HEAD = re.compile(r"^[ \t]*(?:#{1,3}|>)[ \t]+", re.MULTILINE)


def normalise(text: str) -> str:
    """`text` in one plain spelling; see the module's docstring."""
    if "&" in text:
        text = html.unescape(text)
    text = _unicode(text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS))
    return _markup(plain_latex(_CALCULATION.sub("", text))).strip()


def is_blank(text: str) -> bool:
    """Whether a reader sees nothing: spaces, control and zero-width characters only."""
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") for c in text)


def _unicode(text: str) -> str:
    """ASCII digits, minus, quotes and fractions; compatibility forms folded; invisible characters gone."""
    if text.isascii():
        return text
    text = _SUPERSCRIPTS.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPT), text)
    text = _VULGAR.sub(_fraction, text)
    text = unicodedata.normalize("NFKC", text.translate(_SPELLINGS)).translate(_SPELLINGS)
    return "".join(map(_character, text))


def _fraction(match: re.Match[str]) -> str:
    before = match.string[match.start() - 1 : match.start()]
    return (" " if before.isdigit() else "") + unicodedata.normalize("NFKC", match[0]).replace("⁄", "/")


def _character(character: str) -> str:
    if character.isascii():
        return character
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return "" if category in ("Cf", "Cc", "Cs", "Co") else character


def _markup(text: str) -> str:
    text = _STRUCK.sub("", _LINE_HEAD.sub("", text.replace("`", "")))
    text = _untagged(_BREAK.sub("\n", text)) if "<" in text else text
    text = _SNAKE.sub(lambda match: match[0].replace("_", " "), text) if "_" in text else text
    return _UNDERSCORES.sub("", _STARS.sub(_star, text))


def _untagged(text: str) -> str:
    """Tags go; `<B>` and `<yes>` that nothing closes are answers in brackets, as a prompt's `Answer: <yes or no>` invites them."""
    closed = {name.lower() for name in re.findall(r"</([a-z][a-z0-9]{0,15})", text, re.IGNORECASE)}

    def bare(match: re.Match[str]) -> str:
        name = match[0][1:-1]
        option = len(name) == 1 and name.isupper()
        return match[0] if name.isalnum() and name.lower() not in closed and (option or name.lower() not in _HTML_NAMES) else ""

    return _HTML_TAG.sub(bare, text)


def _star(match: re.Match[str]) -> str:
    """Emphasis goes; a star between two operands is multiplication or power and stays."""
    before, after = match.string[max(0, match.start() - 3) : match.start()], match.string[match.end() : match.end() + 3]
    left, right = before.rpartition("\n")[2].rstrip(), after.partition("\n")[0].lstrip()
    operands = (left[-1:].isdigit() or left[-1:] == ")") and (right[:1].isdigit() or right[:1] in ("(", "$") and right != "")
    tight = left == before.rpartition("\n")[2] and right == after.partition("\n")[0]
    spaced = left != before.rpartition("\n")[2] and right != after.partition("\n")[0]
    return match[0] if operands and (tight or spaced) else ""
