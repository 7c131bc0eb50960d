"""Pages of what is done by hand: pairs of a round, corrections of its results. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import by_hand, corrections

SECTION = "<slug:event>/<slug:section>/"
ROUND = f"{SECTION}round/<int:number>/by-hand/"
CORRECTIONS = f"{SECTION}round/<int:number>/corrections/"

urlpatterns = [
    path(f"{SECTION}by-hand/", by_hand.start, name="by-hand-start"),
    path(ROUND, by_hand.by_hand, name="by-hand"),
    path(f"{ROUND}begin/", by_hand.begin, name="by-hand-begin"),
    path(f"{ROUND}end/", by_hand.end, name="by-hand-end"),
    path(CORRECTIONS, corrections.corrections, name="corrections"),
    path(f"{CORRECTIONS}<int:board>/", corrections.correct, name="correct"),
]
