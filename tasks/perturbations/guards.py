"""Conditions of the lexicon: when a word may be replaced where it stands. Each takes a token and its argument and says yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from schemas.records import Item
from tasks.perturbations.words import CONTAINERS, DEMANDING, EVENTS, HANDED, PERSONAL, THINGS

MONEY = re.compile(r"[$€£]|\b(money|dollars?|cents?|euros?|pounds sterling)\b", re.I)


def _children(token: Any, *deps: str) -> list[Any]:
    return [child for child in token.children if child.dep_ in deps]


def _objects(token: Any) -> list[Any]:
    """Direct objects, a passive's subject, and the noun a relative clause or a fronted question takes it from."""
    found = _children(token, "dobj", "nsubjpass")
    return found + [o for d in found for o in _children(d, "conj")]


def _subjects(token: Any) -> list[Any]:
    found = _children(token, "nsubj")
    return found or (_subjects(token.head) if token.dep_ in {"xcomp", "conj"} and token.head.i != token.i else [])


def _passive(token: Any) -> bool:
    return bool(_children(token, "nsubjpass", "auxpass")) or (token.tag_ == "VBN" and token.dep_ in {"acl", "relcl"} and not _children(token, "aux"))


def _lemmas(tokens: list[Any]) -> set[str]:
    return {t.lemma_.lower() for t in tokens}


def _animate(token: Any) -> bool:
    return any(s.lower_ in PERSONAL or s.ent_type_ == "PERSON" or (s.pos_ == "PROPN" and s.ent_type_ in {"", "PERSON"}) for s in _subjects(token))


def _clause(token: Any) -> bool:
    """A that-clause, spoken or not, not a quotation."""
    return any(c.dep_ == "ccomp" and any(m.lower_ == "that" for m in c.children if m.dep_ == "mark") for c in token.children)


def _bare(token: Any) -> bool:
    return (
        not _children(token, "dobj", "xcomp", "ccomp", "acomp", "oprd", "dative", "npadvmod", "attr")
        and not _passive(token)
        and token.dep_ != "amod"
        and token.tag_ != "VBN"
    )


def _word(token: Any, offset: int) -> str:
    at = token.i + offset
    return str(token.doc[at].lower_) if 0 <= at < len(token.doc) else ""


def _next_pos(token: Any) -> str:
    return str(token.doc[token.i + 1].pos_) if token.i + 1 < len(token.doc) else ""


def _number_after(token: Any) -> bool:
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    return after is not None and (after.like_num or after.text in "$€£")


def _condition(token: Any) -> bool:
    return (
        token.dep_ in {"mark", "advmod"}
        and token.head.dep_ == "advcl"
        and _word(token, -1) not in {"even", "as", "only", "and", "but"}
        and _word(token, 1) not in {"and", "not", "any"}
    )


def _plain(token: Any) -> bool:
    before = _word(token, -1)
    return token.tag_ in {"JJ", "RB"} and before not in {"how", "as", "so", "too", "very", "more", "most", "less", "least", "the", "that", "this", "not"}


Guard = Callable[[Any, str], bool]
GUARDS: dict[str, Guard] = {
    "object": lambda t, _: bool(_objects(t)) or (t.dep_ in {"relcl"} and _passive(t)),
    "active": lambda t, _: not _passive(t),
    "passive": lambda t, _: _passive(t),
    "direct": lambda t, _: not _children(t, "dobj", "xcomp", "ccomp", "npadvmod", "acomp") or (bool(_objects(t)) and not _children(t, "xcomp", "ccomp")),
    "short": lambda t, _: any(o.dep_ == "dobj" and any(c.dep_ == "nummod" for c in o.children) and o.lemma_.lower() in THINGS for o in t.children),
    "thing": lambda t, _: bool(_lemmas(_objects(t)) & THINGS) and not _children(t, "aux", "xcomp", "acomp") and _word(t, 1) != "left",
    "command": lambda t, _: (
        t.tag_ == "VB" and not _subjects(t) and (t.is_sent_start or not _children(t, "aux")) and t.dep_ in {"ROOT", "conj", "ccomp"} and t.text[0].isalpha()
    ),
    "infinitive": lambda t, _: (
        any(x.dep_ == "xcomp" and any(a.lower_ == "to" and a.tag_ == "TO" for a in x.children) for x in t.children) and _word(t, 1) == "to"
    ),
    "finite": lambda t, _: t.tag_ in {"VBZ", "VBP", "VBD"} or (t.tag_ == "VB" and bool(_children(t, "aux"))),
    "present": lambda t, _: t.tag_ in {"VBZ", "VBP", "VB"},
    "clause": lambda t, _: _clause(t),
    "bare": lambda t, _: _bare(t),
    "money": lambda t, _: (
        any(MONEY.search(t.doc[o.left_edge.i : o.i + 1].text) for o in _objects(t)) and not {"profit", "change", "bet", "budget"} & _lemmas(_objects(t))
    ),
    "person": lambda t, _: any(o.lower_ in {"him", "her", "them", "us", "me"} or o.ent_type_ == "PERSON" for o in _children(t, "dobj")),
    "animate": lambda t, _: _animate(t),
    "noun": lambda t, a: bool((_lemmas(_objects(t)) if t.pos_ == "VERB" else {t.head.lemma_.lower()}) & set(a.split("/"))),
    "subject": lambda t, a: bool(_lemmas(_subjects(t)) & set(a.split("/"))),
    "not_subject": lambda t, a: not _lemmas(_subjects(t)) & set(a.split("/")),
    "not": lambda t, a: not ((_lemmas(_objects(t)) if t.pos_ == "VERB" else {t.head.lemma_.lower(), _word(t, 1)}) & set(a.split("/"))),
    "adposition": lambda t, a: any(c.lower_ in a.split("/") for c in _children(t, "prep")),
    "without": lambda t, a: not any(c.lower_ in a.split("/") for c in _children(t, "prep")),
    "adverb": lambda t, a: any(c.lower_ in a.split("/") for c in _children(t, "advmod")),
    "adjacent": lambda t, a: t.head.lemma_.lower() in a.split("/"),
    "before": lambda t, a: _word(t, 1) == a,
    "definite": lambda t, _: _word(t, -1) in {"the", "his", "her", "their", "its"},
    "not_before": lambda t, a: _word(t, 1) not in a.split("/"),
    "not_after": lambda t, a: not t.doc[: t.i].text.lower().endswith(tuple(words.replace("_", " ") for words in a.split("/"))),
    "the": lambda t, _: _word(t, -1) == "the" and t.tag_ == "NN",
    "of": lambda t, _: _word(t, 1) == "of",
    "owned": lambda t, _: bool(_children(t, "poss")),
    "attributive": lambda t, _: t.dep_ == "amod" and t.head.i > t.i,
    "predicative": lambda t, _: t.dep_ == "acomp",
    "which": lambda t, _: t.dep_ == "acomp" and any(w.lower_ == "which" for w in t.head.subtree) and not _children(t, "prep"),
    "plain": lambda t, _: _plain(t),
    "before_noun": lambda t, _: t.i + 1 < len(t.doc) and t.doc[t.i + 1].pos_ == "NOUN" and t.head.i == t.i + 1,
    "inside": lambda t, _: (
        not t.is_sent_start
        and t.i + 1 < len(t.doc)
        and t.doc[t.i + 1].is_alpha
        and t.doc[t.i + 1].pos_ in {"VERB", "AUX", "ADJ"}
        and _word(t, -1) not in {"but", "and"}
    ),
    "number": lambda t, _: _number_after(t) and _word(t, -1) not in {"the", "and", "not", "if"},
    "verbal": lambda t, _: t.dep_ == "advmod" and t.head.pos_ in {"VERB", "AUX"},
    "positive": lambda t, _: _word(t, -1) != "not",
    "ago": lambda t, _: t.i > 0 and t.doc[t.i - 1].pos_ == "NOUN" and t.doc[t.i - 1].lemma_.lower() in {"minute", "hour", "day", "week", "month", "year"},
    "first": lambda t, _: bool(t.is_sent_start) and _word(t, 1) == ",",
    "last": lambda t, _: t.i + 1 == len(t.doc) or t.doc[t.i + 1].is_punct,
    "after_verb": lambda t, _: (
        t.i > 0 and t.doc[t.i - 1].pos_ == "VERB" and (t.i + 1 == len(t.doc) or not t.doc[t.i + 1].is_alpha or t.doc[t.i + 1].pos_ == "ADP")
    ),
    "singular": lambda t, _: (
        t.dep_ == "det"
        and t.head.tag_ == "NN"
        and t.head.i - t.i <= 3
        and not any(t.doc[i].like_num or t.doc[i].lower_ in {"other", "of"} for i in range(t.i, t.head.i))
    ),
    "condition": lambda t, _: _condition(t),
    "habitual": lambda t, _: _condition(t) and (t.head.tag_ in {"VBZ", "VBP"} or any(c.tag_ in {"VBZ", "VBP"} for c in _children(t.head, "aux", "auxpass"))),
    "because_clause": lambda t, _: t.dep_ == "mark" and t.head.dep_ == "advcl" and _word(t, 1) != "of" and t.i + 2 < len(t.doc),
    "adp_noun": lambda t, _: t.dep_ == "prep" and bool(_children(t, "pobj")) and not any(p.pos_ == "PROPN" for p in _children(t, "pobj")),
    "topic": lambda t, _: t.dep_ == "prep" and t.head.pos_ == "NOUN" and bool(_children(t, "pobj")) and not _number_after(t),
    "event": lambda t, _: bool(_lemmas(_children(t, "pobj")) & EVENTS),
    "container": lambda t, _: (
        t.dep_ == "prep" and bool(_lemmas(_children(t, "pobj")) & CONTAINERS) and t.head.pos_ in {"VERB", "AUX", "NOUN"} and t.head.lower_ not in {"total"}
    ),
    "place": lambda t, _: t.dep_ == "prep" and bool(_lemmas(_children(t, "pobj")) & CONTAINERS),
    "modal": lambda t, _: (
        t.dep_ == "aux"
        and t.tag_ == "MD"
        and not _children(t.head, "neg")
        and any(s.i < t.i for s in _children(t.head, "nsubj", "nsubjpass"))
        and _word(t, 1) != "not"
    ),
    "doing": lambda t, _: (
        t.head.pos_ == "VERB"
        and not _children(t.head, "auxpass")
        and t.head.lemma_ not in {"afford", "see", "help"}
        and _word(t, -1) not in {"that", "as", "than", "which"}
    ),
    "not_statistics": lambda t, _: not _word(t, 1).startswith("distribut"),
    "before_noun_phrase": lambda t, _: (
        _word(t, -1) not in {"the", "and", "not", "if", "an", "a", "are", "is"}
        and _word(t, 1) not in {"if", "when", "one"}
        and _next_pos(t) in {"NOUN", "NUM", "ADJ", "DET"}
    ),
    "graded": lambda t, _: t.tag_ in {"JJR", "JJS"},
    "be_head": lambda t, _: t.dep_ == "prep" and t.head.lemma_ == "be" and bool(_children(t, "pobj")),
    "adp": lambda t, _: t.dep_ == "prep" and bool(_children(t, "pobj")),
    "machine": lambda t, _: bool(_lemmas(_subjects(t)) & {"machine", "factory", "company", "bakery", "farm", "plant", "robot", "hen", "cow"}),
    "distance": lambda t, _: bool(_lemmas(_objects(t) + _children(t, "npadvmod")) & {"mile", "kilometer", "meter", "km", "lap"}),
    "head": lambda t, _: any(c.dep_ in {"compound", "nmod"} for c in t.children),
    "counted": lambda t, _: any(o.dep_ == "dobj" and any(c.dep_ == "nummod" or c.is_currency for c in o.children) for o in t.children),
    "told": lambda t, _: "?" not in {x.text for x in t.sent},
    "comparative": lambda t, _: t.i + 1 < len(t.doc) and t.doc[t.i + 1].tag_ in {"JJR", "RBR"},
    "transfer": lambda t, _: (
        bool(_children(t, "dative") or any(c.lower_ == "to" for c in _children(t, "prep"))) and bool(_lemmas(_objects(t)) & HANDED) and not _passive(t)
    ),
    "degree": lambda t, _: t.dep_ == "advmod" and t.i + 1 < len(t.doc) and t.doc[t.i + 1].tag_ in {"JJ", "RB"} and t.head.i == t.i + 1,
    "singular_noun": lambda t, _: t.tag_ == "NN",
    "measured": lambda t, _: t.tag_ in {"VBZ", "VBP"} and _number_after(t),
    "first_cause": lambda t, _: t.dep_ == "mark" and bool(t.is_sent_start) and t.head.tag_ in {"VBZ", "VBP"},
    "mount": lambda t, _: _word(t, 2) == "mount",
    "before_time": lambda t, _: _word(t, 1) in {"before", "after"},
    "complement": lambda t, _: bool(_children(t, "acomp", "oprd")),
    "toward": lambda t, a: (
        any(c.lower_ == "to" and _lemmas(_children(c, "pobj")) & set(a.split("/")) for c in _children(t, "prep")) and not _children(t, "aux", "dobj")
    ),
    "person_fan": lambda t, _: _word(t, -1) in {"a", "an"} and t.head.pos_ in {"AUX", "VERB"},
    "plain_give": lambda t, _: bool(_children(t, "dobj")) and not _children(t, "dative", "prep") and not {"birth", "rise", "way", "up"} & _lemmas(_objects(t)),
    "amount": lambda t, _: _bare(t) and any(c.lower_ in {"by", "from"} for c in _children(t, "prep")),
    "price": lambda t, _: t.tag_ in {"VBZ", "VBP"} and _word(t, 1) == "$" and any(s.pos_ == "NOUN" for s in _subjects(t)),
    "final": lambda t, _: t.i + 1 == len(t.doc) or t.doc[t.i + 1].text in {".", "?", ","},
    "deemed": lambda t, _: bool(_children(t, "oprd")) and _passive(t),
    "determined": lambda t, _: any(c.dep_ in {"det", "poss"} for c in t.children),
    "nonhuman": lambda t, _: _passive(t) and not _animate(t) and not _children(t, "xcomp") and not any(s.tag_ == "PRP" for s in _children(t, "nsubjpass")),
    "unmodified": lambda t, _: not _children(t, "amod"),
    "general": lambda t, _: not re.search(r"\d", t.doc.text),
    "single": lambda t, _: sum(x.lower_ == t.lower_ for x in t.sent) == 1,
    "kept": lambda t, _: not any(x.lower_ == "left" for x in t.subtree),
    "opens": lambda t, _: bool(t.is_sent_start),
    "school": lambda t, _: not re.search(r"professor|university|college|campus|graduate|class of", t.doc.text, re.I),
    "singular_head": lambda t, _: t.head.tag_ == "NN",
    "infinitival": lambda t, _: t.tag_ == "VB" and any(c.lower_ == "to" for c in _children(t, "aux")),
    "to_whom": lambda t, _: bool(_children(t, "dative")),
    "thingly": lambda t, _: all(s.pos_ == "NOUN" and s.ent_type_ not in {"PERSON", "ORG"} and s.lemma_.lower() not in DEMANDING for s in _subjects(t)),
    "several": lambda t, _: t.head.lemma_ not in {x.head.lemma_ for x in t.doc if x.lower_ in {"two", "2", "both"}},
    "plural": lambda t, _: t.tag_ == "NNS",
    "after_be": lambda t, _: t.i > 0 and t.doc[t.i - 1].lemma_ == "be",
    "score": lambda t, _: any(x.lemma_.lower() in {"score", "grade", "pass", "study", "student", "class"} for x in t.doc),
}
ITEM_GUARDS: dict[str, Callable[[Item], bool]] = {
    "exam": lambda item: bool(item.choices),
    "story": lambda item: not item.choices,
    "sum": lambda item: item.answer_type == "number" and not item.choices,
    "query": lambda item: item.answer_type == "boolean",
    "informal": lambda item: (item.subject or "") not in {"formal_logic", "logical_fallacies"},
}
"""Conditions on the item: it has options; it has none; its connectives are not its subject."""


def holds(token: Any, guards: tuple[str, ...], item: Item) -> bool:
    """Whether every condition of `guards` holds for `token`; `name:a/b` passes `a/b` as the argument."""
    for guard in guards:
        name, _, argument = guard.partition(":")
        if name in ITEM_GUARDS:
            if not ITEM_GUARDS[name](item):
                return False
        elif not GUARDS[name](token, argument):
            return False
    return True
