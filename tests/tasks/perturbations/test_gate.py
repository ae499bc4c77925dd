"""The rule gate: each thing a rewording must keep, lost once."""

import pytest

from schemas.records import Item
from tasks.perturbations.gate import verdict

STORY = Item(
    "i", "gsm8k", "1", 'Tim has twenty-five apples and $3.50. He does not eat 1/2 of them, he says "five apples a day". How many are left?', "number", "5"
)
EXAM = Item("j", "mmlu", "1", "Let $x^2 = 4$. Find the value of f(x) for p.", "choice", "A", choices=("1", "2"))


def changed(item: Item, old: str, new: str) -> str | None:
    assert old in item.question
    return verdict(item, item.question.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("twenty-five", "twenty-four", "numbers"),
        ("$3.50", "$3.5", "numbers"),
        ("1/2", "half", "numbers"),
        ("twenty-five", "25", "numbers"),
        ("does not eat", "eats", "negations"),
        ("left?", "left.", "question marks"),
        ("$3.50", "€3.50", "symbols"),
        ('"five apples a day"', '"five apples every day"', "untouchable text"),
        ("Tim", "Tom", "names"),
    ],
)
def test_what_is_lost_is_named(old, new, kind):
    assert str(changed(STORY, old, new)).startswith(kind)


@pytest.mark.parametrize(
    ("old", "new", "kind"), [("Find the", "The", "commands"), ("f(x)", "f(y)", "untouchable text"), ("for p", "for q", "variables"), ("x^2", "x2", "symbols")]
)
def test_formulas_variables_and_commands_are_untouchable(old, new, kind):
    assert str(changed(EXAM, old, new)).startswith(kind)


def test_the_reason_says_what_was_lost_and_gained():
    assert changed(STORY, "twenty-five", "twenty-six") == "numbers: lost five; gained six"


@pytest.mark.parametrize(
    "text", [STORY.question.replace("How many", "how MANY"), STORY.question.replace(". ", ".   "), STORY.question.replace(" and ", "\n and ")]
)
def test_case_and_spacing_alone_are_no_rewording(text):
    assert str(verdict(STORY, text)).startswith("unchanged")


def test_a_text_another_operator_made_is_a_duplicate_in_any_case_and_spacing():
    text = STORY.question.replace("eat", "consume")
    assert verdict(STORY, text) is None
    assert str(verdict(STORY, text, taken=[text.upper() + " "])).startswith("duplicate")


def test_an_altered_or_reordered_option_is_refused():
    text = EXAM.question.replace("Find", "Determine")
    assert verdict(EXAM, text, ("1", "2")) is None
    assert str(verdict(EXAM, text, ("2", "1"))).startswith("options")


def test_contracted_negation_is_the_same_negation():
    assert changed(STORY, "does not", "doesn't") is None


def test_a_name_may_stand_for_its_pronoun_but_no_new_name_may_appear():
    assert changed(STORY, "He does", "Tim does") is None
    assert str(changed(STORY, "He does", "He, like Anna, does")).startswith("names: gained Anna")


def test_hostile_text_of_100_kb_is_judged_in_bounded_time():
    item = Item("k", "x", "1", '"$' * 10_000 + "'“" * 10_000 + "\\(" * 20_000 + " 1?", "number", "1")
    assert verdict(item, item.question + " a") is None


def test_a_rewording_padded_to_many_times_its_question_is_refused() -> None:
    assert str(verdict(STORY, STORY.question + " and so" * 400)).startswith("text: more than twice")
