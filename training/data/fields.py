"""Guesses a dataset's fields from its label values, where no fields.toml is given."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import chain

from pipeline.errors import InvalidOption
from pipeline.values.guess import guess_kind
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import FieldSpec, Kind, in_order_of_file, is_field_name
from pipeline.values.times.dates import infer_day_first
from training.data.dataset import Dataset
from training.errors import DatasetError

_FEWEST_RANGES = 20  # documents with both dates, below which their order may be chance
_IN_ORDER, _APART = 0.95, 0.5  # least shares of ranges that do not end too soon, and that end later


def infer_fields(dataset: Dataset) -> tuple[FieldSpec, ...]:
    """Return one spec for every field of the dataset, its kind guessed from the labels.

    They are in the order of the package's fields.toml, which is that of the tagger's labels.

    A date that is hardly ever before another, and mostly after it, ends the range that it begins.
    The guess is written to the package's fields.toml, where it can be read and corrected.

    Raises:
        DatasetError: a field has a name that fields.toml cannot hold.
    """
    if unusable := [name for name in dataset.field_names if not _is_usable(name, dataset)]:
        raise DatasetError(
            f"{dataset.folder} has field names that are not usable: {', '.join(unusable)}.",
            advice="Use lower-case letters, digits and underscores, starting with a letter.",
        )
    found = _with_ranges([_infer(name, dataset) for name in dataset.field_names], dataset)
    return in_order_of_file(found)


def unlabelled_fields(dataset: Dataset, fields: Sequence[FieldSpec], model: str) -> list[str]:
    """Return which fields of a model no document of a dataset has a value of.

    Raises:
        InvalidOption: none has a value of any.
    """
    labelled = {name for row in dataset.rows for name, values in row.fields.items() if values}
    missing = [spec.name for spec in fields if spec.name not in labelled]
    if len(missing) == len(fields):
        raise InvalidOption(
            f"No document of {dataset.name} has a value of a field of {model}.",
            advice=f"Its fields are {', '.join(dataset.field_names) or 'none'}, those of the model "
            f"{', '.join(missing)}.",
        )
    return missing


def _is_usable(name: str, dataset: Dataset) -> bool:
    """Return whether a field, or a column of one of the groups, may have this name."""
    group, point, column = name.rpartition(".")
    return is_field_name(column) and (
        not point or (group in dataset.groups and is_field_name(group))
    )


def _infer(name: str, dataset: Dataset) -> FieldSpec:
    per_row = [row.fields.get(name, ()) for row in dataset.rows]
    values = list(chain.from_iterable(per_row))
    is_column = "." in name
    kind = guess_kind(values, is_column=is_column)
    return FieldSpec(
        name,
        kind,
        many=is_column or any(len(set(row)) > 1 for row in per_row),
        day_first=infer_majority_order(values) if kind is Kind.DATE else None,
    )


def _with_ranges(specs: list[FieldSpec], dataset: Dataset) -> tuple[FieldSpec, ...]:
    """Return specs in which the ends of ranges name their beginnings, and stand below them.

    A date belongs to one range at most: of several candidates, to the shortest.
    """
    dates = [spec for spec in specs if spec.kind is Kind.DATE and not spec.many]
    gaps = {
        (start.name, end.name): gap
        for start, end in itertools.permutations(dates, 2)
        if (gap := _days_between(start, end, dataset)) is not None
    }
    ordered = {spec.name: spec for spec in specs}
    names = [spec.name for spec in specs]
    taken: set[str] = set()
    for first, last in sorted(gaps, key=lambda pair: gaps[pair]):
        if not taken & {first, last}:
            taken |= {first, last}
            ordered[last] = replace(ordered[last], range_start=first)
            if names.index(first) > names.index(last):
                names.remove(first)
                names.insert(names.index(last), first)
    return tuple(ordered[name] for name in names)


def _days_between(start: FieldSpec, end: FieldSpec, dataset: Dataset) -> int | None:
    """Return the median number of days from one date to another; None where they are no range."""
    days = []
    for row in dataset.rows:
        both = [_day(row.fields.get(spec.name, ()), spec) for spec in (start, end)]
        if both[0] is not None and both[1] is not None:
            days.append((both[1] - both[0]).days)
    in_order = sum(number >= 0 for number in days)
    apart = sum(number > 0 for number in days)
    if len(days) < _FEWEST_RANGES or in_order < _IN_ORDER * len(days) or apart < _APART * len(days):
        return None
    return sorted(days)[len(days) // 2]


def _day(labels: Sequence[str], spec: FieldSpec) -> date | None:
    """Return the one day that a field's labels name."""
    if len(labels) != 1:
        return None
    found = normalise(labels[0], spec, DocumentContext())
    if found.status == "failed":
        return None
    try:
        return date.fromisoformat(found.value)
    except ValueError:  # a month without a day
        return None


def infer_majority_order(values: Sequence[str]) -> bool | None:
    """Return the order of day and month of most of the dates that tell it.

    One label typed the other way round does not hide the order of a dataset, as it does that of a
    document.
    """
    orders = [order for value in values if (order := infer_day_first([value])) is not None]
    if not orders:
        return None
    return orders.count(True) >= orders.count(False)
