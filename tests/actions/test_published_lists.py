"""Lists are published after a round, by themselves or by an arbiter. None of them ever changes."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from evenboard_engine import Result
from pairing.rounds import pair_next_round, publish_round, unpair_round, unpublish_round
from tests.actions.refusals import one_step, refused
from tests.actions.test_rounds import pair, play
from tests.factories import section_of
from tournaments.actions.copies import load_copy
from tournaments.actions.decided_points import decide_points
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.results import confirm_result, record_result
from tournaments.actions.rounds import publish_lists
from tournaments.actions.sections import edit_section
from tournaments.actions.undo import restore_before_round, undo
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.lists import crosstable_csv, published_csv, standings_csv
from tournaments.models import Game, PublishedList, Section
from tournaments.queries.published_lists import read_published_standings

pytestmark = pytest.mark.django_db

Facts = tuple[int, int, bool]


def lists(section: Section) -> list[Facts]:
    """Return round, edition and whether it is withdrawn, of every published list, oldest first."""
    rows = section.published_lists.order_by("pk")
    return [(row.after_round, row.edition, row.withdrawn) for row in rows]


def points(published: PublishedList) -> dict[int, int]:
    return {row["tpn"]: row["points"] for row in published.content["rows"]}


def board(section: Section, number: int = 1, board: int = 1) -> Game:
    return Game.objects.get(round__section=section, round__number=number, board=board)


def record(actor: Actor, game: Game, result: Result | str) -> None:
    game.refresh_from_db()
    record_result(actor=actor, game_id=game.pk, result=result, seen_version=game.version)


def revision(section: Section) -> int:
    return Section.objects.get(pk=section.pk).revision


def by_hand(section: Section) -> Section:
    section.lists_by_hand = True
    section.save()
    return section


def test_the_list_is_published_by_itself_when_the_last_result_is_in(actor: Actor) -> None:
    section = section_of(4)
    row = pair(actor, section)
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    first, last = row.games.order_by("board")
    record(actor, first, Result.WHITE_WINS)
    assert lists(section) == []
    record(actor, last, Result.DRAW)
    (found,) = section.published_lists.all()
    assert (found.kind, found.after_round, found.edition, found.who) == ("aro", 1, 1, "")
    assert found.of_revision == revision(section)
    assert points(found) == {first.white.tpn: 10, first.black.tpn: 0, last.white.tpn: 5, last.black.tpn: 5}


def test_a_corrected_result_publishes_a_new_edition_and_keeps_the_earlier_one(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    game = board(section)
    was = points(section.published_lists.get())
    record(actor, game, Result.BLACK_WINS)
    first, second = section.published_lists.order_by("edition")
    assert (points(first), lists(section)) == (was, [(1, 1, False), (1, 2, False)])
    assert points(second) == {**was, game.white.tpn: 0, game.black.tpn: 10}


def test_undo_of_a_result_withdraws_the_list_and_of_a_correction_publishes_another(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    undo(actor=actor, section_id=section.pk, revision=revision(section))
    assert lists(section) == [(1, 1, True)]
    undo(actor=actor, section_id=section.pk, revision=revision(section))
    assert lists(section) == [(1, 1, True), (1, 2, False)]
    record(actor, board(section), Result.DRAW)
    undo(actor=actor, section_id=section.pk, revision=revision(section))
    second, third, fourth = section.published_lists.order_by("edition")[1:]
    assert (fourth.content, third.content == fourth.content) == (second.content, False)


def test_a_removed_result_and_an_unpublished_round_withdraw_the_list(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    record(actor, board(section), "")
    assert lists(section) == [(1, 1, True)]
    record(actor, board(section), Result.WHITE_WINS)
    assert lists(section) == [(1, 1, True), (1, 2, False)]
    for game in Game.objects.filter(round__section=section):
        record(actor, game, "")
    row = section.played_rounds.get()
    row = unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    unpair_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert lists(section) == [(1, 1, True), (1, 2, True)]


def test_going_back_withdraws_the_lists_of_all_rounds_that_are_gone(actor: Actor) -> None:
    section = section_of(6)
    for _ in range(3):
        play(actor, section)
    restore_before_round(
        actor=actor, section_id=section.pk, number=2, seen_revision=revision(section), reason="wrong field"
    )
    assert lists(section) == [(1, 1, False), (2, 1, True), (3, 1, True)]


def test_a_list_stays_after_the_next_round_is_paired_from_it(actor: Actor) -> None:
    """A reader checks the pairing with the list from which it was made."""
    section = section_of(6)
    play(actor, section)
    row = pair(actor, section)
    withdraw_participant(actor=actor, participant_id=section.participants.get(tpn=6).pk)
    assert lists(section) == [(1, 1, False)]
    unpair_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert lists(section) == [(1, 1, False), (1, 2, False)]


def test_a_slip_that_was_read_in_two_ways_holds_the_list_back(actor: Actor) -> None:
    section = section_of(4)
    row = pair(actor, section)
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    first, last = row.games.order_by("board")
    record(actor, first, Result.WHITE_WINS)
    confirm_result(actor=actor, game_id=first.pk, result=Result.DRAW, seen_version=1)
    record(actor, last, Result.DRAW)
    assert lists(section) == []
    confirm_result(actor=actor, game_id=first.pk, result="", seen_version=2)
    assert lists(section) == [(1, 1, False)]
    confirm_result(actor=actor, game_id=first.pk, result=Result.WHITE_WINS, seen_version=3)
    assert lists(section) == [(1, 1, False)]


def test_an_arbiter_publishes_the_list_and_an_undo_withdraws_it(actor: Actor) -> None:
    section = by_hand(section_of(4))
    play(actor, section)
    assert lists(section) == []
    with one_step(section, "publish_lists") as logged:
        (made,) = publish_lists(actor=actor, section_id=section.pk, after_round=1)
    assert (made.who, made.of_revision) == (actor.name, logged[0].revision)
    assert (logged[0].round_number, logged[0].after) == (1, {"lists": ["aro"], "edition": 1})
    assert publish_lists(actor=actor, section_id=section.pk, after_round=1) == ()
    undo(actor=actor, section_id=section.pk, revision=made.of_revision)
    assert lists(section) == [(1, 1, True)]
    undo(actor=actor, section_id=section.pk, revision=revision(section))
    assert lists(section) == [(1, 1, True), (1, 2, False)]


def test_a_correction_waits_for_the_arbiter_where_the_arbiter_publishes(actor: Actor) -> None:
    section = by_hand(section_of(4))
    play(actor, section)
    publish_lists(actor=actor, section_id=section.pk, after_round=1)
    record(actor, board(section), Result.DRAW)
    assert lists(section) == [(1, 1, False)]
    (made,) = publish_lists(actor=actor, section_id=section.pk, after_round=1)
    assert (made.edition, lists(section)) == (2, [(1, 1, False), (1, 2, False)])
    record(actor, board(section), "")
    assert lists(section) == [(1, 1, False), (1, 2, True)]


def test_a_list_that_is_not_due_is_refused(actor: Actor) -> None:
    section = by_hand(section_of(4))
    with refused("list_not_due", round=0):
        publish_lists(actor=actor, section_id=section.pk, after_round=0)
    row = pair(actor, section)
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    with refused("list_not_due", round=1):
        publish_lists(actor=actor, section_id=section.pk, after_round=1)
    for game in row.games.all():
        record(actor, game, Result.DRAW)
    confirm_result(actor=actor, game_id=game.pk, result=Result.WHITE_WINS, seen_version=1)
    with refused("list_in_conflict", round=1):
        publish_lists(actor=actor, section_id=section.pk, after_round=1)
    confirm_result(actor=actor, game_id=game.pk, result=Result.DRAW, seen_version=2)
    pair_next_round(actor=actor, section_id=section.pk, after_round=1)
    with refused("list_not_due", round=1):
        publish_lists(actor=actor, section_id=section.pk, after_round=1)


def test_the_setting_changes_who_publishes(actor: Actor) -> None:
    section = by_hand(section_of(4))
    play(actor, section)
    edit_section(actor=actor, section_id=section.pk, lists_by_hand=False)
    assert lists(section) == [(1, 1, False)]


def test_the_database_changes_no_published_list(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        section.published_lists.update(content={"rows": [], "adjourned": []})


def test_a_copy_has_the_published_lists(actor: Actor) -> None:
    section = section_of(4)
    play(actor, section)
    record(actor, board(section), Result.DRAW)
    loaded = load_copy(actor=actor, event=section.event, copy=read_copy(copy_file(section)), name="Copy")
    assert lists(loaded) == [(1, 1, False), (1, 2, False)]
    numbers = {entry.pk: entry.tpn for entry in loaded.participants.all()}
    for was, now in zip(
        section.published_lists.order_by("pk"), loaded.published_lists.order_by("pk"), strict=True
    ):
        assert (now.made_at, now.of_revision, points(now)) == (was.made_at, was.of_revision, points(was))
        for row in now.content["rows"]:
            assert numbers[row["player"]] == row["tpn"]
            assert [numbers[key] for key, _tpn, _rating in row["met"]] == [tpn for _, tpn, _ in row["met"]]


@pytest.mark.parametrize(("system", "kind"), [("uschess", "standings"), ("round-robin", "crosstable")])
def test_other_systems_publish_the_lists_of_their_rules(actor: Actor, system: str, kind: str) -> None:
    section = section_of(4, system=system, rounds=3, fide_mode=True)
    if section.fixed_rounds:
        draw_lots(actor=actor, section_id=section.pk, seed="a")
    play(actor, section)
    (found,) = section.published_lists.all()
    assert (found.kind, found.after_round) == (kind, 1)
    assert [(row["place"], row["points"]) for row in found.content["rows"]] == [
        (1, 10),
        (2, 10),
        (3, 0),
        (4, 0),
    ]
    leader = next(row for row in found.content["rows"] if row["place"] == 1)
    decide_points(
        actor=actor,
        participant_id=leader["player"],
        round_number=1,
        points=-5,
        reason="mobile phone",
        confirmed=True,
    )
    copy = load_copy(actor=actor, event=section.event, copy=read_copy(copy_file(section)), name="Copy")
    for published in (section.published_lists.last(), copy.published_lists.last()):
        table = read_published_standings(
            published, {entry.pk: entry for entry in published.section.participants.all()}
        )
        (decision,) = table.decisions
        assert (published.edition, decision.tpn, decision.round, decision.points) == (2, leader["tpn"], 1, -5)
        line = f"Decision of the arbiter: {decision.tpn} {decision.name}, -½ after round 1"
        assert line in published_csv(table, (), [], about=()).decode()
    assert line in standings_csv(copy).decode()
    assert line in crosstable_csv(copy).decode()
    assert "decisions" not in found.content["rows"][0]
