"""The database refuses these rows even if no action checks them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from evenboard_engine import ByeKind
from tests.factories import (
    ByeFactory,
    EventFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    GameFactory,
    ParticipantFactory,
    PlayerFactory,
    RoundFactory,
    SectionFactory,
    section_of,
)
from tournaments.models import Bye, CheckIn, Game, Participant, Player, Round, Section

pytestmark = pytest.mark.django_db


def is_refused(attempt: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            attempt()
    except IntegrityError:
        return True
    return False


@pytest.fixture
def game() -> Game:
    """Return board 1 of round 1 in a section of six."""
    section = section_of(6)
    first, second, *_ = section.participants.all()
    return GameFactory(round=RoundFactory(section=section), white=first, black=second)


def others(game: Game) -> list[Participant]:
    return list(game.round.section.participants.exclude(pk__in=[game.white_id, game.black_id]))


def test_player_has_one_game_as_white_a_round(game: Game) -> None:
    other = others(game)[0]
    assert is_refused(lambda: GameFactory(round=game.round, white=game.white, black=other))


def test_player_has_one_game_as_black_a_round(game: Game) -> None:
    other = others(game)[0]
    assert is_refused(lambda: GameFactory(round=game.round, white=other, black=game.black))


def test_player_with_white_has_no_game_as_black_in_the_round(game: Game) -> None:
    other = others(game)[0]
    assert is_refused(lambda: GameFactory(round=game.round, white=other, black=game.white))


def test_player_with_black_has_no_game_as_white_in_the_round(game: Game) -> None:
    other = others(game)[0]
    assert is_refused(lambda: GameFactory(round=game.round, white=game.black, black=other))


def test_two_games_inserted_at_once_cannot_share_a_player(game: Game) -> None:
    one, two, three, _ = others(game)
    games = [
        Game(round=game.round, board=2, white=one, black=two),
        Game(round=game.round, board=3, white=two, black=three),
    ]
    assert is_refused(lambda: Game.objects.bulk_create(games))


def test_game_cannot_get_a_player_of_another_game_in_the_round(game: Game) -> None:
    one, two, *_ = others(game)
    second = GameFactory(round=game.round, white=one, black=two)
    assert is_refused(lambda: Game.objects.filter(pk=second.pk).update(black=game.white))


def test_game_cannot_move_into_a_round_with_its_players(game: Game) -> None:
    later = GameFactory(round=RoundFactory(section=game.round.section), white=game.black, black=game.white)
    assert is_refused(lambda: Game.objects.filter(pk=later.pk).update(round=game.round, board=2))


def test_players_may_meet_again_in_another_round(game: Game) -> None:
    later = RoundFactory(section=game.round.section)
    assert not is_refused(lambda: GameFactory(round=later, white=game.black, black=game.white))


def test_game_needs_two_players(game: Game) -> None:
    other = others(game)[0]
    assert is_refused(lambda: GameFactory(round=game.round, white=other, black=other))


def test_board_has_one_game(game: Game) -> None:
    one, two, *_ = others(game)
    assert is_refused(lambda: GameFactory(round=game.round, board=game.board, white=one, black=two))


def test_player_with_a_bye_has_no_game(game: Game) -> None:
    one, two, *_ = others(game)
    ByeFactory(participant=one, round_number=1)
    assert is_refused(lambda: GameFactory(round=game.round, white=one, black=two))
    assert is_refused(lambda: GameFactory(round=game.round, white=two, black=one))


def test_player_with_a_game_has_no_bye(game: Game) -> None:
    assert is_refused(lambda: ByeFactory(participant=game.white, round_number=1))
    assert is_refused(lambda: ByeFactory(participant=game.black, round_number=1, kind=ByeKind.ZERO.value))
    assert not is_refused(lambda: ByeFactory(participant=game.white, round_number=2))


def test_bye_cannot_move_into_a_round_with_a_game(game: Game) -> None:
    bye = ByeFactory(participant=game.white, round_number=2)
    assert is_refused(lambda: Bye.objects.filter(pk=bye.pk).update(round_number=1))


def test_players_of_a_game_belong_to_its_section(game: Game) -> None:
    stranger = ParticipantFactory()
    assert is_refused(lambda: GameFactory(round=game.round, white=others(game)[0], black=stranger))
    assert is_refused(lambda: Game.objects.filter(pk=game.pk).update(white=stranger))


def test_round_keeps_its_number_and_section(game: Game) -> None:
    rounds = Round.objects.filter(pk=game.round_id)
    assert is_refused(lambda: rounds.update(number=2))
    assert is_refused(lambda: rounds.update(section=SectionFactory()))


def test_round_number_is_unique_in_its_section(game: Game) -> None:
    assert is_refused(lambda: RoundFactory(section=game.round.section, number=1))
    assert not is_refused(lambda: RoundFactory(number=1))


@pytest.mark.parametrize("result", ["1-1", "1:0", "½"])
def test_result_is_one_of_the_list(game: Game, result: str) -> None:
    games = Game.objects.filter(pk=game.pk)
    assert is_refused(lambda: games.update(result=result))
    assert is_refused(lambda: games.update(rating_result=result))


def test_pairing_number_is_unique_in_its_section() -> None:
    section = section_of(2)
    assert is_refused(lambda: ParticipantFactory(section=section, tpn=1))
    assert is_refused(lambda: section.participants.filter(tpn=2).update(tpn=1))


def test_player_is_entered_once_in_a_section() -> None:
    entry = ParticipantFactory()
    assert is_refused(lambda: ParticipantFactory(section=entry.section, player=entry.player))


def test_player_of_another_event_cannot_enter() -> None:
    assert is_refused(lambda: ParticipantFactory(player=PlayerFactory()))


def test_participant_player_and_section_cannot_move() -> None:
    entry = ParticipantFactory()
    event = entry.section.event
    sister = SectionFactory(event=event)
    assert is_refused(lambda: Participant.objects.filter(pk=entry.pk).update(section=sister))
    assert is_refused(lambda: Player.objects.filter(pk=entry.player_id).update(event=EventFactory()))
    assert is_refused(lambda: Section.objects.filter(pk=sister.pk).update(event=EventFactory()))


def test_fide_id_is_unique_in_its_event() -> None:
    player = PlayerFactory(fide_id=4611)
    assert is_refused(lambda: PlayerFactory(event=player.event, fide_id=4611))
    assert not is_refused(lambda: PlayerFactory(fide_id=4611))


def test_players_of_a_forbidden_pair_belong_to_its_section() -> None:
    section = section_of(1)
    assert is_refused(
        lambda: ForbiddenPairFactory(
            section=section, first=section.participants.get(), second=ParticipantFactory()
        )
    )


def test_forbidden_pair_has_one_row_in_order_of_keys() -> None:
    pair = ForbiddenPairFactory()
    again = {"section": pair.section, "first": pair.first, "second": pair.second}
    assert is_refused(lambda: ForbiddenPairFactory(**again))
    assert is_refused(lambda: ForbiddenPairFactory(**again | {"first": pair.second, "second": pair.first}))


@pytest.mark.parametrize(("kind", "source"), [("U", "requested"), ("H", "allocated"), ("X", "requested")])
def test_only_the_pairing_allocates_a_bye(kind: str, source: str) -> None:
    assert is_refused(lambda: ByeFactory(kind=kind, source=source))


def test_player_has_one_bye_a_round() -> None:
    bye = ByeFactory()
    assert is_refused(lambda: ByeFactory(participant=bye.participant, kind=ByeKind.ZERO.value))


@pytest.mark.parametrize(
    "points",
    [
        {"win_points": 10, "draw_points": 6},
        {"win_points": 10, "loss_points": 10, "draw_points": 10},
        {"draw_points": 0, "loss_points": 1},
        {"bye_points": 11},
    ],
)
def test_points_that_contradict_each_other_are_refused(points: dict[str, int]) -> None:
    assert is_refused(lambda: SectionFactory(**points))


def test_fide_mode_cannot_be_switched_on_again() -> None:
    section = SectionFactory(fide_mode=False, fide_mode_left_in_round=2)
    row = Section.objects.filter(pk=section.pk)
    assert is_refused(lambda: row.update(fide_mode=True, fide_mode_left_in_round=None))
    assert is_refused(lambda: row.update(fide_mode_left_in_round=3))
    assert is_refused(lambda: SectionFactory(fide_mode=False))


def test_event_ends_after_it_starts() -> None:
    event = EventFactory.build()
    assert is_refused(lambda: EventFactory(start=event.end, end=event.start))


def test_person_has_one_role_in_an_event() -> None:
    role = EventRoleFactory()
    assert is_refused(lambda: EventRoleFactory(event=role.event, user=role.user))


def test_second_reading_of_a_slip_is_a_result_of_the_list() -> None:
    game = GameFactory()
    assert is_refused(lambda: Game.objects.filter(pk=game.pk).update(second_result="1-1"))


def test_player_checks_in_once_a_round() -> None:
    participant = ParticipantFactory()
    CheckIn.objects.create(participant=participant, round_number=1)
    CheckIn.objects.create(participant=participant, round_number=2)
    assert is_refused(lambda: CheckIn.objects.create(participant=participant, round_number=2))
    assert is_refused(lambda: CheckIn.objects.create(participant=participant, round_number=0))
