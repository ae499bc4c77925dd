"""Questions taken apart and put into statement order: the one piece of grammar that the paraphrase and reorder rules share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tasks.perturbations.language import Sentence, inflect

QUESTION_WORDS = {"how", "what", "which", "who", "whom", "whose", "where", "when", "why"}
AUXILIARIES = {
    "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must", "'s", "’s",
}  # fmt: skip
LEADS = re.compile(r"(if|when|given|after|before|for|in|on|at|assuming|suppose|supposing|to|with|from|by|during|based|considering|since|of|using|altogether|overall)\b", re.I)


@dataclass(frozen=True)
class Question:
    """One question in its parts: `lead` + `asked` + `auxiliary` + `subject` + `rest` + `mark`, each as written.

    `asked` is the question phrase ("How many apples"), empty for a yes/no question. `subject` is empty where the question phrase is the subject itself;
    then `rest` begins with the verb.
    """

    sentence: Sentence
    lead: str
    asked: str
    auxiliary: str
    subject: str
    rest: str
    statement: str
    """Subject and predicate in statement order, without the question phrase."""

    @property
    def mark(self) -> str:
        """Its final mark."""
        return self.sentence.mark


def question(sentence: Sentence) -> Question | None:
    """The question of `sentence` in parts, None where it is none or the parse cannot be relied on."""
    tokens = [t for t in sentence.tokens if not t.is_space]
    if "?" not in sentence.mark or not tokens:
        return None
    at = _start(tokens)
    if at is None:
        return None
    start = tokens[at]
    lead = sentence.doc.text[sentence.start : start.idx]
    word = start if start.lower_ in QUESTION_WORDS or start.lower_ in AUXILIARIES else tokens[at + 1]
    if word.lower_ in QUESTION_WORDS:
        last = _phrase_end(tokens, word)
        asked = sentence.doc.text[start.idx : last.idx + len(last.text)]
        following = next((t for t in tokens if t.i > last.i), None)
    else:
        asked, following = "", start
    return None if following is None else _parts(sentence, lead, asked, following)


def _start(tokens: list[Any]) -> int | None:
    """Index where the question clause begins: at the sentence's start, after a comma, or at "how many ..." after a lead without one."""
    lead = bool(LEADS.match(tokens[0].text)) or tokens[0].pos_ == "ADV"
    for i, token in enumerate(tokens[:-1]):
        clause = i == 0 or (tokens[i - 1].text == "," and not _inside_brackets(tokens, i))
        asks = token.lower_ in QUESTION_WORDS and (token.tag_ in {"WRB", "WP", "WDT", "WP$"} or i == 0)
        if clause and asks and not (i == 0 and token.lower_ in {"when", "where"} and tokens[1].lower_ not in AUXILIARIES):
            return i
        if clause and token.pos_ == "ADP" and tokens[i + 1].lower_ in QUESTION_WORDS and tokens[i + 1].tag_ in {"WRB", "WP", "WDT"}:
            return i
        if token.lower_ == "how" and lead and i > 2 and tokens[i + 1].lower_ in {"many", "much", "long", "old", "far"}:
            return i
        if clause and token.lower_ in AUXILIARIES and token.text[0].isalpha() and (i == 0 or lead) and tokens[i + 1].pos_ not in {"VERB", "ADP"}:
            return i
    return None


def _inside_brackets(tokens: list[Any], at: int) -> bool:
    before = [t.text for t in tokens[:at]]
    return before.count("(") > before.count(")")


def _phrase_end(tokens: list[Any], word: Any) -> Any:
    """Last token of the question phrase that `word` opens: climb from it while the noun phrase still begins there."""
    top = word
    while top.head.i != top.i and top.head.left_edge.i >= word.i - 1 and top.head.pos_ in {"NOUN", "PROPN", "ADJ", "ADV", "NUM", "PRON"} and top.dep_ not in {"attr", "nsubj", "dobj"}:
        top = top.head
    end = top.right_edge
    inside = [t for t in tokens if word.i < t.i <= end.i]
    stop = next((t for t in inside if t.lower_ in AUXILIARIES or t.pos_ == "VERB" or t.text == ","), None)
    return tokens[0].doc[stop.i - 1] if stop is not None else end


def _parts(sentence: Sentence, lead: str, asked: str, following: Any) -> Question | None:
    text, doc, end = sentence.doc.text, sentence.doc, sentence.start + len(sentence.body)
    if following.lower_ not in AUXILIARIES:
        rest = text[following.idx : end]
        return Question(sentence, lead, asked, "", "", rest, rest) if asked and following.pos_ in {"VERB", "AUX"} else None
    verb = _main_verb(following, sentence)
    subject = _subject(following, verb)
    auxiliary = {"'s": "is", "’s": "is"}.get(following.lower_, following.lower_)
    if subject is None:
        rest = text[following.idx : end]
        return Question(sentence, lead, asked, "", "", rest, rest) if asked and _asks_for_subject(asked, following) else None
    first, last = subject
    after = text[last.idx + len(last.text) : end]
    spoken = text[first.idx : last.idx + len(last.text)]
    statement = _statement(spoken, auxiliary, verb, doc[last.i + 1].idx if last.i + 1 < len(doc) else end, after, end)
    return None if statement is None else Question(sentence, lead, asked, auxiliary, spoken, after.strip(), statement)


def _main_verb(auxiliary: Any, sentence: Sentence) -> Any:
    if auxiliary.dep_ in {"aux", "auxpass"} and auxiliary.head.i > auxiliary.i:
        return auxiliary.head
    if auxiliary.lower_ in {"do", "does", "did"}:
        later = (t for t in sentence.tokens if t.i > auxiliary.i + 1 and t.tag_ in {"VB", "VBP"} and t.pos_ in {"VERB", "AUX"})
        return next(later, auxiliary)
    return auxiliary


def _subject(auxiliary: Any, verb: Any) -> tuple[Any, Any] | None:
    """First and last token of the subject: it must begin right after the auxiliary and end before the verb."""
    for holder in (verb, auxiliary):
        for child in holder.children:
            if child.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"} and child.left_edge.i == auxiliary.i + 1 and (verb.i == auxiliary.i or child.right_edge.i < verb.i):
                return _without_predicate(child, auxiliary) if verb.i == auxiliary.i else (child.left_edge, child.right_edge)
    return _named(auxiliary)


def _without_predicate(subject: Any, auxiliary: Any) -> tuple[Any, Any] | None:
    """A subject that took its predicate in ("Are [emus related to elks]?") is cut before the participle or adjective."""
    doc, last = subject.doc, subject.right_edge
    if last.i + 1 < len(doc) and not doc[last.i + 1].is_punct:
        return subject.left_edge, last
    inner = [c for c in subject.children if c.i > subject.i and ((c.dep_ == "acl" and c.tag_ == "VBN") or (c.dep_ == "amod" and c.tag_.startswith("JJ")))]
    if len(inner) != 1 or auxiliary.lower_ not in {"is", "are", "was", "were"}:
        return None
    return subject.left_edge, doc[inner[0].left_edge.i - 1]


def _named(auxiliary: Any) -> tuple[Any, Any] | None:
    """A name right after the auxiliary, where the parser found no subject, if a predicate follows it."""
    doc = auxiliary.doc
    for entity in doc.ents:
        after = doc[entity.end] if entity.end < len(doc) else None
        if entity.start == auxiliary.i + 1 and after is not None and after.pos_ in {"ADJ", "VERB", "DET", "ADP", "ADV"} and auxiliary.lower_ in {"is", "are", "was", "were"}:
            return entity[0], entity[-1]
    return None


def _asks_for_subject(asked: str, following: Any) -> bool:
    after = following.doc[following.i + 1] if following.i + 1 < len(following.doc) else None
    return following.lower_ not in {"do", "does", "did"} and after is not None and after.pos_ not in {"PRON", "PROPN", "DET"} and not asked.lower().endswith(("how", "how much"))


def _statement(subject: str, auxiliary: str, verb: Any, after_subject: int, after: str, end: int) -> str | None:
    if re.match(r"\s*n[o'’]t\b|n't", after):
        return None
    if auxiliary not in {"do", "does", "did"}:
        following = next((t for t in verb.doc if t.idx >= after_subject), None)
        if following is not None and auxiliary in {"is", "are", "was", "were"} and following.tag_ in {"VB", "VBP", "VBZ", "VBD", "MD"}:
            return None
        joined = after.strip()
        return f"{subject} {auxiliary}{' ' if joined else ''}{joined}"
    form = inflect(verb.lemma_.lower(), {"does": "VBZ", "did": "VBD", "do": "VBP"}[auxiliary])
    if form is None or verb.idx < after_subject or verb.tag_ not in {"VB", "VBP"} or any(c.dep_ == "neg" for c in verb.children):
        return None
    text = verb.doc.text
    if auxiliary == "did" and verb.lemma_.lower() == "be":
        return None
    return f"{subject} {text[after_subject : verb.idx]}{form}{text[verb.idx + len(verb.text) : end]}".rstrip()
