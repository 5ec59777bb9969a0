"""The names of months and weekdays, from dateparser's tables."""

from __future__ import annotations

import pytest

from pipeline.values.times import words


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_tables_that_are_not_where_they_were_are_asked_of_the_package(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    by_file = words._table(language)
    monkeypatch.setattr(words, "_TABLES", "elsewhere")
    by_package = words._table.__wrapped__(language)
    named = ("january", "may", "december", "monday", "sunday")
    assert [by_package[name] for name in named] == [by_file[name] for name in named]


def test_weekdays_are_known_as_arabic_keyboards_write_them() -> None:
    assert words.weekdays()["يکشنبه".replace("ک", "ك")] == words.weekdays()["یکشنبه"] == {6}
