"""The labelled cases, one test each, and properties that hold for any number, any padding, any text."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemas.keys import canonical
from schemas.records import ANSWER_TYPES
from tasks.scorers.answers import CARD, extract
from tasks.scorers.extraction.found import STRATEGIES
from tasks.scorers.extraction.number_golds import read_gold

HERE = Path(__file__).parent
FILES = ("answers.jsonl", "answers_more.jsonl", "answers_fresh.jsonl", "answers_head.jsonl")
CASES = [json.loads(line) for name in FILES for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
MEMO = settings(deadline=None, max_examples=150)


def run(case, response=None):
    text = case["response"] if response is None else response
    more = {name: case[name] for name in ("choices", "finish_reason", "question") if name in case}
    return extract(text, answer_type=case["answer_type"], gold=case["gold"], **more)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_labelled_case(case):
    found = run(case)
    expected = {name: case[name] for name in ("correct", "status", "value") if name in case}
    assert {name: getattr(found, name) for name in expected} == expected


def test_a_scored_answer_names_its_rule_and_an_unscored_one_has_nothing():
    for case in CASES:
        found = run(case)
        if found.status == "scored":
            assert found.strategy in STRATEGIES
            assert found.canonical and found.extracted and found.value, case["id"]
        else:
            assert (found.value, found.canonical, found.extracted, found.strategy, found.correct) == (None, None, None, None, False), case["id"]


def test_every_rule_has_a_case():
    assert {run(case).strategy for case in CASES} == {*STRATEGIES, None}


def test_canonical_form_does_not_depend_on_the_gold():
    other = {"number": "987654", "choice": "A", "boolean": "yes"}
    for case in CASES:
        compared_as_text = case["answer_type"] == "number" and read_gold(case["gold"]) is None
        if case["answer_type"] in other and not compared_as_text:
            assert run(case | {"gold": other[case["answer_type"]]}).canonical == run(case).canonical, case["id"]


# ---- any formatting of a number that a person would read as that number ----

UNITS = ["zero", *"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()]  # noqa: SIM905
TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905


def words(n: int, joiner: str) -> str:
    if n < 20:
        return UNITS[n]
    if n < 100:
        return TENS[n // 10] + ("-" + UNITS[n % 10] if n % 10 else "")
    for scale, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if n >= scale:
            rest = n % scale
            return f"{words(n // scale, joiner)} {name}" + (f"{joiner if rest < 100 else ' '}{words(rest, joiner)}" if rest else "")
    raise AssertionError(n)


def indian(n: int) -> str:
    head, tail = str(n)[:-3], str(n)[-3:]
    groups = []
    while head:
        head, group = head[:-2], head[-2:]
        groups.insert(0, group)
    return ",".join([*groups, tail])


def digits(text: str, zero: str) -> str:
    return "".join(chr(ord(zero) + int(c)) if c.isascii() and c.isdigit() else c for c in text)


INTEGER_FORMS = [
    str,
    lambda n: f"{n:,}",
    lambda n: f"{n:,}".replace(",", " "),
    lambda n: f"{n:,}".replace(",", "\u00a0"),
    lambda n: f"{n:,}".replace(",", "\u202f"),
    lambda n: f"{n:,}".replace(",", "\u2009"),
    lambda n: f"{n:,}".replace(",", "'"),
    lambda n: f"{n:,}".replace(",", "’"),
    lambda n: f"{n:,}".replace(",", "{,}"),
    lambda n: f"{n:,}".replace(",", "\\,"),
    lambda n: f"{n:,}".replace(",", ",\\!"),
    lambda n: f"{n:_}",
    lambda n: f"{n}.00",
    lambda n: f"{n:,}.0",
    indian,
    lambda n: words(n, " and "),
    lambda n: words(n, " "),
    lambda n: words(n, " and ").capitalize(),
    lambda n: digits(str(n), "०"),
    lambda n: digits(str(n), "٠"),
    lambda n: digits(str(n), "０"),
    lambda n: digits(f"{n:,}", "০"),
    lambda n: f"\\text{{{n}}}",
    lambda n: f"{n}/1",
    lambda n: f"{n}e0",
    lambda n: f"{n} × 10^0",
    lambda n: f"0{n}",
]
SIGNS = ["-", "−", "－", "minus ", "negative "]
WRAPS = [
    "{}", "{}.", " {} \n", "**{}**", "`{}`", "({})", "[{}]", "\"{}\"", "_{}_", "{}!", "{}...", "<b>{}</b>", "= {}", "$\\boxed{{{}}}$",
    "\\boxed{{{} \\text{{ apples}}}}", "\\[ \\boxed{{{}}} \\]", "#### {}", "####{}", "The answer is {}.", "The answer is: {}", "Answer: {}",
    "ANSWER: {}", "**Answer:** {}", "**Answer: {}**", "Final answer: {} apples", "The final answer is {} apples, as asked.", "So the total is {}.",
    "She has {} apples left.", "Hence x = {}", "{{\"answer\": \"{}\"}}", "<answer>{}</answer>", "<think>It is 999983 or so.</think>{}",
    "999983 maybe</think>\nThe answer is {}.", "3 + 4 = {}", "The answer is not 999983 but {}.", "The answer is {}, not 999983.",
    "The answer is {}\n\nQuestion: What is 1 + 1?\nAnswer: 2", "Réponse : {}", "答案：{}",
]  # fmt: skip
MONEY = ["${}", "\\${}", "£{}", "€{}", "{} €", "USD {}", "{} dollars", "US${}", "₹{}", "Rs. {}"]


@MEMO
@given(st.integers(0, 10**9), st.sampled_from(INTEGER_FORMS), st.sampled_from(WRAPS), st.sampled_from([None, *SIGNS]))
def test_any_spelling_of_an_integer_is_that_integer(n, form, wrap, sign):
    spelling = form(n)
    if sign in ("-", "−", "－") and spelling[0].isalpha():
        sign = "minus "
    response = wrap.format((sign or "") + spelling)
    gold = -n if sign else n
    found = extract(response, answer_type="number", gold=str(gold))
    assert (found.correct, found.status, found.canonical) == (True, "scored", str(gold)), response


@MEMO
@given(st.integers(0, 10**7), st.sampled_from(MONEY), st.sampled_from(WRAPS), st.sampled_from(["{}", "{}.00", "{:,}", "{:,}.50"]))
def test_any_sum_of_money_is_its_number(n, money, wrap, form):
    response = wrap.format(money.format(form.format(n)))
    gold = Fraction(n) + (Fraction(1, 2) if form.endswith("50") else 0)
    found = extract(response, answer_type="number", gold=str(n) if gold == n else f"{n}.5")
    assert (found.correct, found.canonical) == (True, str(gold)), response


@MEMO
@given(
    st.integers(0, 10**6),
    st.integers(1, 10**6 - 1),
    st.sampled_from(["{}", "{}%", "{} percent", "{} km", "{}kg", "{} km/h", "{}°", "\\text{{{}}}"]),
    st.sampled_from(WRAPS),
)
def test_any_decimal_is_that_decimal(whole, part, form, wrap):
    number = f"{whole}.{part:06d}"
    response = wrap.format(form.format(number))
    assert extract(response, answer_type="number", gold=number).correct, response


@MEMO
@given(
    st.integers(1, 999),
    st.integers(2, 999),
    st.sampled_from(["{}/{}", "\\frac{{{}}}{{{}}}", "\\dfrac{{{}}}{{{}}}", "\\tfrac{{{}}}{{{}}}", "{} / {}", "{}⁄{}"]),
    st.sampled_from(WRAPS),
    st.booleans(),
)
def test_any_fraction_is_that_fraction(above, below, form, wrap, negative):
    response = wrap.format(("-" if negative else "") + form.format(above, below))
    gold = f"{'-' if negative else ''}{above}/{below}"
    found = extract(response, answer_type="number", gold=gold)
    assert (found.correct, found.canonical) == (True, str(Fraction(gold))), response


@MEMO
@given(
    st.integers(1, 999),
    st.integers(1, 98),
    st.integers(2, 99),
    st.sampled_from(["{} {}/{}", "{}\\frac{{{}}}{{{}}}", "{} and {}/{}", "{} \\frac{{{}}}{{{}}}"]),
    st.sampled_from(WRAPS),
)
def test_a_mixed_number_is_never_one_of_its_parts(whole, above, below, form, wrap):
    if above >= below:
        above, below = below, above + 1
    if above >= below:
        return
    response = wrap.format(form.format(whole, above, below))
    value = whole + Fraction(above, below)
    assert extract(response, answer_type="number", gold=str(value)).correct, response
    if value.denominator != 1:
        assert not extract(response, answer_type="number", gold=str(whole)).correct, response


@MEMO
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(INTEGER_FORMS), st.sampled_from(WRAPS))
def test_another_integer_is_never_the_gold(n, other, form, wrap):
    if n != other:
        assert not extract(wrap.format(form(n)), answer_type="number", gold=str(other)).correct


# ---- padding ----

FILLER = [
    "Let us think about this carefully.",
    "We read the text again and look at what is asked.",
    "First, note what is given in the text.",
    "This kind of puzzle is common in school books.",
    "Thanks for asking!",
    "Many people find puzzles like this fun.",
]
PADDABLE = [
    case
    for case in CASES[:85]
    if case.get("status") == "scored" and "finish_reason" not in case and "think" not in case["response"] and "Question:" not in case["response"]
]


@pytest.mark.parametrize("case", PADDABLE, ids=[case["id"] for case in PADDABLE])
@settings(deadline=None, max_examples=8)
@given(before=st.lists(st.sampled_from(FILLER), max_size=3), after=st.lists(st.sampled_from(FILLER), max_size=3))
def test_padding_without_an_answer_changes_nothing(case, before, after):
    padded = "\n".join([*before, case["response"], *after])
    found, bare = run(case, padded), run(case)
    assert (found.status, found.correct) == (bare.status, bare.correct), padded
    if case["answer_type"] != "text":
        assert (found.value, found.canonical) == (bare.value, bare.canonical), padded


# ---- hostile text ----

HOSTILE = [
    "\\boxed{",
    "\\frac{",
    "#### ",
    "answer is ",
    "1,",
    "1 ",
    "one ",
    "hundred thousand ",
    "A, ",
    "not ",
    "yes ",
    "{",
    "<think>",
    "</think>",
    "\nQuestion: 1",
    "9**",
    "(",
    "\\text{\\boxed{",
    "½",
    "ﷺ",
    "a.",
    "~~",
    "**",
    "a_",
    "what ",
    "what?",
    "A. iron B. copper ",
    "not B, ",
    "12? No: ",
    "2 hours, or ",
    "10 to ",
    "cannot determine ",
    "http://a",
    "<x>",
    "</x><x>",
    ".",
    "?!",
    ".')",
    "neither A ",
    "but A is the ",
    ", near A",
    "1/3 ≈ ",
    "the answer would be 1 if ",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("answer_type", ANSWER_TYPES)
def test_a_hundred_kilobytes_of_anything_end(answer_type, piece):
    gold = {"number": "42", "choice": "B", "boolean": "yes", "text": "Paris"}[answer_type]
    found = extract((piece * (100_000 // len(piece)))[:100_000], answer_type=answer_type, gold=gold, choices=("iron", "copper"))
    assert found.status in ("scored", "empty", "truncated", "unparsed")


@settings(deadline=None, max_examples=120)
@given(st.text(max_size=200), st.sampled_from(ANSWER_TYPES), st.text(max_size=12), st.sampled_from([None, "stop", "length"]))
@example("1e999999999", "number", "1e999999999", None)
@example("\ud800", "text", "\ud800", None)
def test_any_text_gets_a_status_and_a_storable_row(text, answer_type, gold, finish_reason):
    found = extract(text, answer_type=answer_type, gold=gold, choices=("iron", "copper"), finish_reason=finish_reason)
    assert found.status in ("scored", "empty", "truncated", "unparsed")
    assert not found.correct or found.status == "scored"


def test_a_models_own_thinking_tags_are_cut_too():
    response = "<<draft>>It is 15.<</draft>>It is 18."
    found = extract(response, answer_type="number", gold="18", thinking_tags=(("<<draft>>", "<</draft>>"),))
    assert (found.value, found.strategy) == ("18", "sentence_value")


def test_an_unknown_answer_type_is_refused():
    with pytest.raises(ValueError, match="none of number, choice, boolean, text"):
        extract("5", answer_type="integer", gold="5")


def test_the_card_is_canonical_json():
    assert canonical(CARD.parameters)


def test_two_values_side_by_side_are_marked_ambiguous_or_no_answer():
    assert extract("The answer is 12 apples in 3 boxes.", answer_type="number", gold="12").ambiguous
    assert not extract("The answer is 12.", answer_type="number", gold="12").ambiguous
