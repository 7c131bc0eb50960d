"""The URL patterns: the health check, languages, the JSON API, and the pages."""

from __future__ import annotations

from django.urls import include, path

from config.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("tournaments.api.urls")),
    path("", include("tournaments.web.urls")),
]
