"""Paraphrase: rule templates over question forms, commands and stems; the construction changes, the words mostly stay.

How many X does Y V -> what is the number of X that Y Vs; Does X V -> is it true that X Vs; What is X -> which of the options below is X; Calculate X -> what X comes
to, as a command; plus the templates of `templates.txt`. An instruction put before an unchanged question is no paraphrase and no rule makes one.
"""  # noqa: E501

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from schemas.records import Item
from tasks.perturbations import unfinished
from tasks.perturbations.compare import more_than
from tasks.perturbations.language import Sentence, capital, inflect, is_guarded, sentences, uncapital
from tasks.perturbations.syntax import LEADS, Question, question

LONG = 1500
"""Characters of a sentence up to which the templates are tried."""
TRUTH = ("is it true that", "is it the case that", "is it correct that")
COMPARED = "longer|older|farther|further|faster|taller|heavier|cheaper|higher|bigger|larger|smaller|shorter"
INDIRECT = ("can you work out", "can you determine", "can you tell")
MEASURES = {
    "tall": "height",
    "high": "height",
    "deep": "depth",
    "wide": "width",
    "heavy": "weight",
    "long": "length",
    "big": "size",
    "old": "age",
    "fast": "speed",
}
CLAUSES = "that|who|which|if|when|where|after|before|while|because|than|and|or|now|then|at|during|given|assuming|is|are|was|were|has|have|had|does|did"
NUMERIC = "salary|temperature|score|capacity|likelihood|share|number|value|sum|total|product|quotient|average|mean|median|probability|area|volume|perimeter|length|width|height|distance|degree|order|index|remainder|difference|cost|price|profit|amount|speed|rate|weight|mass|percentage|percent|slope|determinant|range|circumference|factor|multiple|measure|ratio|balance|age"  # noqa: E501
COMES_TO = (
    (
        "cost|(?<!original )(?<!regular )price|profit|amount|total|balance|salary|distance covered|average (?:number|speed)|average of|number of those",
        "come to",
    ),
    ("sum|product|quotient|remainder|difference|determinant|slope|degree|order|index|area|volume|perimeter|value", "equal"),
)
COMMAND = {
    "calculate": ("Determine", "Work out"),
    "find": ("Determine", "Work out"),
    "compute": ("Determine", "Calculate"),
    "determine": ("Find", "Work out"),
    "identify": ("Point out",),
}

Rule = Callable[[Item, Sentence], Iterator[str]]


def propose(item: Item, rng: random.Random) -> Iterator[str]:
    """Texts of the item's question with one sentence put differently: its question or command first, a statement where that fails."""
    text = item.question
    found = [s for s in sentences(text) if len(s.text) < LONG]
    asking = [s for s in found if "?" in s.mark or is_command(s.text)]
    stem = [found[-1]] if found and not asking else []
    for rules, targets in (
        (MAIN, asking[::-1]),
        (unfinished.RULES, stem),
        (MAIN, stem),
        (LAST, asking[::-1] + stem),
        (MAIN, [s for s in found if s not in asking]),
    ):
        for sentence in targets:
            proposals = [p for rule in rules for p in rule(item, sentence)]
            rng.shuffle(proposals)
            yield from (text[: sentence.start] + p + text[sentence.end :] for p in proposals)


@lru_cache(maxsize=1)
def templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Rules of `templates.txt`: pattern, replacement."""
    lines = (Path(__file__).parent / "templates.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" => ") for line in lines if line and not line.startswith("#"))
    return tuple((re.compile(pattern, re.I), new) for pattern, new in pairs)


def is_command(text: str) -> re.Match[str] | None:
    """The verb that opens `text`, where it asks for something to be done."""
    return re.match(rf"({'|'.join(COMMAND)}|select|simplify|solve|evaluate|express|construct|use|round|choose|give|write)\b", text, re.I)


def _by_template(item: Item, sentence: Sentence) -> Iterator[str]:
    body = sentence.text
    # What is numbered I, II, III is no option: several of them may hold.
    numbered = bool(re.search(r"\bII\.|\(II\)", item.question))
    for pattern, new in templates() if len(body) < LONG else ():
        match = None if "option" in new and numbered or "items that follow" in new and not numbered else pattern.search(body)
        if match and not _touches(sentence, pattern, match):
            made = match.expand(new)
            yield (
                body[: match.start()]
                + (capital(made) if match.group()[:1].isupper() or match.start() == 0 and body[:1].isupper() else made)
                + body[match.end() :]
            )


def _touches(sentence: Sentence, pattern: re.Pattern[str], match: re.Match[str]) -> bool:
    """Whether the words the template changes lie in an untouchable span; what its groups carry over may."""
    if pattern.groups:
        return False
    return is_guarded(sentence.source, sentence.start + match.start(), sentence.start + match.end())


def _asked(sentence: Sentence) -> Question | None:
    """The question of `sentence`, None where a word before its question phrase ("approximately") or a CANNOT in it holds the two together."""
    parts = question(sentence)
    hedged = parts is not None and ("CANNOT" in parts.asked or re.search(r"\b(?:approximately|about|roughly|exactly|almost)\s*$", parts.lead))
    return None if hedged else parts


def _how_many(_: Item, sentence: Sentence) -> Iterator[str]:
    parts = _asked(sentence)
    if parts is None:
        return
    match = re.match(
        rf"(how many|how much|what|which) (?!of\b|more\b|less\b|fewer\b|additional times|times\b|{COMPARED}|other\b|else\b|is\b|would|kind|type)(.+)$",
        parts.asked,
        re.I,
    )
    if not match or (" than " in parts.rest and "more" in parts.asked) or re.search(r"\b(until|before|after|he|she|it)\b", match.group(2)):
        return
    kind, noun = match.group(1).lower(), match.group(2)
    if kind == "how many":
        total = noun.lower().startswith(("total ", "combined "))
        last = noun.endswith(" total")
        noun = re.sub(r"(?: in)? total$", "", noun)
        head = f"the total number of {noun.split(' ', 1)[1] if total else noun}" if total or last else f"the number of {noun}"
    elif kind == "how much":
        head = f"the amount of {noun}"
    elif re.match(rf"({NUMERIC})\b(?! (?:more|less|higher|lower|greater|larger|smaller)\b)", noun, re.I):
        head = f"the {noun}"
    else:
        return
    opening = "what is" if parts.lead else "What is"
    if parts.auxiliary:
        if parts.subject.lower() == "there" or re.search(r"\b(to|with|for|from|at|on|in|into|about)$", parts.statement) is None:
            tail = "" if parts.subject.lower() == "there" else f" that {parts.statement}"
            if tail:
                yield f"{parts.lead}{opening} {head}{tail}{parts.mark}"
    elif not re.match(r"(is|are|was|were|will) there\b", parts.rest):
        yield f"{parts.lead}{opening} {head} that {parts.rest}{parts.mark}"


def _what_number(_: Item, sentence: Sentence) -> Iterator[str]:
    """How many X -> what number of X, the rest kept: for questions whose parse cannot be relied on."""
    match = re.search(
        r"\bhow many (?!more\b|less\b|fewer\b|times (?:as|more|bigger|larger|the)|total\b|additional\b|extra\b|other\b|of\b|is\b|are\b|were\b|was\b|did\b|do\b|will\b)(?=[a-z])",  # noqa: E501
        sentence.text,
        re.I,
    )
    if match and "?" in sentence.mark and " than " not in sentence.text[match.end() : match.end() + 30]:
        new = "What number of " if match.group()[0] == "H" else "what number of "
        yield sentence.text[: match.start()] + new + sentence.text[match.end() :]


def _yes_no(_: Item, sentence: Sentence) -> Iterator[str]:
    parts = question(sentence)
    if parts is None or parts.asked or not parts.auxiliary:
        return
    for opening in TRUTH:
        yield f"{parts.lead}{opening if parts.lead else capital(opening)} {_asserted(parts.statement)}{parts.mark}"


def _asserted(statement: str) -> str:
    """`statement` without the words that only a question takes: ever, any."""
    for pattern, new in ((r"(?<!than )\bever\b", "at some time"), (r"(?<!than )\bany(one|body|thing|where)?\b", r"some\1")):
        statement = re.sub(pattern, new, statement)
    return statement


def _what_is(item: Item, sentence: Sentence) -> Iterator[str]:
    match = re.match(r"(?P<lead>.*?\b)?(?P<what>what)(?P<be> is| are| was| were|'s|’s) (?P<noun>.+?)(?P<mark>\?+)$", sentence.text, re.I | re.S)
    if (
        not match
        or (match["lead"] and not match["lead"].rstrip().endswith((",", "then")))
        or re.match(r"(it|there|this|that|he|she|they|wrong)\b(?! \w)", match["noun"])
    ):
        return
    lead, noun, past = match["lead"] or "", match["noun"], match["be"].strip() in {"was", "were"}
    case = (lambda t: t) if lead else capital
    definite = re.match(r"(the|this|his|her|their|its|your|my|our|[A-Z][\w.]*(?: [A-Z]\w+)*['’]s?)\b", noun) or re.match(r"\$?[a-zA-Z]\b", noun)
    if item.choices and definite:
        yield f"{lead}{case('which of the options below')}{' is' if match['be'][0] in chr(39) + '’' else match['be']} {noun}{match['mark']}"
    cut = re.search(r", (?!and\b)| (?:if|when|after|before|given|assuming)\b", noun)
    head, tail = (noun[: cut.start()], noun[cut.start() :]) if cut else (noun, "")
    if re.match(rf"(the|his|her|their|its|[A-Z]\w*['’]s) (?:\w+ ){{0,3}}?({NUMERIC})\b(?! (?:rule|theorem|and))", head) and "and what" not in noun:
        verb = next((verb for words, verb in COMES_TO if re.match(rf"(?:\S+ ){{1,4}}?(?:{words})\b", head)), None)
        if (verb == "come to" and len(head) < 110 and not (tail and item.choices)) or (verb == "equal" and len(noun) < 60 and not tail):
            yield f"{lead}{case('what did' if past else 'what does')} {head} {verb}{tail}{match['mark']}"


def _measure(_: Item, sentence: Sentence) -> Iterator[str]:
    """How tall is the fourth child, in inches? -> what is the height of the fourth child, in inches?"""
    match = re.search(rf"\b(how) ({'|'.join(MEASURES)}) (is|was) ((?:the|his|her|their|its|each|[A-Z])[^?,]*?)((?:,? in [a-z]+)?)\?$", sentence.text, re.I)
    if match and not re.search(r"\b(he|she|it|they|when|if|now|than|after)\b|ing\b", match[4]):
        yield f"{sentence.text[: match.start()]}{'What' if match[1] == 'How' else 'what'} {match[3]} the {MEASURES[match[2].lower()]} of {match[4]}{match[5]}?"


def _which(item: Item, sentence: Sentence) -> Iterator[str]:
    """Which fallacy ... -> which of the fallacies below ...; which of the following fallacies ... -> which fallacy among the following ..."""
    doc = sentence.doc
    for token in sentence.tokens:
        if not item.choices or token.lower_ not in {"which", "what"} or token.tag_ not in {"WDT", "WP"} or token.i + 1 >= sentence.last:
            continue
        text, tail = doc.text, doc.text[sentence.start : sentence.end]
        match = re.match(r"(which) of (the following|these) (?=[a-z]+s\b)", text[token.idx : sentence.end], re.I)
        noun = next((t for t in sentence.tokens if match and t.idx >= token.idx + match.end()), None)
        if match and noun is not None and noun.tag_ == "NNS" and noun.nbor(1).lower_ != "of":
            single = inflect(noun.lemma_.lower(), "NN")
            new = f"{token.text} {single} among {match.group(2)}"
            yield tail[: token.idx - sentence.start] + new + text[noun.idx + len(noun.text) : sentence.end]
        follower = doc[token.i + 1]
        if token.lower_ == "which" and follower.tag_ == "NN" and follower.pos_ == "NOUN" and doc[token.i + 2].pos_ in {"VERB", "AUX", "ADV"}:
            plural = inflect(follower.lemma_.lower(), "NNS")
            yield tail[: token.idx - sentence.start] + f"{token.text} of the {plural} below" + text[follower.idx + len(follower.text) : sentence.end]


def _commands(_: Item, sentence: Sentence) -> Iterator[str]:
    match = re.search(rf"(?:^|, )(?P<verb>{'|'.join(COMMAND)})\b", sentence.text, re.I)
    if match is None or (match.start() > 0 and not LEADS.match(sentence.text)):
        return
    lead, verb, rest = sentence.text[: match.start("verb")], match["verb"].lower(), sentence.body[match.end() :].strip()
    short = re.match(r"(?:the|his|her|their) (?!.*\b(?:that|if|when|which|who|they|he|she|it|of .* (?:in|on|at|by|for))\b)[^,:;()$?]+$", rest)
    for new in COMMAND[verb]:
        word = "find out" if new == "Find" and re.match(r"whether|if|how|why|who", rest) else new
        word = word.lower() if lead else capital(word)
        if short and len(rest.split()) <= 7 and verb != "identify" and not re.match(r"the \w+s\b", rest):
            yield f"{lead}{word} what {rest} is{sentence.mark}"
        else:
            yield f"{lead}{word} {rest}{sentence.mark}"


def _indirect(_: Item, sentence: Sentence) -> Iterator[str]:
    parts = _asked(sentence)
    if parts is None or not parts.asked or not parts.auxiliary or (parts.asked.lower() == "how much" and parts.auxiliary in {"is", "are", "was", "were"}):
        return
    asked = uncapital(parts.asked)
    for opening in INDIRECT:
        yield f"{parts.lead}{opening if parts.lead else capital(opening)} {asked} {parts.statement}{parts.mark}"


def _indirect_what(_: Item, sentence: Sentence) -> Iterator[str]:
    """What is the school's pass rate? -> Can you work out what the school's pass rate is? Short noun phrases without a clause."""
    match = re.match(
        r"(?P<lead>[^?]*, )?what (?P<be>is|are|was|were) (?P<noun>(?:the|his|her|their|its|[A-Z]\w+['’]s?) [^?,]+?)(?P<tail>,? in [a-z ]+)?\?$",
        sentence.text,
        re.I,
    )
    if not match or len(match["noun"].split()) > 10 or re.search(rf"\b({CLAUSES})\b", match["noun"]) or re.search(r"\b(left|made|spent|paid)$", match["noun"]):
        return
    for opening in INDIRECT:
        asking = opening if match["lead"] else capital(opening)
        yield f"{match['lead'] or ''}{asking} what {match['noun']} {match['be'].lower()}{match['tail'] or ''}?"


MAIN: tuple[Rule, ...] = (_by_template, _how_many, more_than, _yes_no, _what_is, _measure, _which)
LAST: tuple[Rule, ...] = (_indirect, _indirect_what, _what_number, _commands)
