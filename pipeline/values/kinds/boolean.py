"""Yes and no: ``true`` or ``false``, from words of many languages and from ticked boxes."""

from __future__ import annotations

import re

import regex

from pipeline.values.context import DocumentContext
from pipeline.values.normalised import Normalised, failed
from pipeline.values.schema import FieldSpec
from pipeline.values.texts.absent import says_absent
from pipeline.values.texts.folded import Folded
from pipeline.values.texts.strings import clean
from pipeline.values.wordlists import words_of

_YES = words_of("""
    yes y true on ja j jawohl oui o vrai si sì sí s sim verdadero vero verdadeiro ya ye iya da tak
    wahr richtig ano áno igen evet da да так иә ναι kyllä jah jā taip jo ken כן
    נכון נعم نعم हाँ हां ใช่ có はい 是 有 예 네 1 ndiyo oo já bəli კი այո بله ہاں হ্যাঁ ஆம்
    x checked ticked selected applicable included agreed あり
""")
_NO = words_of("""
    no n false off nein nee non faux não nao falso ne nie nei nej ei nē hayır nem nu нет ні όχι לא
    لا नहीं ไม่ không いいえ 否 無 无 아니요 아니오 아뇨 なし tidak bukan
    hapana hindi xeyr არა ոչ خیر نہیں না இல்லை жоқ 0 unchecked none falsch οχι 不是 不 没有 沒有
""")
_THERE_IS_NONE = frozenset({"ei ole", "tidak ada", "لا يوجد"})
_TICKED, _EMPTY = "☑☒✓✔✗✘☓⊠🗹🗷■⬛", "☐□▢◻⬜🔲❏"
# Round ones are bullets, or an O for yes, unless both stand side by side: boxes then.
_ROUND_BOXES = str.maketrans("●◉○◯", "■■□□")
_CROSSES = "✗✘"
_NEITHER = "The text says neither yes nor no."
_ROUND = frozenset("oO\u043e\u041e")  # Latin and Cyrillic
_CAPTION = re.compile(r"^[^:：]{2,60}[:：]\s{0,2}(?=\S)")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_BOX = re.compile(
    rf"\[\s?[xX✓✔]\s?\]|\(\s?[xX]\s?\)|\[\s{{0,3}}\]|\(\s{{0,3}}\)|[{_TICKED}{_EMPTY}]"
)


def read(source: Folded, spec: FieldSpec, context: DocumentContext) -> Normalised:
    """Return whether a text says yes; of "☒ Yes ☐ No" the word of the ticked box."""
    text = source.printed
    boxed = text.translate(_ROUND_BOXES)
    text = boxed if "■" in boxed and "□" in boxed else text
    if text.strip() in _ROUND:
        reason = "An O alone can be yes, a nought, or an empty circle."
        return Normalised("O", None, "TRUE", True, "ambiguous", reason, (False,))
    boxes = list(_BOX.finditer(text))
    words = _words(text)
    # "none" says no, and so do the words for "there is none".
    if len(words) > 1 and says_absent(text) and " ".join(words) not in _THERE_IS_NONE:
        return failed(source, _NEITHER)
    said = _said(words)
    if not boxes:
        if (captioned := _CAPTION.match(text)) is not None:  # "Reverse charge: yes"
            answer, caption = _said(_words(text[captioned.end() :])), _said(_words(captioned[0]))
            if len(answer) == 1 and (len(caption) > 1 or caption == [None]):
                said_so = answer[0]
                return failed(source, _NEITHER) if said_so is None else _outcome(source, said_so)
        answers = {answer for answer in said if answer is not None}
        # "n/a" begins with a letter that says no only where it stands alone.
        told = len(words) == 1 or (words and said[0] is not None and len(words[0]) > 1)
        if len(answers) == 1 and told and len(words) <= 3:
            return _outcome(source, answers.pop())
        return failed(source, _NEITHER)
    ticks = [_is_ticked(box.group()) for box in boxes]
    if not words and text.strip() in _CROSSES:
        return failed(source, "A cross alone can mean yes or no.")
    if not words:
        return (
            _outcome(source, ticks[0])
            if len(set(ticks)) == 1
            else failed(source, "Boxes are ticked and empty, and no words tell which they are.")
        )
    if len(boxes) == len(words) and None not in said and sum(ticks) == 1:
        return _outcome(source, bool(said[ticks.index(True)]))
    if len(boxes) == 1 and (said[0] is None or len(words) > 1 or said[0]):
        return _outcome(source, ticks[0])  # a box and what it stands for
    if len(boxes) == 1 and ticks[0]:
        return _outcome(source, bool(said[0]))
    return failed(source, "The boxes do not tell yes from no.")


def _words(text: str) -> list[str]:
    return [match.group() for match in _WORD.finditer(_BOX.sub(" ", text).lower())]


def _said(words: list[str]) -> list[bool | None]:
    return [True if word in _YES else False if word in _NO else None for word in words]


def _is_ticked(box: str) -> bool:
    return box in _TICKED or any(mark in box for mark in "xX✓✔")


def _outcome(source: Folded, value: bool) -> Normalised:
    printed = clean(source.printed) or source.printed
    return Normalised(printed, None, str(value).upper(), value, "ok")
