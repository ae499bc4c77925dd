"""Text to arithmetic tokens. LaTeX, Markdown, currencies, Unicode signs and digits are brought to one form; nothing is evaluated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Token:
    """One token: kind (num, op, eq, lp, rp, pct, word, money, stop), its text, whether it touches the token before, its number and decimals."""

    kind: str
    text: str
    glued: bool
    value: Fraction | None = None
    decimals: int = 0


LONGEST_NUMBER = 40
"""Digits beyond which a number is not read: exact arithmetic on hostile text must stay cheap."""

_SIGNS = str.maketrans(
    {"−": "-", "–": "-", "‒": "-", "×": "*", "✕": "*", "·": "*", "∙": "*", "⋅": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/"}
    | {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " ", "＝": "=", "≅": "≈", "≃": "≈", "’": "'", "＋": "+", "％": "%"}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LATEX = (
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\(?:approx|simeq|cong)(?![a-zA-Z])"), "≈"),
    (re.compile(r"\\(?:left|right|big|Big|displaystyle|quad|qquad|;|,|!|:)(?![a-zA-Z])"), " "),
    (re.compile(r"\\(?:text|mathrm|textbf|mathbf|boxed|textit|operatorname|mbox)\s*(?=\{)"), " "),
    (re.compile(r"\\([%$#&_])"), r"\1"),
    (re.compile(r"\\\\"), "\n"),
    (re.compile(r"\\[()\[\]]"), " "),
    (re.compile(r"&\s*=|=\s*&"), "="),
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}\n]{1,80})\}\s*\{([^{}\n]{1,80})\}")
_SHORT_FRACTION = re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)")
_POWER = re.compile(r"(?<=[\d)])\s?\*\*\s?(?=[\d(])")

_TOKEN = re.compile(
    r"""(?P<num>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?
      |(?<=[$€£¥₹])\d{1,3}(?:\ \d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\ \d{3})+(?![\d.,])(?=\s*(?:[=+*/)]|$))|\d+(?:\.\d+)?|\.\d+)
    |(?P<eq>==?(?![=>])|≈|\bequals?\b|\bis\ (?:exactly\ )?equal\ to\b)
    |(?P<stop><=|>=|!=|≠|=>|->|→|⇒|[<>≤≥;?,:\n]|\.(?!\d))
    |(?P<op>[+\-*/^]|(?<=[\d)])\s?[xX]\s?(?=[\d($€£])|\b(?:x|X)\b(?=\s*[\d($€£])|\b(?:times|multiplied\ by|divided\ by|plus|minus)\b(?=\s*[\d.($€£-]))
    |(?P<pct>%|\bpercent\b|\bper\ cent\b)
    |(?P<lp>[(\[{])|(?P<rp>[)\]}])
    |(?P<money>[$€£¥₹¢])
    |(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*)
    |(?P<other>\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD_OPS = {"x": "*", "times": "*", "multiplied by": "*", "divided by": "/", "plus": "+", "minus": "-"}


def clean(text: str) -> str:
    """`text` with LaTeX, Markdown and Unicode signs in one plain form. `<<...>>` marks are cut out: see `marks`."""
    text = re.sub(r"<<[^<>\n]{0,200}>>", "", text).translate(_SIGNS)
    text = _POWER.sub("^", text.replace("{,}", ","))
    for _ in range(3):
        text = _FRACTION.sub(r"((\1)/(\2))", text)
    text = _SHORT_FRACTION.sub(r"(\1/\2)", text)
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}", lambda m: "^" + m.group().translate(_SUPERSCRIPTS), text)
    text = re.sub(r"(\d?)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])", _vulgar, text)
    text = re.sub(r"(?<=\d)-(?=[A-Za-z]{2})", " ", text)  # a 60-minute break
    text = re.sub(r"\*\*|__|`|&", "", text)
    return re.sub(r"\n\s*(?=[=≈])", " ", text)


def marks(text: str) -> list[str]:
    """Contents of the calculator marks `<<a op b=c>>`."""
    return re.findall(r"<<([^<>\n]{1,200})>>", text)


def _vulgar(match: re.Match[str]) -> str:
    parts = unicodedata.normalize("NFKC", match[2]).replace("⁄", "/")
    return f"{match[1]} {parts}" if match[1] else parts


def tokens(text: str) -> Iterator[Token]:
    """Tokens of cleaned text, in order."""
    end = -1
    for match in _TOKEN.finditer(text):
        kind, glued = str(match.lastgroup), match.start() == end
        yield _token(kind, match.group(), glued)
        end = match.end()


def _token(kind: str, text: str, glued: bool) -> Token:
    if kind == "num":
        digits = text.replace(",", "").replace(" ", "")
        if len(digits) > LONGEST_NUMBER:
            return Token("stop", text, glued)
        decimals = len(digits.partition(".")[2])
        whole = "".join(str(unicodedata.decimal(c)) if c != "." else c for c in digits)
        return Token("num", text, glued, Fraction(whole if whole[0] != "." else f"0{whole}"), decimals)
    if kind == "op":
        return Token("op", _WORD_OPS.get(text.strip().lower(), text.strip()), glued)
    return Token("stop" if kind == "other" else kind, text, glued)
