"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def entries(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("entries")


def add(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("add")


def edit(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("edit")


def withdraw(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("withdraw")


def readmit(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("readmit")


def remove(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("remove")
