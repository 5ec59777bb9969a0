"""A package that a training is to end in: decided, and refused, before it begins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.packages.manifest import check_name
from pipeline.answers.arithmetic.checks import Check
from pipeline.answers.titles import Titles
from pipeline.errors import InvalidOption


@dataclass(frozen=True, slots=True)
class NewPackage:
    """A package that is to be written.

    Attributes:
        folder: that it is written to.
        name, version: under which it is served.
        data_licence: source and licence of the data, in words.
        description: what it reads, in words.
        checks: of its answers.
        titles: of its documents, and of others; None where it does not say.
    """

    folder: Path
    name: str
    version: str = "1.0.0"
    data_licence: str = "not stated"
    description: str = ""
    checks: tuple[Check, ...] = ()
    titles: Titles | None = None

    def check(self) -> None:
        """Refuse what could not be written after the training.

        Raises:
            InvalidOption: the name is not usable, the version exists, or it cannot be written.
        """
        try:
            check_name(self.name, self.version)
        except ValueError as error:
            raise InvalidOption(
                f"{error}.", advice="Choose another --name or --version."
            ) from error
        if self.folder.exists():
            raise InvalidOption(
                f"{self.folder} exists; a package is never overwritten.",
                advice="Choose another --version.",
            )
        lacking = [place for place in (self.folder, *self.folder.parents) if not place.exists()]
        try:  # a training of hours would end with this
            self.folder.mkdir(parents=True)
            for place in lacking:
                place.rmdir()
        except OSError as error:
            raise InvalidOption(
                f"{self.folder} cannot be made: {error.strerror}.", advice="Choose another --out."
            ) from error
