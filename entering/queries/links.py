"""Personal links: derived from the registration and a counter. They are stored nowhere and can be sent again."""

from __future__ import annotations

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from entering.models import Registration
from tournaments.models import Event

SALT = "entering.links"
DIGITS = 40
"""Hexadecimal digits of the proof: 160 bits."""


def token_of(one: Registration) -> str:
    """Return the secret part of the personal link. A higher counter makes it void."""
    return f"{one.pk}-{_proof(one, settings.SECRET_KEY)}"


def registration_of(event: Event, token: str) -> Registration | None:
    """Return the registration whose link has this secret, or None."""
    key, _dash, proof = token.partition("-")
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        return None
    one = Registration.objects.select_related("section__event").filter(event=event, pk=int(key)).first()
    if one is None or one.erased_at is not None:
        return None
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return one if any(constant_time_compare(proof, _proof(one, secret)) for secret in keys) else None


def _proof(one: Registration, secret: str) -> str:
    signed = f"{one.pk}:{one.event_id}:{one.link_counter}"
    return salted_hmac(SALT, signed, secret=secret, algorithm="sha256").hexdigest()[:DIGITS]
