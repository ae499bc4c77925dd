"""The synthetic set: size, distinctness, balance, golds worked out a second way, and text."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest

from schemas.config import Dataset
from schemas.errors import ConfigError, UnknownName
from schemas.records import Item
from tasks.datasets import load
from tasks.datasets.choices import LETTERS
from tasks.datasets.synthetic import SIZES, TEMPLATES, category
from tasks.datasets.synthetic.words import DAYS, an, in_words

SEEDS = (42, 0, 7)
ALL = [item for seed in SEEDS for subject in TEMPLATES for item in category(subject, seed)]


def _of(template: str) -> list[Item]:
    return [item for item in ALL if item.template == template]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _chosen(item: Item) -> str:
    return item.choices[LETTERS.index(item.gold)]


def test_seed_42_gives_250_distinct_items_of_the_three_categories() -> None:
    items = load(Dataset(name="synthetic"), Path(), 42).items
    assert Counter(item.subject for item in items) == {"arithmetic": 100, "adversarial": 75, "probe": 75}
    assert len({item.question for item in items}) == 250 == len({item.item_id for item in items})
    assert len({item.template for item in items}) >= 25


def test_no_two_items_differ_only_in_names() -> None:
    items = load(Dataset(name="synthetic"), Path(), 42).items
    bare = Counter((re.sub(r"\b[A-Z][a-z]+\b", "X", item.question), item.choices) for item in items if item.subject == "arithmetic")
    assert max(bare.values()) == 1


def test_templates_are_about_equally_large_so_that_no_cluster_rules_the_interval() -> None:
    sizes = Counter(item.template for item in load(Dataset(name="synthetic"), Path(), 42).items)
    assert max(sizes.values()) <= 8 and min(sizes.values()) >= 5


@pytest.mark.parametrize("subject", list(TEMPLATES))
@pytest.mark.parametrize("seed", SEEDS)
def test_no_answer_is_right_for_more_than_60_percent(subject: str, seed: int) -> None:
    items = category(subject, seed)
    assert len(items) == SIZES[subject]
    for kind in ("boolean", "choice"):
        golds = Counter(item.gold for item in items if item.answer_type == kind)
        assert not golds or max(golds.values()) <= 0.6 * golds.total()
    for template in {item.template for item in items if item.answer_type == "boolean"}:
        golds = Counter(item.gold for item in items if item.template == template)
        assert abs(golds["yes"] - golds["no"]) <= 1


def test_the_easy_set_is_drawn_only_when_asked_for() -> None:
    easy = load(Dataset(name="synthetic", subjects=("easy",), limit=12), Path(), 42).items
    assert len({item.template for item in easy}) == 12
    assert Counter(item.answer_type for item in easy) == {"number": 4, "choice": 4, "boolean": 4}
    standard = load(Dataset(name="synthetic"), Path(), 42).items
    assert not {item.item_id for item in standard} & {item.item_id for item in easy}


def test_ten_items_are_ten_clusters() -> None:
    assert len({item.template for item in load(Dataset(name="synthetic", limit=10), Path(), 42).items}) == 10


def test_the_same_seed_gives_the_same_items_and_another_seed_others() -> None:
    once, again, other = (load(Dataset(name="synthetic", seed=seed), Path(), 42) for seed in (42, 42, 43))
    assert once.items == again.items and once.version == again.version != other.version
    assert len({(item.question, item.choices) for item in once.items} & {(item.question, item.choices) for item in other.items}) <= 5


def test_a_path_or_an_unknown_category_is_told() -> None:
    with pytest.raises(ConfigError, match="is generated; leave `path` out"):
        load(Dataset(name="synthetic", path="x.jsonl"), Path(), 42)
    with pytest.raises(UnknownName, match="did you mean 'adversarial'"):
        load(Dataset(name="synthetic", subjects=("adversial",)), Path(), 42)


def test_every_equation_of_a_solution_is_true_and_the_last_one_is_the_gold() -> None:
    for item in ALL:
        if item.subject == "arithmetic":
            assert item.solution is not None
            equations = re.findall(r"(\d+) ([-+*/]) (\d+) = (\d+)", item.solution)
            assert 2 <= len(equations) == len(item.solution.splitlines())
            for left, operation, right, result in equations:
                a, b = Fraction(left), Fraction(right)
                assert {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None}[operation] == Fraction(result)
            assert equations[-1][-1] == item.gold and int(item.gold) > 0


def test_numbers_of_a_solution_come_from_the_question_or_from_earlier_steps() -> None:
    for item in ALL:
        if item.subject == "arithmetic":
            known = {*_numbers(item.question), 2, 100}
            for left, _, right, result in re.findall(r"(\d+) ([-+*/]) (\d+) = (\d+)", item.solution or ""):
                assert {int(left), int(right)} <= known, (item.question, item.solution)
                known.add(int(result))


def test_syllogisms_are_judged_by_sets() -> None:
    for item in _of("syllogism"):
        claims = re.findall(r"(all|no|some) ([a-z ]+?) are ([a-z ]+?)(?=, and|\.|\?)", item.question)
        groups = sorted({name for _, a, b in claims for name in (a, b)})
        assert len(claims) == 3 and len(groups) == 3
        subsets = [set(members) for members in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))]
        holds = {"all": lambda a, b: a <= b, "no": lambda a, b: not a & b, "some": lambda a, b: bool(a & b)}
        worlds = [dict(zip(groups, sets, strict=True)) for sets in product(subsets, repeat=3)]
        valid = all(
            holds[claims[2][0]](world[claims[2][1]], world[claims[2][2]]) for world in worlds if all(holds[q](world[a], world[b]) for q, a, b in claims[:2])
        )
        assert item.gold == ("yes" if valid else "no"), item.question


def test_only_modus_ponens_and_tollens_are_certain() -> None:
    for item in _of("conditional"):
        rule, seen, asked = item.question.split(". ")
        cause_first = _stem(seen) == _stem(rule.split(", ")[0].removeprefix("Whenever "))
        denied = [any(word in text for word in (" not ", " never ")) for text in (seen, asked)]
        assert denied[0] == denied[1]
        certain = cause_first != denied[0]
        assert item.gold == ("yes" if certain else "no"), item.question


def _stem(text: str) -> str:
    return " ".join(text.removeprefix("Yesterday ").split()[:2])


def test_circles_of_comparison_are_contradictions() -> None:
    for item in _of("cycle"):
        facts = re.findall(r"(\w+) is \w+ than (\w+)\.", item.question)
        people = sorted({name for fact in facts for name in fact})
        possible = any(all(order.index(a) < order.index(b) for a, b in facts) for order in permutations(people))
        assert item.gold == ("yes" if possible else "no")


def test_exactly_one_option_of_the_race_is_impossible() -> None:
    for item in _of("must_be_false"):
        facts = re.findall(r"(\w+) finished before (\w+)", item.question)
        claims = [re.findall(r"(\w+) finished before (\w+)", option)[0] for option in item.choices]
        people = sorted({name for pair in (*facts, *claims) for name in pair})
        orders = [order for order in permutations(people) if all(order.index(a) < order.index(b) for a, b in facts)]
        impossible = [n for n, (a, b) in enumerate(claims) if not any(order.index(a) < order.index(b) for order in orders)]
        assert [LETTERS[n] for n in impossible] == [item.gold]


def test_one_culprit_makes_exactly_one_statement_true() -> None:
    for item in _of("culprit"):
        said = re.findall(r"\w+ says that (\w+) (took|did not take) it", item.question)
        guilty = [one for one in item.choices if sum((who == one) == (verb == "took") for who, verb in said) == 1]
        assert len(said) == 3 and guilty == [_chosen(item)]


def test_stories_with_numbers_recomputed_from_their_text() -> None:
    for item in _of("total_mismatch"):
        total, *parts = _numbers(item.question)
        assert item.gold == ("yes" if total == sum(parts) else "no")
    for item in _of("percent_undone"):
        price, up, down = _numbers(item.question)
        assert item.gold == ("yes" if Fraction(price) * (100 + up) * (100 - down) == 10000 * price else "no")
    for item in _of("bat_and_ball"):
        total, gap, tempting = _numbers(item.question)
        assert 2 * int(item.gold) + gap == total and int(item.gold) != tempting > 0
    for item in _of("machines"):
        few, made, minutes, many, tempting, wanted = _numbers(item.question)
        assert Fraction(made, few * minutes) * many * int(item.gold) == wanted and int(item.gold) != tempting
    for item in _of("overlap"):
        size, a, b = _numbers(item.question)
        assert item.gold == ("yes" if a + b > size else "no") and max(a, b) <= size


def test_the_undetermined_thing_is_the_one_without_a_number() -> None:
    for item in _of("undetermined"):
        match = re.match(r"\w+ buys (\d+) (\w+) and some \w+\. \w+ gives away (\d+) .* How many (\w+) does", item.question)
        assert match is not None and len(set(item.choices)) == 4
        assert _chosen(item) == (str(int(match[1]) - int(match[3])) if match[4] == match[2] else "It cannot be determined")


def test_the_wrong_step_is_the_one_that_does_not_compute() -> None:
    for item in _of("first_error"):
        steps = re.findall(r"(\d+) ([-+*]) (\d+) = (-?\d+)", item.question)
        wrong = [n for n, (a, op, b, c) in enumerate(steps) if {"+": int(a) + int(b), "-": int(a) - int(b), "*": int(a) * int(b)}[op] != int(c)]
        assert item.gold == (LETTERS[wrong[0]] if wrong else "D") and len(wrong) <= 1


def test_weekdays_are_counted() -> None:
    for item in _of("weekday_claim"):
        today, claimed = (DAYS.index(day) for day in re.findall("|".join(DAYS), item.question))
        assert item.gold == ("yes" if (today + _numbers(item.question)[0]) % 7 == claimed else "no")


def test_probes_recomputed_from_their_text() -> None:
    for item in _of("idle_detail"):
        assert int(item.gold) == sum(_numbers(item.question)[:2])
    for item in _of("backwards"):
        now, gave, bought = _numbers(item.question)
        assert int(item.gold) == now + gave - bought
    for item in _of("number_words"):
        values = {in_words(n): n for n in range(100)}
        first, second, lost = (values[word] for word in re.findall(r"[a-z]+(?:-[a-z]+)?", item.question) if word in values)
        assert int(item.gold) == first + second - lost
    for item in _of("decimals"):
        pick = max if "largest" in item.question else min
        assert Fraction(_chosen(item)) == pick(Fraction(option) for option in item.choices)
    for item in _of("clock"):
        hour, minute, length = _numbers(item.question)
        end = 60 * hour + minute + length
        assert _chosen(item) == f"{end // 60:02d}:{end % 60:02d}" and end < 24 * 60
    for item in _of("parity"):
        assert item.gold == ("yes" if sum(_numbers(item.question)) % 2 == 0 else "no")
    for item in _of("turned_product"):
        a, b, c, d = _numbers(item.question)
        assert item.gold == ("yes" if a * b == c * d else "no")
    for item in _of("not_multiple"):
        (base,) = _numbers(item.question)
        assert [option for option in item.choices if int(option) % base] == [_chosen(item)]
    for item in _of("negations"):
        flips = ("It is false" in item.question) + (" is not " in item.question.split(". ")[1])
        assert item.gold == ("yes" if flips % 2 == 0 else "no")


def test_options_are_different_texts_and_the_gold_is_one_of_them() -> None:
    for item in ALL:
        if item.answer_type == "choice":
            assert len(set(item.choices)) == len(item.choices) >= 2 and item.gold in LETTERS[: len(item.choices)]
        else:
            assert item.choices == ()


def test_text_reads_as_english() -> None:
    for item in ALL:
        text = f"{item.question} {item.solution or ''}"
        assert item.question[0].isupper() or item.question[0].isdigit(), text
        assert item.question.endswith("?") and "  " not in text and "{" not in text and "\n" not in item.question, text
        assert not re.search(r"\b[Aa] (?=[aeiou])(?!uni|one)", text), text
        assert not re.search(r"\b[Aa]n (?![aeiouAEIOU]|hour)", text), text
        assert not re.search(r"\b\w+(?:xs|shs|chs|[^aeiou]ys)\b", text), text
        assert not re.search(r"(?<![\d.,:])\b1 [a-z]+s\b(?! )", text), text


def test_articles_follow_the_sound() -> None:
    assert [an(word) for word in ("apple", "uniform", "hour", "umbrella", "eraser", "lamp")] == [
        "an apple",
        "a uniform",
        "an hour",
        "an umbrella",
        "an eraser",
        "a lamp",
    ]
