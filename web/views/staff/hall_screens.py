"""The screens of an event that arbiters control from elsewhere, such as from a phone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from tournaments.actions import screens as actions
from tournaments.errors import DomainError
from tournaments.models import Event, Screen
from web.forms.errors import add_refusal
from web.forms.hall_screens import NewScreenForm, ScreenForm
from web.qr import public_url
from web.requests import PersonRequest
from web.views.public.visits import nothing_new

from .access import actor_of, asks_for_part, event_page, posted

RUN = "tournaments.run_section"
PRESSES: dict[str, dict[str, Any]] = {"pause": {"paused": True}, "continue": {"paused": False}}
TURNS = {"next": 1, "back": -1}


@event_page("GET", "HEAD", "POST", permission=RUN)
def hall_screens(request: PersonRequest, event: Event) -> HttpResponse:
    """List the screens, and make one."""
    form = NewScreenForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = actions.make_screen(actor=actor_of(request), event=event, name=form.cleaned_data["name"])
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:hall-screen", event=event.slug, screen=made.pk)
    found = list(event.screens.select_related("section"))
    seen = _seen(found)
    if asks_for_part(request) and request.GET.get("seen") == seen:
        return nothing_new()
    rows = [(screen, address_of(request, screen)) for screen in found]
    context = {"event": event, "form": form, "rows": rows, "seen": seen}
    return render(request, "staff/hall_screens.html", context, status=422 if form.errors else 200)


@event_page("GET", "HEAD", "POST", permission=RUN)
def hall_screen(request: PersonRequest, event: Event, screen: int) -> HttpResponse:
    """Control one screen."""
    found = _screen(event, screen)
    form = ScreenForm(posted(request), screen=found)
    if request.method == "POST" and form.is_valid():
        try:
            actions.set_screen(event=event, screen_id=screen, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:hall-screen", event=event.slug, screen=screen)
    seen = _seen([found])
    if asks_for_part(request) and request.GET.get("seen") == seen:
        return nothing_new()
    has_aro = any("aro" in section.lists for section in event.sections.filter(taken_away=False))
    shows = [choice for choice in Screen.Show.choices if choice[0] != Screen.Show.ARO or has_aro]
    context = {
        "event": event,
        "screen": found,
        "form": form,
        "shows": shows,
        "address": address_of(request, found),
        "seen": seen,
    }
    return render(request, "staff/hall_screen.html", context, status=422 if form.errors else 200)


@event_page("POST", permission=RUN)
def press_screen(request: PersonRequest, event: Event, screen: int) -> HttpResponse:
    """Show another list (show), or press a button: next, back, pause, continue."""
    press = request.POST.get("press", "")
    if press in TURNS:
        actions.turn_screen(event=event, screen_id=screen, pages=TURNS[press])
    elif press in PRESSES:
        actions.set_screen(event=event, screen_id=screen, **PRESSES[press])
    elif request.POST.get("show") in Screen.Show.values:
        actions.set_screen(event=event, screen_id=screen, show=request.POST["show"])
    return redirect("tournaments:hall-screen", event=event.slug, screen=screen)


@event_page("POST", permission=RUN)
def remove_screen(request: PersonRequest, event: Event, screen: int) -> HttpResponse:
    actions.remove_screen(actor=actor_of(request), event=event, screen_id=screen)
    return redirect("tournaments:hall-screens", event=event.slug)


def address_of(request: PersonRequest, screen: Screen) -> str:
    """Return what a person types at the computer of the screen."""
    return public_url(request, reverse("tournaments:named-screen", kwargs={"code": screen.code}))


def _screen(event: Event, key: int) -> Screen:
    return get_object_or_404(Screen.objects.select_related("event", "section"), event=event, pk=key)


def _seen(screens: list[Screen]) -> str:
    """Return what an open page has seen, in short: it asks for news with it."""
    return "_".join(f"{screen.pk}-{screen.version}{'a' if screen.alive else ''}" for screen in screens)
