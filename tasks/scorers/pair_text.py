"""Text as text: a model's output that spells a tokenizer's control word must not become one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

CONTROL_WORDS = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "<s>", "</s>", "<pad>", "<unk>", "<mask>", "<|endoftext|>")

NEAR = 4000
"""Characters up to which texts are given to the tokenizer as they are."""
REST_OF_WORD = re.compile(r"\S{0,200}")


def plain(text: str, words: Iterable[str] = CONTROL_WORDS) -> str:
    """`text` with every control word broken by a space after its first character ('[SEP]' -> '[ SEP]').

    Some vocabularies hold the words as ordinary pieces, so switching off the tokenizer's recognition is not enough.
    """
    text = readable(text)
    for word in words:
        if len(word) > 1 and word in text:
            text = text.replace(word, f"{word[0]} {word[1:]}")
    return text


def readable(text: str) -> str:
    """`text` without lone surrogates, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def front(pair: tuple[str, str], offsets: Callable[[str], Sequence[tuple[int, int]]], window: int) -> tuple[str, str]:
    """What a window of `window` tokens can show of `pair`: the first tokens of each, to the end of a word. `offsets` gives where a text's tokens lie.

    Cutting a pair of long texts, the tokenizers library keeps every combination of what it cut off: 50,000 tokens twice took 14 GB.
    The longer text stays the longer: of an odd window it is given one token more.
    """
    if max(map(len, pair)) <= NEAR:
        return pair
    lie = [offsets(text) for text in pair]
    first = len(lie[0]) > len(lie[1])
    a, b = (_until(text, where, window * (1 + longer)) for text, where, longer in zip(pair, lie, (first, not first), strict=True))
    return a, b


def _until(text: str, offsets: Sequence[tuple[int, int]], tokens: int) -> str:
    if len(offsets) <= tokens:
        return text
    rest = REST_OF_WORD.match(text, offsets[tokens - 1][1])
    return text[: rest.end()] if rest else text
