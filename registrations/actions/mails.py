"""Send the mails that are due. The text is made when a mail is sent, from the registration as it is then."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from registrations.models import HistoryLine, Mail, MailText, Registration
from registrations.models.mail import NOT_READ, OF_NO_STATE, MailKind
from registrations.queries.mails import unknown_places, without_link
from registrations.queries.queue import UNWRITTEN
from registrations.states import CONFIRMED, LIVE, TIMED, RegistrationState
from tournaments.errors import Busy, Refusal
from tournaments.models import Event
from tournaments.models.events import AT_REST

from .event_lock import PLAYER, RegistrationActor, event_lock, event_of
from .state_changes import let_go

# Refusals
MAIL_PLACE_UNKNOWN = Refusal(
    "mail_place_unknown",
    _("The program does not know %(names)s. Use only the words from the list below the text."),
)
MAIL_WITHOUT_LINK = Refusal(
    "mail_without_link",
    _("The text has no place for the personal link. Add it from the list below the text."),
)


TRIES = 5
AUTOMATIC = {"Auto-Submitted": "auto-generated"}
"""No program answers such a mail (RFC 3834)."""
LONGEST_TRY = 5
"""Seconds in which a mail server must answer to a person who switches mails on."""
FIRST_WAIT = timedelta(minutes=1)
AT_ONCE = 200
REMINDS, APART = timedelta(hours=12), timedelta(hours=3)
"""Before the time to confirm, to correct or to take a place ends; at least so long after the first mail about it."""
LINKS_APART = timedelta(minutes=5)
"""Between two links that somebody asks for with an address, who may be a stranger."""
ADDRESS = re.compile(r"[^\s<>(),;:]+@[\w.-]+\w")
"""A mail address in the contact of an event. Answers of players go there, not to the server."""
NAMED = re.compile(rf"<?{ADDRESS.pattern}>?:?")
"""An address in the answer of a mail server, with its brackets."""
LONGEST_ANSWER = 120
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Message:
    subject: str
    body: str


Compose = Callable[[Mail], Message]


def send_mails(compose: Compose) -> int:
    """Send what is due, each mail to one person. Return how many were sent.

    Nothing leaves while the event is hidden. A mail that fails is tried again, five times in all, unless the server
    refuses it for good. So is one whose server does not answer: otherwise the program would ask it every ten seconds,
    and nobody would see it.
    """
    place = Window(RowNumber(), partition_by=F("registration__event"), order_by="pk")
    in_turn = due_mails(timezone.now()).annotate(place=place).order_by("place", "pk")  # events take turns
    rows = list(in_turn.values_list("pk", "attempts")[:AT_ONCE])
    if not rows:
        return 0
    server = get_connection()
    try:
        server.open()
    except (OSError, SMTPException) as error:
        logger.error("The server for mail does not answer: %s", type(error).__name__)
        for mail in filter(None, (_take(*row) for row in rows)):
            _note_failure(mail)
        return 0
    try:
        mails = filter(None, (_begun(_take(*row)) for row in rows))
        return sum(_send(mail, compose(mail), server) for mail in mails)
    finally:
        server.close()


def mail_server_fails() -> str:
    """Ask the mail server for a connection. Return the kind of the error, "" if it answers."""
    try:
        server = get_connection(timeout=LONGEST_TRY)
        server.open()
        server.close()
    except (OSError, SMTPException) as error:
        return type(error).__name__
    return ""


def due_mails(now: datetime) -> QuerySet[Mail]:
    """Return the mails that are due. Those of a hidden or archived event wait, and a rehearsal sends none."""
    shown = {"registration__event__public": True, "registration__event__rehearsal": False}
    due = Mail.objects.filter(state=Mail.State.QUEUED, not_before__lte=now, **shown)
    return due.exclude(registration__event__state__in=AT_REST)


def mails_waiting(now: datetime) -> tuple[int, datetime | None]:
    """Return how many mails are due, and since when the oldest of them. One query."""
    found = due_mails(now).aggregate(count=Count("pk"), oldest=Min("not_before"))
    return found["count"], found["oldest"]


def _take(key: int, attempts: int) -> Mail | None:
    """Return the mail, for this program alone; None if another one has it, or nobody wants it any more.

    It is taken before it is sent: a program that stops in between sends it again rather than never.
    """
    mine = Mail.objects.filter(pk=key, attempts=attempts, state=Mail.State.QUEUED)
    if not mine.update(attempts=attempts + 1, not_before=timezone.now() + FIRST_WAIT * 4**attempts):
        return None
    return Mail.objects.select_related("registration__section__event").filter(pk=key).first()


def _begun(mail: Mail | None) -> Mail | None:
    """Return the mail. The time to correct or to take a place begins now, if it waited for this mail.

    None if another action holds the event too long: the mail is tried again.
    """
    if mail is None or mail.registration.deadline or mail.kind not in (MailKind.CORRECTION, MailKind.OFFERED):
        return mail
    try:
        with event_lock(mail.registration.event_id) as lock:
            one = mail.registration = lock.load(mail.registration_id)
            if one.state == mail.kind and one.deadline is None:
                one.deadline = lock.deadline(RegistrationState(one.state), one)
                one.save(update_fields=["deadline"])
                lock.touched = one.deadline is not None
    except Busy:
        return None
    return mail


def _send(mail: Mail, message: Message, server: BaseEmailBackend) -> bool:
    mine, wanted, failed = Mail.objects.filter(pk=mail.pk), _receivers(mail), []
    organiser = ADDRESS.findall(mail.registration.section.event.contact)[:1]
    answer, for_good = "", False
    for address in wanted:
        try:
            EmailMessage(
                message.subject,
                message.body,
                None,
                [address],
                reply_to=organiser,
                connection=server,
                headers=AUTOMATIC,
            ).send()
        except (OSError, SMTPException) as error:
            failed.append(address)
            code, answer = _answer(error, address)
            for_good = for_good or 500 <= code < 600
            logger.error(
                "A mail about registration %s was not sent: %s", mail.registration_id, type(error).__name__
            )
    if not failed:
        of_state = {} if mail.kind in OF_NO_STATE else {"address": ""}
        state = Mail.State.SENT if settings.MAIL_IS_SET_UP else Mail.State.PRINTED
        mine.update(state=state, sent_at=timezone.now(), answer="", **of_state)
        return True
    if len(failed) < len(wanted):
        mine.update(address=failed[0])
    _note_failure(mail, answer, for_good=for_good)
    return False


def _answer(error: Exception, address: str) -> tuple[int, str]:
    """Return what the server said about the receiver, without the address: its code, 0 for none, and the whole."""
    code, words = 0, b""
    if isinstance(error, SMTPRecipientsRefused):
        code, words = error.recipients.get(address, (0, b""))
    elif isinstance(error, SMTPDataError) and isinstance(error.smtp_error, bytes):
        code, words = error.smtp_code, error.smtp_error
    answer = one_line(f"{code} {NAMED.sub('', words.decode('utf-8', 'replace'))}") if code else ""
    return code, answer[:LONGEST_ANSWER]


def _note_failure(mail: Mail, answer: str = "", *, for_good: bool = False) -> None:
    """Note what the server said. The mail has failed after the last try, or if the server refuses it for good."""
    over = (
        {"state": Mail.State.FAILED, "not_before": timezone.now()}
        if for_good or mail.attempts >= TRIES
        else {}
    )
    Mail.objects.filter(pk=mail.pk).update(answer=answer, **over)


def _receivers(mail: Mail) -> Sequence[str]:
    """Return to whom the mail goes. Whom a former try has reached does not get it again."""
    everybody = addresses(mail.registration)
    return [mail.address] if mail.kind in OF_NO_STATE or mail.address in everybody else everybody


def is_reached(one: Registration) -> bool:
    """Return whether a mail with the personal link has gone to the player, or is on its way."""
    return one.mails.exclude(kind__in=OF_NO_STATE).filter(attempts__gt=0).exists()


def reminders(now: datetime) -> QuerySet[Mail]:
    """Return mails to players who must act within 12 hours and got the mail about it once, more than 3 hours ago."""
    about = Q(
        kind=F("registration__state"),
        registration__state__in=TIMED,
        registration__deadline__gt=now,
        registration__deadline__lt=now + REMINDS,
    )
    later = Mail.objects.filter(
        registration=OuterRef("registration"), kind=OuterRef("kind"), pk__gt=OuterRef("pk")
    )
    sent = Mail.objects.filter(about, state=Mail.State.SENT, attempts=1, sent_at__lt=now - APART)
    return sent.exclude(Exists(later)).exclude(registration__event__state__in=AT_REST)


def remind(now: datetime | None = None) -> int:
    """Send the mail again to players who must act soon, once. Return to how many."""
    return reminders(now or timezone.now()).update(state=Mail.State.QUEUED, not_before=timezone.now())


def addresses(one: Registration) -> Sequence[str]:
    """Return to whom mails go: the player and the guardian."""
    return [address for address in (one.email, one.guardian_email) if address]


def send_link_again(*, event: Event, address: str) -> None:
    """Send the personal link to an address, for each live registration with it. Nobody learns whether there is one."""
    found = Registration.objects.filter(event=event, email__iexact=address.strip(), state__in=LIVE)
    for key in list(found.values_list("pk", flat=True)[:10]):
        with event_lock(event.pk) as lock:
            one = lock.load(key)
            recent = one.mails.filter(kind=MailKind.LINK, not_before__gt=lock.now - LINKS_APART)
            if not recent.exists() and not one.mails.filter(state=Mail.State.QUEUED).exists():
                one.revision += 1
                one.save(update_fields=["revision"])
                lock.mail(one, MailKind.LINK, at_once=True)


def write_to_known(*, event: Event, fide_id: int) -> None:
    """Send the personal link to the player whose registration has this FIDE ID, at most once an hour.

    Somebody sent a form with the FIDE ID, who may be a stranger and learns nothing else.
    """
    found = Registration.objects.filter(event=event, fide_id=fide_id, state__in=CONFIRMED).first()
    if found is None:
        return
    with event_lock(event.pk) as lock:
        one = lock.load(found.pk)
        recent = one.mails.filter(kind=MailKind.LINK, not_before__gt=lock.now - timedelta(hours=1))
        if not recent.exists() and not one.mails.filter(state=Mail.State.QUEUED).exists():
            lock.note(one, HistoryLine.Kind.EDIT, PLAYER, fields=["link"])
            lock.mail(one, MailKind.LINK, at_once=True)


def new_link(*, registration_id: int, by: RegistrationActor) -> None:
    """Make all personal links of a registration void, and send a new one."""
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id)
        one.link_counter += 1
        one.save(update_fields=["link_counter"])
        lock.note(one, HistoryLine.Kind.EDIT, by, fields=["link"])
        lock.mail(one, MailKind.LINK, at_once=True)


def send_failed_again(*, event: Event, keys: Sequence[int]) -> int:
    """Queue failed mails of these registrations again, and those that came back. Return how many."""
    failed = Mail.objects.filter(registration__event=event, registration__in=keys, state__in=NOT_READ)
    return failed.update(state=Mail.State.QUEUED, attempts=0, not_before=timezone.now(), answer="")


def note_returned(*, event: Event, keys: Sequence[int], by: RegistrationActor) -> int:
    """Note that the last mail to these players came back. Return how many mails that are.

    The program has no mailbox: a report about a mail that was not delivered goes to the address of the sender, where a
    person reads it.
    """
    returned = 0
    with event_lock(event.pk) as lock:
        for one in lock.many(keys):
            mail = one.mails.filter(state=Mail.State.SENT).last()
            if mail is not None:
                one.mails.filter(pk=mail.pk).update(state=Mail.State.RETURNED)
                lock.note(one, HistoryLine.Kind.EDIT, by, fields=["returned"])
                returned += 1
    return returned


def send_first(*, event: Event, wanted: Sequence[tuple[int, int]]) -> tuple[int, list[int]]:
    """Write to those of these registrations to whom nobody has written yet.

    wanted: keys and the revisions that were seen. One that has changed since is left out.
    Return how many mails are made, and the keys of those that were left out.
    """
    sent, stale = 0, []
    with event_lock(event.pk) as lock:
        seen = dict(wanted)
        unwritten = Registration.objects.filter(UNWRITTEN, event=event, pk__in=seen).values_list(
            "pk", flat=True
        )
        for one in lock.many(list(unwritten)):
            if one.revision == seen[one.pk]:
                if one.is_held:
                    let_go(lock, one)
                lock.mail(one, one.state, at_once=True)
                sent += 1
            else:
                stale.append(one.pk)
        lock.touched = sent > 0
    return sent, stale


def set_mail_text(*, event: Event, kind: str, subject: str, body: str) -> None:
    """Keep the organiser's text of a mail; empty texts bring back the one of the program.

    Raises DomainError: mail_without_link if a mail that needs the personal link has no place for it,
    mail_place_unknown if something stands in braces that the program does not fill in.
    """
    subject, body = one_line(subject)[:150], lines_kept(body)
    if not subject and not body:
        MailText.objects.filter(event=event, kind=kind).delete()
        return
    if without_link(kind, body):
        raise MAIL_WITHOUT_LINK.error()
    if unknown := unknown_places(f"{subject} {body}"):
        raise MAIL_PLACE_UNKNOWN.error(names=[f"{{{name}}}" for name in unknown])
    MailText.objects.update_or_create(event=event, kind=kind, defaults={"subject": subject, "body": body})


def lines_kept(text: str) -> str:
    """Return the text with clean lines and its empty lines, at most 4,000 characters."""
    return "\n".join(one_line(line) for line in text[:4_000].splitlines()).strip()
