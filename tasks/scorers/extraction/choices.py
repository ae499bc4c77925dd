"""The option a response chooses: whole response, last marker that parses, conclusion, leading letter, single option named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.scorers.extraction.found import BOXED, CORRECTION, CUE, EXACT, JSON, LETTER, OPTION_TEXT, REVERSED, TAG, Found
from tasks.scorers.extraction.markers import Marker, markers
from tasks.scorers.extraction.options import Mention, letter_mentions, letter_of, same_text, text_mentions
from tasks.scorers.extraction.prose import correction, denied_after, negated, negated_before, restates, sentences

_LISTED_AFTER = re.compile(r"(?:\s{0,2}(?:,\s?(?:and|or)\b|,|\band\b|\bor\b|&)\s{0,2}(?:options? )?\(?[A-Z]\)?(?![A-Za-z])){1,9}")
_LISTED_BEFORE = re.compile(r"(?:\(?\b[A-Z]\b\)?\s{0,2}(?:,\s?(?:and|or|nor)\b|,|\band\b|\bor\b|\bnor\b|&)\s{0,2}){1,9}\(?$")
_JOIN = re.compile(r"[)\]\"']{0,2}\s{0,2}(?:,\s?(?:and|or)\b|,|\band\b|\bor\b|&|/|\+)\s{0,2}(?:the |an? |options? |choices? )?[(\[\"']{0,2}", re.IGNORECASE)
_DIRECT = re.compile(
    r"[\s:=*>\"'($\[{|-]*(?:(?:option|choice|letter|answer|answers?:|most likely|probably|clearly|definitely|likely|therefore|thus|simply"
    r"|actually|indeed|still|really|obviously|the|to be|number|text|is|then|now)[\s:,\"'($\[{]+){0,4}",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|consequently|it's|it is|that's|that is|it must be|must be|should be|would be|has to be|is|choose"
    r"|chose|pick|select|selected|go with|going with|choosing|picking|think|believe|guess|say|leaves|leaving|only|definitely|probably"
    r"|clearly|certainly|likely|surely|obviously|"
    r"conclude|answer)|→|=>|:)[\s,:]*(?:that )?(?:it's |it is |it must be |the )?(?:option |choice |letter |answer )?[(\"'\[$]*$",
    re.IGNORECASE,
)
_LINE_LETTER = re.compile(r"^[ \t]*\(?([A-Z])[).:](?=\s)", re.MULTILINE)
_OWN_LINE = re.compile(r"(?:^|\n)[ \t]*\(?[A-Z][).:]\s{1,3}(?:the |an? )?$", re.IGNORECASE)
_REFUTED = re.compile(r"[).:]?\s{0,3}[-–:(]?\s{0,2}(?:this is )?(?:incorrect|wrong|false|no|not (?:correct|right|true))\b", re.IGNORECASE)
_AFFIRMED = re.compile(
    r"\s+it is\b|\s{0,3}[-–:(]?\s{0,2}(?:this is )?(?:correct|right|true|yes)\b|[^\n.;]{0,40}?(?:\b(?:is|seems|looks"
    r"|being) (?:the )?(?:correct|right|true|best)\b|\b(?:fits|matches)\b|✓|✔|✅|\((?:correct|right)\)|: ?correct\b|- ?correct\b)",
    re.IGNORECASE,
)


class Reading:
    """A response with every place that names an option."""

    def __init__(self, text: str, choices: Sequence[str]) -> None:
        self.text, self.choices = text, choices
        self.texts = text_mentions(text, choices)
        self.letters = _outside(letter_mentions(text, choices), self.texts)

    def denied(self, mention: Mention) -> bool:
        """Whether the option is said not to be the answer, alone or in a list (`not A, B or C`)."""
        if negated(self.text, mention.start, mention.end):
            return True
        if mention.text:
            return False
        if _REFUTED.match(self.text, mention.end):
            return True
        before = _LISTED_BEFORE.search(self.text, max(0, mention.start - 60), mention.start)
        if before and negated_before(self.text, before.start()):
            return True
        after = _LISTED_AFTER.match(self.text, mention.end - (1 if self.text[mention.end - 1 : mention.end] == "," else 0))
        return bool(after and denied_after(self.text, after.end()))

    def within(self, begin: int, end: int, *, texts: bool = False) -> list[Mention]:
        """Options named in text[begin:end] and not denied."""
        return [m for m in (self.texts if texts else self.letters) if begin <= m.start < end and (m.end <= end + 1 or not m.text) and not self.denied(m)]

    def joined(self, mentions: list[Mention], only: Mention | None = None) -> bool:
        """Whether two different options stand side by side (`A and B`): no single answer. `only`: pairs with this one."""
        pairs = [(a, b) for a, b in zip(mentions, mentions[1:], strict=False) if only is None or only in (a, b)]
        return any(a.letter != b.letter and b.start - a.end < 24 and _JOIN.fullmatch(self._gap(a, b)) for a, b in pairs)

    def _gap(self, first: Mention, second: Mention) -> str:
        comma = "," if self.text[first.end - 1] == "," else ""
        return comma + self.text[first.end : second.start]


def _outside(letters: list[Mention], texts: list[Mention]) -> list[Mention]:
    """Letters that are not part of an option's text (`Both A and B`)."""
    kept, index = [], 0
    for letter in letters:
        while index < len(texts) and texts[index].end <= letter.start:
            index += 1
        if index == len(texts) or letter.start < texts[index].start:
            kept.append(letter)
    return kept


def find(text: str, choices: Sequence[str], *, partial: bool) -> Found[str] | None:
    """The option letter that `text` (normalised) chooses; `partial`: it was cut, so only the whole response or a marker counts."""
    reading = Reading(text, choices)
    stated = _exact(reading) or _marked(reading, partial)
    return stated if stated or partial or _spoilt(reading) else _typed(reading)


def _spoilt(reading: Reading) -> bool:
    """Whether an explicit place for the answer holds no option or several: then no option of the prose is the answer."""
    for marker in markers(reading.text):
        stretch = reading.text[marker.begin : marker.end]
        if marker.kind in (BOXED, TAG, JSON) and re.search(r"\w", stretch):
            return True
        first = sentences(stretch[:400])[:1]
        if marker.kind == CUE and any(reading.joined(reading.within(marker.begin + start, marker.begin + end)) for start, end in first):
            return True
    return False


def judge(letter: str, gold: str, choices: Sequence[str]) -> tuple[bool, str]:
    """Whether `letter` is the gold option, and the letter in the gold's form."""
    wanted = letter_of(gold, choices)
    if wanted == letter:
        return True, gold.strip()
    bare = gold.strip()
    if len(bare) > 1 and any(bare.casefold() == choice.strip().casefold() for choice in choices):
        return False, choices[ord(letter) - ord("A")]
    return False, letter.lower() if len(bare) == 1 and bare.islower() else letter


def _found(reading: Reading, mention: Mention, strategy: str, ambiguous: bool = False) -> Found[str]:
    return Found(reading.text[mention.start : mention.end].strip(" .,:;"), mention.letter, mention.letter, strategy, ambiguous)


def _exact(reading: Reading) -> Found[str] | None:
    text = reading.text
    bare = re.fullmatch(r"[\W_]*(?:(?:option|choice|answer)\W{0,3})?([A-Za-z])[\W_]*", text, re.IGNORECASE)
    if bare and bare[1].upper() in {m.letter for m in letter_mentions(f"({bare[1]})", reading.choices)}:
        return Found(bare[1], bare[1].upper(), bare[1].upper(), EXACT)
    whole = same_text(text, reading.choices)
    if whole:
        return Found(text, whole, whole, EXACT)
    for mention in reading.letters[:1] + reading.texts[:1]:
        rest = text[: mention.start] + text[mention.end :]
        if mention.text and not re.search(r"\w", re.sub(r"^\W*(?:the|an?)\b", "", rest, flags=re.IGNORECASE)):
            return _found(reading, mention, EXACT)
        if (
            not mention.text
            and len(reading.texts) == 1
            and not re.search(r"\w", text[: mention.start] + text[mention.end : reading.texts[0].start] + text[reading.texts[0].end :])
        ):
            return _found(reading, mention, EXACT, ambiguous=reading.texts[0].letter != mention.letter)
    return None


def _marked(reading: Reading, partial: bool) -> Found[str] | None:
    for marker in reversed(markers(reading.text)):
        hit = _before(reading, marker) if marker.kind == REVERSED else _after(reading, marker)
        if hit is not None:
            corrected = None if partial else _corrected(reading, max(hit[0].end, marker.position))
            return corrected or _found(reading, hit[0], marker.kind, hit[1])
    return None


def _same(reading: Reading, begin: int, end: int) -> Mention | None:
    """The option whose text is all of a stretch."""
    letter = same_text(reading.text[begin:end], reading.choices)
    return Mention(begin, end, letter, True, text=True) if letter else None


def _before(reading: Reading, marker: Marker) -> tuple[Mention, bool] | None:
    begin = max(marker.begin, marker.position - 200)
    spans = sentences(reading.text[begin : marker.position])
    start = begin + spans[-1][0] if spans else begin
    ending = [t for t in reading.texts if t.start < start and t.end >= marker.position - 2 and t.end <= marker.position]
    if whole := next(iter(ending), None) or _same(reading, start, marker.position):
        return whole, False
    for texts in (False, True):
        named = reading.within(start, marker.position, texts=texts)
        if named and not reading.joined(named):
            return named[-1], len({m.letter for m in named}) > 1
    return None


def _after(reading: Reading, marker: Marker) -> tuple[Mention, bool] | None:
    limit = min(marker.end, marker.begin + 600)
    for index, (start, end) in enumerate(sentences(reading.text[marker.begin : limit])[:3]):
        begin, finish = marker.begin + start, marker.begin + end
        hit = _chosen(reading, begin, finish)
        if hit is not None:
            return hit
        denied = any(begin <= m.start < finish and reading.denied(m) for m in reading.letters + reading.texts)
        if not denied and (index or re.search(r"\w", reading.text[begin:finish])):
            return None
    return None


def _chosen(reading: Reading, begin: int, end: int) -> tuple[Mention, bool] | None:
    """The option a marker's sentence names: its first word, else an option's text, else a letter in brackets, else any letter."""
    if whole := _same(reading, begin, end):
        return whole, False
    letters, texts = reading.within(begin, end), reading.within(begin, end, texts=True)
    opening = [t for t in reading.texts if begin <= t.start < end < t.end and _DIRECT.fullmatch(reading.text, begin, t.start)]
    if opening:
        return opening[0], False
    if reading.joined(letters) or (not letters and reading.joined(texts)):
        return None
    lower = _lower_direct(reading, begin, end)
    direct = [m for m in letters if _DIRECT.fullmatch(reading.text, begin, m.start)] or ([lower] if lower else [])
    order = [
        *direct[:1],
        *[t for t in texts if _DIRECT.fullmatch(reading.text, begin, t.start)][:1],
        *[m for m in letters if m.strong][:1],
        *texts[:1],
        *letters[:1],
    ]
    if not order:
        return None
    return order[0], len({m.letter for m in letters + texts}) > 1


def _lower_direct(reading: Reading, begin: int, end: int) -> Mention | None:
    """`answer: b` - a lower-case letter right after the marker; `a` only where nothing follows it."""
    match = re.compile(r"[\s:*\"'($]*([a-z])(?=\W|$)").match(reading.text, begin, end)
    if match is None or (match[1] in "ai" and not re.match(r"[\W_]*$|[.,;:)]", reading.text[match.end() : end])):
        return None
    known = letter_mentions(f"({match[1]})", reading.choices)
    return Mention(match.start(1), match.end(), known[0].letter, True) if known else None


def _corrected(reading: Reading, position: int) -> Found[str] | None:
    start = correction(reading.text, position)
    if start is None:
        return None
    for texts in (False, True):
        restated = [m for m in reading.within(start, len(reading.text), texts=texts) if restates(reading.text, start, m.start)]
        if restated:
            return _found(reading, restated[-1], CORRECTION, ambiguous=True)
    return None


def _typed(reading: Reading) -> Found[str] | None:
    return _concluded(reading) or _leading(reading) or _named(reading)


def _concluded(reading: Reading) -> Found[str] | None:
    """The last letter that a conclusion, an affirmation or a clause of its own gives."""
    lines = {match.start(1) for match in _LINE_LETTER.finditer(reading.text)}
    listing = len(lines) > 1
    for start, end in reversed(sentences(reading.text)):
        if reading.text[start:end].rstrip().endswith("?"):
            continue
        inside = reading.within(start, end)
        named = [m for m in inside if _affirmed(reading, m, listing and any(m.start <= line < m.end for line in lines))]
        if named and reading.joined(inside, named[-1]):
            return None
        if named:
            return _found(reading, named[-1], LETTER, ambiguous=len({m.letter for m in named}) > 1)
    return None


def _affirmed(reading: Reading, mention: Mention, listed: bool) -> bool:
    text = reading.text
    if _AFFIRMED.match(text, mention.end):
        return True
    if listed:
        return False
    before, after = text[max(0, mention.start - 3) : mention.start], text[mention.end : mention.end + 2]
    closed = not after.strip() or text[mention.end - 1] in ".,;:" and mention.start > 0 or after.lstrip()[:1] in ("\n", ".", ";", "|")
    lead = _CONCLUDES.search(text, max(0, mention.start - 48), mention.start)
    if lead and (closed or mention.strong or not lead[0].lstrip().startswith(":")):
        return True
    return mention.start > 0 and bool(re.search(r"[;:.!?\n,|-]\s{0,2}$", before)) and closed and not after[:1].isalnum()


def _leading(reading: Reading) -> Found[str] | None:
    """A response that begins with its letter and goes on to explain."""
    first = reading.letters[0] if reading.letters else None
    if first is None or re.search(r"\w", reading.text[: first.start]) or reading.denied(first):
        return None
    if len(set(_LINE_LETTER.findall(reading.text))) > 1 or reading.joined(reading.letters[:2]):
        return None
    delimited = first.strong or reading.text[first.end - 1] in ").:,;]" or re.match(r"\s{0,2}(?:\n|-|because\b|since\b|as\b)", reading.text[first.end :][:12])
    return _found(reading, first, LETTER) if delimited else None


def _named(reading: Reading) -> Found[str] | None:
    """The last sentence that names exactly one option, by text or by a letter that can be nothing else."""
    listing = len(set(_LINE_LETTER.findall(reading.text))) > 1
    for start, end in reversed(sentences(reading.text)):
        if reading.text[start:end].rstrip().endswith("?"):
            continue
        letters = [] if listing else [m for m in reading.within(start, end) if m.strong]
        texts = [m for m in reading.within(start, end, texts=True) if not (listing and _OWN_LINE.search(reading.text, max(0, m.start - 24), m.start))]
        for mentions, strategy in ((letters, LETTER), (texts, OPTION_TEXT)):
            if len({m.letter for m in mentions}) == 1:
                return _found(reading, mentions[-1], strategy, ambiguous=len({m.letter for m in reading.texts}) > 1)
    return None
