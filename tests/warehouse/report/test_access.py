"""The report without a mouse, without colours, without eyes, on paper."""

from __future__ import annotations

import pytest

from tests.warehouse.report.conftest import Visit
from tests.warehouse.report.test_browser import PAGES, READY

ITEM = PAGES[-1]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}


def findings(visit: Visit, address: str) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: pip install axe-playwright-python")
    page = visit.open(address, ready=READY)
    for plot in page.locator(".plot").all():
        plot.locator("svg").first.wait_for(state="attached")
    result = axe.Axe().run(page, options=RULES)
    return [f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}" for one in result.response["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("address", ["#choose", "#defend", ITEM])
def test_axe_finds_no_barrier_in_the_light(visit: Visit, address: str) -> None:
    assert findings(visit, address) == []


@pytest.mark.parametrize("address", ["#choose?protocol=strict", "#debug", ITEM])
def test_axe_finds_no_barrier_in_the_dark_on_a_phone(phone: Visit, address: str) -> None:
    assert findings(phone, address) == []


def test_the_keyboard_reaches_and_moves_what_the_mouse_does(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.locator("#weight-correctness").focus()
    before = page.locator("output[for=weight-correctness]").inner_text()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert page.locator("output[for=weight-correctness]").inner_text() != before
    page.locator(".result th button", has_text="Configuration").focus()
    page.keyboard.press("Enter")
    assert page.locator(".result th[aria-sort=ascending]").inner_text().startswith("Configuration")
    page.locator("input[value=paper]").focus()
    page.keyboard.press("ArrowRight")
    page.locator("input[value=strict]:checked").wait_for()
    page.wait_for_url("**protocol=strict**")
    assert page.evaluate("document.activeElement.value") == "strict"


def test_every_plot_has_a_name_and_a_table_behind_it(visit: Visit) -> None:
    page = visit.open("#choose", ready=READY)
    for figure in page.locator("figure").all():
        title = figure.locator("h3").inner_text()
        figure.locator("svg").first.wait_for(state="attached")
        assert figure.locator("[role=graphics-document]").first.get_attribute("aria-label") == title
        figure.locator("summary").click()
        figure.locator("table tbody tr").first.wait_for()


def test_paper_shows_whole_tables_and_the_figures_behind_plots(visit: Visit) -> None:
    page = visit.open("#defend", ready=READY)
    assert page.locator("#unmeasured .pager button").count() > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".paged .pager button").count() == 0
    assert page.locator("details.behind:not([open])").count() == 0
    page.emulate_media(media="print")
    assert page.locator("nav[aria-label=Pages]").is_hidden()
    assert len(page.pdf()) > 20_000
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#unmeasured .pager button").count() > 0
