"""The page that says what this server keeps about people, for how long, and whom to ask."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from base.reader import date_format
from tournaments.actions.chores import doubted_from
from tournaments.actions.event_life import GRACE
from tournaments.actions.logins.attempts import GOOD, MEMORY
from tournaments.actions.notices import NOTICES_KEPT as NOTICES
from tournaments.actions.personal_data import INVITATIONS, LINKS
from tournaments.actions.rating_lists import EVENT_LISTS_KEPT as EVENT_LISTS
from tournaments.models import Event


@require_safe
def privacy_of_site(request: HttpRequest) -> HttpResponse:
    """Show what is kept on this server."""
    return render(request, "public/privacy.html", _periods())


@require_safe
def privacy_of_event(request: HttpRequest, event: str) -> HttpResponse:
    """Show the same with the contact of an event, to everybody who may see the event."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    return render(request, "public/privacy.html", {"event": found, **_periods()})


def _periods() -> dict[str, Any]:
    """Return the periods that the program itself keeps, in days, and numbers of copies."""
    return {
        "contact": settings.CONTACT,
        "session_days": settings.SESSION_COOKIE_AGE // 86_400,
        "attempt_days": MEMORY.days,
        "device_days": GOOD.days,
        "link_days": LINKS.days,
        "invitation_days": INVITATIONS.days,
        "notice_days": NOTICES.days,
        "grace_days": GRACE.days,
        "event_list_days": EVENT_LISTS.days,
        "copy_days": settings.BACKUP_DAYS,
        "copies_elsewhere": settings.BACKUP_TO_KEEP if settings.BACKUP_TO else 0,
    }


def clock_doubt() -> str:
    """Return what waits because the clock of the server has jumped, "" if the time is sure. One query."""
    before = doubted_from()
    if before is None:
        return ""
    shown = {
        name: date_format(timezone.localtime(at), "j F Y, H:i")
        for name, at in (("before", before), ("now", timezone.now()))
    }
    return (
        _(
            "The clock of this server has jumped from %(before)s to %(now)s. Until a site owner confirms the time on "
            "the page Site, or the server has run for a day, nothing is deleted and no offer ends because of the time."
        )
        % shown
    )
