"""Delete what is kept for a time only, when this time is over. The server does it every hour.

The page "What is kept" names these times (web/views/kept.py).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from tournaments.models import DeviceLink, Invitation, PasswordLink

from .access_tokens import forget_tokens
from .login_sessions import forget_ended_sessions
from .login_trials import sweep
from .notices import forget_notices
from .rating_lists import forget_lists_of_events
from .webhooks import forget_messages

LINKS = timedelta(days=1)
"""Links for a new password or a new phone are deleted this long after they expire, invitations too."""
INVITATIONS = timedelta(days=30)


def forget_what_is_over(now: datetime | None = None) -> None:
    """Delete expired sessions with their addresses, old attempts to log in, links that nobody can use any more, and the
    phones that wanted notices of an event. Programs get no answer a second time after a day. Rating lists of events go
    some time after the event. now: what is over then.
    """
    now = now or timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    forget_ended_sessions(now)
    sweep(now)
    forget_notices(now)
    forget_tokens(now)
    forget_messages(now)
    forget_lists_of_events(now)
    for links in (PasswordLink, DeviceLink):
        links.objects.filter(expires_at__lt=now - LINKS).delete()
    Invitation.objects.filter(expires_at__lt=now - INVITATIONS).delete()
