"""Incidents: noted at a board in a few keys or taps, listed, changed and removed."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import isolated
from evenboard_engine import Colour
from tournaments.actions.incidents import CHANGED, change_incident, note_incident, remove_incident
from tournaments.errors import DomainError
from tournaments.models import Incident, Section
from tournaments.queries.incidents import IncidentRow, incident_list
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.incidents import BoardIncidentForm, IncidentForm
from web.requests import PersonRequest

from .access import RESULTS, actor_of, came_from, posted, section_page
from .results import board_of


@section_page("GET", "HEAD", permission=RESULTS)
def incidents(request: PersonRequest, section: Section) -> HttpResponse:
    """List the incidents. ?round= and ?kind= choose some of them."""
    every = incident_list(section, request.boards)
    asked = {name: request.GET.get(name, "") for name in ("round", "kind")}
    rows = [
        row
        for row in every
        if asked["round"] in ("", str(row.incident.round_number)) and asked["kind"] in ("", row.incident.kind)
    ]
    context = {
        **section_context(request, section, "incidents"),
        "rows": rows,
        "any": bool(every),
        "asked": asked,
        "rounds": sorted({row.incident.round_number for row in every}),
        "kinds": Incident.Kind.choices,
    }
    return render(request, "staff/incidents.html", context)


@section_page("GET", "HEAD", "POST", permission=RESULTS)
def board_incident(request: PersonRequest, section: Section, number: int, board: int) -> HttpResponse:
    """Note an incident at a board. ?side=w chooses the player."""
    view, row = board_of(request, section, number, board)
    if view.is_draft:
        raise Http404
    names = {"white": isolated(row.white.name), "black": isolated(row.black.name)}
    form = BoardIncidentForm(posted(request), initial={"side": request.GET.get("side", "")}, **names)
    back = came_from(request, section)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        side = row.white if values.pop("side") == Colour.WHITE.value else row.black
        values |= {"participant_id": side.participant_id, "round_number": number}
        try:
            noted = note_incident(actor=actor_of(request), section_id=section.pk, **values)
        except DomainError as error:
            add_refusal(form, error)
        else:
            _say_what_the_laws_say(request, section, noted)
            return redirect(back or section_url("incidents", section))
    context = {
        **section_context(request, section, "incidents", number),
        "form": form,
        "row": row,
        "number": number,
        "back": back,
        "here": [each for each in incident_list(section) if _is_at(each, number, row.white, row.black)],
    }
    return render(request, "staff/incidents_board.html", context, status=422 if form.errors else 200)


def _is_at(row: IncidentRow, number: int, *sides: object) -> bool:
    keys = {getattr(side, "participant_id", 0) for side in sides}
    return row.incident.round_number == number and row.incident.participant_id in keys


def _say_what_the_laws_say(request: PersonRequest, section: Section, noted: Incident) -> None:
    """Say at once that it was a second illegal move. The arbiter decides; nothing is done."""
    row = next(each for each in incident_list(section) if each.incident.pk == noted.pk)
    if row.decides:
        sentence = _(
            "Second illegal move of %(name)s in this game. The arbiter declares the game lost, or drawn if the "
            "opponent cannot checkmate by any series of legal moves (Laws of Chess, 7.5.5). No result was changed: "
            "enter the result."
        )
        messages.warning(request, sentence % {"name": isolated(noted.participant.player.name)})


@section_page("GET", "HEAD", "POST", permission=RESULTS)
def one_incident(request: PersonRequest, section: Section, incident: int) -> HttpResponse:
    """Change an incident."""
    row = _row(request, section, incident)
    initial = {name: getattr(row.incident, name) for name in CHANGED}
    form = IncidentForm(posted(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_incident(actor=actor_of(request), incident_id=incident, **form.cleaned_data)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("incidents", section))
    context = {**section_context(request, section, "incidents"), "form": form, "row": row}
    return render(request, "staff/incidents_change.html", context, status=422 if form.errors else 200)


@section_page("POST", permission=RESULTS)
def remove(request: PersonRequest, section: Section, incident: int) -> HttpResponse:
    _row(request, section, incident)
    remove_incident(actor=actor_of(request), incident_id=incident)
    return redirect(section_url("incidents", section))


def _row(request: PersonRequest, section: Section, key: int) -> IncidentRow:
    for row in incident_list(section, request.boards):
        if row.incident.pk == key:
            return row
    raise Http404
