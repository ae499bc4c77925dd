"""The page itself: template, style, scripts and data in one file that asks nothing of anyone.

A content security policy lets only the two scripts run that stand here by their digests; every other script, request, frame and form is refused
by the browser, whatever a model wrote.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

from warehouse.report.blocks import Block

HERE = Path(__file__).parent
VEGALITE = "6.4"
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(catalogue: dict[str, Any], blocks: Iterable[Block]) -> Iterator[str]:
    """The page in parts, `blocks` read one at a time."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    script = app_script()
    charts = chart_library()
    return environment.get_template("page.html.j2").generate(
        policy=_policy(script, charts),
        catalogue=safe_json(catalogue),
        style="\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("css/*.css"))),
        script=script,
        licence=(HERE / "charts_licence.txt").read_text(encoding="utf-8"),
        charts=base64.b64encode(gzip.compress(charts.encode("utf-8"), 9, mtime=0)).decode("ascii"),
        blocks=blocks,
    )


def safe_json(value: Any) -> str:
    """JSON that can stand inside a script element: no markup, no line separators, only ASCII."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return "".join(_UNSAFE.get(character, character) for character in text)


def app_script() -> str:
    """The report's own script: the files of `js/` in order of name, one strict function."""
    parts = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob("js/*.js"))]
    return "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})();"


@functools.cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script (BSD-3-Clause), as the vl-convert-python package ships them.

    Bundling takes a second and is done once per environment.
    """
    import vl_convert

    kept = Path(sys.prefix) / "share" / "sextant" / f"charts-{version('vl-convert-python')}-{VEGALITE}.js"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGALITE))
    with contextlib.suppress(OSError):  # an environment that cannot be written to bundles every time
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(bundle, encoding="utf-8")
        fresh.replace(kept)
    return bundle


def _policy(*scripts: str) -> str:
    digests = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode('ascii')}'" for script in scripts)
    return f"default-src 'none'; script-src {digests}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
