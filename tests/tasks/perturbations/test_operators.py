"""The operators on the kinds of question they know, and on the traps of each kind."""

import random
import re

import pytest

from schemas.errors import UnknownName
from schemas.records import OPERATORS, Item
from tasks.perturbations import PERTURBATIONS, reword_all
from tasks.perturbations.language import article, sentences
from tasks.perturbations.syntax import question


def story(text: str, **more) -> Item:
    return Item("i", "own", "1", text, more.pop("answer_type", "number"), "1", **more)


def proposals(operator: str, text: str, **more) -> list[str]:
    return list(PERTURBATIONS[operator].propose(story(text, **more), random.Random(1)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many apples does Tim have?", "What is the number of apples that Tim has?"),
        ("If he sold 5, how many apples did Tim buy?", "If he sold 5, what is the number of apples that Tim bought?"),
        ("How much does the bag cost?", "What does the bag cost?"),
        ("How many trees does he have left?", "What is the number of trees that he has left?"),
        ("How tall is the fourth child, in inches?", "What is the height of the fourth child, in inches?"),
    ],
)
def test_paraphrase_of_a_story_question_turns_the_construction(text, expected):
    assert expected in proposals("paraphrase", text)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Did Bill Nye vote for Franklin Delano Roosevelt?", "Bill Nye voted for Franklin Delano Roosevelt"),
        ("Are emus related to elks?", "emus are related to elks"),
        (
            "Would an explosion at a gunpowder storage facility result in a supersonic shock wave?",
            "an explosion at a gunpowder storage facility would result in a supersonic shock wave",
        ),
        ("Does Family Guy take place on the American West Coast?", "Family Guy takes place on the American West Coast"),
        ("For bone growth, is kale more beneficial than spinach?", "kale is more beneficial than spinach"),
    ],
)
def test_a_yes_no_question_becomes_its_statement(text, statement):
    parts = question(sentences(text)[0])
    assert parts is not None and parts.statement == statement
    assert any(f"is it true that {statement}?" in p or f"Is it true that {statement}?" in p for p in proposals("paraphrase", text, answer_type="boolean"))


def test_paraphrase_is_never_an_instruction_before_an_unchanged_question():
    for text in ("How many people accept the position?", "How many students are leaving early?", "Who took the last cookie?"):
        assert not [p for p in proposals("paraphrase", text) if text.lower()[:-1] in p.lower()]


def test_a_condition_moves_and_takes_no_pronoun_before_its_name():
    assert "How old is Geb if Haley is 26?" in proposals("reorder", "If Haley is 26, how old is Geb?")
    assert not [p for p in proposals("reorder", "If Sid drove 9 miles, how far did he drive in all?") if p.startswith("How far did he")]


@pytest.mark.parametrize(
    "text",
    [
        "He has the difference between 3 apples and 2 pears.",
        "The ratio of the boys and the girls is 3.",
        "Ann and Bob have 3 and 4 respectively.",
        "He has 5 apples and twice as many pears.",
    ],
)
def test_conjuncts_whose_order_counts_do_not_swap(text):
    kept = re.findall(r"boys|girls|apples|pears|Ann|Bob", text)
    assert all(re.findall(r"boys|girls|apples|pears|Ann|Bob", p) == kept for p in proposals("reorder", text))


def test_independent_conjuncts_swap():
    assert "She bought 2 pears and 3 apples." in proposals("reorder", "She bought 3 apples and 2 pears.")


def test_listed_steps_keep_their_order():
    text = "Kim writes steps. Step 1: 13 + 4 = 17. Step 2: 17 * 5 = 85. Which step has a mistake?"
    assert not [p for p in proposals("reorder", text) if p.index("Step 2") < p.index("Step 1")]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("The used car costs $5. How many cars are there?", "employed car"),
        ("He gives away 9 of the apples. How many?", "provides away"),
        ("Let V be a real vector space.", "actual"),
        ("The score is normally distributed.", "usually distributed"),
        ("How many meters is that in total?", "in in total"),
        ("It costs $20 per hour.", "a hour"),
    ],
)
def test_no_synonym_out_of_context(text, never):
    for choices in ((), ("1", "2")):
        assert not [p for p in proposals("synonym", text, choices=choices) if never in p]


def test_synonym_inflects_and_mends_the_article():
    made = " ".join(proposals("synonym", "She bought an additional large box and he buys an automobile."))
    assert "purchased" in made and "an extra" in made and "a car" in made
    assert [article(word) for word in ("hour", "unit", "egg", "one", "European", "box")] == ["an", "a", "an", "a", "a", "a"]


def test_a_word_an_option_uses_is_not_replaced():
    assert not [p for p in proposals("synonym", "The company wants to buy a car.", choices=("company", "firm"), answer_type="choice") if "The firm" in p]


def test_quotations_names_and_formulas_are_never_touched():
    text = 'The "Big Company" buys f(x) = x^2 cars. Does Big Company buy each car?'
    for rewording in reword_all(story(text), OPERATORS, 42):
        if rewording.question is not None:
            assert (
                '"Big Company"' in rewording.question
                and "f(x) = x^2" in rewording.question
                and "Does Big" in rewording.question.replace("that Big", "Does Big")
            )


def test_the_same_seed_gives_the_same_texts_and_another_seed_other_ones():
    item = story("Tim wants to buy 3 large boxes and 2 small bags each day. He also needs 4 cups. If he has $20, how many boxes can Tim buy in total?")
    assert reword_all(item, OPERATORS, 42) == reword_all(item, OPERATORS, 42)
    assert len({tuple(r.question for r in reword_all(item, OPERATORS, seed)) for seed in range(6)}) > 1


def test_the_three_rewordings_of_an_item_differ():
    texts = [r.question for r in reword_all(story("Ann has 3 pears and 2 plums. How many pieces of fruit does Ann have?"), OPERATORS, 42)]
    assert None not in texts and len(set(texts)) == 3


def test_the_users_own_text_replaces_the_operators_and_passes_the_same_gate():
    text = "Tim has 3 apples. How many apples does Tim have?"
    good, bad = "If Tim has 3 apples, how many apples does Tim have?", "How many apples does Tim have?"
    first, second = reword_all(story(text, perturbations=(("synonym", good), ("paraphrase", bad))), ("synonym", "paraphrase"), 42)
    assert (first.status, first.question, first.version) == ("applied", good, "user")
    assert second.status == "rejected" and second.question is None and str(second.reason).startswith("numbers: lost 3")


def test_an_operator_of_the_users_own_name_is_taken_and_an_unknown_one_is_not():
    item = story("Tim has 3 apples. How many?", perturbations=(("dialect", "Tim's got 3 apples, how many?"),))
    assert reword_all(item, ("dialect",), 42)[0].status == "applied"
    with pytest.raises(UnknownName, match="synonym"):
        reword_all(item, ("synonim",), 42)


def test_what_no_rule_fits_is_unavailable_with_its_reason_and_no_text():
    for rewording in reword_all(story("8 + 8 ÷ 2 + 2 ="), OPERATORS, 42):
        assert (rewording.status, rewording.question) == ("unavailable", None) and rewording.reason


@pytest.mark.parametrize("text", ["", " ", "?", "\n\n", "$" * 999, "(" * 999, "A" * 3_000, "How many " * 300, "Is " * 9_000, "\x1b[31m\x00 how many?"])
def test_strange_questions_end_in_a_verdict(text):
    for choices in ((), ("a", "b")):
        assert all(r.status in {"applied", "rejected", "unavailable"} for r in reword_all(story(text, choices=choices), OPERATORS, 42))


def test_surface_operators_are_registered_and_gated():
    item = story("Tim does not have 3 apples, because Anna has taken them. How many apples are there?")
    for name in ("contractions", "typos", "lower_case", "extra_spaces"):
        assert name in PERTURBATIONS
    assert "doesn't" in str(reword_all(item, ("contractions",), 42)[0].question)
    typo = reword_all(item, ("typos",), 42)[0]
    assert typo.status == "applied" and "Tim" in str(typo.question) and "3" in str(typo.question) and "not" in str(typo.question)


def test_a_clause_that_names_the_one_person_moves_with_name_and_pronoun_exchanged_and_never_with_two_people():
    assert "How much should Ben ask if he wants $9?" in proposals("reorder", "If Ben wants $9, how much should he ask?")
    assert not [p for p in proposals("reorder", "If Ben pays Tom $9, how much should he ask?") if p.startswith("How much should")]


def test_labels_of_statements_move_only_where_each_is_one_sentence():
    pair = "Statement 1 | Every cycle is a permutation. Statement 2 | Every permutation is a cycle."
    made = "Every cycle is a permutation (Statement 1). Every permutation is a cycle (Statement 2)."
    assert made in proposals("reorder", pair, choices=("True, True", "True, False"), answer_type="choice")
    longer = "Statement 1 | Let f be odd. It is zero at 0. Statement 2 | Every permutation is a cycle."
    assert not [p for p in proposals("reorder", longer, choices=("a", "b"), answer_type="choice") if "(Statement 1)" in p]


@pytest.mark.parametrize("text", ["How many chocolate cookies have they made?", "How many boxes contain pens?"])
def test_no_group_is_named_before_the_question_where_the_text_has_not_limited_it(text):
    assert not [p for p in proposals("reorder", text) if p.startswith("Of ")]
