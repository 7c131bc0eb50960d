"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def new_section(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("new_section")


def settings(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("settings")


def close(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("close")


def reopen(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("reopen")
