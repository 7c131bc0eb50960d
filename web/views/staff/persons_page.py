"""The link by which a player puts the event on the page across events. An arbiter gives it, and never agrees."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournaments.actions.persons_page import renew_persons_link
from tournaments.models import Section
from tournaments.queries.persons_page import (
    consent_link,
    contradictions,
    joined_with,
    keys_of,
    page_of_entry,
    standing_row,
)
from web.context import section_context, section_url
from web.qr import public_url, qr_svg, reaches_phones
from web.requests import PersonRequest

from .access import ENTRIES, actor_of, section_page

FACTS = {
    "surname": gettext_lazy("surname"),
    "sex": gettext_lazy("sex"),
    "birth_date": gettext_lazy("year of birth"),
}


@section_page("GET", "HEAD", permission=ENTRIES, look=ENTRIES)
def link_for_player(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Show the link, whether the player has agreed, and why the event is not on the page nevertheless."""
    entry = get_object_or_404(section.participants.select_related("player__joined"), pk=participant)
    entry.section, row = section, standing_row(entry.player)
    against = contradictions(entry.player, joined_with(entry.player)) if row and not row.token else []
    path = reverse("registrations:persons-page-choice", args=[section.event.slug, consent_link(entry.player)])
    link = public_url(request, path)
    context: dict[str, Any] = {
        **section_context(request, section, "entries", None),
        "entry": entry,
        "row": row,
        "page": page_of_entry(entry),
        "numbered": bool(keys_of(entry.player)),
        "against": [FACTS[name] for name in against],
        "link": link,
        "code": qr_svg(link) if reaches_phones(request) else "",
    }
    return render(request, "staff/persons_page.html", context)


@section_page("POST", permission=ENTRIES)
def new_link_for_player(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Make the link of a player worthless, and lead back to the page that shows the new one."""
    entry = get_object_or_404(section.participants, pk=participant)
    renew_persons_link(actor=actor_of(request), participant_id=entry.pk)
    return redirect(section_url("link-for-player", section, participant=entry.pk))
