"""Questions taken apart and put into statement order: the one piece of grammar that the paraphrase and reorder rules share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tasks.perturbations.language import Sentence, inflect, is_base_verb
from tasks.perturbations.predicates import known_predicate

QUESTION_WORDS = {"how", "what", "which", "who", "whom", "whose", "where", "when", "why"}
AUXILIARIES = {
    "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must", "'s", "’s",
}  # fmt: skip
BE = {"is", "are", "was", "were", "am", "'s", "’s"}
LEADS = re.compile(
    r"(if|when|given|after|before|for|in|on|at|assuming|suppose|supposing|to|with|from|by|during|based|considering|since|of|using|altogether|overall)\b", re.I
)


@dataclass(frozen=True)
class Question:
    """One question in its parts: `lead` + `asked` + `auxiliary` + `subject` + `rest` + `mark`, each as written.

    `asked` is the question phrase ("How many apples"), empty for a yes/no question. `subject` is empty where the question phrase is the subject itself;
    then `rest` begins with the verb.
    """

    sentence: Sentence
    lead: str
    asked: str
    auxiliary: str
    subject: str
    rest: str
    statement: str
    """Subject and predicate in statement order, without the question phrase."""
    before_gap: str
    """The statement up to the place of what is asked for; empty where the subject is asked for."""

    @property
    def mark(self) -> str:
        """Its final mark."""
        return self.sentence.mark


def question(sentence: Sentence) -> Question | None:
    """The question of `sentence` in parts, None where it is none or the parse cannot be relied on."""
    tokens = [t for t in sentence.tokens if not t.is_space]
    if "?" not in sentence.mark or not tokens:
        return None
    at = _start(tokens)
    if at is None:
        return None
    start = tokens[at]
    lead = sentence.source[sentence.start : start.idx]
    word = start if start.lower_ in QUESTION_WORDS or start.lower_ in AUXILIARIES else tokens[at + 1]
    if word.lower_ in QUESTION_WORDS:
        last = _phrase_end(tokens, word)
        if last is None:
            return None
        asked = sentence.source[start.idx : last.idx + len(last.text)]
        following = next((t for t in tokens if t.i > last.i), None)
    else:
        asked, following = "", start
    return None if following is None else _parts(sentence, lead, asked, following)


def _start(tokens: list[Any]) -> int | None:
    """Index where the question clause begins: at the sentence's start, after a comma, or at "how many ..." after a lead without one."""
    lead = bool(LEADS.match(tokens[0].text)) or tokens[0].pos_ == "ADV"
    for i, token in enumerate(tokens[:-1]):
        clause = i == 0 or ((tokens[i - 1].text == "," or (tokens[i - 1].lower_ == "then" and lead)) and not _inside_brackets(tokens, i))
        asks = token.lower_ in QUESTION_WORDS and (token.tag_ in {"WRB", "WP", "WDT", "WP$"} or i == 0)
        if clause and asks and not (i == 0 and token.lower_ in {"when", "where"} and tokens[1].lower_ not in AUXILIARIES):
            return i
        if clause and token.pos_ == "ADP" and tokens[i + 1].lower_ in QUESTION_WORDS and tokens[i + 1].tag_ in {"WRB", "WP", "WDT"}:
            return i
        if token.lower_ == "how" and lead and i > 2 and tokens[i + 1].lower_ in {"many", "much", "long", "old", "far"}:
            return i
        if (
            clause
            and token.lower_ in AUXILIARIES
            and token.text[0].isalpha()
            and (i == 0 or lead)
            and tokens[i + 1].pos_ not in ({"ADP"} if i == 0 else {"VERB", "ADP"})
        ):
            return i
        if (
            lead
            and i > 2
            and token.lower_ in {"do", "does", "did", "would", "will", "can", "could"}
            and tokens[i + 1].tag_ == "PRP"
            and not any(t.text == "," for t in tokens[i:])
        ):
            return i
    return None


def _inside_brackets(tokens: list[Any], at: int) -> bool:
    before = [t.text for t in tokens[:at]]
    return before.count("(") > before.count(")")


def _is_auxiliary(token: Any) -> bool:
    return token.lower_ in AUXILIARIES and token.tag_ != "POS"


def _phrase_end(tokens: list[Any], word: Any) -> Any | None:
    """Last token of the question phrase that `word` opens: the one before its first auxiliary or finite verb outside a relative clause."""
    later = [t for t in tokens if t.i > word.i]
    for accept in (_is_auxiliary, lambda t: t.tag_ in {"VBZ", "VBD", "VBP", "MD"}):
        for token in later:
            if token.text == "," and accept is not _is_auxiliary:
                break
            if accept(token) and token.nbor(-1).lower_ not in {"that", "who", "which", "to"}:
                return token.nbor(-1)
    return None


def _parts(sentence: Sentence, lead: str, asked: str, following: Any) -> Question | None:
    text, end = sentence.source, sentence.start + len(sentence.body)
    if not _is_auxiliary(following):
        rest = text[following.idx : end]
        return Question(sentence, lead, asked, "", "", rest, rest, "") if asked and following.pos_ in {"VERB", "AUX"} else None
    if asked.lower() in {"what", "who"} and following.lower_ in BE:
        return None
    found = subject_and_verb(following, sentence, guess=not asked or "how" in asked.lower())
    if found is None or (asked and following.lower_ in {"is", "are", "was", "were"} and _asks_for_subject(asked, following)):
        rest = text[following.idx : end]
        return Question(sentence, lead, asked, "", "", rest, rest, "") if asked and _asks_for_subject(asked, following) else None
    first, last, verb = found
    if last.pos_ in {"ADP", "DET", "CCONJ"} or not verb.text.islower() and verb.i != following.i:
        return None
    auxiliary = {"'s": "is", "’s": "is"}.get(following.lower_, following.lower_)
    spoken, after = text[first.idx : last.idx + len(last.text)], text[last.idx + len(last.text) : end]
    halves = _statement(spoken, auxiliary, verb, last, end, _governor(following, verb, last, bool(asked)))
    unit = ", " in spoken and not asked or re.search(r"\d (?:kg|g|mg|km|cm|mm|ml|l|lb|oz|pound|ounce|gallon|liter|foot|inch|mile|meter)$", spoken)
    return None if halves is None or unit else Question(sentence, lead, asked, auxiliary, spoken, after.strip(), "".join(halves), halves[0])


def _governor(following: Any, verb: Any, last: Any, asked: bool) -> Any:
    """The verb that the question phrase belongs to: where it would stand in a statement."""
    noun = following.nbor(-1) if asked else verb
    while noun.head.i != noun.i and noun.pos_ not in {"VERB", "AUX"}:
        noun = noun.head
    return noun if noun.i > last.i and noun.i >= verb.i else verb


def _main_verb(auxiliary: Any, sentence: Sentence) -> Any:
    if auxiliary.dep_ in {"aux", "auxpass"} and auxiliary.head.i > auxiliary.i:
        return auxiliary.head
    if auxiliary.lower_ in {"do", "does", "did"}:
        later = (t for t in sentence.tokens if t.i > auxiliary.i + 1 and t.tag_ in {"VB", "VBP"} and t.pos_ in {"VERB", "AUX"})
        return next(later, auxiliary)
    return auxiliary


def subject_and_verb(auxiliary: Any, sentence: Sentence, *, guess: bool) -> tuple[Any, Any, Any] | None:
    """First and last token of the subject after `auxiliary`, and the main verb; by the parse, else by what can be a verb."""
    known = known_predicate(auxiliary, sentence)
    if known is not None:
        return known
    verb = _main_verb(auxiliary, sentence)
    for holder in (verb, auxiliary):
        for child in holder.children:
            if (
                child.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"}
                and child.left_edge.i == auxiliary.i + 1
                and (verb.i == auxiliary.i or child.right_edge.i < verb.i)
            ):
                if auxiliary.lower_ in BE and verb.i == auxiliary.i:
                    last = _without_predicate(child)
                    return None if last is None else (child.left_edge, last, verb)
                between = [t for t in verb.doc[child.right_edge.i + 1 : verb.i] if t.pos_ not in {"ADV", "AUX", "PART"}]
                if verb.i != auxiliary.i and not between and (verb.tag_ in {"VB", "VBP", "VBN"} or auxiliary.lower_ in BE or is_base_verb(verb.lower_)):
                    return child.left_edge, child.right_edge, _first_base(child.right_edge, verb) if auxiliary.lower_ in {"do", "does", "did"} else verb
    if not guess:
        return None
    return _guess_be(auxiliary, sentence) if auxiliary.lower_ in BE else _guess_do(auxiliary, sentence)


def _first_base(last: Any, verb: Any) -> Any:
    """The base form right after the subject: of "does he have left" it is "have", whatever the parse says."""
    after = last.nbor(1)
    while after.i < verb.i and after.pos_ == "ADV":
        after = after.nbor(1)
    return after if after.tag_ == "VB" or after.lower_ in {"have", "be"} else verb


def _without_predicate(subject: Any) -> Any | None:
    """Last token of a subject; one that took its predicate in ("Are [emus related to elks]?") is cut before the participle or adjective."""
    doc, last = subject.doc, subject.right_edge
    after = doc[last.i + 1] if last.i + 1 < len(doc) else None
    inside = [t for t in doc[subject.left_edge.i + 1 : last.i + 1]]
    second = next((t for t in inside if t.pos_ == "DET" and t.nbor(-1).pos_ in {"NOUN", "PROPN"} and t.lower_ in {"a", "an", "the"}), None)
    if second is not None:
        return second.nbor(-1)
    if after is not None and not after.is_punct:
        adjective = next((c for c in subject.children if c.i > subject.i and c.dep_ == "amod" and c.tag_ == "JJ" and c.right_edge.i == last.i), None)
        if any(t.tag_ == "VBN" and t.dep_ == "acl" for t in doc[after.i : after.sent.end]) and after.pos_ == "ADP":
            return None
        return adjective.left_edge.nbor(-1) if adjective is not None and after.pos_ == "ADP" else last
    found = [t for t in inside if t.i > t.head.i and ((t.dep_ == "acl" and t.tag_ == "VBN") or (t.dep_ in {"amod", "acl"} and t.tag_.startswith("JJ")))]
    predicate = found[-1] if found else None
    if predicate is None:
        predicate = next((c for c in subject.children if c.dep_ == "prep" and c.i > subject.i and c.lower_ != "of"), None)
    return predicate.left_edge.nbor(-1) if predicate is not None and predicate.left_edge.i > subject.left_edge.i else None


def _guess_do(auxiliary: Any, sentence: Sentence) -> tuple[Any, Any, Any] | None:
    """After do, will, can ...: the subject ends before the first base form that no article, adjective or number stands before."""
    tokens = [t for t in sentence.tokens if t.i > auxiliary.i and not t.is_punct]
    for token in tokens[1:]:
        before = token.nbor(-1)
        base = token.text.islower() and (
            token.tag_ == "VB" or (token.pos_ != "ADP" and inflect(token.lower_, "VBD") is not None and is_base_verb(token.lower_))
        )
        if (
            base
            and (token.tag_ == "VB" and before.pos_ == "ADJ" or before.pos_ not in {"DET", "ADJ", "NUM", "ADP", "AUX", "PART"})
            and before.tag_ not in {"PRP$", "POS"}
        ):
            last = before
            while last.pos_ == "ADV" and last.i > auxiliary.i + 1:
                last = last.nbor(-1)
            return tokens[0], last, token
    return None


def _guess_be(auxiliary: Any, sentence: Sentence) -> tuple[Any, Any, Any] | None:
    """After is, are ...: a pronoun, a name, or the words up to the first that can begin a predicate once a noun has been seen."""
    doc, first = auxiliary.doc, auxiliary.i + 1
    if first < sentence.last and doc[first].tag_ == "VBG":
        return None
    if first >= sentence.last or doc[first].tag_ == "PRP" or doc[first].lower_ == "there":
        return (doc[first], doc[first], auxiliary) if first + 1 < sentence.last else None
    at = next((e.end for e in doc.ents if e.start == first and e.end < sentence.last), first)
    noun = at > first
    while at < sentence.last:
        token = doc[at]
        owned = token.tag_ == "POS" or token.lower_ in {"of", "'s", "’s"}
        if noun and not owned and token.nbor(-1).lower_ not in {"of", "and", "'s", "’s", "the"}:
            named = token.nbor(-1).text[:1].isupper() and token.pos_ == "NOUN" and token.text.islower() and token.nbor(1).lower_ == "of"
            if named or token.pos_ in {"ADJ", "VERB", "DET", "ADP", "ADV", "PRON"} or token.tag_ in {"JJR", "RBR", "VBN"}:
                break
        noun = (
            noun
            or (at == first and token.nbor(1).pos_ == "DET")
            or token.pos_ in {"NOUN", "PROPN"}
            or token.tag_ in {"DT", "PRP"}
            and token.lower_ in {"anyone", "someone", "everyone"}
        )
        at += 1
    if (
        at >= sentence.last
        or not noun
        or doc[at].is_punct
        or doc[at].tag_ in {"VB", "VBP", "VBZ", "VBD", "MD"}
        or (doc[at - 1].pos_ not in {"NOUN", "PROPN", "PRON", "NUM"} and at - 1 != first)
    ):
        return None
    return doc[first], doc[at - 1], auxiliary


def _asks_for_subject(asked: str, following: Any) -> bool:
    after = following.doc[following.i + 1] if following.i + 1 < len(following.doc) else None
    return (
        following.lower_ not in {"do", "does", "did"}
        and after is not None
        and after.pos_ not in {"PRON", "PROPN", "DET"}
        and after.lower_ not in {"that", "this"}
        and not asked.lower().endswith(("how", "how much"))
    )


def _statement(subject: str, auxiliary: str, verb: Any, last: Any, end: int, governor: Any) -> tuple[str, str] | None:
    """The statement in two halves, cut after `governor`, the place where what is asked for would stand."""
    text, start = verb.doc.text, last.idx + len(last.text)
    after = text[start:end].rstrip()
    if re.match(r"\s*n[o'’]t\b|n't|\s*than\b", after):
        return None
    cut = governor.idx + len(governor.text)
    if auxiliary not in {"do", "does", "did"}:
        following = last.nbor(1) if last.i + 1 < len(last.doc) else None
        if auxiliary in BE and ", " in after:
            return None
        if (
            following is not None
            and auxiliary in BE
            and (following.tag_ in {"VB", "VBP", "VBZ", "MD"} or (following.tag_ == "VBD" and not following.lower_.endswith("ed")))
        ):
            return None
        head = f"{subject} {auxiliary}"
        return (head + text[start:cut], text[cut:end].rstrip()) if cut > start else (head, f" {after.strip()}" if after.strip() else "")
    form = inflect(verb.lemma_.lower() if verb.pos_ in {"VERB", "AUX"} else verb.lower_, {"does": "VBZ", "did": "VBD", "do": "VBP"}[auxiliary])
    if form is None or verb.idx < start or any(c.dep_ == "neg" for c in verb.children) or (auxiliary == "did" and verb.lemma_.lower() == "be"):
        return None
    done = verb.idx + len(verb.text)
    return f"{subject}{text[start : verb.idx]}{form}{text[done : max(done, cut)]}", text[max(done, cut) : end].rstrip()
