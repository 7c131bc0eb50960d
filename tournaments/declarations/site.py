"""Settings of the site and rights of logins. These actions are in the log of the site."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .declaration import Form, Sentence, SentencePart, always, never_undone, text, value_at

AFTER = (("after",),)

SET_RIGHTS = never_undone(
    "set_rights",
    _("rights of a login changed"),
    always("%(subject)s: %(rights)s", rights=SentencePart(Form.RIGHTS, AFTER)),
)

CHOOSE_SITE_SETTINGS = never_undone(
    "choose_site_settings",
    _("settings of the site changed"),
    always("%(settings)s", settings=SentencePart(Form.SITE_SETTINGS, AFTER)),
)

SITE_CREATE_LOGIN = never_undone("create_login", _("login made"), always(_("Login %(subject)s made")))

SIGN_UP = never_undone(
    "sign_up",
    _("login made by its owner"),
    Sentence(
        {
            "invitation": text(_("Login %(subject)s made from an invitation")),
            "registration": text(_("Login %(subject)s made by open registration")),
        },
        lambda row: "invitation" if value_at(row, ("after", "by_invitation")) else "registration",
    ),
)

SITE_OFFER_RATING_LIST = never_undone(
    "offer_rating_list", _("rating list given"), always(_("Rating list %(subject)s given for import"))
)

SITE_USE_RATING_LIST = never_undone(
    "use_rating_list",
    _("doubtful rating list accepted"),
    always(_("Rating list %(subject)s accepted in spite of doubts")),
)

SITE_REMOVE_RATING_LIST = never_undone(
    "remove_rating_list", _("rating list deleted"), always(_("Rating list %(subject)s deleted"))
)

KEEP_RATING_LIST = never_undone(
    "keep_rating_list",
    _("rating list kept up to date"),
    always(_("Rating list %(subject)s is now fetched by the program")),
)

STOP_RATING_LIST = never_undone(
    "stop_rating_list",
    _("rating list no longer kept up to date"),
    always(_("Rating list %(subject)s is no longer fetched by the program")),
)

MAKE_DEVICE_LINK = never_undone(
    "make_device_link", _("link for a new phone made"), always(_("Link for a new phone of %(subject)s made"))
)

SITE_MAKE_ACCESS_TOKEN = never_undone(
    "make_access_token", _("access token made"), always(_("Access token made for a program: %(subject)s"))
)

SITE_END_ACCESS_TOKEN = never_undone(
    "end_access_token", _("access token ended"), always(_("Access token of a program ended: %(subject)s"))
)

USE_DEVICE_LINK = never_undone(
    "use_device_link", _("new phone allowed by a link"), always(_("A new phone may log in as %(subject)s"))
)

SITE_DELETE_EVENT = never_undone(
    "delete_event", _("event deleted for good"), always(_("Event %(subject)s deleted for good"))
)

MAKE_SPARE_KEY = never_undone(
    "make_spare_key", _("key for a spare made"), always(_("Key made with which a spare receives this site"))
)

END_SPARE_KEY = never_undone(
    "end_spare_key", _("key of the spare ended"), always(_("The key of the spare no longer works"))
)

SPARE_TAKES_OVER = never_undone(
    "spare_takes_over",
    _("spare took over"),
    always(_("This machine took over with the state of %(subject)s")),
)

GO_ON_HERE = never_undone(
    "go_on_here",
    _("this machine goes on"),
    always(_("Somebody decided that this machine goes on, and no other")),
)
