"""What registrations keep: of an event as files of its archive (docs/decisions/0077), and about one player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from registrations.models import Charge, ListNews, Registration, WishedBye
from registrations.queries.problems import account_lines
from registrations.queries.queue import HERE
from registrations.states import RegistrationState
from tournaments.files.table_files import Cell, csv_file, figure, page_file
from tournaments.models import Event, Player
from tournaments.player_fields import REGISTERED

# The registrations of an event as files of its archive, which is kept for years (docs/decisions/0077).

HEAD = (
    "Name", "Sex", "Title", "Federation", "FIDE ID", "Rating", "Rating list",
    *(field.english_head for field in REGISTERED), "Section", "State", "Registered",
    "Byes granted in rounds", "Byes asked for in rounds", "Byes refused in rounds", "Owed", "Paid", "Present",
)  # fmt: skip
HEAD_OF_FEES = ("Name", "Section", "Day", "What", "Amount", "Noted by")
ABOUT = """\
The registrations have no mail addresses, telephone numbers, guardians, birth dates, messages, notes or mails: the
program deletes these some days after the event, and an archive is kept for longer. Somebody who is erased later
is still in an archive that was made before."""
File = tuple[str, str, bytes]


def registrations_archived(event: Event) -> tuple[str, list[File]]:
    """Return a sentence for the README, and name, description and content of each file; nothing without registrations.

    Forms that nobody confirmed are left out: anybody can type any name. A constant number of queries.
    """
    rows = (
        Registration.objects.filter(event=event)
        .exclude(state=RegistrationState.SUBMITTED)
        .select_related("section")
    )
    found = list(
        rows.annotate(here=HERE).prefetch_related("byes", "charges").order_by("section", "name", "pk")
    )
    if not found:
        return "", []
    what = "who registered, the byes asked for, and what is owed"
    files = [*_files(event, "registrations", what, HEAD, _rows(found))]
    fees = list(_fees(found))
    if fees:
        files += _files(event, "fees", "every line of the accounts of registrations", HEAD_OF_FEES, fees)
    return ABOUT, files


def _files(
    event: Event, name: str, what: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> Iterator[File]:
    rows = list(rows)
    yield f"{name}.csv", what, csv_file(head, rows)
    yield f"{name}.html", "the same as a page", page_file(f"{event.name}: {name}")(head, rows)


def _rows(found: Iterable[Registration]) -> Iterator[Sequence[Cell]]:
    state = WishedBye.State
    for one in found:
        yield (
            *(
                one.name,
                one.sex,
                one.title,
                one.federation,
                one.fide_id,
                one.rating,
                one.rating_list,
                *(getattr(one, field.name) for field in REGISTERED),
            ),
            *(one.section.name, one.get_state_display(), _day(one.created_at)),
            *(_rounds(one, kind) for kind in (state.GRANTED, state.ASKED, state.REFUSED)),
            *(_amount(one.balance), _day(one.paid_at), "yes" if getattr(one, "here", False) else ""),
        )


def _fees(found: Iterable[Registration]) -> Iterator[Sequence[Cell]]:
    for one in found:
        for line in account_lines(one):
            what = Charge.Kind(line.kind).label
            yield (one.name, one.section.name, _day(line.at), str(what), _amount(line.cents), line.who)


def _rounds(one: Registration, state: str) -> str:
    return ", ".join(str(bye.round_number) for bye in one.byes.all() if bye.state == state)


def _day(at: datetime | None) -> str:
    return timezone.localdate(at).isoformat() if at else ""


def _amount(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return figure(f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}")


# What registrations keep about a player of an event.

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
