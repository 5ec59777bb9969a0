"""`fieldwright benchmark`: how fast the parts are on this machine."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.measuring.service import service
from cli.shared.device import Device, Threads, device_of

if TYPE_CHECKING:
    from threading import Event

    from cli.measuring.attention import Measurement, Request

SYSTEMS = (
    "floor,cosformer,cosformer-squircle,cosformer-cross-sum,cosformer-cross-larger,near-and-far,"
    "linformer,longformer,long-skimformer,skimformer,layoutlm,lambert,transformers-layoutlm"
)
LENGTHS = "512,1024,2048,4096,8192,16384,65536"
_SLOWEST = "layoutlm"  # our softmax without a bias: PyTorch's fused attention
_MARKS = (
    # what, of which system, at which length, over which, at which, times at most
    ("time a piece", "cosformer", 16384, "cosformer", 2048, 1.3),
    ("memory a piece", "cosformer", 16384, "cosformer", 2048, 1.3),
    ("time a piece", "linformer", 16384, "linformer", 2048, 1.3),
    ("memory a piece", "linformer", 16384, "linformer", 2048, 1.3),
    ("time", "cosformer", 16384, "floor", 16384, 1.4),
    ("time", "cosformer-squircle", 16384, "floor", 16384, 1.8),
    ("time", "cosformer-cross-sum", 16384, "floor", 16384, 1.8),
    ("time", "cosformer-cross-larger", 16384, "floor", 16384, 1.8),
    ("time", "near-and-far", 16384, "floor", 16384, 1.6),
    ("time", "near-and-far", 65536, "near-and-far", 16384, 4.4),
    ("time", "cosformer", 16384, _SLOWEST, 16384, 1 / 8),
    ("time", "cosformer", 512, _SLOWEST, 512, 1.0),
    ("time", "lambert", 512, "transformers-layoutlm", 512, 1 / 4),
    ("time", "lambert", 512, _SLOWEST, 512, 1.5),
    ("time", "cosformer", 4096, "transformers-layoutlm", 4096, 1 / 12),
    ("time", "skimformer", 512, "transformers-layoutlm", 512, 1.0),
)

Table = dict[tuple[str, int], "Measurement | None"]


def register(app: typer.Typer) -> None:
    """Add the command group to the command line."""
    group = typer.Typer(help="Measure speed and memory.", no_args_is_help=True)
    group.command()(attention)
    group.command()(service)
    app.add_typer(group, name="benchmark")


def attention(
    systems: Annotated[
        str, typer.Option(help="Presets, floor, transformers-layoutlm; with commas.")
    ] = SYSTEMS,
    lengths: Annotated[str, typer.Option(help="Pieces in a sequence, with commas.")] = LENGTHS,
    layers: Annotated[int, typer.Option(min=0, help="Of our encoders; 0: the presets'.")] = 0,
    width: Annotated[int, typer.Option(min=0, help="Of our encoders; 0: the presets'.")] = 0,
    rounds: Annotated[int, typer.Option(min=1, help="Processes a measurement.")] = 3,
    seconds: Annotated[float, typer.Option(min=0, help="Of passes a process.")] = 2.0,
    slowest: Annotated[
        float, typer.Option(min=0, help="Seconds a pass may be expected to take at most.")
    ] = 60.0,
    device: Device = "auto",
    threads: Threads = 0,
    plot: Annotated[Path | None, typer.Option(help="PNG of time and memory by length.")] = None,
    output: Annotated[Path | None, typer.Option(help="JSON of all measurements.")] = None,
) -> None:
    """Measure each attention by length: time and memory of a pass, as a Markdown table.

    Each measurement has a process of its own. At each length the systems take turns, round after
    round, and the median of the rounds counts: what else the machine does hits all of them.
    Broken off, it shows what it has measured until then.
    """
    import os
    import signal
    import threading

    from cli.measuring.attention import FLOOR, LAYOUTLM, Request
    from models.config import PRESETS
    from pipeline.errors import InvalidOption

    names = [name.strip() for name in systems.split(",") if name.strip()]
    if unknown := [name for name in names if name not in {*PRESETS, FLOOR, LAYOUTLM}]:
        raise InvalidOption(
            f"There is no system {', '.join(unknown)}.",
            advice=f"Choose among {', '.join([FLOOR, LAYOUTLM, *PRESETS])}.",
        )
    try:
        sizes = sorted({int(size) for size in lengths.split(",")})
    except ValueError:
        sizes = []
    if not names or not sizes or sizes[0] < 1:
        raise InvalidOption("Nothing to measure.", advice="Give --systems and --lengths above 0.")
    if plot is not None:
        _check_plot()
    base = Request(
        "", 0, layers, width, device_of(device), threads or os.cpu_count() or 1, seconds,
        int(0.8 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")),
    )  # fmt: skip
    typer.echo(_machine(base), err=True)
    found: Table = {}
    stopped = threading.Event()
    before = {
        number: signal.signal(number, lambda number, frame: stopped.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        _measure_all(found, names, sizes, base, rounds, slowest, stopped)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if stopped.is_set():
        typer.echo("Broken off; what was measured until then:", err=True)
    typer.echo(f"{_machine(base)}\n")
    for line in _tables(found, names, sizes):
        typer.echo(line)
    for line in _marks(found):
        typer.echo(line)
    if plot is not None:
        _draw(found, names, sizes, plot)
    if output is not None:
        rows = [
            {"system": name, "length": size, "seconds": value and value.seconds,
             "memory": value and value.memory}
            for (name, size), value in found.items()
        ]  # fmt: skip
        output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if stopped.is_set():
        raise typer.Exit(130)


def _measure_all(
    found: Table,
    names: list[str],
    sizes: list[int],
    base: Request,
    rounds: int,
    slowest: float,
    stopped: Event,
) -> None:
    """Note the median of the rounds for each system and length; None where it does not fit.

    A pair is left out where the system's last length lets expect more than `slowest` seconds.
    """
    from dataclasses import replace

    before: dict[str, tuple[int, Measurement | None]] = {}
    for size in sizes:
        chosen = [name for name in names if _expected(before.get(name), size) <= slowest]
        seen: dict[str, list[Measurement]] = {name: [] for name in chosen}
        for turn in range(rounds):
            for name in chosen:
                if turn and not seen[name]:
                    continue  # it did not fit the first time
                if stopped.is_set():
                    return
                typer.echo(f"{name}, {size} pieces, round {turn + 1} of {rounds}", err=True)
                value = _alone(replace(base, system=name, length=size))
                if value is not None:
                    seen[name].append(value)
                found[name, size] = _median(seen[name])
        for name in chosen:
            before[name] = (size, found[name, size])


def _median(values: Sequence[Measurement]) -> Measurement | None:
    from cli.measuring.attention import Measurement

    if not values:
        return None
    return Measurement(
        statistics.median(value.seconds for value in values),
        int(statistics.median(value.memory for value in values)),
        sum(value.passes for value in values),
    )


def _expected(before: tuple[int, Measurement | None] | None, size: int) -> float:
    """Return the seconds of a pass to expect, growing between linearly and with the square."""
    if before is None:
        return 0.0
    length, value = before
    return float("inf") if value is None else value.seconds * (size / length) ** 1.5


def _alone(request: Request) -> Measurement | None:
    """Return a measurement from a process of its own; None where it does not fit in memory."""
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    from cli.measuring.attention import measure

    spawn = multiprocessing.get_context("spawn")
    # An interrupt goes to both processes; the measurement at hand is finished.
    ignored = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(1, spawn, signal.signal, ignored) as pool:
        try:
            return pool.submit(measure, request).result()
        except BrokenProcessPool:  # killed for its memory
            return None


def _tables(found: Table, names: list[str], sizes: list[int]) -> list[str]:
    """Return two Markdown tables: milliseconds a pass, and MiB that a pass takes."""
    lines: list[str] = []
    wide = max(map(len, [*names, "MiB a pass"]))

    def table(title: str, cell: Any) -> None:
        lines.append(f"| {title:{wide}} | " + " | ".join(f"{size:>9,}" for size in sizes) + " |")
        lines.append(f"|{'-' * (wide + 2)}|" + "----------:|" * len(sizes))
        for name in names:
            cells = [
                "not run" if (name, size) not in found
                else "no room" if (value := found[name, size]) is None
                else cell(value)
                for size in sizes
            ]  # fmt: skip
            lines.append(f"| {name:{wide}} | " + " | ".join(f"{c:>9}" for c in cells) + " |")
        lines.append("")

    table("ms a pass", lambda value: f"{1000 * value.seconds:,.1f}")
    table("MiB a pass", lambda value: f"{value.memory / 2**20:,.0f}")
    return lines


def _marks(found: Table) -> list[str]:
    """Return each mark that the measurements allow, and whether it is met."""
    lines = []
    for what, system, length, other, size, most in _MARKS:
        value, than = found.get((system, length)), found.get((other, size))
        if value is None or than is None:
            continue
        time = what.startswith("time")
        ratio = value.seconds / than.seconds if time else value.memory / max(than.memory, 1)
        if what.endswith("a piece"):
            ratio *= size / length
        lines.append(
            f"- {what}, {system} at {length:,} over {other} at {size:,}: {ratio:.3f} "
            f"(at most {most:.3f}{'' if ratio <= most else ', MISSED'})"
        )
    return lines


def _machine(base: Request) -> str:
    import torch

    if base.device == "cuda":
        where = torch.cuda.get_device_name()
    else:
        cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("model name")[2]
        where = f"{cpu.partition(':')[2].partition(chr(10))[0].strip()}, {base.threads} threads"
    return f"{where}, PyTorch {torch.__version__}, float32, one sequence a pass."


def _check_plot() -> None:
    from importlib.util import find_spec

    from pipeline.errors import InvalidOption

    if find_spec("matplotlib") is None:
        raise InvalidOption(
            "matplotlib is not installed.", advice="Run: pip install 'fieldwright[train]'."
        )


def _draw(found: Table, names: list[str], sizes: list[int], picture: Path) -> None:
    """Write a PNG: time and memory of a pass by length, both axes logarithmic."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 5.5), layout="constrained")
    panels = figure.subplots(1, 2)
    for number, name in enumerate(names):
        known = [(size, found[name, size]) for size in sizes if found.get((name, size))]
        style = {"marker": "o", "markersize": 4, "linestyle": ("-", "--", ":")[number // 10 % 3]}
        for panel, values in zip(
            panels,
            ([v.seconds for _, v in known if v], [v.memory / 2**20 for _, v in known if v]),
            strict=True,
        ):
            panel.plot([size for size, _ in known], values, label=name, **style)
    for panel, title in zip(panels, ("seconds a pass", "MiB a pass"), strict=True):
        panel.set(xscale="log", yscale="log", xlabel="pieces in the sequence", ylabel=title)
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper")
    figure.savefig(picture, dpi=120)
