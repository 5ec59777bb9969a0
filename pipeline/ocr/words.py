"""Cleans the text of words at the door, whichever reader they come from."""

from __future__ import annotations


def clean_word(text: str) -> str:
    """Return a word without white space and without characters that cannot be shown.

    Control and format characters, private-use and unassigned code points and lone surrogates go:
    they break JSON, databases and terminals, and carry no text. The result may be empty.
    """
    return "".join(character for character in text if character.isprintable() and character != " ")
