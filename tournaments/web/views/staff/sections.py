"""Pages that make, change, close, reopen and hide a section."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions import sections
from tournaments.actions.schedule import set_round_starts
from tournaments.errors import DomainError, Stale
from tournaments.models import Event, Round, Tournament
from tournaments.web.context import section_context, section_url
from tournaments.web.forms.entries import ReasonForm
from tournaments.web.forms.errors import tell
from tournaments.web.forms.schedule import ScheduleForm
from tournaments.web.forms.sections import SectionForm
from tournaments.web.messages import explain

from .access import actor_of, event_page, posted, section_page
from .overtaken import ask


@event_page("GET", "HEAD", "POST")
def new_section(request: HttpRequest, event: Event) -> HttpResponse:
    form = SectionForm(posted(request), initial={"rounds": 9})
    if request.method == "POST" and form.is_valid():
        try:
            tournament = sections.create_tournament(actor=actor_of(request), event=event, **form.cleaned_data)
        except DomainError as error:
            tell(form, error)
        else:
            return redirect("tournaments:entries", event=event.slug, section=tournament.slug)
    status = 422 if form.errors else 200
    return render(request, "staff/section_form.html", {"form": form, "event": event}, status=status)


@section_page("GET", "HEAD", "POST")
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show and change the settings of a section. Settings that round 1 has locked are shown as locked."""
    form = SectionForm(
        posted(request), initial=SectionForm.initial_of(tournament), locked=_locked(tournament)
    )
    if request.method == "POST" and form.is_valid():
        try:
            sections.edit_tournament(
                actor=actor_of(request), tournament_id=tournament.pk, seen=form.shown, **form.changes()
            )
        except Stale as error:
            return _settings(request, tournament, _asked(tournament, form, error), status=error.status)
        except DomainError as error:
            tell(form, error)
        else:
            return redirect(section_url("settings", tournament))
    return _settings(request, tournament, form, status=422 if form.errors else 200)


def _asked(tournament: Tournament, form: SectionForm, error: Stale) -> SectionForm:
    """Return the form that shows both values of each field that another person has changed too."""
    tournament.refresh_from_db()
    fresh = SectionForm(initial=SectionForm.initial_of(tournament), locked=_locked(tournament))
    return ask(form, error, fresh, tournament.log.filter(action="edit_tournament"))


@section_page("POST")
def schedule(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Save when the rounds begin."""
    dates, status = ScheduleForm(tournament, request.POST), 422
    if dates.is_valid():
        try:
            set_round_starts(
                actor=actor_of(request), tournament_id=tournament.pk, starts=dates.starts(), seen=dates.seen()
            )
        except Stale as error:
            tournament.refresh_from_db()
            rows = tournament.log.filter(action="set_round_starts")
            dates, status = ask(dates, error, ScheduleForm(tournament), rows, "schedule"), error.status
        except DomainError as error:
            tell(dates, error)
        else:
            messages.info(request, _("The dates of the rounds are saved."))
            return redirect(section_url("settings", tournament))
    form = SectionForm(initial=SectionForm.initial_of(tournament), locked=_locked(tournament))
    return _settings(request, tournament, form, status=status, dates=dates)


def _locked(tournament: Tournament) -> frozenset[str]:
    return sections.LOCKED_BY_ROUND_1 if tournament.played_rounds.exists() else frozenset()


def _settings(
    request: HttpRequest,
    tournament: Tournament,
    form: SectionForm,
    *,
    status: int,
    problem: str = "",
    dates: ScheduleForm | None = None,
) -> HttpResponse:
    tournament.refresh_from_db()
    context = {
        **section_context(request, tournament, "settings"),
        "form": form,
        "dates": dates or ScheduleForm(tournament),
        "locked": bool(_locked(tournament)),
        "rounds_left": tournament.rounds - tournament.played_rounds.exclude(state=Round.State.DRAFT).count(),
        "problem": problem,
        "manages": request.user.has_perm("tournaments.manage_event", tournament),
    }
    answer = render(request, "staff/settings.html", context, status=status)
    if problem:  # the address of the refused request is no page, so it must not be in the browser's history
        answer["HX-Push-Url"] = section_url("settings", tournament)
    return answer


@section_page("POST")
def close(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Close the section; before its last round this needs a reason."""
    reason = _reason(request)
    try:
        sections.close_tournament(
            actor=actor_of(request), tournament_id=tournament.pk, early=bool(reason), reason=reason
        )
    except DomainError as error:
        return _refused(request, tournament, error)
    return redirect(section_url("desk", tournament))


@section_page("POST")
def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        sections.reopen_tournament(
            actor=actor_of(request), tournament_id=tournament.pk, reason=_reason(request)
        )
    except DomainError as error:
        return _refused(request, tournament, error)
    return redirect(section_url("desk", tournament))


@section_page("POST", permission="tournaments.manage_event")
def take_away(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Hide a section that was made by mistake. Only organisers may do this."""
    sections.take_section_away(actor=actor_of(request), tournament_id=tournament.pk)
    said = _("%(name)s is hidden. Only arbiters see it, below the list of sections.")
    messages.info(request, said % {"name": tournament.name})
    return redirect("tournaments:event", event=tournament.event.slug)


@section_page("POST", permission="tournaments.manage_event")
def bring_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        sections.take_section_away(actor=actor_of(request), tournament_id=tournament.pk, away=False)
    except DomainError as error:
        return _refused(request, tournament, error)
    return redirect(section_url("settings", tournament))


def _reason(request: HttpRequest) -> str:
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


def _refused(request: HttpRequest, tournament: Tournament, error: DomainError) -> HttpResponse:
    form = SectionForm(initial=SectionForm.initial_of(tournament), locked=_locked(tournament))
    return _settings(request, tournament, form, status=error.status, problem=explain(error))
