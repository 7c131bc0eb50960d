"""A player of a round robin who never comes, and a substitute who takes the number."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, UserFactory
from tests.systems.round_robin.test_section import DESK as ARBITER
from tests.systems.round_robin.test_section import all_published, by_number, play, results_of
from tournaments.actions.entries import EntryData, edit_participant, withdraw_participant
from tournaments.models import Game
from tournaments.queries.crosstables import results_table
from tournaments.queries.entries import leaving
from tournaments.queries.standings import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_player_who_never_comes_changes_nothing_for_the_others() -> None:
    section = all_published(5, event__state="public")
    never = withdraw_participant(actor=ARBITER, participant_id=by_number(section, 3).pk)
    assert {result for _number, result in results_of(section, never)} == {"+:-", "-:+"}
    for number in range(1, 6):
        play(section, number)
    table = standings_table(section)
    assert [(row.tpn, row.points, row.games) for row in table.rows] == [(tpn, 15, 3) for tpn in (1, 2, 4, 5)]
    assert [(one.tpn, one.completed, one.total) for one in table.uncounted] == [(3, 0, 4)]
    assert table.state.final
    page = Client().get(f"/{section.event.slug}/{section.slug}/standings/").content.decode()
    assert f"{never.player.name} left without a game." in page


def test_preview_of_a_withdrawal_leaves_out_wins_of_rounds_to_come() -> None:
    section = all_published(6)
    withdraw_participant(actor=ARBITER, participant_id=by_number(section, 6).pk)
    play(section, 1)
    play(section, 2)
    third = by_number(section, 3)  # who meets number 6 in round 5
    assert results_of(section, third)[4] == (5, "+:-")
    expected = leaving(section, third)
    withdraw_participant(actor=ARBITER, participant_id=third.pk)
    assert results_of(section, third)[4] == (5, "-:-")
    (row,) = [one for one in standings_table(section).uncounted if one.tpn == 3]
    assert expected is not None
    assert (expected.completed, expected.total) == (row.completed, row.total) == (2, 5)


def test_a_win_without_a_game_stays_in_a_round_that_was_played() -> None:
    section = all_published(4)
    withdraw_participant(actor=ARBITER, participant_id=by_number(section, 4).pk)
    play(section, 1)
    first = by_number(section, 1)  # whose opponent in round 1 did not come
    expected = leaving(section, first)
    withdraw_participant(actor=ARBITER, participant_id=first.pk)
    assert [result for _number, result in results_of(section, first)] == ["+:-", "-:+", "+:-"]
    (row,) = [one for one in standings_table(section).uncounted if one.tpn == 1]
    assert expected is not None
    assert expected.completed == row.completed == 1


def test_a_substitute_has_the_number_and_the_games_of_the_player_who_did_not_come() -> None:
    section = all_published(4)
    never = by_number(section, 2)
    play(section, 1)  # the arbiter forfeits the game of the player who is not there
    Game.objects.filter(round__section=section, round__number=1, white=never).update(result="-:+")
    before = [[turn for turn in row.cells if turn is not None] for row in results_table(section).rows]
    data = EntryData(name="Substitute, Sam", rating=1950, federation="BEL", fide_id=1503014)
    edit_participant(actor=ARBITER, participant_id=never.pk, entry=data)
    rows = results_table(section).rows
    assert [[turn for turn in row.cells if turn is not None] for row in rows] == before
    assert (rows[1].name, rows[1].rating, rows[1].counted) == ("Substitute, Sam", 1950, True)
    play(section, 2)
    play(section, 3)
    assert len(standings_table(section).rows) == 4


def test_ratings_of_a_substitute_are_not_told_as_earlier_ratings() -> None:
    """Another person has the number; no pairing depends on the rating."""
    section = all_published(4, event__state="public")
    EventRoleFactory(event=section.event, user=(olga := UserFactory(is_superuser=True)))
    play(section, 1)
    data = EntryData(name="Substitute, Sam", rating=1950, federation="BEL", fide_id=1503014)
    edit_participant(actor=ARBITER, participant_id=by_number(section, 2).pk, entry=data)
    desk = Client()
    desk.force_login(olga)
    place = f"/{section.event.slug}/{section.slug}"
    why = desk.get(f"{place}/round/1/why/")
    assert (why.status_code, "another rating today" in why.content.decode()) == (200, False)
    report = desk.get(f"{place}/report.trf?unfinished=yes").content.decode()
    assert ("Substitute, Sam" in report, "Earlier ratings" in report) == (True, False)
