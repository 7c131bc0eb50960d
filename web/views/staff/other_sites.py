"""What an organiser copies into other web sites and programs: frames, JSON, calendar, feed and PGN."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Round, Section
from web.context import section_context, section_url
from web.languages import PaperLanguage, paper_language
from web.qr import public_url
from web.requests import PersonRequest
from web.views.public.feeds import pgn_of

from .access import section_page


@dataclass(frozen=True, slots=True)
class Line:
    """A line to copy. use: what it is for."""

    label: str
    use: str
    text: str


@section_page("GET", "HEAD")
def other_sites(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the lines to copy."""
    paper = paper_language(request)
    context = section_context(request, section, "documents")
    context |= {
        "paper": paper,
        "frames": _frames(request, section, paper),
        "addresses": _addresses(request, section, paper),
        "sites": section.event.embed_sites.split(),
        "owns": request.user.has_perm("tournaments.manage_event", section.event),
    }
    return render(request, "staff/other_sites.html", context)


@section_page("GET", "HEAD")
def transmission(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Send the boards of a published round as PGN, with FIDE IDs and full names."""
    try:
        return pgn_of(section, number, fide_ids=True)
    except Round.DoesNotExist as missing:
        raise Http404(str(missing)) from missing


def _frames(request: PersonRequest, section: Section, paper: PaperLanguage) -> list[Line]:
    def frame(document: str, label: str) -> Line:
        path = section_url("embed", section, document=document)
        url = public_url(request, path, paper.code)
        return Line(label, "", f'<iframe src="{url}" title="{label}" width="100%" height="600"></iframe>')

    aro = [frame("aro", _("ARO list"))] if "aro" in section.lists else []
    return [frame("pairings", _("Pairings")), frame("standings", _("Standings")), *aro]


def _addresses(request: PersonRequest, section: Section, paper: PaperLanguage) -> list[Line]:
    def line(label: str, use: str, path: str) -> Line:
        return Line(label, use, public_url(request, path, paper.code))

    latest = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    event = section.event
    api = reverse("api:v1:public-standings", kwargs={"section": section.pk})
    of_calendar = (
        _("The rounds of this section.")
        if any(section.start_of(number) for number in range(1, section.rounds + 1))
        else _("It is empty, because no round of this section has a day yet.")
    )
    found = [
        line(_("Calendar"), of_calendar, section_url("calendar", section)),
        line(
            _("Calendar of the event"),
            _("The rounds of all sections."),
            reverse("tournaments:event-calendar", kwargs={"event": event.slug}),
        ),
        line(_("Feed"), _("What is published, as Atom."), section_url("feed", section)),
        line(_("Standings as JSON"), _("For scripts of any web site."), api),
    ]
    if latest is not None:
        parts = {"section": section.pk, "number": latest.number}
        found.append(
            line(
                _("Pairings as JSON"),
                _("For scripts of any web site."),
                reverse("api:v1:public-round", kwargs=parts),
            )
        )
        if event.public_pgn:
            pgn = section_url("boards-pgn", section, number=latest.number)
            found.append(line(_("Boards as PGN"), _("For everybody, without FIDE IDs."), pgn))
        own = section_url("transmission", section, number=latest.number)
        found.append(line(_("Boards for the transmission"), _("For arbiters, with FIDE IDs."), own))
    return found
