"""Turn rows into the engine's values and back, without a query."""

from __future__ import annotations

import pytest

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Flag,
    Game,
    Pair,
    Player,
    PointSystem,
    Result,
    RoundPairing,
    Tournament,
    system_named,
)
from evenboard_engine.systems.dubov.pairing.colours import DubovColourRule
from tests.factories import ByeFactory, ForbiddenPairFactory, GameFactory, RoundFactory, section_of
from tournaments import models
from tournaments.snapshot import (
    accelerations,
    bye_rows,
    engine_answer,
    engine_tournament,
    game_rows,
    present,
)

pytestmark = pytest.mark.django_db


def snapshot(section: models.Section, round_number: int) -> Tournament:
    return engine_tournament(
        section,
        round_number=round_number,
        participants=section.participants.all(),
        rounds=section.played_rounds.all(),
        games=models.Game.objects.all(),
        byes=models.Bye.objects.all(),
        forbidden=models.ForbiddenPair.objects.all(),
    )


def test_engine_gets_settings_and_players() -> None:
    section = section_of(
        2,
        rounds=9,
        initial_colour="b",
        options={"edition": "2025", "upfloats": "paired"},
        win_points=30,
        draw_points=10,
        bye_points=20,
    )
    one, two = section.participants.all()
    assert snapshot(section, 1) == Tournament(
        rounds=9,
        round=1,
        players=(Player(one.pk, 1, 2490), Player(two.pk, 2, 2480)),
        initial_colour=Colour.BLACK,
        points=PointSystem(
            white_win=30,
            black_win=30,
            white_draw=10,
            black_draw=10,
            forfeit_win=30,
            allocated_bye=20,
            full_bye=30,
            half_bye=10,
        ),
        options={"edition": "2025", "upfloats": "paired"},
    )


@pytest.mark.parametrize(("system", "known"), [("dubov", False), ("uschess", True)])
def test_engine_gets_the_facts_that_the_system_asks_for(system: str, *, known: bool) -> None:
    section = section_of(1, system=system)
    section.participants.update(team="Delft", club="DSC", pairing_flags="keep")
    (player,) = snapshot(section, 1).players
    facts = system_named(section.system).player_facts
    assert (player.team, player.club) == (
        "Delft" if "team" in facts else "",
        "DSC" if "club" in facts else "",
    )
    assert player.flags == (frozenset({Flag.KEEP}) if Flag.KEEP in facts else frozenset())
    assert bool(facts) is known


def test_player_without_a_group_above_the_last_of_ga_counts_as_ga() -> None:
    section = section_of(5, acceleration="baku")
    for tpn, group in ((1, "A"), (3, "A"), (4, "B")):
        section.participants.filter(tpn=tpn).update(acceleration_group=group)
    section.participants.filter(tpn=5).update(tpn=None)
    ga = {row.pk for row in section.participants.filter(tpn__lte=3)}
    assert {frozenset(one.players) for one in accelerations(section, section.participants.all())} == {
        frozenset(ga)
    }


@pytest.mark.one_database
@pytest.mark.parametrize("result", list(Result))
def test_engine_gets_every_result(result: Result) -> None:
    game = GameFactory(result=result)
    value = snapshot(game.round.section, 2)
    assert value.games == (Game(1, game.white_id, game.black_id, result),)


def test_open_games_and_later_rounds_are_left_out() -> None:
    section = section_of(4)
    one, two, three, four = section.participants.all()
    first = RoundFactory(section=section)
    GameFactory(round=first, white=one, black=two)
    GameFactory(round=first, white=three, black=four, result="1-0")
    GameFactory(round=RoundFactory(section=section), white=one, black=three, result="1-0")
    assert snapshot(section, 2).games == (Game(1, three.pk, four.pk, Result.WHITE_WINS),)


def test_engine_gets_byes_up_to_the_round() -> None:
    section = section_of(1)
    (one,) = section.participants.all()
    for number, kind in enumerate(("U", "F", "H", "Z"), start=1):
        source = "allocated" if kind == "U" else "requested"
        ByeFactory(participant=one, round_number=number, kind=kind, source=source)
    assert set(snapshot(section, 3).byes) == {
        Bye(1, one.pk, ByeKind.ALLOCATED),
        Bye(2, one.pk, ByeKind.FULL),
        Bye(3, one.pk, ByeKind.HALF),
    }


def test_withdrawn_and_late_players_are_absent() -> None:
    section = section_of(5)
    one, two, three, four, five = section.participants.all()
    models.Participant.objects.filter(pk=one.pk).update(status="withdrawn")
    models.Participant.objects.filter(pk=two.pk).update(status="expelled")
    models.Participant.objects.filter(pk=three.pk).update(first_round=3)
    models.Participant.objects.filter(pk=four.pk).update(first_round=2)
    ByeFactory(participant=five, round_number=2)
    ByeFactory(participant=one, round_number=2)
    value = snapshot(section, 2)
    assert (value.absent, present(value)) == (frozenset({one.pk, two.pk, three.pk}), 1)


@pytest.mark.parametrize(("round_number", "holds"), [(1, False), (2, True), (3, True), (4, False)])
def test_forbidden_pairs_count_in_their_rounds(round_number: int, *, holds: bool) -> None:
    pair = ForbiddenPairFactory(first_round=2, last_round=3)
    value = snapshot(pair.section, round_number)
    assert value.forbidden == (frozenset({(pair.first_id, pair.second_id)}) if holds else frozenset())


def test_pairing_becomes_rows() -> None:
    section = section_of(5)
    keys = [participant.pk for participant in section.participants.all()]
    row = RoundFactory(section=section)
    pairs = (Pair(keys[2], keys[0], DubovColourRule.BOTH), Pair(keys[1], keys[3], DubovColourRule.BOTH))
    pairing = RoundPairing(round=1, pairs=pairs, bye=keys[4])
    assert [
        (g.round, g.board, g.white_id, g.black_id, g.result)
        for g in game_rows(row, pairing, snapshot(section, 1), {})
    ] == [
        (row, 1, keys[2], keys[0], ""),
        (row, 2, keys[1], keys[3], ""),
    ]
    assert [(b.participant_id, b.round_number, b.kind, b.source) for b in bye_rows(pairing)] == [
        (keys[4], 1, "U", "allocated")
    ]
    assert engine_answer(pairing) == {"pairs": [[keys[2], keys[0]], [keys[1], keys[3]]], "bye": keys[4]}
    assert bye_rows(RoundPairing(round=1, pairs=pairs, bye=None)) == []


def test_snapshot_makes_no_query(django_assert_num_queries: object) -> None:
    game = GameFactory(result="1-0")
    section = game.round.section
    given = {
        "participants": list(section.participants.all()),
        "rounds": list(section.played_rounds.all()),
        "games": list(models.Game.objects.all()),
        "byes": [ByeFactory(participant=game.white, round_number=2)],
        "forbidden": [ForbiddenPairFactory(section=section)],
    }
    with django_assert_num_queries(0):
        engine_tournament(section, round_number=2, **given)
