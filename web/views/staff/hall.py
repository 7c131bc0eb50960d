"""The screens of the hall: their links, countdown and message, and screens that arbiters control from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
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
from tournaments.rights import Right
from tournaments.rules import rights_in
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.hall import CountdownForm, MessageForm, NewScreenForm, ScreenForm, ScreenPagesForm
from web.languages import PaperLanguage, paper_language
from web.qr import public_url
from web.requests import PersonRequest
from web.views.public.public_page import nothing_new

from .access import actor_of, ask_between_values, asks_for_part, event_page, posted, section_page

# The page Screens: links to the hall screens, their countdown and their message.


@dataclass(frozen=True, slots=True)
class ScreenLink:
    label: str
    use: str
    light: str
    dark: str


@section_page("GET", "HEAD")
def screens_page(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the links to the screens. Their rows, seconds and parts are fields of the page, which the query repeats."""
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
    paper = paper_language(request)
    usual = ScreenPagesForm.USUAL
    pages = ScreenPagesForm(request.GET if usual.keys() & request.GET.keys() else None, initial=usual)
    if pages.is_bound and not pages.is_valid():
        status = 422
    chosen = {
        name: value
        for name, value in (pages.cleaned_data if pages.is_valid() else {}).items()
        if value != usual[name]
    }
    context |= {
        "form": form,
        "whole_event": Right.SEE in rights_in(request.user, section.event),
        "paper": paper,
        "message_form": message_form or MessageForm(initial={"message": section.hall_message}),
        "pages_form": pages,
        "screens": _links(section, paper, chosen),
        "public_address": public_url(request, section_url("screen", section), paper.code),
    }
    return render(request, "staff/hall_addresses.html", context, status=status)


def _links(section: Section, paper: PaperLanguage, chosen: Mapping[str, int]) -> list[ScreenLink]:
    base = paper.url(section_url("screen", section))
    rows = chosen.get("rows", ScreenPagesForm.USUAL["rows"])
    one, two = {"rows": rows}, {"rows": 2 * rows}  # names and places stand in two columns
    pages = "".join(f"&{'of' if name == 'parts' else name}={value}" for name, value in chosen.items())

    def link(show: str, label: str, use: str) -> ScreenLink:
        return ScreenLink(label, use, f"{base}?show={show}{pages}", f"{base}?show={show}&theme=dark{pages}")

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
