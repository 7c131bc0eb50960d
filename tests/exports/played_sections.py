"""Random sections, played through the actions of an arbiter: every system, and everything that a report must tell."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from evenboard_engine import Result
from pairing.by_hand import start_by_hand
from pairing.rounds import draw_initial_colour, pair_next_round, publish_round
from tests.exports.played_by_hand import pair_by_hand
from tests.factories import entry_data, section_of
from tournaments.actions.byes import request_bye
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    readmit_participant,
    withdraw_participant,
)
from tournaments.actions.forbidden_pairs import forbid_pair, keep_apart
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.actions.sections import close_section
from tournaments.actions.tie_breaks import set_tie_breaks, set_tie_values
from tournaments.errors import DomainError
from tournaments.models import Game, Participant, Round, Section

SYSTEMS = ("dubov", "dubov", "dubov", "dubov-1997", "uschess", "round-robin")
LISTS = (
    *("", "ARO,TPN", "BH/C1,BH,SB,DE,WIN", "DE,WIN,SB,KS", "OTHER_MODMED,OTHER_SOLKOFF,OTHER_CUM"),
    *("TPR,PTP,APRO,APPO", "PT/ARO,OTHER_PT/BH,TPN/R", "OTHER_PLAYOFF,RTNG/R", "FB/C1,AOB,OTHER_LOTS/7F3A"),
    *("SB/C2/P,STD,REP,OTHER_LOTS/1", "PS/C1,BPG,BWG,WON", "DE/P,KS/L-1,BH/M1,ARO/M1,OTHER_PLAYOFF"),
)
FORBIDDEN_TO_ROUND_ROBINS = ("BH", "FB", "AOB")
PLAYED = ("1-0", "0-1", "1/2")


class Arbiter:
    """Plays one section. What the program refuses is left out."""

    def __init__(self, seed: int, actor: Actor) -> None:
        self.random = random.Random(seed)
        self._of_rules = random.Random(seed)
        self._actor = actor
        self._by_hand = self.random.choice([0, 0, 0.15, 0.5])
        choose = self.random.choice
        system = choose(SYSTEMS)
        points = choose([{}, {}, {"win_points": 30, "draw_points": 10, "bye_points": choose([30, 10])}])
        self.section = section_of(
            self.random.randint(4, 12),
            rounds=choose([3, 4, 5]),
            system=system,
            initial_colour="" if system in ("round-robin", "dubov-1997") else choose(["", "w", "b"]),
            acceleration=choose(["", "", "baku"]) if system == "dubov" and not points else "",
            tie_breaks=[code for code in choose(LISTS).split(",") if code],
            unrated_left_out=choose([False, False, True]),
            schedule=[f"2026-10-{17 + day}" for day in range(5)],
            time_control="90 min + 30 s per move",
            **points,
        )
        self._rate()

    def play(self, after_each: Callable[[Section], None]) -> None:
        """Play all rounds, or until no round can be paired. after_each: called after each round, and at the end."""
        if not self.section.initial_colour:
            self.attempt(draw_initial_colour, section_id=self.section.pk)
        for number in range(self.section.rounds):
            for _ in range(self.random.randint(0, 3)):
                self._between()
            row = self._paired(number)
            if row is None:
                break
            self._enter_results(row)
            for _ in range(self.random.randint(0, 2)):
                self._correct()
            after_each(Section.objects.select_related("event").get(pk=self.section.pk))
        self.attempt(close_section, section_id=self.section.pk, early=True, reason="storm")
        for _ in range(self.random.randint(0, 2)):
            self._correct()
        after_each(Section.objects.select_related("event").get(pk=self.section.pk))

    def attempt(self, action: Callable[..., Any], **arguments: Any) -> Any:
        try:
            return action(actor=self._actor, **arguments)
        except DomainError:
            return None

    def _rate(self) -> None:
        """Give tournament ratings, some of them equal, and official ratings: the same, others, or none."""
        habit = self.random.choice(["none", "same", "other", "mixed"])
        ratings = sorted(
            (100 * self.random.randint(14, 26) + self.random.choice([0, 7, 50]) for _ in self._entries()),
            reverse=True,
        )
        for entry, rating in zip(self._entries(), ratings, strict=True):
            entry.rating = rating
            entry.official_rating = self._official(habit, rating)
            entry.save()

    def _official(self, habit: str, rating: int) -> int | None:
        other = rating + self.random.choice([-1, 1]) * self.random.randint(1, 300)
        kinds = {"none": None, "same": rating, "other": other}
        return kinds[self.random.choice(list(kinds)) if habit == "mixed" else habit]

    def _entries(self) -> list[Participant]:
        return list(self.section.participants.select_related("player").order_by("tpn"))

    def someone(self) -> int:
        return self.random.choice(self._entries()).pk

    def _between(self) -> None:
        number = self.section.played_rounds.count() + 1
        actions: list[Callable[[], Any]] = [
            *[lambda: self._ask_bye(number)] * 4,
            lambda: self.attempt(withdraw_participant, participant_id=self.someone()),
            lambda: self.attempt(withdraw_participant, participant_id=self.someone(), reason="phone"),
            lambda: self.attempt(readmit_participant, participant_id=self.someone()),
            self._add,
            self._edit,
            self._edit,
            lambda: self._forbid(number),
            self._tie_breaks,
            self._tie_values,
        ]
        self.random.choice(actions)()

    def _ask_bye(self, number: int) -> None:
        self.attempt(
            request_bye,
            participant_id=self.someone(),
            round_number=number + self.random.choice([0, 0, 1]),
            kind=self.random.choice("HHZF"),
        )

    def _add(self) -> None:
        rating = self.random.randint(1400, 2600)
        official = self._official("mixed", rating)
        entry = entry_data(f"New, {self.random.random()}", rating, official_rating=official)
        self.attempt(add_participant, section_id=self.section.pk, entry=entry, asked=True)

    def _edit(self) -> None:
        entry = self.random.choice(self._entries())
        rating = entry.rating + self.random.randint(-80, 80)
        data = entry_data(entry.player.name, rating, official_rating=self._official("mixed", rating))
        self.attempt(edit_participant, participant_id=entry.pk, entry=data, asked=True)

    def _forbid(self, number: int) -> None:
        players = (self.someone(), self.someone())
        self.attempt(
            forbid_pair, section_id=self.section.pk, players=players, first_round=number, reason="a club"
        )
        self._keep_apart(number)

    def _keep_apart(self, number: int) -> None:
        """Keep two groups apart by rules, in a field that is not too small for a round with games."""
        keys = [entry.pk for entry in self._entries()]
        if len(keys) < 7:
            return
        for strict in (True, False):
            self.attempt(
                keep_apart,
                section_id=self.section.pk,
                kind="players",
                value="a family",
                players=self._of_rules.sample(keys, self._of_rules.randint(1, 4)),
                strict=strict,
                first_round=number,
                last_round=self._of_rules.choice([None, number, number + 1]),
                reason="the rules",
            )

    def _tie_breaks(self) -> None:
        codes = [code for code in self.random.choice(LISTS).split(",") if code]
        leave_out = self.random.choice([None, True, False])
        self.attempt(
            set_tie_breaks,
            section_id=self.section.pk,
            codes=codes,
            unrated_left_out=leave_out,
            asked=True,
            reason="regulations",
        )

    def _tie_values(self) -> None:
        values = {self.someone(): self.random.choice(["1", "0.5", "-2", ""]) for _ in range(4)}
        self.attempt(set_tie_values, section_id=self.section.pk, code="OTHER_PLAYOFF", values=values)

    def _paired(self, number: int) -> Round | None:
        row = self.attempt(pair_next_round, section_id=self.section.pk, after_round=number, proceed=True)
        row = row or self._begun_by_hand(number)
        if row is None:
            return None
        chance = self.random.random()
        if chance < self._by_hand or row.manual_phase:
            pair_by_hand(self, row)
        row = self._publish(row)
        if row is not None and chance > 1 - self._by_hand / 3:
            pair_by_hand(self, row)
        return row

    def _begun_by_hand(self, number: int) -> Round | None:
        """Begin a round by hand that the rules cannot pair."""
        proposal = self.random.random() < 0.5
        about = {"after_round": number, "proposal": proposal}
        return self.attempt(start_by_hand, section_id=self.section.pk, **about)  # type: ignore[no-any-return]

    def _publish(self, row: Round) -> Round | None:
        row.refresh_from_db()
        return self.attempt(publish_round, round_id=row.pk, seen_version=row.version)  # type: ignore[no-any-return]

    def _games(self) -> list[Game]:
        return list(Game.objects.filter(round__section=self.section).order_by("round__number", "board"))

    def _enter_results(self, row: Round) -> None:
        """Write the results of a round at once, which is quicker than one by one, and end some adjourned games."""
        games = self._games()
        for game in games:
            kinds = PLAYED if self.random.random() < 0.8 else tuple(Result)
            if game.round_id == row.pk and not game.result:
                game.result = self.random.choice(kinds)
            elif game.result == Result.ADJOURNED and self.random.random() < 0.5:
                result = self.random.choice(PLAYED)
                self.attempt(record_result, game_id=game.pk, result=result, seen_version=game.version)
        Game.objects.bulk_update([game for game in games if game.round_id == row.pk], ["result"])

    def _correct(self) -> None:
        games = self._games()
        if not games:
            return
        game = self.random.choice(games)
        about = {"reason": "both players say so", "confirmed": True, "seen_version": game.version}
        result = self.random.choice(list(Result))
        if self.random.random() < 0.6:
            self.attempt(correct_for_rating, game_id=game.pk, result=result, **about)
        else:
            turned = self.random.random() < 0.3
            self.attempt(correct_result, game_id=game.pk, result=result, turned=turned, **about)
