"""Points by decision of the arbiter: a bonus or a penalty for a player."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import isolated
from tournaments.actions.points import decide_points
from tournaments.errors import DomainError
from tournaments.models import Participant, Section
from tournaments.queries.field import load_field
from tournaments.queries.rulings import decisions_on
from web.context import section_context, section_url
from web.forms.decided_points import PointsForm
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import DIRECT, actor_of, answers_of, posted, section_page
from .rounds import seen_number


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def points(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Show the form, then ask, then add the points or take them away."""
    entry = section.participants.select_related("player").filter(pk=participant).first()
    if entry is None:
        raise Http404
    last = section.played_rounds.exclude(state="draft").count()
    form = PointsForm(posted(request), last=last)
    if request.method != "POST" or not form.is_valid():
        return _page(request, section, entry, form, last=last, status=422 if form.errors else 200)
    asked = form.cleaned_data
    try:
        decide_points(
            actor=actor_of(request),
            participant_id=entry.pk,
            round_number=asked["after_round"],
            points=asked["points"],
            reason=asked["reason"],
            seen=seen_number(request, "seen"),
            confirmed=answers_of(request),
        )
    except DomainError as error:
        if error.code == "points_unconfirmed":
            return _page(request, section, entry, form, last=last, question=error)
        add_refusal(form, error)
        entry.refresh_from_db(fields=["rulings"])
        return _page(request, section, entry, form, last=last, status=error.status)
    messages.info(request, _("The points of %(name)s are changed.") % {"name": isolated(entry.player.name)})
    return redirect(section_url("player", section, tpn=entry.tpn))


def _page(
    request: PersonRequest,
    section: Section,
    entry: Participant,
    form: PointsForm,
    *,
    last: int,
    question: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **section_context(request, section, "entries"),
        "entry": entry,
        "form": form,
        "last": last,
        "question": explain(question) if question else "",
        "answer": question.answer if question else "",
        "seen": len(entry.rulings),
        "decisions": tuple(decisions_on(load_field(section), entry.pk, last)),
    }
    return render(request, "staff/points.html", context, status=status)
