"""Ways of saying an answer that hold for any value put into them: remarks, other people's answers, verdict lists."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.scorers.answers import extract

MANY = settings(deadline=None, max_examples=150)
CHOICES = ("iron", "copper", "zinc", "lead")

NUMBER_FRAMES = [
    "She has {} pens (that is {other} boxes).", "=> {}", "Answer: <{}>", "Answer:\n$$\n{}\n$$", "She has {} pens left after giving away {other}.",
    "The answer is {}, but some students answer {other}.", "Wrong answer: {other}. Correct answer: {}.", "She ends up with {} pens.",
    "Each pays ${}, compared with ${other} before.", "Each pays ${} out of the ${other}.", "They pay ${} since each of the {other} pays.",
    "Many people think the answer is {other}, but the answer is {}.", "He needs {} more pens to reach {other}.",
]  # fmt: skip
CHOICE_FRAMES = [
    "The correct answer is {}. Explanation: A and B and C are metals, too.", "I lean towards {}.", "I change my answer to {}.", "{} only", "just {}",
    "Every option except {} is wrong.", "{} (I think)", "I'll take {}.", "My top choice is {}.", "选{}", "La opción correcta es la {}.", "正解は{}です。",
    "This points to {}.", "It comes down to {}.", "{} remains.", "{} wins.", "{} it is.", "Everything fits -> {}",
]  # fmt: skip
BOOLEAN_FRAMES = {
    "{}": True, "I guess {}.": True, "Yes or no: {}": True, "Oh, {}.": True, "My verdict is {}": True, "Obviously {}.": True, "{} {}": True,
    "Yes and no.": False, "It depends: some {}, some not.": False, "There is no way to know.": False,
}  # fmt: skip


@MANY
@given(st.integers(2, 9000), st.integers(2, 9000), st.sampled_from(NUMBER_FRAMES))
def test_a_number_beside_the_answer_is_not_the_answer(value, other, frame):
    response = frame.format(value, other=other)
    assert extract(response, answer_type="number", gold=str(value)).correct, response
    assert value == other or not extract(response, answer_type="number", gold=str(other)).correct, response


@MANY
@given(st.sampled_from("ABCD"), st.sampled_from(CHOICE_FRAMES))
def test_any_letter_in_a_frame_is_that_letter(letter, frame):
    found = extract(frame.format(letter), answer_type="choice", gold=letter, choices=CHOICES)
    assert (found.correct, found.value) == (True, letter), frame


@pytest.mark.parametrize("marks", [("✅", "❌"), ("✓", "✗"), ("correct", "incorrect"), ("yes", "no")])
@pytest.mark.parametrize("line", ["{letter}. {text}: {mark}", "- ({letter}) {text} – {mark}", "| {letter} | {mark} |", "{text}: {mark}"])
@pytest.mark.parametrize("right", range(4))
def test_the_one_option_that_a_list_of_verdicts_finds_right_is_the_answer(line, marks, right):
    lines = [line.format(letter="ABCD"[n], text=text, mark=marks[0 if n == right else 1]) for n, text in enumerate(CHOICES)]
    found = extract("\n".join(lines), answer_type="choice", gold="ABCD"[right], choices=CHOICES)
    assert found.correct, lines


@pytest.mark.parametrize(("frame", "answers"), BOOLEAN_FRAMES.items())
@pytest.mark.parametrize("word", ["yes", "no"])
def test_yes_and_no_at_the_end_of_a_clause_answer_and_hedges_do_not(frame, answers, word):
    found = extract(frame.format(word, word), answer_type="boolean", gold=word)
    assert (found.status == "scored", found.correct) == (answers, answers), frame


@pytest.mark.parametrize("word", ["sí", "oui", "ja", "да", "是的", "はい", "네"])
def test_a_foreign_yes_is_one_only_where_it_stands_alone(word):
    assert extract(f"{word}.", answer_type="boolean", gold="yes").correct
    assert extract(f"Whales {word} whales", answer_type="boolean", gold="yes").status == "unparsed"
