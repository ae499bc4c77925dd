"""The synonym tiers: what each may touch, in which order they are asked, and that every line of the word lists can be used."""

import random
import re

import pytest

from schemas.records import Item
from tasks.perturbations import PERTURBATIONS
from tasks.perturbations.guards import GUARDS, ITEM_GUARDS
from tasks.perturbations.synonym import lexicon, phrases


def made(text: str, **more) -> list[str]:
    item = Item("i", "own", "1", text, more.pop("answer_type", "number"), "1", **more)
    return [p for seed in range(4) for p in PERTURBATIONS["synonym"].propose(item, random.Random(seed))]


def test_every_condition_of_the_lexicon_is_known_and_no_line_stands_twice():
    for word, entries in lexicon().items():
        assert len(entries) == len(set(entries)), word
        for entry in entries:
            assert entry.tier in {1, 2, 3} and all(entry.substitutes), word
            assert all(guard.partition(":")[0] in GUARDS | ITEM_GUARDS for guard in entry.guards), word


def test_no_word_is_its_own_substitute_and_no_phrase_stands_twice():
    assert not [word for word, entries in lexicon().items() for e in entries if word[1] in e.substitutes]
    patterns = [(condition, rule.pattern) for tier in (1, 2, 3, 4) for condition, rule, _ in phrases(tier)]
    assert len(patterns) == len(set(patterns)) > 400


def test_two_safe_words_are_replaced_at_once_and_a_usual_one_only_alone():
    both = made("She bought a car. He has to leave. They usually walk. The rest is mine.")
    assert max(sum(new not in "She bought a car. He has to leave. They usually walk. The rest is mine." for new in re.findall(r"\w+", p)) for p in both) >= 2
    usual = made("The doctor saw a ship.")
    assert {p for p in usual if "physician" in p and "vessel" in p} == set() and any("physician" in p for p in usual) and any("vessel" in p for p in usual)


def test_what_is_usually_right_comes_after_what_is_safe():
    first = made("The doctor bought a ship.")[0]
    assert "purchased" in first and "physician" not in first and "vessel" not in first


def test_a_condition_on_the_item_holds_for_a_phrase_too():
    text = "A subgroup is normal if and only if it is a kernel."
    assert any("exactly when" in p for p in made(text, choices=("a", "b"), subject="abstract_algebra", answer_type="choice"))
    assert not any("exactly when" in p for p in made(text, choices=("a", "b"), subject="formal_logic", answer_type="choice"))


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("2 out of 5 seniors go on to attend a party.", "go on to go to"),
        ("The specification of particular virtues is hard.", "specific virtues"),
        ("There are three different objects that can be played.", "protests that"),
        ("The specific heat of water is high.", "particular heat"),
        ("The outer core of the earth is liquid.", "external"),
        ("How many degrees of freedom does it have?", "liberty"),
        ("He measured the capacity of a jar.", "ability"),
        ("They go to the movies every week.", "to the films"),
        ("Rich measures the strip.", "Wealthy"),
        ("Each rose has 8 thorns.", "went up"),
        ("At present, the studio has 10 students.", "At gift"),
        ("Big brother and little sister play.", "Large brother"),
        ("The law requires a permit.", "law needs"),
        ("Anna and Bob came. Each child has 2 shoes and both children like it.", "Every child"),
        ("How much does each pack cost?", "every pack"),
        ("She was only able to make 18.", "just able"),
        ("How much does he have to spend on gifts?", "need to spend"),
        ("How many customers left?", "customers remaining"),
        ("Heat comes from the Sun to Earth.", "stems from"),
        ("Let y = f(x) be a solution.", "Assume that y"),
        ("Its room is how much longer than it is wide?", "more time"),
        ("A car gets 24 miles per gallon.", "receives"),
        ("Does the group prefer tea over milk?", "like better"),
        ("Did the crash hurt the stocks?", "harmed"),
        ("We are the Vietnamese people.", "individuals"),
        ("Mary, mother of Jesus, prayed.", "mom of"),
    ],
)
def test_no_substitute_where_the_word_has_another_sense_or_is_part_of_a_term(text, never):
    found = made(text) + made(text, choices=("1", "2"), answer_type="choice") + made(text, answer_type="boolean")
    assert not [p for p in found if never in p]


def test_a_word_is_replaced_everywhere_or_nowhere():
    for text in made("The store sold 3 kites. The store then bought 2. The grocery store closed."):
        assert text.lower().count("shop") in {0}
    assert any(p.count("shop") == 2 for p in made("The store sold 3 kites. The store then bought 2."))


def test_a_verb_after_do_takes_its_base_form_whatever_the_tagger_says():
    assert not [p for p in made("Did the storm damage the stocks of companies?", answer_type="boolean") if re.search(r"Did \w+ storm \w+ed", p)]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("What share should candidate A need to win? The candidate A should receive it.", "candidate An"),
        ("She lost the same amount of weight that Joey lost.", "an equal amount"),
        ("If it is off, what should she set it at if her recipe calls for 5?", "assuming that her"),
        ("The sheep live in the barn.", "reside"),
        ("Would a club reject an applicant with multiple sclerosis?", "several"),
        ("Would a Durian be dangerous if it fell on your head?", "assuming"),
        ("She has 3 cookies.", "owns"),
        ("By the end of the year he only had 291 crayons left.", "owned"),
    ],
)
def test_no_substitute_that_the_sentence_around_it_forbids(text, never):
    found = made(text, answer_type="boolean") if text.startswith("Would") else made(text) + made(text, choices=("1", "2"), answer_type="choice")
    assert not [p for p in found if never in p]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Could George Washington's own speeches have been recorded?", "able to own"),
        ("Could JPMorgan Chase give every American $10?", "able to Chase"),
        ("Is August a winter month for part of the world?", "form part"),
        ("Is the best part of the film its music?", "form part"),
        ("Is milk good for a cold?", "suitable"),
        ("Did Wednesday have something to do with Thor?", "be connected"),
        ("Does he qualify for the Army Rangers?", "be eligible"),
        ("Was the horse abandoned in favor of the car?", "in support"),
        ("Can a single drink kill a man?", "able to drink"),
        ("Has yoga grown in popularity?", "cultivated"),
        ("Would a rich man buy a house rich in history?", "high in"),
        ("Should a patient consult a doctor?", "refer to a doctor"),
        ("Are essential oils made by bees?", "vital oils"),
        ("Can I eat a fish?", "Is I"),
        ("As of 2020 have more women succeeded John Key than preceded him?", "came before"),
        ("Can you see your nose?", "a person"),
        ("Is Christmas tree fur dissimilar to hair?", "different to"),
    ],
)
def test_an_everyday_word_stays_where_its_neighbours_give_it_another_sense_or_form(text, never):
    assert not [p for p in made(text, answer_type="boolean") if never in p]


def test_an_everyday_word_is_offered_last_and_only_to_the_items_it_was_read_on():
    text = "Can a dolphin keep a diary about a doctor?"
    found = made(text, answer_type="boolean")
    assert "physician" in found[0] and any("journal" in p for p in found) and "able to keep" in found[-1]
    assert not [p for p in made("Can a dolphin keep a pen?") if "able to" in p]
