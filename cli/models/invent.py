"""`fieldwright invent`: invented documents with their labels, to train and to measure on."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.errors import DependencyMissing

if TYPE_CHECKING:
    from training.invent.dataset import Inventor

_Out = Annotated[Path, typer.Argument(help="New folder for the dataset.")]
_Count = Annotated[int, typer.Option(help="How many documents.", min=1, max=1_000_000)]
_Seed = Annotated[int, typer.Option(help="The same seed gives the same documents.")]
_Scans = Annotated[float, typer.Option(help="Share of scans, 0 to 1.", min=0, max=1)]
_Photos = Annotated[float, typer.Option(help="Share of photos, 0 to 1.", min=0, max=1)]
_ALL = "de,en,es,fr,it,nl,pl,pt"
_TILLS = f"{_ALL},cs,da,fi,hr,hu,nb,ro,sv,tr,ms"
_Languages = Annotated[
    str, typer.Option(help="Languages by comma: de, en, es, fr, it, nl, pl, pt.")
]
_Processes = Annotated[
    int | None, typer.Option(help="Processes; one a core by default.", min=1, max=256)
]


def register(app: typer.Typer) -> None:
    """Add the command group to the command line."""
    group = typer.Typer(help="Invent labelled documents to train on.", no_args_is_help=True)
    for command in (invoices, receipts, orders, purchases):
        group.command()(command)
    app.add_typer(group, name="invent")


def invoices(
    out: _Out,
    count: _Count = 100,
    languages: _Languages = _ALL,
    seed: _Seed = 0,
    scans: _Scans = 0.25,
    photos: _Photos = 0.15,
    designed: Annotated[
        float, typer.Option(help="Share on pages drawn by hand, 0 to 1.", min=0, max=1)
    ] = 0.5,
    designs: Annotated[
        Path | None, typer.Option(help="Folder of such pages; those that come along by default.")
    ] = None,
    processes: _Processes = None,
) -> None:
    """Invent invoices and credit notes: PDFs with a text layer, scans and photos of them.

    Each is proven before it is written: its sums hold, and all that is labelled is printed.
    """
    from training.invent import Delivery

    delivery = Delivery(scans, photos)
    own = {} if designs is None else {"designs": designs}
    invent = _inventor("invoices").Invoices(
        seed, _split(languages), delivery, designed=designed, **own
    )
    _write(out, count, invent, processes)


def receipts(
    out: _Out,
    count: _Count = 100,
    languages: Annotated[
        str, typer.Option(help=f"Languages by comma: {_TILLS}; ms is Malaysia.")
    ] = _TILLS,
    seed: _Seed = 0,
    scans: _Scans = 0.6,
    photos: _Photos = 0.4,
    processes: _Processes = None,
) -> None:
    """Invent receipts of shops, restaurants, car parks and hotels in thirty-three countries."""
    from training.invent import Delivery

    invent = _inventor("receipts").Receipts(seed, _split(languages), Delivery(scans, photos))
    _write(out, count, invent, processes)


def orders(
    out: _Out,
    count: _Count = 200,
    issuers: Annotated[int, typer.Option(help="How many issuers have their own form.", min=1)] = 40,
    seed: _Seed = 0,
    scans: _Scans = 0.0,
    photos: _Photos = 0.0,
    processes: _Processes = None,
) -> None:
    """Invent orders for television advertising, each issuer with its own form."""
    from training.invent import Delivery

    _write(
        out, count, _inventor("orders").Orders(seed, issuers, Delivery(scans, photos)), processes
    )


def purchases(
    out: _Out,
    count: _Count = 100,
    languages: _Languages = _ALL,
    most_items: Annotated[int, typer.Option(help="Most positions of an order.", min=1)] = 400,
    seed: _Seed = 0,
    scans: _Scans = 0.0,
    photos: _Photos = 0.0,
    processes: _Processes = None,
) -> None:
    """Invent purchase orders of up to dozens of pages, with number and quantity of each item."""
    from training.invent import Delivery

    delivery = Delivery(scans, photos)
    invent = _inventor("purchases").Purchases(seed, _split(languages), most_items, delivery)
    _write(out, count, invent, processes)


def _split(languages: str) -> tuple[str, ...]:
    return tuple(language.strip() for language in languages.split(","))


def _inventor(kind: str) -> Any:
    """Import what invents a kind of document, which may need what is not installed."""
    try:
        return importlib.import_module(f"training.invent.{kind}")
    except ImportError as error:
        raise DependencyMissing(
            f"The package {error.name} is not installed.",
            advice="Run: pip install 'fieldwright[invent]'",
        ) from error


def _write(out: Path, count: int, invent: Inventor, processes: int | None) -> None:
    from cli.shared.console import ReadingBar
    from training.invent import write_dataset

    with ReadingBar("Inventing") as bar:
        write_dataset(
            out,
            count,
            invent,
            processes=min(count, processes or len(os.sched_getaffinity(0))),
            progress=lambda done: bar.on_row(done, count),
        )
