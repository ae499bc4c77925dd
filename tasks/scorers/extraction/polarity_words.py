"""Yes and no in other languages: read only where such a word is all of an answer, or opens it and ends its clause."""

from __future__ import annotations

import re

from tasks.scorers.word_sets import words

_YES = words(
    "sí sì oui ja jawohl sim da tak ano áno evet hai да так ναι כן نعم بلی हाँ हां जी ใช่ có đúng ya benar igen kyllä jes",
    "是 是的 对 對 对的 正确 正確 はい ええ 正しい 네 예 맞습니다 그렇습니다 verdadero cierto vrai wahr richtig vero verdadeiro верно правда правильно",
)
_NO = words(
    "non nein nee nej nie ne não nao nu hayır hayir нет ні όχι לא لا خير नहीं ไม่ ไม่ใช่ không tidak nem ei",
    "否 不 不是 不对 不對 错误 錯誤 いいえ いや 違います 아니요 아니오 아닙니다 falso faux falsch неверно неправда неправильно",
)
_OPENS = re.compile(r"[\W_]*(?P<word>[^\s.,;:!?()\"'\]}|_*-]{1,20}(?: \w{1,6})?)(?=\s{0,2}(?:[.,;:!)\"'\]}|\n-]|$))")


def foreign_polarity(text: str, start: int, end: int) -> tuple[str, bool, int] | None:
    """The word, its polarity and where it ends, if text[start:end] opens with a foreign yes or no that is a clause of its own."""
    match = _OPENS.match(text, start, end)
    word = match["word"].casefold() if match else ""
    return (match["word"], word in _YES, match.end("word")) if match and (word in _YES or word in _NO) else None
