"""What the documents name exists: tests, linked files, modules, functions. Every document is in the index."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path

import pytest

from evenboard_engine.systems.dutch.articles import DutchRule
from tests.house.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TREES = (*PACKAGES, "bench", "docker", "locale", "static", "templates", "tests")
OF_OTHERS = frozenset(
    {
        "bye_received",
        "determine_initial_g1_and_g2",
        "get_bye",
        "http_ece",
        *("_build_engine_players", "_iter_homogeneous", "_vector", "allocate_colour", "P26Player"),
        "integrity_check",
        "last_differing_round",
        "pg_dump",
        "proxy_cache_use_stale",
        "py_vapid",
    }
)
"""Names of other programs."""


def test_tests_that_prove_a_variant_exist() -> None:
    file, named = "", 0
    for path, name in re.findall(r"`([\w/.]*)::(test_\w+)`", (ROOT / "docs/rules.md").read_text()):
        file = path or file
        place = ROOT if file.startswith("evenboard_engine/") else ROOT / "tests"
        assert f"def {name}(" in (place / file).read_text(), (file, name)
        named += 1
    assert named > 20


def test_functions_of_the_tables_of_articles_are_in_their_files(files: list[str]) -> None:
    """A name behind a file in the last column is in that file."""
    missing, found = [], 0
    for row in re.findall(r"^\|.*\|$", (ROOT / "docs/rules.md").read_text(), flags=re.MULTILINE):
        text = ""
        for quoted_name in re.findall(r"`([^`]+)`", row.rsplit("|", 2)[1]):
            if re.fullmatch(r"[\w/]+\.py", quoted_name):
                text = "".join(
                    (ROOT / file).read_text("utf-8")
                    for file in files
                    if f"/{file}".endswith(f"/{quoted_name}") and not file.startswith("tests")
                )
            elif text and re.fullmatch(r"[A-Za-z_]\w*(\.\w+)?", quoted_name):
                found += 1
                if not re.search(rf"\b{quoted_name.rsplit('.', 1)[-1]}\b", text):
                    missing.append((quoted_name, row))
    assert missing == []
    assert found > 150


def test_every_article_of_the_dutch_system_has_a_row() -> None:
    table = (ROOT / "docs/rules.md").read_text().split("## Dutch System")[1].split("\n## ")[0]
    articles = {
        one for row in re.findall(r"^\| ([^|]+) \|", table, flags=re.MULTILINE) for one in row.split(", ")
    }
    wanted = {*(rule.value for rule in DutchRule), *(f"C{number}" for number in range(1, 22))}
    assert wanted - articles == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_linked_files_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_linked_headings_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]*)\)", document.read_text("utf-8"))
    missing = [
        f"{name}#{heading}"
        for name, heading in links
        if heading not in headings(document.parent / name if name else document)
    ]
    assert missing == []


def headings(document: Path) -> set[str]:
    """Return the names under which a page of documents links to its headings."""
    lines = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}


DECISIONS = sorted((ROOT / "docs/decisions").glob("*.md"))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.name)
def test_a_decision_is_short(decision: Path) -> None:
    """The decision, its reason and its price. Measurements are in docs/performance.md."""
    assert len(decision.read_text("utf-8").splitlines()) < 60


@pytest.fixture(scope="module")
def files() -> list[str]:
    """Return the paths of all files of the program, from its root."""
    found = (path for tree in (*TREES, "docs") for path in (ROOT / tree).rglob("*") if path.is_file())
    return [path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts] + [
        path.name for path in ROOT.iterdir() if path.is_file()
    ]


@pytest.fixture(scope="module")
def names(files: list[str]) -> set[str]:
    """Return every name that stands in the code, and those of the files."""
    ends = (".py", ".js", ".html", ".css", ".toml", ".yml", ".in", "Makefile", "Caddyfile", ".conf")
    texts = [(ROOT / file).read_text("utf-8") for file in files if file.endswith(ends)]
    return {*re.findall(r"\w+", "\n".join(texts)), *(Path(file).stem for file in files)}


def quoted(document: Path) -> list[str]:
    """Return what a document has between backticks, outside examples."""
    text = re.sub(
        r"^(    [^\n]*|```.*?```)$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_a_document_names_exist(document: Path, files: list[str]) -> None:
    def exists(path: str) -> bool:
        if path.split("/")[0] in TREES and "/" in path:
            return any(file == path or file.startswith(f"{path}/") for file in files)
        return any(file == path or file.endswith(f"/{path}") for file in files)

    asked = [one.rstrip("/") for one in quoted(document) if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", one)]
    of_ours = [
        one
        for one in asked
        if (one.split("/")[0] in TREES and "/" in one) or re.search(r"\.(py|js|html|css|toml)$", one)
    ]
    assert [one for one in of_ours if not exists(one)] == []


def test_files_that_comments_name_exist(files: list[str]) -> None:
    """In comments, docstrings and texts: a module with any folders before it, a decision by its number."""
    code = [file for file in files if file.endswith(".py") and file.split("/")[0] not in ("tests", "locale")]
    known = {"/".join(file.split("/")[at:]) for file in files for at in range(file.count("/") + 1)}
    known |= {f"docs/decisions/{path.name[:4]}" for path in DECISIONS}
    missing = {
        f"{file}: {named}"
        for file in code
        for named in re.findall(
            r"(?<![\w./{}-])(?:\w+/)*\w+\.py\b|docs/decisions/\d+", (ROOT / file).read_text("utf-8")
        )
        if named not in known
    }
    assert len(code) > 400
    assert missing - {"bench/notices.py: sitecustomize.py"} == set()


def test_classes_that_comments_name_exist(files: list[str]) -> None:
    """Behind "Raises" in a docstring, and between backticks in docstrings, comments and templates."""
    code = {file: (ROOT / file).read_text("utf-8") for file in files if file.endswith((".py", ".html"))}
    asked = {
        file: re.findall(r"(?:Raises |`)([A-Z][a-z]+[A-Za-z]*)(?=`|\.\w+`|[\s;,.(])", text)
        for file, text in code.items()
    }
    known = {*dir(builtins), *re.findall(r"^ *class (\w+)", "\n".join(code.values()), re.MULTILINE)}
    for file, text in code.items():
        left = {name for names in asked.values() for name in names} - known
        if not file.endswith(".py") or not any(name in text for name in left):
            continue  # to read all files as Python takes five seconds
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.alias):
                known.add(node.name.split(".")[-1])
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                known.add(node.id)
            elif isinstance(node, ast.Attribute):
                known.add(node.attr)
    missing = {f"{file}: {name}" for file, names in asked.items() for name in names if name not in known}
    assert missing == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_names_that_a_document_uses_are_in_the_code(document: Path, names: set[str]) -> None:
    used = {
        name
        for one in quoted(document)
        if "/" not in one and not one.endswith(".py")
        for name in re.findall(r"\b[A-Za-z]+(?:_[a-z0-9]+)+\b", one)
    }
    assert used - names - OF_OTHERS == set()


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    documents = [
        path.relative_to(ROOT / "docs").as_posix() for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")
    ]
    assert [name for name in documents if name != "README.md" and f"]({name})" not in index] == []
    titles = {path.name: path.read_text("utf-8").splitlines()[0].removeprefix("# ") for path in DECISIONS}
    assert [name for name, title in titles.items() if f"- [{title}](decisions/{name})" not in index] == []


def test_every_setting_is_in_the_installation_guide() -> None:
    read = r'\b(?:env\.\w+|number|environ\.get)\(\s*"([A-Z_]+)"'
    code = "".join((ROOT / file).read_text("utf-8") for file in ("config/settings.py", "server/main.py"))
    names = set(re.findall(read, code)) - {"EVENBOARD_STARTED"}  # set by run.py
    described = (ROOT / "docs/install.md").read_text("utf-8")
    assert len(names) > 30
    assert {name for name in names if f"`{name}`" not in described} == set()
