"""What a process keeps in memory is emptied before each test: it is in a `Cache`, or it registers itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.house.packages import SITE

CONTAINERS = {
    *("dict", "set", "OrderedDict", "defaultdict", "deque", "Counter"),
    *("WeakKeyDictionary", "WeakValueDictionary", "WeakSet"),
}
CHANGES = {"add", "append", "appendleft", "popleft", "popitem", "setdefault", "update", "move_to_end"}
MAY_KEEP = re.compile(
    rf"= (?:\{{\}}|(?:\w+\.)?(?:{'|'.join(CONTAINERS)})\()|default_factory|@(?:\w+\.)?(?:lru_)?cache\b"
)
NOT_FROM_DATA = {
    "base/cache.py _registered": "the caches themselves",
    "tournaments/actions/spare.py contact": "when other machines were heard",
    "tournaments/actions/stored_copies.py copies_changed": "keys that the chores take within seconds",
    "server/health.py _probes": "which checks there are, filled by the import",
    "tournaments/errors.py REFUSALS": "constants of the modules, filled by the import",
    "tournaments/queries/public_facts.py _first_events": "the text of a query",
    "tournaments/queries/public_facts.py _event_by_address": "the text of a query",
    "tournaments/queries/public_facts.py _event_by_key": "the text of a query",
}


def is_empty_container(value: ast.expr | None) -> bool:
    """Return whether this makes a container that is filled later."""
    match value:
        case ast.Dict(keys=[]):
            return True
        case ast.Call(func=called, args=[], keywords=[]):
            return name_of(called) in CONTAINERS
        case ast.Call(func=called, args=[ast.Name()]):
            return name_of(called) == "defaultdict"
    return False


def name_of(called: ast.expr) -> str:
    """Return the last name of what is called: Cache for base.cache.Cache[int]."""
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return name_of(value)
    return ""


def assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that these statements give a value, with the value."""
    for each in body:
        match each:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                yield ast.unparse(target), value


def calls(value: ast.expr) -> Iterator[str]:
    """Yield what is called when the module is imported, not what a lambda calls later."""
    if isinstance(value, ast.Call):
        yield name_of(value.func)
    if not isinstance(value, ast.Lambda):
        for child in ast.iter_child_nodes(value):
            if isinstance(child, ast.expr):
                yield from calls(child)


def fills_itself(found: ast.ClassDef) -> bool:
    """Return whether its objects have a container that they fill later, and do not register themselves."""
    inside = list(ast.walk(found))
    if any(isinstance(each, ast.Call) and ast.unparse(each) == "register(self)" for each in inside):
        return False
    own = {
        name.removeprefix("self.")
        for name, value in assigned([each for each in inside if isinstance(each, ast.stmt)])
        if is_empty_container(value) or made_empty(value)
    }
    return any(changed(each) in own for each in inside)


def made_empty(value: ast.expr) -> bool:
    """Return whether this is the field of a dataclass that begins with an empty container."""
    match value:
        case ast.Call(func=ast.Name(id="field"), keywords=keywords):
            return any(
                each.arg == "default_factory" and name_of(each.value) in CONTAINERS for each in keywords
            )
    return False


def changed(each: ast.AST) -> str:
    """Return the attribute of `self` into which this writes something, "" for anything else."""
    match each:
        case ast.Subscript(ctx=ast.Store(), value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name), attr=method)
        ):
            return name if method in CHANGES else ""
    return ""


def makers(trees: Iterable[ast.Module], classes: set[str]) -> set[str]:
    """Return the classes, and the functions that return a new object of one of them."""
    functions = [each for tree in trees for each in tree.body if isinstance(each, ast.FunctionDef)]
    return classes | {
        function.name
        for function in functions
        for each in function.body
        if isinstance(each, ast.Return) and each.value and classes.intersection(calls(each.value))
    }


def kept(sources: Mapping[str, str]) -> set[str]:
    """Return what the modules keep in memory and no test empties. sources: the text of each module, by its file."""
    trees = {file: ast.parse(text) for file, text in sources.items() if MAY_KEEP.search(text)}
    classes = [each for tree in trees.values() for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    filling = makers(trees.values(), {each.name for each in classes if fills_itself(each)})
    if filling:
        uses = re.compile(rf"\b(?:{'|'.join(filling)})(?:\[.*\])?\(")
        others = {file: text for file, text in sources.items() if file not in trees and uses.search(text)}
        trees |= {file: ast.parse(text) for file, text in others.items()}
    found = set()
    for file, tree in trees.items():
        for name, value in assigned(tree.body):
            if is_empty_container(value) or filling.intersection(calls(value)):
                found.add(f"{file} {name}")
        for each in ast.walk(tree):
            if isinstance(each, ast.ClassDef):
                own = (name for name, value in assigned(each.body) if is_empty_container(value))
                found |= {f"{file} {each.name}.{name}" for name in own}
            if isinstance(each, ast.FunctionDef) and reads_rows_once(each):
                found.add(f"{file} {each.name}")
    return found


def reads_rows_once(function: ast.FunctionDef) -> bool:
    """Return whether functools keeps what this function reads from the database."""
    decorators = {
        name_of(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list
    }
    reads = any(isinstance(each, ast.Attribute) and each.attr == "objects" for each in ast.walk(function))
    return reads and bool(decorators & {"cache", "lru_cache"})


STORE = "class Store:\n def __init__(self):\n  self.kept = {}\n def put(self, one):\n  self.kept[one] = one\n"

FIELDS = (
    "class Store:\n kept: set[str] = field(default_factory=set)\n def put(self, one):\n  self.kept.add(one)\n"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kept: dict[str, int] = {}", True),
        ("kept = OrderedDict()", True),
        ("kept = collections.defaultdict(list)", True),
        ("NAMES = {1: 'one'}", False),
        ("NAMES = dict(one=1)", False),
        ("kept: Cache[str, int] = Cache(most=10)", False),
        (f"{STORE}store = Store()", True),
        (f"{STORE}stores = (Store[int](),)", True),
        (f"{STORE}def made():\n return Store()\nstore = made()", True),
        (f"{STORE} def __new__(self):\n  register(self)\nstore = Store()", False),
        (f"{STORE}make = lambda: Store()", False),
        (f"{FIELDS}store = Store()", True),
        ("class Words:\n def __init__(self):\n  self.kept = {}\nwords = Words()", False),
        ("class Store:\n kept = {}", True),
        ("@cache\ndef first():\n return Event.objects.first()", True),
        ("@lru_cache(maxsize=9)\ndef plain(text):\n return text.lower()", False),
    ],
)
def test_what_is_kept_is_found(text: str, found: bool) -> None:
    assert bool(kept({"a.py": text})) is found


def test_everything_that_a_process_keeps_registers_itself(root: Path) -> None:
    files = [file for name in SITE for file in (root / name).rglob("*.py") if "migrations" not in file.parts]
    sources = {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in files}
    assert len(sources) > 400
    assert kept(sources) == set(NOT_FROM_DATA)
