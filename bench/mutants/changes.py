"""The small changes that are made to a source file, one at a time, and the blocks of its functions.

A walk over the syntax tree numbers both, always in the same order, so that a number names a change in any process.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import pytest

AT_THE_EDGE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
BLOCKS = ("body", "orelse", "finalbody")
NOT_RUN = ("annotation", "returns", "type_comment", "type_params")


@dataclass(frozen=True, slots=True)
class Site:
    """A change that could be made: in `parent.field`, or in `parent.field[index]`, `new` stands instead of `old`."""

    parent: ast.AST
    field: str
    index: int | None
    old: ast.AST
    new: ast.AST
    function: str
    block: int

    def apply(self) -> None:
        new = ast.copy_location(self.new, self.old)
        if self.index is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.index] = new


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed program. `number`: of the change in its file. `block`: where it is; -1 outside of functions.

    `digest`: of the function or class at the top of the file that has it. `nth` tells apart equal changes in one
    function, so that the key survives when lines move.
    """

    path: str
    number: int
    line: int
    function: str
    block: int
    before: str
    after: str
    nth: int
    digest: str

    @property
    def key(self) -> str:
        nth = f" (no. {self.nth})" if self.nth > 1 else ""
        return f"{self.path} {self.function or 'module'}: {self.before} -> {self.after}{nth}"


class _Walk:
    def __init__(self, tree: ast.Module) -> None:
        self.sites: list[Site] = []
        self.blocks: list[list[ast.stmt]] = []
        self._visit(tree, (), -1)

    def _visit(self, node: ast.AST, scope: tuple[str, ...], block: int) -> None:
        inside = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*scope, node.name)
        for field, value in ast.iter_fields(node):
            if field in NOT_RUN:
                continue
            in_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or block >= 0
            is_block = field in BLOCKS and isinstance(value, list) and value and in_function
            within = block
            if is_block and not isinstance(node, ast.ClassDef):
                self.blocks.append(value)
                within = len(self.blocks) - 1
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST) and not _left_alone(child):
                    body = field == "body" and not isinstance(node, ast.Lambda | ast.IfExp)
                    self._propose(node, field, index, child, inside if body else inside or scope, within)
                    self._visit(child, inside if field in BLOCKS or inside == scope else scope, within)

    def _propose(
        self, parent: ast.AST, field: str, index: int | None, old: ast.AST, scope: tuple[str, ...], block: int
    ) -> None:
        for new in _changes(old, field):
            self.sites.append(Site(parent, field, index, old, new, ".".join(scope), block))


def _left_alone(node: ast.AST) -> bool:
    """Assertions say what is always true; docstrings and texts say nothing to the program; imports are needed."""
    return isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _changes(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """Yield what could stand in the place of the node."""
    if isinstance(node, ast.stmt):
        yield from _other_statements(node)
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.expr):
        yield from _other_values(node)
    if field == "test" and isinstance(node, ast.expr) and not isinstance(node, ast.Compare | ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), node)


def _other_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.AugAssign(target=target, op=operator, value=value) if type(operator) in SUMS:
            yield ast.AugAssign(target, SUMS[type(operator)](), value)
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Delete() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield ast.Return(None)


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            other = ast.copy_location(ast.Name(NAMES[name], ast.Load()), node)
            yield ast.Call(other, node.args, node.keywords)
        case ast.Call(args=[one, two, *more]) if not isinstance(one, ast.Starred):
            if not isinstance(two, ast.Starred) and ast.dump(one) != ast.dump(two):
                yield ast.Call(node.func, [two, one, *more], node.keywords)


def _other_values(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=[operator, *more], comparators=others):
            yield ast.Compare(left, [AT_THE_EDGE[type(operator)](), *more], others)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SUMS and not _is_text(node):
            yield ast.BinOp(left, SUMS[type(operator)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.JoinedStr) for side in (node.left, node.right))


def mutants(path: str, source: str) -> list[Mutant]:
    """Return every change of one file, in the order of the walk."""
    tree = ast.parse(source)
    digests = {id(part): sha256(ast.unparse(part).encode()).hexdigest()[:12] for part in tree.body}
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for number, site in enumerate(_Walk(tree).sites):
        new = ast.fix_missing_locations(ast.copy_location(site.new, site.old))
        before, after = _short(site.old), _short(new)
        seen[site.function, before, after] += 1
        nth = seen[site.function, before, after]
        line = getattr(site.old, "lineno", 0)
        top = next(part for part in reversed(tree.body) if _first_line(part) <= line)
        found.append(
            Mutant(path, number, line, site.function, site.block, before, after, nth, digests[id(top)])
        )
    return found


def _first_line(part: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(part, "decorator_list", [])
    return min([part.lineno, *(one.lineno for one in decorators)])


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def mutated(source: str, number: int) -> ast.Module:
    """Return the syntax tree with the one change made."""
    tree = ast.parse(source)
    _Walk(tree).sites[number].apply()
    return ast.fix_missing_locations(tree)


def watched(source: str, first: int) -> tuple[ast.Module, int]:
    """Return the syntax tree with a note at the start of each block, `__hits__[number] = 1`, and the next number."""
    tree = ast.parse(source)
    blocks = _Walk(tree).blocks
    for number, block in enumerate(blocks, first):
        start = 1 if len(block) > 1 and _left_alone(block[0]) else 0
        (note,) = ast.parse(f"__hits__[{number}] = 1").body
        for part in ast.walk(note):
            ast.copy_location(part, block[start])
        block.insert(start, note)
    return ast.fix_missing_locations(tree), first + len(blocks)


# Which tests mutants meet.

AT_MOST = 3
"""How many cases of one parametrized test are run: many tests of the engine run hundreds of random seeds."""


def few_of_each(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return a few cases of each test, without those that need a browser or another database."""
    seen: Counter[str] = Counter()
    chosen = []
    for item in items:
        if any(item.get_closest_marker(name) for name in ("browser", "postgres", "slow")):
            continue
        test = item.nodeid.split("[")[0]
        seen[test] += 1
        if seen[test] <= AT_MOST:
            chosen.append(item)
    return chosen
