"""Questions by how much one number exceeds another, put differently, for the paraphrase operator."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.records import Item
from tasks.perturbations.language import Sentence, capital, uncapital
from tasks.perturbations.syntax import question

FAR = r"how (?:many|much) (?:more|farther|further|longer|older|taller|heavier)\b|what percent(?:age)? of"


def more_than(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many more plums than pears did he buy? -> By how much does the number of plums that he bought exceed the number of pears?"""
    parts = question(sentence)
    match = re.match(r"how many more (?P<a>[^?,]+?) than (?P<b>(?!(?:the|his|her|their|its)\b)[^?,]+)$", parts.asked, re.I) if parts is not None else None
    by = "by how much" if parts is not None and parts.lead else "By how much"
    if parts is not None and match:
        a, b = match["a"], match["b"]
        b = f"{a.split(' of ')[0]} of {b}" if " of " in a and " of " not in b else b
        if not parts.auxiliary and (placed := re.match(r"(are|were) (?:there )?((?:in|on|at) .+?)?( now)?$", parts.rest)):
            did = "did" if placed[1] == "were" else "does"
            yield f"{parts.lead}{by} {did} the number of {a} {placed[2] or ''}{placed[3] or ''} exceed the number of {b}{parts.mark}".replace("  ", " ")
        elif not parts.auxiliary and re.match(r"(are|were) [a-z]+(?:ing|ed)\b", parts.rest) and "than" not in parts.rest:
            yield f"{parts.lead}{by} does the number of {a} that {parts.rest} exceed the number of {b}{parts.mark}"
        elif parts.auxiliary and not re.search(r"\bthan\b", parts.statement):
            yield f"{parts.lead}{by} does the number of {a} that {parts.statement} exceed the number of {b}{parts.mark}"
    elif parts is not None and parts.auxiliary and re.match(FAR, parts.asked, re.I) and parts.before_gap:
        asked, rest = uncapital(parts.asked), parts.statement[len(parts.before_gap) :]
        if not re.match(r"( (?:than|in|on|at|from|after|if|when|per|now|today|this|compared|because|selling|left)\b.*|,.*)?$", rest):
            return
        if re.search(r"\b(?:compared|work|worked|be|been|is|do)$", parts.before_gap):
            return
        told = f"{parts.before_gap} {asked}{rest}{parts.mark}"
        yield parts.lead + (told if parts.lead else capital(told))
