"""Marks values that a person has to look at, however sure the model is of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipeline.result import Answer, FieldValue


def marked(value: FieldValue) -> FieldValue:
    """Return a value that needs review."""
    return value.model_copy(update={"needs_review": True})


def doubted(
    fields: Mapping[str, Answer],
    groups: Mapping[str, list[dict[str, FieldValue | None]]],
    doubtful: Callable[[str, FieldValue], bool],
) -> tuple[dict[str, Answer], dict[str, list[dict[str, FieldValue | None]]]]:
    """Return fields and rows with the doubtful ones among their values marked for review.

    Args:
        fields: answers by name.
        groups: rows by name.
        doubtful: tells of a value's name, for a cell as ``group.column[row]``, and the value.
    """
    return changed(
        fields, groups, lambda name, value: marked(value) if doubtful(name, value) else value
    )


def changed(
    fields: Mapping[str, Answer],
    groups: Mapping[str, list[dict[str, FieldValue | None]]],
    change: Callable[[str, FieldValue], FieldValue],
) -> tuple[dict[str, Answer], dict[str, list[dict[str, FieldValue | None]]]]:
    """Return fields and rows with each of their values as `change` returns it.

    Args:
        fields: answers by name.
        groups: rows by name.
        change: takes a value's name, for a cell as ``group.column[row]``, and the value.
    """

    def looked_at(name: str, value: FieldValue | None) -> FieldValue | None:
        return None if value is None else change(name, value)

    def answer(name: str, given: Answer) -> Answer:
        if isinstance(given, list):
            return [change(name, value) for value in given]
        return looked_at(name, given)

    return (
        {name: answer(name, given) for name, given in fields.items()},
        {
            group: [
                {
                    column: looked_at(f"{group}.{column}[{number}]", cell)
                    for column, cell in row.items()
                }
                for number, row in enumerate(rows)
            ]
            for group, rows in groups.items()
        },
    )
