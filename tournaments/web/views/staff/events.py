"""Events and the people who run them."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments.actions import events
from tournaments.actions.logins import create_login
from tournaments.actions.password_links import make_link
from tournaments.errors import DomainError, Stale
from tournaments.models import Event
from tournaments.web.forms.errors import tell
from tournaments.web.forms.events import EventForm, LoginForm, PersonForm
from tournaments.web.messages import explain
from tournaments.web.qr import public_url, qr_svg, reaches_phones

from .access import actor_of, event_page, person_page, posted
from .overtaken import ask


@person_page("GET", "HEAD", "POST")
def new_event(request: HttpRequest) -> HttpResponse:
    form = EventForm(posted(request), initial=EventForm.initial_of_new())
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create_event(actor=actor_of(request), **form.cleaned_data)
        except DomainError as error:
            tell(form, error)
        else:
            return redirect("tournaments:new-section", event=event.slug)
    return _form(request, form, event=None)


@event_page("GET", "HEAD", "POST")
def edit_event(request: HttpRequest, event: Event) -> HttpResponse:
    form = EventForm(posted(request), initial=EventForm.initial_of(event))
    if request.method == "POST" and form.is_valid():
        try:
            events.edit_event(actor=actor_of(request), event=event, seen=form.shown, **form.changes())
        except Stale as error:
            event.refresh_from_db()
            fresh = EventForm(initial=EventForm.initial_of(event))
            asked = ask(form, error, fresh, event.log.filter(action="edit_event"))
            return _form(request, asked, event=event, status=error.status)
        except DomainError as error:
            tell(form, error)
        else:
            return redirect("tournaments:event", event=event.slug)
    return _form(request, form, event=event)


def _form(request: HttpRequest, form: EventForm, *, event: Event | None, status: int = 200) -> HttpResponse:
    status = 422 if form.errors else status
    return render(request, "staff/event_form.html", {"form": form, "event": event}, status=status)


@event_page("GET", "HEAD", "POST")
def people(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the people who run the event. A POST adds a person or changes a role."""
    form = PersonForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            events.add_role(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            tell(form, error)
        else:
            return redirect("tournaments:people", event=event.slug)
    return _people(request, event, form)


@event_page("POST")
def make_login(request: HttpRequest, event: Event) -> HttpResponse:
    """Make a login for a new arbiter. Only the answer to this request shows its password."""
    form = LoginForm(request.POST, prefix="new")
    made: dict[str, str] = {}
    if form.is_valid():
        try:
            user, password = create_login(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            tell(form, error)
        else:
            made = {"username": user.username, "label": user.label, "password": password}
            form = LoginForm(prefix="new")
    return _people(request, event, PersonForm(), login_form=form, made=made)


@event_page("POST")
def password_link(request: HttpRequest, event: Event) -> HttpResponse:
    """Make a link for a person who has forgotten the password. Only the answer to this request shows the link."""
    try:
        user, token = make_link(
            actor=actor_of(request), event=event, username=request.POST.get("username", "")
        )
    except DomainError as error:
        return _people(request, event, PersonForm(), refused=error)
    address = public_url(request, reverse("new-password", kwargs={"token": token}))
    link = {"label": user.label, "address": address, "qr": qr_svg(address) if reaches_phones(request) else ""}
    return _people(request, event, PersonForm(), link=link)


@event_page("POST")
def remove_person(request: HttpRequest, event: Event) -> HttpResponse:
    try:
        events.remove_role(actor=actor_of(request), event=event, username=request.POST.get("username", ""))
    except DomainError as error:
        form = PersonForm()
        return _people(request, event, form, refused=error)
    return redirect("tournaments:people", event=event.slug)


def _people(
    request: HttpRequest,
    event: Event,
    form: PersonForm,
    *,
    login_form: LoginForm | None = None,
    made: Mapping[str, str] | None = None,
    link: Mapping[str, str] | None = None,
    refused: DomainError | None = None,
) -> HttpResponse:
    login_form = login_form or LoginForm(prefix="new")
    context = {
        "event": event,
        "form": form,
        "login_form": login_form,
        "made": made,
        "link": link,
        "roles": event.roles.select_related("user").order_by("-role", "user__username"),
        "problem": explain(refused) if refused else "",
    }
    status = refused.status if refused else 422 if form.errors or login_form.errors else 200
    return render(request, "staff/people.html", context, status=status)
