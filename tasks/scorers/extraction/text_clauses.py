"""What of a sentence answers: its last clause where that says what is asked for, and not what the answer is only set beside."""

from __future__ import annotations

import re

from tasks.scorers.extraction.restated import content

_NAME = r"(?!(?:It|He|She|This|That|They|There|What|Which|Who|I|We|You)\b)[A-Z][\w'.-]{0,30}(?:\s(?:(?:of|the|de|da|van|von|and)\s)?[A-Z\d][\w'.-]{0,30}){0,4}"
_LINK = r"\s(?:is|are|was|were|would be|must be)(?:\s(?:actually|really|in fact|instead|indeed|therefore|thus|clearly))?\s"
_TURN = re.compile(
    r"[,;]\s{1,2}(?:and\s)?(?:so|therefore|thus|hence|consequently|but|yet|however)\b,?\s|;\s|\sbut\s|^\W*(?:so|therefore|thus|hence)\b,?\s", re.IGNORECASE
)
_CONTRAST = re.compile(r"\b(?:but|yet|however)\b", re.IGNORECASE)
_RANKED = r"(?:second|third|fourth|fifth|next|other|former|latter|runner|previous|closest|nearest|smaller|lesser)"
_DESCRIBED = rf"(?i:the|its|their|our|his|her)\s[^.;:!?\n]{{1,80}}?{_LINK}(?:the\s)?"
_SAYS = re.compile(rf"[\W_]{{0,9}}(?:{_DESCRIBED}{_NAME}[\W_]{{0,9}}$|{_NAME}{_LINK}(?i:the|its|their|our|what|who|where)\s(?!{_RANKED}\b))")
"""`the largest is Jupiter`, `Paris is the capital`."""
_POINTS = re.compile(rf"[\W_]{{0,9}}(?i:(?:it|this|that|he|she|they)(?:{_LINK}|'s\s))(?:the\s)?{_NAME}[\W_]{{0,9}}$")
"""`it is Paris`: says what is asked for only after `but`, for elsewhere `it` may be anything."""
_GIVEN = re.compile(rf"[\W_]{{0,9}}(?:{_NAME}(?:[\W_]{{0,9}}$|,\snot\s|\s\w+\s(?:it|this|that|them|the)\b)|(?i:it|this|that){_LINK}\w+\sby\s{_NAME})")
"""`Paris`, `Fleming discovered it`: an answer too, which no clause after it takes back."""
_PLAIN = re.compile(rf"[\W_]{{0,9}}{_DESCRIBED}(?:\w+\s){{0,2}}\w+[\W_]{{0,9}}$")
"""`The metal is gold`, but also `The planet is big`: an answer unless the last clause shares more words with the question."""
_KIN = (
    r"(?:rival|friend|pupil|student|teacher|mentor|contemporary|successor|predecessor|neighbou?r|brother|sister|son|daughter|wife|husband"
    r"|enemy|follower|critic|imitator|disciple) (?:of|to)"
)
_PLACED = r"(?:(?:north|south|east|west)\w* of|near|close to|next to|beside|not far from|behind|ahead of|followed by|after|before|like|unlike|similar to)"
_ASIDE = re.compile(
    rf"(?<=\w),\s(?:an?\s|the\s|once\s|just\s|later\s){{0,2}}(?:[\w-]+\s){{0,2}}{_KIN}\s[^,.;:!?\n]{{1,60}}|(?<=\w),\s(?:\w+\s){{0,2}}(?P<placed>{_PLACED})\s[^,.;:!?\n]{{1,60}}"
)
"""`Dostoevsky, a rival of Tolstoy`; `Paris, north of Lyon` where the sentence begins with that name: it may be the place asked for elsewhere."""


def answering(sentence: str, question: str = "") -> str:
    """The part of a sentence in which an answer may be found; a last clause decides unless an earlier one shares more words with the question."""
    turns = list(_TURN.finditer(sentence))
    if turns:
        last = sentence[turns[-1].end() :]
        decides = _SAYS.match(last) or (_CONTRAST.search(turns[-1][0]) and _POINTS.match(last))
        starts = [0, *(turn.end() for turn in turns[:-1])]
        earlier = [sentence[start : turn.start()] for start, turn in zip(starts, turns, strict=True)]
        asked = set(content(question))
        shared = len(asked.intersection(content(last)))
        kept = any(says(clause) or len(asked.intersection(content(clause))) - shared + bool(_PLAIN.match(clause)) > 0 for clause in earlier)
        sentence = last if decides and not kept else sentence
    return _ASIDE.sub(lambda match: _beside(sentence, match), sentence)


def concludes(sentence: str) -> bool:
    """Whether a sentence begins with `so` or its kin and says what is asked for: then one before it that does not is no answer."""
    turn = _TURN.match(sentence)
    return bool(turn and _SAYS.match(sentence, turn.end()))


def says(sentence: str) -> bool:
    """Whether a sentence says what is asked for in so many words."""
    return any(pattern.match(sentence) for pattern in (_SAYS, _POINTS, _GIVEN))


def _beside(sentence: str, match: re.Match[str]) -> str:
    return match[0] if match["placed"] and not re.fullmatch(rf"\W*(?:the\s)?{_NAME}", sentence[: match.start()]) else ""
