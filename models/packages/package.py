"""Model packages on disk: a Hugging Face folder of JSON, TOML and safetensors; nothing pickled."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from models.config import TaggerConfig
from models.encoder import Encoder
from models.errors import DependencyMissing
from models.labels import LabelSet
from models.packages import manifest
from models.packages.contents import Contents, read_contents, read_tokenizer, weights_do_not_fit
from models.tagger import Head, Tagger

_WORDS = "encoder.words.weight"


@dataclass(frozen=True, slots=True)
class LoadedPackage:
    """A package in memory, on PyTorch.

    Attributes:
        contents: what lies beside its weights.
        tagger: in evaluation mode, float32; its words' vectors as they are stored.
    """

    contents: Contents
    tagger: Tagger


@dataclass(frozen=True, slots=True)
class LoadedEncoder:
    """An encoder in memory, to start from.

    Attributes:
        weights: by name, float32.
        config: that it was built from.
        tokenizer: that it was trained with.
        head: of the model package; None where the folder holds an encoder alone.
    """

    weights: dict[str, Tensor]
    config: TaggerConfig
    tokenizer: Tokenizer
    head: Head | None


def save_package(
    folder: Path,
    *,
    name: str,
    version: str,
    tagger: Tagger,
    tokenizer: Tokenizer,
    fields_toml: str,
    calibration: dict[str, Any],
    card: str,
    training: dict[str, Any] | None = None,
    profile: dict[str, Any] | None = None,
) -> None:
    """Write a package, whole or not at all: into a temporary folder beside, which is then renamed.

    Weights are stored in float16, half the size; training keeps its own float32 checkpoints.

    Args:
        folder: of the new package.
        name: its name, part of an address.
        version: its version.
        tagger: as trained.
        tokenizer: that it was trained with.
        fields_toml: content of fields.toml.
        calibration: content of calibration.json.
        card: content of README.md.
        training: what it was trained on, kept in config.json for later evaluations.
        profile: content of profile.json, by which the model is chosen for a document.

    Raises:
        ValueError: name or version is not usable.
        FileExistsError: the folder exists.
    """
    manifest.check_name(name, version)
    with _draft(folder) as draft:
        config = {
            "name": name,
            "version": version,
            "model_type": "fieldwright-tagger",
            "fields": list(tagger.labels.fields),
            "id2label": dict(enumerate(tagger.labels.names)),
            "tagger": tagger.config.to_json(),
            "training": training or {},
        }
        _write_json(draft / manifest.CONFIG, config)
        _write_json(draft / manifest.CALIBRATION, calibration)
        if profile is not None:
            _write_json(draft / manifest.PROFILE, profile, indent=None)
        weights = {key: value.half().contiguous() for key, value in tagger.state_dict().items()}
        save_file(weights, draft / manifest.WEIGHTS, metadata={"format": "pt"})
        tokenizer.save(str(draft / manifest.TOKENIZER))
        (draft / manifest.FIELDS).write_text(fields_toml, encoding="utf-8")
        (draft / manifest.CARD).write_text(card, encoding="utf-8")


def copy_package(
    source: Path,
    folder: Path,
    *,
    version: str,
    profile: dict[str, Any] | None = None,
    calibration: dict[str, Any] | None = None,
    card: str | None = None,
    fields_toml: str | None = None,
) -> None:
    """Write a new version of a package, with the same weights; what is None stays as it is.

    Args:
        source: folder of a package, which is verified and stays as it is.
        folder: of the new one.
        version: of the new one.
        profile: content of profile.json.
        calibration: content of calibration.json.
        card: content of README.md, with the version of the source.
        fields_toml: content of fields.toml, with the fields of the source.

    Raises:
        ValueError: the source is damaged, or the version is not usable.
        FileExistsError: the folder exists.
    """
    manifest.verify(source)
    content = json.loads((source / manifest.CONFIG).read_text(encoding="utf-8"))
    manifest.check_name(content["name"], version)
    card = card or (source / manifest.CARD).read_text(encoding="utf-8")
    old, new = (f"# {content['name']} {v}\n" for v in (content["version"], version))
    with _draft(folder) as draft:
        for name in manifest.REQUIRED:
            shutil.copyfile(source / name, draft / name)
        _write_json(draft / manifest.CONFIG, {**content, "version": version})
        (draft / manifest.CARD).write_text(card.replace(old, new, 1), encoding="utf-8")
        if calibration is not None:
            _write_json(draft / manifest.CALIBRATION, calibration)
        if fields_toml is not None:
            (draft / manifest.FIELDS).write_text(fields_toml, encoding="utf-8")
        if profile is not None:
            _write_json(draft / manifest.PROFILE, profile, indent=None)
        elif (source / manifest.PROFILE).is_file():
            shutil.copyfile(source / manifest.PROFILE, draft / manifest.PROFILE)


def load_package(folder: Path, *, device: str = "cpu") -> LoadedPackage:
    """Return a verified package in memory; its tagger is not to be trained further.

    What only tags is loaded by `models.packages.serving.load_word_tagger`, on a processor without
    PyTorch.

    Args:
        folder: of the package.
        device: ``cpu``, ``cuda``, or ``cuda:N``.

    Raises:
        ValueError: a file is missing or altered, or the weights do not fit the config.
        DependencyMissing: PyTorch finds no such device.
    """
    with manifest.verifying(folder):
        contents = read_contents(folder)
        return LoadedPackage(contents, load_tagger(folder, contents, device=device))


def load_tagger(folder: Path, contents: Contents, *, device: str = "cpu") -> Tagger:
    """Return the tagger of a package whose contents are read; raises as `load_package`."""
    place = torch.device(device)
    if place.type == "cuda" and (place.index or 0) >= torch.cuda.device_count():
        raise DependencyMissing(f"PyTorch finds no {device} here.", advice="Choose the device cpu.")
    # The largest one by far stays as it is stored: the encoder widens the rows that it looks up.
    # All are copies: what is loaded stays as it was verified, whatever happens to the file.
    weights = {
        key: value.clone() if key == _WORDS else value.to(torch.float32, copy=True)
        for key, value in load_file(folder / manifest.WEIGHTS).items()
    }
    try:
        with _Undrawn():
            tagger = Tagger(contents.config, contents.labels)
        tagger.load_state_dict(weights, assign=True)
    except RuntimeError as error:
        raise weights_do_not_fit(folder, error) from error
    tagger.eval().requires_grad_(False)
    return tagger.to(place)


def save_encoder(
    folder: Path,
    *,
    encoder: Encoder,
    config: TaggerConfig,
    tokenizer: Tokenizer,
    notes: Any,
    training: Mapping[str, Any] | None = None,
) -> None:
    """Write a pre-trained encoder, in float32, as a folder that training can start from.

    Args:
        folder: created where it does not exist; its files are overwritten.
        encoder: as trained.
        config: that it was built from.
        tokenizer: that it was trained with.
        notes: a JSON value on how it was trained, for people.
        training: of the package that it descends from, whose documents it has seen too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.contiguous() for name, value in encoder.state_dict().items()}
    save_file(weights, folder / manifest.WEIGHTS, metadata={"format": "pt"})
    tokenizer.save(str(folder / manifest.TOKENIZER))
    content = {
        "model_type": "fieldwright-encoder",
        "tagger": config.to_json(),
        "notes": notes,
        "training": {"trained_on": (training or {}).get("trained_on", [])},
    }
    _write_json(folder / manifest.CONFIG, content)


def load_encoder(folder: Path) -> LoadedEncoder:
    """Return an encoder from either kind of folder.

    Args:
        folder: written by `save_encoder`, or a model package.

    Raises:
        ValueError: the folder is neither, or the package is damaged.
    """
    try:
        content = json.loads((folder / manifest.CONFIG).read_text(encoding="utf-8"))
        if "tagger" not in content:
            raise ValueError(
                f"{folder} is neither an encoder of `fieldwright pretrain`, nor a package, nor a "
                "Hugging Face folder of the BERT family"
            )
        config = TaggerConfig.from_json(content["tagger"])
        if "fields" in content:
            manifest.verify(folder)
        weights = {n: v.float() for n, v in load_file(folder / manifest.WEIGHTS).items()}
        tokenizer = read_tokenizer(folder)
        head = None
        if "fields" in content:
            names = LabelSet(content["fields"]).names
            head = Head(names, weights["head.weight"], weights["head.bias"])
    except (OSError, KeyError, TypeError, SafetensorError) as error:
        why = getattr(error, "strerror", None) or repr(error)
        raise ValueError(f"{folder} holds no encoder: {why}") from error
    prefix = "encoder." if head else ""
    own = {n.removeprefix(prefix): v for n, v in weights.items() if n.startswith(prefix)}
    return LoadedEncoder(own, config, tokenizer, head)


def training_of(folder: Path) -> dict[str, Any]:
    """Return what a package or an encoder says of its training; empty where the folder is neither.

    ``trained_on`` has the marks (`training.data.seen`) of all documents that its weights have
    learnt from with labels, those of the package that it started from, too.
    """
    try:
        content = json.loads((folder / manifest.CONFIG).read_text(encoding="utf-8"))
        return dict(content["training"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


class _Undrawn(TorchFunctionMode):
    """Leaves out what fills weights with random numbers, where they are replaced anyway.

    That took as long as all else that loading does, and memory that nobody had touched.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Call a function of PyTorch, or return the tensor that one of `nn.init` would fill."""
        given = kwargs or {}
        if getattr(func, "__module__", None) == nn.init.__name__:
            return args[0] if args else given["tensor"]
        return func(*args, **given)


@contextmanager
def _draft(folder: Path) -> Iterator[Path]:
    """Yield a folder to write a package into; at the end it gets its sums and its final name."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists; a package is never overwritten")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield draft
        manifest.write_sums(draft)
        # The draft is private; a service that runs as another user must read the package.
        draft.chmod(0o755)
        for path in draft.iterdir():
            path.chmod(0o644)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _write_json(path: Path, value: Any, indent: int | None = 2) -> None:
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")
