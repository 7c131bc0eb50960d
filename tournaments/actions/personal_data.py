"""Erase what says who a player is, and leave every number of the tournament as it is (docs/decisions/0069).

This is the only place that changes rows of the log. Their seals are made again, and a row says that a player was
erased, not who it was. Undo cannot bring the person back: nothing that it reads has the name any more.

What is kept for a time only is deleted when this time is over: the server does it every hour, and the page "What is
kept" names these times (web/views/privacy.py).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, models, transaction
from django.utils import timezone

from base.text import ERASED, one_line
from evenboard_engine import system_named
from tournaments.declarations.entries import ERASE_PLAYER
from tournaments.errors import ERASE_NOT_CONFIRMED, NOT_FOUND
from tournaments.hash_chain import seal_rows
from tournaments.hooks import also_erases
from tournaments.models import (
    ActionLog,
    DeviceLink,
    Event,
    Incident,
    Invitation,
    JoinedEntry,
    KeptUpload,
    Participant,
    PasswordLink,
    Player,
    Round,
    Section,
)
from tournaments.models.journal import BATCH
from tournaments.models.rounds import rounds_paired
from tournaments.queries.pairing_numbers import numbers_frozen, ranking_key
from tournaments.queries.personal_data import OF_ENTRY, OF_PLAYER, Traces

from .chores import ask_for_copies
from .ledger import Actor, SectionEntry, raise_revision, refuse_at_rest, transaction_or_busy, write_log
from .logins.attempts import forget_login_trials
from .logins.sessions import forget_ended_sessions
from .notices import forget_notices
from .programs import empty_answers, forget_messages, forget_tokens
from .rating_lists import forget_lists_of_events
from .stored_copies import copies_of, stored_copies, take_copy, take_from_site_copies

log_to_empty = threading.Event()
"""Set while the log of SQLite has former values of what was erased."""


def erase_player(*, actor: Actor, event: Event, player_id: int, typed: str) -> str:
    """Erase a player in all sections of the event. Return the new name.

    typed: the name that the organiser typed to confirm. Copies on this server and those in BACKUP_TO are deleted, and
    made again, as soon as all is written.
    Raises NotFound; DomainError("erase_not_confirmed"); Busy.
    """
    with transaction_or_busy():
        _erase_elsewhere(event, player_id, typed)
        locked, sections = _locked(event)
        player = Player.objects.filter(event=locked, pk=player_id).first()
        if player is None:
            raise NOT_FOUND.error(kind="player", id=player_id)
        if one_line(typed) != player.name:
            raise ERASE_NOT_CONFIRMED.error()
        done = Player.objects.filter(event=event, name__startswith=ERASED).count()
        new_name = f"{ERASED} {done + 1}"
        entries = list(player.entries.select_related("section"))
        rows = ActionLog.objects.filter(event=locked).order_by("pk")
        traces = Traces.of(player, rows, new_name=new_name, kept=_facts_for_prizes(entries))
        _Erasure(locked, sections, player, entries, traces).do(actor)
        transaction.on_commit(partial(_make_copies_again, locked.pk), robust=True)
        transaction.on_commit(empty_log_of_sqlite, robust=True)
    return new_name


def erase_removed(*, actor: Actor, event: Event, name: str, fide_id: int | None, new_name: str) -> None:
    """Erase what the logs still say about a person whose entries were all removed. Raises Busy."""
    with transaction_or_busy():
        locked, sections = _locked(event)
        rows = ActionLog.objects.filter(event=locked).order_by("pk")
        traces = Traces.of_removed(locked, rows, name=name, fide_id=fide_id, new_name=new_name)
        _Erasure(locked, sections, None, [], traces).do(actor)
        transaction.on_commit(partial(_make_copies_again, locked.pk), robust=True)
        transaction.on_commit(empty_log_of_sqlite, robust=True)


def _locked(event: Event) -> tuple[Event, list[Section]]:
    locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    refuse_at_rest(locked)
    sections = Section.objects.select_for_update(of=("self",), no_key=True).filter(event=locked)
    return locked, list(sections.select_related("event").order_by("pk"))


def _erase_elsewhere(event: Event, player_id: int, typed: str) -> None:
    player = Player.objects.filter(event=event, pk=player_id).first()
    if player is not None and one_line(typed) == player.name:
        for erase in also_erases:
            erase(event, player)


class _Erasure:
    """player: None if all entries were removed, so that only logs and sentences name the person."""

    def __init__(
        self,
        event: Event,
        sections: Sequence[Section],
        player: Player | None,
        entries: Sequence[Participant],
        traces: Traces,
    ) -> None:
        self.event, self.sections, self.player = event, sections, player
        self.entries, self.traces = entries, traces

    def do(self, actor: Actor) -> None:
        empty_answers(self.event)
        for entry in self.entries:
            _keep_order(entry)
        self._rows()
        cleaned = [owner for owner, rows in self._logs() if self._clean(owner, rows)]
        for section in self.sections:
            if section in cleaned or any(entry.section_id == section.pk for entry in self.entries):
                raise_revision(section, people=True)
                step = SectionEntry(event_id=self.event.pk, section=section, subject=self.traces.new_name)
                row = step.row(actor, ERASE_PLAYER, section=section, revision=section.revision)
                write_log(section, [row])

    def _rows(self) -> None:
        """Write the rows themselves. Not through the journal, which would note what was there."""
        if self.player is not None:
            values = self.traces.emptied("player", {name: getattr(self.player, name) for name in OF_PLAYER})
            models.QuerySet(Player).filter(pk=self.player.pk).update(
                **values, by_initials=False, search_name=""
            )
            JoinedEntry.objects.filter(player=self.player).delete()
        for entry in self.entries:
            own = {name: getattr(entry, name) for name in OF_ENTRY}
            models.QuerySet(Participant).filter(pk=entry.pk).update(**self.traces.emptied("participant", own))
        for section in self.sections:
            section.hall_message = self.traces.text(section.hall_message, written=True)
            section.report_records = [
                self.traces.text(record, same_length=True) if isinstance(record, str) else record
                for record in section.report_records
            ]
            section.apart_rules = [
                {**row, **{name: self.traces.text(row[name], written=True) for name in ("value", "reason")}}
                for row in section.apart_rules
            ]
            models.QuerySet(Section).filter(pk=section.pk).update(
                hall_message=section.hall_message,
                report_records=section.report_records,
                apart_rules=section.apart_rules,
            )
            for incident in section.incidents.exclude(note=""):
                is_own = incident.participant_id in {entry.pk for entry in self.entries}
                note = "" if is_own else self.traces.text(incident.note, written=True)
                models.QuerySet(Incident).filter(pk=incident.pk).update(note=note)
            for played in section.played_rounds.exclude(manual_reason="", kept_apart=[]):
                reason = self.traces.text(played.manual_reason, written=True)
                groups = [
                    {**row, "value": self.traces.text(row["value"], written=True)}
                    for row in played.kept_apart
                ]
                models.QuerySet(Round).filter(pk=played.pk).update(manual_reason=reason, kept_apart=groups)
            for ruled in section.participants.exclude(rulings=[]):
                rulings = [
                    {**row, "reason": self.traces.text(row["reason"], written=True)} for row in ruled.rulings
                ]
                models.QuerySet(Participant).filter(pk=ruled.pk).update(rulings=rulings)

    def _logs(self) -> Iterable[tuple[Event | Section, list[ActionLog]]]:
        yield self.event, list(self.event.log.filter(section=None).order_by("pk"))
        for section in self.sections:
            yield section, list(section.log.order_by("revision", "pk"))

    def _clean(self, owner: Event | Section, rows: list[ActionLog]) -> bool:
        """Write the rows of a log without the player, and seal it again from the first row that changes. Return whether
        there is one.
        """
        first = None
        for place, row in enumerate(rows):
            for column, value in self.traces.without(row).items():
                if getattr(row, column) != value:
                    setattr(row, column, value)
                    first = place if first is None else first
        if first is None:
            return False
        changed = rows[first:]
        owner.log_head = seal_rows(changed, rows[first - 1].seal if first else "")
        # The database refuses to change a row of the log, so the row is replaced by one with the same key.
        keys = [row.pk for row in changed]
        for start in range(0, len(keys), BATCH):
            models.QuerySet(ActionLog).filter(pk__in=keys[start : start + BATCH]).delete()
        ActionLog.objects.bulk_create(changed, batch_size=BATCH)
        owner.save(update_fields=["log_head"])
        return True


def _facts_for_prizes(entries: Iterable[Participant]) -> frozenset[str]:
    """Return the columns that must stay, because prizes or the pairing system of a section ask for them."""
    kept = set()
    for entry in entries:
        for category in entry.section.prize_plan.categories:
            asked = {
                "sex": category.sex,
                "federation": category.federations,
                "club": category.club,
                "birth_date": category.born_from or category.born_to,
            }
            kept |= {name for name, wanted in asked.items() if wanted and name != "birth_date"}
            if asked["birth_date"]:
                kept.add("birth_year")
        if "club" in system_named(entry.section.system).player_facts:
            kept.add("club")
    return frozenset(kept)


def _keep_order(entry: Participant) -> None:
    """Note the order of entries with the same rating, which names and titles decide while numbers may still change."""
    section = entry.section
    if section.fixed_rounds or numbers_frozen(rounds_paired(section), by_lot=False):
        return
    same = list(section.participants.filter(rating=entry.rating).select_related("player"))
    if len(same) == 1 or all(other.equal_order is not None for other in same):
        return
    for place, other in enumerate(sorted(same, key=ranking_key), start=1):
        models.QuerySet(Participant).filter(pk=other.pk).update(equal_order=place)


def _make_copies_again(event_id: int) -> None:
    """Delete the copies that still have the name, and make new ones. A directory that cannot be written is skipped:
    its copies are deleted by age.
    """
    event = Event.objects.get(pk=event_id)
    for section in event.sections.select_related("event"):
        paths = [copy.path for copy in stored_copies(section)]
        if paths:
            take_copy(section, "asked")
        _delete(paths)
    if settings.BACKUP_TO:
        elsewhere = Path(settings.BACKUP_TO)
        _delete(copies_of(elsewhere, event))
        take_from_site_copies(elsewhere, event.pk)
        ask_for_copies()


def _delete(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def empty_log_of_sqlite() -> None:
    """Write SQLite's log into the file of the database and empty it, because it has former values of what was erased.

    If somebody reads from the log at this moment, the server tries again (`server.chores`). PostgreSQL needs nothing
    here: its VACUUM removes former values.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout=300")  # writers wait meanwhile
        try:
            busy, _pages, _moved = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout={patience}")
    if busy:
        log_to_empty.set()
    else:
        log_to_empty.clear()


# Delete what is kept for a time only, when this time is over. The server does it every hour.
#
# The page "What is kept" names these times (web/views/privacy.py).

LINKS = timedelta(days=1)
"""Links for a new password or a new phone are deleted this long after they expire, invitations too."""
INVITATIONS = timedelta(days=30)


def forget_what_is_over(now: datetime | None = None) -> None:
    """Delete expired sessions with their addresses, old attempts to log in, links that nobody can use any more, the
    phones that wanted notices of an event, and files that nobody confirmed. Programs get no answer a second time after
    a day. Rating lists of events go some time after the event. now: what is over then.
    """
    now = now or timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    forget_ended_sessions(now)
    forget_login_trials(now)
    forget_notices(now)
    forget_tokens(now)
    forget_messages(now)
    forget_lists_of_events(now)
    for links in (PasswordLink, DeviceLink):
        links.objects.filter(expires_at__lt=now - LINKS).delete()
    Invitation.objects.filter(expires_at__lt=now - INVITATIONS).delete()
    KeptUpload.objects.filter(at__lt=now - KeptUpload.LASTS).delete()
