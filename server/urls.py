"""The URL patterns: the health checks, the JSON API, the manual, and the pages."""

from __future__ import annotations

from django.urls import include, path

from server.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("api/", include("api.urls")),
    path("", include("manual.urls")),
    path("", include("registrations.web.urls")),
    path("", include("web.urls")),
]

handler500 = "server.failures.failed"
