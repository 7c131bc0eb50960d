"""Send a link for a new password by mail, in a thread of its own.

The answer to the request does not wait for the thread. So it takes the same time whether the name exists or not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import BoundedSemaphore, Thread

from django.core.mail import send_mail
from django.db import close_old_connections, connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments.actions.password_links import BY_MAIL, make_mail_link
from tournaments.models import User

AT_ONCE = 4
THREAD = "mail for a new password"
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
            with override(language):
                text = render_to_string("registration/password_mail.txt", context)
                send_mail(_("Evenboard: a new password"), text, None, [user.email])
    except Exception:  # nobody waits for the answer, so the log must have any error
        logger.exception("A mail for a new password was not sent.")
    finally:
        connection.close()
        _places.release()
