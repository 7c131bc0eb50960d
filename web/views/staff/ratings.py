"""Pages of the ratings of a section: which one is the tournament rating, and the rating periods."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.ratings import set_period_ratings, set_rating_method, set_rating_periods
from tournaments.declarations.sections import SET_RATING_METHOD, SET_RATING_PERIODS
from tournaments.errors import DomainError, Stale
from tournaments.models import Section
from tournaments.queries.sections import suggested_starts
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.ratings import PeriodRatingsForm, RatingMethodForm, RatingPeriodsForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import DIRECT, SET_UP, actor_of, ask_between_values, posted, section_page
from .rounds import seen_number


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def ratings(request: PersonRequest, section: Section) -> HttpResponse:
    """Show and change which rating is the tournament rating."""
    form = RatingMethodForm(posted(request), section=section, locked=_locked(section))
    if request.method != "POST":
        return _page(request, section, form)
    status = 422
    if form.is_valid():
        try:
            set_rating_method(
                actor=actor_of(request), section_id=section.pk, seen=form.shown, **form.wanted()
            )
        except Stale as error:
            section.refresh_from_db()
            fresh = RatingMethodForm(section=section, locked=_locked(section))
            form = ask_between_values(form, error, fresh, section.log.filter(action=SET_RATING_METHOD.name))
            status = error.status
        except DomainError as error:
            add_refusal(form, error)
            status = error.status
        else:
            messages.info(request, _("The tournament rating is saved."), extra_tags="offered")
            return redirect(section_url("ratings", section))
    return _page(request, section, form, status=status)


@section_page("POST", permission=SET_UP)
def periods(request: PersonRequest, section: Section) -> HttpResponse:
    form, status = RatingPeriodsForm(request.POST, section=section), 422
    if form.is_valid():
        try:
            set_rating_periods(
                actor=actor_of(request), section_id=section.pk, seen=form.shown, **form.wanted()
            )
        except Stale as error:
            section.refresh_from_db()
            rows = section.log.filter(action=SET_RATING_PERIODS.name)
            form, status = (
                ask_between_values(form, error, RatingPeriodsForm(section=section), rows),
                error.status,
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            messages.info(request, _("The rating periods are saved."), extra_tags="offered")
            return redirect(section_url("ratings", section))
    return _page(request, section, RatingMethodForm(section=section), form, status=status)


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def period_ratings(request: PersonRequest, section: Section, period: int) -> HttpResponse:
    """Show the ratings of a later period. A POST writes them."""
    if not 2 <= period <= len(section.rating_periods):
        raise Http404
    entries = section.participants.select_related("player").order_by("tpn", "pk")
    form = PeriodRatingsForm(posted(request), entries=entries, period=period)
    problem, status = "", 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                set_period_ratings(
                    actor=actor_of(request),
                    section_id=section.pk,
                    period=period,
                    ratings=form.ratings(),
                    seen_revision=seen_number(request, "revision"),
                )
            except DomainError as error:
                problem, status = explain(error), error.status
            else:
                messages.info(request, _("The ratings are saved."), extra_tags="offered")
                return redirect(section_url("ratings", section))
    section.refresh_from_db(fields=["revision"])
    first, last = section.rating_periods[period - 1]
    context = {
        **section_context(request, section, "settings"),
        "form": form,
        "period": period,
        "first": first,
        "last": last,
        "problem": problem,
    }
    return render(request, "staff/ratings_periods.html", context, status=status)


def _locked(section: Section) -> bool:
    return section.played_rounds.exists()


def _page(
    request: PersonRequest,
    section: Section,
    form: RatingMethodForm,
    periods_form: RatingPeriodsForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    section.refresh_from_db()
    periods_form = periods_form or RatingPeriodsForm(section=section)
    if section.is_closed or getattr(request, "only_looks", False):
        form.lock()
        periods_form.lock()
    context = {
        **section_context(request, section, "settings"),
        "form": form,
        "periods": periods_form,
        "listed": list(enumerate(section.rating_periods, start=1)),
        "suggested": suggested_starts(section),
        "locked": _locked(section),
        "from_ratings": any(rule.of_opponents_ratings for rule in section.tie_break_list),
    }
    return render(request, "staff/ratings.html", context, status=status)
