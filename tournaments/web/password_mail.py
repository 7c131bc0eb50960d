"""Send a link for a new password by mail, in a thread of its own.

The answer to the request does not wait for the thread. So it takes the same time whether the name exists or not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore

from django.core.mail import send_mail
from django.db import close_old_connections, connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments.actions.password_links import BY_MAIL, make_mail_link
from tournaments.models import User

MOST_WAITING = 50
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")
_waiting = BoundedSemaphore(MOST_WAITING)
logger = logging.getLogger(__name__)


def mail_link(name: str, address_of: Callable[[str], str], language: str) -> Future[None] | None:
    """Send a mail if there is a person with this login name and an e-mail address.

    address_of: returns the whole address of the page for a token. Returns None if too many mails wait already.
    """
    if not _waiting.acquire(blocking=False):
        logger.error("A mail for a new password was not sent: too many mails wait.")
        return None
    return _worker.submit(_send, name, address_of, language)


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
            with override(language):
                text = render_to_string("registration/password_mail.txt", context)
                send_mail(_("Evenboard: a new password"), text, None, [user.email])
    except Exception:  # nobody waits for the answer, so the log must have any error
        logger.exception("A mail for a new password was not sent.")
    finally:
        _waiting.release()
        connection.close()
