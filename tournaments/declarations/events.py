"""Events and the people who may open them. These actions are in the log of the event, not in that of a section."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .declaration import Form, Row, Sentence, always, never_undone, now, of_row, text, value_at

GIVEN = of_row("after", form=Form.ROLE)
HELD = of_row("before", form=Form.ROLE)

CREATE_EVENT = never_undone("create_event", _("event created"), always(_("%(subject)s created")))


def _what_changed(row: Row) -> str:
    """Return what the row says about who sees the event, or about search engines, which may list it or not."""
    if state := value_at(row, ("after", "state")):
        return str(state)
    indexed = value_at(row, ("after", "indexed"))
    return "details" if indexed is None else "listed" if indexed is True else "not listed"


EDIT_EVENT = never_undone(
    "edit_event",
    _("details of the event changed"),
    Sentence(
        {
            "details": text(_("Details of the event changed")),
            "listed": text(_("Details of the event changed: search engines may list it")),
            "not listed": text(_("Details of the event changed: search engines may not list it")),
            "draft": text(_("Details of the event changed: only people who work on it see it")),
            "unlisted": text(_("Details of the event changed: whoever has the address sees it")),
            "public": text(_("Details of the event changed: everybody finds it")),
        },
        _what_changed,
    ),
)

ARCHIVE_EVENT = never_undone(
    "archive_event",
    _("event archived or brought back"),
    Sentence(
        {
            "archived": text(_("%(subject)s archived: nobody changes it")),
            "back": text(_("%(subject)s brought back from the archive")),
        },
        lambda row: "archived" if value_at(row, ("after", "state")) == "archived" else "back",
    ),
)

DELETE_EVENT = never_undone(
    "delete_event",
    _("event deleted or brought back"),
    Sentence(
        {
            "deleted": text(_("%(subject)s deleted")),
            "back": text(_("%(subject)s brought back, nothing was deleted")),
        },
        lambda row: "deleted" if value_at(row, ("after", "state")) == "deleted" else "back",
    ),
)

SET_REHEARSAL = never_undone(
    "set_rehearsal",
    _("clock of the rehearsal set"),
    Sentence(
        {
            "runs": text(_("The clock of the rehearsal runs: x%(speed)s"), speed=now("speed")),
            "stands": text(_("The clock of the rehearsal is paused")),
        },
        lambda row: "runs" if value_at(row, ("after", "speed")) else "stands",
    ),
)

EDIT_REGISTRATION = never_undone(
    "edit_registration", _("registration set up"), always(_("Settings of the registration changed"))
)

ADD_ROLE = never_undone(
    "add_role",
    _("role given"),
    Sentence(
        {
            "changed": text(
                _("Role of %(subject)s changed: %(before)s → %(after)s"), before=HELD, after=GIVEN
            ),
            "added": text(_("%(subject)s added, role: %(after)s"), after=GIVEN),
        },
        lambda row: "changed" if row.before else "added",
    ),
)

CHANGE_BOARDS = never_undone(
    "change_boards",
    _("boards of a result clerk changed"),
    always(_("Role of %(subject)s changed: %(before)s → %(after)s"), before=HELD, after=GIVEN),
)

REMOVE_ROLE = never_undone(
    "remove_role", _("role removed"), always(_("%(subject)s removed, role until then: %(role)s"), role=HELD)
)

CREATE_LOGIN = never_undone(
    "create_login", _("login made"), always(_("Login %(subject)s made, role: %(role)s"), role=GIVEN)
)


def _invited(row: Row) -> str:
    if not value_at(row, ("after", "by_link")):
        return "person"
    return "link for somebody" if row.subject else "link"


INVITE = never_undone(
    "invite",
    _("invitation made"),
    Sentence(
        {
            "person": text(_("%(subject)s invited, role: %(role)s"), role=GIVEN),
            "link for somebody": text(_("Link made for %(subject)s, role: %(role)s"), role=GIVEN),
            "link": text(_("Link made, role: %(role)s"), role=GIVEN),
        },
        _invited,
    ),
)

INVITE_AGAIN = never_undone(
    "invite_again",
    _("invitation sent again"),
    Sentence(
        {
            "person": text(_("Invitation of %(subject)s sent again, role: %(role)s"), role=GIVEN),
            "link": text(_("New link made, role: %(role)s. The old link ended"), role=GIVEN),
        },
        lambda row: "person" if row.subject else "link",
    ),
)

ACCEPT_INVITATION = never_undone(
    "accept_invitation", _("invitation accepted"), always(_("%(subject)s accepted: %(role)s"), role=GIVEN)
)

DECLINE_INVITATION = never_undone(
    "decline_invitation", _("invitation declined"), always(_("%(subject)s declined: %(role)s"), role=GIVEN)
)

REVOKE_INVITATION = never_undone(
    "revoke_invitation",
    _("invitation revoked"),
    Sentence(
        {
            "person": text(_("Invitation of %(subject)s revoked")),
            "link": text(_("Link revoked, role: %(role)s"), role=HELD),
        },
        lambda row: "person" if row.subject else "link",
    ),
)

MAKE_PASSWORD_LINK = never_undone(
    "make_password_link",
    _("link for a new password made"),
    always(_("Link for a new password made for %(subject)s")),
)

USE_PASSWORD_LINK = never_undone(
    "use_password_link",
    _("new password set by a link"),
    always(_("%(subject)s set a new password by the link")),
)

MAKE_SCREEN = never_undone("make_screen", _("screen made"), always(_("Screen %(subject)s made")))

REMOVE_SCREEN = never_undone("remove_screen", _("screen removed"), always(_("Screen %(subject)s removed")))

MAKE_ACCESS_TOKEN = never_undone(
    "make_access_token", _("access token made"), always(_("Access token made for a program: %(subject)s"))
)

END_ACCESS_TOKEN = never_undone(
    "end_access_token", _("access token ended"), always(_("Access token of a program ended: %(subject)s"))
)

TAKE_ARCHIVE = never_undone(
    "take_archive", _("archive downloaded"), always(_("Archive of %(subject)s downloaded"))
)

OFFER_RATING_LIST = never_undone(
    "offer_rating_list", _("rating list given"), always(_("Rating list %(subject)s given for import"))
)

USE_RATING_LIST = never_undone(
    "use_rating_list",
    _("doubtful rating list accepted"),
    always(_("Rating list %(subject)s accepted in spite of doubts")),
)

REMOVE_RATING_LIST = never_undone(
    "remove_rating_list", _("rating list deleted"), always(_("Rating list %(subject)s deleted"))
)

MAKE_WEBHOOK = never_undone("make_webhook", _("webhook made"), always(_("Webhook made for %(subject)s")))

CHANGE_WEBHOOK_SECRET = never_undone(
    "change_webhook_secret",
    _("secret of a webhook changed"),
    always(_("New secret made for the webhook to %(subject)s")),
)

CHOOSE_WEBHOOK_KINDS = never_undone(
    "choose_webhook_kinds",
    _("messages of a webhook chosen"),
    always(_("Messages chosen for the webhook to %(subject)s")),
)

REMOVE_WEBHOOK = never_undone(
    "remove_webhook", _("webhook removed"), always(_("Webhook to %(subject)s removed"))
)

ABOUT_PEOPLE = (
    ADD_ROLE,
    CHANGE_BOARDS,
    REMOVE_ROLE,
    CREATE_LOGIN,
    INVITE,
    INVITE_AGAIN,
    ACCEPT_INVITATION,
    DECLINE_INVITATION,
    REVOKE_INVITATION,
    MAKE_PASSWORD_LINK,
    USE_PASSWORD_LINK,
)
"""The page about the people of an event shows them."""
