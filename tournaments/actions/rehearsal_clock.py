"""The clock of a rehearsal: it types slips and does what happens on the day, by the ordinary actions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from evenboard_engine import ByeKind
from tournaments.errors import DomainError
from tournaments.models import Bye, Incident, Participant, RehearsalClock, Round, Section
from tournaments.models.events import AT_REST
from tournaments.queries.rehearsals import COMPLAINT_AFTER, rounds_in_play, slips_due

from .byes import request_bye
from .entries import add_participant
from .incidents import note_incident
from .ledger import Actor
from .presence import check_in, missing_players
from .rehearsal_players import InventedNames, invented_field
from .results import record_result

logger = logging.getLogger(__name__)
ABSENT = 2
"""Players of a section who are absent in each round."""
CUT_SECONDS = 40
COME_AT_ONCE = 20
"""Players who come in at the check-in at once."""
LATE_IN, APPEAL_IN = 1, 2
"""The rounds with the late entry and the appeal. The late player plays from the next round on."""


def rehearsals_run() -> bool:
    return _running().exists()


def _running() -> QuerySet[RehearsalClock]:
    return RehearsalClock.objects.filter(speed__gt=0).exclude(event__state__in=AT_REST)


def tick(now: datetime | None = None) -> None:
    """Do what is due in all rehearsals whose clock runs."""
    for clock in _running().select_related("event").order_by("pk"):
        _Tick(clock, now or timezone.now()).do()


class _Tick:
    """What is due at one moment. What an arbiter has done meanwhile makes an action fail; it is not tried again."""

    def __init__(self, clock: RehearsalClock, now: datetime) -> None:
        self.clock, self.now, self.minutes = clock, now, clock.minutes(now)
        self.played, self.actor = clock.played, Actor.rehearsal()
        self.parts: tuple[tuple[str, float, Callable[[Section, Round], None]], ...] = (
            (RehearsalClock.Part.LATE, 40, self._late_entry),
            (RehearsalClock.Part.ABSENT, 60, self._absences),
            (RehearsalClock.Part.NETWORK, 70, self._cut),
            (RehearsalClock.Part.APPEAL, 100, self._appeal),
        )

    def do(self) -> None:
        before = repr(self.played)
        for section in self.clock.event.sections.filter(taken_away=False, status=Section.Status.OPEN):
            if RehearsalClock.Part.ABSENT in self.clock.parts and section.check_in_round:
                self._come_in(section, section.check_in_round)
        for key, (_result, since) in self.played["wrong"].items():
            if self.minutes - since >= COMPLAINT_AFTER:
                self._lay(key)
        for section, row in rounds_in_play(self.clock.event):
            began = self.played["rounds"].setdefault(str(row.pk), self.minutes)
            self._take_slips(section, row, self.minutes - began)
            for part, minute, act in self.parts:
                one = (
                    row.number if part == RehearsalClock.Part.NETWORK else row.pk
                )  # one network for all sections
                key = f"{part} {one}"
                if (
                    part in self.clock.parts
                    and self.minutes - began >= minute
                    and key not in self.played["done"]
                ):
                    self.played["done"].append(key)
                    self._try(act, section, row)
        if repr(self.played) != before:
            RehearsalClock.objects.filter(pk=self.clock.pk).update(played=self.played)

    def _take_slips(self, section: Section, row: Round, minute: float) -> None:
        """Type the slips that have come until this minute of the round, or lay them on the table."""
        still_open = dict(row.games.filter(result="").values_list("pk", "version"))
        for slip in slips_due(self.clock, section, row, minute):
            if slip.game not in still_open:
                continue
            if not slip.typed:
                self._lay(str(slip.game))
                continue
            if slip.typed != slip.result:
                self.played["wrong"][str(slip.game)] = [slip.result.value, self.minutes]
            about = {"game_id": slip.game, "result": slip.typed, "seen_version": still_open[slip.game]}
            self._try(record_result, actor=self.actor, **about)

    def _lay(self, game: str) -> None:
        """Note when a slip, or a wrong result, began to wait for an arbiter."""
        self.played["laid"].setdefault(game, self.now.isoformat())

    def _try(self, action: Callable[..., object], *about: object, **values: object) -> None:
        try:
            action(*about, **values)
        except (DomainError, ObjectDoesNotExist) as error:
            logger.info("rehearsal %s: %s", self.clock.event_id, error)

    def _dice(self, section: Section, number: int, what: str) -> Random:
        return Random(f"{self.clock.seed} {section.slug} {number} {what}")  # noqa: S311

    def _come_in(self, section: Section, number: int) -> None:
        """Some players come to the check-in, and two never do."""
        missing = missing_players(section, number)
        self._dice(section, number, "check-in").shuffle(missing)
        for player in missing[ABSENT : ABSENT + COME_AT_ONCE]:
            self._try(check_in, actor=self.actor, participant_id=player.pk, round_number=number)

    def _absences(self, section: Section, row: Round) -> None:
        """Players say that they cannot play the next round. With a check-in, those who do not come are absent."""
        active = section.participants.filter(status=Participant.Status.ACTIVE)
        free = list(active.exclude(byes__round_number=row.number + 1).order_by("tpn"))
        if section.fixed_rounds or row.number >= section.rounds or len(free) <= 2 * ABSENT:
            return
        for player in self._dice(section, row.number, "absent").sample(free, ABSENT):
            request_bye(
                actor=self.actor,
                participant_id=player.pk,
                round_number=row.number + 1,
                kind=ByeKind.ZERO,
                source=Bye.Source.ABSENT,
                proceed=True,
            )

    def _late_entry(self, section: Section, row: Round) -> None:
        if row.number != LATE_IN or section.fixed_rounds:
            return
        dice = self._dice(section, row.number, "late")
        names = InventedNames(dice.randrange(1_000_000), 1)
        [entry] = invented_field(1, names, dice)
        add_participant(
            actor=self.actor, section_id=section.pk, entry=entry, proceed=True, asked=True, both=True
        )

    def _appeal(self, section: Section, row: Round) -> None:
        """A player asks the arbiter to decide. The note says so, and an arbiter answers by changing the note."""
        game = row.games.exclude(result="").order_by("board").first()
        if game is None or row.number not in (APPEAL_IN, section.rounds):
            return
        incident = note_incident(
            actor=self.actor,
            section_id=section.pk,
            participant_id=self._dice(section, row.number, "appeal").choice([game.white_id, game.black_id]),
            round_number=row.number,
            kind=Incident.Kind.CLAIM,
            note=_("Appeal against the result: threefold repetition. Decide, and write the decision here."),
        )
        self.played["appeals"][str(incident.pk)] = incident.note

    def _cut(self, _section: Section, _row: Round) -> None:
        """For some seconds, nothing that people save arrives. The seconds are those of the wall: people must notice."""
        until = self.now + timedelta(seconds=CUT_SECONDS)
        RehearsalClock.objects.filter(pk=self.clock.pk).update(cut_until=until)
        self.played["cuts"].append([self.now.isoformat(), CUT_SECONDS])
