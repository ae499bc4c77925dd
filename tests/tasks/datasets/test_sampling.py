"""The order in which items are drawn."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.records import Item
from tasks.datasets.sampling import ordered


def _items(sizes: dict[str, int], template: str | None = None) -> list[Item]:
    return [
        Item(f"{subject}-{n}", "d", str(n), f"q{n}", "number", "1", subject=subject, template=template and f"{template}{n % 5}")
        for subject, size in sizes.items()
        for n in range(size)
    ]


def test_a_category_sorted_set_is_not_cut_to_its_first_category() -> None:
    drawn = ordered(_items({"a": 1000, "b": 1000, "c": 1000}), 42)[:30]
    assert Counter(item.subject for item in drawn) == {"a": 10, "b": 10, "c": 10}


def test_shares_follow_sizes_unless_subjects_are_equal() -> None:
    items = _items({"a": 90, "b": 30})
    assert Counter(item.subject for item in ordered(items, 42)[:8]) == {"a": 6, "b": 2}
    assert Counter(item.subject for item in ordered(items, 42, equal_subjects=True)[:8]) == {"a": 4, "b": 4}


def test_a_small_subject_runs_out_and_the_others_fill_up() -> None:
    drawn = ordered(_items({"a": 3, "b": 50}), 42, equal_subjects=True)[:20]
    assert Counter(item.subject for item in drawn) == {"a": 3, "b": 17}


def test_every_template_comes_before_any_comes_twice() -> None:
    drawn = ordered(_items({"a": 50}, "t"), 42)[:5]
    assert len({item.template for item in drawn}) == 5


def test_answer_types_are_spread_within_a_subject() -> None:
    items = [Item(str(n), "d", str(n), "q", kind, "1", subject="easy") for n, kind in enumerate(["number"] * 40 + ["choice"] * 40 + ["boolean"] * 40)]
    assert Counter(item.answer_type for item in ordered(items, 42)[:6]) == {"number": 2, "choice": 2, "boolean": 2}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 12), min_size=1), st.integers(0, 2**31 - 1), st.randoms(use_true_random=False), st.booleans())
def test_order_depends_on_items_and_seed_not_on_where_rows_stood(sizes: dict[str, int], seed: int, random: object, equal: bool) -> None:
    items = _items(sizes)
    shuffled = sorted(items, key=lambda _: random.random())  # type: ignore[attr-defined]
    once, again = ordered(items, seed, equal_subjects=equal), ordered(shuffled, seed, equal_subjects=equal)
    assert once == again and sorted(item.item_id for item in once) == sorted(item.item_id for item in items)


def test_another_seed_draws_another_set() -> None:
    items = _items({"a": 200})
    assert {item.item_id for item in ordered(items, 1)[:50]} != {item.item_id for item in ordered(items, 2)[:50]}


def test_another_seed_draws_another_item_of_each_template() -> None:
    items = _items({"a": 50}, "t")
    first, second = ([item.item_id for item in ordered(items, seed)[:5]] for seed in (1, 2))
    assert set(first) != set(second)


def test_a_greater_limit_only_adds() -> None:
    items = _items({"a": 41, "b": 17, "c": 3})
    whole = ordered(items, 42)
    for limit in range(1, len(items)):
        share = Counter(item.subject for item in whole[:limit])
        assert all(abs(share[subject] - limit * size / 61) <= 1 for subject, size in (("a", 41), ("b", 17), ("c", 3)))
