"""A random walk over the rarer actions of arbiters: check-in, forbidden pairs, corrections, pairing by hand."""

from __future__ import annotations

import random
from dataclasses import replace

from evenboard_engine import Result
from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from tests.actions.test_random_walk import Walk
from tests.factories import entry_data, section_of
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.entries import (
    add_participant,
    allow_half_byes,
    edit_participant,
    import_entries,
    withdraw_participant,
)
from tournaments.actions.events import edit_event, edit_section
from tournaments.actions.forbidden_pairs import allow_pair, forbid_pair
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor, LogEntry
from tournaments.actions.moved_entries import move_participant
from tournaments.actions.presence import check_in, close_check_in, open_check_in, settle_absences
from tournaments.actions.prizes import set_prizes
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.roster import Roster
from tournaments.actions.rounds import set_round_starts
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import REFUSALS, DomainError
from tournaments.models import Game, Participant, RoundStart, Section
from tournaments.models.prizes import PrizeCategory, PrizePlan
from tournaments.seating import SeatingStep, SeatMove


class WideWalk(Walk):
    """Two thirds of the steps are those of a `Walk`; the others are rarer actions."""

    OTHERS = (
        *["open_by_hand", "move", "move", "move", "end_by_hand", "end_by_hand"],
        *["check_in", "check_in", "open", "shut", "settle"],
        *[
            "forbid",
            "allow",
            "days",
            "limits",
            "half",
            "message",
            "confirm",
            "over",
            "correct",
            "rating",
            "expel",
            "prizes",
        ],
    )

    def step(self) -> None:
        if self.random.random() < 0.65:
            super().step()
            return
        name = self.random.choice(self.OTHERS)
        try:
            getattr(self, f"_{name}")()
        except DomainError as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
        else:
            self.done[name] = self.done.get(name, 0) + 1

    def _next(self) -> int:
        return self.section.played_rounds.count() + 1

    def _game(self) -> Game:
        games = self._games()
        if not games:
            raise REFUSALS["nothing_to_close"].error()
        return self.random.choice(games)

    def _open_by_hand(self) -> None:
        row = self._last()
        self._call(begin_manual_phase, round_id=row.pk, seen_version=row.version, public=True)

    def _move(self) -> None:
        row, move = self._last(), self.random.choice(list(SeatMove))
        step = SeatingStep(move, self._someone(), self._someone())
        self._call(change_by_hand, round_id=row.pk, seen_version=row.version, step=step, confirmed=True)

    def _end_by_hand(self) -> None:
        row = self._last()
        self._call(
            end_manual_phase, round_id=row.pk, seen_version=row.version, reason="asked for", confirmed=True
        )

    def _open(self) -> None:
        self._call(open_check_in, section_id=self.section.pk, after_round=self._next() - 1)

    def _shut(self) -> None:
        self._call(close_check_in, section_id=self.section.pk)

    def _check_in(self) -> None:
        self._call(check_in, participant_id=self._someone(), round_number=self._next())

    def _settle(self) -> None:
        choices = {self._someone(): self.random.choice(["Z", "H", "withdraw"])}
        self._call(
            settle_absences,
            section_id=self.section.pk,
            round_number=self._next(),
            choices=choices,
            proceed=True,
        )

    def _forbid(self) -> None:
        players = (self._someone(), self._someone())
        self._call(
            forbid_pair,
            section_id=self.section.pk,
            players=players,
            first_round=self._next(),
            reason="one club",
        )

    def _allow(self) -> None:
        pair = self.random.choice([None, *self.section.forbidden_pairs.all()])
        self._call(allow_pair, pair_id=pair.pk if pair else 0)

    def _days(self) -> None:
        number = self.random.randint(1, 3)
        start = RoundStart.read(f"2026-10-{16 + number}")
        self._call(set_round_starts, section_id=self.section.pk, starts={number: start})

    def _limits(self) -> None:
        limit = self.random.choice([None, 1, 2])
        self._call(edit_section, section_id=self.section.pk, half_bye_limit=limit)

    def _half(self) -> None:
        self._call(allow_half_byes, participant_id=self._someone(), allowed=self.random.random() < 0.5)

    def _message(self) -> None:
        message = self.random.choice(["", "Phones off"])
        self._call(set_hall_message, section_id=self.section.pk, message=message)

    def _confirm(self) -> None:
        game = self._game()
        result = self.random.choice([game.result or "1-0", "", *Result])
        self._call(confirm_result, game_id=game.pk, result=result, seen_version=game.version)

    def _over(self) -> None:
        self._call(mark_over, game_id=self._game().pk, over=True, seen_version=0)

    def _correct(self) -> None:
        game = self._game()
        self._call(
            correct_result,
            game_id=game.pk,
            result=self.random.choice(list(Result)),
            seen_version=game.version,
            turned=self.random.random() < 0.3,
            reason="both players say so",
            confirmed=True,
        )

    def _rating(self) -> None:
        game = self._game()
        self._call(
            correct_for_rating,
            game_id=game.pk,
            result=self.random.choice(list(Result)),
            seen_version=game.version,
            reason="for rating only",
            confirmed=True,
        )

    def _prizes(self) -> None:
        prizes = self.random.choice([(), (50000,), (30000, 20000), (20000, 30000)])
        categories = tuple(PrizeCategory(name, prizes) for name in self.random.sample(["All", "Women"], 1))
        plan = PrizePlan(categories=categories if prizes else ())
        self._call(set_prizes, section_id=self.section.pk, plan=plan)

    def _expel(self) -> None:
        self._call(withdraw_participant, participant_id=self._someone(), reason="left")


class SharingWalk(WideWalk):
    """A walk in one of two sections; some players are also in the other section."""

    OTHERS = (*WideWalk.OTHERS, *["add"] * 4, "import", "away", "away")

    def step(self) -> None:
        """Do a step. One in five changes the data of a person, perhaps in both sections."""
        if self.random.random() < 0.2:
            try:
                self._identity()
            except DomainError as error:
                self.refused[error.code] = self.refused.get(error.code, 0) + 1
        else:
            super().step()

    def _person(self) -> EntryData:
        number = self.random.randint(1, 12)
        title = self.random.choice(["", "", "FM", "GM"])
        name = f"{self.random.choice('ABC')}shared, Player {number}"
        return entry_data(name, self.random.choice([2000, 2100, 2200]), title=title, fide_id=number)

    def _add(self) -> None:
        self._call(add_participant, section_id=self.section.pk, entry=self._person())

    def _away(self) -> None:
        other = self.section.event.sections.exclude(pk=self.section.pk).get()
        self._call(
            move_participant, participant_id=self._someone(), section_id=other.pk, asked=True, both=True
        )

    def _identity(self) -> None:
        """Change a name or a title, or try another person's FIDE ID; the rating does not change."""
        entry = self.section.participants.select_related("player").get(pk=self._someone())
        person = replace(self._person(), rating=entry.rating, fide_id=entry.player.fide_id)
        if self.random.random() < 0.2:
            person = replace(person, fide_id=self.random.choice([None, self.random.randint(1, 12)]))
        self._call(edit_participant, participant_id=entry.pk, entry=person, asked=True)

    def _import(self) -> None:
        rows = [ImportRow(entry=self._person()) for _ in range(3)]
        self._call(import_entries, section_id=self.section.pk, rows=rows)


class TwoSections:
    """Two sections of one event that share some people. Each step is in one of them."""

    def __init__(self, seed: int, actor: Actor, *, rating: int = 2000) -> None:
        self.random = random.Random(seed)
        one = section_of(7)
        self.event = one.event
        other = section_of(7, event=self.event)
        for entry, twin in zip(list(one.participants.all()[:4]), other.participants.all(), strict=False):
            other.participants.filter(pk=twin.pk).update(player=entry.player)
        Participant.objects.update(rating=rating)  # so that titles and names make the numbers
        self.walks = [SharingWalk(seed, one, actor), SharingWalk(seed + 1, other, actor)]
        for walk in self.walks:
            Roster.load(walk.section).renumber(LogEntry(event_id=self.event.pk))
        self._actor = actor

    @property
    def sections(self) -> list[Section]:
        return [Section.objects.get(pk=walk.section.pk) for walk in self.walks]

    def step(self) -> None:
        if self.random.random() < 0.03:
            city = self.random.choice(["Rijswijk", "Delft", "Leiden"])
            edit_event(actor=self._actor, event=self.event, city=city)
            return
        walk = self.random.choice(self.walks)
        walk.step()
        walk.section.refresh_from_db()
