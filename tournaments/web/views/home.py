"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def home(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("home")


def event(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("event")


def section(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("section")
