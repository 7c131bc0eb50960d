"""The screens of the hall: their links, countdown and message, and screens that arbiters control from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.actions import hall
from tournaments.actions import hall as actions
from tournaments.declarations.sections import SET_HALL_MESSAGE
from tournaments.errors import DomainError, Stale
from tournaments.models import Event, Round, Screen, Section
from tournaments.models.hall import ROWS
from tournaments.rights import Right
from tournaments.rules import rights_in
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.hall import CountdownForm, MessageForm, NewScreenForm, ScreenForm
from web.qr import public_url
from web.requests import PersonRequest
from web.templatetags.lists import commas
from web.views.public.public_page import nothing_new

from .access import actor_of, ask_between_values, asks_for_part, event_page, posted, section_page

# The page Screens: links to the hall screens, their countdown and their message.


@dataclass(frozen=True, slots=True)
class ScreenLink:
    """A list that a screen can show. name: of a new screen for it. screens: those that show it now, with addresses."""

    show: str
    label: str
    use: str
    name: str
    screens: list[tuple[Screen, str]]


@section_page("GET", "HEAD")
def screens_page(request: PersonRequest, section: Section) -> HttpResponse:
    """Show what a screen can show, and the screens of the section. Each has a page with its fields."""
    return _page(request, section, CountdownForm(initial=_next_start(section)))


@section_page("POST")
def set_countdown(request: PersonRequest, section: Section) -> HttpResponse:
    """Start a countdown, or end it (off)."""
    if "off" in request.POST:
        hall.set_countdown(actor=actor_of(request), section_id=section.pk, to=None)
        return redirect(section_url("screens", section))
    form = CountdownForm(request.POST)
    if form.is_valid():
        try:
            hall.set_countdown(actor=actor_of(request), section_id=section.pk, to=form.moment)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("screens", section))
    return _page(request, section, form, status=422)


@section_page("POST")
def set_message(request: PersonRequest, section: Section) -> HttpResponse:
    """Set the message at the foot of the screens; an empty one removes it."""
    form, status = MessageForm(request.POST, initial={"message": section.hall_message}), 422
    if form.is_valid():
        text = form.wanted()["message"]
        try:
            hall.set_hall_message(
                actor=actor_of(request), section_id=section.pk, message=text, seen=form.shown
            )
        except Stale as error:
            section.refresh_from_db()
            fresh = MessageForm(initial={"message": section.hall_message})
            rows = section.log.filter(action=SET_HALL_MESSAGE.name)
            form, status = ask_between_values(form, error, fresh, rows, "hall_message"), error.status
        else:
            return redirect(section_url("screens", section))
    return _page(request, section, CountdownForm(), message_form=form, status=status)


def _next_start(section: Section) -> dict[str, object]:
    """Return the time of the next round, if it begins later today."""
    now, published = localtime(), section.played_rounds.exclude(state=Round.State.DRAFT).count()
    for number in (published, published + 1):
        start = section.start_of(number)
        if start and start.time and start.day == now.date() and start.time > now.time():
            return {"clock": start.time}
    return {}


def _page(
    request: PersonRequest,
    section: Section,
    form: CountdownForm,
    *,
    message_form: MessageForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = section_context(request, section, "screens")
    rights = rights_in(request.user, section.event)
    context |= {
        "form": form,
        "whole_event": Right.SEE in rights,
        "makes_screens": Right.RUN in rights,
        "message_form": message_form or MessageForm(initial={"message": section.hall_message}),
        "screens": _links(request, section),
    }
    return render(request, "staff/hall_addresses.html", context, status=status)


def _links(request: PersonRequest, section: Section) -> list[ScreenLink]:
    made = list(section.event.screens.filter(section=section))
    one, two = {"rows": ROWS}, {"rows": 2 * ROWS}  # names and places stand in two columns

    def link(show: str, label: str, use: str) -> ScreenLink:
        screens = [(each, address_of(request, each)) for each in made if each.show == show]
        return ScreenLink(show, label, use, commas(section.name, label), screens)

    aro = [link("aro", _("ARO list"), _("Points and ARO for the pairing of the next round."))]
    return [
        link("boards", _("Pairings by board"), _("%(rows)s boards on each page.") % one),
        link("names", _("Pairings by name"), _("%(rows)s names on each page, with board and colour.") % two),
        link(
            "results",
            _("Results by board"),
            _("%(rows)s boards on each page. New results are shown at once.") % one,
        ),
        link("newest", _("The newest results"), _("One page with the last %(rows)s results.") % one),
        link(
            "standings",
            _("Standings"),
            _("%(rows)s places on each page. New results are shown at once.") % two,
        ),
        *(aro if "aro" in section.lists else []),
        link("clock", _("Clock"), _("The time to the next round, or the time of day.")),
    ]


# The screens of an event that arbiters control from elsewhere, such as from a phone.

RUN = "tournaments.run_section"
PRESSES: dict[str, dict[str, Any]] = {"pause": {"paused": True}, "continue": {"paused": False}}
TURNS = {"next": 1, "back": -1}


@event_page("GET", "HEAD", "POST", permission=RUN, archived=True)
def hall_screens(request: PersonRequest, event: Event) -> HttpResponse:
    form = NewScreenForm(posted(request), event=event)
    if request.method == "POST" and form.is_valid():
        try:
            asked = form.cleaned_data
            made = actions.make_screen(
                actor=actor_of(request),
                event=event,
                name=asked["name"],
                section=asked["section"],
                show=asked["show"] or Screen.Show.BOARDS,
            )
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


@event_page("GET", "HEAD", "POST", permission=RUN, archived=True)
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
