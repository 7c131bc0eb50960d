"""Pages for work by hand: pairs of a round, corrections of its results, forbidden pairs.

Names are listed in urls.py.
"""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import by_hand, corrections, forbidden_pairs

SECTION = "<slug:event>/<slug:section>/"
ROUND = f"{SECTION}round/<int:number>/by-hand/"
FORBIDDEN = f"{SECTION}forbidden-pairs/"
CORRECTIONS = f"{SECTION}round/<int:number>/corrections/"

urlpatterns = [
    path(f"{SECTION}by-hand/", by_hand.start, name="by-hand-start"),
    path(ROUND, by_hand.by_hand, name="by-hand"),
    path(f"{ROUND}begin/", by_hand.begin, name="by-hand-begin"),
    path(f"{ROUND}end/", by_hand.end, name="by-hand-end"),
    path(FORBIDDEN, forbidden_pairs.forbidden_pairs, name="forbidden-pairs"),
    path(f"{FORBIDDEN}<int:pair>/", forbidden_pairs.change, name="forbidden-pair"),
    path(f"{FORBIDDEN}<int:pair>/remove/", forbidden_pairs.allow, name="allow-pair"),
    path(CORRECTIONS, corrections.corrections, name="corrections"),
    path(f"{CORRECTIONS}<int:board>/", corrections.correct, name="correct"),
]
