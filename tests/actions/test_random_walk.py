"""Random actions in random order: each is done or refused, and the section stays consistent."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from evenboard_engine import ByeKind, Result, histories
from pairing.rounds import draw_initial_colour, pair_next_round, publish_round, unpair_round, unpublish_round
from tests.factories import entry_data, section_of
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    readmit_participant,
    remove_participant,
    remove_participants,
    withdraw_participant,
)
from tournaments.actions.events import close_section, edit_section, reopen_section
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.errors import REFUSALS, DomainError
from tournaments.models import Bye, Game, Participant, Section
from tournaments.snapshot import engine_tournament

pytestmark = pytest.mark.django_db


class Walk:
    """Random steps of an arbiter, mostly in the usual order, but often out of order."""

    def __init__(self, seed: int, section: Section, actor: Actor) -> None:
        self.random = random.Random(seed)
        self.section = section
        self.done: dict[str, int] = {}
        self.refused: dict[str, int] = {}
        self._actor = actor

    def step(self) -> None:
        name = self.random.choice(
            ["results"] * 8 + ["pair", "publish"] * 4 + ["unpublish", "unpair", "add", "edit", "withdraw"]
            + ["readmit", "remove", "bye", "bye", "cancel", "close", "settings"] + ["reopen"] * 4 + ["colour", "stray"]
        )  # fmt: skip
        try:
            getattr(self, f"_{name}")()
        except DomainError as error:
            self.refused[error.code] = self.refused.get(error.code, 0) + 1
        else:
            self.done[name] = self.done.get(name, 0) + 1

    def _call(self, action: Callable[..., Any], **arguments: Any) -> None:
        action(actor=self._actor, **arguments)

    def _last(self) -> Any:
        last = self.section.played_rounds.order_by("-number").first()
        if last is None:
            raise REFUSALS["nothing_to_close"].error()
        return last

    def _someone(self) -> int:
        return self.random.choice(list(self.section.participants.order_by("pk").values_list("pk", flat=True)))

    def _games(self) -> list[Game]:
        return list(Game.objects.filter(round__section=self.section))

    def _results(self) -> None:
        for game in self._last().games.filter(result="")[:8]:
            result = self.random.choice(list(Result))
            self._call(record_result, game_id=game.pk, result=result, seen_version=game.version)

    def _stray(self) -> None:
        game = self.random.choice([None, *self._games()])
        if game is not None:
            result = self.random.choice(["", *Result])
            version = game.version + self.random.choice([0, 0, 1])
            self._call(record_result, game_id=game.pk, result=result, seen_version=version)

    def _pair(self) -> None:
        seen = self.section.played_rounds.count() - self.random.choice([0, 0, 0, 1])
        self._call(pair_next_round, section_id=self.section.pk, after_round=seen, proceed=True)

    def _publish(self) -> None:
        self._call(publish_round, round_id=self._last().pk, seen_version=self._last().version)

    def _unpublish(self) -> None:
        self._call(unpublish_round, round_id=self._last().pk, seen_version=self._last().version)

    def _unpair(self) -> None:
        self._call(unpair_round, round_id=self._last().pk, seen_version=self._last().version)

    def _add(self) -> None:
        entry = entry_data(f"New, {self.random.random()}", self.random.randint(1200, 2600))
        self._call(add_participant, section_id=self.section.pk, entry=entry)

    def _edit(self) -> None:
        participant = Participant.objects.select_related("player").get(pk=self._someone())
        entry = entry_data(participant.player.name, self.random.randint(1200, 2600))
        self._call(edit_participant, participant_id=participant.pk, entry=entry)

    def _withdraw(self) -> None:
        self._call(withdraw_participant, participant_id=self._someone())

    def _readmit(self) -> None:
        self._call(readmit_participant, participant_id=self._someone())

    def _remove(self) -> None:
        one = self._someone()
        if one % 2:
            self._call(remove_participant, participant_id=one)
        else:
            self._call(remove_participants, section_id=self.section.pk, participant_ids=[one])

    def _bye(self) -> None:
        number, kind = self.random.randint(0, 10), self.random.choice(list(ByeKind))
        self._call(request_bye, participant_id=self._someone(), round_number=number, kind=kind)

    def _cancel(self) -> None:
        bye = self.random.choice([None, *Bye.objects.filter(participant__section=self.section)])
        self._call(cancel_bye, bye_id=bye.pk if bye else 0)

    def _close(self) -> None:
        early = self.random.random() < 0.2
        self._call(close_section, section_id=self.section.pk, early=early, reason="storm")

    def _reopen(self) -> None:
        self._call(reopen_section, section_id=self.section.pk, reason="a slip was misread")

    def _settings(self) -> None:
        rounds = self.random.randint(5, 9)
        self._call(edit_section, section_id=self.section.pk, rounds=rounds, name=f"Now {rounds}")

    def _colour(self) -> None:
        self._call(draw_initial_colour, section_id=self.section.pk)


def assert_sound(section: Section) -> None:
    section.refresh_from_db()
    revisions = list(section.log.order_by("pk").values_list("revision", flat=True))
    assert revisions == list(range(1, section.revision + 1))
    numbers = list(section.participants.order_by("tpn").values_list("tpn", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    rounds = list(section.played_rounds.order_by("number"))
    assert [row.number for row in rounds] == list(range(1, len(rounds) + 1))
    assert all(row.is_finished for row in rounds[:-1])
    assert all(row.is_finished == section.is_closed for row in rounds[-1:])
    assert not Game.objects.filter(result="", round__section=section, round__state="finished").exists()
    histories(
        engine_tournament(
            section,
            round_number=len(rounds) + 1,
            participants=section.participants.all(),
            rounds=rounds,
            games=Game.objects.filter(round__section=section),
            byes=Bye.objects.filter(participant__section=section),
            forbidden=section.forbidden_pairs.all(),
        )
    )


def seeds(count: int) -> list[Any]:
    """Return the seeds of walks. The first one runs on both databases: a walk does most actions."""
    return [0, *(pytest.param(seed, marks=pytest.mark.one_database) for seed in range(1, count))]


@pytest.mark.parametrize("seed", seeds(3))
def test_random_walk_keeps_a_section_consistent(actor: Actor, seed: int) -> None:
    walk = Walk(seed, section_of(11, initial_colour=""), actor)
    for _ in range(150):
        walk.step()
        assert_sound(walk.section)
    assert walk.done["pair"] >= 3, (walk.done, walk.refused)
    assert not {"busy", "pairing_failed", "invalid_values"} & set(walk.refused)
