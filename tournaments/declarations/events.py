"""Events and the people who may open them. These actions are in the log of the event, not in that of a section."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .declaration import UNAFFECTED, Action, Form, Row, Sentence, Undo, now, says, text, value_at, was

GIVEN = now("role", form=Form.ROLE)
HELD = was("role", form=Form.ROLE)

CREATE_EVENT = Action(
    name="create_event",
    title=_("event created"),
    sentence=says(_("%(subject)s created")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

EDIT_EVENT = Action(
    name="edit_event",
    title=_("details of the event changed"),
    sentence=says(_("Details of the event changed")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

ADD_ROLE = Action(
    name="add_role",
    title=_("role given"),
    sentence=Sentence(
        {
            "changed": text(
                _("Role of %(subject)s changed from %(before)s to %(after)s"), before=HELD, after=GIVEN
            ),
            "added": text(_("%(subject)s added as %(after)s"), after=GIVEN),
        },
        lambda row: "changed" if row.before else "added",
    ),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

REMOVE_ROLE = Action(
    name="remove_role",
    title=_("role removed"),
    sentence=says(_("%(subject)s removed, was %(role)s"), role=HELD),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

CREATE_LOGIN = Action(
    name="create_login",
    title=_("login made"),
    sentence=says(_("Login %(subject)s made, as %(role)s"), role=GIVEN),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)


def _invited(row: Row) -> str:
    if not value_at(row, ("after", "by_link")):
        return "person"
    return "link for somebody" if row.subject else "link"


INVITE = Action(
    name="invite",
    title=_("invitation made"),
    sentence=Sentence(
        {
            "person": text(_("%(subject)s invited as %(role)s"), role=GIVEN),
            "link for somebody": text(_("Link made for %(subject)s, as %(role)s"), role=GIVEN),
            "link": text(_("Link made, as %(role)s"), role=GIVEN),
        },
        _invited,
    ),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

ACCEPT_INVITATION = Action(
    name="accept_invitation",
    title=_("invitation accepted"),
    sentence=says(_("%(subject)s accepted: %(role)s"), role=GIVEN),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

DECLINE_INVITATION = Action(
    name="decline_invitation",
    title=_("invitation declined"),
    sentence=says(_("%(subject)s declined: %(role)s"), role=GIVEN),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

REVOKE_INVITATION = Action(
    name="revoke_invitation",
    title=_("invitation revoked"),
    sentence=Sentence(
        {
            "person": text(_("Invitation of %(subject)s revoked")),
            "link": text(_("Link revoked, as %(role)s"), role=HELD),
        },
        lambda row: "person" if row.subject else "link",
    ),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

MAKE_PASSWORD_LINK = Action(
    name="make_password_link",
    title=_("link for a new password made"),
    sentence=says(_("Link for a new password made for %(subject)s")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

USE_PASSWORD_LINK = Action(
    name="use_password_link",
    title=_("new password set by a link"),
    sentence=says(_("%(subject)s set a new password by the link")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

ABOUT_PEOPLE = (
    ADD_ROLE,
    REMOVE_ROLE,
    CREATE_LOGIN,
    INVITE,
    ACCEPT_INVITATION,
    DECLINE_INVITATION,
    REVOKE_INVITATION,
    MAKE_PASSWORD_LINK,
    USE_PASSWORD_LINK,
)
"""The page about the people of an event shows them."""
