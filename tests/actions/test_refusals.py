"""Refusals: each is raised, with its own parameters."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.actions.refusals import all_refusals
from tests.house.packages import SITE

REFUSALS = all_refusals()


def calls(root: Path) -> list[tuple[str, frozenset[str]]]:
    """Return the code and the names of the parameters of every refusal that the sources raise."""
    sources = [file for tree in SITE for file in (root / tree).rglob("*.py")]
    return [
        (node.func.value.id.lower(), frozenset(keyword.arg or "" for keyword in node.keywords))
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "error"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id.isupper()
    ]


def test_every_refusal_is_raised_with_its_parameters(root: Path) -> None:
    wrong = [
        (code, names)
        for code, names in calls(root)
        if code not in REFUSALS or not matches(names, frozenset(REFUSALS[code].params))
    ]
    assert wrong == []


def matches(names: frozenset[str], known: frozenset[str]) -> bool:
    """Return whether a refusal is raised with its parameters. Those of a mapping have no name here."""
    return names - {""} <= known if "" in names else names == known


def test_every_refusal_is_used(root: Path) -> None:
    """Beside where it is made, its name or its code stands in the sources once more at least."""
    sources = [file.read_text("utf-8") for tree in SITE for file in (root / tree).rglob("*.py")]
    whole = "\n".join(sources)
    assert len(REFUSALS) > 200
    assert [code for code in REFUSALS if whole.count(code.upper()) + whole.count(f'"{code}"') < 3] == []
