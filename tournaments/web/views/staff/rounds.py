"""Not written yet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def draw_colour(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("draw_colour")


def pair(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("pair")


def publish(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("publish")


def unpublish(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("unpublish")


def unpair(request: HttpRequest, **parts: object) -> HttpResponse:
    return HttpResponse("unpair")
