"""`fieldwright dataset`: check, tag and split a dataset folder; bring it in and out."""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from cli import FAILED
from cli.shared.corpus import Reading, warn_of_few

if TYPE_CHECKING:
    from training.data import Corpus, Dataset
    from training.data.autotag import Tagged
    from training.data.formats.report import Report
    from training.data.templates import Templates

_ALIKE = 85.0  # of 100, two names of which one may be the other mistyped
_MOST_FILES, _MOST_BYTES = 1_000_000, 50 << 30  # of an archive that is imported

Folder = Annotated[Path, typer.Argument(help="Folder with labels.jsonl and documents/.")]


Form = Literal["label-studio", "azure", "cord", "docile", "kleister", "funsd", "sroie", "csv", "hf"]
"""Dataset formats of other tools; see `training.data.formats`."""


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(help="Check, tag, split and convert folders of labelled documents.")
    for command in (check, autotag, split):
        group.command()(command)
    group.command("import")(bring_in)
    group.command("export")(bring_out)
    app.add_typer(group, name="dataset", no_args_is_help=True)


def check(dataset: Folder) -> None:
    """Check that a dataset can be used, and show its fields as a fields.toml on standard output.

    Exit codes: 0 it can be used, 2 there is none, 3 it has faults.
    """
    from pipeline.values.schema import dump_fields
    from training.data import infer_fields, load_dataset
    from training.data.seen import twins

    data = load_dataset(dataset)
    data.need_labels()
    gold = sum(row.ocr is not None for row in data.rows)
    typer.echo(f"Documents: {len(data.rows)}, {gold} with a gold transcription", err=True)
    warn_of_few(data)
    filled = {
        name: {row.id for row in data.rows if row.fields.get(name)} for name in data.field_names
    }
    for name, documents in filled.items():
        typer.echo(f"{name}: a value in {len(documents)} of {len(data.rows)} documents", err=True)
    for name, other in _mistyped(filled):
        typer.echo(
            f"{name} and {other} are alike, and no document has both: is one mistyped?", err=True
        )
    for ids in twins(data.rows):
        typer.echo(f"{', '.join(ids)}: one and the same file", err=True)
    typer.echo(dump_fields(infer_fields(data)))


def _mistyped(filled: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """Return pairs of fields that may be one, by their names and the documents that have each."""
    from rapidfuzz import fuzz

    return [
        (name, other)
        for name, other in combinations(filled, 2)
        if fuzz.ratio(name, other) >= _ALIKE
        and filled[name]
        and filled[other]
        and not set(filled[name]) & set(filled[other])
    ]


def autotag(
    dataset: Folder,
    fields: Annotated[
        Path | None, typer.Option(help="fields.toml; guessed from the labels by default.")
    ] = None,
    transcription: Annotated[
        Reading | None, typer.Option(help="Read documents so; gold where all have it by default.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder for tags.jsonl and report.md.")
    ] = None,
) -> None:
    """Find the places of all label values; write the tags and a report with the oracle score.

    The oracle is post-processing run on the tags: no model can score higher on these documents.
    """
    from cli.shared.corpus import tagged
    from pipeline.values.schema import load_fields
    from store.settings import Settings
    from training.data import default_transcription, infer_fields, load_dataset

    data = load_dataset(dataset)
    specs = load_fields(fields) if fields else infer_fields(data)
    chosen = transcription or default_transcription(data)
    corpus = tagged(data, specs, chosen)
    target = output or Settings.load().home / "tags" / data.name
    target.mkdir(parents=True, exist_ok=True)
    with (target / "tags.jsonl").open("w", encoding="utf-8") as file:
        for name, found in corpus.tags.items():
            file.write(json.dumps(_tags(name, found), ensure_ascii=False) + "\n")
    report = _tag_report(f"Auto-tags of {data.name}, {chosen} transcription", corpus)
    (target / "report.md").write_text(report + "\n", encoding="utf-8")
    typer.echo(report)
    typer.echo(f"Tags and report written to {target}.", err=True)


def _tags(name: str, tagged: Tagged) -> dict[str, Any]:
    """Return what was found in a document, as a line of tags.jsonl."""
    return {
        "id": name,
        "spans": [
            {
                "field": match.field,
                "start": match.start,
                "end": match.end,
                "value": match.value,
                "how": match.how,
                "similarity": round(match.similarity, 4),
            }
            for match in tagged.matches
        ],
        "misses": [[miss.field, miss.value, miss.reason] for miss in tagged.misses],
    }


def _tag_report(title: str, corpus: Corpus) -> str:
    """Return what was found and what was not, what the tags would come to, and doubts."""
    from pipeline.values.texts.strings import fold_space
    from training.data.autotag import doubtful_labels
    from training.scoring import oracle, score, texts_of
    from training.scoring.report import scores_table

    ids = [row.id for row in corpus.rows]
    styles = corpus.styles(ids)
    texts = texts_of(oracle(corpus, ids, styles), styles)
    scores = score(texts, corpus.labels(ids), corpus.fields, corpus.contexts(ids))
    doubts = doubtful_labels(corpus.rows, corpus.documents, corpus.tags, corpus.fields)
    doubted = [
        f"- {doubt.id} {doubt.field}: `{fold_space(doubt.value)}` {doubt.reason}"
        for doubt in doubts
    ]
    misses = [
        f"- {name} {miss.field}: `{fold_space(miss.value)}`: {miss.reason}"
        for name, tagged in corpus.tags.items()
        for miss in tagged.misses
    ]
    parts = [f"# {title}", _found_table(corpus)]
    if corpus.unread:
        unread = [f"- {name}: {error}" for name, error in corpus.unread.items()]
        parts += ["## Documents that could not be read", "\n".join(unread)]
    parts += ["## Oracle: post-processing on these tags", scores_table(scores, corpus.fields)]
    parts += ["## Label gaps learnt", f"```json\n{json.dumps(styles, indent=1)}\n```"]
    parts += [f"## Labels that look wrong ({len(doubts)})", "\n".join(doubted) or "None."]
    parts += ["## Values not found", "\n".join(misses) or "None."]
    return "\n\n".join(parts)


def _found_table(corpus: Corpus) -> str:
    """Return how many labels of each field were found, and how.

    A value that rows of a table have several times counts as often as it was found.
    """
    from training.data.autotag import How
    from training.scoring.report import table

    rows = []
    for spec in corpus.fields:
        how: Counter[How] = Counter()
        labels = places = 0
        for row in corpus.rows:
            values = Counter(row.fields.get(spec.name, ()))
            labels += values.total()
            found = defaultdict[str, list[How]](list)
            if row.id in corpus.tags:
                for match in corpus.tags[row.id].matches:
                    if match.field == spec.name:
                        found[match.value].append(match.how)
                        places += 1
            for value, count in values.items():
                how.update(found[value][:count])
        cells = [labels, how.total(), *(how[name] for name in get_args(How)), places]
        rows.append([spec.name, *map(str, cells)])
    how_found = ["exact", "by value", "in columns", "fuzzy", "placed"]  # in the order of `How`
    return table(["field", "labels", "found", *how_found, "places"], rows)


def split(
    dataset: Folder,
    validation: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=0.5,
            help="Share of documents held out at a time: .1 by default, of few documents more.",
        ),
    ] = None,
    group_by: Annotated[str | None, typer.Option(help="Field that names the issuer.")] = None,
    by: Annotated[
        Literal["issuer", "template"],
        typer.Option(help="issuer: by the labels; template: by what is printed where."),
    ] = "issuer",
    transcription: Annotated[
        Reading | None, typer.Option(help="For templates; gold where all have it by default.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="PNG file for a picture of the templates.")
    ] = None,
) -> None:
    """Show the validation splits that training can use, as JSON: a list of lists of ids.

    Their order is that of --fold of `train`, which holds out the first by default. By issuer,
    small issuers are held out and large ones always trained on; by template, every template is
    held out once. Groups and samples of them are shown on standard error.
    """
    from pipeline.errors import InvalidOption
    from training.data import infer_fields, load_dataset
    from training.data.split import folds, group_by_issuer, template_splits
    from training.errors import DatasetError
    from training.field_model.plan import usual_share

    data = load_dataset(dataset)
    share = validation or usual_share(len(data.rows))
    if by == "template" and group_by is not None:
        raise InvalidOption(
            "Templates are told by what is printed, not by a field.",
            advice="Leave out --group-by, or --by template.",
        )
    if by == "template":
        templates = _templates(data, transcription)
        groups = templates.groups
        for number, names in enumerate(templates.clusters()):
            if len(names) > 1:
                shown = ", ".join(names[:3])
                typer.echo(f"template {number}: {len(names)} documents, such as {shown}", err=True)
        if plot is not None:
            from training.data.plot import plot_templates

            plot_templates(templates, plot)
    elif plot is not None or transcription is not None:
        raise InvalidOption(
            "Issuers are told by the labels: there is nothing to read or to draw.",
            advice="Add --by template, or leave --plot and --transcription out.",
        )
    else:
        groups = group_by_issuer(data.rows, infer_fields(data), group_by)
    try:
        found = (template_splits if by == "template" else folds)(groups, share)
    except ValueError as error:
        raise DatasetError(
            f"{dataset} cannot be split: {error}.",
            advice="Add documents of other templates."
            if by == "template"
            else "Add documents, or split by another --group-by or by template. `train` does so by "
            "itself where issuers are too few.",
        ) from error
    for number, ids in enumerate(found):
        told = [
            f"{count} {noun}{'s' if count != 1 else ''}"
            for count, noun in ((len(ids), "document"), (len({groups[i] for i in ids}), by))
        ]
        typer.echo(f"fold {number}: {' of '.join(told)}", err=True)
    typer.echo(json.dumps(found))


def bring_in(
    form: Annotated[Form, typer.Option("--format", help="Of the tool that labelled it.")],
    source: Annotated[
        Path, typer.Option("--from", help="The tool's folder, file, or a ZIP archive of it.")
    ],
    target: Annotated[Path, typer.Option("--to", help="Dataset folder that is made.")],
) -> None:
    """Make a dataset folder of documents that were labelled with another tool.

    Where the tool says where values are printed, nothing is searched for in training. What could
    not be carried over is told, and printed as JSON. Exit codes: 0 all documents, 3 some or none.
    """
    from training.data.formats.folder import import_dataset

    with _unpacked(source) as folder:
        _tell(import_dataset(form, folder, target), target)


def bring_out(
    form: Annotated[Form, typer.Option("--format", help="Of the tool that is to read it.")],
    source: Annotated[Path, typer.Option("--from", help="Dataset folder.")],
    target: Annotated[Path, typer.Option("--to", help="Folder that is made.")],
    find_places: Annotated[
        bool, typer.Option(help="Read the documents, and find where values are printed.")
    ] = False,
) -> None:
    """Write a dataset folder as another tool reads it; reports and exits as `import` does."""
    from training.data import load_dataset
    from training.data.formats.folder import export_dataset
    from training.data.formats.labels import UNPLACED

    data = load_dataset(source)
    report = export_dataset(form, _placed(data) if find_places else data, target)
    if UNPLACED in report.losses and not find_places:
        typer.echo("With --find-places values without a place are looked for.", err=True)
    _tell(report, target)


def _placed(data: Dataset) -> Dataset:
    """Return a dataset whose labels have the places that auto-tagging finds."""
    from dataclasses import replace

    from cli.shared.corpus import tagged
    from training.data import default_transcription, infer_fields
    from training.data.placing import with_places

    corpus = tagged(data, infer_fields(data), default_transcription(data))
    rows = (
        with_places(row, corpus.documents[row.id], corpus.tags[row.id].matches)
        if row.id in corpus.documents
        else row
        for row in data.rows
    )
    return replace(data, rows=tuple(rows))


def _tell(report: Report, target: Path) -> None:
    for line in report.sentences():
        typer.echo(line, err=True)
    typer.echo(f"Written to {target}.", err=True)
    typer.echo(json.dumps(report.to_json(), indent=1, ensure_ascii=False))
    if report.skipped:
        raise typer.Exit(FAILED)


@contextmanager
def _unpacked(source: Path) -> Iterator[Path]:
    """Give a folder or file as it is, and the content of an archive in a folder for a while."""
    from app.intake.archive import Archive, is_archive
    from pipeline.errors import InvalidOption

    try:
        is_file = source.is_file()
        with source.open("rb") if is_file else nullcontext() as file:
            packed = file is not None and is_archive(file.read(4))
    except OSError as error:
        raise InvalidOption(
            f"{source} cannot be read: {error.strerror}.", advice="Check what --from names."
        ) from error
    if not packed:
        if not source.exists():
            raise InvalidOption(f"{source} is not there.", advice="Check what --from names.")
        yield source
        return
    with (
        source.open("rb") as stream,
        Archive(stream, max_files=_MOST_FILES, max_bytes=_MOST_BYTES) as archive,
        TemporaryDirectory(prefix="fieldwright-") as scratch,
    ):
        for entry in archive.documents:
            path = Path(scratch) / entry.name.replace("\\", "/")  # judged: it leads nowhere else
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as packed_file, path.open("xb") as unpacked:
                shutil.copyfileobj(packed_file, unpacked)
        folder = Path(scratch)
        parts = list(folder.iterdir())
        yield parts[0] if len(parts) == 1 and parts[0].is_dir() else folder


def _templates(data: Dataset, transcription: Reading | None) -> Templates:
    """Return the templates of a dataset; unreadable documents are templates of their own."""
    from cli.shared.corpus import readings
    from pipeline.document import Document
    from training.data import default_transcription
    from training.data.templates import group_by_template

    chosen = transcription or default_transcription(data)
    results = readings(data.rows, chosen)
    blank = Document("", "", (), 0)
    return group_by_template(
        {name: item if isinstance(item, Document) else blank for name, item in results.items()}
    )
