"""A rehearsal: made from an event, its clock and its table while it is played, its report, and its end."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evenboard_engine import Result
from tournaments.actions.rehearsals import end_rehearsal, rehearse, set_rehearsal
from tournaments.errors import DomainError
from tournaments.files.rehearsals import facts_of_report, rehearsal_csv
from tournaments.models import Event, RehearsalClock
from tournaments.queries.rehearsals import TableLine, on_the_table, rehearsal_report
from tournaments.rights import Right
from web.context import section_url
from web.files import table_response
from web.forms.errors import add_refusal
from web.forms.rehearsals import RehearseForm
from web.qr import public_url
from web.requests import PersonRequest
from web.views.public.public_page import nothing_new
from web.words.refusals import explain
from web.words.values import result_sign

from .access import MANAGE, RUN, actor_of, answers_of, asks_for_part, event_page, posted

SPEEDS = (0, 1, 10, 30, 100)


@event_page("GET", "HEAD", "POST", archived=True)
def rehearse_event(request: PersonRequest, event: Event) -> HttpResponse:
    """Make a rehearsal of an event."""
    if event.rehearsal:
        return redirect("tournaments:rehearsal", event=event.slug)
    form = RehearseForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = rehearse(actor=actor_of(request), event=event, **form.wanted)
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect("tournaments:rehearsal", event=made.slug)
    context = {"event": event, "form": form}
    return render(request, "staff/rehearsals_new.html", context, status=422 if form.errors else 200)


@event_page("GET", "HEAD", "POST", permission=RUN)
def rehearsal(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the clock, what waits on the table, and the report so far. A POST sets the speed."""
    if not event.rehearsal:
        return redirect("tournaments:event", event=event.slug)
    if request.method == "POST":
        speed = request.POST.get("speed", "")
        if speed in map(str, SPEEDS):
            set_rehearsal(actor=actor_of(request), event=event, speed=int(speed))
        return redirect("tournaments:rehearsal", event=event.slug)
    clock = _clock(event)
    lines = on_the_table(clock, timezone.now())
    context = {
        **_report(event, clock),
        "clock": clock,
        "speeds": SPEEDS,
        "table": [(line, _where(line), _sentence(line)) for line in lines],
        "address": public_url(request, reverse("tournaments:event", args=[event.slug])),
        "ends": Right.MANAGE in request.rights,
    }
    about = (
        clock.speed,
        [(line.game and line.game.pk, line.entered, line.appeal) for line in lines],
        context["report"],
    )
    seen = sha256(repr(about).encode()).hexdigest()[:16]
    if asks_for_part(request) and request.GET.get("seen") == seen:
        return nothing_new()
    return render(request, "staff/rehearsals.html", {**context, "seen": seen})


def _where(line: TableLine) -> str:
    """Return the page on which an arbiter does what the line says."""
    if line.appeal is not None:
        return section_url("incident", line.section, incident=line.appeal.pk)
    assert line.game is not None
    number, board = line.game.round.number, line.game.board
    return f"{section_url('enter-results', line.section, number=number)}#board-{board}"


def _sentence(line: TableLine) -> str:
    """Return what waits, in words."""
    if line.appeal is not None:
        return _("An appeal: decide, and write the decision into the note")
    result = result_sign(Result(line.result))
    if line.entered:
        named = {"result": result, "entered": result_sign(Result(line.entered))}
        return _("Both players say %(result)s, but %(entered)s is entered") % named
    return _("Slip: %(result)s") % {"result": result}


@event_page("GET", "HEAD", permission=RUN)
def report_file(_request: PersonRequest, event: Event) -> HttpResponse:
    """Send the report as a file."""
    clock = _clock(event)
    return table_response(
        lambda write: rehearsal_csv(event, clock, write=write), f"{event.slug}-report", "csv"
    )


@event_page("POST", permission=MANAGE)
def end(request: PersonRequest, event: Event) -> HttpResponse:
    """Ask once, with the report, and delete the rehearsal."""
    try:
        end_rehearsal(actor=actor_of(request), event=event, sure=answers_of(request))
    except DomainError as error:
        if not error.answer:
            raise
        context = {**_report(event, _clock(event)), "question": explain(error), "answer": error.answer}
        return render(request, "staff/rehearsals_end.html", context, status=error.status)
    return redirect("home")


def _clock(event: Event) -> RehearsalClock:
    return RehearsalClock.objects.select_related("event").filter(event=event).first() or RehearsalClock(
        event=event
    )


def _report(event: Event, clock: RehearsalClock) -> dict[str, Any]:
    report = rehearsal_report(clock)
    return {"event": event, "report": report, "facts": facts_of_report(report)}
