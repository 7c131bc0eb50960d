"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def log(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("log")
