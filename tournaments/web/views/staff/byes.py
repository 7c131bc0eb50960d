"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def byes(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("byes")


def cancel(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("cancel")
