"""Stems that an option completes: rules of the reorder operator that leave the end of the sentence where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from schemas.records import Item
from tasks.perturbations.binding import binds
from tasks.perturbations.language import Sentence, capital, is_open, lower_first

LEAD = re.compile(
    r"(according to|in|for|when|if|as|on|at|by|to|under|with|without|during|compared|among|given|because|while|although|after|before|since|unlike|like|traditionally|"  # noqa: E501
    r"automatically|whereas|once|of)\b",
    re.I,
)
VIEWING = {
    "defines": "defined", "identifies": "identified", "divides": "divided", "describes": "described", "regards": "regarded", "views": "viewed", "treats": "treated",  # noqa: E501
    "characterizes": "characterized", "understands": "understood", "sees": "seen", "saw": "seen", "compares": "compared", "conceives of": "conceived of",
    "distinguishes": "distinguished", "interprets": "interpreted", "criticizes": "criticized", "classifies": "classified", "considers": "considered",
}  # fmt: skip
PERSONAL_NOUNS = {
    "person",
    "people",
    "man",
    "woman",
    "philosopher",
    "agent",
    "saint",
    "someone",
    "student",
    "humans",
    "individual",
    "child",
    "arguer",
    "researcher",
    "farmer",
}


def pseudo_cleft(item: Item, sentence: Sentence) -> Iterator[str]:
    """A wave transfers -> What a wave transfers is; Kant claims that -> What Kant claims is that: for stems that an option completes."""
    root = sentence.root
    if not _is_stem(item, sentence) or root is None or root.pos_ != "VERB" or root.tag_ not in {"VBZ", "VBP", "VBD"}:
        return
    subject = next((c for c in root.children if c.dep_ == "nsubj" and c.left_edge.i == sentence.first), None)
    if subject is None or subject.right_edge.i >= root.i or any(c.dep_ in {"aux", "auxpass", "neg", "conj", "prt"} for c in root.children):
        return
    text, doc = sentence.source, sentence.doc
    end = root.idx + len(root.text)
    after = text[end : sentence.end]
    following = doc[root.i + 1] if root.i + 1 < sentence.last else None
    takes = following is None or following.pos_ in {"PUNCT", "DET", "ADJ", "NOUN", "NUM", "PROPN"} or following.lower_ == "that" or after.strip(" _.:") == ""
    if not takes or root.lemma_ in {"be", "have", "become", "seem", "occur", "depend", "travel", "move", "remain", "weigh", "cost"}:
        return
    first = subject.left_edge
    head = text[sentence.start : end]
    head = lower_first(head, first)
    be = "was" if root.tag_ == "VBD" else "is"
    yield f"What {head} {be}{after}"


def _subject_of(sentence: Sentence) -> Any | None:
    root = sentence.root
    subjects = [c for c in root.children if c.dep_ in {"nsubj", "nsubjpass", "csubj"}] if root is not None else []
    if subjects and subjects[0].right_edge.i < sentence.last:
        return subjects[0]
    return root if root is not None and not subjects and root.pos_ in {"NOUN", "PROPN"} else None


def passive_stem(item: Item, sentence: Sentence) -> Iterator[str]:
    """Hume defines virtue as -> Virtue is defined by Hume as."""
    match = re.match(rf"([A-Z][\w.]+) ({'|'.join(VIEWING)}) ((?!that\b|against\b)[^,:]+?) (as|into|with|to|from)\b(?! be\b)(.*)$", sentence.text, re.S)
    if not match or not _is_stem(item, sentence) or re.search(r"\b(his|her|that|which|who)\b", match[3]):
        return
    be = "are" if re.search(r"[^s]s$", match[3].split(" of ")[0]) else "is"
    yield f"{capital(match[3])} {be} {VIEWING[match[2]]} by {match[1]} {match[4]}{match[5]}"


def _is_stem(item: Item, sentence: Sentence) -> bool:
    """Whether an option completes `sentence`, or it is one of two statements to be judged."""
    last = sentence.end == len(item.question.rstrip())
    return bool(item.choices) and "?" not in item.question and (last or "Statement 1" in item.question) and not re.match(r"[IVX]+\.|about\b", sentence.text)


def lead_inside(item: Item, sentence: Sentence) -> Iterator[str]:
    """According to Kant, the will is -> The will, according to Kant, is: for stems whose end must stay where it is."""
    subject = _subject_of(sentence)
    if not item.choices or "?" in sentence.mark or subject is None or not LEAD.match(sentence.text) or subject.left_edge.i <= sentence.first + 1:
        return
    if subject.lower_ in {"which", "what", "who", "there", "it", "you", "we", "he", "she", "they"} or subject.dep_ == "csubj":
        return
    at, cut = subject.left_edge.idx, subject.right_edge.idx + len(subject.right_edge.text)
    lead, spoken, rest = sentence.source[sentence.start : at].rstrip(" ,"), sentence.source[at:cut], sentence.source[cut : sentence.end].strip()
    if re.search(rf"\b(a|an)\b.* {re.escape(subject.lemma_.lower())}\b", lead.lower()):
        return
    if re.search(r"\b(then|and|but|so)$", lead) or binds(sentence, at) or is_open(lead) or is_open(spoken) or "," in spoken:
        return
    following = subject.right_edge.nbor(1) if subject.right_edge.i + 1 < sentence.last else None
    if following is not None and following.tag_ not in {"VBZ", "VBP", "VBD", "MD", "RB"}:
        return
    yield f"{capital(spoken)}, {lower_first(lead, sentence.tokens[0])}{'' if rest[:1] in {'', ':', '.'} else ', '}{rest}"


def as_for(item: Item, sentence: Sentence) -> Iterator[str]:
    """The red glow of neon is -> As for the red glow of neon, it is: for stems that an option completes, and for statements about things."""
    subject = _subject_of(sentence)
    if not _is_stem(item, sentence) or subject is None or subject.left_edge.i != sentence.first or subject.right_edge.i + 1 >= sentence.last:
        return
    verb = subject.right_edge.nbor(1)
    while verb.pos_ == "ADV" and verb.i + 1 < sentence.last:
        verb = verb.nbor(1)
    finite = verb.tag_ in {"VBZ", "VBP", "VBD", "MD"}
    if not finite or subject.lemma_.lower() in PERSONAL_NOUNS or (subject.dep_ != "csubj" and subject.tag_ not in {"NN", "NNS"}):
        return
    spoken = sentence.source[sentence.start : subject.right_edge.idx + len(subject.right_edge.text)]
    if re.search(r"\b(any|every|each|no|some|both|he|she|you)\b", spoken, re.I) or is_open(spoken) or len(spoken.split()) > 30:
        return
    if verb.tag_ in {"VBZ", "VBP"}:
        plural = verb.tag_ == "VBP"
    else:
        plural = subject.dep_ != "csubj" and (subject.tag_ == "NNS" or any(c.dep_ == "conj" for c in subject.children))
    rest = sentence.source[subject.right_edge.nbor(1).idx : sentence.end]
    yield f"As for {lower_first(spoken, subject.left_edge).rstrip(',')}, {'they' if plural else 'it'} {rest}"
