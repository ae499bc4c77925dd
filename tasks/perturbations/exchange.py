"""Two words that changed places: the multisets stay, the meaning does not ("Tom has 5, Ann 3" -> "Tom has 3, Ann 5").

Undoing an exchange brings a text closer to its original, in what stands beside each word. A clause that moved as a whole comes closer by more than one pair
of words, so a rewording is refused where undoing one pair brings it closer and undoing a second one no closer still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tasks.perturbations.language import is_name, parse

EITHER_WAY = {"related to", "similar to", "equal to", "identical to", "married to", "different from"}
PARTICLES = {"on", "off", "in", "out", "up", "down"}
MARGIN = 2
MOST = 150
"""Words of the longest text that is looked at: pairs grow with the square."""


class Word(NamedTuple):
    """A word of a text: its kind decides with what it can have been exchanged."""

    text: str
    kind: str


def exchanged(before: str, after: str) -> str | None:
    """A reason where undoing the exchange of one pair of words brings `after` closer to `before`.

    Neighbours may change places: "the rectangle's area" is "the area of the rectangle", "Ann and Tom" is "Tom and Ann".
    """
    old, new = _words(before), _words(after)
    if max(len(old), len(new)) > MOST:
        return None
    target, known = Counter(_features(old)), set(old)
    base = _shared(target, new)
    better: dict[tuple[str, str], tuple[int, int, int]] = {}
    for left, right in combinations([at for at, word in enumerate(new) if word.kind and word in known], 2):
        one, other = new[left], new[right]
        near = right - left <= 2 and (one.kind == "word" or new[left + 1].text in {"and", "or"})
        near = near or " ".join(word.text for word in new[left + 1 : right] if word.text not in {"a", "an", "the"}) in EITHER_WAY
        if one.kind == other.kind and one != other and not near:
            gain = _shared(target, _exchanged(new, left, right)) - base
            pair = (min(one.text, other.text), max(one.text, other.text))
            if gain >= max(MARGIN, better.get(pair, (0,))[0]):
                better[pair] = (gain, left, right)
    if not better:
        return None
    (pair, (most, *places)), *rest = sorted(better.items(), key=lambda found: (-found[1][0], found[0]))
    moved = any(_shared(target, _exchanged(_exchanged(new, *places), *others)) - base > most for _, (_, *others) in rest)
    return None if moved else f"exchanged: {' and '.join(pair)}"


def _exchanged(words: Sequence[Word], left: int, right: int) -> list[Word]:
    return [*words[:left], words[right], *words[left + 1 : right], words[left], *words[right + 1 :]]


def roles_exchanged(before: str, after: str) -> str | None:
    """A reason where subject and object of a verb have changed places."""
    old, new = _roles(before), _roles(after)
    for verb, doer, thing in sorted(old):
        if (verb, thing, doer) in new - old and (verb, doer, thing) not in new:
            return f"exchanged: {doer} and {thing}, who {verb}"
    return None


def _roles(text: str) -> set[tuple[str, str, str]]:
    found = set()
    for verb in parse(text):
        doers = [c for c in verb.children if c.dep_ == "nsubj"] + [a for c in verb.children if c.dep_ == "agent" for a in c.children]
        things = [c for c in verb.children if c.dep_ in {"dobj", "dative", "nsubjpass"}]
        found |= {(verb.lemma_.lower(), d.lemma_.lower(), t.lemma_.lower()) for d in doers for t in things}
    return found


def _shared(target: Counter[tuple[str, ...]], words: Sequence[Word]) -> int:
    return sum((target & Counter(_features(words))).values())


def _features(words: Sequence[Word]) -> Iterator[tuple[str, ...]]:
    """What stands beside each word: pairs and triples inside clauses, and the names around each number inside sentences."""
    texts = [word.text for word in words]
    for size in (2, 3):
        yield from (part for part in zip(*(texts[at:] for at in range(size)), strict=False) if not {".", ","} & {*part})
    name = ""
    waiting: list[str] = []
    for word in words:
        if word.text == ".":
            name, waiting = "", []
        elif word.kind == "name":
            yield from ((number, "before", word.text) for number in waiting)
            name, waiting = word.text, []
        elif word.kind == "number":
            yield (name, "owns", word.text)
            waiting.append(word.text)


def _words(text: str) -> list[Word]:
    found: list[Word] = []
    for token in parse(text):
        if token.text in {".", "?", "!", ";", ","}:
            found.append(Word("," if token.text == "," else ".", ""))
        elif token.like_num or token.lower_ in {"half", "twice", "double", "triple"}:
            found.append(Word(token.lower_, "number"))
        elif token.is_alpha and is_name(token):
            joined = found and found[-1].kind == "name" and token.i and token.nbor(-1).is_alpha
            found[-1:] = [Word(f"{found[-1].text} {token.text}", "name")] if joined else [*found[-1:], Word(token.text, "name")]
        elif token.is_alpha:
            word = "each" if token.lower_ in {"every", "apiece", "per"} else token.lower_
            particle = word in PARTICLES and token.dep_ in {"prt", "advmod"}
            found.append(Word(word, "word" if token.pos_ in {"NOUN", "ADJ", "ADV"} and not token.is_stop else "particle" * particle))
    return found
