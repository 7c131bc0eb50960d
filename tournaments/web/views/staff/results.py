"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def enter_results(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("enter_results")


def record(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("record")
