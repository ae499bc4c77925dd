"""How prose says that something is, is not, was taken back, or is beside the point."""

from __future__ import annotations

import re

Span = tuple[int, int]

_END = re.compile(r"(?<![.!?])[.!?]++[\"')\]]*+(?=\s|$)|\n+")
"""From the first sign of a run only and possessive: else a run without a space after it costs its length squared."""
_ABBREVIATION = re.compile(r"(?:\b(?:approx|ca|e\.g|i\.e|vs|mr|mrs|ms|dr|st|no|fig|eq|etc|al|cf|resp|rs)|^\s*\(?[A-Za-z0-9]{1,2})\.$", re.IGNORECASE)
_ANSWERED_NO, _DIGIT = re.compile(r"\bno\.$", re.IGNORECASE), re.compile(r"\s?\d")
_CLAUSE_BREAK = re.compile(r"[;.!?\n:,](?=\s)|\b(?:but|instead it|so|therefore|hence|thus|because|since)\b", re.IGNORECASE)
_NEGATOR = re.compile(
    r"(?:\b(?:not(?! only)|never|neither|nor|cannot|instead of|rather than|no longer|unlike|except|without|eliminat(?:e|ed|ing)|exclud(?:e|ed|ing)"
    r"|discard(?:ed|ing)?|rul(?:e|ed|ing) out|reject(?:ed|ing)?)|n't)"
    r"\s+(?:(?!but\b|just\b)[\w'$(+-]+\s+){0,3}[($\"'\[]*$",
    re.IGNORECASE,
)
_VERDICT_WORDS = (
    r"(?:not\b(?! only)|wrong\b|incorrect\b|false\b|excluded\b|eliminated\b|ruled out\b|impossible\b|out\b|tempting\b|too (?:big|small"
    r"|high|low|large|few|many|much)\b"
    r"|(?:a|the) (?:\w+ )?(?:distractor|trap|mistake)\b)"
)
_ADVERB = r"(?:clearly |definitely |also |both |all |therefore |thus |obviously |simply |just )?"
_LINK = r"[ \t]+(?:is|are|was|were|would be|will be|can be|looks|seems|must be|being)[ \t]+"
_FAILS = r"[ \t]+(?:(?:isn|aren|wasn|weren|doesn|don|didn|won|can|couldn)'t\b|cannot\b|does not\b|do not\b|did not\b|fails?\b)"
_OTHER_CLAUSE = r"(?!(?:although|though|since|because|as|while|whereas|if|given)\b)"
_DENIED = {
    words: re.compile(rf"[)\"'\]]*(?:[ \t]+{_OTHER_CLAUSE}\w+){{0,{words}}}?(?:{_LINK}{_ADVERB}{_VERDICT_WORDS}|{_FAILS})", re.IGNORECASE) for words in (0, 2)
}
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|correction|scratch that|or rather|i mean|oops|sorry|on second thought"
    r"|hold on|rethinking|on reflection|my (?:mistake|bad|error)|(?:edit|update)(?=:)"
    r"|(?:i|we) (?:made|was|were|misread|forgot"
    r"|mis\w+)\b[^.!?\n]{0,60}?(?:mistake|error|wrong)|no(?=[,:]| -|\.)|"
    r"let me (?:re-?\w+|correct|fix|double[- ]check))\b",
    re.IGNORECASE,
)
_RESTATED = re.compile(
    r"(?:\b(?:it|that|this|answer|value|total|number|result)(?:'s| is| was| should be| must be| would be| has to be)(?: actually| really"
    r"| then| in fact)?|\b(?:make (?:it|that)|should be|must be|i mean|meant)|"
    r"=|\b(?:wait|actually|correction|oops|sorry|no|rather|so|therefore|scratch that|on second thought|hold on|my (?:mistake|bad|error)"
    r"|edit|update)\b)[\s,:.\-]*(?:it'?s |it is "
    r"|that'?s |the answer is |make that |so )?[($\"']*$",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:(?:cannot|can't|could not|couldn't|unable to|not able to|impossible to|not possible to|no way to)\s(?:be\s)?(?:\w+ly\s)?(?:determined?|answer(?:ed)?"
    r"|calculated?|computed?|solved?|tell how|(?:provide|give|state|choose|select) (?:an?y?|the|one) (?:\w+ )?(?:answer|option|choice))"
    r"|(?:not enough|insufficient) (?:information|data|details)|(?:do not|don't) know how (?:many|much))\b",
    re.IGNORECASE,
)
_RESUMES = re.compile(r"\b(?:but|however|so|therefore|then)\b|;", re.IGNORECASE)
_ASIDE = re.compile(
    r"^\W*(?:this|that|i|we|the (?:solution|problem|calculation|computation|derivation|reasoning)|solved|done)\b[^=!?\n]{0,40}?\b(?:took"
    r"|required|needed|used|solved|done|did|answered|found|computed|checked)\b"
    r"[^=!?\n]{0,40}?\b(?:steps?|minutes?|seconds?|lines?|tokens?|attempts?|tries|operations?|methods?|ways)\b"
    r"|\b(?:steps?|minutes?|seconds?|hours?|lines?|tokens?|attempts?|tries)\b[^.=!?\n]{0,20}\bto (?:solve|compute|work (?:it|this) out"
    r"|figure (?:it|this) out|answer (?:it|this|the question))\b"
    r"|\bconfiden(?:t|ce)\b|\bcertainty\b|\bhope (?:this|that|it) (?:helps|is)\b|\blet me know\b",
    re.IGNORECASE,
)
_CHECK = re.compile(
    r"^\W*(?:(?:double|cross|re|sanity)[- ]?check(?:ing|ed)?|check|checking"
    r"|verification|verify|to (?:verify|check|confirm)|proof|note|hint|remember|p\.?s\.?|source|reference|fun fact)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[Span]:
    """Spans of the sentences and lines of `text` that hold anything."""
    spans, start = [], 0
    for match in _END.finditer(text):
        named = not _ANSWERED_NO.search(text, max(start, match.start() - 12), match.start() + 1) or _DIGIT.match(text, match.end())
        if match[0][0] == "." and named and _ABBREVIATION.search(text, max(start, match.start() - 12), match.start() + 1):
            continue
        if text[start : match.end()].strip():
            spans.append((start, match.end()))
        start = match.end()
    if text[start:].strip():
        spans.append((start, len(text)))
    return spans


def negated(text: str, start: int, end: int, *, words: int = 2) -> bool:
    """Whether what stands at text[start:end] is denied: `not X`, `instead of X`, `X is wrong`; up to `words` (0, 2) words between X and `is wrong`."""
    return negated_before(text, start) or denied_after(text, end, words=words)


def denied_after(text: str, end: int, *, words: int = 2) -> bool:
    """Whether what ends at `end` is denied by what follows."""
    return denial(text, end, words=words) is not None


def denial(text: str, end: int, *, words: int = 2) -> int | None:
    """Where the denial ends that follows what ends at `end`; None if none does."""
    match = _DENIED[words].match(text, end, min(len(text), end + 80))
    return match.end() if match else None


def negated_before(text: str, start: int) -> bool:
    """Whether a negator just before `start` governs it."""
    before = text[max(0, start - 48) : start]
    breaks = [match.end() for match in _CLAUSE_BREAK.finditer(before)]
    return bool(_NEGATOR.search(before[breaks[-1] :] if breaks else before))


def declined(text: str, start: int, end: int) -> int:
    """`start`, or where a sentence that declines to answer goes on with `but`, `so` ...; its `end` where it does not."""
    refused = _REFUSES.search(text, start, end)
    resumed = _RESUMES.search(text, refused.end(), end) if refused else None
    return start if refused is None else resumed.end() if resumed else end


def correction(text: str, start: int) -> int | None:
    """Position after `start` where the writer begins to take something back; None if nowhere."""
    match = _TAKEN_BACK.search(text, start)
    return None if match is None else match.start()


def restates(text: str, start: int, position: int) -> bool:
    """Whether text[start:position] leads up to a stated value (`wait, it is`), so that what stands at `position` replaces an earlier one."""
    return bool(_RESTATED.search(text[max(start, position - 60) : position]))


def aside(sentence: str) -> bool:
    """Whether a sentence is about the solving, a check or a courtesy, and states no answer."""
    return bool(_ASIDE.search(sentence) or _CHECK.search(sentence))
