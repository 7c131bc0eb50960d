"""The URL patterns: the health checks, the JSON API, the manual, and the pages."""

from __future__ import annotations

from django.urls import include, path

from config.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("api/", include("tournaments.api.urls")),
    path("", include("manual.urls")),
    path("", include("entering.web.urls")),
    path("", include("tournaments.web.urls")),
]

handler500 = "config.failures.failed"
