"""A random walk over what arbiters do beside results and rounds: presence, forbidden pairs, corrections, by hand."""

from __future__ import annotations

from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.engine import Result
from pairing.seats import Move, Step
from tests.actions.test_random_walk import Walk
from tournaments.actions.absences import settle_absences
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.entries import allow_half_byes, withdraw_participant
from tournaments.actions.events import edit_tournament
from tournaments.actions.forbidden_pairs import allow_pair, forbid_pair
from tournaments.actions.hall import set_hall_message
from tournaments.actions.presence import check_in, close_check_in, open_check_in
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.schedule import set_round_starts
from tournaments.errors import DomainError
from tournaments.models import ForbiddenPair, Game, RoundStart


class WideWalk(Walk):
    """Two thirds of the steps of a `Walk`, and between them all others."""

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
        return self.tournament.played_rounds.count() + 1

    def _game(self) -> Game:
        games = list(Game.objects.all())
        if not games:
            raise DomainError("nothing_to_close")
        return self.random.choice(games)

    def _open_by_hand(self) -> None:
        row = self._last()
        self._call(begin_manual_phase, round_id=row.pk, seen_version=row.version, public=True)

    def _move(self) -> None:
        row, move = self._last(), self.random.choice(list(Move))
        step = Step(move, self._someone(), self._someone())
        self._call(change_by_hand, round_id=row.pk, seen_version=row.version, step=step, confirmed=True)

    def _end_by_hand(self) -> None:
        row = self._last()
        self._call(
            end_manual_phase, round_id=row.pk, seen_version=row.version, reason="asked for", confirmed=True
        )

    def _open(self) -> None:
        self._call(open_check_in, tournament_id=self.tournament.pk, after_round=self._next() - 1)

    def _shut(self) -> None:
        self._call(close_check_in, tournament_id=self.tournament.pk)

    def _check_in(self) -> None:
        self._call(check_in, participant_id=self._someone(), round_number=self._next())

    def _settle(self) -> None:
        choices = {self._someone(): self.random.choice(["Z", "H", "withdraw"])}
        self._call(
            settle_absences,
            tournament_id=self.tournament.pk,
            round_number=self._next(),
            choices=choices,
            proceed=True,
        )

    def _forbid(self) -> None:
        players = (self._someone(), self._someone())
        self._call(
            forbid_pair,
            tournament_id=self.tournament.pk,
            players=players,
            first_round=self._next(),
            reason="one club",
        )

    def _allow(self) -> None:
        pair = self.random.choice([None, *ForbiddenPair.objects.all()])
        self._call(allow_pair, pair_id=pair.pk if pair else 0)

    def _days(self) -> None:
        number = self.random.randint(1, 3)
        start = RoundStart.read(f"2026-10-{16 + number}")
        self._call(set_round_starts, tournament_id=self.tournament.pk, starts={number: start})

    def _limits(self) -> None:
        limit = self.random.choice([None, 1, 2])
        self._call(edit_tournament, tournament_id=self.tournament.pk, half_bye_limit=limit)

    def _half(self) -> None:
        self._call(allow_half_byes, participant_id=self._someone(), allowed=self.random.random() < 0.5)

    def _message(self) -> None:
        message = self.random.choice(["", "Phones off"])
        self._call(set_hall_message, tournament_id=self.tournament.pk, message=message)

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

    def _expel(self) -> None:
        self._call(withdraw_participant, participant_id=self._someone(), reason="left")
