"""The reorder operator's rules, each with the sentence it must leave alone."""

import random

import pytest

from schemas.records import Item
from tasks.perturbations import PERTURBATIONS

OPTIONS = ("a wave", "a particle")


def orders(text: str, choices: tuple[str, ...] = ()) -> list[str]:
    item = Item("i", "own", "1", text, "choice" if choices else "number", "A" if choices else "1", choices=choices)
    return list(PERTURBATIONS["reorder"].propose(item, random.Random(1)))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("If Bo has 40 crabs, calculate the total number of crabs.", "Calculate the total number of crabs if Bo has 40 crabs."),
        ("They saved. If they sell 10 pies, what is their profit?", "They saved. What is their profit if they sell 10 pies?"),
        ("When it came out John was twice as old as Jim.", "John was twice as old as Jim when it came out."),
        (
            "If Cindy carries all of her books at once, what will be the weight of the books she is carrying?",
            "What will be the weight of the books Cindy is carrying if she carries all of her books at once?",
        ),
        ("If each pen costs $2, how much will he spend if he buys 3 pens?", "If he buys 3 pens, how much will he spend if each pen costs $2?"),
        ("At the end of the year, if she has $9, how much did Ann have?", "If she has $9 at the end of the year, how much did Ann have?"),
        ("What's the total amount he will spend if each pepper costs $2?", "If each pepper costs $2, what's the total amount he will spend?"),
    ],
)
def test_a_condition_moves_past_its_question_or_command(text, made):
    told = "He went to the market. "
    assert told + made in orders(told + text)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("If Mia, who is younger than Emma, is 40 years old, what is her age in days?", "Who is younger"),
        ("If an object moves, the object will stop?", "The object will stop if an object"),
        ("Sandra has threatened to leave if they are late.", "If they are late"),
        ("The first hour is $15 and each hour after that is twice the cost.", "After that is twice"),
        ("It is dangerous to drink chlorine when mixed with sodium.", "When mixed"),
        ("When he finishes baking, he realizes that he baked 15 more cookies.", "cookies when"),
        ("When the water is cold Ray swims slowly when the water is.", "Cold Ray"),
        ("If she uses 11 small shirts, 8 medium, and 6 large shirts, how many square feet is the quilt?", "8 medium, and 6 large shirts, how"),
        ("She worked. How many are left when it is full if the tank holds 9 cups?", "When it is full"),
    ],
)
def test_no_clause_moves_off_its_noun_or_before_what_it_goes_back_to(text, never):
    assert not [made for made in orders(text) if made.startswith(never) or f" {never}" in made]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("How much money, in dollars, does it cost her?", "How much money does it cost her, in dollars?"),
        ("How tall is the tower in feet?", "How tall, in feet, is the tower?"),
        ("Usually it takes 7 minutes to dry.", "It usually takes 7 minutes to dry."),
        ("Currently there are 180 days in it.", "There are currently 180 days in it."),
        ("How many seconds will the faster team win by?", "By how many seconds will the faster team win?"),
        ("Last week she bought 4 boxes.", "She bought 4 boxes last week."),
        ("On Tuesday, Kenji gives 4 brushes to Priya.", "Kenji gives 4 brushes to Priya on Tuesday."),
    ],
)
def test_a_unit_an_adverb_a_preposition_or_a_time_finds_its_other_place(text, made):
    assert made in orders(text)


def test_no_time_goes_behind_another_time_or_a_relative_clause():
    for text in ("On Monday, she wrote twice as many pages as on Sunday.", "This year, he makes the amount that he made last year."):
        assert not [made for made in orders(text) if made.endswith(("on Monday.", "this year."))]


def test_the_question_first_names_the_one_person_and_keeps_the_title():
    assert "How much land did Mr. Ruther have? Mr. Ruther sold 3 acres." in orders("Mr. Ruther sold 3 acres. How much land did he have?")
    assert "Find Sally's mean score. Sally scored 5 and 7." in orders("Sally scored 5 and 7. Find her mean score.")
    for text in ("Tom and Ann met. How old is he?", "Mozzarella cheese is $6. Amor has $9. How much does she have left?"):
        assert not [made for made in orders(text) if made.startswith(("How old is Tom", "How old is Ann", "How much does Mozzarella"))]


def test_a_question_about_the_thing_comes_after_gentler_orders():
    text = "Usually it takes a salesman 7 days. What was the salesman's profit?"
    made = orders(text)
    assert made.index("It usually takes a salesman 7 days. What was the salesman's profit?") < made.index(
        "What was the salesman's profit? Usually it takes a salesman 7 days."
    )


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("According to Paley, we must conclude that", "We must, according to Paley, conclude that"),
        ("Aquinas claims that the end of every action is:", "The end of every action, Aquinas claims, is:"),
        ("In Aquinas’s view, acts of prudence are about:", "Acts of prudence, in Aquinas’s view, are about:"),
        ("When light undergoes interference, it can sometimes", "Light, when it undergoes interference, can sometimes"),
        ("When a model car speeds up to three times its speed, its energy is", "The energy of a model car, when it speeds up to three times its speed, is"),
        ("The pressure at the bottom of a pond does NOT depend on the", "At the bottom of a pond, the pressure does NOT depend on the"),
        ("The speed of sound in air depends on", "What the speed of sound in air depends on is"),
        ("Anscombe criticizes Butler on the grounds that:", "Butler is criticized by Anscombe on the grounds that:"),
    ],
)
def test_a_stem_keeps_its_end_where_the_option_joins(text, made):
    assert made in orders(text, OPTIONS)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("A capacitor can store", "As for a capacitor"),
        ("According to Paley, we must conclude that", "We, according"),
        ("If a belongs to a finite group then |a| divides |G|", "then, divides"),
        ("Find $x^2$, or $x^{-1}.$", ".$: find"),
        ("If an object is already moving, then the object will", "The object, if an object"),
        ("In one study half of a class were told to watch, the other half were told to", "The other half, in one study"),
        ("According to Butler, the degree to which one acts compassionately depends on:", "to which one, according"),
        ("The surface of the Earth loses energy to space due mostly to", "What the surface"),
        ("The area bounded by the lines equals", "equals is"),
        ("When food is exposed to radiation, the food", "The food, when food"),
    ],
)
def test_a_stem_is_not_taken_apart_where_its_subject_is_not_clear(text, never):
    assert not [made for made in orders(text, OPTIONS) if never in made]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Find the degree of the polynomial x + 1.", "For the polynomial x + 1, find the degree."),
        ("What is the range of the function y = 5?", "For the function y = 5, what is the range?"),
        ("The root of 9 is what percent of the root of 81?", "What percent of the root of 81 is the root of 9?"),
        ("Given that n > 1, what is the smallest n?", "What is the smallest n, given that n > 1?"),
        ("Evaluate −7(y − 6) for y = 8.", "For y = 8, evaluate −7(y − 6)."),
        ("Use rounding to estimate the sum.", "To estimate the sum, use rounding."),
        (
            "Blaming the speaker is one way to commit which of the following fallacies?",
            "One way to commit which of the following fallacies is blaming the speaker?",
        ),
        ("What is the probability that it rains?", "The probability that it rains is which of the following?"),
    ],
)
def test_questions_of_exams_are_turned_as_an_exam_would_say_it(text, made):
    assert made in orders(text, OPTIONS)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("If an object is already moving, then the object will", "An object, if the object is already moving, will"),
        ("As entropy in a system increases, energy in the system", "Energy in a system, as entropy in the system increases,"),
        ("The volume of this solid is", "For this solid, the volume is"),
        ("The voltage across the resistor is", "Across the resistor, the voltage is"),
        ("The power required to raise a crate is", "To raise a crate, the power required is"),
        ("In either a fission event or a fusion event, the sum is the", "In either a fusion event or a fission event, the sum is the"),
        ("According to Socrates, justice is when a soul is ruled by its:", "Justice, according to Socrates, is when a soul is ruled by its:"),
    ],
)
def test_the_thing_or_its_quantity_comes_first_and_the_article_follows_it(text, made):
    assert made in orders(text, OPTIONS)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("When an element ejects a particle, the number of the resulting element", "The number of an element"),
        ("The number of electrons this atom has is", "For electrons"),
        ("During the day and at night, the room cools down.", "During the day and"),
        ("In a year, he grew by 2 inches after eating more.", "after eating more in a year"),
        ("By contract, Juan drinks twice what she drinks.", "drinks by contract"),
        ("Ronnie was given $5 while Rissa was given thrice as much.", "While Rissa"),
        ("Gloria is shoe shopping when she comes across boots.", "When she"),
        ("It takes Carmen 10 minutes to finish a puzzle and 5 minutes to finish a sudoku.", "To finish a sudoku, it takes"),
        ("How many birds are now in the backyard?", "birds are now?"),
        ("A bar has 40 tables with 4 legs and 50 tables with 3 legs.", "40 tables with 50"),
        ("How many limbs will it cause a person to grow?", "how many limbs a person"),
        ("There is a lamp for every person and two for each room.", "For every person and"),
        ("Hannah comes home from work to find her son asleep.", "To find"),
        ("Maia is a blogger working for different clients every day.", "Every day, Maia is"),
        ("The fine is increased by $2 for every mile over the speed limit.", "Over the speed limit,"),
        ("At the end, they give him twice the trains he already has.", "already has at the end"),
        ("When he gets home, he asks his 2 sons to wash as many oranges as they are years old.", "old when he gets home"),
        ("If neither, determine whether they are consistent.", "consistent if neither"),
        ("Solve the equation x = 2. Check your answer.", "Check your answer. Solve"),
        ("According to Socrates, the town is good. Why not?", "Why not? According"),
        ("After all, every effort to prove it has failed.", "failed after all"),
        ("If H is a subgroup of G, then aH = Ha.", "AH = Ha"),
        ("Identify the antecedent of the following: The fee rises if the board agrees.", "If the board agrees, identify"),
        ("It has three speeds: low, medium, and high.", "high, and medium"),
    ],
)
def test_no_order_that_changes_a_name_an_instruction_or_what_a_condition_governs(text, never):
    assert not [made for made in orders(text, OPTIONS) if never in made]


def test_a_yes_no_question_that_the_parser_misreads_is_told_by_its_words_and_is_no_trick_with_ever():
    def asked(text: str) -> list[str]:
        return list(PERTURBATIONS["reorder"].propose(Item("i", "own", "1", text, "boolean", "yes"), random.Random(1)))

    assert "Psychiatric patients are welcome to join the United States Air Force: true or false?" in asked(
        "Are psychiatric patients welcome to join the United States Air Force?"
    )
    assert "Kelly Clarkson has outsold season 4 American Idol winner: true or false?" in asked("Has Kelly Clarkson outsold season 4 American Idol winner?")
    assert "Orange County, California requires airplanes to be quiet: true or false?" in asked("Does Orange County, California require airplanes to be quiet?")
    assert not asked("Did Rahul Dravid ever kick a field goal?")
    assert not asked("Was the British car, the Mini, the first car manufactured?")
    assert "With Louis Armstrong, did Jay-Z ever collaborate?" in asked("Did Jay-Z ever collaborate with Louis Armstrong?")
    assert "By the end of 2020, will Futurama surpass it?" in asked("Will Futurama surpass it by the end of 2020?")
    assert not [made for made in asked("Is Dungeons and Dragons a game well suited for solo play?") if "Dragons and Dungeons" in made]


def test_two_premises_change_places_before_their_conclusion_only_when_neither_leans():
    good = "All spoiled things are inedible. Timothy is spoiled. So, Timothy is inedible."
    assert "Timothy is spoiled. All spoiled things are inedible. So, Timothy is inedible." in orders(good, OPTIONS)
    assert not [made for made in orders("Ann is kind. She is wise. So, Ann is good.", OPTIONS) if made.startswith("She is wise")]


def test_a_question_that_says_them_of_a_named_person_makes_no_error():
    assert orders("Tom went home. If Tom pays them $9, how much will they have?")


@pytest.mark.parametrize("text", ["Ahmed has 10 stickers and his", "If he went, to", "If it rains then how", "tea, apples, honey and milk", "Is Ann Lee good"])
def test_a_text_cut_off_anywhere_ends_in_orders_or_none(text):
    for choices in ((), OPTIONS):
        assert all(isinstance(made, str) for made in orders(text, choices))


def test_mean_and_standard_deviation_do_not_share_their_noun():
    assert not [made for made in orders("What are the mean and standard deviation of the data?", OPTIONS) if "standard and mean" in made]


def test_an_infinitive_is_not_torn_from_the_verb_that_asks_for_it():
    assert not [made for made in orders("How many birds can Lillian expect to see in her garden?") if "how many birds to see" in made]
