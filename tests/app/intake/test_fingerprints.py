"""Fingerprints: the same for the same work, however it is written, and for nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.intake.fingerprints import answer_print, request_print
from pipeline.errors import InvalidOption

hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
options = st.fixed_dictionaries(
    {},
    optional={
        "pages": st.sampled_from(["1", "1-3,-1", "2"]),
        "ocr": st.sampled_from(["auto", "always", "never"]),
        "engine": st.sampled_from(["tesseract", "rapidocr"]),
        "language": st.sampled_from(["auto", "deu", "eng+deu"]),
        "include": st.just("words"),
        "on_no_fit": st.just("refuse"),
    },
)


@given(chosen=options, order=st.randoms(use_true_random=False), sha256=hashes)
def test_order_of_options_tells_nothing(chosen: dict[str, str], order: object, sha256: str) -> None:
    names = list(chosen)
    order.shuffle(names)  # type: ignore[attr-defined]
    shuffled = {name: chosen[name] for name in names}
    assert answer_print(sha256, "m", chosen) == answer_print(sha256, "m", shuffled)
    plain = request_print([sha256], model="m", options=chosen)
    assert plain == request_print([sha256], model="m", options=shuffled)


def test_an_option_left_out_is_its_default() -> None:
    said = {"ocr": "auto", "engine": "rapidocr", "language": "auto"}
    assert answer_print("a", "m", said) == answer_print("a", "m", {})


@given(one=st.tuples(hashes, options), other=st.tuples(hashes, options))
def test_other_work_has_another_fingerprint(
    one: tuple[str, dict[str, str]], other: tuple[str, dict[str, str]]
) -> None:
    defaults = {"pages": None, "ocr": "auto", "engine": "rapidocr", "language": "auto"}
    same = one[0] == other[0] and {**defaults, **one[1]} == {**defaults, **other[1]}
    prints = [answer_print(sha256, "m", chosen) for sha256, chosen in (one, other)]
    asked = [request_print([sha256], model="m", options=chosen) for sha256, chosen in (one, other)]
    assert (prints[0] == prints[1]) == same
    assert (asked[0] == asked[1]) == same


@given(st.lists(st.text("ab", max_size=3), max_size=4), st.lists(st.text("ab", max_size=3)))
def test_lists_of_files_never_run_together(one: list[str], other: list[str]) -> None:
    prints = [request_print(files, model=None, options={}) for files in (one, other)]
    assert (prints[0] == prints[1]) == (one == other)


def test_each_part_counts() -> None:
    prints = [
        request_print(["a"], model=None, options={}),
        request_print(["a"], model="m", options={}),
        request_print(["a"], model="m@1.0.0", options={}),
        request_print(["a"], model=None, options={"pages": "1"}),
        request_print(["a"], model=None, options={}, password="p"),
        request_print(["a"], model=None, options={}, password="q"),
        request_print(["b"], model=None, options={}, password="q"),
        answer_print("a", "", {}),
    ]
    assert len(set(prints)) == len(prints)
    assert prints[4] == request_print(["a"], model=None, options={}, password="p")


def test_options_are_checked() -> None:
    with pytest.raises(InvalidOption):
        answer_print("a", "m", {"ocr": "perhaps"})
