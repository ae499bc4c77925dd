r"""Explicit answer markers: `####`, `\boxed{}`, `<answer>`, JSON `answer`, `the answer is`, `X is the answer`, and their kin in other languages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.scorers.extraction.found import BOXED, CUE, HASH, JSON, REVERSED, TAG
from tasks.scorers.extraction.latex import braces

MAX_MARKERS = 400
"""Only the last so many are tried: more of them is noise."""

_HASH = re.compile(r"#{4,}[ \t]*(?:\n[ \t]*)?")
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,3}\{")
_BARE_BOX = re.compile(r"\\boxed\s{0,3}([^\s{}\\]{1,20})")
_TAG = re.compile(r"<(?:final_)?answer>", re.IGNORECASE)
_TAG_END = re.compile(r"</(?:final_)?answer>", re.IGNORECASE)
_JSON = re.compile(r"[\"'](?:final[_ ]?|correct[_ ]?)?(?:answer|result|choice|option)[\"']\s{0,4}:\s{0,4}", re.IGNORECASE)
_VERB = r"(?:'s(?=\s\W{0,3}(?:[A-Z]\b|\d|yes\b|no\b|true\b|false\b))|\b(?:is|are|was|be|equals|comes (?:out )?to)\b(?!-)(?:\s{0,2}:)?|:|→|->)"
_CUE = re.compile(
    r"\b(?:(?<!to )(?:final |correct |right |best )?(?:answers?|ans)(?: (?:option|choice|letter|key|value|here|therefore|then|thus)| #?\d{1,3}(?=\W{0,3}:))?"
    r"|(?:(?:correct|right|best|final|top) (?:option|choice|letter)|final (?:result|verdict|decision|conclusion)))\b"
    r"[\"'*\])]*\s{0,3}(?:\([^()\n]{0,40}\)\s{0,3})?"
    rf"(?:=|{_VERB}|(?:,|\b(?:to|for|of|in|that|a|an|must|should|would|will|has to|seems|appears|turns out|being|here|i|we)\b)[^.:;=\n]{{0,90}}?{_VERB})"
    r"|(?<!to )\banswer(?: of| as)?(?=\s{1,2}[-+$]?\d)|\bi(?:'d| would|'ll| will|'m going to|'m)? go(?:ing)? with\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"(?:\b(?:antwort|lösung|ergebnis|respuesta|solución|réponse|reponse|résultat|resposta|risposta|ответ|відповідь|svar(?:et)?|antwoord"
    r"|odpowiedź|odpověď|cevap|yanıt|jawaban|đáp án|trả lời|vastaus|válasz|απάντηση|răspuns|opción correcta|opção correta|opzione corretta"
    r"|option correcte|правильный вариант)\b"
    r"[^.:;=\n]{0,30}?(?::|=|\b(?:ist|lautet|es|est|é|è|är|er|is|to|je|adalah|là|on)\b|это)"
    r"|(?:उत्तर|जवाब|답은|cevap)\s{1,2}(?=\(?[A-Z\d]\b)|(?:答案|正解|选项|選項|結論|结论|해답|答え|回答|答|정답|답|उत्तर|जवाब|الجواب|الإجابة|الاجابة|תשובה"
    r"|คำตอบ)[^.:;=\n\d]{0,12}?(?:是|は|为|為|은|는|है|هو|هي|คือ|:|=)(?:\s?:)?)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:might|may|could|would|initially|first|some(?: people)?|one)\s(?:\w+\s){0,2}(?:think|thought|expect|expected|assume|assumed|say"
    r"|said|guess|believe|suppose)\b[^.;:\n]{0,20}$",
    re.IGNORECASE,
)
_CONTRARY = re.compile(r"[^.!?\n]{0,60}?\b(?:but|however|yet|actually|in fact)\b", re.IGNORECASE)
"""`You might expect the answer to be no, but it is yes`: a supposed answer, taken back."""
_REVERSED = re.compile(
    r"(?:,?\s(?:which|this|that))?\s(?:is|was|would be|must be|should be|has to be|can only be|remains) (?:the|my|our) (?:(?:final|correct|right|best"
    r"|only correct"
    r"|most likely) )?(?:answer|choice|option|one)\b(?!\s*(?:\w+\s){0,3}not)|\bis (?:the )?correct(?=[\s.,;!]|$)|\bis right(?=[.,;!]|$)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:\b(?:wrong|incorrect|previous|old|initial|original|student's)|\b(?:students?|people|some|others|many|they|might|not|n't|never)(?: \w+){0,2})\s$",
    re.IGNORECASE,
)
"""`wrong answer: 9`, `some students answer 9`: not the writer's own answer."""
_RECALLED = re.compile(
    r"(?:\b(?:earlier|previously|initially|originally|at first|before)\b[^.;:!?\n]{0,20}\b(?:said|wrote|thought|claimed|stated|guessed"
    r"|believed|answered|assumed)\b"
    r"|\b(?:mistake|error|trap)\b[^.;!?\n]{0,20}\b(?:saying|claiming|thinking|believing|assuming)\b)(?: that)?(?: my| the)?\s$",
    re.IGNORECASE,
)
"""`Earlier I said the answer is 9`, `Common mistake: saying the answer is 9`: told, not given."""
_WOULD, _IF = re.compile(r"\bwould\b", re.IGNORECASE), re.compile(r"[^.;:!?\n]{0,60}\b(?:if|unless)\b", re.IGNORECASE)
_VOID = re.compile(r"[\s:]*(?:wrong|incorrect|not (?:right|correct|known|clear)|unclear|unknown|as follows|below|above)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Marker:
    """An explicit marker and the stretch of text that should hold the answer: after it, before it for REVERSED."""

    kind: str
    position: int
    begin: int
    end: int


def cut_unclosed_box(text: str) -> str:
    """`text` up to a box that is never closed: half a box is no answer."""
    pairs = braces(text)
    for match in _BOX.finditer(text):
        if match.end() - 1 not in pairs:
            return text[: match.start()]
    return text


def markers(text: str) -> list[Marker]:
    """All markers of `text` in order; an open-ended one reaches to the next."""
    pairs = braces(text)
    found = [Marker(HASH, match.start(), match.end(), _line_end(text, match.end())) for match in _HASH.finditer(text)]
    found += [Marker(BOXED, match.start(), match.end(), pairs[match.end() - 1]) for match in _BOX.finditer(text) if match.end() - 1 in pairs]
    found += [Marker(BOXED, match.start(), match.start(1), match.end(1)) for match in _BARE_BOX.finditer(text)]
    found += [Marker(JSON, match.start(), match.end(), _line_end(text, match.end())) for match in _JSON.finditer(text)]
    ends = [match.start() for match in _TAG_END.finditer(text)]
    found += [Marker(TAG, match.start(), match.end(), _next(ends, match.end(), len(text))) for match in _TAG.finditer(text)]
    taken = {marker.begin for marker in found}
    cues = [match for pattern in (_CUE, _FOREIGN) for match in pattern.finditer(text) if match.end() not in taken and not _VOID.match(text, match.end())]
    cues = [match for match in cues if not _OTHERS.search(text[max(0, match.start() - 30) : match.start()])]
    cues = [match for match in cues if not (_SUPPOSED.search(text[max(0, match.start() - 60) : match.start()]) and _CONTRARY.match(text, match.end()))]
    cues = [match for match in cues if not _RECALLED.search(text[max(0, match.start() - 60) : match.start()])]
    found += [Marker(CUE, match.start(), match.end(), len(text)) for match in _meant(text, cues, found)]
    found += [Marker(REVERSED, match.start(), 0, match.start()) for match in _REVERSED.finditer(text)]
    return _bounded(sorted(found, key=lambda marker: (marker.position, marker.kind)))


def _meant(text: str, cues: list[re.Match[str]], firm: list[Marker]) -> list[re.Match[str]]:
    """The cues without those that only suppose a case (`would be 9 with tax`, `would be 9 if`) after an answer was given."""
    given = min((marker.position for marker in firm), default=len(text))
    first = min((match.start() for match in cues), default=0)
    return [m for m in cues if not (_WOULD.search(m[0]) and (m.start() > given or m.start() > first and _IF.match(text, m.end())))]


def _bounded(found: list[Marker]) -> list[Marker]:
    """Stretches cut where the next marker begins (a box has its own end), so that all of them together are no longer than the text."""
    bounded = []
    for index, marker in enumerate(found):
        begin, end = marker.begin, marker.end
        if marker.kind not in (BOXED, REVERSED):
            later = next((other for other in found[index + 1 : index + 4] if other.position >= begin and other.kind != REVERSED), None)
            end = min(end, later.position) if later else end
        if marker.kind == REVERSED:
            earlier = found[index - 1] if index else None
            begin = 0 if earlier is None else max(earlier.position if earlier.kind == REVERSED else earlier.begin, marker.position - 400)
        bounded.append(Marker(marker.kind, marker.position, begin, end))
    return bounded[-MAX_MARKERS:]


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _next(ends: list[int], position: int, default: int) -> int:
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if ends[middle] < position else (low, middle)
    return ends[low] if low < len(ends) else default
