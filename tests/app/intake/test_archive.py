"""Archives: what is refused whole, what comes out, and that nothing else ever happens."""

from __future__ import annotations

import io
import zipfile
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.intake.archive import Archive, is_archive
from pipeline.errors import CorruptDocument
from store.errors import ArchiveCorrupt, ArchiveUnsafe
from tests.archives import claiming, flagged, link, overlapping, zip_of

MANY, MUCH = 20, 5_000_000
CONTENT = b"%PDF-1.4 " + bytes(range(256)) * 8


def opened(data: bytes, *, files: int = MANY, size: int = MUCH) -> Archive:
    return Archive(io.BytesIO(data), max_files=files, max_bytes=size)


def contents(archive: Archive) -> list[tuple[str, bytes]]:
    found = []
    for entry in archive.documents:
        with archive.open(entry) as stream:
            found.append((entry.name, stream.read()))
    return found


def test_documents_come_out_in_order_as_they_went_in() -> None:
    entries = [("b/c.pdf", CONTENT), ("a.pdf", b"x"), ("a.pdf", b"y"), ("folder/", b"")]
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zip_of(entries)
    with opened(data) as archive:
        assert contents(archive) == entries[:3]
        assert (archive.skipped, archive.packed_document) == ((), False)


def test_what_systems_leave_behind_is_skipped_and_named() -> None:
    junk = ["__MACOSX/._a.pdf", ".DS_Store", "x/.hidden/b.pdf", "Thumbs.db", "x/desktop.ini"]
    with opened(zip_of([(name, b"x") for name in [*junk, "./a.pdf"]])) as archive:
        assert [entry.name for entry in archive.documents] == ["./a.pdf"]
        assert list(archive.skipped) == junk


def test_names_in_utf8_are_read_without_the_flag() -> None:
    data = zip_of([("réçu.pdf", b"x")])
    with opened(flagged(data, 0)) as archive:
        assert [entry.name for entry in archive.documents] == ["réçu.pdf"]


def test_office_files_are_told_from_archives() -> None:
    with opened(zip_of([("[Content_Types].xml", b"x"), ("word/a.xml", b"x")])) as archive:
        assert archive.packed_document
    with opened(zip_of([("password/a.pdf", CONTENT)])) as archive:
        assert not archive.packed_document


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(zip_of([("../../x.pdf", b"x")]), "leads out", id="up"),
        pytest.param(zip_of([("/etc/x.pdf", b"x")]), "leads out", id="absolute"),
        pytest.param(zip_of([("a\\..\\..\\x.pdf", b"x")]), "leads out", id="backslashes"),
        pytest.param(zip_of([("C:\\x.pdf", b"x")]), "leads out", id="drive"),
        pytest.param(zip_of([link("a.pdf", "/etc/passwd")]), "link", id="link"),
        pytest.param(flagged(zip_of([("a.pdf", b"x")]), 1), "password", id="encrypted"),
        pytest.param(zip_of([("a.pdf", bytes(2_000_000))]), "100 times", id="ratio"),
        pytest.param(overlapping(CONTENT, 5), "overlap", id="overlapping"),
        pytest.param(claiming(zip_of([("a.pdf", CONTENT)]), MUCH + 1), "bytes", id="size"),
        pytest.param(zip_of([(f"{n}.pdf", b"x") for n in range(21)]), "files", id="files"),
        pytest.param(zip_of([(f"{n}/", b"") for n in range(161)]), "entries", id="entries"),
        pytest.param(
            zip_of([("n" * 60_000 + str(n), b"x") for n in range(5)]), "beyond measure", id="names"
        ),
    ],
)
def test_harm_is_refused_before_anything_is_unpacked(data: bytes, reason: str) -> None:
    with pytest.raises(ArchiveUnsafe, match=reason):
        opened(data)


def test_what_is_small_may_be_packed_as_tightly_as_it_can() -> None:
    with opened(zip_of([("white.tif", bytes(999_999))])) as archive:
        assert len(contents(archive)[0][1]) == 999_999


def test_few_documents_may_have_many_bytes_but_not_beyond_the_limit() -> None:
    data = zip_of([("a", CONTENT), ("b", CONTENT)])
    opened(data, size=2 * len(CONTENT))
    with pytest.raises(ArchiveUnsafe):
        opened(data, size=2 * len(CONTENT) - 1)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(zip_of([("a.pdf", CONTENT)])[:-30], id="cut"),
        pytest.param(b"PK\x03\x04" + bytes(400), id="signature_alone"),
        pytest.param(zip_of([("é.pdf", b"x")]).replace(b"\xc3", b"\xff"), id="name_is_not_utf8"),
    ],
)
def test_damaged_archives_say_so(data: bytes) -> None:
    with pytest.raises(ArchiveCorrupt):
        opened(data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(
            zip_of([("a.pdf", CONTENT)], packed=False).replace(b"%PDF", b"%PDG"), id="sum"
        ),
        pytest.param(claiming(zip_of([("a.pdf", CONTENT)]), 5), id="shorter_than_it_is"),
    ],
)
def test_damaged_entry_is_found_while_it_is_read(data: bytes) -> None:
    with opened(data) as archive, pytest.raises(CorruptDocument, match="damaged"):
        contents(archive)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_at_one_go_are_not_used(method: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.pdf", CONTENT)
    with opened(stream.getvalue()) as found, pytest.raises(CorruptDocument, match="packed"):
        contents(found)


def test_signature_decides() -> None:
    assert is_archive(zip_of([("a", b"")]))
    assert is_archive(zip_of([]))
    assert not is_archive(CONTENT)


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)
            | st.sampled_from(["../a", "a/../../b", "\\\\x\\y", "a\x00b", "é/ü.pdf", ".x", "a/"]),
            st.binary(max_size=40),
        ),
        unique_by=lambda entry: entry[0].partition("\x00")[0],
        max_size=8,
    )
)
def test_whatever_the_names_documents_come_out_or_all_is_refused(
    entries: list[tuple[str, bytes]],
) -> None:
    try:
        archive = opened(zip_of(entries))
    except ArchiveUnsafe:
        outside = ("/", "\\")
        assert any(".." in name or name.startswith(outside) or ":" in name for name, _ in entries)
        return
    with archive:
        found = contents(archive)
        files = [(n.partition("\x00")[0], data) for n, data in entries]
        files = [(name, data) for name, data in files if not name.endswith("/")]
        assert len(found) + len(archive.skipped) == len(files)
        kept = [item for item in files if item[0] not in archive.skipped]
        assert [data for _, data in found] == [data for _, data in kept]


@settings(max_examples=200)
@given(st.data())
def test_bytes_changed_at_random_never_cause_another_error(data: st.DataObject) -> None:
    whole = bytearray(zip_of([("a.pdf", CONTENT), ("ü.pdf", CONTENT[:100])]))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    source: BinaryIO = io.BytesIO(whole)
    try:
        with Archive(source, max_files=MANY, max_bytes=MUCH) as archive:
            for entry in archive.documents:
                try:
                    with archive.open(entry) as stream:
                        assert len(stream.read()) <= entry.size
                except CorruptDocument:
                    continue
    except (ArchiveUnsafe, ArchiveCorrupt):
        return


@settings(max_examples=60)
@given(st.integers(1, 400), st.integers(0, 3_000_000))
def test_an_entry_never_unpacks_to_more_than_it_was_judged_by(packed: int, said: int) -> None:
    honest = zip_of([("a.pdf", bytes(1000 * packed))])
    try:
        with opened(claiming(honest, said)) as archive:
            ((_, content),) = contents(archive)
            assert len(content) <= said
    except (ArchiveUnsafe, CorruptDocument):
        return
