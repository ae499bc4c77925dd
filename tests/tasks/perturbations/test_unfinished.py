"""Stems that an option completes: another construction that still ends where the option joins, and no empty opening."""

import random

import pytest

from schemas.records import Item
from tasks.perturbations import PERTURBATIONS
from tasks.perturbations.unfinished import OPTIONS, rules

WORDS = ("mass", "energy", "light", "sound")
GERUNDS = ("arguing that it is true", "attacking the arguer", "taking a part for the whole", "assuming one cause")
NUMBERS = ("0.1 s", "1 s", "10 s", "12.5 s")


def made(text: str, choices: tuple[str, ...] = WORDS) -> list[str]:
    item = Item("i", "own", "1", text, "choice", "A", choices=choices)
    return list(PERTURBATIONS["paraphrase"].propose(item, random.Random(1)))


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("According to Hume, morality is ultimately based on:", "Hume holds that morality is ultimately based on:"),
        ("In his trial speech, Socrates claims that virtue is", "Socrates claims in his trial speech that virtue is"),
        ("Anscombe criticizes Sidgwick on the grounds that:", "Anscombe's criticism of Sidgwick is that:"),
        ("Hobbes defines injustice as:", "In Hobbes's definition, injustice is:"),
        ("By “animal motion,” Hobbes means:", "What Hobbes means by “animal motion,” is:"),
        ("Anecdotal evidence is a specific kind of", "Specifically, anecdotal evidence is a kind of"),
        ("The speed of sound in air depends on", "The speed of sound in air is dependent on"),
        ("Polarization is a property of", "Polarization characterizes"),
        ("A capacitor can store", "It is possible for a capacitor to store"),
        ("A barometer that uses water instead of mercury will be", "If a barometer uses water instead of mercury, it will be"),
        ("Forms do not exist in the sensible world because", "The reason why forms do not exist in the sensible world is that"),
        ("Arguing that a lack of evidence proves something is the fallacy of", "To argue that a lack of evidence proves something is to commit the fallacy of"),
        ("When you squeeze a balloon, you increase its", "If you squeeze a balloon, you increase its"),
        ("Compared with a fundamental tone, the second harmonic is", "When compared with a fundamental tone, the second harmonic is"),
        ("Moral theories are _____.", "Moral theories are best described as _____."),
    ],
)
def test_a_stem_gets_another_construction_and_ends_where_the_option_joins(stem, expected):
    assert expected in made(stem)


def test_what_the_options_are_decides_what_may_lead_up_to_them():
    assert "Someone commits the fallacy of composition by" in made("The fallacy of composition is", GERUNDS)
    assert not [m for m in made("The fallacy of composition is") if m.startswith("Someone")]
    assert "A 10-Hz wave has a period of" in made("The period of a 10-Hz wave is", NUMBERS)
    assert not [m for m in made("The period of a 10-Hz wave is") if m.endswith((" of", " equal to"))]


def test_no_opening_vouches_for_a_stem():
    stems = (
        "Statement 1 | R is a field. Statement 2 | S is a ring.",
        "Soft determinism entails that _____.",
        "A torque is a force",
        "We must assume that he is a Communist, because he denies it.",
        "Sound travels in",
    )
    assert not [m for stem in stems for m in made(stem) if "It is the case" in m or "It is true" in m or "It is correct" in m]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Hobbes claims that all of the laws of nature can be summarized in the precept:", "It is possible for"),
        ("Put water on a table. A process that then occurs is", "If a process"),
        ("When faced with the complaint, Mill responds that pleasures differ in:", "In cases where faced"),
        ("When Euthyphro attempts to define the holy, Socrates objects that:", "If Euthyphro"),
        ("If 3x + 1 = 10, then x =", "In the event"),
        ("When the point is removed, the correlation is", "Whenever"),
        ("The inverse of a is", "has as its"),
        ("The view that art is defined by its form is known as _____.", "What the view that art is defined by"),
        ("Traditionally art has been defined as _____.", "best described"),
    ],
)
def test_no_stem_is_cut_at_the_wrong_place(text, never):
    assert not [m for m in made(text) if never in m]


def test_statements_that_ask_and_sentences_that_have_ended_are_no_stems():
    for text in ("What does a capacitor store?", "A capacitor can store charge."):
        assert not [m for m in made(text) if m.startswith("It is possible")]


def test_the_rules_use_known_conditions_and_groups():
    assert len(rules()) > 100
    for condition, pattern, new in rules():
        assert not condition or condition in OPTIONS
        assert all(int(group) <= pattern.groups for group in "".join(c if c.isdigit() and new[i - 1] in "\\{" else " " for i, c in enumerate(new)).split())
