"""What the API says about each of its operations: who may do it, what it takes and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from tournaments.declarations import (
    entries,
    incidents,
    names_of,
    names_of_module,
    presence,
    results,
    sections,
)
from tournaments.models import Scope
from tournaments.rights import Right

from .shapes import PageQuery

Method = TypeVar("Method", bound=Callable[..., Any])
AnySerializer = type[BaseSerializer[Any]]
VIEW = Right.VIEW.permission
SEE = Right.SEE.permission
SEE_RESULTS = Right.SEE_RESULTS.permission
SEE_PRESENCE = Right.SEE_PRESENCE.permission
RUN = Right.RUN.permission
ENTRIES = Right.ENTRIES.permission
TYPE_RESULTS = Right.RESULTS.permission
PRESENCE = Right.PRESENCE.permission
DIRECT = Right.DIRECT.permission
COPIES = Right.COPIES.permission
ARCHIVE = Right.ARCHIVE.permission
SET_UP = "tournaments.set_up_section"
MANAGE = Right.MANAGE.permission
NAME = Right.NAME.permission
SEE_PEOPLE = Right.SEE_PEOPLE.permission


@dataclass(frozen=True, slots=True)
class Operation:
    """scope: what the token must be for, None: anything. permission: what its maker must be allowed now.

    body, answer: serializers of what is sent and given; an answer of None is empty (204). many: the answer is a page of
    a list. query: serializer of the parameters. status: of a request that went well. made: the name of the address of
    what was made, for the header Location; then the status is 201. matched: the request must name the version that it
    changes (If-Match). writes: it changes something. raw: the body is the bytes of a file. files: the media types of
    the file that is the answer. apart: the method has transactions of its own. after_results: results that wait in
    browsers come too late afterwards, so it is asked about them. feed: the list says what has changed since a mark
    (`View.mark`, `View.changed`). put_off: the answer of 202, when an arbiter must decide first.
    """

    summary: str
    scope: Scope | None
    permission: str = RUN
    body: AnySerializer | None = None
    answer: AnySerializer | None = None
    query: AnySerializer | None = None
    many: bool = False
    status: int = 200
    made: str = ""
    matched: bool = False
    put_off: AnySerializer | None = None
    writes: bool = False
    raw: bool = False
    files: tuple[str, ...] = ()
    apart: bool = False
    after_results: bool = False
    feed: bool = False


TO_UNDO: Mapping[str, Scope] = {
    **dict.fromkeys(names_of_module(entries, presence), Scope.ENTRIES_WRITE),
    **dict.fromkeys(names_of_module(results, incidents), Scope.RESULTS_WRITE),
    **dict.fromkeys(names_of_module(sections), Scope.SETTINGS_WRITE),
    entries.DECIDE_POINTS.name: Scope.RESULTS_WRITE,
    presence.FORFEIT_AND_WITHDRAW.name: Scope.RESULTS_WRITE,
    sections.IMPORT_REPORT.name: Scope.ENTRIES_WRITE,
    **dict.fromkeys(
        names_of(
            (
                entries.LEAVE_LATE_PLAYER,
                entries.MOVE_ENTRIES_AWAY,
                entries.MOVE_ENTRIES_HERE,
                entries.REMOVE_PARTICIPANTS,
            )
        ),
        Scope.REGISTRATIONS_WRITE,
    ),
    **dict.fromkeys(
        names_of(
            (
                *(entries.FORBID_PAIR, entries.CHANGE_FORBIDDEN_PAIR, entries.ALLOW_PAIR),
                *(entries.KEEP_APART, entries.CHANGE_RULE, entries.END_RULE),
                *(sections.SET_COUNTDOWN, sections.SET_HALL_MESSAGE),
            )
        ),
        Scope.ROUNDS_WRITE,
    ),
}
"""By name of the action, the scope that does it: a token undoes nothing that it could not do. Others: rounds:write."""


def reads(
    summary: str,
    scope: Scope | None = Scope.LISTS_READ,
    permission: str = SEE,
    answer: AnySerializer | None = None,
    **more: Any,
) -> Callable[[Method], Method]:
    """Decorate a method of a view that reads: method(view) returns JSON values or a row, of a list a query or rows, of
    a file an HttpResponse.
    """
    if "many" in more:
        more.setdefault("query", PageQuery)
    return _operation(Operation(summary, scope, permission, answer=answer, **more))


def writes(
    summary: str,
    scope: Scope,
    permission: str = RUN,
    body: AnySerializer | None = None,
    answer: AnySerializer | None = None,
    **more: Any,
) -> Callable[[Method], Method]:
    """Decorate a method of a view that changes something, in one transaction: method(view) returns JSON values, a row,
    or nothing if the answer is what the address is about, as it is afterwards.
    """
    if "made" in more:
        more["status"] = 201
    return _operation(Operation(summary, scope, permission, body, answer, writes=True, **more))


def _operation(operation: Operation) -> Callable[[Method], Method]:
    def decorate(method: Method) -> Method:
        def answer(view: Any, request: Request, **_parts: Any) -> Any:
            return view.answered(operation, method, request)

        answer.__name__, answer.__doc__ = method.__name__, method.__doc__
        answer.operation = operation  # type: ignore[attr-defined]  # read by the check of rights and the schema
        return answer  # type: ignore[return-value]

    return decorate


def operation_of(view: Any, method: str) -> Operation | None:
    """Return what a view says about a method such as GET; None if it does not have this method."""
    handler = getattr(view, "get" if method == "HEAD" else method.lower(), None)
    return getattr(handler, "operation", None)
