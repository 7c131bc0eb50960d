"""The mails about registrations, as the program writes them. Organisers may write their own text for an event."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from entering.actions.mails import Message
from entering.models import EventRegistration, Mail, MailText, Registration, SectionRegistration, WishedBye
from entering.models.mail import MailKind
from entering.queries.links import address_token_of, token_of
from entering.queries.mail_texts import PLACES, filled
from entering.queries.places import place_in_list
from entering.web.forms.money import shown_amount
from tournaments.models import EventRole, User
from tournaments.reader import READER, date_format
from tournaments.web.languages import in_language
from tournaments.zones import in_zone

logger = logging.getLogger(__name__)
IN_BRACES = {name: f"{{{name}}}" for name in PLACES}


@dataclass(frozen=True, slots=True)
class Text:
    subject: object
    body: object


TEXTS = {
    "submitted": Text(
        gettext_lazy("Confirm your registration: %(event)s"),
        gettext_lazy(
            "%(name)s, you have registered for %(section)s.\n\nOpen this page and press Confirm, by %(until)s:\n"
            "%(link)s\n\nKeep the link: with it you can change or withdraw the registration."
        ),
    ),
    "pending": Text(
        gettext_lazy("Received, the organiser will check it: %(event)s"),
        gettext_lazy(
            "%(name)s, your registration for %(section)s has arrived. You get a mail when it is decided.\n\n"
            "Change or withdraw it here, also if somebody else has registered you:\n%(link)s"
        ),
    ),
    "correction": Text(
        gettext_lazy("Correct your registration by %(until)s: %(event)s"),
        gettext_lazy(
            "%(name)s, the organiser writes:\n\n%(reason)s\n\nCorrect it here, by %(until)s:\n%(link)s"
        ),
    ),
    "waiting": Text(
        gettext_lazy("You are on the waiting list: %(event)s"),
        gettext_lazy(
            "%(name)s, all places of %(section)s are taken. Your number in the waiting list is %(number)s.\n\n"
            "A free place is offered to the first in the list. You get a mail that says until when you can take it.\n\n"
            "If you do not want to wait, withdraw here:\n%(link)s"
        ),
    ),
    "offered": Text(
        gettext_lazy("Answer by %(until)s, a place is free: %(event)s"),
        gettext_lazy("%(name)s, a place in %(section)s is free for you. Take it by %(until)s:\n%(link)s"),
    ),
    "accepted": Text(
        gettext_lazy("You have a place: %(event)s"),
        gettext_lazy(
            "%(name)s, you play in %(section)s.\n\nFee to pay: %(owed)s\nByes: %(byes)s\n\n"
            "If you cannot come, withdraw here:\n%(link)s"
        ),
    ),
    "withdrawn": Text(
        gettext_lazy("Withdrawn: %(event)s"),
        gettext_lazy(
            "%(name)s, your registration for %(section)s is withdrawn.\n\n%(reason)s\n\nTo be repaid: %(repay)s"
        ),
    ),
    "refused": Text(
        gettext_lazy("Refused: %(event)s"),
        gettext_lazy(
            "%(name)s, the organiser has refused your registration for %(section)s.\n\n%(reason)s\n\n"
            "To be repaid: %(repay)s"
        ),
    ),
    "expired": Text(
        gettext_lazy("Expired: %(event)s"),
        gettext_lazy(
            "%(name)s, the time to answer about %(section)s is over. If you still want to play, register again here:\n"
            "%(link)s\n\n"
            "To be repaid: %(repay)s"
        ),
    ),
    "link": Text(
        gettext_lazy("The link to your registration: %(event)s"),
        gettext_lazy("%(name)s, this is the link to your registration for %(section)s:\n%(link)s"),
    ),
    "address": Text(
        gettext_lazy("Confirm your new e-mail address: %(event)s"),
        gettext_lazy(
            "%(name)s, mails about your registration for %(section)s will come to this address.\n\n"
            "Open this page and press the button:\n%(link)s\n\n"
            "If you have not asked for this, do nothing. Then you get no more mails."
        ),
    ),
    "told": Text(
        gettext_lazy("A new e-mail address for your registration: %(event)s"),
        gettext_lazy(
            "%(name)s, somebody who has your personal link asked that mails about your registration for %(section)s "
            "go to another address. The new address counts once it is confirmed there.\n\n"
            "If that was not you, write to the organiser now."
        ),
    ),
}


def text_for(event_id: int, kind: str) -> tuple[str, str]:
    """Return subject and body for an event with places in braces: the organiser's text, else that of the program."""
    own = MailText.objects.filter(event=event_id, kind=kind).first()
    if own is not None:
        return own.subject, own.body
    return str(TEXTS[kind].subject) % IN_BRACES, str(TEXTS[kind].body) % IN_BRACES


def compose(mail: Mail) -> Message:
    """Return a mail in the language of the player, from the registration as it is now."""
    one = mail.registration
    with override(one.language or None), in_zone(one.section.event.time_zone):
        subject, body = text_for(one.event_id, mail.kind)
        values = places_in(one)
        if mail.kind == MailKind.ADDRESS:
            values = {**values, "link": address_of_proof(one)}
        return Message(filled(subject, values)[:200], filled(body, values))


def mail_announcement(form: EventRegistration) -> None:
    """Tell the owners of the event by mail that its contacts will be deleted. Without a mail server, or for an owner
    without an address, only the pages say so.
    """
    if not settings.MAIL_IS_SET_UP:
        return
    for owner in User.objects.filter(
        ~Q(email=""), event_roles__event=form.event, event_roles__role=EventRole.Role.OWNER, is_active=True
    ):
        with override(owner.language or None), in_zone(form.event.time_zone):
            try:
                send_mail(
                    _("Contacts will be deleted: %(event)s") % {"event": form.event.name},
                    deletion_sentence(form),
                    None,
                    [owner.email],
                )
            except (OSError, SMTPException) as error:
                logger.error("A mail that contacts will be deleted was not sent: %s", type(error).__name__)


def deletion_sentence(form: EventRegistration) -> str:
    """Return when the contacts of the event are deleted, and how to keep them; "" if this is not announced."""
    if form.contacts_end_at is None:
        return ""
    return _(
        "The server deletes the contacts of the registrations on %(day)s: mail addresses, telephone numbers, birth "
        "dates and notes. If you still need them, keep them for more days in the settings of the registration."
    ) % {"day": date_format(timezone.localtime(form.contacts_end_at), "j F Y, H:i")}


def places_in(one: Registration) -> Mapping[str, str]:
    """Return what stands in the places of a mail."""
    limits = SectionRegistration.objects.filter(section=one.section_id).first()
    form = EventRegistration.objects.get(event=one.event_id)
    number = place_in_list(one, limits) if limits else None
    last = one.steps.filter(to_state=one.state).last()
    until = date_format(timezone.localtime(one.deadline), "j F, H:i e") if one.deadline else ""
    byes = [_bye(bye) for bye in one.byes.all() if bye.state != bye.State.REFUSED]
    return {
        "name": one.name,
        "event": one.section.event.name,
        "section": one.section.name,
        "link": personal_address(one, form),
        "until": until,
        "reason": last.reason if last else "",
        "number": str(number or ""),
        "owed": f"{shown_amount(max(0, one.balance))} {form.currency}".strip(),
        "repay": f"{shown_amount(-one.balance)} {form.currency}".strip() if one.balance < 0 else "",
        "byes": READER.listed(byes) if byes else _("none"),
    }


def _bye(bye: WishedBye) -> str:
    """Return the round of a bye, and whether it is only asked for."""
    asked = bye.state == bye.State.ASKED
    return _("%(round)s (not decided)") % {"round": bye.round_number} if asked else str(bye.round_number)


def personal_address(one: Registration, form: EventRegistration) -> str:
    """Return the whole address of the personal link."""
    return _whole("entering:open-registration", token_of(one), one, form)


def address_of_proof(one: Registration) -> str:
    """Return the whole address of the link that confirms the new e-mail address."""
    form = EventRegistration.objects.get(event=one.event_id)
    return _whole("entering:new-address", address_token_of(one), one, form)


def _whole(page: str, secret: str, one: Registration, form: EventRegistration) -> str:
    path = reverse(page, args=[one.section.event.slug, secret])
    return f"{settings.PUBLIC_URL or form.address}{in_language(path, one.language)}"
