"""The option a response without a marker chooses: what it concludes, begins with, or names alone."""

from __future__ import annotations

import re

from tasks.scorers.extraction.choice_reading import ALL_BUT, Reading, found
from tasks.scorers.extraction.choice_verdicts import judged
from tasks.scorers.extraction.found import LETTER, OPTION_TEXT, Found
from tasks.scorers.extraction.options import Mention, same_text
from tasks.scorers.extraction.prose import declined, sentences

_CONCLUDES = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|consequently|it's|it is|that's|that is|it must be|must be|should be|would be|has to be|is|choose"
    r"|chose|pick|select|selected|take|vote(?: for)?|just|its|(?:answer|mind)(?: from \(?[A-Z]\)?)? to|go with|going with|go for"
    r"|lean(?:ing)? towards?|settle on|opt for|left with|choosing|picking|think|believe|guess|say|leaves|leaving|rather|only|definitely|probably"
    r"|clearly|certainly|likely|surely|obviously|"
    r"(?:points?|pointing|leads?|leading|comes? down|boils? down|corresponds?|narrows? (?:it )?down) (?:me |us |back |directly )?(?:to|towards?)"
    r"|supports?|supporting|indicates?|suggests?|favou?rs?|matches|stick(?:ing)? with|stay(?:ing)? with|conclude|answer)|(?:^|[.;!?\n]\s{0,2})then|→"
    r"|=>|->|:)[\s,:]*(?:that )?(?:it's |it is |it must be |the )?(?:option |choice |letter |answer )?[(\"'\[$]*$",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(r"\bnot (?:option )?[(\"']?[A-Z][)\"']?(?:,|;|,? but)\s(?:rather |instead )?(?:option )?[(\"']?$", re.IGNORECASE)
"""`Not B but A`, `not B, A`."""
_CLOSED = re.compile(r"[ \t]{0,2}(?:[\n.;|]|$)")
_LINE_LETTER = re.compile(r"^[ \t]*(?:\d{1,2}[.)][ \t]+)?\(?([A-Z])[).:](?=\s)", re.MULTILINE)
_GOES_ON = re.compile(
    r"\s{0,2}(?:\n|[-–—(]|(?:because|since|as|instead of|rather than|over \(?[A-Z]|only|alone|for sure|i (?:think|guess|believe|say))\b)", re.IGNORECASE
)
"""What may follow a letter that opens a response and is its answer."""
_ARTICLE = re.compile(r"\b(?:the|an?)\b", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r"[\"')]?(?:\.(?=\s)|;|\n|,? (?:because|since)\b|, as\b|,? (?:not|rather than|instead of)\b|\s[-–—]\s)", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:so|therefore|thus|hence|actually|wait|but|however|correct|right|answer|best)\b", re.IGNORECASE)
_PROPOSES = re.compile(r"\W*(?:(?:is it|could it be|maybe|perhaps|what about|how about)\s)?(?:(?:the|an?)\s)?\W*", re.IGNORECASE)
_YES = re.compile(r"\s{0,3}(?:yes|correct|right|indeed)\b(?! and no\b)", re.IGNORECASE)
_OWN_LINE = re.compile(r"(?:^|\n)[ \t]*(?:\d{1,2}[.)][ \t]+)?\(?[A-Z][).:]\s{1,3}(?:the |an? )?$", re.IGNORECASE)
_AFFIRMED = re.compile(
    r"\s+(?:it is|remains|wins|stands|survives|prevails|makes (?:the )?most sense|by (?:process of )?(?:elimination|exclusion)"
    r"|is (?:all (?:that is |that's )?)?left)\b"
    r"|\s+(?:as )?(?:the|my|our) (?:\w+ )?(?:answer|choice|option)\b(?! (?:is|was|that|which)\b)|\s+is(?=\s{0,2}(?:[.;!,\n]|$))|\s+is (?:closer"
    r"|closest|better)\b|\s{0,3}[-–:(]?\s{0,2}(?:this is )?(?:correct|right|true"
    r"|yes)\b|\s+is the only (?:one|option|choice|answer)\b|[^\n.;]{0,40}?(?:\b(?:is|seems|looks|appears"
    r"|being|must be|would be|should be) (?:to be )?(?:the )?(?:most )?(?:correct|right|true|best|appropriate|suitable|fitting|plausible)\b"
    r"|\b(?:fits|matches)\b|✓|✔|✅|\((?:correct|right)\)|: ?correct\b|- ?correct\b)",
    re.IGNORECASE,
)


def typed(reading: Reading) -> Found[str] | None:
    """The option that a response without a marker concludes with, begins with, or names alone."""
    verdict = judged(reading)
    if verdict:
        return found(reading, verdict, OPTION_TEXT if verdict.text else LETTER)
    if _declines(reading) or _only_lists(reading) or _listed_inline(reading):
        return None
    return _concluded(reading) or _leading(reading) or _opening(reading) or _named(reading)


def _declines(reading: Reading) -> bool:
    """Whether the last sentence says that no answer can be given, and names no option's text (`cannot be determined` may be one)."""
    last = sentences(reading.text)[-1:]
    return any(declined(reading.text, start, end) == end and not reading.within(start, end, texts=True) for start, end in last)


def _only_lists(reading: Reading) -> bool:
    """Whether the response is nothing but two options or more: bare letters, or lines of a letter and an option's text, in whatever order."""
    lines = [line for line in reading.text.splitlines() if line.strip()][:27]
    starts = [_LINE_LETTER.match(line) for line in lines]
    listed = {start[1] for start, line in zip(starts, lines, strict=True) if start and same_text(line[start.end() :], reading.choices)}
    if None not in starts and len(listed) > 1:
        return len(listed) == len(lines)
    letters = [] if re.search("[✓✔✅]", reading.text) else re.findall(r"\w+", reading.text[:200])
    return len(set(letters)) > 1 and all(len(letter) == 1 and letter.isupper() for letter in letters)


def _listed_inline(reading: Reading) -> bool:
    """Whether the response, a question aside, is nothing but two options or more in one line, each with its letter (`A. iron B. copper`)."""
    if len(reading.text) > 2000:
        return False
    options = [m for m in reading.letters if any(0 <= t.start - m.end <= 2 and t.letter == m.letter for t in reading.texts)]
    if len({m.letter for m in options}) < 2 or len(options) != len(reading.letters):
        return False
    position, rest = 0, ""
    for mention in sorted(reading.letters + reading.texts, key=lambda mention: mention.start):
        rest, position = rest + reading.text[position : max(position, mention.start)], max(position, mention.end)
    rest = re.sub(r"^[^?]*\?", "", rest + reading.text[position:])
    return not re.search(r"\w", rest)


def _concluded(reading: Reading) -> Found[str] | None:
    """The last letter that a conclusion, an affirmation or a clause of its own gives."""
    lines = {match.start(1) for match in _LINE_LETTER.finditer(reading.text)}
    listing = len(lines) > 1
    for start, end in reversed(sentences(reading.text)):
        if reading.text[start:end].rstrip().endswith("?"):
            asked = reading.within(start, end) or _proposed(reading, start, end)
            if len(asked) == 1 and _YES.match(reading.text, end):
                return found(reading, asked[0], OPTION_TEXT if asked[0].text else LETTER)
            continue
        inside = reading.within(start, end)
        named = [m for m in inside if _affirmed(reading, m, listing and any(m.start <= line < m.end for line in lines))]
        if named and reading.joined(inside, named[-1]):
            return None
        if named:
            return found(reading, named[-1], LETTER, ambiguous=len({m.letter for m in named}) > 1)
    return None


def _proposed(reading: Reading, start: int, end: int) -> list[Mention]:
    """An option's text that is all a question proposes (`copper?`, `Is it copper?`)."""
    texts = reading.within(start, end, texts=True)[:1]
    return [m for m in texts if _PROPOSES.fullmatch(reading.text, start, m.start) and not re.search(r"\w", reading.text[m.end : end])]


def _affirmed(reading: Reading, mention: Mention, listed: bool) -> bool:
    text = reading.text
    if _AFFIRMED.match(text, mention.end) or any(lead.search(text, max(0, mention.start - 60), mention.start) for lead in (ALL_BUT, _NOT_THAT)):
        return True
    if listed:
        return False
    before = text[max(0, mention.start - 3) : mention.start]
    closed = bool(_CLOSED.match(text, mention.end)) or text[mention.end - 1] in ".,;:" and mention.start > 0
    lead = _CONCLUDES.search(text, max(0, mention.start - 48), mention.start)
    if lead and (closed or mention.strong or not lead[0].lstrip().startswith(":")):
        return True
    return mention.start > 0 and bool(re.search(r"[;:.!?\n,|-]\s{0,2}$", before)) and closed


def _leading(reading: Reading) -> Found[str] | None:
    """A response that begins with its letter and goes on to explain."""
    first = reading.letters[0] if reading.letters else None
    if first is None or re.search(r"\w", reading.text[: first.start]) or reading.denied(first):
        return None
    if _lists_options(reading.text, first) or reading.joined(reading.letters[:2]):
        return None
    delimited = first.strong or reading.text[first.end - 1] in ").:,;]" or _GOES_ON.match(reading.text, first.end)
    return found(reading, first, LETTER) if delimited else None


def _opening(reading: Reading) -> Found[str] | None:
    """An option's text that is the first clause of all (`Nitrogen. Oxygen is only 21%.`), not taken back and not the first of a list."""
    first = reading.texts[0] if reading.texts else None
    if first is None or re.search(r"\w", _ARTICLE.sub("", reading.text[: first.start])) or not _CLAUSE_ENDS.match(reading.text, first.end):
        return None
    later = [reading.text[start:end] for start, end in sentences(reading.text) if start >= first.end]
    if any(same_text(sentence, reading.choices) or _TURNS.search(sentence) for sentence in later) or reading.denied(first):
        return None
    return found(reading, first, OPTION_TEXT, ambiguous=len({m.letter for m in reading.texts}) > 1)


def _lists_options(text: str, first: Mention) -> bool:
    """Whether the response begins by listing the options in order (an answer that explains the others begins elsewhere)."""
    lines = _LINE_LETTER.findall(text)
    return len(set(lines)) > 1 and first.letter == "A" == lines[0] and bool(_LINE_LETTER.match(text))


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
                return found(reading, mentions[-1], strategy, ambiguous=len({m.letter for m in reading.texts}) > 1)
    return None
