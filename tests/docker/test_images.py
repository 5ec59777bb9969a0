"""The images: each holds the packages that its processes import, and runs with nothing more."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from store.jobs import Jobs
from store.settings import Settings
from store.trainings import Training, Trainings
from tests.builders import make_receipt, receipt_pdf, receipt_png
from tests.packages import tiny_package
from tests.taught import dataset_of_receipts, home_with_a_model

ROOT = Path(__file__).resolve().parents[2]

# Runs before anything else in a child: only what an image's list names can be imported.
FENCE = """
import sys
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path

def normal(name):
    return name.lower().replace("_", "-").replace(".", "-")

listed = set(sys.argv[1].split()) | {"fieldwright"} | set(sys.argv[2].split())
absent = {
    module for module, owners in packages_distributions().items()
    if not listed & {normal(owner) for owner in owners}
}
assert {"pytest", "hypothesis"} <= absent

found = PathFinder.find_spec
PathFinder.find_spec = lambda name, *others: (
    None if name.partition(".")[0] in absent else found(name, *others)
)
"""


def subset() -> ModuleType:
    spec = importlib.util.spec_from_file_location("subset", ROOT / "docker" / "subset.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SUBSET = subset()


def in_image(image: str, code: str, *arguments: object, home: Path, extra: str = "") -> str:
    """Run code as a process of an image would, and return what it wrote."""
    known = {key: value for key, value in os.environ.items() if not key.startswith("FIELDWRIGHT_")}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            FENCE + code,
            " ".join(SUBSET.held(image)),
            extra,
            *map(str, arguments),
        ],
        cwd=ROOT,
        env={**known, "FIELDWRIGHT_HOME": str(home), "FIELDWRIGHT_MODEL": "tiny"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("image", SUBSET.IMAGES)
def test_list_names_all_that_is_needed_and_nothing_else(image: str) -> None:
    """Where this fails, `python docker/subset.py close` writes the list again."""
    assert SUBSET.held(image) == list(SUBSET.close(SUBSET.IMAGES[image]))


@pytest.mark.parametrize("image", SUBSET.IMAGES)
def test_every_package_comes_from_the_lock_with_its_hash(image: str) -> None:
    names = SUBSET.held(image)
    lock = (ROOT / "requirements.lock").read_text()
    chosen = SUBSET.pick(names, lock)
    entries = SUBSET.entries(chosen)
    assert list(entries) == names
    for name, entry in entries.items():
        assert "--hash=sha256:" in entry, name
        assert entry in lock


def test_name_that_is_not_locked_is_refused() -> None:
    with pytest.raises(KeyError):
        SUBSET.pick(["no-such-package"], "a==1 \\\n    --hash=sha256:00\n")


def test_image_that_there_is_not_gets_no_empty_list() -> None:
    with pytest.raises(SystemExit, match="pick api"):
        SUBSET.main(["pick", "docker/api.txt"])


def test_api_accepts_documents_without_torch_or_parsers(tmp_path: Path) -> None:
    tiny_package(tmp_path / "models" / "tiny" / "0.0.1")
    document = tmp_path / "receipt.pdf"
    document.write_bytes(receipt_pdf(make_receipt(1)))
    code = """
import asyncio
import importlib
import httpx
from app.main import build
import cli.main
cli.main.build()
commands = ("cli.service.serve", "cli.service.keys", "cli.models.models")
for name in (*commands, "uvicorn", "psycopg", "celery", "redis"):
    importlib.import_module(name)

async def main():
    api = build()
    async with api.router.lifespan_context(api):
        transport = httpx.ASGITransport(app=api, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            for path in ("/livez", "/limits", "/models", "/openapi.json", "/metrics", "/docs"):
                assert (await client.get(path)).status_code == 200, path
            files = {"file": ("a.pdf", Path(sys.argv[3]).read_bytes())}
            sent = await client.post("/extract", files=files, data={"wait": "0"})
            assert sent.status_code == 202, sent.text

asyncio.run(main())
heavy = {"torch", "onnxruntime", "cv2", "transformers", "PIL", "pypdfium2"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    in_image("api", code, document, home=tmp_path)


# A node of `fieldwright worker` as far as its first job.
READY = """
import cli.main
cli.main.build()
import workers.broker.node
from store.settings import Settings
from store.jobs import Jobs
from workers.worker import Worker
worker = Worker("w", Jobs(Settings.load()), sys.argv[3].split(","))
worker.jobs.prepare()
assert worker.prepare()
"""


@pytest.mark.slow
@pytest.mark.ocr
def test_readers_read_and_resolve_without_torch(tmp_path: Path) -> None:
    tiny_package(tmp_path / "models" / "tiny" / "0.0.1")
    for name, data in (("a.pdf", receipt_pdf(make_receipt(1))), ("b.png", receipt_png())):
        (tmp_path / name).write_bytes(data)
    code = """
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
for path in sys.argv[4:]:
    for engine in ("rapidocr", "tesseract"):
        found = read_document(Path(path).read_bytes(), ReadOptions(engine=engine))
        assert any(page.tokens for page in found.pages), (path, engine)
assert "torch" not in sys.modules
"""
    paths = tmp_path / "a.pdf", tmp_path / "b.png"
    in_image("read", READY + code, "read,resolve", *paths, home=tmp_path)


@pytest.mark.slow
def test_taggers_tag_without_parsers(tmp_path: Path) -> None:
    tiny_package(tmp_path / "models" / "tiny" / "0.0.1")
    code = """
from pipeline.extract import Extractor
assert Extractor(worker.registry.resolve(None).path).name == "tiny"
assert not {"cv2", "PIL", "pypdfium2", "torch"} & set(sys.modules)
"""
    in_image("tag", READY + code, "tag", home=tmp_path, extra="torch")


@pytest.mark.slow
def test_trainers_train(tmp_path: Path) -> None:
    home = home_with_a_model(tmp_path)
    jobs = Jobs(Settings(home=home, model="tiny"))
    jobs.prepare()
    try:
        dataset = dataset_of_receipts(jobs, labelled=10, others=2)
        chosen = {"epochs": 1, "start": "nearest", "curve": False, "passes": 1}
        training = Training("t", dataset.id, None, "slips", "1.0.0", chosen, documents=10)
        trainings = Trainings(jobs.database)
        trainings.start(training)
        code = """
import importlib
import cli.main
cli.main.build()
from store.settings import Settings
import workers.training.process
from workers.training.trainer import main
main(Settings.load(), "trainer", threads=1)

from models.starts import minilm_folder, read_bert
weights, tokenizer = read_bert(minilm_folder())
assert weights and tokenizer.get_vocab_size() > 20_000
for name in sys.argv[3:]:
    importlib.import_module(name)
"""
        drawing = [
            ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for path in (ROOT / "training" / "field_model").glob("*.py")
        ]
        in_image("train", code, *drawing, home=home, extra="torch")
        done = trainings.get("t")
        assert (done.state, done.epoch) == ("succeeded", 1), done
    finally:
        jobs.close()
    assert (home / "models" / "slips" / "1.0.0" / "model.safetensors").is_file()


def test_every_service_is_confined() -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    services = composed["services"]
    assert {"api", "read", "tag", "tag-gpu", "train", "redis", "postgres"} <= set(services)
    built = {"docker/Dockerfile.api", "docker/Dockerfile.worker"}
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "unless-stopped", name
        assert "mem_limit" in service, name
        assert "pids_limit" in service, name
        assert "privileged" not in service, name
        if "build" in service:
            recipe = (ROOT / service["build"]["dockerfile"]).read_text()
            assert service["build"]["dockerfile"] in built
            assert "USER 10001:10001" in recipe
            assert "HEALTHCHECK" in recipe
        else:
            assert service["user"] not in ("", "0", "root", "0:0"), name
            assert "healthcheck" in service, name
    assert composed["networks"]["inside"]["internal"] is True
    assert {name for name, service in services.items() if "ports" in service} == {"api"}


@pytest.mark.parametrize("service", ["api", "read", "tag", "tag-gpu", "train"])
def test_settings_reach_every_service(service: str) -> None:
    """A line of `.env` is a setting, wherever the composition says nothing of its own."""
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"][service]
    assert composed["env_file"] == [{"path": ".env", "required": False}]
    for name, value in composed["environment"].items():
        default = Settings.model_fields.get(name.removeprefix("FIELDWRIGHT_").lower())
        if default is not None and name != "FIELDWRIGHT_DEVICE":
            assert value == f"${{{name}:-{default.default}}}"


def test_no_secret_stands_in_a_file_or_has_a_default() -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for name, secret in composed["secrets"].items():
        assert secret == {"file": f"docker/secrets/{name}"}
    assert "/docker/secrets/" in (ROOT / ".gitignore").read_text()
    for name, service in composed["services"].items():
        for variable in service.get("environment", {}):
            assert not variable.endswith(("PASSWORD", "_URL", "_KEY", "_SECRET")), (name, variable)
    context = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in context  # only what is named goes into an image
    assert not [line for line in context if "secret" in line or line == "!docker"]
