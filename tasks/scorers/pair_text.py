"""Text as text: a model's output that spells a tokenizer's control word must not become one."""

from __future__ import annotations

from collections.abc import Iterable

CONTROL_WORDS = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "<s>", "</s>", "<pad>", "<unk>", "<mask>", "<|endoftext|>")


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
