"""Mails about a login, each sent in a thread of its own: a link for a new password, and news of a change.

The answer to the request does not wait for the thread. So it takes the same time whether a name exists or not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import BoundedSemaphore, Thread
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import close_old_connections, connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from tournaments.actions.logins import BY_MAIL, make_mail_link
from tournaments.models import User
from tournaments.queries.programs import NO_ACCESS, AccessCounts
from web.forms.logins import opened_words
from web.languages import for_logins
from web.qr import url_for_others

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

AT_ONCE = 4
THREAD = "mail about a login"
AUTOMATIC = {"Auto-Submitted": "auto-generated"}
_places = BoundedSemaphore(AT_ONCE)
logger = logging.getLogger(__name__)


def mail_link(name: str, address_of: Callable[[str], str], language: str) -> None:
    """Send a mail if there is a person with this login name and an e-mail address.

    address_of: returns the whole address of the page for a token. If the mail server is so slow that four mails are
    under way, there is no mail, and the console says so. The thread does not hold up the end of the program.
    """
    if not _places.acquire(blocking=False):
        logger.error("A mail for a new password was not sent: the mail server is too slow.")
        return
    Thread(target=_send, args=(name, address_of, language), name=THREAD, daemon=True).start()


def _send(name: str, address_of: Callable[[str], str], language: str) -> None:
    try:
        close_old_connections()
        user = User.objects.filter(username=User.normalize_username(name.strip()), is_active=True).first()
        if user is not None and user.email:
            context = {
                "user": user,
                "address": address_of(make_mail_link(user)),
                "hours": BY_MAIL.seconds // 3600,
            }
            with override(for_logins(user.language or language)):
                text = render_to_string("logins/password_mail.txt", context)
                _mail(_("Evenboard: a new password"), text, user.email)
    except Exception:  # nobody waits for the answer, so the log must have any error
        logger.exception("A mail for a new password was not sent.")
    finally:
        connection.close()
        _places.release()


def mail_change(
    request: HttpRequest,
    user: User,
    change: StrOrPromise,
    *,
    ended: AccessCounts = NO_ACCESS,
    to: str | None = None,
    name: str = "",
) -> None:
    """Tell a person by mail what changed about the login, if the server sends mail and the person has an address.

    change: may name `name`. ended: how much of what the login had opened ended with the change. to: the address, if it
    is no longer that of the person. Nothing limits these mails: one that got lost would hide a theft, and each follows
    a change with a password.
    """
    address = user.email if to is None else to
    if settings.MAIL_IS_SET_UP and address:
        page = url_for_others(request, reverse("account"))
        mail = *_change_words(user, change, name, ended, page), address
        Thread(target=_send_change, args=mail, name=THREAD, daemon=True).start()


def mail_change_at_server(user: User, change: StrOrPromise, *, ended: AccessCounts = NO_ACCESS) -> None:
    """Tell a person what a command at the server changed about the login. Returns when the mail is sent."""
    if settings.MAIL_IS_SET_UP and user.email:
        page = f"{settings.PUBLIC_URL}{reverse('account')}"
        _send_change(*_change_words(user, change, "", ended, page), user.email)


def _change_words(
    user: User, change: StrOrPromise, name: str, ended: AccessCounts, page: str
) -> tuple[str, str]:
    """Return the subject and the text in the language of the person."""
    with override(for_logins(user.language or get_language())):
        context = {
            "user": user,
            "change": str(change) % {"name": name},
            "ended": opened_words(ended),
            "address": page,
        }
        text = render_to_string("logins/change_mail.txt", context)
        return _("Evenboard: your login was changed"), text


def _send_change(subject: str, text: str, address: str) -> None:
    try:
        _mail(subject, text, address)
    except Exception:  # nobody waits for the answer, so the log must have any error
        logger.exception("A mail about a change of a login was not sent.")


def _mail(subject: str, text: str, address: str) -> None:
    body = f"{text.strip()}\n\nEvenboard"
    EmailMessage(subject, body, None, [address], headers=AUTOMATIC).send()
