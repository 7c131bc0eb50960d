"""Errors as `application/problem+json` (RFC 9457), each with a code that stays the same in all languages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpResponse
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions
from rest_framework.response import Response

from tournaments.errors import Busy, DomainError, Wait
from tournaments.queries.programs import looks_like_a_mark
from web.words.refusals import explain

OWN_WORDS = (
    gettext_noop("Ensure this field has at least {min_length} characters."),
    gettext_noop("Ensure this field has no more than {max_length} characters."),
    gettext_noop("Ensure this value is greater than or equal to {min_value}."),
    gettext_noop("Ensure this value is less than or equal to {max_value}."),
    gettext_noop("Enter a valid email address."),
    gettext_noop("Enter a valid URL."),
)
"""Sentences of the framework that our catalogues translate: its own ones address a German reader as a friend, and they
come before those of Django, also on pages.
"""
MEDIA_TYPE = "application/problem+json"
REALM = 'Bearer realm="Evenboard"'
COME_AGAIN = 2  # seconds


class Encoder(DjangoJSONEncoder):
    """Days and times as ISO 8601 has them; what JSON does not know, such as a code that is an object, as its text."""

    def default(self, o: Any) -> Any:
        try:
            return super().default(o)
        except TypeError:
            return str(o)


def iso_birth_date(text: str) -> str:
    """Return a birth date that has 00 for what is unknown, and slashes, as ISO 8601 has it."""
    return "-".join(part for part in text.replace("/", "-").split("-") if part != "00")


def with_iso_dates(values: Any) -> Any:
    """Return values of the database, such as those of the log, with their birth dates as ISO 8601 has them."""
    if isinstance(values, dict):
        return {
            name: iso_birth_date(value)
            if name == "birth_date" and isinstance(value, str)
            else with_iso_dates(value)
            for name, value in values.items()
        }
    return [with_iso_dates(value) for value in values] if isinstance(values, list) else values


class Problem(Exception):
    """A request that is refused before an action begins. more: further members of the answer."""

    def __init__(self, status: int, code: str, detail: str, **more: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.detail, self.more = status, code, detail, more
        self.headers: dict[str, str] = {}


def invalid(errors: list[dict[str, str]]) -> Problem:
    """Return the problem of a body or a query with wrong values. errors: of each, the pointer into the body or the
    parameter, the code and the detail.
    """
    return Problem(422, "invalid", _("Some values are wrong. Nothing was done."), errors=errors)


def mark_refused(mark: str) -> Problem:
    """Return the problem of a mark of which nobody can say what has changed since, or of a text that is no mark."""
    if not looks_like_a_mark(mark):
        return Problem(
            400,
            "not_a_mark",
            _(
                "This is not a mark. Send an empty changed_since first: the answer has the mark for the next time."
            ),
        )
    return Problem(410, "mark_unknown", _("This mark is no longer valid. Read the whole list again."))


def problem_response(problem: Problem, address: str) -> HttpResponse:
    """Return the answer. address: that of the request."""
    content = {
        "type": "about:blank",  # then the title is that of the status
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        "instance": iri_to_uri(address),
        **problem.more,
    }
    return HttpResponse(
        json.dumps(content, cls=Encoder),
        status=problem.status,
        content_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **problem.headers},
    )


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse | Response | None:
    """Return the answer to an error, None for one that nobody expects: that is a fault of the program."""
    problem = problem_of(error)
    return None if problem is None else problem_response(problem, context["request"].path)


def problem_of(error: Exception) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, DomainError):
        return _of_action(error)
    if isinstance(error, Http404):
        return Problem(404, "not_found", _("There is nothing at this address, or this token cannot see it."))
    if isinstance(error, PermissionDenied):
        return Problem(403, "right_missing", _("The person who made this token may not do this."))
    if isinstance(error, RequestDataTooBig):
        return Problem(413, "too_large", _("The request is too large."))
    if isinstance(error, exceptions.ValidationError):
        return invalid(list(_errors(error.get_full_details(), "")))
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return None


def _of_action(error: DomainError) -> Problem:
    problem = Problem(error.status, error.code, explain(error), params=with_iso_dates(error.params))
    if error.answer:
        problem.more["confirm"] = error.answer
    if isinstance(error, Busy):
        problem.headers["Retry-After"] = str(COME_AGAIN)
    if isinstance(error, Wait):
        problem.headers["Retry-After"] = str(error.params["seconds"])
    return problem


def _of_framework(error: exceptions.APIException) -> Problem:
    code = error.get_codes()
    problem = Problem(error.status_code, code if isinstance(code, str) else "refused", str(error.detail))
    if isinstance(error, exceptions.AuthenticationFailed):
        problem.headers["WWW-Authenticate"] = f'{REALM}, error="invalid_token"'
    elif isinstance(error, exceptions.NotAuthenticated):
        problem.headers["WWW-Authenticate"] = REALM  # RFC 6750: no error where no token was sent
    if isinstance(error, exceptions.Throttled):
        wait = getattr(error, "wait", None)  # seconds, or None
        problem.headers["Retry-After"] = str(max(1, round(wait or COME_AGAIN)))
    return problem


def of_query(error: exceptions.ValidationError) -> Problem:
    """Return the problem of wrong parameters: each error names its parameter, as a pointer leads into a body."""
    found = _errors(error.get_full_details(), "")
    return invalid([{"parameter": one.pop("pointer").lstrip("/"), **one} for one in found])


def _errors(details: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Yield each error of a serializer with a JSON pointer to its value."""
    if isinstance(details, dict) and {"message", "code"} == details.keys():
        yield {"pointer": pointer, "code": str(details["code"]), "detail": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from _errors(inner, pointer if name == "non_field_errors" else f"{pointer}/{name}")
    else:
        for inner in details:
            yield from _errors(inner, pointer)
