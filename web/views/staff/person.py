"""What is kept about one player: a file for the person, and erasing it. For organisers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.erasing import erase_player
from tournaments.errors import DomainError
from tournaments.exports.person import person_zip
from tournaments.models import Section
from web.context import section_context, section_url
from web.downloads import download, file_name
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, section_page

ORGANISERS = "tournaments.manage_event"
ZIP = "application/zip"


@section_page("GET", "HEAD", "POST", permission=ORGANISERS)
def personal_data(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Show what can be done with the data of a player. A POST with the name erases them."""
    entry = get_object_or_404(section.participants.select_related("player"), pk=participant)
    problem = None
    if request.method == "POST":
        try:
            new_name = erase_player(
                actor=actor_of(request),
                event=section.event,
                player_id=entry.player_id,
                typed=request.POST.get("name", ""),
            )
        except DomainError as error:
            problem = error
        else:
            messages.info(request, _("The data are erased. The player is now %(name)s.") % {"name": new_name})
            return redirect(section_url("entries", section))
    context = {
        **section_context(request, section, "entries", None),
        "entry": entry,
        "others": list(
            entry.player.entries.exclude(pk=entry.pk)
            .order_by("section_id")
            .values_list("section__name", flat=True)
        ),
        "problem": explain(problem) if problem else "",
    }
    return render(request, "staff/personal_data.html", context, status=problem.status if problem else 200)


@section_page("GET", "HEAD", permission=ORGANISERS)
def personal_file(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Send everything that is kept about a player."""
    entry = get_object_or_404(section.participants.select_related("player__event"), pk=participant)
    return download(person_zip(entry.player), file_name(section, f"-person-{entry.pk}.zip"), ZIP)
