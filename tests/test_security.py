"""Rules of safety that hold in all code of the product, read from its syntax."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "cli", "models", "pipeline", "training", "workers")
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
SERVING = [path for path in FILES if path.relative_to(ROOT).parts[0] in ("app", "workers")]
# Names of things whose comparison must take the same time whatever is in them.
SECRET = re.compile(r"secret|password|signature|presented|api_?key$|^hash$|hmac", re.I)
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "joblib", "marshal", "shelve", "cloudpickle"}
UNSAFE_CALLS = {
    "torch.load": "loads pickles",
    "yaml.load": "makes objects of what a file says",
    "yaml.unsafe_load": "makes objects of what a file says",
    "numpy.load": "may load pickles",
    "np.load": "may load pickles",
    "os.system": "starts a shell",
    "os.popen": "starts a shell",
    "subprocess.getoutput": "starts a shell",
    "tempfile.mktemp": "races",
    "eval": "runs text",
    "exec": "runs text",
}


def dotted(node: ast.expr) -> str:
    """Return a name such as ``os.path.join`` as written, empty for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def last(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return last(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def of_table(node: ast.expr) -> bool:
    """Say whether an expression is a column, compared by the database under an index."""
    return isinstance(node, ast.Attribute) and last(node.value).endswith("Row")


def secrets_compared(tree: Iterator[ast.AST]) -> Iterator[int]:
    """Give the lines that compare a secret with ``==``, but for None and columns."""
    for node in tree:
        if not isinstance(node, ast.Compare):
            continue
        if not any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops):
            continue
        sides = [node.left, *node.comparators]
        secret = any(SECRET.search(last(side)) and not of_table(side) for side in sides)
        # A constant in the code is no secret.
        if secret and not any(isinstance(s, ast.Constant) or last(s).isupper() for s in sides):
            yield node.lineno


def test_checks_find_what_they_look_for() -> None:
    bad = "if given.secret == row.secret or x != password: pass\nif SecretRow.hash == 1: pass"
    assert list(secrets_compared(ast.walk(ast.parse(bad)))) == [1, 1]
    bad = "import pickle\nfrom joblib import load\ntorch.load(f)\nrun(a, shell=True)\nos.system(a)"
    assert list(unsafe(ast.walk(ast.parse(bad)))) == [1, 2, 3, 4, 5]
    bad = "log.info(f'{a}')\nlog.info('a', b)\nlog.info('a' if b else c)\nlog.info('a', extra=b)"
    assert list(varying_logs(ast.walk(ast.parse(bad)))) == [1, 2, 3]
    assert len(FILES) > 50


def found(files: list[Path], check: Callable[[Iterator[ast.AST]], Iterator[int]]) -> list[str]:
    """Return file and line of everything that a check gives."""
    return [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files
        for line in check(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def test_secrets_are_compared_in_constant_time() -> None:
    assert found(FILES, secrets_compared) == []


def unsafe(tree: Iterator[ast.AST]) -> Iterator[int]:
    """Give the lines that let a file or a text become code, or start a shell."""
    for node in tree:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if UNSAFE_MODULES & {name.partition(".")[0] for name in names}:
                yield node.lineno
        if isinstance(node, ast.Call):
            shell = any(word.arg == "shell" for word in node.keywords)
            if shell or dotted(node.func) in UNSAFE_CALLS:
                yield node.lineno


def test_no_file_makes_code_run() -> None:
    assert found(FILES, unsafe) == []


def varying_logs(tree: Iterator[ast.AST]) -> Iterator[int]:
    """Give the lines that log a text which is not fixed."""
    for node in tree:
        # What is called may be a choice, such as ``(log.warning if bad else log.info)(...)``.
        if isinstance(node, ast.Call) and any(
            dotted(part).startswith("log.")
            for part in ast.walk(node.func)
            if isinstance(part, ast.Attribute)
        ):
            texts = node.args[:1]
            while texts and isinstance(texts[0], ast.IfExp):
                texts = [texts[0].body, texts[0].orelse, *texts[1:]]
            texts.sort(key=lambda text: isinstance(text, ast.Constant))
            if len(node.args) != 1 or not isinstance(texts[0], ast.Constant):
                yield node.lineno


def test_log_lines_have_a_fixed_text() -> None:
    """What varies goes into named fields, where nobody puts a document's words by accident."""
    assert found(SERVING, varying_logs) == []


def test_no_module_answers_other_origins() -> None:
    for path in SERVING:
        assert "CORSMiddleware" not in path.read_text(encoding="utf-8")
