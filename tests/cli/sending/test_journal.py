"""The journal of what was sent: every step counts once it is written, wherever a run breaks off."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.sending.journal import Journal
from pipeline.errors import InvalidOption


def told(journal: Journal) -> list[tuple[str, str | None, tuple[str, ...]]]:
    return [(s.key, s.batch, tuple(s.documents)) for s in journal.uploads]


def test_steps_are_there_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "state"
    with Journal(path, "o") as journal:
        first, second = journal.begin(["a", "b"]), journal.begin(["c"])
        journal.accepted(first, "1")
        journal.lost(first, ["a"])
        before = told(journal)
    assert before == [(first.key, "1", ("b",)), (second.key, None, ("c",))]
    with Journal(path, "o") as journal:
        assert told(journal) == before
    with Journal(path, "another order") as journal:
        assert told(journal) == []


def test_what_is_lost_altogether_is_forgotten(tmp_path: Path) -> None:
    with Journal(tmp_path / "state", "o") as journal:
        journal.lost(journal.begin(["a"]), ["a"])
        assert journal.uploads == []


def test_only_one_process_has_it(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "state", "o"),
        pytest.raises(InvalidOption, match="Another process"),
        Journal(tmp_path / "state", "o"),
    ):
        raise AssertionError("both have it")


@pytest.mark.parametrize("content", [b"notes", b"notes\n", b"%PDF-\xff", b"{}\n", b"[1]\n", b"1"])
def test_files_of_something_else_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state"
    path.write_bytes(content)
    with pytest.raises(InvalidOption, match="not a file of this command"):
        Journal(path, "o")
    assert path.read_bytes() == content


@given(st.data())
def test_a_line_that_broke_off_did_not_count(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        with Journal(path, "o") as journal:
            states = [told(journal)]
            for step in range(data.draw(st.integers(1, 6))):
                open_ = [s for s in journal.uploads if s.batch is None]
                choice = data.draw(st.sampled_from(["begin", "accepted", "lost"]))
                if choice == "begin" or not open_:
                    journal.begin([f"d{step}", f"é{step}"])
                elif choice == "accepted":
                    journal.accepted(open_[0], f"b{step}")
                else:
                    journal.lost(open_[0], open_[0].documents[:1])
                states.append(told(journal))
        whole = path.read_bytes()
        cut = data.draw(st.integers(0, len(whole)))
        zeros = data.draw(st.integers(0, 2))  # as a file has that grew before its power was cut
        path.write_bytes(whole[:cut] + bytes(zeros))
        with Journal(path, "o") as journal:
            assert told(journal) == states[whole[:cut].count(b"\n")]
            journal.begin(["next"])
        with Journal(path, "o") as journal:
            assert journal.uploads[-1].documents == ["next"]
