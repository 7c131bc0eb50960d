"""The page Screens: links to the hall screens, their countdown and their message."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.actions import hall
from tournaments.declarations.sections import SET_HALL_MESSAGE
from tournaments.errors import DomainError, Stale
from tournaments.models import Round, Section
from tournaments.rights import Right
from tournaments.rules import rights_in
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.hall import CountdownForm, MessageForm
from web.languages import PaperLanguage, paper_language
from web.qr import public_url
from web.requests import PersonRequest

from .access import actor_of, section_page
from .overtaken import ask


@dataclass(frozen=True, slots=True)
class ScreenLink:
    label: str
    use: str
    light: str
    dark: str


@section_page("GET", "HEAD")
def screens(request: PersonRequest, section: Section) -> HttpResponse:
    return _page(request, section, CountdownForm(initial=_next_start(section)))


@section_page("POST")
def countdown(request: PersonRequest, section: Section) -> HttpResponse:
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
def message(request: PersonRequest, section: Section) -> HttpResponse:
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
            form, status = ask(form, error, fresh, rows, "hall_message"), error.status
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
    context = section_context(request, section, "documents")
    paper = paper_language(request)
    context |= {
        "form": form,
        "whole_event": Right.SEE in rights_in(request.user, section.event),
        "paper": paper,
        "message_form": message_form or MessageForm(initial={"message": section.hall_message}),
        "screens": _links(section, paper),
        "public_address": public_url(request, section_url("screen", section), paper.code),
    }
    return render(request, "staff/screens.html", context, status=status)


def _links(section: Section, paper: PaperLanguage) -> list[ScreenLink]:
    base = paper.url(section_url("screen", section))

    def link(show: str, label: str, use: str) -> ScreenLink:
        return ScreenLink(label, use, f"{base}?show={show}", f"{base}?show={show}&theme=dark")

    aro = [link("aro", _("ARO list"), _("Points and ARO for the pairing of the next round."))]
    return [
        link("boards", _("Pairings by board"), _("Ten boards on each page.")),
        link("names", _("Pairings by name"), _("Twenty names on each page, with board and colour.")),
        link("results", _("Results by board"), _("Ten boards on each page. New results are shown at once.")),
        link("newest", _("The newest results"), _("One page with the ten results that came last.")),
        link("standings", _("Standings"), _("Twenty places on each page. New results are shown at once.")),
        *(aro if "aro" in section.lists else []),
        link("clock", _("Clock"), _("The time to the next round, or the time of day.")),
    ]
