"""Pages of what is done by hand: pairs of a round. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import by_hand

SECTION = "<slug:event>/<slug:section>/"
ROUND = f"{SECTION}round/<int:number>/by-hand/"

urlpatterns = [
    path(f"{SECTION}by-hand/", by_hand.start, name="by-hand-start"),
    path(ROUND, by_hand.by_hand, name="by-hand"),
    path(f"{ROUND}begin/", by_hand.begin, name="by-hand-begin"),
    path(f"{ROUND}end/", by_hand.end, name="by-hand-end"),
]
