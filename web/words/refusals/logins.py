"""Why something was refused: logins, rights and invitations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

SENTENCES = {
    "hashing_busy": gettext_lazy(
        "Many people are logging in at this moment. Nothing was done. Do it again in a few seconds."
    ),
    "user_unknown": gettext_lazy("There is no login with the name %(username)s."),
    "user_taken": gettext_lazy(
        "The login name %(username)s is taken. If this is the same person, invite the existing login."
    ),
    "role_unknown": gettext_lazy("%(role)s is not a role of this program."),
    "role_of_whole_event": gettext_lazy("Owners and organisers work in the whole event. Choose no section."),
    "role_end_past": gettext_lazy("The last day of the role is over: %(day)s. Choose a later day, or none."),
    "owner_for_good": gettext_lazy("An owner has no last day. Leave the day empty, or choose another role."),
    "boards_of_clerk": gettext_lazy("Only a result clerk has own boards."),
    "boards_impossible": gettext_lazy(
        "Write the first and the last board, both from 1 to %(highest)s, or neither. Nothing was changed."
    ),
    "boards_out_of_range": gettext_lazy(
        "%(first)s to %(last)s is no range of boards. Write the first and the last board, from 1 to %(highest)s."
    ),
    "role_of_owner": gettext_lazy(
        "%(username)s is an owner. Only an owner can end this role, on a page and not with a token."
    ),
    "role_only_by_owner": gettext_lazy(
        "Only an owner can make somebody owner, on a page and not with a token."
    ),
    "role_beyond": gettext_lazy(
        "Your role does not let you decide about this role. A chief arbiter decides about arbiters, result clerks, "
        "check-in and viewers where their own role counts. A role never lasts longer than that of the person who "
        "gives it."
    ),
    "own_role": gettext_lazy("Only an owner can give a role to their own login. Ask another organiser."),
    "own_invitation": gettext_lazy(
        "You made this invitation yourself. Send the link to the person whom you invite."
    ),
    "last_owner": gettext_lazy("%(username)s is the only owner. Make another person owner first."),
    "user_name_impossible": gettext_lazy("Give a user name of at most 150 characters."),
    "user_name_used": gettext_lazy("The login name %(username)s is taken. Choose another one."),
    "last_site_owner": gettext_lazy(
        "Nobody would be site owner any more. Nothing was changed. Make another login site owner first."
    ),
    "too_many_invitations": ngettext_lazy(
        "The event has %(limit)s open invitation. Revoke it if nobody needs it any more.",
        "The event has %(limit)s open invitations. Revoke those that nobody needs any more.",
        "limit",
    ),
    "already_in_event": gettext_lazy("You already work on this event in this role or as owner."),
    "wrong_password": gettext_lazy("This is not your current password."),
    "wrong_code": gettext_lazy(
        "This code is not valid. Type the newest code of your app. Each code works only once."
    ),
    "recovery_code_waits": gettext_lazy(
        "The server cannot save now, so it cannot mark a recovery code as used. Type the newest code of your app."
    ),
    "second_factor_on": gettext_lazy("The second factor is already on."),
    "link_gone": gettext_lazy("This link was used already, or it is too old. Ask for a new one."),
    "too_many_device_links": gettext_lazy(
        "You have made %(limit)s links for a new phone since this time yesterday. Make the next one tomorrow, or "
        "ask an owner of your event for a link for a new password."
    ),
    "access_token_scopes": gettext_lazy("Choose at least one thing that the program may do."),
    "access_token_end": ngettext_lazy(
        "Choose a day between tomorrow and %(days)s day from now.",
        "Choose a day between tomorrow and %(days)s days from now.",
        "days",
    ),
    "too_many_access_tokens": ngettext_lazy(
        "There is already %(limit)s access token. End it if no program uses it any more.",
        "There are already %(limit)s access tokens. End those that no program uses any more.",
        "limit",
    ),
    "webhook_address": gettext_lazy(
        "Messages cannot be sent to this address. It must begin with https:// and be on the internet, not in the "
        "network of this server."
    ),
    "too_many_webhooks": ngettext_lazy(
        "The event has %(limit)s webhook. Remove it if nobody needs it any more.",
        "The event has %(limit)s webhooks. Remove those that nobody needs any more.",
        "limit",
    ),
    "link_not_allowed": gettext_lazy(
        "You cannot make a link for %(username)s, because this person also has rights that you do not have. "
        "Somebody with more rights, or a person at the server, can do it."
    ),
}

MOST_SECONDS = 90
"""A longer wait is shown in minutes."""


def _wait(params: Mapping[str, Any]) -> str:
    seconds = int(params["seconds"])
    if seconds <= MOST_SECONDS:
        time = ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    else:
        minutes = -(-seconds // 60)
        time = ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    return _("Too many attempts have failed. Nothing was checked. Try again in %(time)s.") % {"time": time}


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "wait": _wait,
}
"""Those whose parameters are put into words together."""
