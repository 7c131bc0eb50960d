"""Say the rows about people: of the log of an event, and of the log of the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import ActionLog, EventMakers, EventRole, SiteLog


def _role(values: dict[str, Any]) -> str:
    role = values.get("role", "")
    return str(EventRole.Role(role).label) if role in EventRole.Role.values else str(role)


def _add_role(row: ActionLog) -> str:
    about = {"name": row.subject, "before": _role(row.before), "after": _role(row.after)}
    if row.before:
        return _("Role of %(name)s changed from %(before)s to %(after)s") % about
    return _("%(name)s added as %(after)s") % about


def _invite(row: ActionLog) -> str:
    about = {"name": row.subject, "role": _role(row.after)}
    if not row.after.get("by_link"):
        return _("%(name)s invited as %(role)s") % about
    if row.subject:
        return _("Link made for %(name)s, as %(role)s") % about
    return _("Link made, as %(role)s") % about


def _about(sentence: str, side: str) -> Callable[[ActionLog], str]:
    return lambda row: str(sentence) % {"name": row.subject, "role": _role(getattr(row, side))}


def _revoke(row: ActionLog) -> str:
    if row.subject:
        return _("Invitation of %(name)s revoked") % {"name": row.subject}
    return _("Link revoked, as %(role)s") % {"role": _role(row.before)}


IN_EVENT: dict[str, Callable[[ActionLog], str]] = {
    "add_role": _add_role,
    "remove_role": _about(gettext_lazy("%(name)s removed, was %(role)s"), "before"),
    "create_login": _about(gettext_lazy("Login %(name)s made, as %(role)s"), "after"),
    "invite": _invite,
    "accept_invitation": _about(gettext_lazy("%(name)s accepted: %(role)s"), "after"),
    "decline_invitation": _about(gettext_lazy("%(name)s declined: %(role)s"), "after"),
    "revoke_invitation": _revoke,
    "make_password_link": _about(gettext_lazy("Link for a new password made for %(name)s"), "after"),
    "use_password_link": _about(gettext_lazy("%(name)s set a new password by the link"), "after"),
}


def say_in_event(row: ActionLog) -> str:
    """Return what was done with the people of an event, as a sentence."""
    return IN_EVENT[row.action](row)


GIVEN = {
    "site_owner": gettext_lazy("became site owner"),
    "makes_events": gettext_lazy("may make events"),
    "makes_logins": gettext_lazy("may make logins"),
}
TAKEN = {
    "site_owner": gettext_lazy("is no longer site owner"),
    "makes_events": gettext_lazy("may no longer make events"),
    "makes_logins": gettext_lazy("may no longer make logins"),
}


def say_on_site(row: SiteLog) -> str:
    """Return what was changed on the site, as a sentence."""
    if row.action == "set_rights":
        said = [str((GIVEN if given else TAKEN)[name]) for name, given in sorted(row.after.items())]
        return f"{row.subject}: {', '.join(said)}"
    if row.action == "choose_site_settings":
        return "; ".join(_setting(name, value) for name, value in sorted(row.after.items()))
    if row.action == "create_login":
        return _("Login %(name)s made") % {"name": row.subject}
    if row.after.get("by_invitation"):
        return _("Login %(name)s made from an invitation") % {"name": row.subject}
    return _("Login %(name)s made by open registration") % {"name": row.subject}


def _setting(name: str, value: Any) -> str:
    if name == "events_by":
        return _("Events are made by %(who)s") % {"who": EventMakers(value).label}
    return _("Open registration switched on") if value else _("Open registration switched off")
