"""The URL patterns: what monitors ask, the state of the server, the JSON API, the manual, and the pages."""

from __future__ import annotations

from django.urls import include, path

from server.health import healthz, readyz
from server.metrics import metrics
from server.status import status

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("site/status/", status, name="status"),
    path("api/", include("api.urls")),
    path("", include("manual.urls")),
    path("", include("registrations.web.urls")),
    path("", include("web.urls")),
]

handler500 = "server.failures.failed"
