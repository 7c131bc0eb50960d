"""Settings of the site and rights of logins. These actions are in the log of the site."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .declaration import UNAFFECTED, Action, Form, Part, Sentence, Undo, says, text, value_at

AFTER = (("after",),)

SET_RIGHTS = Action(
    name="set_rights",
    title=_("rights of a login changed"),
    sentence=says("%(subject)s: %(rights)s", rights=Part(Form.RIGHTS, AFTER)),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

CHOOSE_SITE_SETTINGS = Action(
    name="choose_site_settings",
    title=_("settings of the site changed"),
    sentence=says("%(settings)s", settings=Part(Form.SITE_SETTINGS, AFTER)),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

CREATE_LOGIN = Action(
    name="create_login",
    title=_("login made"),
    sentence=says(_("Login %(subject)s made")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

SIGN_UP = Action(
    name="sign_up",
    title=_("login made by its owner"),
    sentence=Sentence(
        {
            "invitation": text(_("Login %(subject)s made from an invitation")),
            "registration": text(_("Login %(subject)s made by open registration")),
        },
        lambda row: "invitation" if value_at(row, ("after", "by_invitation")) else "registration",
    ),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

MAKE_DEVICE_LINK = Action(
    name="make_device_link",
    title=_("link for a new phone made"),
    sentence=says(_("Link for a new phone of %(subject)s made")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

USE_DEVICE_LINK = Action(
    name="use_device_link",
    title=_("new phone allowed by a link"),
    sentence=says(_("A new phone may log in as %(subject)s")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)
