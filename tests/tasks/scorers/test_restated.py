"""A yes/no question answered by repeating it as a statement: read the same way for both answers, and only where it is the question's own words."""

import pytest

from tasks.scorers.answers import extract

GREED = "Is greed the most prevalent of the Seven Deadly Sins?"
TALL = "Ann is 9. Ben is 7. Is Ann older than Ben?"


def polarity(response, question, **more):
    found = extract(response, answer_type="boolean", gold="yes", question=question, **more)
    return {"yes": True, "no": False, None: None}[found.value]


@pytest.mark.parametrize(
    ("question", "response", "answer"),
    [
        (GREED, "Greed is considered the most prevalent of the Seven Deadly Sins.", True),
        (GREED, "Greed is not the most prevalent of the Seven Deadly Sins.", False),
        (GREED, "Greed isn't the most prevalent of the seven deadly sins. Pride is.", False),
        (TALL, "Ann is older than Ben.", True),
        (TALL, "Ann is not older than Ben.", False),
        ("Did Beethoven enjoy listening to EDM?", "Beethoven, a composer, would not likely enjoy listening to dance music like EDM.", False),
        ("Can amoebas get cancer?", "Amoebas can get cancer.", True),
    ],
)
def test_a_statement_of_the_question_is_yes_and_its_denial_no(question, response, answer):
    assert polarity(response, question) is answer
    assert polarity(response, "") is None


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (TALL, "Ben is older than Ann."),  # same words, other order
        (TALL, "Ann is taller than Ben."),  # other words
        (TALL, "Is Ann older than Ben."),  # an echo
        (TALL, "Whether Ann is older than Ben is unclear."),
        (TALL, "Some believe Ann is older than Ben."),
        (TALL, "Ann is older than Ben. So Ann is not older than Ben."),  # takes itself back
        (TALL, "It is not true that Ann is never older than Ben, nor is it false."),
        ("Is Miami a city on the West Coast?", "Miami, a city on the West Coast."),  # no verb: a label, no statement
        ("Which of the two is older, Ann or Ben?", "Ann is older, Ben is younger."),  # no yes/no question
        ("Isn't Ann older than Ben?", "Ann is older than Ben."),
    ],
)
def test_anything_else_is_no_answer(question, response):
    assert extract(response, answer_type="boolean", gold="yes", question=question).strategy != "restated_question"


def test_a_word_of_the_answer_counts_before_the_statement_and_a_cut_response_has_none():
    assert polarity("No. Ann is older than Ben in that story.", TALL) is False
    assert polarity("Ann is older than Ben.", TALL, finish_reason="length") is None


@pytest.mark.parametrize("piece", ["is ", "Ann is older than Ben. ", "not ", "older "])
def test_long_statements_and_questions_end(piece):
    found = extract(piece * (100_000 // len(piece)), answer_type="boolean", gold="yes", question=f"Is {piece * 2000}?")
    assert found.status == "unparsed"
