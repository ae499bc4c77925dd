"""Text on its way to a terminal: escaped where it would be obeyed, readable everywhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.printable import json_shown, one_line, printable

HOSTILE = ["\x1b[2J", "\x9b31m", "\x07", "\x00", "\x7f", "\r", "\t", "\u202e", "\u200b", "\u2028", "\ud800", "\ue000"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_terminal_obeys_or_hides_is_escaped(text):
    for shown in (printable(f"a{text}b"), one_line(f"a{text}b"), json_shown([f"a{text}b"])):
        assert shown.isprintable() and text not in shown
        assert shown.encode() and shown.startswith(("a\\", '["a\\'))


@pytest.mark.parametrize("text", ["plain", "Café, 答案, ४२, 🙂", "two\nlines"])
def test_what_a_reader_can_read_stays(text):
    assert printable(text) == text


def test_a_response_is_shown_on_one_line_and_cut():
    shown = one_line("a\nb\x1b[31mred\x07\u202etxet \ud800" + "x" * 200)
    assert shown.startswith("a\\nb\\x1b[31mred\\x07\\u202etxet \\ud800xxx")
    assert len(shown) == 100 and shown.endswith("...") and shown.isprintable()


@given(st.text(st.characters(codec=None), max_size=40))
def test_json_reads_back_as_it_was_and_prints(text):
    shown = json_shown({"text": text})
    assert json.loads(shown) == json.loads(json.dumps({"text": text}))
    assert shown.isprintable()
