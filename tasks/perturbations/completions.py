"""Stems that an option completes, for the reorder operator: an attribution goes inside, a clause changes places with its subject, a place comes first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.records import Item
from tasks.perturbations import stems
from tasks.perturbations.binding import introduces
from tasks.perturbations.language import Sentence, capital, cuts_guarded, is_open, lower_first, uncapital

CLAIMS = (
    r"claims|argues|maintains|holds|says|contends|asserts|believes|thinks|states|suggests|concludes|insists|observes|stresses|emphasizes|predicts|objects|replies|"
    r"responds|declares"
)
CLAUSAL = re.compile(r"(if|when|as|because|although|after|before|since|while|once|whereas|according|compared|given)\b", re.I)
NOTHING_YET = re.compile(r"(?: mainly| mostly| primarily| best)?(?: the| an?| a/an)?[ _.:…]*$")
OBJECTS = r"(?:stor|produc|transfer|involv|illustrat|consist|depend|chang|step|caus|explain|carr|contain|measur|indicat|requir|deal|serv|oppos|support)\w*"
BEHAVES = (
    r"undergo(?:es)?|speeds|contracts|collapse[sd]|gains|loses|drops|hits|moves|split|splits|passes|enters|leaves|vibrates|rotates|falls|absorbs|emits|"
    r"expands|cools"
)
SAID = re.compile(rf"\S+(?: \S+)? (?:{CLAIMS})\b")
CLAUSE_FIRST = re.compile(
    r"(?P<lead>(?:When|If|As|During the time) [^:]+?),? (?:then )?"
    r"(?P<spoken>(?:(?:the|that) [a-z]+|the (?:[a-z]+ ){1,2}(?:of|on|in) (?:the|that) [a-z]+|[a-z]+ in the [a-z]+))"
    r"(?P<rest>| (?:is|are|will|would|acts?|has|can|becomes)\b.*)$"
)
STEM = re.compile(rf"(?P<head>(?:The|An?|[A-Z][\w-]+) .+? {OBJECTS}(?: up)?(?: on| of| about| with| for| to)?)(?P<rest>(?: the| an?)?[ _.:…]*)$")


def attributed(_: Item, sentence: Sentence) -> Iterator[str]:
    """Aquinas claims that happiness is -> Happiness, Aquinas claims, is."""
    match = re.match(rf"(?P<who>[A-Z][\w.’']+(?: [A-Z][\w.’']+)? (?:{CLAIMS})),? that (?P<rest>.+)$", sentence.text, re.S)
    if match is None:
        return
    start = sentence.start + match.start("rest")
    subject = next((t for t in sentence.tokens if t.dep_ in {"nsubj", "nsubjpass", "csubj"} and t.left_edge.idx == start), None)
    if subject is None or subject.lower_ in {"it", "there", "he", "she", "that", "this", "one", "we", "you", "they", "what"}:
        return
    end = subject.right_edge.idx + len(subject.right_edge.text)
    spoken, rest = sentence.source[start:end], sentence.source[end : sentence.end]
    following = subject.right_edge.nbor(1) if subject.right_edge.i + 1 < sentence.last else None
    verbal = following is None or following.is_punct or following.tag_ in {"VBZ", "VBP", "VBD", "MD", "RB"}
    if verbal and "," not in spoken and not is_open(spoken) and len(spoken.split()) < 16 and not re.search(r"\b(his|her|their|its)\b", spoken):
        yield f"{capital(spoken)}, {match['who']}{rest if rest.strip()[:1] in {'', ':', '.'} else ',' + rest}"


def lead_inside(item: Item, sentence: Sentence) -> Iterator[str]:
    """According to Kant, the will is -> The will, according to Kant, is; never away from a comma, a relative clause or what the subject goes back to."""
    yield from (made for made in stems.lead_inside(item, sentence) if reads(sentence, made))


def reads(sentence: Sentence, made: str) -> bool:
    """Whether a subject may stand before the lead that opened `sentence`: `made` is "subject, lead, rest"."""
    if sentence.text.startswith("For example"):
        return False
    parts = _parts(sentence, made)
    if parts is not None and parts[0].endswith(", there"):
        return False
    if parts is None or re.match(
        r"(What|How|Which|Find|The claim that|The [a-z]+ step .*permissible$|To say|Whenever|Without|On|In)\b|(It|There) is$|[“\"]", parts[0]
    ):
        return True
    return _stands(sentence, made, *parts) and not introduces(parts[1], parts[0])


def _parts(sentence: Sentence, made: str) -> tuple[str, str, str] | None:
    """The subject, the lead and the rest of `made`; None where the sentence opens with no lead or its lead is not inside."""
    at = made.lower().find(f", {sentence.text[:12].lower()}") if stems.LEAD.match(sentence.text) else 0
    if at <= 0:
        return None
    spoken, after = made[:at], made[at + 2 :]
    same = next((i for i in range(1, len(after)) if sentence.text[: i + 1].lower() != after[: i + 1].lower()), len(after))
    same = len(re.sub(r"[^\W_]+$", "", after[:same])) if after[same - 1 : same + 1].isalpha() else same
    lead, rest = after[:same].strip(" ,:"), after[same:].strip(" ,.")
    return spoken, re.sub(r",? then$", "", lead), rest


def _stands(sentence: Sentence, made: str, spoken: str, lead: str, rest: str) -> bool:
    clausal = bool(CLAUSAL.match(lead))
    if not rest and not (clausal and made[-1] in ":,") and not (sentence.mark == ":" and re.match(r"(in|for) ", lead)):
        return False
    bare = re.fullmatch(r"The ([a-z]+)", spoken)
    if (spoken == "We" and re.match(r"when|if", lead)) or lead.endswith(" then") or (bare and re.search(rf"(?<!an )(?<!a )\b{bare[1]}\b", lead)):
        return False
    comma = sentence.text[len(lead) : len(lead) + 1] == ","
    if not comma and not clausal and not (re.match(r"(in|at|on|during) ", lead) and len(lead.split()) < 9 and re.match(r"(The|An?) ", spoken)):
        return False
    if re.search(r"\b(it|its|them|their|what|whether|when|is|are|can)\b|\b(which|whom|that|who)(?: \w+){0,2}$", spoken):
        return False
    if clausal and re.search(r", (then|and|but|so|if|when)\b", lead):
        return False
    return clausal or not (re.search(r", (then|if|when)\b", lead) or re.match(r"(in (?!response|spite|view)|on|at|with|for)\b.* (is|are|was|were)\b", lead))


def _ends_in_options(item: Item, sentence: Sentence) -> bool:
    return bool(item.choices) and "?" not in sentence.text and sentence.end == len(item.question.rstrip())


def redetermined(item: Item, sentence: Sentence) -> Iterator[str]:
    """If an object moves, the object will -> An object, if the object moves, will: "a" and "the" change places with their phrases."""
    found = CLAUSE_FIRST.match(sentence.text)
    if found is None or not _ends_in_options(item, sentence):
        return
    lead, spoken, rest = found["lead"], found["spoken"], found["rest"].strip()
    noun = re.search(r"\b(?P<det>the|that) (?P<noun>[a-z]+)$", spoken)
    first = re.search(rf"\b(?P<det>an?) (?P<noun>(?:[a-z]+ )?{noun['noun']})\b(?! of\b| that\b)", lead) if noun else None
    if noun is None or first is None or re.search(r"\b(it|its|there)\b", spoken) or re.search(r", (then|and|but)\b", lead):
        return
    new = f"{spoken[: noun.start()]}{first['det']} {first['noun']}{spoken[noun.end() :]}"
    later = f"{lead[: first.start()]}{noun['det']} {noun['noun']}{lead[first.end() :]}"
    yield f"{capital(new)}, {uncapital(later)},{' ' + rest if rest else ''}"


def resumed(item: Item, sentence: Sentence) -> Iterator[str]:
    """When light bends, it can -> Light, when it bends, can; When a car speeds up, its energy is -> The energy of a car, when it speeds up, is."""
    found = re.match(
        rf"(?P<when>When|If|As) (?P<np>(?:(?:an?|the) )?(?:[\w-]+ ){{0,2}}?[\w-]+) (?P<verb>{BEHAVES}|is|has|were|was) (?P<p>[^,?]+), "
        r"(?P<main>(?:it|its) .+)$",
        sentence.text,
        re.S,
    )
    if not item.choices or "?" in sentence.text or found is None:
        return
    first = next(t for t in sentence.tokens if t.idx == sentence.start + found.start("np"))
    clause = f"{found['when'].lower()} it {found['verb']} {found['p']}"
    owned = re.match(r"its ((?:[a-z-]+ ){0,3}?[a-z-]+) ((?:is|are|has|would|will|increases|decreases|can|does|changes)\b.*|)$", found["main"], re.S)
    if found["main"].startswith("it "):
        yield f"{capital(found['np'])}, {clause}, {found['main'][3:]}"
    elif owned:
        yield f"The {owned[1]} of {lower_first(found['np'], first)}, {clause}, {owned[2]}"


def place_first(item: Item, sentence: Sentence) -> Iterator[str]:
    """The pressure at the bottom of a pond depends on -> At the bottom of a pond, the pressure depends on."""
    match = re.match(
        r"(?P<np>(?:The|A|An|Most of the) (?:(?!of\b)[\w-]+ ){1,4}?)"
        r"(?P<place>(?:in|at|on|inside|between|about|around) (?:an?|the|its|any|air|electric|sound|Earth’s|Earth)\b(?:(?! is | are )[^,:?])*?)"
        r"(?P<rest>| (?:is|are|was|does|do|can|will|depends?|acts?|increases?|produces?|exists?|may|must|has|form|move|travel|normally travel)\b.*)$",
        sentence.text,
        re.S,
    )
    if match is None or not _ends_in_options(item, sentence):
        return
    before = next((t for t in sentence.tokens if t.idx + len(t.text) == sentence.start + match.start("rest")), None)
    head = next((t for t in sentence.tokens if t.idx == sentence.start + match.start("place")), None)
    if head is None or head.nbor(-1).pos_ not in {"NOUN", "PROPN"} or head.nbor(-1).tag_ == "VBG":
        return
    noun = before is not None and before.pos_ in {"NOUN", "PROPN"}
    if noun and not cuts_guarded(sentence.source, sentence.start + match.start("place")) and not re.search(r"\b(that|which|who|whose)\b", match["place"]):
        yield f"{capital(match['place'])}, {lower_first(match['np'], sentence.tokens[0]).rstrip()}{match['rest']}"


def cleft(item: Item, sentence: Sentence) -> Iterator[str]:
    """A wave transfers -> What a wave transfers is; the speed depends on -> What the speed depends on is: only where nothing follows the verb yet."""
    for made in () if SAID.match(sentence.text) else stems.pseudo_cleft(item, sentence):
        after = sentence.text[len(_common(sentence.text, made)) :]
        if (NOTHING_YET.fullmatch(after) or after.lstrip().startswith("that ")) and not re.search(r"(?: equals|=) is", made):
            yield made
    match = STEM.match(sentence.text)
    last = sentence.end == len(item.question.rstrip())
    if SAID.match(sentence.text) or not item.choices or not last or match is None:
        return
    if re.search(r"[,:;?]|\b(?:if|when|that|which|who)\b", match["head"]):
        return
    subject = next((t for t in sentence.tokens if t.dep_ in {"nsubj", "nsubjpass"} and t.left_edge.i == sentence.first), None)
    verb = subject.head if subject is not None else None
    if verb is not None and verb.pos_ == "VERB" and re.match(OBJECTS, verb.lower_) and not any(c.dep_ in {"dobj", "conj"} for c in verb.children):
        yield f"What {lower_first(match['head'], sentence.tokens[0])} is{match['rest']}"


def _common(text: str, made: str) -> str:
    """The opening of `text` that `made` keeps after its "What"."""
    kept = made[5:]
    length = next((i for i in range(1, min(len(text), len(kept))) if text[i] != kept[i]), min(len(text), len(kept)))
    return text[:length].rstrip()


def as_for(item: Item, sentence: Sentence) -> Iterator[str]:
    """The red glow of neon is -> As for the red glow of neon, it is: never where the topic is new to the reader."""
    if re.match(r"(Statement \d ?\| *)?(An?|One|Another|Any|Its|This|These|To|When|Whether)\b", sentence.text):
        return
    if item.subject == "philosophy" and re.match(r"[A-Z]\w+ (?:accuses|refers|ends|sees|saw|had)\b", sentence.text):
        return
    yield from stems.as_for(item, sentence)
