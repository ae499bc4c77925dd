"""The equation check on GSM8K gold solutions and on copies with one number changed. Run by hand: python -m tests.benchmarks.equations_gsm8k

Every line of the 1,319 test solutions but the last (`####`). A copy changes one digit of one number inside one `a op b = c` of the line, seeded; caught
means that the copy has a false equation where the original had none.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

from tasks.scorers.equations import check, verdicts

GSM8K = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "gsm8k" / "test.jsonl"
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?|\.\d+")
EQUATION = re.compile(r"[\d$.,%() ]+(?:[-+*/x÷][\d$.,%() ]+)+=\s*\$?[\d.,]+")


def changed(text: str, match: re.Match[str], random: Random) -> str | None:
    """`text` with one digit of one number inside `match` changed; None where the value stays the same."""
    numbers = list(NUMBER.finditer(text, match.start(), match.end()))
    if not numbers:
        return None
    number = random.choice(numbers)
    old = number.group().rstrip(",")
    places = [i for i, character in enumerate(old) if character.isdigit()]
    place = random.choice(places)
    new = old[:place] + random.choice([d for d in "0123456789" if d != old[place]]) + old[place + 1 :]
    return None if float(new.replace(",", "")) == float(old.replace(",", "")) else text[: number.start()] + new + text[number.start() + len(old) :]


def main() -> None:
    random, gold, caught = Random(1), Counter(), Counter()
    for row in GSM8K.read_text(encoding="utf-8").splitlines():
        for line in json.loads(row)["answer"].split("\n")[:-1]:
            gold.update(verdict for _, verdict in verdicts(line))
            for kind, text in (("text alone", re.sub(r"<<[^<>]*>>", "", line)), ("text with marks", line)):
                before = check(text)
                if before.n == 0 or before.n_false:
                    continue
                for match in EQUATION.finditer(text):
                    copy = changed(text, match, random)
                    if copy is not None:
                        caught[kind, check(copy).n_false > 0] += 1
    decided = gold["true"] + gold["false"]
    print(f"gold: {dict(gold)}; true of decided {gold['true'] / decided:.4%}; decided {decided / gold.total():.2%} (the rest hold an unknown or change units)")
    for kind in ("text alone", "text with marks"):
        n = caught[kind, True] + caught[kind, False]
        print(f"one number changed, {kind}: {caught[kind, True]} of {n} caught, {caught[kind, True] / n:.2%}")


if __name__ == "__main__":
    main()
