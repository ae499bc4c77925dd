"""Whether a clause may move behind another: never where a pronoun would come before the name it stands for."""

from __future__ import annotations

import re

from tasks.perturbations.language import Sentence

PEOPLE = {
    "man", "woman", "boy", "girl", "mother", "father", "mom", "dad", "brother", "sister", "friend", "teacher", "student", "person", "people", "wife", "husband", "aunt", "uncle",  # noqa: E501
    "grandmother", "grandfather", "grandma", "grandpa", "son", "daughter", "child", "kid", "worker", "farmer", "player", "cousin", "neighbor", "customer", "boss", "vendor", "owner",  # noqa: E501
    "driver", "doctor", "nurse", "baker", "chef", "manager", "employee", "coach", "member", "baby", "parent", "someone", "somebody", "anyone", "everyone", "family", "team", "girlfriend",  # noqa: E501
}  # fmt: skip
UNITS = {
    "dollar",
    "hour",
    "minute",
    "day",
    "week",
    "month",
    "year",
    "mile",
    "pound",
    "ounce",
    "cent",
    "percent",
    "foot",
    "inch",
    "gallon",
    "time",
    "yard",
    "meter",
    "second",
    "cup",
    "point",
}


def binds(sentence: Sentence, cut: int) -> bool:
    """Whether a pronoun of the main clause stands for something that only the clause before it names."""
    after = {t.lower_ for t in sentence.tokens if t.idx >= cut and t.pos_ in {"PRON", "DET"} and t.dep_ not in {"expl", "mark"}}
    if re.search(r"\b(?:does|did|will|would) it (?:take|cost)\b", sentence.text) and len(re.findall(r"\bits?\b", sentence.text)) == 1:
        after.discard("it")
    before = [t for t in sentence.tokens if t.idx < cut]
    nouns = [t for t in before if t.pos_ in {"NOUN", "PROPN"} and t.dep_ in {"nsubj", "nsubjpass", "dobj", "pobj", "conj", "attr", "dative"}]
    people = [t for t in nouns if (t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", "", "ORG"}) or t.lemma_.lower() in PEOPLE]
    if after & {"this", "that", "these", "those", "one", "ones", "both"} or (sentence.text.count(" else") > 0):
        return bool(nouns)
    if after & {"he", "she", "his", "her", "him", "hers"}:
        return bool(people)
    if after & {"they", "them", "their", "theirs"}:
        return any(t.tag_ in {"NNS", "NNPS"} and t.lemma_.lower() not in UNITS for t in nouns) or len(people) > 1
    return bool(after & {"it", "its"}) and any(
        t.tag_ in {"NN", "NNP"} and t.dep_ not in {"compound", "npadvmod"} and t.lemma_.lower() not in UNITS for t in before
    )
