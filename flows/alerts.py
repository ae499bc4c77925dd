"""What the operator is told of a night: Prefect events and an artifact, and a webhook in generic JSON or Slack's form.

Prefect automations can trigger on `sextant.alert.*`; the resource is the configuration.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from schemas.config import Run
from schemas.errors import MissingSecret
from tasks.notices import notice

ATTEMPTS = 4
PAUSE_S = 1.0
TIMEOUT_S = 10.0
MARKS = {"regressed": ":red_circle:", "failed": ":red_circle:", "budget": ":money_with_wings:", "drift": ":warning:", "probe_failed": ":warning:"}


@dataclass(frozen=True)
class Alert:
    """One finding of a night. `lines` say what moved, by how much, with its interval; `link` leads to the report."""

    kind: str
    """regressed, improved, unchanged, drift, probe_failed, failed or budget."""
    title: str
    lines: tuple[str, ...] = ()
    configuration: str | None = None
    configuration_id: str | None = None
    cost_usd: float | None = None
    link: str | None = None


def webhook_of(run: Run) -> str | None:
    """The webhook's URL from the variable that the run file names; None where it names none.

    Raises:
        MissingSecret: the variable is not set.
    """
    if run.alert_webhook_env is None:
        return None
    url = os.environ.get(run.alert_webhook_env, "").strip()
    if not url:
        raise MissingSecret(run.alert_webhook_env, "alert webhook")
    return url


def text_of(alert: Alert) -> str:
    """The alert as plain text, one fact a line."""
    cost = () if alert.cost_usd is None else (f"cost of the night so far: ${alert.cost_usd:.4f}",)
    return "\n".join((alert.title, *alert.lines, *cost, *((alert.link,) if alert.link else ())))


def body_of(alerts: Sequence[Alert], run: Run, url: str) -> dict[str, Any]:
    """The webhook's body: Slack's form for Slack's hosts or where the run file says so, else generic JSON."""
    host = urlsplit(url).hostname or ""
    if run.alert_form == "slack" or (run.alert_form == "auto" and host.endswith(("slack.com", "slack-gov.com"))):
        title = f"Sextant, {run.name}: " + "; ".join(alert.title for alert in alerts)
        return {"text": _escaped(title)[:3000], "blocks": [_block(alert) for alert in alerts[:50]]}
    return {"source": "sextant", "run": run.name, "alerts": [{**asdict(alert), "text": text_of(alert)} for alert in alerts]}


def _block(alert: Alert) -> dict[str, Any]:
    mark = MARKS.get(alert.kind, ":large_green_circle:")
    return {"type": "section", "text": {"type": "mrkdwn", "text": f"{mark} {_escaped(text_of(alert))}"[:3000]}}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def post(url: str, body: dict[str, Any], *, attempts: int | None = None, pause_s: float | None = None) -> str | None:
    """Send `body`, at most `attempts` times where it may pass; returns why it could not be delivered, None when it was. The URL is a secret: never shown."""
    failure = None
    pause = PAUSE_S if pause_s is None else pause_s
    for attempt in range(attempts or ATTEMPTS):
        if attempt:
            time.sleep(pause * 2 ** (attempt - 1))
        try:
            answer = httpx.post(url, json=body, timeout=TIMEOUT_S)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            failure = type(error).__name__
            continue
        if answer.is_success:
            return None
        failure = f"code {answer.status_code}"
        if answer.status_code < 500 and answer.status_code != 429:
            break
    return failure


async def tell_operator(alerts: Sequence[Alert], run: Run, url: str | None) -> None:
    """Say every alert on stderr, as Prefect events and one artifact (inside a flow), and to the webhook. Undelivered is said, never raised."""
    if not alerts:
        return
    for alert in alerts:
        notice(text_of(alert).replace("\n", "; "))
    await _tell_prefect(alerts, run)
    failure = await asyncio.to_thread(post, url, body_of(alerts, run, url)) if url else None
    if failure:
        where = f"webhook of {run.alert_webhook_env}"
        notice(f"{where} took nothing in {ATTEMPTS} attempts ({failure}); the alerts are in this log and the artifact `night`")


async def _tell_prefect(alerts: Sequence[Alert], run: Run) -> None:
    from prefect.artifacts import acreate_markdown_artifact
    from prefect.context import FlowRunContext
    from prefect.events import emit_event

    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        return
    run_id, name = context.flow_run.id, context.flow_run.name
    related = [{"prefect.resource.id": f"prefect.flow-run.{run_id}", "prefect.resource.role": "flow-run", "prefect.resource.name": name}]
    for alert in alerts:
        resource = {"prefect.resource.id": f"sextant.configuration.{alert.configuration_id or 'none'}"}
        emit_event(
            event=f"sextant.alert.{alert.kind}",
            resource={**resource, "prefect.resource.name": alert.configuration or run.name},
            related=related,
            payload=asdict(alert),
        )
    markdown = "\n\n".join(f"### {alert.title}\n\n" + "\n".join(f"- {line}" for line in text_of(alert).splitlines()[1:]) for alert in alerts)
    markdown = re.sub(r"report: (\S+)", r"[report](\1)", markdown)
    await acreate_markdown_artifact(markdown, key="night", description=f"Alerts of {run.name}")
