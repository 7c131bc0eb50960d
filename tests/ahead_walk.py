"""Random sections in which rounds are prepared while the last games are played, for the test and for bench/ahead.py."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from django.db import transaction

from evenboard_engine import ByeKind, Result
from pairing.ahead import pair_ahead, prepare, stop_ahead
from pairing.rounds import pair_next_round, publish_round, unpair_round
from tests.factories import EACH_CLUB_APART, section_of
from tournaments.actions.byes import request_bye
from tournaments.actions.corrections import correct_result
from tournaments.actions.entries import add_participant, edit_participant, withdraw_participant
from tournaments.actions.events import edit_section
from tournaments.actions.forbidden_pairs import forbid_pair
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.errors import DomainError
from tournaments.models import Game, Participant, PreparedRound, Round

ENDS = [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS] * 4 + list(Result)


class AheadWalk:
    """Play a section. counted: what happened, by name."""

    def __init__(self, seed: int, system: str, actor: Actor, players: int, rounds: int) -> None:
        self.random = random.Random(f"{system} {seed}")
        clubs = {**EACH_CLUB_APART, "strict": False} if self.random.random() < 0.5 else None
        acceleration = "baku" if self.random.random() < 0.3 else ""
        self.section = section_of(
            players,
            system=system,
            rounds=rounds,
            acceleration=acceleration if system in ("dubov", "dutch") else "",
            apart_rules=[clubs] if clubs else [],
        )
        for entry in self.section.participants.all():
            Participant.objects.filter(pk=entry.pk).update(club=self.random.choice(["", "A", "B", "C"]))
        self.actor, self.counted = actor, Counter[str]()

    def play(self) -> None:
        """Pair and play all rounds. An AssertionError says in which round the draft was another one."""
        try:
            row = self._do(pair_next_round, section_id=self.section.pk, after_round=0)
            while row.number < self.section.rounds:
                row = self._do(publish_round, round_id=row.pk, seen_version=row.version)
                self._play(row)
                row = self._next(row)
        except DomainError as error:
            self.counted[f"ended by {error.code}"] += 1

    def _do(self, action: Callable[..., Any], **arguments: Any) -> Any:
        return action(actor=self.actor, **arguments)

    def _play(self, row: Round) -> None:
        """Enter all results but a few, ask for the next round, and let the rest happen in any order."""
        games = list(row.games.order_by("?").filter(result=""))
        self.random.shuffle(games := sorted(games, key=lambda game: game.pk))
        few = self.random.randint(1, 3)
        for game in games[few:]:
            self._result(game.pk, self.random.choice(ENDS))
        forfeits = self.random.random() < 0.2
        still_open = games[:few]
        if still_open:
            self._do(
                pair_ahead, section_id=self.section.pk, after_round=row.number, forfeits=forfeits and few < 3
            )
        steps: list[Callable[[], object]] = [
            lambda key=game.pk: self._result(key, self.random.choice(ENDS)) for game in still_open
        ]
        steps.append(lambda: prepare(self.section.pk))
        if self.random.random() < 0.4:
            steps.append(self._event)
        if self.random.random() < 0.3 and still_open:
            steps.append(lambda: self._result(still_open[0].pk, ""))
        self.random.shuffle(steps)
        steps.append(lambda: prepare(self.section.pk))
        for step in steps:
            step()
            if self.section.played_rounds.filter(number=row.number + 1).exists():
                return  # what comes later is no longer about the pairing
        for game in row.games.filter(result=""):
            self._result(game.pk, self.random.choice(ENDS))

    def _result(self, key: int, result: Result | str) -> None:
        game = Game.objects.get(pk=key)
        try:
            self._do(record_result, game_id=key, result=result, seen_version=game.version)
        except DomainError as error:
            self.counted[f"refused: {error.code}"] += 1

    def _event(self) -> None:
        """Do what may change the pairing, or stops it."""
        section, number = self.section, self.section.played_rounds.count()
        keys = list(section.participants.order_by("pk").values_list("pk", flat=True))
        one, other = self.random.sample(keys, 2)
        entry = Participant.objects.select_related("player").get(pk=one)
        earlier = Game.objects.filter(round__section=section, round__number__lt=number).order_by("pk")
        events: dict[str, Callable[[], object]] = {
            "bye": lambda: self._do(
                request_bye, participant_id=one, round_number=number + 1, kind=ByeKind.HALF, proceed=True
            ),
            "withdrawn": lambda: self._do(withdraw_participant, participant_id=one),
            "added": lambda: self._do(
                add_participant, section_id=section.pk, entry=entry_of(f"Late, {one}", 2100)
            ),
            "rating": lambda: self._do(
                edit_participant, participant_id=one, entry=entry_of(entry.player.name, entry.rating + 1)
            ),
            "forbidden": lambda: self._do(
                forbid_pair,
                section_id=section.pk,
                players=(one, other),
                first_round=number + 1,
                reason="Sisters",
            ),
            "setting": lambda: self._do(edit_section, section_id=section.pk, rounds=section.rounds + 1),
            "name": lambda: self._do(edit_section, section_id=section.pk, name=f"Now {number}"),
            "corrected": lambda: self._correct(earlier.last()),
            "stopped": lambda: self._do(stop_ahead, section_id=section.pk),
        }
        name = self.random.choice(sorted(events))
        try:
            events[name]()
            self.counted[f"event: {name}"] += 1
        except DomainError as error:
            self.counted[f"refused: {error.code}"] += 1
        section.refresh_from_db()

    def _correct(self, game: Game | None) -> None:
        if game is not None:
            result = self.random.choice([Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS])
            self._do(
                correct_result,
                game_id=game.pk,
                result=result,
                reason="Slip misread",
                seen_version=game.version,
                confirmed=True,
            )

    def _next(self, last: Round) -> Round:
        """Compare the draft, or the round that the button gives, with the round without what is prepared."""
        section, number = self.section, last.number + 1
        draft = section.played_rounds.filter(number=number).first()
        found = self._paired(last) if draft is None else self._stored(number)
        self.counted["pressed" if draft is None else "by itself"] += 1
        if draft is not None:
            self._do(unpair_round, round_id=draft.pk, seen_version=draft.version)
        stored = list(section.prepared_rounds.all())
        section.prepared_rounds.all().delete()
        usual = self._paired(last)
        assert found == usual, (section.system, number, found, usual)
        PreparedRound.objects.bulk_create(stored)
        section.refresh_from_db()
        return self._do(pair_next_round, section_id=section.pk, after_round=last.number, proceed=True)

    def _paired(self, last: Round) -> object:
        """Return the round that the button gives, or the code of the refusal. The round is not kept."""
        with transaction.atomic():
            mark = transaction.savepoint()
            try:
                self._do(pair_next_round, section_id=self.section.pk, after_round=last.number, proceed=True)
                return self._stored(last.number + 1)
            except DomainError as error:
                return error.code
            finally:
                transaction.savepoint_rollback(mark)

    def _stored(self, number: int) -> object:
        row = self.section.played_rounds.get(number=number)
        games = list(row.games.order_by("board").values_list("board", "white", "black", "result"))
        byes = list(
            self.section.participants.filter(byes__round_number=number)
            .order_by("pk")
            .values_list("pk", "byes__kind")
        )
        log = self.section.log.filter(action="pair_next_round").order_by("-pk")[0].after
        return games, byes, row.kept_apart, row.engine_pairing, log["pairs"], log["bye"], log.get("left_out")


def entry_of(name: str, rating: int) -> Any:
    from tests.factories import entry_data

    return entry_data(name, rating)
