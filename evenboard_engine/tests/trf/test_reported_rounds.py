from __future__ import annotations

from evenboard_engine import Bye, ByeKind, Game, Result
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    Report,
    ReportedOpenGame,
    forbidden_spans,
    read_report,
    reported_rounds,
    to_tournament,
)
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.report_problems import sentence


def rated(rank: int, *entries: str, **fields: object) -> str:
    return player_line(*entries, starting_rank=rank, rating=2500 - rank, **fields)


def report(*lines: str) -> Report:
    return read_report(as_file("XXR 5", *lines))


TWO_ROUNDS = report(
    rated(1, "2 w 1", "3 b "),
    rated(2, "1 b 0", "0000 - U"),
    rated(3, "", "1 w ", "0000 - H"),
    rated(4, "0000 - Z"),
    rated(5, "", "", "0000 - F", "0000 - H"),
    "XXZ 4 5",
    "240 H 003 0003 0004",
    "240 Z 005 0001",
)


def test_a_report_says_games_byes_and_absent_players_of_all_its_rounds() -> None:
    rounds = reported_rounds(TWO_ROUNDS)
    assert rounds.paired == 2
    assert rounds.games == (Game(1, 1, 2, Result.WHITE_WINS),)
    assert rounds.open == (ReportedOpenGame(2, 3, 1, line=4),)
    assert rounds.byes == (
        Bye(2, 2, ByeKind.ALLOCATED),
        Bye(3, 3, ByeKind.HALF),
        Bye(1, 4, ByeKind.ZERO),
        Bye(3, 5, ByeKind.FULL),
        Bye(4, 5, ByeKind.HALF),
        Bye(3, 4, ByeKind.HALF),
        Bye(5, 1, ByeKind.ZERO),
    )
    assert [sorted(rounds.absent_in(number)) for number in (1, 2, 3, 4)] == [[3, 5], [4, 5], [4, 5], []]


def test_a_round_to_pair_has_its_byes_but_neither_its_games_nor_its_allocated_bye() -> None:
    rounds = reported_rounds(TWO_ROUNDS, to_pair=2)
    assert (rounds.games, rounds.open) == ((Game(1, 1, 2, Result.WHITE_WINS),), ())
    assert rounds.byes == (Bye(1, 4, ByeKind.ZERO),)
    assert rounds.absent_in(2) == {4, 5}


def test_the_round_after_the_paired_ones_has_the_announced_byes() -> None:
    rounds = reported_rounds(TWO_ROUNDS, to_pair=3)
    assert [bye for bye in rounds.byes if bye.round == 3] == [
        Bye(3, 3, ByeKind.HALF),
        Bye(3, 5, ByeKind.FULL),
        Bye(3, 4, ByeKind.HALF),
    ]
    assert max(bye.round for bye in rounds.byes) == 3


def test_a_late_entry_begins_with_the_first_game_or_bye() -> None:
    rounds = reported_rounds(TWO_ROUNDS)
    assert [rounds.first_round(player) for player in range(1, 6)] == [1, 1, 2, 1, 3]


def test_a_pair_of_several_records_is_forbidden_from_the_first_to_the_last_of_their_rounds() -> None:
    lines = (rated(1), rated(2), rated(3), "260 004 005 0003 0001", "260 001 002 0001 0003", "XXP 2 1")
    assert forbidden_spans(reported_rounds(report(*lines)).forbidden) == {(1, 3): (1, 5), (1, 2): (1, None)}


AHEAD = (
    rated(1, "2 w 1"),
    rated(2, "1 b 0", "0000 - Z"),
    rated(3, "0000 - U", "0000 - H"),
    rated(4, "5 w =", "0000 - U"),
    rated(5, "4 b =", "", "0000 - U"),
)


def test_a_round_without_a_game_is_the_next_one_also_if_an_allocated_bye_was_typed_ahead() -> None:
    typed = report(*AHEAD)
    rounds = reported_rounds(typed)
    assert rounds.paired == 1
    assert [(bye.round, bye.player, bye.kind) for bye in rounds.byes if bye.round > 1] == [
        (2, 2, ByeKind.ZERO),
        (2, 3, ByeKind.HALF),
        (2, 4, ByeKind.FULL),
        (3, 5, ByeKind.FULL),
    ]
    assert {bye.player for bye in reported_rounds(typed, to_pair=2).byes if bye.round == 2} == {2, 3, 4}
    assert to_tournament(typed).round == 2
    (doubt,) = file_warnings(typed)
    assert sentence(doubt) == (
        "line 5: round 2 has no game, so it is the round to be paired; 2 pairing-allocated byes after the last game "
        "are taken as full-point byes: player 4 in round 2 and player 5 in round 3"
    )


def test_a_round_of_byes_before_a_game_was_paired() -> None:
    typed = report(rated(1, "0000 - U", "2 w 1"), rated(2, "0000 - Z", "1 b 0"))
    assert reported_rounds(typed).byes == (Bye(1, 1, ByeKind.ALLOCATED), Bye(1, 2, ByeKind.ZERO))
