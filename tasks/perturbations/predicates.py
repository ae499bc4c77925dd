"""Where the subject of a yes/no question with "be" ends, by predicates that cannot be anything else: for subjects that mislead the parser."""

from __future__ import annotations

import re
from typing import Any

from tasks.perturbations.language import Sentence, inflect, is_base_verb

KNOWN = re.compile(
    r"(?:Is|Are|Was|Were) (?:(?!\b(?:that|who|which|if|and|or|there|it)\b)[^?,])+? "
    r"(?P<predicate>(?:part of|more [a-z -]+? than|[a-z]+er (?:[a-z]+ )?than|necessary to|welcome to|present in|"
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


NAMED = re.compile(
    r"(?P<aux>Is|Are|Was|Were|Has|Have|Had) (?P<subject>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)+) (?P<rest>(?:from|in|at|on|the|an?|not|[a-z]+ed|outsold) [^?]+)\?$"
)
MODAL = re.compile(r"(?P<aux>Would|Could|Can|Will|Should|Does) (?P<rest>(?:[^?,]|, (?=[A-Z]))+)\?$")


def plain_statement(sentence: Sentence) -> str | None:
    """A yes/no question as its statement, by its words alone, for those that the parser takes apart wrongly; None where a word could be noun or verb."""
    text = sentence.text
    known = KNOWN.match(text)
    if known:
        auxiliary, _, subject = text[: known.start("predicate")].strip().partition(" ")
        return f"{subject} {auxiliary.lower()} {text[known.start('predicate') : -1]}"
    named = NAMED.match(text)
    if named:
        return f"{named['subject']} {named['aux'].lower()} {named['rest']}"
    modal = MODAL.match(text)
    words = modal["rest"].split() if modal else []
    at = next(
        (i for i, w in enumerate(words) if i and w.islower() and is_base_verb(w) and words[i - 1].lower() not in {"of", "the", "a", "an", "and", "to"}), None
    )
    if modal is None or at is None or at + 1 == len(words) or any(is_base_verb(w) for w in words[at + 1 : at + 2]):
        return None
    subject, rest = " ".join(words[:at]), " ".join(words[at + 1 :])
    if modal["aux"] == "Does":
        form = inflect(words[at], "VBZ")
        return f"{subject} {form} {rest}" if form else None
    return f"{subject} {modal['aux'].lower()} {words[at]} {rest}"
