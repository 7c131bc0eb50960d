"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def new_section_from_report(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("new_section_from_report")


def upload(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("upload")


def check(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("check")
