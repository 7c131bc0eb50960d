"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def desk(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("desk")
