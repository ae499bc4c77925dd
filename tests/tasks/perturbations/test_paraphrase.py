"""Paraphrases of questions: the construction turns, and the trap of each turn."""

import random

import pytest

from schemas.records import Item
from tasks.perturbations import PERTURBATIONS


def made(text: str, **more) -> list[str]:
    item = Item("i", "own", "1", text, more.pop("answer_type", "number"), "1", **more)
    return list(PERTURBATIONS["paraphrase"].propose(item, random.Random(1)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many more plums than pears did he buy?", "By how much does the number of plums that he bought exceed the number of pears?"),
        (
            "How many more bottles of regular soda than diet soda did they have?",
            "By how much does the number of bottles of regular soda that they had exceed the number of bottles of diet soda?",
        ),
        (
            "How many more red peaches than green peaches are in the basket?",
            "By how much does the number of red peaches in the basket exceed the number of green peaches?",
        ),
        ("How many more push-ups did Zachary do than David?", "Zachary did how many more push-ups than David?"),
        ("Did Mozart ever buy anything?", "Is it true that Mozart at some time bought something?"),
        ("What is the total area, in square feet, of the house?", "How many square feet is the total area of the house?"),
        ("How many toys in total does James need?", "What is the total number of toys that James needs?"),
        ("How many seconds total will it take her?", "What is the total number of seconds that it will take her?"),
        ("How much farther did the bus go than the car?", "The bus went how much farther than the car?"),
        (
            "How many more storks than birds are sitting on the fence?",
            "By how much does the number of storks that are sitting on the fence exceed the number of birds?",
        ),
        ("What is his net profit if he sells 20 candles?", "What does his net profit come to if he sells 20 candles?"),
        ("What is the probability that both tickets are winners?", "How likely is it that both tickets are winners?"),
        ("What is the difference between the ages of Ann and Bob?", "By how much do the ages of Ann and Bob differ?"),
        ("What is the minimum number of points she must score to pass?", "At least how many points must she score to pass?"),
    ],
)
def test_a_question_gets_another_construction(text, expected):
    assert expected in made(text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("How many more cups of flour does she need to add?", "how many more cups of flour to add"),
        ("How many more kids did she play with on Monday than on Tuesday?", "kids with on"),
        ("How many were in that pile when Jennie began?", "hat number were"),
        ("What is the average size of shoe worn by the two?", "equal"),
        ("What is the probability that the two numbers sum to 4?", "equal"),
        ("Is Microbes briefer than any haiku?", "than some"),
        ("How many weeks will a 42 kg bag of rice last?", "kg will bag"),
        ("What's the chance of rain?", "hat is the chance of rain"),
        ("Was the British car, the Mini, the first car manufactured?", "the first car was"),
        ("How many seconds total will it take her?", "seconds total that"),
        ("Which ratio CANNOT form a proportion with 8 over 18?", "CANNOT that"),
        ("At 6 mph, approximately how many hours does it take?", "approximately what is"),
        ("What percentage more are they making per day now?", "percentage more that"),
        ("How many degrees lower than the start was it?", "hat number of degrees lower"),
        ("How many more calories than the recommended amount did she eat?", "number of the recommended"),
        ("What is the difference between the number of cupcakes they made?", "differ?"),
    ],
)
def test_no_turn_where_it_reads_wrong(text, never):
    assert not [p for p in made(text) if never in p]


def test_numbered_statements_are_not_called_options():
    text = "Which of the following will increase the power? I. Size. II. Level."
    numbered = made(text, choices=("I only", "I and II"), answer_type="choice")
    assert numbered and not [p for p in numbered if "option" in p]
    assert any("option" in p for p in made("Which of the following will increase the power?", choices=("size", "level"), answer_type="choice"))


def test_a_theory_holds_no_view():
    assert not [p for p in made("According to Baier’s theory, rules bind:", choices=("a", "b"), answer_type="choice") if "view of Baier’s" in p]
