"""Addresses of the API: /api/v1/... for programs with a token (`v1.urls`), and /api/sections/<id>/..., which only
reads, except for the notices that a browser wants.
"""

from __future__ import annotations

from django.urls import include, path

from tournaments.api import notices, views

app_name = "api"
urlpatterns = [
    path("v1/", include("tournaments.api.v1.urls")),
    path("sections/<int:section>/rounds/<int:number>/", views.round_pairings, name="round"),
    path("sections/<int:section>/rounds/<int:number>/explained/", views.round_explained, name="explained"),
    path("sections/<int:section>/notices/", notices.notices, name="notices"),
    path("sections/<int:section>/fairness/", views.section_fairness, name="fairness"),
    path("sections/<int:section>/list/", views.section_list, name="list"),
    path("sections/<int:section>/list/<int:number>/", views.section_list, name="list"),
    path("sections/<int:section>/list/<int:number>/<int:edition>/", views.section_list, name="list"),
    path("sections/<int:section>/standings/", views.section_standings, name="standings"),
]
