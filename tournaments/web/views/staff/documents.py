"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def documents(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("documents")


def report(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("report")


def export(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("export")
