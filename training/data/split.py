"""Validation splits by issuer or by template: none of them is on both sides."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import fuzz

from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from training.data.dataset import Row
from training.data.seen import twins

_ALIKE = 88.0  # Indel similarity of two issuers' letters and digits, 0 to 100
# Names at one address, as of a shop that changed its name; at more of them another party lives, as
# the customer of all the invoices that one office keeps.
_MOST_NAMES = 2


def issuer_field(fields: Sequence[FieldSpec]) -> str | None:
    """Return the field that names the issuer: the first name, or None where there is none."""
    return next((spec.name for spec in fields if spec.kind is Kind.NAME), None)


def group_by_issuer(
    rows: Sequence[Row], fields: Sequence[FieldSpec], by: str | None = None
) -> dict[str, str]:
    """Return row id -> name of its group; rows of one issuer share a group.

    Two rows are of one issuer where the issuer's names are alike but for spelling, or where its
    address is the same: a shop that changed its name is still one template. Addresses that stand
    beside many names are another party's. A row without either is a group of its own. Rows of one
    and the same file are together in any case.

    Args:
        rows: labelled documents.
        fields: the dataset's fields.
        by: the field that tells issuers, alone; by default the first one of kind name, and
            addresses.

    Raises:
        InvalidOption: no document has the field `by`.
    """
    if by is not None and not any(row.value(by) for row in rows):
        raise InvalidOption(
            f"No document has the field {by!r} to tell issuers by.",
            advice="Name a field of the dataset, or leave --group-by out.",
        )
    issuer = by or issuer_field(fields)
    leader: dict[str, str] = {row.id: row.id for row in rows}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    def merge(first: str, second: str) -> None:
        leader[find(second)] = find(first)

    def merge_all(ids: Sequence[str]) -> None:
        for other in ids[1:]:
            merge(ids[0], other)

    by_name = _by_value(rows, issuer) if issuer else {}
    for ids in by_name.values():
        merge_all(ids)
    names = [(value, ids[0]) for value, ids in by_name.items()]
    for index, (value, first) in enumerate(names):
        for other_value, other in names[index + 1 :]:
            if fuzz.ratio(value, other_value) >= _ALIKE:
                merge(first, other)
    named = {id_: find(id_) for ids in by_name.values() for id_ in ids}
    for spec in fields if by is None else ():
        if spec.kind is Kind.ADDRESS:
            places = [ids for ids in _by_value(rows, spec.name).values() if len(ids) > 1]
            if _is_of_issuers(places, named):
                for ids in places:
                    merge_all(ids)
    for ids in twins(rows):
        merge_all(ids)
    return {row.id: find(row.id) for row in rows}


def _by_value(rows: Sequence[Row], field: str) -> dict[str, list[str]]:
    """Return the rows that have each value of a field."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        if value := lenient(row.value(field)):
            found[value].append(row.id)
    return found


def _is_of_issuers(places: Sequence[Sequence[str]], named: Mapping[str, str]) -> bool:
    """Return whether the addresses of a field are the issuers'.

    Args:
        places: the rows of each address that several have.
        named: issuer of each row that names one.
    """
    others = sum(
        len(ids) for ids in places if len({named[i] for i in ids if i in named}) > _MOST_NAMES
    )
    return 2 * others <= sum(map(len, places))


def folds(groups: Mapping[str, str], share: float) -> list[list[str]]:
    """Return disjoint validation splits of about `share` of the documents each.

    Issuers with many documents always stay in training: a split filled by one of them would measure
    one template. An issuer is small enough when it is at most a twelfth of a split (or
    one document). The small issuers are shuffled, always alike, and dealt out whole.

    Args:
        groups: row id -> group.
        share: of all documents that one split holds, above 0 and at most 0.5.

    Raises:
        ValueError: the small issuers do not fill one split; `share` is out of range.
    """
    if not 0 < share <= 0.5:
        raise ValueError(f"share is {share}, expected above 0 and at most 0.5")
    size = max(1, round(share * len(groups)))
    members, order = _small(groups, size)
    found: list[list[str]] = [[]]
    for group in order:
        if len(found[-1]) >= size:
            found.append([])
        found[-1] += members[group]
    if len(found[-1]) < size:
        found.pop()
    if not found:
        raise ValueError(
            f"{len(order)} of {len(members)} issuers are small enough to validate on, and they do "
            f"not fill a split of {size} documents"
        )
    return found


def small_folds(groups: Mapping[str, str], count: int) -> list[list[str]]:
    """Return `count` disjoint validation splits that hold every document of the small issuers.

    As `folds`, but for a number of splits and not for their size: what large issuers keep in
    training makes them smaller.

    Args:
        groups: row id -> group.
        count: how many splits, at least 2.

    Raises:
        ValueError: there are fewer small issuers than splits, or fewer than 2 splits.
    """
    if count < 2:
        raise ValueError(f"{count} folds leave nothing to train on, expected at least 2")
    members, order = _small(groups, round(len(groups) / count))
    if len(order) < count:
        raise ValueError(
            f"{len(order)} of {len(members)} issuers are small enough to validate on, and do not "
            f"make {count} folds"
        )
    return _dealt((members[group] for group in order), count)


def _small(groups: Mapping[str, str], size: int) -> tuple[dict[str, list[str]], list[str]]:
    """Return the documents of each group, and the groups small enough for a split, shuffled."""
    members = members_of(groups)
    most = max(1, size // 12)
    order = sorted(group for group, names in members.items() if len(names) <= most)
    random.Random(0).shuffle(order)
    return members, order


def template_splits(groups: Mapping[str, str], share: float) -> list[list[str]]:
    """Return `whole_folds` of about `share` of the documents each, the likest to it first.

    Of five templates of six documents, a quarter is one of them, not the two that make a fourth
    fold: what is held out is not learnt from.
    """
    found = whole_folds(groups, round(1 / share))
    return sorted(found, key=lambda names: abs(len(names) - share * len(groups)))


def whole_folds(groups: Mapping[str, str], count: int) -> list[list[str]]:
    """Return `count` validation splits that hold every document once, groups whole.

    For data with few, large templates: every template is held out in turn, so that the mean over
    the folds says how well unseen templates are read. The largest group goes first, each to the
    emptiest fold (longest processing time first, Graham 1969).

    Args:
        groups: row id -> group.
        count: how many splits, at least 2.

    Raises:
        ValueError: there are fewer groups than splits, or fewer than 2 splits.
    """
    if count < 2:
        raise ValueError(f"{count} folds leave nothing to train on, expected at least 2")
    members = members_of(groups)
    if len(members) < count:
        raise ValueError(f"{len(members)} groups do not make {count} folds")
    largest = sorted(members.values(), key=lambda names: (-len(names), min(names)))
    return _dealt(largest, count)


def members_of(groups: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the documents of each group."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for name, group in groups.items():
        members[group].append(name)
    return members


def _dealt(several: Iterable[Sequence[str]], count: int) -> list[list[str]]:
    """Return so many folds of several groups, each group in the one that was emptiest."""
    found: list[list[str]] = [[] for _ in range(count)]
    for names in several:
        min(found, key=len).extend(names)
    return found
