"""The settings of the site, and the rights that site owners give to logins and take from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db.models import Q
from django.utils.translation import gettext_noop as _

from base.text import one_line
from tournaments.declarations import Action
from tournaments.declarations.site import CHOOSE_SITE_SETTINGS, SET_RIGHTS
from tournaments.errors import USER_UNKNOWN, Refusal
from tournaments.models import EventMakers, SiteLog, SiteSettings, User

from .ledger import Actor, transaction_or_busy

# Refusals
LAST_SITE_OWNER = Refusal(
    "last_site_owner",
    _("Nobody would be site owner any more. Nothing was changed. Make another login site owner first."),
)


RIGHTS = ("site_owner", "makes_events", "makes_logins", "keeps_lists")


@contextmanager
def act_on_site() -> Iterator[SiteSettings]:
    """Run one change of the site at a time, completely or not at all. Raises Busy."""
    with transaction_or_busy():
        SiteSettings.objects.get_or_create(pk=SiteSettings.ONLY)
        yield SiteSettings.objects.select_for_update().get(pk=SiteSettings.ONLY)


def note(
    actor: Actor,
    action: Action,
    *,
    subject: str = "",
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    """Write a row of the log of the site."""
    SiteLog.objects.create(
        user=actor.user,
        who=actor.name[:150],
        origin=actor.origin[:60],
        action=action.name,
        subject=subject,
        before=before or {},
        after=after or {},
    )


def choose_site_settings(*, actor: Actor, events_by: str, open_registration: bool) -> SiteSettings:
    """Choose who may make events, and whether anybody may make a login for themselves."""
    wanted = {"events_by": EventMakers(events_by).value, "open_registration": open_registration}
    with act_on_site() as settings:
        before = {name: getattr(settings, name) for name in wanted}
        changed = [name for name in wanted if wanted[name] != before[name]]
        if changed:
            for name in changed:
                setattr(settings, name, wanted[name])
            settings.save()
            note(
                actor,
                CHOOSE_SITE_SETTINGS,
                before={name: before[name] for name in changed},
                after={name: wanted[name] for name in changed},
            )
    return settings


def set_rights(*, actor: Actor, changes: Mapping[int, Mapping[str, bool]]) -> int:
    """Give and take rights, by key of the login and name of the right. Return how many logins changed.

    Raises DomainError("last_site_owner") if no login would be left that is open and a site owner.
    """
    changed = 0
    with act_on_site():
        for user in User.objects.select_for_update().filter(pk__in=changes).order_by("pk"):
            wanted = {name: changes[user.pk][name] for name in RIGHTS if name in changes[user.pk]}
            before = {name: getattr(user, name) for name in wanted if getattr(user, name) != wanted[name]}
            if not before:
                continue
            after = {name: wanted[name] for name in before}
            User.objects.filter(pk=user.pk).update(**after)
            note(actor, SET_RIGHTS, subject=user.username, before=before, after=after)
            changed += 1
        if changed and not has_site_owner():
            raise LAST_SITE_OWNER.error()
    return changed


def name_site_owner(*, actor: Actor, username: str) -> User:
    """Make a login a site owner; for the command line. Raises DomainError("user_unknown")."""
    username = one_line(username)
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise USER_UNKNOWN.error(username=username)
    set_rights(actor=actor, changes={user.pk: {"site_owner": True}})
    user.refresh_from_db()
    return user


def has_site_owner() -> bool:
    """Return whether there is a login that may choose the settings of the site."""
    return User.objects.filter(Q(site_owner=True) | Q(is_superuser=True), is_active=True).exists()
