"""The bare view that bench/public_pages.py compares with: one query, and an answer of the wanted size."""

from __future__ import annotations

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import path

from server.health import healthz
from tournaments.models import Section


def bare(request: HttpRequest, size: int) -> HttpResponse:  # noqa: ARG001
    """Read the revision of the section, and answer with so many bytes."""
    revision = Section.objects.values_list("revision", flat=True).get(event__slug="hall", slug="a")
    response = HttpResponse(filler(size) if size else b"", status=200 if size else 204)
    response["ETag"] = f'W/"{revision}"'
    if size:
        response["Content-Length"] = str(size)
    return response


@cache
def filler(size: int) -> bytes:
    return b"x" * size


urlpatterns = [
    path("healthz", healthz),
    path(
        "login/", bare, {"size": 0}, name="login"
    ),  # the server gives the address of this name a lane of its own
    path("bare/<int:size>/", bare),
]
