"""The mails about registrations, as the program writes them. Organisers may write their own text for an event."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext

from base.reader import READER, date_format
from base.zones import in_zone
from registrations.actions.mails import AUTOMATIC, Message
from registrations.models import (
    EventRegistration,
    Mail,
    MailText,
    Registration,
    SectionRegistration,
    WishedBye,
)
from registrations.models.mail import MailKind
from registrations.queries.mails import (
    PLACES,
    address_token_of,
    filled_text,
    guardian_token_of,
    token_of,
)
from registrations.queries.places import place_in_list
from registrations.web.forms.money import shown_amount
from tournaments.models import Event, EventRole, User
from tournaments.models.entries import first_name_first
from web.languages import in_language

logger = logging.getLogger(__name__)
IN_BRACES = {name: f"{{{name}}}" for name in PLACES}


@dataclass(frozen=True, slots=True)
class MailWords:
    subject: object
    body: object


GREETING = gettext_lazy("Hello %(name)s,")
TEXTS = {
    "submitted": MailWords(
        gettext_lazy("%(event)s: confirm your registration"),
        gettext_lazy(
            "You have registered for %(section)s.\n\nOpen this page and press Confirm, by %(until)s:\n"
            "%(link)s\n\nKeep the link: with it you can change or withdraw the registration."
        ),
    ),
    "pending": MailWords(
        gettext_lazy("%(event)s: your registration has arrived"),
        gettext_lazy(
            "Your registration for %(section)s has arrived. The organiser checks it, and you get a mail when it is "
            "decided.\n\n%(payment)s\n\n"
            "Change or withdraw your registration here, also if somebody else has registered you:\n%(link)s"
        ),
    ),
    "correction": MailWords(
        gettext_lazy("%(event)s: correct your registration by %(until)s"),
        gettext_lazy(
            "The organiser writes:\n\n%(reason)s\n\nCorrect your registration here, by %(until)s:\n%(link)s"
        ),
    ),
    "waiting": MailWords(
        gettext_lazy("%(event)s: your registration is on the waiting list"),
        gettext_lazy(
            "All places of %(section)s are taken. Your number in the waiting list is %(number)s.\n\n%(payment)s\n\n"
            "A free place is offered to the first in the list. You get a mail that says until when you can take it.\n\n"
            "If you do not want to wait, withdraw here:\n%(link)s"
        ),
    ),
    "offered": MailWords(
        gettext_lazy("%(event)s: a place is free, answer by %(until)s"),
        gettext_lazy(
            "A place in %(section)s is free for you. Take it or give it back, by %(until)s:\n%(link)s\n\n%(payment)s"
        ),
    ),
    "accepted": MailWords(
        gettext_lazy("%(event)s: your registration is accepted"),
        gettext_lazy(
            "You play in %(section)s.\n\n%(payment)s\n\nByes: %(byes)s\n\n"
            "If you cannot come, withdraw here:\n%(link)s"
        ),
    ),
    "withdrawn": MailWords(
        gettext_lazy("%(event)s: your registration is withdrawn"),
        gettext_lazy(
            "Your registration for %(section)s is withdrawn.\n\n%(reason)s\n\nTo be repaid: %(repay)s"
        ),
    ),
    "refused": MailWords(
        gettext_lazy("%(event)s: your registration is refused"),
        gettext_lazy(
            "The organiser has refused your registration for %(section)s.\n\n%(reason)s\n\n"
            "To be repaid: %(repay)s"
        ),
    ),
    "expired": MailWords(
        gettext_lazy("%(event)s: your registration has expired"),
        gettext_lazy(
            "The time to answer about %(section)s is over. If you still want to play, register again here:\n"
            "%(link)s\n\n"
            "To be repaid: %(repay)s"
        ),
    ),
    "link": MailWords(
        gettext_lazy("%(event)s: the link to your registration"),
        gettext_lazy("This is the link to your registration for %(section)s:\n%(link)s"),
    ),
    "address": MailWords(
        gettext_lazy("%(event)s: confirm your new e-mail address"),
        gettext_lazy(
            "Mails about your registration for %(section)s will come to this address.\n\n"
            "Open this page and press the button:\n%(link)s\n\n"
            "If you have not asked for this, do nothing. Then you get no more mails."
        ),
    ),
    "told": MailWords(
        gettext_lazy("%(event)s: a new e-mail address for your registration"),
        gettext_lazy(
            "Somebody who has your personal link asked that mails about your registration for %(section)s "
            "go to another address. The new address counts once it is confirmed there.\n\n"
            "If that was not you, write to the organiser now."
        ),
    ),
    "guardian": MailWords(
        gettext_lazy("%(event)s: do you agree to a page with all events of %(name)s?"),
        gettext_lazy(
            "%(name)s is registered for %(section)s, with you as parent or guardian.\n\n"
            "This site can show all events of %(name)s on one page: sections, places and results. It does so only if "
            "you agree. Decide here, and change it here at any time:\n%(link)s\n\n"
            "If you do nothing, the site joins no events."
        ),
    ),
}


def text_for(event_id: int, kind: str) -> tuple[str, str]:
    """Return subject and body for an event with places in braces: the organiser's text, else that of the program."""
    own = MailText.objects.filter(event=event_id, kind=kind).first()
    if own is not None:
        return own.subject, own.body
    return str(TEXTS[kind].subject) % IN_BRACES, f"{GREETING}\n\n{TEXTS[kind].body}" % IN_BRACES


def compose(mail: Mail) -> Message:
    """Return a mail in the language of the player, from the registration as it is now."""
    one = mail.registration
    with override(one.language or None), in_zone(one.section.event.time_zone):
        subject, body = text_for(one.event_id, mail.kind)
        values = places_in(one)
        if mail.kind == MailKind.ADDRESS:
            values = {**values, "link": address_of_proof(one)}
        elif mail.kind == MailKind.GUARDIAN:
            values = {**values, "link": address_of_guardian(one)}
        subject = filled_text(subject, values)
        if (
            values["event"] not in subject
        ):  # a text of the organiser: the mail still says from which event it comes
            subject = f"{values['event']}: {subject}"
        return Message(subject[:200], f"{filled_text(body, values)}\n\n{footer_of(one.section.event)}")


def footer_of(event: Event) -> str:
    """Return what stands below every mail about an event: its name, when and where it is, and whose name is below."""
    form = EventRegistration.objects.filter(event=event).first()
    day = _day(event.start)
    if event.end != event.start:
        day = _("%(first)s to %(last)s") % {"first": day, "last": _day(event.end)}
    about = READER.listed([each for each in (event.name, day, event.city) if each], "comma")
    return f"{about}\n\n{(form and form.organiser) or event.contact or event.name}"


def _day(day: date) -> str:
    return date_format(day, "j F Y")


def payment_lines(form: EventRegistration, one: Registration | None = None) -> list[tuple[str, str]]:
    """Return how to pay: labels and values, the first without a label. one: whose payment it is; None on the form."""
    if one is not None:
        who = [str(one.pk), first_name_first(one.name)]
    else:
        who = [_("the number of your registration"), _("your name")]
    reference = READER.listed([each for each in (form.pay_reference, *who) if each], "comma")
    lines = [
        ("", form.pay_text),
        (pgettext("of money", "Account"), form.pay_account),
        (_("Reference"), reference if form.pay_account or form.pay_reference else ""),
        (_("Pay by"), _day(form.pay_by) if form.pay_by else ""),
    ]
    return [(label, value) for label, value in lines if value]


def pays_now(one: Registration, limits: SectionRegistration | None) -> bool:
    """Return whether the fee is asked for: nobody pays for a place that may never be free, unless that gives one."""
    return one.balance > 0 and (one.takes_place or (limits is not None and limits.order == limits.Order.PAID))


def _payment(one: Registration, form: EventRegistration, limits: SectionRegistration | None) -> str:
    """Return what is to pay and how, on lines of their own; "" if nothing is."""
    if not pays_now(one, limits):
        return ""
    fee = f"{shown_amount(one.balance)} {form.currency}".strip()
    lines = [(_("Fee to pay"), fee), *payment_lines(form, one)]
    return "\n".join(
        _("%(kind)s: %(detail)s") % {"kind": label, "detail": value} if label else value
        for label, value in lines
    )


def mail_announcement(form: EventRegistration) -> None:
    """Tell the owners of the event by mail that its contacts will be deleted. Without a mail server, or for an owner
    without an address, only the pages say so. A rehearsal sends no mail.
    """
    if not settings.MAIL_IS_SET_UP or form.event.rehearsal:
        return
    for owner in User.objects.filter(
        ~Q(email=""), event_roles__event=form.event, event_roles__role=EventRole.Role.OWNER, is_active=True
    ):
        with override(owner.language or None), in_zone(form.event.time_zone):
            try:
                subject = _("%(event)s: contacts will be deleted") % {"event": form.event.name}
                body = f"{deletion_sentence(form)}\n\n{footer_of(form.event)}"
                EmailMessage(subject, body, None, [owner.email], headers=AUTOMATIC).send()
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
        "name": first_name_first(one.name),
        "event": one.section.event.name,
        "section": one.section.name,
        "link": _whole("registrations:open-registration", token_of(one), one, form),
        "until": until,
        "reason": last.reason if last else "",
        "number": str(number or ""),
        "payment": _payment(one, form, limits),
        "owed": f"{shown_amount(max(0, one.balance))} {form.currency}".strip(),
        "repay": f"{shown_amount(-one.balance)} {form.currency}".strip() if one.balance < 0 else "",
        "byes": READER.listed(byes) if byes else _("none"),
    }


def _bye(bye: WishedBye) -> str:
    """Return the round of a bye, and whether it is only asked for."""
    about = _("Round %(number)s") % {"number": bye.round_number}
    return _("%(round)s (not decided)") % {"round": about} if bye.state == bye.State.ASKED else about


def address_of_proof(one: Registration) -> str:
    """Return the whole address of the link that confirms the new e-mail address."""
    form = EventRegistration.objects.get(event=one.event_id)
    return _whole("registrations:new-address", address_token_of(one), one, form)


def address_of_guardian(one: Registration) -> str:
    """Return the whole address of the link by which the guardian decides about the page across events."""
    form = EventRegistration.objects.get(event=one.event_id)
    return _whole("registrations:persons-page-choice", guardian_token_of(one), one, form)


def _whole(page: str, secret: str, one: Registration, form: EventRegistration) -> str:
    path = reverse(page, args=[one.section.event.slug, secret])
    return f"{settings.PUBLIC_URL or form.address}{in_language(path, one.language)}"
