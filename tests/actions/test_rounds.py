"""Pairing with the real engine, publishing, unpublishing, unpairing."""

from __future__ import annotations

import logging

import pytest

from evenboard_engine import Colour, InternalError, Result
from pairing import rounds
from pairing.rounds import (
    check_round,
    draw_initial_colour,
    pair_next_round,
    publish_round,
    unpair_round,
    unpublish_round,
)
from tests.actions.refusals import one_step, refused
from tests.factories import (
    ByeFactory,
    ForbiddenPairFactory,
    GameFactory,
    ParticipantFactory,
    RoundFactory,
    section_of,
)
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Bye, Game, Participant, Round, Section

pytestmark = pytest.mark.django_db


def boards(row: Round) -> list[tuple[int | None, int | None]]:
    """Numbers of White and Black, board by board."""
    return list(row.games.order_by("board").values_list("white__tpn", "black__tpn"))


def pair(actor: Actor, section: Section) -> Round:
    return pair_next_round(actor=actor, section_id=section.pk, after_round=section.played_rounds.count())


def play(actor: Actor, section: Section, result: Result = Result.WHITE_WINS) -> Round:
    """Pair and publish a round, and enter all its results."""
    row = pair(actor, section)
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    for game in row.games.all():
        record_result(actor=actor, game_id=game.pk, result=result, seen_version=0)
    return row


def test_round_1_is_a_draft_with_all_players(actor: Actor) -> None:
    section = section_of(5)
    with one_step(section, "pair_next_round") as logged:
        row = pair(actor, section)
    row.refresh_from_db()
    assert (row.number, row.state, row.version) == (1, "draft", 0)
    assert [g.board for g in row.games.order_by("board")] == [1, 2]
    bye = Bye.objects.get()
    assert (bye.participant.tpn, bye.round_number, bye.kind, bye.source) == (5, 1, "U", "allocated")
    placed = {number for board in boards(row) for number in board} | {bye.participant.tpn}
    assert placed == {1, 2, 3, 4, 5}
    assert logged[0].round_number == 1
    assert logged[0].after == {"pairs": [list(board) for board in boards(row)], "bye": 5}
    keys = {p.tpn: p.pk for p in section.participants.all()}
    assert row.engine_pairing == {
        "pairs": [[keys[white], keys[black]] for white, black in boards(row)],
        "bye": keys[5],
    }


def test_next_round_finishes_the_last(actor: Actor) -> None:
    section = section_of(6)
    first = play(actor, section)
    second = pair(actor, section)
    first.refresh_from_db()
    assert (first.state, first.finished_at is None, second.number) == ("finished", False, 2)
    pairs = {frozenset(board) for board in boards(first)} | {frozenset(board) for board in boards(second)}
    assert len(pairs) == 6


def test_whole_section_is_played(actor: Actor) -> None:
    section = section_of(9, rounds=5)
    for _ in range(5):
        play(actor, section, Result.DRAW)
    assert list(section.played_rounds.values_list("state", flat=True)) == ["finished"] * 4 + ["published"]
    with refused("all_rounds_paired", rounds=5):
        pair(actor, section)
    section.refresh_from_db()
    assert section.revision == section.log.count() == 5 * (1 + 1 + 4)


@pytest.mark.parametrize("after_round", [-1, 1, 2, 10**30])
def test_stale_page_does_not_pair(actor: Actor, after_round: int) -> None:
    section = section_of(4)
    with refused("stale_round", after_round=after_round, last_round=0):
        pair_next_round(actor=actor, section_id=section.pk, after_round=after_round)


def test_second_click_does_not_pair_again(actor: Actor) -> None:
    section = section_of(4)
    pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    with refused("stale_round", after_round=0, last_round=1):
        pair_next_round(actor=actor, section_id=section.pk, after_round=0)


def test_draft_stops_the_next_pairing(actor: Actor) -> None:
    section = section_of(4)
    pair(actor, section)
    with refused("round_is_draft", round=1):
        pair(actor, section)


def test_missing_results_are_named(actor: Actor) -> None:
    section = section_of(6)
    row = pair(actor, section)
    publish_round(actor=actor, round_id=row.pk, seen_version=0)
    record_result(actor=actor, game_id=row.games.get(board=2).pk, result="1-0", seen_version=0)
    with refused("results_missing", round=1, boards=[1, 3]):
        pair(actor, section)


def test_adjourned_game_counts_as_a_draw(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section, Result.ADJOURNED)
    assert pair(actor, section).number == 2


def test_initial_colour_is_needed(actor: Actor) -> None:
    section = section_of(4, initial_colour="")
    with refused("no_initial_colour"):
        pair(actor, section)


@pytest.mark.parametrize("players", [0, 1])
def test_two_players_are_needed(actor: Actor, players: int) -> None:
    section = section_of(players)
    with refused("too_few_players", present=players):
        pair(actor, section)


def test_closed_section_is_not_paired(actor: Actor) -> None:
    section = section_of(4, status=Section.Status.CLOSED)
    with refused("section_closed"):
        pair(actor, section)


def test_absent_players_are_not_paired(actor: Actor) -> None:
    section = section_of(8)
    one, two, three, four, *_ = section.participants.all()
    Participant.objects.filter(pk=one.pk).update(status=Participant.Status.WITHDRAWN)
    Participant.objects.filter(pk=two.pk).update(status=Participant.Status.EXPELLED)
    Participant.objects.filter(pk=three.pk).update(first_round=2)
    ByeFactory(participant=four, round_number=1)
    row = pair(actor, section)
    assert {number for board in boards(row) for number in board} == {5, 6, 7, 8}
    publish_round(actor=actor, round_id=row.pk, seen_version=0)
    for game in row.games.all():
        record_result(actor=actor, game_id=game.pk, result="1/2", seen_version=0)
    assert {n for board in boards(pair(actor, section)) for n in board} == {3, 4, 5, 6, 7, 8}


def test_forbidden_pair_counts_only_in_its_rounds(actor: Actor) -> None:
    section = section_of(4)
    one, _, three, _ = section.participants.all()
    forbidden = ForbiddenPairFactory(section=section, first=one, second=three, last_round=1)
    assert {frozenset(board) for board in boards(pair(actor, section))} == {
        frozenset({1, 4}),
        frozenset({2, 3}),
    }
    unpair_round(actor=actor, round_id=section.played_rounds.get().pk, seen_version=0)
    type(forbidden).objects.update(first_round=2, last_round=None)
    assert {frozenset(board) for board in boards(pair(actor, section))} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }


def test_no_legal_pairing_names_the_players_and_writes_nothing(actor: Actor) -> None:
    section = section_of(2)
    play(actor, section)
    names = list(section.participants.order_by("tpn").values_list("player__name", flat=True))
    both = [[1, names[0]], [2, names[1]]]
    with refused("no_legal_pairing", reason="no_pairing", players=both, relaxations=[["C1", both]]):
        pair(actor, section)


def test_no_player_for_the_bye_is_a_refusal(actor: Actor) -> None:
    section = section_of(3)
    RoundFactory(section=section)
    for participant in section.participants.all():
        ByeFactory(participant=participant, round_number=1, kind="F")
    last = [3, section.participants.get(tpn=3).player.name]
    with refused("no_legal_pairing", reason="no_bye", relaxations=[["C2", [last]]]):
        pair(actor, section)


def test_failure_of_the_engine_is_a_refusal_and_is_logged(
    actor: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_value: object) -> None:
        raise InternalError("met_before", white=1, black=2)

    monkeypatch.setattr(rounds, "pair_round", fail)
    section = section_of(4)
    with caplog.at_level(logging.ERROR), refused("pairing_failed", reason="met_before(black=2, white=1)"):
        pair(actor, section)
    assert [record.name for record in caplog.records] == ["pairing.rounds"]


def test_draft_is_checked_with_the_players_and_byes_of_now(actor: Actor) -> None:
    section = section_of(6)
    requested = ByeFactory(participant=section.participants.get(tpn=3), kind="H")
    row = pair(actor, section)
    with one_step(section, "check_round") as logged:
        compared = check_round(actor=actor, round_id=row.pk, seen_version=0)
    assert compared == {"version": 0, "same": True, "boards": [], "bye": True}
    assert (logged[0].after, logged[0].round_number) == (compared, 1)
    requested.delete()
    compared = check_round(actor=actor, round_id=row.pk, seen_version=0)
    assert compared == {"version": 0, "same": False, "boards": [], "bye": False}


def test_publishing_shows_the_round(actor: Actor) -> None:
    section = section_of(4)
    row = pair(actor, section)
    with one_step(section, "publish_round") as logged:
        publish_round(actor=actor, round_id=row.pk, seen_version=0)
    row.refresh_from_db()
    assert (row.state, row.version, row.published_at is None) == ("published", 1, False)
    assert (logged[0].before, logged[0].after, logged[0].round_number) == (
        {"state": "draft"},
        {"state": "published"},
        1,
    )
    with refused("stale_version", round=1, version=1):
        publish_round(actor=actor, round_id=row.pk, seen_version=0)
    with refused("round_not_draft", round=1):
        publish_round(actor=actor, round_id=row.pk, seen_version=1)


def test_unpublishing_hides_it_again(actor: Actor) -> None:
    section = section_of(4)
    row = pair(actor, section)
    publish_round(actor=actor, round_id=row.pk, seen_version=0)
    with refused("stale_version"):
        unpublish_round(actor=actor, round_id=row.pk, seen_version=0)
    with one_step(section, "unpublish_round"):
        unpublish_round(actor=actor, round_id=row.pk, seen_version=1)
    row.refresh_from_db()
    assert (row.state, row.version, row.published_at) == ("draft", 2, None)
    with refused("round_is_draft"):
        unpublish_round(actor=actor, round_id=row.pk, seen_version=2)


def test_round_with_results_stays_public(actor: Actor) -> None:
    section = section_of(6)
    row = pair(actor, section)
    row = publish_round(actor=actor, round_id=row.pk, seen_version=0)
    record_result(actor=actor, game_id=row.games.get(board=2).pk, result="1-0", seen_version=0)
    with refused("round_has_results", round=1, boards=[2]):
        unpublish_round(actor=actor, round_id=row.pk, seen_version=1)


def test_finished_round_stays_public(actor: Actor) -> None:
    row = GameFactory(round__state=Round.State.FINISHED).round
    with refused("round_finished", round=1):
        unpublish_round(actor=actor, round_id=row.pk, seen_version=0)


def test_unpairing_removes_everything_of_the_round(actor: Actor) -> None:
    section = section_of(5)
    first = play(actor, section)
    absent = section.participants.get(tpn=3)
    ByeFactory(participant=absent, round_number=2)
    ByeFactory(participant=section.participants.get(tpn=2), round_number=3)
    second = pair(actor, section)
    pairs = [list(board) for board in boards(second)]
    games, byes = (
        set(Game.objects.filter(round=first)),
        set(Bye.objects.exclude(source="allocated", round_number=2)),
    )
    with one_step(section, "unpair_round") as logged:
        last = unpair_round(actor=actor, round_id=second.pk, seen_version=0)
    assert (last, last.state, last.finished_at) == (first, "published", None)
    assert list(section.played_rounds.values_list("number", flat=True)) == [1]
    assert (set(Game.objects.all()), set(Bye.objects.all())) == (games, byes)
    assert (logged[0].round_number, logged[0].before) == (2, {"pairs": pairs, "bye": None})
    again = pair(actor, section)
    assert [list(board) for board in boards(again)] == pairs


def test_unpairing_round_1_leaves_no_round(actor: Actor) -> None:
    section = section_of(3)
    row = pair(actor, section)
    with one_step(section, "unpair_round") as logged:
        assert unpair_round(actor=actor, round_id=row.pk, seen_version=0) is None
    assert logged[0].before["bye"] == 3
    assert (Round.objects.count(), Game.objects.count(), Bye.objects.count()) == (0, 0, 0)


def test_only_a_draft_is_unpaired(actor: Actor) -> None:
    section = section_of(4)
    first = play(actor, section)
    with refused("round_not_draft", round=1):
        unpair_round(actor=actor, round_id=first.pk, seen_version=1)
    pair(actor, section)
    with refused("round_not_draft", round=1):
        unpair_round(actor=actor, round_id=first.pk, seen_version=1)
    with refused("stale_version", round=1, version=1):
        unpair_round(actor=actor, round_id=first.pk, seen_version=0)


def test_unknown_round_is_not_found(actor: Actor) -> None:
    for act_on in (publish_round, unpublish_round, unpair_round):
        with refused("not_found", kind="round", id=0):
            act_on(actor=actor, round_id=0, seen_version=0)


def test_initial_colour_is_set_or_drawn_by_lot(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    section = section_of(2, initial_colour="")
    with one_step(section, "draw_initial_colour") as logged:
        draw_initial_colour(actor=actor, section_id=section.pk, colour=Colour.BLACK)
    section.refresh_from_db()
    assert section.initial_colour == "b"
    assert logged[0].after == {"initial_colour": "b", "by_lot": False}
    monkeypatch.setattr("secrets.choice", lambda colours: colours[0])
    with one_step(section, "draw_initial_colour") as logged:
        draw_initial_colour(actor=actor, section_id=section.pk)
    assert (logged[0].before, logged[0].after) == (
        {"initial_colour": "b"},
        {"initial_colour": "w", "by_lot": True},
    )


def test_initial_colour_cannot_change_after_round_1_is_paired(actor: Actor) -> None:
    section = RoundFactory(section=section_of(2)).section
    with refused("settings_locked", fields=["initial_colour"]):
        draw_initial_colour(actor=actor, section_id=section.pk)
    Section.objects.update(initial_colour="")
    draw_initial_colour(actor=actor, section_id=section.pk, colour=Colour.WHITE)


def test_pairing_a_larger_field_needs_no_more_queries(
    actor: Actor, django_assert_max_num_queries: object
) -> None:
    for players in (4, 40):
        section = section_of(players)
        play(actor, section)
        with django_assert_max_num_queries(19):
            pair(actor, section)


def test_late_entry_is_paired_from_its_round_on(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    ParticipantFactory.create_batch(2, section=section, first_round=2)
    assert {n for board in boards(pair(actor, section)) for n in board} == {1, 2, 3, 4, 5, 6}


def test_question_about_adjourned_games_names_those_of_the_last_round_too(actor: Actor) -> None:
    """Pairing makes all of them draws, so the arbiter reads all of them (VCL4THP.13 Q168)."""
    section = section_of(6)
    first = play(actor, section)
    second = play(actor, section)
    Game.objects.filter(round=first, board=3).update(result=Result.ADJOURNED)
    Game.objects.filter(round=second, board=1).update(result=Result.ADJOURNED)
    with refused("adjourned_earlier", round=3, games=[[1, 3], [2, 1]]):
        pair(actor, section)


def test_game_adjourned_before_the_last_round_is_asked_about(actor: Actor) -> None:
    """VCL4THP.13 Q168; the game counts as a draw (GHR 3.1)."""
    section = section_of(6)
    first = play(actor, section, Result.ADJOURNED)
    play(actor, section)  # the games of the round before: nothing is asked
    with refused("adjourned_earlier", round=3, games=[[1, 1], [1, 2], [1, 3]]):
        pair(actor, section)
    for board in (1, 2):
        game = first.games.get(board=board)
        record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=game.version, confirmed=True)
    with refused("adjourned_earlier", round=3, games=[[1, 3]]):
        pair(actor, section)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=2, proceed=True)
    assert row.number == 3
    with_adjourned = boards(row)
    unpair_round(actor=actor, round_id=row.pk, seen_version=row.version)
    drawn = first.games.get(board=3)
    record_result(actor=actor, game_id=drawn.pk, result="1/2", seen_version=drawn.version)
    assert boards(pair(actor, section)) == with_adjourned
