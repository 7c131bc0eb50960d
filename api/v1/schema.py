"""The description of the API as OpenAPI 3, made from its views. Only the addresses that show it import this module."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import include, path
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from tournaments.models import Scope, WebhookMessage

from .operations import Operation, operation_of
from .problems import MEDIA_TYPE, Encoder
from .public import PublicView
from .shapes import ListShape
from .urls import for_everybody, operations
from .view import View

MATCH = OpenApiParameter(
    "If-Match", str, "header", required=True, description="The ETag of what is changed, as it was read."
)
KEY = {
    required: OpenApiParameter(
        "Idempotency-Key",
        str,
        "header",
        required=required,
        description="A new random text for each thing to be done.",
    )
    for required in (True, False)
}

LOCATION = OpenApiParameter(
    "Location", OpenApiTypes.URI, "header", response=[201], description="The address of what was made."
)

FILE = "application/octet-stream"


class ErrorShape(serializers.Serializer[Any]):
    """What is wrong. pointer: a JSON pointer to the value of the body. parameter: that of the address, instead."""

    pointer = serializers.CharField(allow_blank=True, required=False)
    parameter = serializers.CharField(allow_blank=True, required=False)
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemShape(serializers.Serializer[Any]):
    """RFC 9457. code: stays the same. instance: the address of the request. params: of the refusal. current: the state
    of now, if the version was old. errors: of wrong values.
    """

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    instance = serializers.CharField()
    errors = serializers.ListField(child=ErrorShape(), required=False)  # type: ignore[assignment]  # a field here
    params = serializers.DictField(required=False)
    current = serializers.DictField(required=False)


class PageShape(ListShape):
    """A page of a list. next, previous: addresses of the pages beside it. count: of all rows, if it was asked for."""

    count = serializers.IntegerField(required=False)


class FeedShape(PageShape):
    """A page of a list. next, previous: addresses of the pages beside it. count: of all rows, if it was asked for.
    mark: to be sent as the next `changed_since`; of several pages, that of the first one. gone: the `id` of each row
    that is no longer in the list. Both are there if `changed_since` was asked for.
    """

    mark = serializers.CharField(required=False)
    gone = serializers.ListField(child=serializers.IntegerField(), required=False)


class Schema(AutoSchema):
    """Reads what `operations.reads` and `operations.writes` say about a method."""

    @property
    def operation(self) -> Operation:
        found = operation_of(self.view, self.method)
        assert found is not None
        return found

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}{type(self.view).__name__.removesuffix('View')}"

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override]  # as the package does
        scope = self.operation.scope
        if isinstance(self.view, PublicView):
            return "For everybody, without a token."
        return f"Scope: `{scope.value}`." if scope else "For every token."

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.rpartition(".")[2].replace("_", " ").capitalize()]

    def get_auth(self) -> list[dict[str, Any]]:
        return [] if isinstance(self.view, PublicView) else [{"token": []}]

    def get_override_parameters(self) -> list[Any]:
        asked = self.operation
        query = [asked.query] if asked.query is not None else []
        match = [MATCH] if asked.matched else []
        made = [LOCATION] if asked.made else []
        return [*query, *match, *made, *([KEY[self.method == "POST"]] if asked.writes else [])]

    def get_request_serializer(self) -> Any:
        return {FILE: OpenApiTypes.BINARY} if self.operation.raw else self.operation.body

    def get_response_serializers(self) -> Any:
        asked = self.operation
        shape: Any = asked.answer
        if asked.many and shape is not None:
            name = f"{shape.__name__.removesuffix('Shape')}Page"
            page = FeedShape if asked.feed else PageShape
            shape = type(name, (page,), {"results": shape(many=True), "__doc__": page.__doc__})
        refused = OpenApiResponse(ProblemShape, description="It was refused; `code` says why.")
        busy = OpenApiResponse(ProblemShape, description="Another change is being saved. Send it again.")
        if asked.files:
            given: dict[Any, Any] = {(asked.status, kind): OpenApiTypes.BINARY for kind in asked.files}
            return {**given, ("4XX", MEDIA_TYPE): refused, ("503", MEDIA_TYPE): busy}
        later = {202: asked.put_off} if asked.put_off is not None else {}
        return {asked.status: shape, **later, ("4XX", MEDIA_TYPE): refused, ("503", MEDIA_TYPE): busy}

    def _is_list_view(self, serializer: Any = None) -> bool:  # noqa: ARG002
        return False


STATES = (
    *(
        "submitted",
        "pending",
        "correction",
        "waiting",
        "offered",
        "accepted",
        "withdrawn",
        "refused",
        "expired",
    ),
)
"""Of registrations, which this layer does not know. A test compares them."""
DATA = {
    "type": "object",
    "properties": {
        "event": {"type": "integer"},
        "section": {"type": ["integer", "null"]},
        "round": {"type": ["integer", "null"]},
        "revision": {"type": "integer"},
        "id": {
            "type": ["integer", "null"],
            "description": "The entry or the registration, null for several.",
        },
        "link": {"type": "string", "description": "Where to look."},
    },
    "required": ["event", "section", "round", "revision", "id", "link"],
}
TYPES = {
    WebhookMessage.Kind.PUBLICATION: ["publication"],
    WebhookMessage.Kind.RESULTS: ["results"],
    WebhookMessage.Kind.UNDO: ["undo"],
    WebhookMessage.Kind.ENTRIES: [
        f"entry.{change}" for change in ("added", "changed", "withdrawn", "expelled", "readmitted", "removed")
    ],
    WebhookMessage.Kind.REGISTRATIONS: [f"registration.{change}" for change in (*STATES, "moved", "changed")],
    WebhookMessage.Kind.TEST: ["test"],
}
"""What a message says that it is about, by its kind."""


def webhooks() -> dict[str, Any]:
    """Return the description of the messages that receivers get."""
    headers = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    ]
    return {
        kind.value: {
            "post": {
                "summary": f"A message about {kind.value}",
                "parameters": headers,
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {
                                    "type": {"type": "string", "enum": types},
                                    "timestamp": {"type": "string", "format": "date-time"},
                                    "data": DATA,
                                },
                                "required": ["type", "timestamp", "data"],
                            }
                        }
                    }
                },
                "responses": {
                    "2XX": {"description": "The message has arrived."},
                    "410": {"description": "The webhook ends."},
                },
            }
        }
        for kind, types in TYPES.items()
    }


@cache
def document() -> dict[str, Any]:
    """Return the description, in English. It is the same until the program changes."""
    View.schema = Schema()
    PublicView.schema = Schema()
    patterns = [path("api/v1/", include(([*operations, *for_everybody], "v1")))]
    with override("en"):
        generator: Any = SchemaGenerator
        made = generator(patterns=patterns).get_schema(request=None, public=True)
        scopes = "\n".join(f"- `{scope.value}`: {scope.label}" for scope in Scope)
    made["webhooks"] = webhooks()
    made["servers"] = [{"url": settings.PUBLIC_URL or "/"}]  # "/": where this document is from
    token = {"type": "http", "scheme": "bearer", "description": f"What the scopes of a token open:\n{scopes}"}
    made["components"]["securitySchemes"] = {"token": token}
    found: dict[str, Any] = json.loads(json.dumps(made, cls=Encoder))
    return found
