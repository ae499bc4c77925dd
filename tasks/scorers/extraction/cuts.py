"""What is not the response: thinking blocks, and what a model that runs on writes after its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

THINKING_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<unused94>thought", "<unused95>"),
)
"""Tag pairs known from public models; a model file's own pairs come on top. Any closing tag closes any block."""

_RUN_ON = re.compile(
    r"^[ \t\-]*(?:(?:(?:new|next|another)[ \t]+)?(?:question|problem|exercise)[ \t]*[#\d]{0,4}[ \t]*:|(?:Q|Human|User|Instruct|Student"
    r"|Instruction|### Instruction)[ \t]*\d{0,3}[ \t]*:|(?:question|problem|exercise)[ \t]*\d{0,3}[ \t]*$)"
    r"|(?<=[.!?\d\]})])[ \t]+Question[ \t]*\d{0,3}:",
    re.IGNORECASE | re.MULTILINE,
)
_END_TOKEN = re.compile(
    r"<\|(?:im_end|im_start|endoftext|eot_id|end_of_text|end|user|eom_id|return)\|>|</s>|<end_of_turn>|\[/?INST\]|<\|end▁of▁sentence\|>|<｜end▁of▁sentence｜>"
)
_MAX_RUN_ONS = 4
HEAD, TAIL = 8_000, 16_000
"""Characters read of a longer response: answers stand at its ends."""


@dataclass(frozen=True)
class Visible:
    """The response outside thinking blocks."""

    text: str
    had_thinking: bool
    unclosed: bool
    """A block was opened and never closed: what follows the tag is not an answer."""


def without_thinking(text: str, tags: Sequence[tuple[str, str]]) -> Visible:
    """Cut thinking blocks. A lone closing tag (the opening one sat in the prompt) cuts everything before it."""
    pattern, closing = _tag_pattern(tuple(tags))
    kept: list[str] = []
    position, inside, seen = 0, False, False
    for match in pattern.finditer(text):
        closes = match[0].casefold() in closing
        if closes and not inside:
            kept.clear()
        elif not closes and not inside:
            kept.append(text[position : match.start()])
        inside, seen, position = not closes, True, match.end()
    if not inside:
        kept.append(text[position:])
    return Visible(end_token_cut("\n".join(kept)), seen, inside)


def end_token_cut(text: str) -> str:
    """The first stretch between end-of-turn tokens that holds anything visible."""
    return next((piece for piece in _END_TOKEN.split(text) if piece.strip()), "")


def both_ends(text: str) -> str:
    """`text`, without its middle where it is longer than HEAD + TAIL characters: keeps reading time bounded."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"


def run_ons(text: str) -> list[int]:
    """Where a new question seems to begin, first few only; whether something was answered before is the caller's to see."""
    starts: list[int] = []
    for match in _RUN_ON.finditer(text):
        if match.start() > 0:
            starts.append(match.start())
        if len(starts) == _MAX_RUN_ONS:
            break
    return starts


@lru_cache(maxsize=64)
def _tag_pattern(tags: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], frozenset[str]]:
    pairs = dict.fromkeys((*tags, *THINKING_TAGS))
    words = sorted({tag for pair in pairs for tag in pair}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)), re.IGNORECASE), frozenset(closing.casefold() for _, closing in pairs)
