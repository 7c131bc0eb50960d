"""Pages that explain a round, for arbiters. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import why

WHY = "<slug:event>/<slug:section>/round/<int:number>/why/"

urlpatterns = [
    path(WHY, why.why_round, name="why"),
    path(f"{WHY}<int:tpn>/", why.why_player, name="why-player"),
]
