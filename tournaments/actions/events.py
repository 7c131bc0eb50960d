"""Events and the people who run them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.text import numbered, one_line
from base.zones import zone_called
from tournaments.declarations.events import CREATE_EVENT, EDIT_EVENT
from tournaments.errors import NAME_REQUIRED, Refusal
from tournaments.models import Event, EventRole
from tournaments.models.events import CHOSEN_STATES, DELETED_MARK, REHEARSAL_MARK, EventState
from tournaments.queries.sections import event_closed

from .ledger import (
    Actor,
    EventEntry,
    act_on_event,
    assign_values,
    refuse_overtaken,
    transaction_or_busy,
    write_log,
)
from .sections import close_section, create_section, edit_section, leave_fide_mode, reopen_section

# Refusals
EVENT_CLOSED = Refusal(
    "event_closed",
    _(
        "All sections of the event are closed. What their reports say of the event can no longer change. Reopen a "
        "section in its settings first."
    ),
)
EVENT_DATES = Refusal("event_dates", _("The last day, %(end)s, is before the first day, %(start)s."))
ZONE_UNKNOWN = Refusal(
    "zone_unknown", _("Time zone “%(zone)s” is not known. Use a name such as Europe/Vienna.")
)
EMBED_SITE = Refusal(
    "embed_site",
    _("“%(site)s” is not the address of a web site. Write it without a path, as https://club.example."),
)
ONLY_REHEARSALS = Refusal(
    "only_rehearsals",
    _(
        "This file comes from a rehearsal: its players and results are invented. It cannot become a part of %(event)s. "
        "Load it as a new event, which is a rehearsal again."
    ),
)
TOO_MANY_EMBED_SITES = Refusal(
    "too_many_embed_sites",
    ngettext_lazy(
        "At most %(limit)s web site can embed lists of an event.",
        "At most %(limit)s web sites can embed lists of an event.",
        "limit",
    ),
    ("limit",),
)


__all__ = [
    "RESERVED_SLUGS",
    "close_section",
    "create_event",
    "create_section",
    "edit_event",
    "edit_section",
    "leave_fide_mode",
    "reopen_section",
]

RESERVED_SLUGS = frozenset(
    {
        "new", "login", "logout", "account", "password", "keys", "healthz", "readyz", "api", "static", "i18n", "admin",
        "site", "sign-up", "invitation", "deleted", "person",
    }
) | {code for code, _name in settings.KNOWN_LANGUAGES}  # fmt: skip
"""First parts of addresses that belong to other pages, so no event may use them."""

SITE = re.compile(
    r"(https?://(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?)/?"
)
MOST_SITES = 20

_EDITABLE = frozenset({
    "name", "city", "federation", "start", "end", "chief_arbiter", "deputy_arbiters", "time_control",
    "time_zone", "state", "indexed", "contact", "embed_sites", "public_pgn",
    "sections_apart",
})  # fmt: skip


_OF_THE_REPORT = frozenset(
    {"name", "city", "federation", "start", "end", "chief_arbiter", "deputy_arbiters", "time_control"}
)
"""What the reports say of the event. It is frozen when all sections are closed."""


def create_event(
    *,
    actor: Actor,
    name: str,
    start: date,
    end: date,
    city: str = "",
    federation: str = "",
    chief_arbiter: str = "",
    deputy_arbiters: str = "",
    time_control: str = "",
    time_zone: str = "",
    state: str = EventState.PUBLIC.value,
    indexed: bool = False,
    contact: str = "",
    embed_sites: str = "",
    public_pgn: bool = False,
    sections_apart: bool = False,
    rehearsal: bool = False,
) -> Event:
    """Create an event, with an address made from its name. The actor owns it (on the command line nobody does).

    rehearsal: as in `Event`. state: one of `CHOSEN_STATES`. Nobody guesses the address of a rehearsal or of an event
    that is unlisted.
    time_zone: as in `base.zones`, "" for the time zone of the server. embed_sites: as in `sites`.
    Raises DomainError: name_required, event_dates, zone_unknown, embed_site, too_many_embed_sites, invalid_values.
    """
    event = Event(rehearsal=rehearsal)
    values = {
        "name": name,
        "start": start,
        "end": end,
        "city": city,
        "federation": federation.upper(),
        "chief_arbiter": chief_arbiter,
        "deputy_arbiters": deputy_arbiters,
        "time_control": time_control,
        "time_zone": time_zone,
        "state": state,
        "indexed": indexed,
        "contact": contact,
        "embed_sites": embed_sites,
        "public_pgn": public_pgn,
        "sections_apart": sections_apart,
    }
    _, after = _assign_checked(event, values)
    with transaction_or_busy():
        _save_with_free_slug(event)
        if actor.user:
            EventRole.objects.create(event=event, user=actor.user, role=EventRole.Role.OWNER)
        entry = EventEntry(event_id=event.pk, event=event, after=after, subject=event.name)
        write_log(event, [entry.row(actor, CREATE_EVENT)])
    return event


def edit_event(*, actor: Actor, event: Event, seen: Mapping[str, Any] | None = None, **changes: Any) -> Event:
    """Change details of an event; its address does not change.

    seen: what the form showed, by field.
    Raises Stale("overtaken"); DomainError: name_required, event_dates, zone_unknown, embed_site, too_many_embed_sites,
    invalid_values, event_closed.
    """
    if unknown := set(changes) - _EDITABLE:
        raise TypeError(f"not to be changed: {sorted(unknown)}")
    with act_on_event(event_id=event.pk, actor=actor, action=EDIT_EVENT) as entry:
        if "federation" in changes:
            changes["federation"] = changes["federation"].upper()
        refuse_overtaken({name: getattr(entry.event, name) for name in changes}, changes, seen)
        entry.before, entry.after = _assign_checked(entry.event, changes)
        entry.subject = entry.event.name
        entry.unchanged = not entry.after
        if _OF_THE_REPORT & entry.after.keys() and event_closed(entry.event):
            raise EVENT_CLOSED.error()
        entry.event.save()
        entry.event.refresh_from_db(fields=["public", "listed"])  # the database works them out
    return entry.event


def _assign_checked(event: Event, values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    if values.get("state", EventState.DRAFT) not in CHOSEN_STATES:
        raise TypeError(f"not to be chosen: {values['state']}")
    if "name" in values and not one_line(values["name"]):
        raise NAME_REQUIRED.error()
    if event.rehearsal:
        values = {**values, **{name: False for name in ("indexed",) if name in values}}
        if values.get("state") == EventState.PUBLIC:
            values["state"] = EventState.UNLISTED.value
        if "name" in values:
            values["name"] = rehearsal_name(values["name"])
    if zone := values.get("time_zone"):
        if not zone_called(zone):
            raise ZONE_UNKNOWN.error(zone=one_line(zone))
        values = {**values, "time_zone": zone_called(zone)}
    if "embed_sites" in values:
        values = {**values, "embed_sites": "\n".join(sites(values["embed_sites"]))}
    changed = assign_values(event, values)
    if event.end < event.start:
        raise EVENT_DATES.error(start=event.start.isoformat(), end=event.end.isoformat())
    return changed


def rehearsal_name(name: str) -> str:
    """Return the name of a rehearsal, which begins with its mark."""
    rest = one_line(name).removeprefix(REHEARSAL_MARK).strip()
    return f"{REHEARSAL_MARK} {rest}"[:120]


def sites(typed: str) -> list[str]:
    """Return web sites as a browser names them, without a path: https://club.example or https://*.club.example.

    Raises DomainError: embed_site, too_many_embed_sites.
    """
    found = []
    for word in typed.split():
        site = SITE.fullmatch(word.lower())
        if site is None:
            raise EMBED_SITE.error(site=one_line(word)[:80])
        found.append(site[1])
    if len(found) > MOST_SITES:
        raise TOO_MANY_EMBED_SITES.error(limit=MOST_SITES)
    return list(dict.fromkeys(found))


def _save_with_free_slug(event: Event) -> None:
    base = slugify(event.name)[:50] or "event"
    if event.rehearsal or event.state == EventState.UNLISTED:
        base = f"{base[:40]}-{secrets.token_hex(4)}"
    rows = Event.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    taken = {slug.removesuffix(DELETED_MARK) for slug in rows} | RESERVED_SLUGS
    while True:
        event.slug = numbered(base, taken)
        try:
            with transaction.atomic():
                event.save()
        except IntegrityError:  # somebody else took the address just now
            if not Event.objects.filter(slug=event.slug).exists():
                raise
            taken.add(event.slug)
        else:
            return
