"""Small movers for the reorder operator: a unit, an adverb, a stranded preposition, a time without a comma."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.records import Item
from tasks.perturbations.adjuncts import WHEN
from tasks.perturbations.language import Sentence, capital, cuts_guarded, lower_first, uncapital
from tasks.perturbations.syntax import question

UNIT = (
    r"in (?:square |cubic )?(?:dollars|cents|seconds|minutes|hours|days|weeks|months|years|feet|inches|yards|miles|meters|centimeters|millimeters|kilometers|cm|liters|milliliters|"  # noqa: E501
    r"gallons|ounces|pounds|grams|kilograms|degrees|points)"
)
ADVERBS = {"normally", "usually", "typically", "currently", "originally", "recently", "generally", "now", "initially"}
STRANDED = {"to", "for", "with", "from", "by", "at", "in", "on"}


def unit_to_end(_: Item, sentence: Sentence) -> Iterator[str]:
    """How much money, in dollars, does it cost? -> How much money does it cost, in dollars?"""
    match = re.match(rf"(?P<asked>(?:.+(?:,| then|, so) )?(?:how|what)\b[^,?]*), (?P<unit>{UNIT}), (?P<rest>[^,?]+)\?$", sentence.text, re.I | re.S)
    if match and not re.search(r"\b(if|when|that|who|which)\b", match["rest"]):
        yield f"{match['asked']} {match['rest']}, {match['unit']}?"


def unit_inside(_: Item, sentence: Sentence) -> Iterator[str]:
    """How tall is the pyramid in feet? -> How tall, in feet, is the pyramid?"""
    match = re.match(rf"(?P<main>.+?),? (?P<unit>{UNIT})\?$", sentence.text, re.I | re.S)
    parts = question(sentence)
    split = re.match(rf"(.+, what) ((?:is|was) [^?]+), ({UNIT})\?$", sentence.text, re.S)
    if split:
        yield f"{split[1]}, {split[3]}, {split[2]}?"
    if match is None or parts is None or not re.match(r"(?:how (?:much|many|long|far|tall|old|fast|high|wide|deep)\b[^,]*|what)$", parts.asked, re.I):
        return
    at = len(parts.lead) + len(parts.asked)
    rest = match["main"][at:]
    if not parts.asked and not match["main"][len(parts.lead) :].lower().startswith("what "):
        return
    if rest.startswith(" ") and match["main"][:at].endswith(parts.asked) and not re.search(r"\bif\b", rest):
        yield f"{match['main'][:at]}, {match['unit']},{rest}?"


def adverb_inside(_: Item, sentence: Sentence) -> Iterator[str]:
    """Usually it takes 7 minutes. -> It usually takes 7 minutes."""
    tokens, text = sentence.tokens, sentence.source
    if len(tokens) < 4 or tokens[0].lower_ not in ADVERBS or "?" in sentence.mark:
        return
    adverb = tokens[0]
    begins = adverb.i + (2 if tokens[1].text == "," else 1)
    subject = next((t for t in tokens if t.dep_ in {"nsubj", "nsubjpass", "expl"} and t.left_edge.i == begins), None)
    root = subject.head if subject is not None else None
    if subject is None or root is None or subject.right_edge.i >= root.i or root.pos_ not in {"VERB", "AUX"}:
        return
    helper = next((c for c in root.children if c.dep_ in {"aux", "auxpass"} and c.i > subject.i), None)
    verb = helper if helper is not None and helper.lower_ != "to" else root
    after = helper is not None or root.lemma_ == "be"
    at = verb.idx + len(verb.text) if after else verb.idx
    start = subject.left_edge.idx
    if verb.i != subject.right_edge.i + 1 or cuts_guarded(text, at):
        return
    word = f" {adverb.lower_}" if after else f"{adverb.lower_} "
    yield f"{capital(text[start:at])}{word}{text[at : sentence.end]}"


def preposition_first(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many people did he lose to? -> To how many people did he lose?"""
    parts = question(sentence)
    match = re.search(r" (?P<word>\w+)(?P<tail> now| in total| altogether|)\?$", sentence.text)
    if parts is None or match is None or match["word"] not in STRANDED or not re.match(r"(how (many|much)|which|what) [a-z]+", parts.asked, re.I):
        return
    word = next((t for t in sentence.tokens if t.idx == sentence.start + match.start("word")), None)
    if word is None or word.dep_ != "prep" or word.nbor(-1).lower_ in {"up", "left", "out", "off", "go"} or any(True for _ in word.children):
        return
    at = len(parts.lead)
    asked = uncapital(parts.asked)
    rest = sentence.text[at + len(parts.asked) : match.start()]
    if sentence.text[at:].startswith(parts.asked):
        made = f"{match['word']} {asked}{rest}{match['tail']}?"
        yield f"{parts.lead}{made if parts.lead else capital(made)}"


def time_to_end(_: Item, sentence: Sentence) -> Iterator[str]:
    """Last week she bought 4 boxes. -> She bought 4 boxes last week."""
    match = re.match(r"((?:Last|This|Next|Every|Each) (?:week|month|year|night|day|morning|evening|weekend|summer|winter)) ([^,;:?]+)\.$", sentence.text)
    if match is None or re.search(rf"\b({WHEN}|and|but|or|than|that|who|which|if|while|before|after|then|as)\b", match[2], re.I):
        return
    first = next(t for t in sentence.tokens if t.idx == sentence.start + match.start(2))
    if first.dep_ in {"nsubj", "nsubjpass"} and (first.tag_ in {"PRP", "NNP"}):
        yield f"{capital(match[2])} {lower_first(match[1], sentence.tokens[0])}."


RULES = (unit_to_end, unit_inside, adverb_inside, preposition_first, time_to_end)
