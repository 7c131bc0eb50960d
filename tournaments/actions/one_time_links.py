"""Links that are used once. A token is shown to one person and stored nowhere, only its hash."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.errors import DomainError
from tournaments.models import OneTimeLink

Link = TypeVar("Link", bound=OneTimeLink)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored. A token has 256 random bits, so it needs no slow hash."""
    return sha256(token.encode()).hexdigest()


def find_link(links: QuerySet[Link], token: str) -> Link:
    """Return the link with this token. Raises DomainError("link_gone") if it was used, is too old, or never was."""
    found = links.filter(
        digest=digest_of(token), used_at=None, expires_at__gt=timezone.now(), user__is_active=True
    ).first()
    if found is None:
        raise DomainError("link_gone")
    return found


def claim_link(links: QuerySet[Link], link: Link) -> None:
    """Use up a link. Raises DomainError("link_gone") if somebody else has just done so."""
    if not links.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()):
        raise DomainError("link_gone")
