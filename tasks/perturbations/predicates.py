"""Where the subject of a yes/no question with "be" ends, by predicates that cannot be anything else: for subjects that mislead the parser."""

from __future__ import annotations

import re
from typing import Any

from tasks.perturbations.language import Sentence

KNOWN = re.compile(
    r"(?:Is|Are|Was|Were) (?:(?!\b(?:that|who|which|if|and|or|there|it)\b)[^?,])+? "
    r"(?P<predicate>(?:part of|more [a-z -]+? than|[a-z]+er than|necessary to|welcome to|present in|"
    r"the (?:main|only|largest|best|first) [a-z]+ (?:of|in)|in the genre of)\b[^?]*)\?$"
)


def known_predicate(auxiliary: Any, sentence: Sentence) -> tuple[Any, Any, Any] | None:
    """First and last token of the subject, and `auxiliary` again; None where no such predicate follows."""
    match = KNOWN.match(sentence.text)
    if match is None or auxiliary.i != sentence.first:
        return None
    at = sentence.start + match.start("predicate")
    last = next((t for t in sentence.tokens if t.idx + len(t.text) + 1 == at), None)
    return None if last is None or last.i <= auxiliary.i or last.pos_ in {"ADV", "ADJ"} else (auxiliary.nbor(1), last, auxiliary)
