"""Where a text names an answer option: by letter, by position (`the second option`) or by the option's own text."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.scorers.extraction.normal import normalise
from tasks.scorers.extraction.quantities import scan

LOOKALIKES = str.maketrans("АВСЕΑΒΕ", "ABCEABE")
"""Cyrillic and Greek capitals that look like option letters."""
_MENTION = re.compile(
    r"(?<![A-Za-z0-9\u0370-\u04ff'_\\/&-])(?P<open>[(\[{<\"'$]{0,2})(?P<letter>[A-Za-zАВСЕΑΒΕ])(?P<close>[)\]}>\"':.,;$]{0,2})"
    r"(?![A-Za-z0-9\u0370-\u04ff'_+#&/]|-\w)"
)
_POSITION = re.compile(
    r"\b(?:the )?(?P<word>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th) (?:option|choice|answer choice|alternative)\b"
    r"|\b(?:option|choice|alternative) ?(?:#|no\. )?(?P<number>\d{1,2})\b(?![.,]\d)",
    re.IGNORECASE,
)
_POSITIONS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4, "last": -1}
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:options?|choices?|letters?|alternatives?|answers?|opción|opcion|opção|letra|lettre|choix|opzione|alternativa|вариант|буква)"
    r"|选择?|選擇?|选项|選項|選択肢|보기|विकल्प|الخيار)\s{0,2}[:(\"'$]*\s?$",
    re.IGNORECASE,
)
_AFTER_ARTICLE = re.compile(
    r"\s{0,2}$|\s{0,2}[(\-–—,.;:!?)\]}>\"'|\n]|\s+(?:is|was|because|since|as|for|and|or|but|nor|would|seems?|looks|must|should|can(?:not"
    r"|'t)?|could|will|matches|fits|best|which|due|over|only|alone|i|instead|rather|here|not|isn't|follows|describes|states|says|gives|doesn't|does"
    r"|correctly|are|makes|holds|contains|given|then|to be|it is|has|had|remains|wins|stands|survives|prevails|by)\b"
    r"|\s?[\u0900-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]",
    re.IGNORECASE,
)
_INITIAL_BEFORE = re.compile(r"(?:^|[^A-Za-z])(?:[A-Z]\.|(?P<spaced>[A-Z])\. )\Z")
_INITIAL_AFTER = re.compile(r"\.[A-Z](?:\.|$|\s)")
SHORT = 40
"""In a response of so few characters a small letter that is no word (`its c`) names its option."""
_NONE = re.compile(
    r"\bnone of (?:the (?:above|other|others|given|listed|options|choices|answers)(?: (?:options|choices|answers))?|these|those|them)\b", re.IGNORECASE
)
_ALL = re.compile(r"\ball of (?:the (?:above|others|given|options|choices|answers)(?: (?:options|choices|answers))?|these|those|them)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """A place that names an option; `strong` where it cannot be an article, a pronoun or an initial."""

    start: int
    end: int
    letter: str
    strong: bool
    text: bool = False
    """Named by the option's own text."""


def letters_of(choices: Sequence[str]) -> str:
    """The letters in use; A to J where the options are not known."""
    return string.ascii_uppercase[: len(choices)] if choices else string.ascii_uppercase[:10]


def letter_mentions(text: str, choices: Sequence[str]) -> list[Mention]:
    """Every place of `text` that names an option by letter or position, in order."""
    letters = letters_of(choices)
    found = []
    for match in _MENTION.finditer(text):
        letter = match["letter"].translate(LOOKALIKES)
        if letter.upper() in letters and (kept := _letter(text, match, letter, choices)):
            found.append(kept)
    for match in _POSITION.finditer(text):
        index = _POSITIONS[match["word"].lower()] if match["word"] else int(match["number"]) - 1
        if -1 <= index < len(letters) and choices:
            found.append(Mention(match.start(), match.end(), letters[index], True))
    return sorted(found, key=lambda mention: mention.start)


def _letter(text: str, match: re.Match[str], letter: str, choices: Sequence[str]) -> Mention | None:
    start, end = match.span()
    initial = _INITIAL_BEFORE.search(text, max(0, start - 4), start)
    named = initial and (initial["spaced"] is None or initial["spaced"] not in letters_of(choices))
    if named or _INITIAL_AFTER.match(text, match.end("letter")):
        return None
    bracketed = bool(match["open"].strip("$") and match["close"].strip("$.,:;")) or ")" in match["close"]
    labelled = bool(_LABEL_BEFORE.search(text, max(0, start - 16), start))
    own_text = _own_text(text, match, letter.upper(), choices)
    if letter.islower():
        standing = (
            bracketed
            or own_text
            or (letter not in "ai" and len(text) <= SHORT)
            or labelled
            and (letter not in "ai" or bool(re.match(r"\W*$|[.,;:!?)]", text[match.end("letter") : match.end("letter") + 12])))
        )
        return Mention(start, end, letter.upper(), bool(bracketed or own_text or labelled)) if standing else None
    strong = bracketed or labelled or own_text
    if letter in "AI" and not strong and not _AFTER_ARTICLE.match(text, match.end("letter")):
        return None
    if letter == "I" and not strong and not re.match(r"\s{0,2}(?:$|[.,;:!?)\n])", text[match.end("letter") :][:4]):
        return None
    return Mention(start, end, letter, strong)


def _own_text(text: str, match: re.Match[str], letter: str, choices: Sequence[str]) -> bool:
    """Whether the option's own text follows its letter."""
    index = ord(letter) - ord("A")
    if index >= len(choices) or not choices[index].strip():
        return False
    wanted = normalise(choices[index]).lower()[:40]
    following = re.sub(r"^[\W_]+", "", text[match.end("letter") : match.end("letter") + 60]).lower()
    return following.startswith(wanted) and (len(wanted) == 40 or not following[len(wanted) - 1 : len(wanted) + 1].isalnum())


def text_mentions(text: str, choices: Sequence[str]) -> list[Mention]:
    """Every place of `text` that holds an option's text as whole words; one inside a longer option's place is dropped."""
    plain = [normalise(choice) for choice in choices]
    letters = letters_of(choices)
    found = _numeric(text, plain, letters)
    for letter, choice in zip(letters, plain, strict=False):
        pattern = _pattern(choice)
        if pattern is not None:
            found += [Mention(match.start(), match.end(), letter, True, text=True) for match in pattern.finditer(text)]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention] = []
    for mention in found:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _pattern(choice: str) -> re.Pattern[str] | None:
    for family in (_NONE, _ALL):
        if family.fullmatch(choice.strip(" .")):
            return family
    words = re.findall(r"\w+", choice)
    core = choice.strip().strip(".,;:!?\"'").strip()
    if not words or len(core) < 2 or _value(choice) is not None:
        return None
    core = re.sub(r"^(?:the|an?)\s+", "", core, flags=re.IGNORECASE)
    return re.compile(r"(?<![\w-])" + r"\s+".join(map(re.escape, core.split())) + r"(?![\w-])", re.IGNORECASE)


def _value(choice: str) -> object:
    quantities = scan(choice)
    whole = len(quantities) == 1 and quantities[0].usable and len(re.findall(r"[A-Za-z]{2,}", choice[quantities[0].end :])) <= 2
    return quantities[0].value if whole and not re.search(r"\w", choice[: quantities[0].start]) else None


def _numeric(text: str, choices: Sequence[str], letters: str) -> list[Mention]:
    values: dict[object, str] = {}
    for letter, choice in zip(letters, choices, strict=False):
        if (value := _value(choice)) is not None:
            values.setdefault(value, letter)
    if not values:
        return []
    return [Mention(q.start, q.end, values[q.value], True, text=True) for q in scan(text) if q.usable and q.value in values]


def same_text(text: str, choices: Sequence[str]) -> str | None:
    """The letter of the one option whose text is all of `text`."""
    wanted = _bare(text)
    same = [letter for letter, choice in zip(letters_of(choices), choices, strict=False) if wanted and _bare(normalise(choice)) == wanted]
    return same[0] if len(same) == 1 else None


def _bare(text: str) -> str:
    return " ".join(re.sub(r"^(?:the|an?)\s+", "", text.strip(" \t\n.,;:!\"'*").casefold()).split())


def letter_of(gold: str, choices: Sequence[str]) -> str | None:
    """The letter a gold means: a letter in some dress, or an option's text."""
    plain = normalise(gold)
    match = re.fullmatch(r"(?:option |choice )?[(\[{\"']*([A-Za-z])[)\]}\"'.:]*", plain, re.IGNORECASE)
    if match and (not choices or match[1].upper() in letters_of(choices)):
        return match[1].upper()
    for letter, choice in zip(letters_of(choices), choices, strict=False):
        if normalise(choice).casefold() == plain.casefold():
            return letter
    own = re.match(r"[(\[]?([A-Z])[)\].:]\s", plain)
    return own[1] if own else None
