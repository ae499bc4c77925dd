"""Stems that an option completes, for the paraphrase operator: the rules of `unfinished.txt` and four that need grammar.

No rule puts "it is true that" before a stem: that is no other way to say it, and it vouches for what the options may deny.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from schemas.records import Item
from tasks.perturbations.language import Sentence, article, capital, inflect, is_open, lower_first

NAME = r"(?:[A-Z][\w.]+|d['’]Holbach)(?: [A-Z][\w.]+){0,2}"
PHRASE = r"(?!(?:When|If|As|In|For|By|To|During|Compared|Then|After|Because)\b)(?:(?!\b(?:that|which|who|whose|when|if|because)\b)[^,:])+?"
QUANTITY = (
    r"period|length|wavelength|frequency|volume|speed|velocity|groundspeed|mass|weight|density|area|value|voltage|power|probability|mean|median|range|"
    r"standard deviation|perimeter|slope|order|degree|charge|momentum|acceleration|temperature|height|width|radius"
)
OPTIONS: dict[str, Callable[[tuple[str, ...]], bool]] = {
    "gerunds": lambda options: all(re.match(r"(?:\w+ly )?[A-Za-z]+ing\b", o) for o in options),
    "numbers": lambda options: (
        len(options) - 1
        <= sum(
            bool(re.match(r"[-−–+$(]*(?:about |approximately |more than |less than )?[-−–+$]*\d|[a-zπ√$]?[\dπ√]|(?:zero|half|[a-z]/[a-z0-9])\b", o))
            for o in options
        )
    ),
    "described": lambda options: not any(re.match(r"(?:that|whether|if|by|to|in|on|at|found|know|do)\b|\W*\d", o) for o in options),
}
"""What all options are, for a rule that leads up to just that."""


@lru_cache(maxsize=1)
def rules() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Rules of `unfinished.txt`: condition on the options or "", pattern, replacement."""
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    split = (re.fullmatch(rf"(?:({'|'.join(OPTIONS)}): )?(.+?) => (.*)", line) for line in lines if line and not line.startswith("#"))
    return tuple((m[1] or "", re.compile(m[2].replace("<name>", NAME).replace("<np>", PHRASE), re.S), m[3]) for m in split if m)


def is_stem(item: Item, sentence: Sentence) -> bool:
    """Whether an option completes `sentence`: the last of a question that asks nothing itself and has not ended."""
    text = sentence.text.rstrip()
    closed = bool(re.search(r"(?<![._…])[.!]$", text)) and not re.search(r"_+ ?\.$", text)
    return bool(item.choices) and "?" not in item.question and not closed and sentence.end == len(item.question.rstrip())


def by_rule(item: Item, sentence: Sentence) -> Iterator[str]:
    """What the rules of `unfinished.txt` make of a stem."""
    if not is_stem(item, sentence):
        return
    text = sentence.text
    for condition, pattern, new in rules():
        match = pattern.search(text) if not condition or OPTIONS[condition](item.choices) else None
        if match is None or any(is_open(group) for group in match.groups() if group):
            continue
        first = sentence.tokens[0]
        made = re.sub(r"\\(\d)|\{(\d)\}", partial(_filled, match, first), new)
        yield capital(text[: match.start()] + made + text[match.end() :])


def _filled(match: re.Match[str], first: Any, place: re.Match[str]) -> str:
    """What stands in a replacement's `place`: a group of `match`, in braces with a small first letter where it opened the sentence."""
    group = int(place[1] or place[2])
    text = match[group] or ""
    return lower_first(text, first) if place[2] and match.start(group) == 0 else text


def has_as_its(item: Item, sentence: Sentence) -> Iterator[str]:
    """The period of a wave is -> A wave has a period of (numbers); The identity element of this group is -> This group has as its identity element."""
    match = re.match(
        r"(?P<lead>[^?]*?, )?[Tt]he (?P<noun>(?:(?!of\b)[\w’'-]+ ){0,3}?[\w-]+) of (?P<whole>(?:the|this|an?|each|its|[A-Z])?[^,:?]*?) (?:is|equals|is equal to)(?P<about> approximately| about)?$",  # noqa: E501
        sentence.text,
        re.S,
    )
    if (
        match is None
        or not is_stem(item, sentence)
        or re.search(r"\b(that|which|who|whose|is|are|was|and|or|when|if|compared|so)\b", match["whole"])
        or not match["whole"]
    ):
        return
    noun, whole, lead = match["noun"], match["whole"], match["lead"] or ""
    last = next((t for t in sentence.tokens if t.idx <= sentence.start + match.start("whole") < t.idx + len(t.text)), None)
    head = next((t for t in sentence.tokens if t.dep_ == "pobj" and t.idx >= sentence.start + match.start("whole")), None)
    if (
        last is None
        or head is None
        or re.match(r"(?:kind|type|sort|set|number|amount|fallacy|definition|process|sign|purpose|proof|model|color|work)s?\b", noun)
    ):
        return
    quantity = bool(re.search(rf"\b(?:{QUANTITY}|distance)$", noun))
    if len(whole) < 3 or (quantity and not OPTIONS["numbers"](item.choices)):
        return
    has, its = ("have", "their") if head.tag_ in {"NNS", "NNPS"} else ("has", "its")
    if quantity and not re.search(r"\b(?:maximum|minimum|least|greatest|most|\w+est)\b", noun):
        made = f"{whole} {has} {article(noun)} {noun} of{match['about'] or ''}"
    else:
        made = f"{whole} {has} as {its} {noun}{match['about'] or ''}"
    yield f"{lead}{made}" if lead else capital(made)


def to_do_is_to(item: Item, sentence: Sentence) -> Iterator[str]:
    """Arguing that P commits the fallacy of -> To argue that P is to commit the fallacy of."""
    match = re.match(r"(Automatically )?(\w+ing) (.+?) (?:commits the fallacy|is the fallacy|(is))( of)?([.]*)$", sentence.text, re.S)
    if match is None or not is_stem(item, sentence) or sentence.tokens[0].lower_ in {"during", "nothing", "something"}:
        return
    verb = next(t for t in sentence.tokens if t.text == match[2])
    base = inflect(verb.lemma_.lower(), "VB")
    if base is None or base == match[2].lower() or (match[4] and not re.match(r"(?:claim|reject)ing", match[2])):
        return
    how = f"{match[1].lower()}" if match[1] else ""
    yield f"To {how}{base} {match[3]} is{'' if match[4] else ' to commit the fallacy of'}{match[6]}"


def if_it_does(item: Item, sentence: Sentence) -> Iterator[str]:
    """A barometer that uses water will be -> If a barometer uses water, it will be."""
    match = re.match(
        r"(?P<a>An?|Any|Light)(?P<noun>(?: [a-z-]+){0,2}?) (?:that|who) (?P<does>(?!then\b).+?)(?P<main> (?:will be|must|commits the fallacy of|has|is))?$",
        sentence.text,
        re.S,
    )
    if match is None or not is_stem(item, sentence) or re.search(r"[,:;]", match["does"]):
        return
    noun = match["noun"].strip()
    again = f"the {noun}" if " who " in sentence.text[: match.start("does")] else "it"
    first = article(noun) if match["a"] == "Any" else match["a"].lower()
    yield f"If {first} {noun} {match['does']}, {again}{match['main'] or ''}".replace("  ", " ")


def it_is_possible(item: Item, sentence: Sentence) -> Iterator[str]:
    """A capacitor can store -> It is possible for a capacitor to store."""
    can = next((t for t in sentence.tokens if t.lower_ == "can" and t.dep_ == "aux" and t.head.dep_ == "ROOT"), None)
    subject = next((c for c in can.head.children if c.dep_ in {"nsubj", "nsubjpass"}), None) if can is not None else None
    if not is_stem(item, sentence) or can is None or subject is None or subject.left_edge.i != sentence.first:
        return
    if any(c.dep_ in {"neg", "conj"} for c in can.head.children) or can.nbor(1).pos_ == "ADV" or subject.right_edge.i + 1 != can.i:
        return
    yield f"It is possible for {lower_first(sentence.source[sentence.start : can.idx], sentence.tokens[0])}to{sentence.source[can.idx + 3 : sentence.end]}"


RULES: tuple[Callable[[Item, Sentence], Iterator[str]], ...] = (by_rule, has_as_its, to_do_is_to, if_it_does, it_is_possible)
