"""The kept rows of a section are those of the database after every action, and few of them are read again."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext

from evenboard_engine import ByeKind, Result
from evenboard_engine.tiebreaks import changes
from pairing.rounds import pair_next_round, publish_round
from tests.actions.wide_walk import TwoSections
from tests.factories import ParticipantFactory, UserFactory, section_of
from tests.web.public.test_made_once_walk import rare_actions, take_back
from tournaments.actions.byes import request_bye
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.personal_data import erase_player
from tournaments.actions.presence import check_in, open_check_in
from tournaments.actions.results import record_result
from tournaments.models import Game, Section, User
from tournaments.models.journal import journal
from tournaments.queries import row_cache
from tournaments.queries.crosstables import crosstable
from tournaments.queries.field import load_field
from tournaments.queries.presence import presence_list
from tournaments.queries.row_cache import CachedRows, cached_rows_of
from tournaments.queries.standings import standings_state_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ACTOR = Actor.command()


@pytest.fixture(autouse=True)
def _small_ones_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "LARGE", -1)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Section]:
    """Return the sections of which all rows were read."""
    whole: list[Section] = []
    real = row_cache._all_rows

    def all_rows(section: Section, *more: Any) -> CachedRows:
        whole.append(section)
        return real(section, *more)

    monkeypatch.setattr(row_cache, "_all_rows", all_rows)
    return whole


@pytest.fixture
def six() -> Section:
    """Return a section of six players whose first round is published."""
    section = section_of(6)
    row = pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)
    publish_round(actor=ACTOR, round_id=row.pk, seen_version=row.version)
    return Section.objects.select_related("event").get(pk=section.pk)


def columns(row: models.Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def written(rows: CachedRows) -> list[Any]:
    """Return everything that the rows hold, in their order."""
    games = rows.games(rows.rounds)
    return [
        [(key, columns(entry), columns(entry.player)) for key, entry in rows.participants.items()],
        [columns(row) for row in rows.rounds],
        [(columns(game), columns(game.round)) for game in games],
        [[who and who.label for who in (game.entered_by, game.second_by, game.over_by)] for game in games],
        [columns(bye) for bye in rows.byes],
    ]


def check(section: Section) -> None:
    section = Section.objects.select_related("event").get(pk=section.pk)
    assert written(cached_rows_of(section)) == written(row_cache._all_rows(section))


def test_kept_rows_are_those_of_the_database_after_any_action() -> None:
    walk = TwoSections(0, ACTOR)
    for _ in range(60):
        walk.step()
        if walk.random.random() < 0.1:
            take_back(walk.random.choice(walk.walks))
        for section in walk.sections:
            check(section)
    assert Game.objects.exists()


def test_kept_rows_are_those_of_the_database_after_rare_actions() -> None:
    UserFactory(username="owner")
    UserFactory(username="helper")
    section = section_of(6)
    for action in rare_actions(section, ACTOR):
        action(actor=ACTOR)
        check(section)


def test_a_player_is_erased_in_the_kept_rows_of_all_sections(six: Section) -> None:
    """The log does not say what was written, and no row of it named this player."""
    person = six.participants.get(tpn=6).player
    other = section_of(2, event=six.event)
    ParticipantFactory(section=other, player=person)
    set_hall_message(actor=ACTOR, section_id=other.pk, message="Phones off")
    check(six)
    check(other)
    erase_player(actor=ACTOR, event=six.event, player_id=person.pk, typed=person.name)
    check(six)
    check(other)


def test_after_a_result_one_game_is_read(six: Section, read: list[Section]) -> None:
    cached_rows_of(six)
    game = Game.objects.get(board=2)
    record_result(actor=ACTOR, game_id=game.pk, result=Result.DRAW, seen_version=0)
    read.clear()
    with CaptureQueriesContext(connection) as queries:
        rows = cached_rows_of(Section.objects.get(pk=six.pk))
    assert [row.result for row in rows.games(rows.rounds)] == ["", "1/2", ""]
    reads = [query["sql"] for query in queries if " FROM " in query["sql"]]
    assert (len(reads), read) == (4, [])  # the section, its states, the log, the game
    with CaptureQueriesContext(connection) as queries:
        assert cached_rows_of(six) is rows
    assert len([query for query in queries if " FROM " in query["sql"]]) == 1


def test_after_a_mark_the_check_in_list_reads_no_player_again(six: Section, read: list[Section]) -> None:
    open_check_in(actor=ACTOR, section_id=six.pk, after_round=1)
    before = presence_list(six, 2)
    read.clear()
    entry = six.participants.get(tpn=4)
    check_in(actor=Actor(user=UserFactory(username="ada")), participant_id=entry.pk, round_number=2)
    with CaptureQueriesContext(connection) as queries:
        after = presence_list(six, 2)
    assert [row.participant_id for row in after.rows] == [row.participant_id for row in before.rows]
    assert [(row.tpn, row.by) for row in after.rows if row.here] == [(4, "ada")]
    reads = [query["sql"] for query in queries if " FROM " in query["sql"]]
    assert (len(reads), read) == (4, [])  # the states of the sections, the log, the marks, the login


def test_what_the_result_does_not_change_is_not_worked_out_again(six: Section) -> None:
    before = load_field(six, before_round=1)
    game = Game.objects.get(board=2)
    record_result(actor=ACTOR, game_id=game.pk, result=Result.DRAW, seen_version=0)
    after = load_field(Section.objects.get(pk=six.pk), before_round=1)
    assert after.engine is before.engine
    assert (after.games[1].result, before.games[1].result) == ("1/2", "")
    assert load_field(Section.objects.get(pk=six.pk)).engine.games[0].result is Result.DRAW
    six.rounds = 5
    assert load_field(six, before_round=1).engine.rounds == 5


def test_lists_after_a_result_are_those_that_are_worked_out_from_nothing(
    six: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MOST", 1)  # two of six players have another card
    for board, result in ((1, Result.WHITE_WINS), (2, Result.BLACK_WINS_BY_FORFEIT), (1, Result.DRAW)):
        crosstable(six)
        game = Game.objects.get(board=board)
        record_result(actor=ACTOR, game_id=game.pk, result=result, seen_version=game.version)
        row = Section.objects.select_related("event").get(pk=six.pk)
        kept = [crosstable(row), list(crosstable(row).rows), standings_state_of(load_field(row))]
        row_cache.row_cache.clear()
        assert kept == [crosstable(row), list(crosstable(row).rows), standings_state_of(load_field(row))]
        table = crosstable(row).standings
        for name in ("place", "points", "rating", "tpn", "games"):
            assert table.column(name) == [getattr(line, name) for line in table.rows]


def test_what_was_rolled_back_is_forgotten(six: Section) -> None:
    """The pages of a round are made inside the transaction that publishes it, which may fail."""
    cached_rows_of(six)
    game = Game.objects.get(board=2)
    with transaction.atomic():
        record_result(actor=ACTOR, game_id=game.pk, result=Result.DRAW, seen_version=0)
        rows = cached_rows_of(Section.objects.get(pk=six.pk))
        assert [row.result for row in rows.games(rows.rounds)] == ["", "1/2", ""]
        transaction.set_rollback(True)
    check(six)
    record_result(actor=ACTOR, game_id=game.pk, result=Result.WHITE_WINS, seen_version=0)
    check(six)


def test_an_action_reads_everything_itself(six: Section, read: list[Section]) -> None:
    cached_rows_of(six)
    read.clear()
    with journal():
        Game.objects.filter(board=2).update(result="1/2")
        assert [row.result for row in cached_rows_of(six).games(six.played_rounds.all())] == ["", "1/2", ""]
    assert read == [six]


def test_a_login_that_is_renamed_is_named_so(six: Section) -> None:
    user = UserFactory(username="olga")
    game = Game.objects.get(board=2)
    record_result(actor=Actor(user=user), game_id=game.pk, result=Result.DRAW, seen_version=0)
    check(six)
    User.objects.filter(pk=user.pk).update(first_name="Ada", last_name="Bauer")
    check(six)


def test_rows_without_a_log_are_not_kept(read: list[Section]) -> None:
    section = section_of(4)
    cached_rows_of(section)
    section.participants.update(rating=1500)
    assert {entry.rating for entry in cached_rows_of(section).participants.values()} == {1500}


def test_sections_that_were_asked_for_last_are_kept(six: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "MOST_ROWS", 10)
    store = row_cache.row_cache
    cached_rows_of(six)
    other = section_of(4)
    set_hall_message(actor=ACTOR, section_id=other.pk, message="Phones off")
    cached_rows_of(Section.objects.get(pk=other.pk))
    assert (len(store), store.get(six.pk)) == (1, None)


def test_byes_are_in_the_order_of_new_numbers() -> None:
    section = section_of(4)
    section.participants.update(rating=2000)
    for entry in section.participants.filter(tpn__lte=2):
        request_bye(actor=ACTOR, participant_id=entry.pk, round_number=1, kind=ByeKind.ZERO)
    before = [bye.participant_id for bye in cached_rows_of(section).byes]
    turned = list(section.participants.order_by("-tpn").values_list("pk", flat=True))
    seen = Section.objects.get(pk=section.pk).revision
    order_equals(actor=ACTOR, section_id=section.pk, order=turned, seen_revision=seen, asked=True)
    check(section)
    assert [bye.participant_id for bye in cached_rows_of(section).byes] == before[::-1]


def test_what_was_made_from_the_rows_is_not_for_a_field_with_other_games_or_players(six: Section) -> None:
    record_result(actor=ACTOR, game_id=Game.objects.get(board=1).pk, result=Result.DRAW, seen_version=0)
    field = load_field(Section.objects.get(pk=six.pk))
    made = field.once("made", (), lambda: "from the rows")
    won = copy(field.games[0])
    won.result = Result.WHITE_WINS.value
    other = replace(field, games=(won, *field.games[1:]))
    renumbered = field.with_entries({won.white_id: (9, 1500)})
    assert [each.once("made", (), lambda: "anew") for each in (other, renumbered)] == ["anew"] * 2
    assert other.before(2).engine.games[0].result is Result.WHITE_WINS
    assert replace(field, games=(*field.games,)).once("made", (), lambda: "anew") == made
