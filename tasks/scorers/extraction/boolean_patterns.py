"""How English says yes and no: the words, what denies them, and what makes one of them no verdict."""

from __future__ import annotations

import re

POSITIVE = ("yes", "yep", "yeah", "yup", "true", "correct", "right", "affirmative", "accurate", "agree", "ok", "okay", "valid")
NEGATIVE = ("no", "nope", "nah", "false", "incorrect", "wrong", "untrue", "negative", "inaccurate", "disagree", "invalid", "impossible")
WORD = re.compile(rf"(?<![\w-])(?<!\w')(?P<word>{'|'.join(POSITIVE + NEGATIVE)})(?!\w|'\w)(?!-\w)", re.IGNORECASE)
NEGATOR = re.compile(
    r"(?:\b(?:not(?! only)|never|cannot|hardly|neither|nor|far from|anything but|by no means|nowhere near)|n't)\s+(?:(?!(?:is|are|was|were"
    r"|but)\b)\w+\s+){0,3}[\"'(]*$",
    re.IGNORECASE,
)
DENIAL = re.compile(
    r"\b(?:(?:do|does|did)(?: not|n't) (?:think|believe|say)|not the case|wrong to say|incorrect to say|false to say|(?<!\bno )(?<!without )doubt(?:s|ed)?"
    r"|doubtful|unlikely|implausible)\b[^.;\n]{0,60}$",
    re.IGNORECASE,
)
_OPEN = (
    r"(?:un(?:clear|known|certain|decided)|(?:not|n't|cannot|never) (?:be )?(?:clear|known|know|certain|sure|say|tell|determined?|prove|proven|confirm(?:ed)?"
    r"|verif(?:y|ied))|(?:hard|impossible|difficult) to (?:say|tell|know|determine|prove)|no (?:evidence|proof|reason|way|indication))"
)
EMBEDDED = re.compile(rf"\b(?:if|whether)\b[^.,;:!?\n]{{0,80}}$|(?:\b|(?<=n't )){_OPEN}\b[^.,;:!?\n]{{0,20}}\bthat\b[^.,;:!?\n]{{0,60}}$", re.IGNORECASE)
"""`unclear if it is`, `no evidence that it is`: what follows is asked, not said."""
OF_A_CLAUSE = re.compile(r"\s+that\s+\w", re.IGNORECASE)
"""`it is false that they are`: said of that clause."""
NOUN = re.compile(
    r"[ \t]+(?:answers?|option|choice|hand|side|way|angle|triangle|story|statement|claim|now|away|here|there's|one|body|thing|idea|doubt"
    r"|longer|more|less|matter|sense|clear|certain|definitive|definite|single|information|evidence|reason|need|such|sure)\b",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"\b(?:an?|the)\s$", re.IGNORECASE)
ATTRIBUTED = re.compile(r" (?!(?:because|since|as|and|but|or|that|if|for|in|on|when)\b)[a-z]")
"""`a true friend`: said of the friend, not of the question."""
DECLARED = re.compile(r"(?:\b(?:is|was|be)|'s|n't)(?: not)?(?: (?:clearly|indeed|actually|really|simply|therefore|thus))? an? $", re.IGNORECASE)
CLAIM = re.compile(r" (?:statement|claim|assertion|proposition|sentence|conclusion|one)\b", re.IGNORECASE)
CHOICE_OF_BOTH = re.compile(r"[\s)\]\"']{0,4}[:=?-]\s{0,3}(?=\w)")
"""What follows `yes or no` where the answer comes next (`Yes or no: yes`)."""
LABELLED = re.compile(r"\W*(?:(?:true|wrong|correct|right|false|invalid|valid|negative) \w+|no\. ?\d+)\W*", re.IGNORECASE)
"""`wrong number`, `True North`, `No. 5`: a name, not a verdict."""
ENDS = re.compile(r"[\"')\]]{0,3}\s{0,2}(?:$|[.,;:!)\n])")
BOTH = re.compile(
    r"\b(?:yes|true|correct)['\"]?\s{0,2}(?:and|or|/|nor)\s{0,2}['\"]?(?:no|false|incorrect)\b|\bno['\"]? or ['\"]?yes\b|\bneither\b", re.IGNORECASE
)
NO_CLAUSE = re.compile(
    r"\s{0,2}(?:$|[.,;:!?)\"'\n|–—-]|(?:it|they|he|she|i|we|you|this|that|these|those|there|because|since|as|the|not|a|an)\b)",
    re.IGNORECASE,
)
PREDICATE = re.compile(
    r"(?:\b(?:is|are|was|were|be|been|seems|sounds|considered|say|saying|therefore|so|thus|hence|but|i|we|that's|it's|what's|you're|they're|indeed|simply"
    r"|answer|returns?|evaluates to|to be|equals"
    r"|(?:mak|mark|consider|deem|call|judg|label|rat|render|regard|prov|rul|declar)\w*\s(?:it|this|that|(?:the|this|that)\s\w+)(?:\sas|\sto be)?)|n't"
    r"|'s|^|[:,;.!?\n(\"|-])[\s\"'(✅✔✓❌✗✘]*(?:(?:not|never|hardly|far from|anything but"
    r"|by no means|do|does|did|also|definitely"
    r"|entirely|completely|absolutely|totally|perfectly|fully|quite|actually|clearly|indeed|really|probably|likely|most|almost|certainly"
    r"|always|necessarily|strictly"
    r"|factually|logically|partially|simply|be|a|a big|strongly|would|must|both|in fact|,)[\s,]+){0,3}[\"'(]*$",
    re.IGNORECASE,
)
CONCLUSION = re.compile(
    r"(?:^|[,;\n.]\s{0,2})\s*(?:and )?(?:so|therefore|thus|hence|consequently|overall|in short|in conclusion|in summary|to conclude"
    r"|ultimately|conclusion|verdict|final verdict|result|in other words)\b",
    re.IGNORECASE,
)
VERDICT = re.compile(r"\b(?:verdict|conclusion|judg(?:e)?ment|decision|response|reply)\b[^.:\n]{0,40}?(?::|\bis\b)", re.IGNORECASE)
FOLLOWS = re.compile(
    r"\b(?:(?P<no>(?:does|do|did)(?: not|n't) (?:necessarily )?(?:logically )?(?:follow|hold|entail)|not (?:supported|entailed|the case|ok"
    r"|possible|plausible))|(?P<yes>(?:conclusion|hypothesis|statement|it|claim|argument)(?: logically| necessarily| does)? follows?"
    r"|(?:conclusion|hypothesis|statement|claim|argument)(?: indeed| still)? holds"
    r"|is the case|is entailed))\b",
    re.IGNORECASE,
)
ELLIPSIS = re.compile(
    r"\W*(?:(?P<no>(?:definitely|absolutely|certainly|of course|probably|(?:most |very )?likely|presumably|surely|obviously"
    r"|clearly) not|not (?:at all|really|exactly"
    r"|necessarily)|no way|never|hardly|by no means|i (?:do not|don't) (?:think|believe) so|i (?:highly |strongly |seriously )?doubt (?:it|that|so)"
    r"|i (?:guess|suppose|think|believe|would say) not|i'm afraid not|"
    r"(?:it|they|he|she|you|we|one|this|that) (?:is|are|was|were|do|does|did|can|could|would|will|has|have|should)(?: not|n't)|(?:it|they"
    r"|he|she|you|we) (?:cannot|can't|won't))"
    r"|(?P<yes>definitely|absolutely|certainly|of course|probably|(?:most|very) likely|sure|surely|indeed|i (?:think|believe|guess|suppose|would say) so|"
    r"(?:it|they|he|she|you|we|this|that) (?:is|are|was|were|do|does|did|can|could|would|will|has|have|should)(?: indeed)?))\W*",
    re.IGNORECASE,
)
HEDGE = re.compile(
    r"\b(?:it depends|depends on|maybe|perhaps|possibly|uncertain|unclear|unknown|undetermined|indeterminate|(?:cannot|can't"
    r"|not) (?:be )?(?:determined|known|certain|sure|say|tell|clear)|hard to say|impossible to (?:say|tell|know|determine)"
    r"|not enough information)\b",
    re.IGNORECASE,
)
BUT = re.compile(r"[,;]?\s{1,2}but\s", re.IGNORECASE)
"""`I am not sure, but probably not`: after a hedge, what is answered all the same."""
CALLED_WRONG = re.compile(
    r"[\"')]{0,2}\s(?:is|was|would be)\s(?:(?:clearly|definitely|simply|therefore|thus)\s)?(?:not (?:true|correct|right)|false|wrong"
    r"|incorrect|untrue)\b",
    re.IGNORECASE,
)
"""`that the answer is yes is false`."""
