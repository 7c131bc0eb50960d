"""Next year's event from this one, the archive, and the deletion of an event with the time in which it comes back."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from base.text import isolated
from tournaments.actions.event_life import GRACE, archive_event, bring_event_back, delete_event
from tournaments.actions.next_year import A_YEAR, make_next_year, next_name
from tournaments.errors import DomainError
from tournaments.models import Event
from tournaments.queries.event_life import deleted_events, what_goes
from tournaments.queries.sections import event_closed
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, event_page, may_not, person_page, posted

OWN, CREATE = "tournaments.own_event", "tournaments.create_event"
MOST_DAYS = 3_700


class NextYearForm(forms.Form):
    name = forms.CharField(label=pgettext_lazy("of an event", "Name"), max_length=120)
    days = forms.IntegerField(
        label=gettext_lazy("Days from this event to the next"),
        min_value=-MOST_DAYS,
        max_value=MOST_DAYS,
        help_text=gettext_lazy("364 days are 52 weeks: each round falls on the same day of the week."),
    )
    people = forms.BooleanField(
        label=gettext_lazy("The same people work on it, with the same roles"),
        required=False,
    )


@event_page("GET", "HEAD")
def event_life(request: PersonRequest, event: Event) -> HttpResponse:
    """Show what can be done with an event that is over."""
    context = {
        "event": event,
        "unfinished": event.sections.exists() and not event_closed(event),
        "owns": request.user.has_perm(OWN, event),
        "creates": request.user.has_perm(CREATE),
        "days": GRACE.days,
    }
    return render(request, "staff/event_life.html", context)


@event_page("POST")
def archive(request: PersonRequest, event: Event) -> HttpResponse:
    """Put the event into the archive, or bring it back (back=1)."""
    archive_event(actor=actor_of(request), event=event, archived=not request.POST.get("back"))
    return redirect("tournaments:event-life", event=event.slug)


@event_page("GET", "HEAD", "POST")
def delete(request: PersonRequest, event: Event) -> HttpResponse:
    """Name what goes, and ask for the name of the event. A POST with it deletes the event."""
    if not request.user.has_perm(OWN, event):
        raise PermissionDenied(_("Only owners of the event can delete it."))
    problem = None
    if request.method == "POST":
        try:
            delete_event(actor=actor_of(request), event=event, typed=request.POST.get("name", ""))
        except DomainError as error:
            problem = error
        else:
            return redirect("tournaments:deleted-events")
    context = {
        "event": event,
        "goes": what_goes(event),
        "days": GRACE.days,
        "wrong": explain(problem) if problem else "",
    }
    return render(request, "staff/event_life_delete.html", context, status=problem.status if problem else 200)


@event_page("GET", "HEAD", "POST", archived=True)
def next_year(request: PersonRequest, event: Event) -> HttpResponse:
    """Make next year's event from this one."""
    if not request.user.has_perm(CREATE):
        raise PermissionDenied(may_not(CREATE))
    form = NextYearForm(posted(request), initial={"name": next_name(event.name), "days": A_YEAR})
    if request.method == "POST" and form.is_valid():
        try:
            made = make_next_year(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:edit-event", event=made.slug)
    context = {"event": event, "form": form}
    return render(request, "staff/next_year.html", context, status=422 if form.errors else 200)


@person_page("GET", "HEAD", "POST")
def deleted(request: PersonRequest) -> HttpResponse:
    """List the deleted events that the person can bring back. A POST with the key of one brings it back."""
    events = deleted_events(request.user)
    if request.method == "POST":
        key = request.POST.get("event", "")
        event = events.filter(pk=int(key) if key.isdecimal() and len(key) < 19 else 0).first()
        if event is None:
            return redirect("tournaments:deleted-events")
        back = bring_event_back(actor=actor_of(request), event=event)
        messages.info(request, _("%(event)s is back, as it was.") % {"event": isolated(back.name)})
        return redirect("tournaments:event", event=back.slug)
    rows = [(event, event.state_since + GRACE) for event in events if event.state_since is not None]
    return render(request, "staff/event_life_deleted.html", {"rows": rows})
