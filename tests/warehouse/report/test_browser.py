"""The report in a real browser: what people do with it, and what hostile text must not do. Each visit also fails on any console message or request."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import pytest

from tests.warehouse.report.conftest import PATIENCE_MS, Visit
from tests.warehouse.report.planted import HOSTILE
from warehouse.store import Store

PAGES = ("#choose", "#choose?protocol=strict", "#defend", "#defend?protocol=strict", "#debug", "#debug?config=Beta&ds=gsm8k&item={3}")
HOSTILE_ITEM = "#debug?config=Alpha&ds=gsm8k&item={0}"
READY = "main[data-page] h2"


def counted(rows: Any, count: int) -> None:
    """What a click brings is drawn a moment later: wait for `count` rows, and fail with what is there instead."""
    from playwright.sync_api import expect

    expect(rows).to_have_count(count, timeout=PATIENCE_MS)


def names(page: Any) -> list[str]:
    """Configurations in the order shown."""
    return [text.strip() for text in page.locator(".result tbody th").all_inner_texts()]


def ask(store: Store, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(store.warehouse), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def slide(page: Any, dimension: str, value: int) -> None:
    page.locator(f"#weight-{dimension}").fill(str(value))


def told(page: Any, selector: str, text: str) -> None:
    """Wait until the element says exactly `text`."""
    page.locator(selector).filter(has_text=re.compile(f"^{re.escape(text)}$")).wait_for()


@pytest.mark.parametrize("address", PAGES)
def test_every_page_draws_without_a_message_or_a_request(visit: Visit, address: str) -> None:
    page = visit.open(address, ready=READY)
    for plot in page.locator(".plot").all():
        plot.locator("svg").first.wait_for(state="attached")
    assert page.locator("text=could not be drawn").count() == 0


def test_moving_a_weight_ranks_anew(visit: Visit, store: Store) -> None:
    page = visit.open("#choose?protocol=strict")
    before = names(page)
    for dimension in ("correctness", "consistency", "robustness", "coherence", "stability"):
        slide(page, dimension, 0)
    slide(page, "efficiency", 100)
    by_efficiency = ask(
        store,
        """
        select configuration from marts.dimension_scores
        where suite_id = 'large' and protocol = 'strict' and dataset = 'all' and dimension = 'efficiency' and status = 'scored' order by value desc
        """,
    )
    assert names(page)[: len(by_efficiency)] == [name.replace("\u202e", "\u2039U+202E\u203a") for (name,) in by_efficiency]
    assert names(page) != before
    assert page.locator("#preset").input_value() == ""
    assert "Order now: " in page.locator("#announcer").inner_text()


def test_a_preset_shows_the_published_figures(visit: Visit, store: Store) -> None:
    page = visit.open()
    page.locator("#preset").select_option("journal/edge_device_iot")
    value, low, high = ask(
        store,
        """
        select value, ci_low, ci_high from marts.rankings
        where suite_id = 'large' and protocol = 'paper' and weight_set = 'journal' and scheme = 'edge_device_iot' and configuration = 'Alpha'
        """,
    )[0]
    row = page.locator(".result tbody tr", has=page.get_by_role("rowheader", name="Alpha", exact=True)).inner_text()
    assert f"{value:.3f}" in row
    assert f"{low:.3f} to {high:.3f}" in row


def test_weights_of_ones_own_survive_in_the_address(visit: Visit) -> None:
    page = visit.open("#choose?w=0_0_0_0_100_0")
    assert page.locator("output[for=weight-efficiency]").inner_text() == "100 %"
    slide(page, "stability", 100)
    assert page.evaluate("location.hash").endswith("w=0_0_0_0_100_100")


def test_a_configuration_with_too_little_coverage_is_shown_unranked(visit: Visit) -> None:
    page = visit.open()
    last = page.locator(".result tbody tr").last.inner_text()
    assert "Gamma" in last
    assert "unranked" in last
    assert "coverage below 98 percent" in last


def test_the_protocol_switch_changes_the_numbers(visit: Visit, store: Store) -> None:
    page = visit.open("#defend")
    (paper,), (strict,) = ask(
        store,
        """
        select value from marts.dimension_scores
        where suite_id = 'large' and dataset = 'all' and dimension = 'stability' and configuration = 'Beta' order by protocol
        """,
    )
    row = page.locator("#numbers tbody tr", has_text="Stability").filter(has_text="Beta")
    assert f"{paper:.3f}" in row.inner_text()
    page.get_by_text("strict", exact=True).first.click()
    told(page, "#numbers caption", "Scores, strict protocol, all datasets")
    assert f"{strict:.3f}" in row.inner_text()
    assert page.locator("input[value=strict]").is_checked()


def test_an_aggregate_leads_to_its_items(visit: Visit, store: Store) -> None:
    page = visit.open("#defend?dataset=gsm8k")
    page.get_by_role("link", name="Items behind coherence of Beta").click()
    page.wait_for_selector("main[data-page=debug] .tally")
    ((expected,),) = ask(
        store,
        "select count(*) from report.item_summaries where suite_id = 'large' and configuration_id = 'Beta' and dataset = 'gsm8k' and n_contradictions > 0",
    )
    assert page.locator(".tally").inner_text() == f"{expected} of 60 items"


def test_filter_search_and_paging_find_items(visit: Visit) -> None:
    page = visit.open("#debug?config=Beta&ds=gsm8k")
    counted(page.locator(".items tbody tr"), 50)
    page.get_by_role("button", name="Next").click()
    counted(page.locator(".items tbody tr"), 10)
    page.locator("#pick-show").select_option("wrong")
    assert all("\u2717" in text.split()[0] for text in page.locator(".items tbody .signs").all_inner_texts()[::2])
    page.locator("#pick-show").select_option("all")
    page.locator("#find").fill(visit.items["17"])
    told(page, ".tally", "1 of 60 items")


def test_search_reaches_into_model_texts(visit: Visit) -> None:
    page = visit.open("#debug?config=Alpha&ds=gsm8k")
    page.locator("#find").fill("THE END")
    told(page, ".tally", "0 of 60 items")
    page.get_by_role("button", name="Search model texts too").click()
    told(page, ".tally", "1 of 60 items")


def test_a_trace_shows_contradictions_in_place_and_a_rewording_its_differences(visit: Visit, store: Store) -> None:
    ((item, step),) = ask(
        store,
        """
        select item_id, step_index from staging.stg_step_pairs inner join staging.stg_units using (generation_id)
        where label = 'contradiction' and suite_id = 'large' and configuration_id = 'Beta' and dataset = 'gsm8k' and run_index = 0
            and item_id not like '%00000' limit 1
        """,
    )
    page = visit.open(f"#debug?config=Beta&ds=gsm8k&item={item}", ready=".run")
    bad = page.locator(".run").first.locator(".trace li").nth(step - 1)
    assert f"contradicts step {step - 1}" in bad.inner_text()
    counted(page.locator(".runs").first.locator(".run"), 3)
    assert "store" in page.locator(".diff ins").all_inner_texts()
    assert "shop" in page.locator(".diff del").all_inner_texts()


def test_hostile_text_is_text(visit: Visit) -> None:
    page = visit.open(HOSTILE_ITEM, ready=".run")
    page.wait_for_timeout(200)
    shown = page.locator("main").inner_text()
    assert page.evaluate("window.pwned") is None
    assert HOSTILE["script"] in shown
    assert HOSTILE["image"] in shown
    assert HOSTILE["comment"] in shown
    assert "safe \u2039U+202E\u203agnp.exe" in shown
    assert "null\u2039U+0000\u203a" in shown
    assert page.locator("main script, main img, main svg, main iframe, main u, main b b").count() == 0
    for character in "\u202e\u2066\u200b\u2028\x00\x1b":
        assert character not in page.evaluate("document.documentElement.textContent")


def test_a_line_of_a_megabyte_is_cut_until_asked_for(visit: Visit) -> None:
    page = visit.open(HOSTILE_ITEM, ready=".run")
    assert len(page.locator("main").inner_text()) < 40_000
    page.get_by_role("button", name="Show all 1,000,007 characters").first.click()
    page.locator(".piece", has_text="THE END").wait_for()


def test_a_script_that_found_its_way_in_would_not_run(browser: Any, report: Any) -> None:
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(report.absolute().as_uri())
    page.wait_for_selector(READY)
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.pwned = 1' }))")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.pwned = 2\">')")
    page.wait_for_timeout(200)
    assert page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in text for text in refused)
    page.close()


def test_another_suite_can_be_chosen_and_the_newest_stands_first(visit: Visit) -> None:
    page = visit.open()
    options = page.locator("#suite option").all_inner_texts()
    assert ["run large" in options[0], "run small" in options[1]] == [True, True]
    page.locator("#suite").select_option(index=1)
    page.locator("#subtitle", has_text="30 items").wait_for()
    assert names(page) == ["Alpha"]


def test_the_predecessor_is_compared_without_asking(visit: Visit) -> None:
    page = visit.open("#defend")
    assert page.locator("#comparison caption").inner_text() == "Alpha 2 against Alpha, paired by item"
    counted(page.locator("#comparison tbody tr"), 6)


@pytest.mark.parametrize("address", PAGES)
def test_nothing_is_wider_than_a_phone(phone: Visit, address: str) -> None:
    page = phone.open(address, ready=READY)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_unknown_address_opens_the_first_page(visit: Visit) -> None:
    page = visit.open("#constructor?suite=99&w=x&show=__proto__&sort=toString&set=no&scheme=such", ready=READY)
    assert page.locator("nav a[aria-current=page]").inner_text() == "Choose"


def test_configurations_can_be_left_out_and_the_rest_is_ranked_among_itself(visit: Visit) -> None:
    page = visit.open()
    leader = names(page)[0]
    page.locator(".shown summary").click()
    page.get_by_label(leader, exact=True).uncheck()
    page.locator(".shown summary", has_text="4 of 5").wait_for()
    assert leader not in names(page)
    assert page.locator(".result tbody tr").first.inner_text().split()[0] == "1"
    assert "weighed here" in page.locator(".result caption").inner_text()


def test_supported_changes_of_order_are_told_once_per_pair_and_ringed(visit: Visit, store: Store) -> None:
    pairs = ask(
        store,
        """
        select distinct least(configuration_id_a, configuration_id_b), greatest(configuration_id_a, configuration_id_b) from marts.ranking_inversions
        where suite_id = 'large' and protocol = 'strict' and weight_set = 'arxiv-v1' and supported
        """,
    )
    page = visit.open("#choose?protocol=strict")
    told = page.locator("section[aria-labelledby=bump-title] .sure li")
    assert told.count() == len(pairs) > 0
    assert all(" is above " in text and ", but " in text for text in told.all_inner_texts())
    assert page.locator("section[aria-labelledby=bump-title] svg .layer_1_marks path").count() > 0


def test_nights_are_drawn_where_there_are_two(visit: Visit) -> None:
    page = visit.open("#defend")
    page.locator("#nights summary").click()
    counted(page.locator("#nights tbody tr", has_text="Alpha").filter(has_text="small"), 1)


def test_the_prompt_stands_there_as_it_was_sent(visit: Visit) -> None:
    page = visit.open("#debug?config=Beta&ds=gsm8k&item={3}", ready=".run")
    page.locator(".rewording summary", has_text="Prompt as sent").first.click()
    assert page.locator(".rewording details .text").first.inner_text().startswith("user: paraphrase: A store sells 6 boxes")
