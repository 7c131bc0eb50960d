"""The description of the API as OpenAPI 3, and as a page to read. Both need no token: the addresses are no secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
@cache_control(public=True, max_age=300)
def openapi(_request: HttpRequest) -> HttpResponse:
    from .schema import document

    answer = JsonResponse(document(), json_dumps_params={"indent": 1})
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@dataclass(frozen=True, slots=True)
class DescribedField:
    name: str
    kind: str
    required: bool


@dataclass(frozen=True, slots=True)
class DescribedOperation:
    """An operation as the page shows it. headers: those that a request needs."""

    anchor: str
    method: str
    address: str
    summary: str
    scope: str
    query: tuple[DescribedField, ...]
    headers: tuple[str, ...]
    body: tuple[DescribedField, ...]
    body_notes: str
    answer: tuple[DescribedField, ...]
    answer_notes: str
    status: str


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show all operations on one page, which the browser can search."""
    from .schema import document

    return render(request, "staff/programs_api.html", {"groups": groups(document())})


def groups(described: dict[str, Any]) -> list[tuple[str, list[DescribedOperation]]]:
    """Return the operations by subject, in the order of their addresses."""
    found: dict[str, list[DescribedOperation]] = {}
    for address, methods in described["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append(_entry(described, address, method, operation))
    return list(found.items())


def _entry(
    described: dict[str, Any], address: str, method: str, operation: dict[str, Any]
) -> DescribedOperation:
    parameters = operation.get("parameters", [])
    status, answer = next(iter(operation["responses"].items()))
    sent = _shape(described, operation.get("requestBody", {}))
    given = _shape(described, answer)
    scope = operation["description"].partition("`")[2].partition("`")[0]
    return DescribedOperation(
        anchor=operation["operationId"],
        method=method.upper(),
        address=address,
        summary=operation["summary"],
        scope=scope,
        query=tuple(
            DescribedField(one["name"], _kind(described, one["schema"]), one.get("required", False))
            for one in parameters
            if one["in"] == "query"
        ),
        headers=tuple(
            one["name"] for one in parameters if one["in"] == "header" and one.get("required", False)
        ),
        body=_fields(described, sent),
        body_notes=sent.get("description", ""),
        answer=_fields(described, given),
        answer_notes=given.get("description", ""),
        status=status,
    )


def _shape(described: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    kinds = content.get("content", {})
    if kinds and "application/json" not in kinds:
        return {"description": f"A file: {', '.join(kinds)}."}
    return _resolved(described, kinds.get("application/json", {}).get("schema", {}))


def _resolved(described: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = described["components"]["schemas"][name] if name else schema
    return found


def _fields(described: dict[str, Any], schema: dict[str, Any]) -> tuple[DescribedField, ...]:
    required = schema.get("required", [])
    return tuple(
        DescribedField(name, _kind(described, value), name in required)
        for name, value in schema.get("properties", {}).items()
    )


def _kind(described: dict[str, Any], schema: dict[str, Any]) -> str:
    """Return the kind of a value in one line."""
    if "oneOf" in schema:
        return " | ".join(dict.fromkeys(_kind(described, one) for one in schema["oneOf"]))
    if "$ref" in schema or "allOf" in schema:
        inner = _resolved(described, schema.get("allOf", [schema])[0])
        return "{" + ", ".join(inner.get("properties", {})) + "}"
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    null = " | null" if kinds != ["null"] and ("null" in kinds or None in schema.get("enum", ())) else ""
    if "array" in kinds:
        return f"[{_kind(described, schema['items'])}]{null}"
    if "enum" in schema:
        kind = " | ".join(
            '""' if value == "" else str(value) for value in schema["enum"] if value is not None
        )
    else:
        kind = str(schema.get("format") or kinds[0])
    return f"{kind}{null}"
