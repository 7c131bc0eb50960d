"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def new_event(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("new_event")


def edit_event(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("edit_event")


def people(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("people")


def remove_person(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("remove_person")
