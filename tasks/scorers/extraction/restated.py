"""Yes or no said by repeating the question as a statement (`Greed is the most prevalent sin.`): all its words in its order, denied or not."""

from __future__ import annotations

import re

from tasks.scorers.extraction.found import RESTATED, Found
from tasks.scorers.extraction.normal import normalise
from tasks.scorers.extraction.prose import sentences

_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)"
_ASKS = re.compile(rf"\W*{_AUXILIARY}\b(?!n't|\s+not\b)[^?]*\?\W*$", re.IGNORECASE)
_INVERTED = re.compile(rf"\W*{_AUXILIARY}\b", re.IGNORECASE)
"""An echo of the question, whatever its last sign."""
_VERB = re.compile(rf"\b(?:{_AUXILIARY}|cannot)(?:n't)?\b", re.IGNORECASE)
_DENIAL = re.compile(r"n't\b|\b(?:not|never|cannot|no|neither|nor|without|unable|incapable|impossible|hardly|none|unlikely)\b", re.IGNORECASE)
_UNSAID = re.compile(
    r"\b(?:if|whether|may|might|maybe|perhaps|some|someone|sometimes|often|many|believe[ds]?|think|thought|claim\w*|argu\w+|debat\w+|suppose\w*|myth|rumou?r\w*"
    r"|question|unclear|unknown|unsure|depends?|not only|according|assum\w+)\b|\?",
    re.IGNORECASE,
)
"""What makes a sentence report or weigh the question instead of answering it."""
_FILLER = re.compile(
    rf"an?|the|of|in|on|at|to|for|from|by|with|as|and|or|its?|this|that|these|those|there|be|been|being|any|ever|also|likely|{_AUXILIARY}", re.IGNORECASE
)


def find(text: str, question: str) -> Found[bool] | None:
    """The polarity with which the first or the last sentence of `text` (normalised) repeats `question`; None where they differ."""
    asked = normalise(question)
    spans = sentences(asked)
    if not spans or not _ASKS.match(asked, spans[-1][0]):
        return None
    wanted = content(asked[slice(*spans[-1])])
    said = sentences(text)
    ends = dict.fromkeys([said[0], said[-1]]) if said else {}
    hits = {span: polarity for span in ends if (polarity := _polarity(text[slice(*span)], wanted)) is not None}
    if len(wanted) < 2 or len(set(hits.values())) != 1:
        return None
    span, positive = next(iter(hits.items()))
    return Found(text[slice(*span)].strip()[:200], positive, "yes" if positive else "no", RESTATED)


def _polarity(sentence: str, wanted: list[str]) -> bool | None:
    denials = len(_DENIAL.findall(sentence))
    if denials > 1 or _UNSAID.search(sentence) or _INVERTED.match(sentence) or not _VERB.search(sentence):
        return None
    words = iter(content(sentence))
    return denials == 0 if all(word in words for word in wanted) else None


def content(sentence: str) -> list[str]:
    """The words that carry the sense, cut to their stems."""
    words = (re.sub(r"'s?$", "", word) for word in re.findall(r"[^\W_]+(?:['-][^\W_]+)*", sentence.casefold()))
    return [word.rstrip("s")[:6] for word in words if not _FILLER.fullmatch(word) and not _DENIAL.fullmatch(word)]
