"""Make an event, and change its details."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from tournaments.actions import events
from tournaments.declarations.events import EDIT_EVENT
from tournaments.errors import DomainError, Stale
from tournaments.models import Event
from tournaments.web.forms.errors import add_refusal
from tournaments.web.forms.events import EventForm
from tournaments.web.requests import PersonRequest

from .access import actor_of, event_page, person_page, posted
from .overtaken import ask


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
            asked = ask(form, error, fresh, event.log.filter(action=EDIT_EVENT.name))
            return _form(request, asked, event=event, status=error.status)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:event", event=event.slug)
    return _form(request, form, event=event)


def _form(request: PersonRequest, form: EventForm, *, event: Event | None, status: int = 200) -> HttpResponse:
    status = 422 if form.errors else status
    return render(request, "staff/event_form.html", {"form": form, "event": event}, status=status)
