"""The desk on the first morning: find a player by letters or a code, note presence and payment in one press."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from entering.actions.changing import set_present
from entering.actions.money import pay_all
from entering.machine import State
from entering.models import EventRegistration, Registration
from entering.queries.links import registration_of
from entering.queries.queue import HERE, QueueFilter, found_by, ready
from entering.web.staff.access import by_of, desk_page
from tournaments.web.requests import PersonRequest
from tournaments.web.views.staff.access import DESK

MOST = 8
LINK = re.compile(r"/-/entry/(\d+-[0-9a-f]+)")


@desk_page("GET", "HEAD", permission=DESK)
def desk(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show the players whom the search finds, one big row each, and how many are ready for round 1."""
    search = request.GET.get("q", "")[:200].strip()
    rows: list[Registration] = []
    if code := LINK.search(search):
        found = registration_of(form.event, code[1])
        scanned = (
            Registration.objects.filter(pk=found.pk) if found is not None else Registration.objects.none()
        )
        rows = list(scanned.select_related("section").annotate(here=HERE))
    elif search or request.GET.get("show"):
        wanted = QueueFilter(pile="accepted", search=search[:80], sort="name")
        listed = found_by(form.event, wanted).select_related("section").annotate(here=HERE)
        if request.GET.get("show") == "missing":
            listed = listed.filter(here=False)
        rows = list(listed[: MOST if search else None])
    context = {
        "event": form.event,
        "registration": form,
        "search": "" if code else search,
        "missing": request.GET.get("show") == "missing",
        "asked": bool(search),
        "rows": rows,
        "counts": ready(form.event),
    }
    return render(request, "entering/staff/desk.html", context)


@desk_page("POST", permission=DESK)
def mark(request: PersonRequest, form: EventRegistration, registration: int) -> HttpResponse:
    """Note that a player is here, has paid, or both; or that it was a mistake."""
    asked = request.POST.get("do", "")
    one = Registration.objects.filter(event=form.event, pk=registration, state=State.ACCEPTED).first()
    if one is not None:
        by = by_of(request)
        if asked in ("paid", "both"):
            pay_all(registration_id=one.pk, by=by)
        if asked in ("here", "both", "away"):
            set_present(registration_id=one.pk, present=asked != "away", by=by)
    return redirect(reverse("entering:registration-desk", args=[form.event.slug]))
