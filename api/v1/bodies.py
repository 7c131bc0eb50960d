"""What programs send: read as JSON, and refused where the database could not keep it."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from functools import cache
from typing import Any

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.utils.model_meta import get_field_info

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


def names(text: str) -> list[str]:
    """Return the names of fields that a text has with blanks between them."""
    return text.split()


LIMITS = {MinValueValidator: "min_value", MaxValueValidator: "max_value", MaxLengthValidator: "max_length"}
KEPT = ("required", "allow_null", "allow_blank", "max_length")
COUNTS = (models.PositiveSmallIntegerField, models.PositiveIntegerField, models.PositiveBigIntegerField)


class ModelSerializer(serializers.ModelSerializer[Any]):
    """Types, choices and lengths from the columns of `Meta.model`. Rules of the value are for the action to check.

    Limits are those that the column says, not those of the database behind it: the description is the same for both.
    A source such as `player.title` leads to the column of the other row. A foreign key is the number of the row.
    """

    def get_fields(self) -> dict[str, Any]:
        return deepcopy(_fields_of(type(self)))

    def build_field(
        self,
        field_name: str,
        info: Any,  # noqa: ARG002  # of `Meta.model` alone
        model_class: Any,
        nested_depth: int,
    ) -> Any:
        *rows, name = field_name.split(".")
        for row in rows:
            model_class = model_class._meta.get_field(row).related_model  # noqa: SLF001  # documented
        column = model_class._meta.get_field(name)  # noqa: SLF001  # documented
        if column.is_relation:
            source = {} if name == column.attname else {"source": column.attname}
            return serializers.IntegerField, {"allow_null": column.null, **source}
        kind, options = super().build_field(name, get_field_info(model_class), model_class, nested_depth)
        return kind, self.build_options(column, options)

    def get_uniqueness_extra_kwargs(self, *names_and_extras: Any) -> Any:
        """Return the last one, as it is: the action knows what must be unique."""
        return names_and_extras[-1], {}

    def get_validators(self) -> list[Any]:
        return []

    def build_options(self, column: models.Field[Any, Any], options: dict[str, Any]) -> dict[str, Any]:
        given = {name: options[name] for name in KEPT if name in options}
        if column.choices:
            given.pop("allow_blank", None)
            values = [value for value, _label in column.flatchoices]
            return {**given, "choices": ["", *values] if column.blank and "" not in values else values}
        if isinstance(column, COUNTS):
            given["min_value"] = 0
        for limit in column.deconstruct()[3].get("validators", ()):
            if type(limit) in LIMITS:
                given[LIMITS[type(limit)]] = limit.limit_value
        return given


@cache
def _fields_of(kind: type[ModelSerializer]) -> dict[str, Any]:
    """Return the fields of each serializer of this class: to make them from the columns takes 1 to 6 ms."""
    return super(ModelSerializer, kind()).get_fields()


class ModelBody(BodySerializer, ModelSerializer):
    """Values that are sent. It refuses names that it does not know, so that nothing is left out unnoticed."""


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
