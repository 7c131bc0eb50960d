"""A subject has the same name in every layer, and a class has a name of its own.

The tables of docs/architecture.md have the subjects and their files.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = (
    "api/v1",
    "pairing",
    *(f"registrations/{name}" for name in ("actions", "api", "models", "queries", "web")),
    *(f"tournaments/{name}" for name in ("actions", "declarations", "files", "models", "queries")),
    *(f"web/{name}" for name in ("forms", "views", "words")),
    "static/js",
    *(f"tests/{name}" for name in ("actions", "queries", "registrations", "web/public", "web/staff")),
    *(f"templates/{name}" for name in ("public", "staff", "registrations/public", "registrations/staff")),
)

PACKAGES = (
    *(
        "api",
        "base",
        "config",
        "evenboard_client",
        "evenboard_engine",
        "manual",
        "pairing",
        "ratings",
        "registrations",
    ),
    *("server", "tournaments", "web"),
)
OF_BOTH = {"Bye", "Game", "Player"}
"""Classes of the engine and of the site: docs/decisions/0050-rooms-and-pairing-systems.md has the reason."""


def tables() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the other files of each subject, and the files of each layer that are about no subject."""
    chapter = (ROOT / "docs/architecture.md").read_text("utf-8").split("\n## Subjects\n")[1].split("\n## ")[0]
    subjects, machine = chapter.split("| layer | files |")
    return (
        {
            name: re.findall(r"`(\w+)`", others)
            for name, others in re.findall(r"^\| `(\w+)` \| [^|]+\|([^|]*)\|$", subjects, flags=re.MULTILINE)
        },
        {
            layer: re.findall(r"`(?:test_)?(\w+)`", files)
            for layer, files in re.findall(r"^\| `([\w/]+)` \|([^|]+)\|$", machine, flags=re.MULTILINE)
        },
    )


SUBJECTS, MACHINE = tables()
OF_SUBJECTS = Counter(name for subject, others in SUBJECTS.items() for name in (subject, *others))


def modules(layer: str) -> set[str]:
    """Return the names of the files of a layer, without those that Python or a framework names.

    A file in a folder with the name of a subject is about this subject.
    """
    folder = ROOT / layer
    found = {
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.suffix in {".py", ".html", ".txt", ".js"} and "migrations" not in path.parts
        if not layer.startswith("tests/") or path.name.startswith("test_")
    }
    about = {
        next(
            (part for part in path.parts[:-1] if part in SUBJECTS),
            path.stem.removeprefix("test_").replace("-", "_"),
        )
        for path in found
    }
    return about - {"__init__", "__main__", "urls"}


def of_a_subject(module: str) -> bool:
    """Return whether a file has the name of a subject, one thing of it, or a part of either."""
    return module in OF_SUBJECTS or any(
        module == one or module.startswith(f"{one}_")
        for name in OF_SUBJECTS
        for one in (name, re.sub("(ie)?s$", lambda end: "y" if end[1] else "", name))
    )


@pytest.mark.parametrize("layer", LAYERS)
def test_each_file_of_a_layer_has_the_name_of_a_subject(layer: str) -> None:
    found = modules(layer)
    assert found
    machine = MACHINE.get(layer, [])
    assert (
        sorted(
            name
            for name in found
            if not of_a_subject(name)
            and not any(name == one or name.startswith(f"{one}_") for one in machine)
        )
        == []
    )


def test_each_name_in_the_tables_is_that_of_a_file() -> None:
    assert len(SUBJECTS) > 40
    files = set[str]().union(*map(modules, LAYERS))
    assert sorted(OF_SUBJECTS.keys() - files) == []
    assert [name for name, times in OF_SUBJECTS.items() if times > 1] == []
    assert {layer: gone for layer, named in MACHINE.items() if (gone := {*named} - modules(layer))} == {}


def test_a_new_name_is_seen() -> None:
    assert [of_a_subject(name) for name in ("report_check", "copy_reading", "entry_matching")] == [True] * 3
    assert [of_a_subject(name) for name in ("helpers", "resultsheet", "checking")] == [False] * 3


def test_no_class_name_stands_twice() -> None:
    """Django asks for the name `Command`. The engine is a library of its own, which has players, games and byes too."""
    places: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            if not {"tests", "migrations"} & {*parts}:
                for node in ast.parse(path.read_text("utf-8")).body:
                    if isinstance(node, ast.ClassDef) and parts[:3] != ("server", "management", "commands"):
                        places[node.name].append(package)
    twice = {name: packages for name, packages in places.items() if len(packages) > 1}
    assert twice == {name: ["evenboard_engine", "tournaments"] for name in OF_BOTH}
