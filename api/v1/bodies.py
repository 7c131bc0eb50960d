"""What programs send: read as JSON, and refused where the database could not keep it."""

from __future__ import annotations

import json
import math
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType

from tournaments.questions import MOST

from .problems import Problem, invalid, of_query

LARGEST = 2**53 - 1
"""Larger whole numbers are not the same in all programs that read JSON."""
DEEPEST = 10
LONGEST_ANSWER = 40


class BodySerializer(serializers.Serializer[Any]):
    """Values that are sent. It refuses names that it does not know, so that nothing is left out unnoticed."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(
                {
                    name: [serializers.ErrorDetail(_("There is no such value here."), "unknown")]
                    for name in unknown
                }
            )
        return super().to_internal_value(data)


class Confirm(serializers.ListField):
    """Answers to questions: the member `confirm` of each refusal that asked, with the same request as then."""

    child = serializers.CharField(max_length=LONGEST_ANSWER)

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "max_length": MOST, **options})

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(data.split(",") if isinstance(data, str) else data)


class NothingSerializer(BodySerializer):
    """An empty body, or {}."""


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the object that was sent, {} for no body. Raises Problem, UnsupportedMediaType."""
    raw = request.body
    if not raw:
        return {}
    if request.content_type != "application/json":
        raise UnsupportedMediaType(request.content_type or "")
    try:
        body = json.loads(raw, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # a text that is not UTF-8 is a ValueError too
        raise Problem(400, "not_json", _("The body is not JSON in UTF-8.")) from error
    if not isinstance(body, dict):
        raise Problem(400, "not_an_object", _("The body is not a JSON object."))
    if errors := _impossible(body, ""):
        raise invalid(errors)
    return body


def _no_number(name: str) -> None:
    raise ValueError(name)


def _impossible(value: Any, pointer: str, depth: int = 0) -> list[dict[str, str]]:
    """Return what no field can keep: NUL, halves of characters, numbers beyond measure, deep nesting."""
    if isinstance(value, str):
        return (
            []
            if is_text(value)
            else [_error(pointer, "characters", _("This text has forbidden characters."))]
        )
    if isinstance(value, int | float):
        fits = math.isfinite(value) and abs(value) <= LARGEST
        return [] if fits else [_error(pointer, "too_large", _("This number is too large."))]
    if value is None:
        return []
    if depth >= DEEPEST:
        return [_error(pointer, "too_deep", _("This value is nested too deeply."))]
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for name, inner in pairs:
        found += _impossible(name, pointer) if isinstance(name, str) else []
        found += _impossible(inner, f"{pointer}/{name}" if is_text(str(name)) else pointer, depth + 1)
    return found


def is_text(value: str) -> bool:
    """Return whether a database can keep this text."""
    return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _error(pointer: str, code: str, detail: str) -> dict[str, str]:
    return {"pointer": pointer, "code": code, "detail": detail}


def checked(kind: type[serializers.BaseSerializer[Any]] | None, data: Any, *, partial: bool = False) -> Any:
    """Return values that a serializer has checked; without one nothing may be sent. Raises ValidationError."""
    serializer = (kind or NothingSerializer)(data=data, partial=partial)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def checked_query(kind: type[serializers.BaseSerializer[Any]] | None, query: QueryDict) -> Any:
    """Return the parameters of an address that a serializer has checked. Raises Problem, which names the parameters."""
    fields = getattr(kind(), "fields", {}) if kind is not None else {}
    lists = {name for name, field in fields.items() if isinstance(field, serializers.ListField)}
    try:
        return checked(kind, {name: query.getlist(name) if name in lists else query[name] for name in query})
    except serializers.ValidationError as error:
        raise of_query(error) from error
