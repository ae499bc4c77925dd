"""Whether a clause may move behind another: never where a pronoun or "the" would come before the name or "a" it goes back to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tasks.perturbations.language import Sentence, is_name

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


HE_OR_SHE = {"he": "he", "him": "he", "his": "he", "she": "she", "hers": "she", "her": "she"}
PRONOUN = re.compile(r"\b(he|she|his|her|him|it|its|they|them|their|this|that|these|those|one|who|which)\b", re.I)
HUMAN = re.compile(r"\b(he|she|his|her|him|they|them|their)\b", re.I)
NOT_NAMED = {
    "amount", "per", "and", "are", "average", "beginning", "cost", "day", "day's", "end", "first", "following", "for", "in", "is", "last", "least", "month",
    "most", "new", "next", "number", "of", "or", "original", "other", "price", "probability", "rest", "same", "second", "sum", "that", "time", "to",
    "total", "value", "was", "week", "were", "whole", "year",
}  # fmt: skip


def binds(sentence: Sentence, cut: int) -> bool:
    """Whether a pronoun of the main clause stands for something that only the clause before it names."""
    before = [t for t in sentence.tokens if t.idx < cut]
    after = [t for t in sentence.tokens if t.idx >= cut]
    if re.search(r"\b(?:does|did|will|would) it (?:take|cost)\b", sentence.text) and len(re.findall(r"\bits?\b", sentence.text)) == 1:
        after = [t for t in after if t.lower_ != "it"]
    spoken = {t.lower_ for t in after if t.pos_ in {"PRON", "DET"} and t.dep_ not in {"expl", "mark"} and not (t.lower_ == "that" and t.head.dep_ == "relcl")}
    nouns = [t for t in before if t.pos_ in {"NOUN", "PROPN"} and t.dep_ in {"nsubj", "nsubjpass", "dobj", "pobj", "conj", "attr", "dative"}]
    people = [t for t in nouns if (t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", "", "ORG"}) or t.lemma_.lower() in PEOPLE]
    timed = re.search(r"\bthat (?:day|week|month|year|time|night)\b", sentence.text[cut - sentence.start :])
    if (spoken & {"this", "that", "these", "those", "one", "ones"} and not timed) or " else" in sentence.text:
        return bool(nouns)
    if spoken & {"he", "she", "his", "her", "him", "hers"}:
        return bool(people) and not _resumed(before, people, {"he", "she", "his", "her", "him"}) and not _told_inside(after, "person")
    many = [t for t in nouns if t.tag_ in {"NNS", "NNPS"} and t.lemma_.lower() not in UNITS]
    if spoken & {"they", "them", "their", "theirs"}:
        return bool(many or len(people) > 1) and not _resumed(before, many + people, {"they", "their", "them"})
    things = [t for t in before if t.tag_ in {"NN", "NNP"} and t.dep_ not in {"compound", "npadvmod"} and t.lemma_.lower() not in UNITS]
    return bool(spoken & {"it", "its"} and things) and not _resumed(before, things, {"it", "its"}) and not _told_inside(after, "thing")


def _resumed(before: Sequence[Any], nouns: Sequence[Any], pronouns: set[str]) -> bool:
    """Whether the clause itself opens with the pronoun, so that what it stands for was told before."""
    return any(t.lower_ in pronouns and t.dep_ in {"nsubj", "nsubjpass", "poss"} and t.i < min(n.i for n in nouns) for t in before)


def _told_inside(after: Sequence[Any], kind: str) -> bool:
    """Whether the main clause names, before its one pronoun, what the pronoun stands for."""
    said = [t for t in after if t.lower_ in {"he", "she", "his", "her", "him", "it", "its"} and t.dep_ != "expl"]
    ahead = [t for t in after if said and t.i < said[0].i]
    if kind == "person":
        return any(t.pos_ == "PROPN" and t.ent_type_ in {"PERSON", ""} for t in ahead)
    return any(t.tag_ == "NN" and t.dep_ in {"nsubj", "dobj"} and t.left_edge.lower_ in {"the", "his", "her", "their"} for t in ahead)


def introduces(later: str, ahead: str, told: str = "") -> bool:
    """Whether `ahead`, which now comes first, speaks of "the" thing that only `later` introduces: the object ... if an object moves."""
    for match in re.finditer(r"\b(?:the|this|these|those|its|their)(?= ((?:[\w-]+ ?){1,3}))", ahead, re.I):
        for word in match[1].lower().split():
            stem = re.escape(word[:-1] if word.endswith("s") and len(word) > 3 else word)
            named = re.search(
                rf"\b(?:(?:an?|one|some) (?:(?!of |and |that |is )[\w-]+ ){{0,2}}?"
                rf"|(?:two|three|four|five|six|several|\d+) (?:(?!and |or |of )[\w-]+ )?){stem}(?:e?s)?\b",
                later,
            )
            if word not in NOT_NAMED and len(word) > 2 and named and not re.search(rf"\b{stem}(?:e?s)?\b", told, re.I):
                return True
    return False


def named_once(sentence: Sentence, clause: str, main: str) -> tuple[str, str] | None:
    """If Bennet wants $9, how much should he ask? -> (how much should Bennet ask, if he wants $9): the one person, or thing, and its pronoun change places."""
    found = re.match(r"(?:If|When) (?P<name>[A-Z][a-z]+|(?:an?|the) (?:[a-z-]+ )?[a-z]+) (?!and\b|or\b|of\b)[a-z]", clause)
    said = PRONOUN.findall(f"{clause} {main}") if found and not found["name"][0].isupper() else HUMAN.findall(f"{clause} {main}")
    first = PRONOUN.search(main)
    if not found or not first or re.search(r",|;", main) or clause.count(found["name"]) != 1 or found["name"] in main:
        return None
    name, spoken = found["name"], first[0].lower()
    if name[0].isupper():
        if (
            len({HE_OR_SHE.get(s.lower(), "?") for s in said} - {"?"}) != 1
            or len(PRONOUN.findall(main)) != len(HUMAN.findall(main))
            or not _alone(sentence, name, said[0])
        ):
            return None
        new = f"{name}'s" if spoken == "his" or (spoken == "her" and _owns(sentence, main, first.start())) else name
    elif (
        len(said) == 1
        and spoken in {"it", "they"}
        and _is_subject(sentence, name, spoken)
        and re.search(r"\b(?:does|do|did|will|would|can|could|should|must|is|was|are|were|do) (?:it|they) ", main)
    ):
        new = re.sub("^an? ", "the ", name) if clause.lower().startswith("if the") else name
    else:
        return None
    pronoun = HE_OR_SHE.get(spoken, spoken)
    return f"{main[: first.start()]}{new}{main[first.end() :]}", clause.replace(name, pronoun, 1)


def _alone(sentence: Sentence, name: str, pronoun: str) -> bool:
    """Whether `name` is the one person of the text, but for titled ones of the other sex."""
    if pronoun.lower() not in HE_OR_SHE:
        return False
    others = {"he": {"Mrs", "Mrs.", "Ms", "Ms."}, "she": {"Mr", "Mr."}}[HE_OR_SHE[pronoun.lower()]]
    people = {t.text for t in sentence.doc if is_name(t) and t.ent_type_ in {"PERSON", "ORG", ""} and t.text.isalpha()}
    titled = {t.text for t in sentence.doc if t.i > 0 and t.nbor(-1).text in others} | {o.rstrip(".") for o in others} | others
    return people - titled == {name}


def _owns(sentence: Sentence, main: str, at: int) -> bool:
    """Whether "her" at `at` of the main clause is a possessive."""
    start = sentence.source.find(main, sentence.start)
    return any(t.idx == start + at and t.tag_ == "PRP$" for t in sentence.tokens)


def _is_subject(sentence: Sentence, phrase: str, pronoun: str) -> bool:
    """Whether the noun phrase after the opening "if" is a whole subject of the pronoun's number."""
    subject = next((t for t in sentence.tokens if t.dep_ in {"nsubj", "nsubjpass"} and t.left_edge.i == sentence.first + 1), None)
    return (
        subject is not None
        and subject.tag_ == {"it": "NN", "they": "NNS"}[pronoun]
        and sentence.source[subject.left_edge.idx : subject.right_edge.idx + len(subject.right_edge.text)] == phrase
    )
