"""A player's new e-mail address: it counts once the player has pressed the button behind the link in a mail to it."""

from __future__ import annotations

from datetime import timedelta

from registrations.models import Mail, Registration, Step
from registrations.models.mail import MailKind
from registrations.queries.fitting import problems_of, search_text
from tournaments.errors import DomainError, Stale

from .changing import forget_values
from .desk import PLAYER, at_desk, event_of

MOST_A_DAY = 5


def ask_new_address(*, registration_id: int, address: str) -> None:
    """Write to the new address with a link that confirms it, and tell the old one. The current address asks nothing.

    Raises DomainError("registration_address_often").
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id)
        if address.casefold() == one.email.casefold():
            return
        asked = one.mails.filter(kind=MailKind.ADDRESS, not_before__gt=desk.now - timedelta(days=1))
        if asked.count() >= MOST_A_DAY:
            raise DomainError("registration_address_often")
        one.new_email = address
        one.save(update_fields=["new_email"])
        desk.note(one, Step.Kind.EDIT, PLAYER, fields=["new_email"])
        for kind, to in ((MailKind.TOLD, one.email), (MailKind.ADDRESS, address)):
            if to:
                Mail.objects.create(
                    registration=one, kind=kind, address=to, revision=one.revision, not_before=desk.now
                )


def take_new_address(*, registration_id: int, address: str) -> Registration:
    """Let the new address count. All former personal links are void, and a new one goes to the new address.

    A button that is pressed twice does it once. Raises Stale if the player has asked for another address since.
    """
    with at_desk(event_of(registration_id)) as desk:
        one = desk.load(registration_id)
        if one.new_email != address:
            if one.email != address:
                raise Stale("registration_changed", name=one.name)
            return one
        one.email, one.new_email, one.email_proved = one.new_email, "", True
        one.link_counter += 1
        one.search = search_text(one)
        one.problems = problems_of(one, desk.form, desk.limits(one.section_id))
        one.save(update_fields=["email", "new_email", "email_proved", "link_counter", "search", "problems"])
        forget_values([one])
        desk.note(one, Step.Kind.EDIT, PLAYER, fields=["email"])
        desk.mail(one, MailKind.LINK, at_once=True)
    return one
