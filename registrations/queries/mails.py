"""Personal links, the places that a mail fills in, and which mails need the personal link.

A link is derived from the registration and a counter. It is stored nowhere and can be sent again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from registrations.models import Registration
from tournaments.models import Event

# Personal links: derived from the registration and a counter. They are stored nowhere and can be sent again.

SALT = "registrations.links"
DIGITS = 40
"""Hexadecimal digits of the proof: 160 bits."""
GUARDIAN = "guardian"
"""In the place of an address, which it cannot be."""


def token_of(one: Registration) -> str:
    """Return the secret part of the personal link. A higher counter makes it void."""
    return f"{one.pk}-{_proof(one, settings.SECRET_KEY)}"


def registration_of(
    event: Event, token: str, *, new_address: bool = False, guardian: bool = False
) -> Registration | None:
    """Return the registration whose link has this secret, or None. new_address: the link confirms that address.

    guardian: the link went to the guardian.
    """
    key, _dash, proof = token.partition("-")
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        return None
    related = ("section__event", "participant__player__joined")
    one = Registration.objects.select_related(*related).filter(event=event, pk=int(key)).first()
    if one is None or one.erased_at is not None or (new_address and not one.new_email):
        return None
    address = one.new_email if new_address else GUARDIAN if guardian else ""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return one if any(constant_time_compare(proof, _proof(one, secret, address)) for secret in keys) else None


def address_token_of(one: Registration) -> str:
    """Return the secret part of the link that confirms the new e-mail address. Another address makes it void."""
    return f"{one.pk}-{_proof(one, settings.SECRET_KEY, one.new_email)}"


def guardian_token_of(one: Registration) -> str:
    """Return the secret part of the link for the guardian. It goes on when the addresses are deleted."""
    return f"{one.pk}-{_proof(one, settings.SECRET_KEY, GUARDIAN)}"


def _proof(one: Registration, secret: str, address: str = "") -> str:
    signed = f"{one.pk}:{one.event_id}:{one.link_counter}" + (f":{address}" if address else "")
    return salted_hmac(SALT, signed, secret=secret, algorithm="sha256").hexdigest()[:DIGITS]


# The places that a mail fills in, and which mails need the personal link.

REPAY = "repay"
PLACES = ("name", "event", "section", "link", "until", "reason", "number", "owed", "payment", REPAY, "byes")
"""What organisers may write in braces. A line with the sum to be repaid is left out if there is none."""
_PLACE = re.compile(r"\{(\w+)\}")
_GAP = re.compile(r"\n{3,}")
WITHOUT_LINK = frozenset({"refused", "expired", "withdrawn", "told"})


def filled_text(text: str, values: Mapping[str, str]) -> str:
    """Return the text with the values in its places. An unknown place stays as it is."""
    if not values.get(REPAY):
        text = "\n".join(line for line in text.split("\n") if f"{{{REPAY}}}" not in line)
    return _GAP.sub("\n\n", _PLACE.sub(lambda found: values.get(found[1], found[0]), text)).strip()


def unknown_places(text: str) -> list[str]:
    """Return the words in braces that no mail fills in: a mail would show them as they are."""
    return [found for found in dict.fromkeys(_PLACE.findall(text)) if found not in PLACES]


def without_link(kind: str, body: str) -> bool:
    """Return whether a mail that must lead to the personal page has no place for the link."""
    return kind not in WITHOUT_LINK and "{link}" not in body
