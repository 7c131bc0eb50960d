"""The table of refusals has every code that an action raises, and no others."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.packages import SITE
from tournaments.errors import CODES

ROOT = Path(__file__).resolve().parents[2]
RAISED = {"DomainError", "NotSaved", "Stale", "NotFound", "Busy", "Wait"}


@pytest.fixture(scope="module")
def refusals() -> list[tuple[str, frozenset[str]]]:
    """Return the code and the names of the parameters of every refusal in the sources."""
    sources = [file for tree in SITE for file in (ROOT / tree).rglob("*.py")]
    return [
        (node.args[0].value, frozenset(keyword.arg or "" for keyword in node.keywords))
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in RAISED
        and isinstance(node.args[0], ast.Constant)
    ]


def test_every_refusal_is_in_the_table_with_its_parameters(
    refusals: list[tuple[str, frozenset[str]]],
) -> None:
    wrong = [(code, names) for code, names in refusals if not matches(names, frozenset(CODES.get(code, ())))]
    assert wrong == []


def matches(names: frozenset[str], known: frozenset[str]) -> bool:
    """Return whether a refusal has the parameters of the table. Those of a mapping have no name here."""
    return names - {""} <= known if "" in names else names == known


def test_every_code_of_the_table_is_raised(refusals: list[tuple[str, frozenset[str]]]) -> None:
    assert {code for code, _ in refusals} == set(CODES)
