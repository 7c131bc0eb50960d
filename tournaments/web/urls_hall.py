"""Pages for the minutes before a round and for what a round needs besides results. Names are listed in urls.py."""

from __future__ import annotations

from django.urls import path

from tournaments.web.views.staff import leaving, presence, rounds, settling

SECTION = "<slug:event>/<slug:section>/"
ENTRY = f"{SECTION}entries/<int:participant>/"

urlpatterns = [
    path(f"{SECTION}check-in/", presence.check_in, name="check-in"),
    path(f"{SECTION}check-in/open/", presence.open_check_in, name="open-check-in"),
    path(f"{SECTION}check-in/all/", presence.mark_all, name="check-in-all"),
    path(f"{SECTION}check-in/close/", presence.close_check_in, name="close-check-in"),
    path(f"{SECTION}check-in/<int:participant>/", presence.mark, name="check-in-player"),
    path(f"{SECTION}absences/", presence.absences, name="absences"),
    path(f"{SECTION}round/<int:number>/check/", rounds.check, name="check-round"),
    path(f"{SECTION}game/<int:game>/settle/", settling.settle, name="settle"),
    path(f"{SECTION}game/<int:game>/absent/", settling.absent, name="absent"),
    path(f"{ENTRY}leave/", leaving.leave, name="leave"),
    path(f"{ENTRY}half-byes/", leaving.half_byes, name="half-byes"),
    path(f"{SECTION}settings/fide-mode/", leaving.fide_mode, name="fide-mode"),
]
