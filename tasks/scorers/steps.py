"""A reasoning trace to its steps: numbered and bulleted steps, lines, sentences.

Nothing is lost and nothing is rewritten: the steps joined are the text, up to white space. A fragment without a claim of its
own (a bare "Step 1:", a heading, a rule) goes with the step it introduces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.records import ScorerCard
from tasks.scorers.sentences import sentence_ends
from tasks.scorers.spans import protected
from tasks.scorers.word_sets import words

CARD = ScorerCard(stage="traces", name="steps", version="1")

_MARKER = re.compile(
    r"""[#>*_•‣▪◦●○·–—\s-]{0,12}
    (?:\(?(?:(?:step|part|case|stage|point|q|question)\s*)?(?:\d{1,3}(?:\.\d{1,2}){0,3}|[a-hA-H]|[ivxIVX]{1,5})\s*[.):\]-]+
      |(?:step|part|case|stage)\s+(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)\b\s*[.):-]*
      |(?:final\s+|the\s+)?(?:answer|solution|explanation|reasoning|output|step[-\s]by[-\s]step(?:\s+\w+)?|calculations?|conclusion|thinking|note|given|result)\s*(?:is)?:)?
    [*_\s:]*""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:[-*•‣▪◦●○]\s|\(?\d{1,3}[.)]\s|\(?[a-h][.)]\s|[*_#>]{0,6}\s?step\s+\d)", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+\S.*|\*\*[^*\n]{1,120}\*\*:?|__[^_\n]{1,120}__:?")
_NUMBER_ONLY = re.compile(r"[#*_\s$€£−-]*[\d.,/%\s]+[*_\s.]*")
_HAS_WORDS = re.compile(r"[^\W_]")
_FENCES = ("```", "~~~")
_BLOCKS = ("```", "~~~", "\\[", "$$", "\\begin{")
_BLOCK_ENDS = ("\\]", "$$", "\\end{align}", "\\end{align*}", "\\end{equation}", "\\end{equation*}")
_JOINING = words("a an the and or but of to in on at for from by with is are was were be that which as than into per")
_ENDS = ".!?…:;。！？"
NEAR = 160
"""Characters of a line that decide how it joins its neighbours: bounds the work on hostile text."""
WRAPPED = 60
"""A line at least this long, without an end and followed by a small letter, was wrapped by an editor."""


def split(text: str) -> list[str]:
    """The steps of `text`, in order, outer white space and spaces at line ends removed. Blank text has none."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    steps: list[str] = []
    waiting: list[str] = []
    for piece in _pieces(text):
        waiting.append(piece)
        if not _is_bare(piece):
            steps.append("".join(waiting))
            waiting = []
    rest = "".join(waiting)
    if steps and not _HAS_WORDS.search(rest):
        steps[-1] += rest
    else:
        steps.append(rest)
    return [tidy for step in steps if (tidy := _tidy(step))]


def _pieces(text: str) -> Iterator[str]:
    """Lines cut into sentences; white space stays at the end of each piece."""
    safe = protected(text)
    for start, end in _lines(text, safe):
        position = start
        for stop in sentence_ends(text, start, end, safe):
            yield text[position:stop]
            position = stop
        if position < end:
            yield text[position:end]


def _lines(text: str, safe: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of lines. A line that goes on with the one before is joined to it; line ends inside code or formulas do not count."""
    start = 0
    for end in _line_ends(text, safe):
        if end < len(text) and _goes_on(text[max(start, end - NEAR) : end], text[end : end + NEAR]):
            continue
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _line_ends(text: str, safe: Sequence[tuple[int, int]]) -> Iterator[int]:
    spans = iter(safe)
    span = next(spans, None)
    for match in re.finditer(r"\n\s*", text):
        while span is not None and span[1] <= match.start():
            span = next(spans, None)
        if span is None or match.start() < span[0]:
            # indentation belongs to the next line
            yield match.start() + match.group().rfind("\n") + 1


def _goes_on(line: str, following: str) -> bool:
    """Whether the text after a line end belongs to `line`."""
    said, upcoming = line.rstrip(), following.split("\n", 1)[0].strip()
    last = said.rsplit("\n", 1)[-1].strip()
    if not said:
        return False
    if upcoming.startswith("|") or last.startswith("|"):
        return upcoming.startswith("|") and last.startswith("|")
    if upcoming.startswith(_BLOCKS):
        return said[-1] in ":," or (said[-1] not in _ENDS and not upcoming.startswith(_FENCES))
    if upcoming[:1] in ("=", "≈") and not upcoming.startswith(("==", "=>")):
        return True
    if _NUMBERED.match(upcoming) or not upcoming[:1].islower() or said[-1] in _ENDS:
        return False
    hard_wrapped = len(last) >= WRAPPED and not line.endswith("\n\n")
    return hard_wrapped or said[-1] == "," or last.endswith(_BLOCK_ENDS) or last.rsplit(" ", 1)[-1].lower() in _JOINING


def _is_bare(piece: str) -> bool:
    """Whether `piece` claims nothing by itself: only a marker, a heading, or punctuation."""
    text = piece.strip()
    if len(text) > NEAR:
        return not _HAS_WORDS.search(text)
    if not _HAS_WORDS.search(text) or _MARKER.fullmatch(text):
        return True
    return piece.endswith("\n") and _HEADING.fullmatch(text) is not None and not _NUMBER_ONLY.fullmatch(text)


def _tidy(piece: str) -> str:
    return "\n".join(line.rstrip() for line in piece.strip().split("\n"))


def adjacent(steps: Sequence[str]) -> list[tuple[str, str]]:
    """(step i-1, step i) for i = 2..n, as the judge reads them: without step markers, emphasis and calculator marks."""
    read = [reading(step) for step in steps]
    return list(zip(read, read[1:], strict=False))


def reading(step: str) -> str:
    """A step without its marker ('Step 2:', '- '), Markdown emphasis and `<<...>>` marks; the step itself where nothing else is left."""
    without = re.sub(r"<<[^<>\n]{0,200}>>", "", step)
    without = re.sub(r"\*\*|__|`", "", without)
    marker = _MARKER.match(without[:NEAR].lstrip())
    rest = without.lstrip()[marker.end() :] if marker else without
    return " ".join(rest.split()) or step
