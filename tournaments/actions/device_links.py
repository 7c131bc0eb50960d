"""Links with which a person who is logged in lets a new phone, or another new browser, log in without a wait.

Somebody who guesses a person's password without a pause keeps browsers out that the person has never used. A link makes
such a browser one that the person has used (tournaments/actions/login_trials.py). It opens nothing: the browser still
needs the password, and a code if the second factor is on.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from tournaments.errors import DomainError
from tournaments.models import DeviceLink, User

from .ledger import Actor, transaction_or_busy
from .one_time_links import claim_link, digest_of, find_link, new_token
from .site import note

LIFETIME = timedelta(minutes=10)
DAY = timedelta(days=1)
MOST_A_DAY = 10
"""Each new browser has free attempts of its own, so a stolen session must not make links without end."""


def make_device_link(*, actor: Actor, user: User) -> str:
    """Make a link for a new browser of this person; return its token. An earlier link ends.

    Raises DomainError("too_many_device_links").
    """
    with transaction_or_busy():
        User.objects.select_for_update().get(pk=user.pk)
        now = timezone.now()
        links = DeviceLink.objects.filter(user=user)
        links.filter(made_at__lt=now - DAY).delete()
        if links.count() >= MOST_A_DAY:
            raise DomainError("too_many_device_links", limit=MOST_A_DAY)
        links.filter(used_at=None).update(used_at=now)
        token = new_token()
        DeviceLink.objects.create(user=user, digest=digest_of(token), made_at=now, expires_at=now + LIFETIME)
        note(actor, "make_device_link", subject=user.username)
    return token


def device_link_of(token: str) -> DeviceLink:
    """Return the link with this token. Raises DomainError("link_gone") if it was used, is too old, or never was."""
    return find_link(DeviceLink.objects.select_related("user"), token)


def use_device_link(*, token: str, origin: str) -> None:
    """Use up the link. The caller lets the browser keep that it is known. Raises DomainError("link_gone")."""
    with transaction_or_busy():
        link = device_link_of(token)
        claim_link(DeviceLink.objects.all(), link)
        note(Actor(link.user, origin), "use_device_link", subject=link.user.username)
