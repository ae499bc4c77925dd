"""Last resort of the reorder operator: a phrase taken out to the front, its place held by a pronoun, or the question put after the statement it asks about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemas.records import Item
from tasks.perturbations.language import Sentence, capital, cuts_guarded, is_word, lower_first
from tasks.perturbations.binding import binds
from tasks.perturbations.syntax import question

PLAIN = set(
    "the a an if when in for as on at by with from which what how it its their his her this these each every all some any according compared among during find select write "
    "express calculate compute evaluate simplify factor estimate add subtract multiply divide arguing telling given under to one most there using three two half".split()
)

LONG = 1500
LEAD = re.compile(
    r"(according to|in|for|when|if|as|on|at|by|to|under|with|without|during|compared|among|given|because|while|although|after|before|since|unlike|like|traditionally|"
    r"automatically|whereas|once|of)\b",
    re.I,
)
VIEWING = {
    "defines": "defined", "identifies": "identified", "divides": "divided", "describes": "described", "regards": "regarded", "views": "viewed", "treats": "treated",
    "characterizes": "characterized", "understands": "understood", "sees": "seen", "saw": "seen", "compares": "compared", "conceives of": "conceived of",
    "distinguishes": "distinguished", "interprets": "interpreted", "criticizes": "criticized", "classifies": "classified", "considers": "considered",
}  # fmt: skip
PERSONAL_NOUNS = {"person", "people", "man", "woman", "philosopher", "agent", "saint", "someone", "student", "humans", "individual", "child", "arguer", "researcher", "farmer"}

Rule = Callable[[Item, Sentence], Iterator[str]]


@lru_cache(maxsize=1)
def orders() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Rules of `orders.txt`: pattern, template."""
    lines = (Path(__file__).parent / "orders.txt").read_text(encoding="utf-8").splitlines()
    return tuple((re.compile(pattern, re.S), new) for pattern, new in (line.split(" => ") for line in lines if line and not line.startswith("#")))


def _by_order(item: Item, sentence: Sentence) -> Iterator[str]:
    for pattern, template in orders() if len(sentence.text) < LONG else ():
        match = pattern.match(sentence.text)
        if match is None or any(_open(group) for group in match.groups("")):
            continue
        made = re.sub(r"\{(\d)(l?)\}", lambda m: _small(match.group(int(m[1])) or "", m[2]), template)  # noqa: B023
        yield capital(made) if made[:1].isalpha() and not re.match(r"\w\b|\w\(|\w[_^]", made) else made


def _open(text: str) -> bool:
    """Whether brackets, dollars or quotation marks of `text` are not closed in it."""
    return text.count("(") != text.count(")") or text.count("$") % 2 == 1 or text.count('"') % 2 == 1 or text.count("“") != text.count("”") or text.count("[") != text.count("]")


def _small(text: str, mark: str) -> str:
    word = re.match(r"[A-Za-z]+", text)
    return text[:1].lower() + text[1:] if mark and word and (word.group().lower() in PLAIN or (word.group().endswith("ing") and is_word(word.group()))) else text


def _yes_no_last(_: Item, sentence: Sentence) -> Iterator[str]:
    """Did Neanderthals use arithmetic? -> Neanderthals used arithmetic: is that so?"""
    parts = question(sentence)
    if parts is None or parts.asked or not parts.auxiliary or re.search(r"\b(any|anything|anyone|anybody|ever|yet|either)\b", parts.statement):
        return
    statement = parts.lead + parts.statement
    yield f"{capital(statement)}: is that so{parts.mark}"


def _phrase_first(item: Item, sentence: Sentence) -> Iterator[str]:
    """What is the order of x in G? -> In G, what is the order of x? Only a last phrase with "in" or "for" that holds no verb."""
    match = re.match(r"(?P<main>(?:What|Which|How|Find|Calculate|Determine|Compute)\b.+?) (?P<phrase>(?:in|for|over|on|under|at|during|within|among|from) (?:the |a |an |\$|[A-Z]|\d)[^,?]*?)(?P<mark>[?.])$", sentence.text, re.S)
    if not match or sentence.root is None:
        return
    at = sentence.start + match.start("phrase")
    phrase = [t for t in sentence.tokens if at <= t.idx < sentence.start + match.end("phrase")]
    if (not item.choices and not re.match(r"(what|which|how)", sentence.text, re.I)) or cuts_guarded(sentence.source, at) or not phrase or not _may_front(phrase[0]) or any(t.pos_ in {"VERB", "AUX"} for t in phrase) or "," in match["main"]:
        return
    noun = next((c for c in phrase[0].children if c.dep_ == "pobj"), None)
    if noun is None or noun.right_edge.i != phrase[-1].i or phrase[0].head.pos_ in {"ADJ", "ADV"}:
        return
    main = match["main"][0].lower() + match["main"][1:]
    yield f"{capital(match['phrase'])}, {main}{match['mark']}"


def _may_front(preposition: Any) -> bool:
    if preposition.lower_ in {"in", "for", "over"}:
        return True
    head = preposition.head
    verbal = head.pos_ in {"VERB", "AUX"} and head.lemma_ not in {"depend", "rely", "act", "work", "base", "be", "focus", "agree"}
    return verbal and preposition.lower_ in {"on", "at", "during", "within", "among", "under", "from"} and (preposition.lower_ != "from" or head.tag_ == "VBN")


def _what_is_it(_: Item, sentence: Sentence) -> Iterator[str]:
    """What is the order of x? -> The order of x: what is it?"""
    match = re.match(r"(?P<lead>[^?]*?, )?(?P<what>what) (?P<be>is|are|was|were) (?P<noun>(?:the|his|her|their|its|[A-Z]\w+['’]s) [^?]+?)(?P<mark>\?)$", sentence.text, re.I | re.S)
    if not match or cuts_guarded(sentence.source, sentence.start + match.start("noun")):
        return
    pronoun = "they" if match["be"] in {"are", "were"} else "it"
    yield f"{match['lead'] or ''}{match['noun'] if match['lead'] else capital(match['noun'])}: {match['what'].lower()} {match['be']} {pronoun}{match['mark']}"


def _question_inside(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many apples does Tim have left? -> Tim has how many apples left?"""
    parts = question(sentence)
    if parts is not None and parts.auxiliary and re.match(r"(for|in|at|on|by) (which|what|how many|how much)\b", parts.asked, re.I) and "?" in parts.mark:
        yield f"{parts.lead}{parts.statement if parts.lead else capital(parts.statement)} {parts.asked[0].lower() + parts.asked[1:]}{parts.mark}"
        return
    if parts is None or not parts.before_gap or not parts.auxiliary or not re.match(r"how (many|much) |what (percentage|percent|number|fraction) of", parts.asked + " ", re.I):
        return
    if re.search(r"\b(to|with|for|from|at|on|in|into|about|by)$", parts.statement) or "," in parts.asked or parts.statement.startswith("there"):
        return
    if re.search(r"\b(more|less|fewer|longer|older)\b", parts.asked) and " than " in parts.statement:
        return
    if re.search(r"\b(take|takes|took|combined)$", parts.before_gap):
        return
    asked = parts.asked[0].lower() + parts.asked[1:]
    tail = parts.statement[len(parts.before_gap) :]
    yield f"{parts.lead}{parts.before_gap if parts.lead else capital(parts.before_gap)} {asked}{tail}{parts.mark}"


def _pseudo_cleft(item: Item, sentence: Sentence) -> Iterator[str]:
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


def _passive_stem(item: Item, sentence: Sentence) -> Iterator[str]:
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


def _lead_inside(item: Item, sentence: Sentence) -> Iterator[str]:
    """According to Kant, the will is -> The will, according to Kant, is: for stems whose end must stay where it is."""
    subject = _subject_of(sentence)
    if not item.choices or "?" in sentence.mark or subject is None or not LEAD.match(sentence.text) or subject.left_edge.i <= sentence.first + 1:
        return
    if subject.lower_ in {"which", "what", "who", "there", "it", "you", "he", "she", "they"} or subject.dep_ == "csubj":
        return
    at, cut = subject.left_edge.idx, subject.right_edge.idx + len(subject.right_edge.text)
    lead, spoken, rest = sentence.source[sentence.start : at].rstrip(" ,"), sentence.source[at:cut], sentence.source[cut : sentence.end].strip()
    if re.search(r", (then|and|but|so)$", lead) or binds(sentence, at) or _open(lead) or _open(spoken) or "," in spoken:
        return
    following = subject.right_edge.nbor(1) if subject.right_edge.i + 1 < sentence.last else None
    if following is not None and following.tag_ not in {"VBZ", "VBP", "VBD", "MD", "RB"}:
        return
    yield f"{capital(spoken)}, {lower_first(lead, sentence.tokens[0])}{'' if rest[:1] in {'', ':', '.'} else ', '}{rest}"


def _as_for(item: Item, sentence: Sentence) -> Iterator[str]:
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
    if re.search(r"\b(any|every|each|no|some|both|he|she|you)\b", spoken, re.I) or _open(spoken) or len(spoken.split()) > 30:
        return
    if verb.tag_ in {"VBZ", "VBP"}:
        plural = verb.tag_ == "VBP"
    else:
        plural = subject.dep_ != "csubj" and (subject.tag_ == "NNS" or any(c.dep_ == "conj" for c in subject.children))
    rest = sentence.source[subject.right_edge.nbor(1).idx : sentence.end]
    yield f"As for {lower_first(spoken, subject.left_edge)}, {'they' if plural else 'it'} {rest}"


def _command_last(_: Item, sentence: Sentence) -> Iterator[str]:
    """Find the degree of f. -> The degree of f: find it."""
    match = re.match(r"(Find|Calculate|Compute|Determine|Simplify|Evaluate|Estimate|Solve|Identify) (the (?!following)[^:?]+|\$[^$]+\$|[(\d][^A-Za-z]*)([.:]?)$", sentence.text, re.S)
    if match and not re.search(r"\bthat (?:makes|make)\b", match.group(2)) and len(match.group(2)) < 160:
        yield f"{capital(match.group(2).rstrip('.'))}: {match.group(1).lower()} {'it' if match.group(2).startswith('the') else 'this'}{match.group(3) or '.'}"


RULES: tuple[Rule, ...] = (_by_order, _passive_stem, _phrase_first, _lead_inside, _yes_no_last, _pseudo_cleft, _what_is_it, _question_inside, _as_for, _command_last)
