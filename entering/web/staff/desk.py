"""The desk on the first morning: find a player by letters or a code, note presence and payment in one press."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from entering.actions.changing import set_present
from entering.actions.money import pay_all
from entering.machine import State
from entering.models import EventRegistration, Registration
from entering.queries.conditions import HERE
from entering.queries.links import registration_of
from entering.queries.queue import QueueFilter, found_by, ready
from entering.web.staff.access import by_of, desk_page
from tournaments.web.requests import PersonRequest
from tournaments.web.views.staff.access import DESK

MOST = 8
LONGEST_NUMBER = 19
"""Digits: a larger number is no key of a row."""
DONE = {
    "here": gettext_lazy("%(name)s is here"),
    "both": gettext_lazy("%(name)s is here and has paid"),
    "paid": gettext_lazy("%(name)s has paid"),
    "away": gettext_lazy("%(name)s is not here"),
}
LINK = re.compile(r"/-/entry/(\d+-[0-9a-f]+)")


@desk_page("GET", "HEAD", permission=DESK)
def desk(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Show the players whom the search finds, one big row each, and how many are ready for round 1."""
    search = request.GET.get("q", "")[:200].strip()
    rows: list[Registration] = []
    if (code := LINK.search(search)) and (found := registration_of(form.event, code[1])):
        rows = _numbered(form, found.pk)
    elif search.isascii() and search.isdecimal() and len(search) < LONGEST_NUMBER:
        rows = _numbered(form, int(search))
    scanned = bool(rows)
    if scanned or code:
        search = ""  # the field is empty for the next code
    elif search or request.GET.get("show"):
        wanted = QueueFilter(pile="accepted", search=search[:80], sort="name")
        listed = found_by(form.event, wanted).select_related("section").annotate(here=HERE)
        if request.GET.get("show") == "missing":
            listed = listed.filter(here=False)
        rows = list(listed[: MOST if search else None])
    context = {
        "event": form.event,
        "registration": form,
        "search": search,
        "missing": request.GET.get("show") == "missing",
        "asked": bool(search or code),
        "scanned": scanned,
        "rows": rows,
        "counts": ready(form.event),
    }
    return render(request, "entering/staff/desk.html", context)


def _numbered(form: EventRegistration, number: int) -> list[Registration]:
    """Return the registration with this number, in a list; no other one is looked for."""
    rows = Registration.objects.filter(event=form.event, pk=number, erased_at=None)
    return list(rows.select_related("section").annotate(here=HERE))


@desk_page("POST", permission=DESK)
def mark(request: PersonRequest, form: EventRegistration, registration: int) -> HttpResponse:
    """Note that a player is here, has paid, or both; or that it was a mistake."""
    asked = request.POST.get("do", "")
    rows = Registration.objects.select_related("section")
    one = rows.filter(event=form.event, pk=registration, state=State.ACCEPTED).first()
    if one is not None:
        by = by_of(request)
        if asked in ("paid", "both"):
            pay_all(registration_id=one.pk, by=by)
        if asked in ("here", "both", "away"):
            section = set_present(registration_id=one.pk, present=asked != "away", by=by).section
        else:
            section = one.section
        if asked in DONE:
            messages.info(request, DONE[asked] % {"name": one.name})
        if section.check_in_round != one.section.check_in_round:
            opened = gettext("The check-in of %(section)s for round 1 is open now.")
            messages.info(request, opened % {"section": section.name})
    return redirect(reverse("entering:registration-desk", args=[form.event.slug]))
