"""What registrations keep about a player of an event."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from registrations.models import ListNews, Registration
from tournaments.models import Event, Player

LEFT_OUT = frozenset({"id", "event_id", "section_id", "participant_id", "form_key", "search", "link_counter"})
"""Columns that say nothing about the person, or repeat what others say."""


def registrations_of(event: Event, player: Player) -> QuerySet[Registration]:
    """Return the registrations of a player: by the entry, by the FIDE ID, or by name and birth date without either."""
    same = Q(participant__player=player)
    if player.fide_id is not None:
        same |= Q(fide_id=player.fide_id)
    bare = Q(participant=None, fide_id=None, name=player.name)
    same |= bare & Q(birth_date__in=["", player.birth_date])
    return Registration.objects.filter(same, event=event)


def registrations_kept(player: Player) -> dict[str, Any]:
    """Return the registrations of a player for the file of this person."""
    found = registrations_of(player.event, player).select_related("section").order_by("pk")
    return {"registrations": [_values(one) for one in found]}


def _values(one: Registration) -> dict[str, Any]:
    columns = [field.attname for field in Registration._meta.concrete_fields]  # noqa: SLF001 - public in Django
    news = ListNews.objects.filter(registration=one)
    return {
        "section": one.section.name,
        **{name: _plain(getattr(one, name)) for name in columns if name not in LEFT_OUT},
        "labels": [label.name for label in one.labels.all()],
        "byes": [[bye.round_number, bye.kind, bye.state] for bye in one.byes.all()],
        "account": [
            [line.at.isoformat(), line.kind, line.cents, line.note] for line in one.charges.order_by("pk")
        ],
        "mails": [[_plain(mail.sent_at), mail.kind, mail.state, mail.address] for mail in one.mails.all()],
        "rating list": [[each.rating, each.title, each.label] for each in news],
        "notes": [[note.at.isoformat(), note.text] for note in one.notes.all()],
        "history": [
            [
                *(step.at.isoformat(), step.kind, step.from_state, step.to_state, step.reason),
                step.before.get("values", {}),
            ]
            for step in one.steps.all()
        ],
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
