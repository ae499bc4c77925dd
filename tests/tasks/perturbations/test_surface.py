"""The surface family: what looks different and what may not."""

from __future__ import annotations

import pytest

from schemas.records import Item
from tasks.perturbations import reword_all
from tasks.perturbations.language import is_word
from tasks.perturbations.relations import bearing


def reworded(operator: str, question: str, seed: int = 42) -> str | None:
    return reword_all(Item("i", "x", "1", question, "text", "x"), (operator,), seed)[0].question


@pytest.mark.parametrize("seed", range(12))
def test_a_typing_error_hits_no_unit_no_operation_and_makes_no_other_word(seed: int) -> None:
    question = "Tom trains twice in every three hours, always before lunch, at least seven times a month: what field of five square miles is greater?"
    made = str(reworded("typos", question, seed))
    changed = [(old, new) for old, new in zip(question.split(), made.split(), strict=True) if old != new]
    assert changed
    for old, new in changed:
        assert old.strip(",;?") in {"trains", "lunch", "field"}
        assert not is_word(new.strip(",;?"))


def test_units_measures_and_words_with_an_opposite_bear_the_sense() -> None:
    assert {"hours", "dimes", "perimeter", "before", "times", "percentage"} <= bearing()


@pytest.mark.parametrize(
    "question",
    [
        "A balloon tied to it is dropped into a lake. Where does it go?",
        "How old he is now depends on Ann. How old is Ann?",
        "Tom is as big as they are in May. How big?",
        "Why didn't he sell 3 of them?",
        "He knows where they are. Which town?",
    ],
)
def test_a_verb_at_the_end_of_its_clause_is_not_contracted_and_an_inverted_one_not_spelled_out(question: str) -> None:
    assert reworded("contractions", question) is None


@pytest.mark.parametrize("operator", ["lower_case", "extra_spaces"])
def test_the_label_of_a_statement_is_no_word(operator: str) -> None:
    question = "Statement 1 | Every ideal in a ring is a subring of the ring. Statement 2 | The ring is a field."
    made = str(reworded(operator, question))
    assert "Statement 1 |" in made and "Statement 2 |" in made and made != question
