"""The rule gate: what a rewording must keep. Reads the two texts afresh and trusts no operator.

Each check returns None or a reason that says what was lost or gained. The NLI half of the gate is run in batch by the prompts stage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from schemas.records import Item
from tasks.perturbations.language import LONGEST, guarded, is_name, parse
from tasks.scorers.extraction.number_words import TENS, UNITS

NUMBER_WORDS = {
    *UNITS,
    *TENS,
    "billion",
    "billions",
    "both",
    "couple",
    "double",
    "doubled",
    "doubles",
    "dozen",
    "dozens",
    "eighth",
    "fifth",
    "fifths",
    "first",
    "fourth",
    "fourths",
    "half",
    "halves",
    "hundred",
    "hundreds",
    "million",
    "millions",
    "ninth",
    "once",
    "pair",
    "pairs",
    "quadruple",
    "quarter",
    "quarters",
    "second",
    "seventh",
    "single",
    "sixth",
    "tenth",
    "tenths",
    "third",
    "thirds",
    "thousand",
    "thousands",
    "thrice",
    "trillion",
    "triple",
    "tripled",
    "triples",
    "twice",
} - {"fourty"}
NEGATIONS = set(
    [
        "not",
        "no",
        "none",
        "nobody",
        "nothing",
        "nowhere",
        "never",
        "neither",
        "nor",
        "without",
        "except",
        "unless",
        "hardly",
        "barely",
        "scarcely",
        "cannot",
        "excluding",
    ]
)
COMMANDS = [
    "find",
    "determine",
    "calculate",
    "compute",
    "work",
    "establish",
    "ascertain",
    "select",
    "choose",
    "pick",
    "identify",
    "point",
    "construct",
    "build",
    "draw",
    "use",
    "employ",
    "utilize",
    "express",
    "write",
    "simplify",
    "reduce",
    "solve",
    "evaluate",
    "estimate",
    "gauge",
    "round",
    "assume",
    "suppose",
    "consider",
    "let",
    "state",
    "say",
    "give",
    "justify",
    "show",
    "prove",
    "describe",
    "explain",
    "check",
    "complete",
    "match",
    "read",
    "name",
    "convert",
    "translate",
    "give",
    "change",
    "factor",
    "rewrite",
    "restate",
    "add",
    "subtract",
    "multiply",
    "divide",
    "answer",
]
COMMAND = re.compile(rf"(?:^\s*|[.?!:;,)][\"”]?\s+|\n\s*|\b(?:then|and|please)\s+)({'|'.join(COMMANDS)})\b(?!\s+(?:is|are|was|were)\b)", re.I)
DIGITS = re.compile(r"\d+(?:[.,:/]\d+)*|[½⅓⅔¼¾⅕⅛⅜⅝⅞²³¹⁰-⁹₀-₉]")
SYMBOLS = re.compile(r"[$%€£¥¢°#&@+*=<>≤≥±×÷√∞∀∃∨∧⊃≡~^|\\(){}\[\]]")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
CAPITAL = re.compile(r"(?<!\w)[^\W\d_a-z]\w*")
LETTER = re.compile(r"(?<![\w'’])[B-HJ-Zb-z](?![\w'’])")

FEW = 4
"""Words of a short question that may be other ones, whatever their share."""
OPENERS = {"How", "What", "Which", "If", "When", "Find", "The", "Then", "Statement"}

Check = Callable[[str, str], str | None]


def verdict(item: Item, question: str, choices: Sequence[str] | None = None, taken: Sequence[str] = (), *, surface: bool = False) -> str | None:
    """None where `question` may stand for `item.question`, else the reason why not.

    Args:
        item: the original.
        question: the reworded question.
        choices: the options that go with it; the item's own when None.
        taken: the item's other rewordings.
        surface: a change of case or spacing is the change that was meant.
    """
    if choices is not None and tuple(choices) != item.choices:
        return "options: the answer options differ from the original's"
    for check in CHECKS:
        reason = check(item.question, question)
        if reason:
            return reason
    same = str if surface else lambda text: plain(text).replace(" ", "")
    if same(question) == same(item.question):
        return "unchanged: differs in spacing, case or punctuation at most"
    if any(same(question) == same(other) for other in taken):
        return "duplicate: another operator made the same text"
    return None


def plain(text: str) -> str:
    """`text` as words and symbols only, in lower case: what two rewordings must differ in."""
    return " ".join(re.findall(r"\w+|[^\w\s.,;:!?'\"’“”]", text.lower()))


def numbers(text: str) -> Counter[str]:
    """Multiset of digits and number words."""
    words = (w.lower() for w in re.findall(r"[^\W\d_]+", text))
    return Counter(DIGITS.findall(text)) + Counter("pair" if w == "pairs" else w for w in words if w in NUMBER_WORDS)


def negations(text: str) -> Counter[str]:
    """Multiset of negating words; "n't" and "cannot" count as "not"."""
    words = [w.lower().replace("’", "'") for w in WORD.findall(text)]
    found: Counter[str] = Counter()
    for word in words:
        if word.endswith("n't") or word == "cannot":
            found["not"] += 1
        elif word in NEGATIONS:
            found[word] += 1
    return found


def changed(kind: str, before: Counter[str], after: Counter[str]) -> str | None:
    """What a multiset lost and gained, None where nothing."""
    lost, gained = before - after, after - before
    parts = [f"{verb} {', '.join(sorted(some.elements()))}" for verb, some in (("lost", lost), ("gained", gained)) if some]
    return f"{kind}: {'; '.join(parts)}" if parts else None


def _unlabelled(text: str) -> str:
    """`text` without the bar after, or the brackets around, the label of a statement: they are punctuation."""
    return re.sub(r"\(?((?:Statement|Assertion) \d)(?: ?\||\))", r"\1", text)


def _questions(before: str, after: str) -> str | None:
    return changed("question marks", Counter("?" * before.count("?")), Counter("?" * after.count("?")))


def _commands(before: str, after: str) -> str | None:
    asked, kept = len(COMMAND.findall(before)), len(COMMAND.findall(after))
    return f"commands: {asked} became {kept}" if asked != kept else None


def _quotes(before: str, after: str) -> str | None:
    for kept in {before[start:end].strip(".,;:?! ") for start, end in guarded(before)} - {"|"}:
        if before.count(kept) != after.count(kept):
            return f"untouchable text: {kept[:60]!r} is not where it was asked for"
    return None


def _letters(before: str, after: str) -> str | None:
    return changed("variables", Counter(LETTER.findall(before)), Counter(LETTER.findall(after)))


def names(text: str) -> Counter[str]:
    """Multiset of names in an original: capitalised words inside sentences, at the start of one only what the tagger calls a name."""
    starts = {m.end() for m in re.finditer(r"^\W*|[.?!:|][\"”’')]*\s+\W*|\n\W*", text)}
    proper = {t.idx for t in parse(text) if is_name(t)} if len(text) <= LONGEST else set()
    found: Counter[str] = Counter()
    for match in CAPITAL.finditer(text):
        if match.group() not in {"A", "I", *OPENERS} and (match.start() not in starts or match.start() in proper) and match.group().lower() not in COMMANDS:
            found[match.group()] += 1
    return found


def _names(before: str, after: str) -> str | None:
    present, old = Counter(re.findall(r"\w+", after)), Counter(re.findall(r"\w+", before))
    lost = sorted(name for name in names(before) if present[name] < old[name])
    known = {w.lower() for w in old}
    gained = sorted({m.group(1) for m in re.finditer(r"(?:[a-z,] )([^\W\d_a-z]\w*)", after) if m.group(1).lower() not in known and m.group(1) != "I"})
    parts = [f"{verb} {', '.join(some)}" for verb, some in (("lost", lost), ("gained", gained)) if some]
    return f"names: {'; '.join(parts)}" if parts else None


def _whole(before: str, after: str) -> str | None:
    old, new = Counter(plain(before).split()), Counter(plain(after).split())
    if sum(new.values()) > 2 * sum(old.values()) + 20:
        return "text: more than twice as long"
    kept, lost = sum((old & new).values()) / max(1, sum(old.values())), sum((old - new).values())
    return f"text: only {kept:.0%} of the words are kept" if (kept < 0.5 and lost > FEW) or "\ufffd" in after and "\ufffd" not in before else None


CHECKS: tuple[Check, ...] = (
    lambda before, after: changed("numbers", numbers(before), numbers(after)),
    lambda before, after: changed("negations", negations(before), negations(after)),
    lambda before, after: changed("symbols", Counter(SYMBOLS.findall(_unlabelled(before))), Counter(SYMBOLS.findall(_unlabelled(after)))),
    _questions,
    _commands,
    _quotes,
    _letters,
    _names,
    _whole,
)
