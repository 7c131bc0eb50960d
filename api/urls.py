"""Addresses of the API: /api/v1/... for programs (`v1.urls`), and the notices that a browser wants."""

from __future__ import annotations

from django.urls import include, path

from api import notices

app_name = "api"
urlpatterns = [
    path("v1/", include("api.v1.urls")),
    path("sections/<int:section>/notices/", notices.notices, name="notices"),
]
