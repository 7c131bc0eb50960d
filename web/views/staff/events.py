"""Make an event, change its details, and the overview of those who work on it."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.actions import events
from tournaments.declarations.events import EDIT_EVENT
from tournaments.errors import DomainError, Stale
from tournaments.hooks import asked_of_organisers
from tournaments.models import Event, User
from tournaments.queries.events import event_work, section_states
from tournaments.rights import Right
from web.context import section_tab_url
from web.forms.errors import add_refusal
from web.forms.events import EventForm
from web.requests import PersonRequest
from web.words.events import most_urgent, plan_lines, section_step, settle_lines
from web.words.values import dates_differ

from .access import actor_of, ask_between_values, asks_for_part, event_page, person_page, posted

MOST_DAYS = 10  # that the rail of the overview has room for


@person_page("GET", "HEAD", "POST", permission="tournaments.create_event")
def new_event(request: PersonRequest) -> HttpResponse:
    form = EventForm(posted(request), initial=EventForm.initial_of_new())
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create_event(actor=actor_of(request), **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:new-section", event=event.slug)
    return _form(request, form, event=None)


@event_page("GET", "HEAD", "POST")
def edit_event(request: PersonRequest, event: Event) -> HttpResponse:
    form = EventForm(posted(request), initial=EventForm.initial_of(event))
    if request.method == "POST" and form.is_valid():
        try:
            events.edit_event(actor=actor_of(request), event=event, seen=form.shown, **form.changes())
        except Stale as error:
            event.refresh_from_db()
            fresh = EventForm(initial=EventForm.initial_of(event))
            asked = ask_between_values(form, error, fresh, event.log.filter(action=EDIT_EVENT.name))
            return _form(request, asked, event=event, status=error.status)
        except DomainError as error:
            add_refusal(form, error)
        else:
            _warn_of_rounds_outside(request, event)
            return redirect("tournaments:event", event=event.slug)
    return _form(request, form, event=event)


@event_page("GET", "HEAD", permission=Right.VIEW.permission)
def sections_menu(request: PersonRequest, event: Event) -> HttpResponse:
    """The menu of sections, as a part of a page. ?page= the tab that stays. ?section= where the person is."""
    tab, here = request.GET.get("page", ""), request.GET.get("section", "")
    rows = [(state, section_tab_url(tab, state)) for state in section_states(event, request.user)]
    context = {
        "event": event,
        "rows": rows,
        "here": here,
        "manages": Right.MANAGE in request.rights,
    }
    return render(request, "staff/sections_menu.html", context)


@event_page("GET", "HEAD", permission=Right.VIEW.permission)
def overview(request: PersonRequest, event: Event) -> HttpResponse:
    """Send what the overview of the event shows now, as a part of the page; 204 while it shows the same."""
    shown = overview_of(event, request.user, request.rights, request.GET.get("day", ""))
    if not asks_for_part(request) or not shown:
        return redirect("tournaments:event", event=event.slug)
    if request.GET.get("seen") == shown["seen"]:
        return HttpResponse(status=204)
    context = {"event": event, "manages": Right.MANAGE in request.rights, **shown}
    return render(request, "staff/events_overview.html", context)


def overview_of(
    event: Event, user: User | AnonymousUser, rights: frozenset[Right], asked: str = ""
) -> dict[str, Any]:
    """Return what the sections wait for in which the person sees the cockpit; {} for others. Twelve queries, and
    those of the cockpit of each section whose next step may have changed.

    asked: the day of the plan, today if it is no day of the event.
    """
    if not rights or user.is_anonymous:
        return {}
    states = [row for row in section_states(event, user) if Right.SEE in row.rights]
    if not states:
        return {}
    length = min((event.end - event.start).days + 1, MOST_DAYS)
    days = [event.start + timedelta(number) for number in range(length)]
    today = localtime().date()
    day = next((each for each in days if each.isoformat() == asked), today)
    work = event_work(event, states, day)
    noted = event.log.filter(section=None).aggregate(newest=Max("pk"))["newest"] or 0
    rows = [(state, work.marks.get(state.section.pk, ()), section_step(state, noted)) for state in states]
    registers = hasattr(event, "registration")
    sees_queue = registers and Right.SEE_REGISTRATIONS in rights
    waiting = [count(event) for count in asked_of_organisers] if sees_queue else []
    shown = {
        "rows": rows,
        "step": most_urgent([step for _state, _marks, step in rows]),
        "settle": list(
            settle_lines(work, sum(one for one, _byes in waiting), sum(byes for _one, byes in waiting))
        ),
        "plan": plan_lines(work, day),
        "day": day,
        "desk": registers and Right.DESK in rights,
        "shows_people": Right.SEE_PEOPLE in rights,
        "runs": Right.RUN in rights,
    }
    about = [(row.section.revision, row.minutes) for row in states], [one.alive for one in work.screens]
    seen = sha256(repr((about, work, shown)).encode()).hexdigest()[:16]
    return {**shown, "work": work, "now": localtime(), "days": days, "today": today, "seen": seen}


def _warn_of_rounds_outside(request: PersonRequest, event: Event) -> None:
    event.refresh_from_db(fields=["start", "end"])
    for section in event.sections.filter(taken_away=False):
        section.event = event
        if sentence := dates_differ(event, section.round_days):
            named = {"section": isolated(section.name), "sentence": sentence}
            messages.warning(request, _("%(section)s: %(sentence)s") % named)


def _form(request: PersonRequest, form: EventForm, *, event: Event | None, status: int = 200) -> HttpResponse:
    status = 422 if form.errors else status
    return render(request, "staff/events_form.html", {"form": form, "event": event}, status=status)
