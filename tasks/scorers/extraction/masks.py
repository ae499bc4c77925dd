"""Digits that are no quantity: dates, times, ratios, list numbering, identifiers. Blanked with the length kept."""

from __future__ import annotations

import re

_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DATES = re.compile(
    r"(?<![\d/.-])(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}-\d{1,2}-\d{4}|\d{1,2}\.\d{1,2}\.\d{4})(?![\d/])"
    rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?=,? \d{{4}}\b)|\b\d{{1,2}}(?:st|nd|rd|th)? (?=(?:of )?{_MONTH}\b)"
)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2})(:\d{2}(?::\d{2})?)(?![\d:])")
_VERSION = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,5}(?![\d.]*,\d)(?!\d)")
_NUMBERING = re.compile(r"^[ \t]*(?:\(?\d{1,2}[.)]|\d{1,2}:)(?=[ \t]+\S)", re.MULTILINE)
_ANSWER_TAG = re.compile(r"</?(?:final_)?answer>|\\(?:boxed|fbox)(?=\d)", re.IGNORECASE)
_CITATION = re.compile(r"(?<=[\d.]) ?\[\d{1,2}\]")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>\"]{1,300}", re.IGNORECASE)
_STEP = re.compile(r"^[ \t]*(?:step|part|stage)[ \t]+\d{1,3}\b", re.IGNORECASE | re.MULTILINE)


def masked(text: str) -> str:
    """`text` with such digits blanked; every position stays."""
    text = _STEP.sub(_blank, _DATES.sub(_blank, _ANSWER_TAG.sub(_blank, _ADDRESS.sub(_blank, text))))
    text = _VERSION.sub(_version, _CLOCK.sub(_clock, text))
    text = _CITATION.sub(_blank, text)
    if len(_NUMBERING.findall(text)) > 1:
        text = _NUMBERING.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _clock(match: re.Match[str]) -> str:
    """`5:00` reads as 5; any other time is no number."""
    return match[1] + " " * len(match[2]) if set(match[2]) <= {":", "0"} else _blank(match)


def _version(match: re.Match[str]) -> str:
    grouped = all(len(group) == 3 for group in match[0].split(".")[1:])
    return match[0] if grouped else _blank(match)
