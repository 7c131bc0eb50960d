"""The address space: a health check, languages, the JSON API, and the pages."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import include, path

from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
]
if find_spec("tournaments.api.urls"):
    urlpatterns.append(path("api/", include("tournaments.api.urls")))
if find_spec("tournaments.web.urls"):
    urlpatterns.append(path("", include("tournaments.web.urls")))
