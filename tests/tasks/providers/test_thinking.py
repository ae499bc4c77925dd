"""Thinking out of plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.providers.thinking import Parted, part

TAGS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))


@pytest.mark.parametrize(
    ("content", "text", "thinking", "unclosed"),
    [
        ("plain <b>answer</b>", "plain <b>answer</b>", None, False),
        ("<think>a</think>\n\nb", "b", "a", False),
        ("a</think>b", "b", "a", False),
        ("a</think>b</think>c", "b</think>c", "a", False),
        ("x<think>a</think>b<think>c</think>d", "xbd", "a\nc", False),
        ("<think>a", "", "a", True),
        ("b<think>a", "b", "a", True),
        ("<think></think>b", "b", "", False),
        ("[THINK]a</think>b[/THINK]c", "c", "a</think>b", False),
        ("<think>a<think>b</think>c", "c", "a<think>b", False),
        ("", "", None, False),
    ],
)
def test_tag_pairs(content: str, text: str, thinking: str | None, unclosed: bool) -> None:
    assert part(content, TAGS) == Parted(text, thinking, unclosed)


def test_structured_thinking_and_tags_are_both_kept() -> None:
    assert part("<think>b</think>c", TAGS, "a") == Parted("c", "a\nb", False)


def test_without_tags_nothing_is_cut() -> None:
    assert part("<think>a</think>", ()) == Parted("<think>a</think>", None, False)


def test_hostile_text_of_100_kb_takes_one_pass() -> None:
    assert part("<think>" * 15_000, TAGS).unclosed
    assert part("</think>" * 15_000, TAGS).text.count("</think>") == 14_999


@given(st.lists(st.sampled_from(["<think>", "</think>", "a", " ", "\n", "<", "[THINK]"]), max_size=40).map("".join))
def test_no_word_is_invented_and_none_is_lost(content: str) -> None:
    got = part(content, TAGS)
    assert (got.text + (got.thinking or "")).count("a") == content.count("a")
