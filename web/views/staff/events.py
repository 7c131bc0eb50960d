"""Make an event, and change its details."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.actions import events
from tournaments.declarations.events import EDIT_EVENT
from tournaments.errors import DomainError, Stale
from tournaments.models import Event
from tournaments.queries.events import section_states
from tournaments.rights import Right
from web.context import section_tab_url
from web.forms.errors import add_refusal
from web.forms.events import EventForm
from web.requests import PersonRequest
from web.words.values import dates_differ

from .access import actor_of, ask_between_values, event_page, person_page, posted


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
