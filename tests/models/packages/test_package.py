"""Model packages: whole or not at all, unchanged or refused, and nothing that can run code."""

from __future__ import annotations

import ast
import hashlib
import json
import struct
from pathlib import Path

import pytest
import torch

from models.errors import DependencyMissing
from models.labels import LabelSet
from models.packages import manifest
from models.packages.package import (
    copy_package,
    load_encoder,
    load_package,
    save_encoder,
    training_of,
)
from models.tagger import Tagger
from tests.packages import RECEIPT_FIELDS, save_tiny, tiny_config, tiny_package, tiny_tokenizer

ROOT = Path(__file__).resolve().parents[3]
PRODUCT = ("app", "cli", "models", "pipeline", "training", "workers")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return tiny_package(tmp_path / "home" / "tiny")


def _save(folder: Path, **changes: object) -> None:
    save_tiny(folder, Tagger(tiny_config(layers=1), LabelSet(("a",))), **changes)


def test_package_is_a_hugging_face_folder(package: Path) -> None:
    assert {path.name for path in package.iterdir()} == {*manifest.REQUIRED, manifest.SUMS}
    config = json.loads((package / "config.json").read_text())
    labels = config["id2label"]
    assert labels["0"] == "O"
    assert labels["1"] == "B-company"
    assert len(labels) == 1 + 4 * len(RECEIPT_FIELDS)


def test_sums_are_those_of_sha256sum(package: Path) -> None:
    lines = (package / manifest.SUMS).read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256((package / name).read_bytes()).hexdigest()}  {name}"
        for name in sorted(manifest.REQUIRED)
    ]


def test_weights_are_kept_in_half_precision(package: Path) -> None:
    data = (package / manifest.WEIGHTS).read_bytes()
    [size] = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    kinds = {item["dtype"] for name, item in header.items() if name != "__metadata__"}
    assert kinds == {"F16"}


def test_identity_covers_every_file(package: Path, tmp_path: Path) -> None:
    one = manifest.load_manifest(package)
    same = manifest.load_manifest(tiny_package(tmp_path / "same"))
    other = manifest.load_manifest(tiny_package(tmp_path / "other", seed=1))
    assert (one.name, one.version, one.preset) == ("tiny", "0.0.1", "lambert")
    assert one == same
    assert one.sha256 != other.sha256


def test_what_is_loaded_is_what_was_saved(package: Path) -> None:
    loaded = load_package(package)
    assert loaded.contents.manifest == manifest.load_manifest(package)
    assert loaded.tagger.labels.fields == tuple(spec.name for spec in RECEIPT_FIELDS)
    assert not loaded.tagger.training
    assert not any(parameter.requires_grad for parameter in loaded.tagger.parameters())
    words = loaded.tagger.encoder.words.weight
    assert words.dtype == torch.float16  # as it is stored: the largest one by far
    assert {p.dtype for p in loaded.tagger.parameters() if p is not words} == {torch.float32}


def test_what_is_loaded_stays_whatever_happens_to_the_file(package: Path) -> None:
    loaded = load_package(package)
    before = {name: value.clone() for name, value in loaded.tagger.state_dict().items()}
    with (package / manifest.WEIGHTS).open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(0)
        file.write(bytes(size))
        file.truncate(size // 2)
    after = loaded.tagger.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())


def test_nothing_random_is_left_in_what_is_loaded(package: Path) -> None:
    """Not even where a weight is none of those that are stored."""
    states = []
    for seed in range(2):
        torch.manual_seed(seed)
        tagger = load_package(package).tagger
        states.append({**dict(tagger.named_parameters()), **dict(tagger.named_buffers())})
    first, second = states
    assert first.keys() == second.keys()
    assert all(torch.equal(value, second[name]) for name, value in first.items())


@pytest.mark.parametrize("name", manifest.REQUIRED)
@pytest.mark.parametrize("fault", ["is missing", "was altered", "was truncated"])
def test_damage_is_found_and_named(package: Path, name: str, fault: str) -> None:
    path = package / name
    data = path.read_bytes()
    if fault == "is missing":
        path.unlink()
    elif fault == "was altered":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    else:
        path.write_bytes(data[: len(data) // 2])
    shown = "was altered" if fault == "was truncated" else fault
    with pytest.raises(ValueError, match=f"{name} {shown}"):
        load_package(package)


def test_several_faults_are_all_named(package: Path) -> None:
    (package / "README.md").unlink()
    (package / "fields.toml").write_text("")
    with pytest.raises(ValueError, match=r"README.md is missing; fields.toml was altered"):
        manifest.verify(package)


def test_sums_must_be_there_and_whole(package: Path) -> None:
    sums = package / manifest.SUMS
    sums.write_text("".join(sums.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(ValueError, match="is not listed"):
        manifest.verify(package)
    sums.unlink()
    with pytest.raises(ValueError, match="no readable SHA256SUMS"):
        manifest.verify(package)


def test_folder_that_is_no_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a model package"):
        manifest.load_manifest(tmp_path)


def test_weights_of_another_shape_are_refused(package: Path) -> None:
    path = package / "config.json"
    config = json.loads(path.read_text())
    config["tagger"]["intermediate_size"] = 32
    path.write_text(json.dumps(config))
    manifest.write_sums(package)
    with pytest.raises(ValueError, match="do not fit the config"):
        load_package(package)


@pytest.mark.parametrize(
    ("name", "before", "after", "message"),
    [
        (manifest.CONFIG, '"heads": ', '"heads": "2", "x": ', "unknown keys: x"),
        (manifest.CONFIG, '"heads": ', '"layers": null, "heads": ', "do not fit the config"),
        (manifest.TOKENIZER, '"version"', '"versions"', "tokenizer.json: "),
    ],
)
def test_content_that_is_none_is_named(
    package: Path, name: str, before: str, after: str, message: str
) -> None:
    """Its sums may be right all the same."""
    text = (package / name).read_text(encoding="utf-8")
    assert before in text
    (package / name).write_text(text.replace(before, after), encoding="utf-8")
    manifest.write_sums(package)
    with pytest.raises(ValueError, match=message):
        load_package(package)


def test_a_device_that_is_not_there_is_named(package: Path) -> None:
    with pytest.raises(DependencyMissing, match="finds no cuda:99 here"):
        load_package(package, device="cuda:99")


def test_package_is_never_overwritten(package: Path) -> None:
    before = {path.name: path.read_bytes() for path in package.iterdir()}
    with pytest.raises(FileExistsError, match="never overwritten"):
        _save(package)
    assert {path.name: path.read_bytes() for path in package.iterdir()} == before


def test_failed_save_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        _save(tmp_path / "new" / "1", name="new", calibration={"not JSON": object()})
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    "name", ["", "Upper", "1st", "a b", "a/b", "..", "a.b", "é", "-a", "a" * 65, "a\n"]
)
def test_names_that_are_no_address_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="model name"):
        _save(tmp_path / "x", name=name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", ["", "..", "a/b", "v 1", ".1", "-1", "1\n", "1" * 65])
def test_versions_that_are_no_address_are_refused(version: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="model version"):
        _save(tmp_path / "x", version=version)


@pytest.mark.parametrize(("name", "version"), [("a", "1"), ("receipts-2_b", "1.0.0-rc.1+x")])
def test_usual_names_are_accepted(name: str, version: str, tmp_path: Path) -> None:
    _save(tmp_path / "x", name=name, version=version)
    assert manifest.load_manifest(tmp_path / "x").version == version


_FORBIDDEN = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
_CALLS = {("torch", "load"), ("torch", "save"), ("yaml", "load"), ("numpy", "load"), ("np", "load")}


def _dangers(source: str) -> list[str]:
    """Return what in a module could read or write data that runs code."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name.split(".")[0] in _FORBIDDEN]
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").split(".")[0] in _FORBIDDEN:
                found.append(str(node.module))
            pairs = {(node.module or "", alias.name) for alias in node.names}
            found += [".".join(pair) for pair in pairs & _CALLS]
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in _CALLS
        ):
            found.append(f"{node.value.id}.{node.attr}")
    return found


@pytest.mark.parametrize(
    "source",
    ["import pickle", "from joblib import load", "import torch\ntorch.load('x')", "yaml.load(x)"],
)
def test_search_for_pickles_finds_them(source: str) -> None:
    assert _dangers(source)


def test_no_module_unpickles() -> None:
    modules = [path for name in PRODUCT for path in (ROOT / name).rglob("*.py")]
    assert len(modules) > 50
    dangers = {
        str(path.relative_to(ROOT)): found
        for path in modules
        if (found := _dangers(path.read_text(encoding="utf-8")))
    }
    assert dangers == {}


def test_encoder_is_loaded_from_either_kind_of_folder(package: Path, tmp_path: Path) -> None:
    tagger = load_package(package).tagger
    save_encoder(
        tmp_path / "encoder",
        encoder=tagger.encoder,
        config=tagger.config,
        tokenizer=tiny_tokenizer(),
        notes={"steps": 1},
    )
    for folder in (tmp_path / "encoder", package):
        loaded = load_encoder(folder)
        weights, config, tokenizer = loaded.weights, loaded.config, loaded.tokenizer
        assert config == tagger.config
        assert tokenizer.get_vocab() == tiny_tokenizer().get_vocab()
        own = tagger.encoder.state_dict()
        assert weights.keys() == own.keys()
        assert all(torch.equal(value, own[name]) for name, value in weights.items())


@pytest.mark.parametrize("fault", ["empty", "no_weights", "not_weights", "altered_package"])
def test_folder_without_an_encoder_is_refused(tmp_path: Path, fault: str) -> None:
    folder = tiny_package(tmp_path / "tiny")
    if fault == "empty":
        folder = tmp_path
    elif fault == "no_weights":
        (folder / manifest.WEIGHTS).unlink()
    elif fault == "not_weights":
        (folder / manifest.WEIGHTS).write_bytes(b"not weights")
        manifest.write_sums(folder)
    else:
        (folder / manifest.CARD).write_text("changed")
    with pytest.raises(ValueError, match=r"holds no encoder|is missing|was altered"):
        load_encoder(folder)


def test_folder_that_is_not_there_holds_no_encoder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"gone holds no encoder: No such file or directory$"):
        load_encoder(tmp_path / "gone")


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"training": 3}', None])
def test_who_says_nothing_of_a_training_has_had_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    assert training_of(tmp_path) == {}


def test_a_copy_has_the_weights_and_a_profile_of_its_own(package: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in package.iterdir()}
    copy = tmp_path / "copy"
    copy_package(package, copy, version="9.9", profile={"any": 1})
    manifest.verify(copy)
    assert manifest.load_manifest(copy).version == "9.9"
    assert json.loads((copy / manifest.PROFILE).read_text()) == {"any": 1}
    for name in (manifest.WEIGHTS, manifest.TOKENIZER, manifest.FIELDS, manifest.CALIBRATION):
        assert (copy / name).read_bytes() == before[name]
    assert {path.name: path.read_bytes() for path in package.iterdir()} == before
    with pytest.raises(FileExistsError):
        copy_package(package, copy, version="9.9", profile={})
    with pytest.raises(ValueError, match="version"):
        copy_package(package, tmp_path / "other", version="../9", profile={})
