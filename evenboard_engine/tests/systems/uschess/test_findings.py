"""Published rounds that differ from the rules, rounds paired by hand, and the words for all of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    NoLegalPairing,
    Player,
    Relaxation,
    RelaxationKind,
    Result,
    Tournament,
)
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.cli.command import main
from evenboard_engine.findings import Concern, HandMadeDraft, Level, Published
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.history import History, histories
from evenboard_engine.model import Flag
from evenboard_engine.preference import Preference
from evenboard_engine.systems.uschess.articles import REASONS
from evenboard_engine.systems.uschess.colours import UsChessColourRule, white_of
from evenboard_engine.systems.uschess.system import US_CHESS
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.trf import read_report, to_tournament, write_report
from evenboard_engine.words.registry import words_of
from evenboard_engine.words.uschess.differences import CONCERNS, sentence
from evenboard_engine.words.uschess.sentences import SENTENCES
from evenboard_engine.words.uschess.words import US_CHESS_WORDS

RATINGS = (2000, 1900, 1800, 1700, 1600, 1500, 1400, 0)


def game(number: int, white: int, black: int, result: str) -> Game:
    return Game(number, white, black, Result(result))


AFTER_ONE = Tournament(
    rounds=4,
    round=2,
    players=tuple(Player(n, n, rating) for n, rating in enumerate(RATINGS, start=1)),
    games=(
        game(1, 1, 5, "1-0"),
        game(1, 6, 2, "0-1"),
        game(1, 3, 7, "1/2"),
        game(1, 8, 4, "0-1"),
    ),
    initial_colour=Colour.WHITE,
    system="uschess",
)
"""1, 2 and 4 have a point, 3 and 7 half a point, 5, 6 and 8 (unrated) none. Nobody may meet again."""


def published(tournament: Tournament, *, swap: tuple[int, int] = (0, 0), turned: int = 0) -> Published:
    """The round by the rules with two players exchanged, or one board with the colours turned."""
    pairing = US_CHESS.pair(tournament)
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    pairs = [tuple(other.get(key, key) for key in (pair.white, pair.black)) for pair in pairing.pairs]
    pairs = [pair[::-1] if turned in pair else pair for pair in pairs]
    byes = () if pairing.bye is None else (other.get(pairing.bye, pairing.bye),)
    return Published(tournament.round, tuple(pairs), byes)  # type: ignore[arg-type]


def differences(tournament: Tournament, published: Published) -> list[str]:
    found = US_CHESS.compare(tournament, published, US_CHESS.pair(tournament))
    return [sentence(difference) for difference in found]


def test_the_round_of_the_rules() -> None:
    pairing = US_CHESS.pair(AFTER_ONE)
    assert [(pair.white, pair.black) for pair in pairing.pairs] == [(2, 1), (4, 3), (7, 8), (5, 6)]
    assert differences(AFTER_ONE, published(AFTER_ONE)) == []


@pytest.mark.parametrize(
    ("changed", "sentences"),
    [
        ({"turned": 4}, ["round 2: 3 has White against 4, but 4 must have White (29E)"]),
        ({"swap": (2, 4)}, ["round 2: from 1 point down, the floats are 2-3, but must be 4-3 (29D)"]),
        (
            {"swap": (1, 5)},
            [
                "round 2: score groups are joined by 1-6 and 2-5, but need not be (27A2)",
                "round 2: 1 has White against 6, but 6 must have White (29E)",
            ],
        ),
        ({"swap": (8, 6)}, ["round 2: from 1 point down, the floats are 7-6, but must be 7-8 (29D)"]),
    ],
)
def test_differences_are_named(changed: dict[str, object], sentences: list[str]) -> None:
    assert differences(AFTER_ONE, published(AFTER_ONE, **changed)) == sentences  # type: ignore[arg-type]


TWO_GROUPS = Tournament(
    rounds=3,
    round=2,
    players=tuple(Player(n, n, 2100 - 100 * n) for n in range(1, 13)),
    games=(
        game(1, 1, 3, "1/2"),
        game(1, 4, 2, "1/2"),
        *(game(1, one, other, "1-0") for one, other in ((5, 9), (6, 10), (7, 11), (8, 12))),
    ),
    initial_colour=Colour.WHITE,
    system="uschess",
)
"""1 to 4 have half a point, 5 to 8 a point, 9 to 12 none."""


def by_hand(tournament: Tournament, instead: dict[tuple[int, int], tuple[int, int]]) -> Published:
    """The round by the rules with some boards in place of others."""
    boards = [(pair.white, pair.black) for pair in US_CHESS.pair(tournament).pairs]
    return Published(tournament.round, tuple(instead.get(board, board) for board in boards), ())


def test_a_rematch_inside_a_group_is_called_a_rematch_and_the_other_groups_are_compared() -> None:
    boards = [(pair.white, pair.black) for pair in US_CHESS.pair(TWO_GROUPS).pairs]
    assert {frozenset(pair) for pair in boards} >= {
        frozenset(pair) for pair in ((1, 2), (3, 4), (5, 7), (6, 8))
    }
    again = dict(zip([pair for pair in boards if max(pair) < 5], [(3, 1), (2, 4)], strict=True))
    rematches = "round 2: have met already: 1-3 and 2-4; fewer such pairs are possible (27A1)"
    assert differences(TWO_GROUPS, by_hand(TWO_GROUPS, again))[:1] == [rematches]
    top = {(7, 5): (8, 5), (5, 7): (5, 8), (6, 8): (6, 7), (8, 6): (7, 6)}
    found = [
        (one.code, one.found, one.score)
        for one in US_CHESS.compare(TWO_GROUPS, by_hand(TWO_GROUPS, again | top), US_CHESS.pair(TWO_GROUPS))
        if one.code != "colours"
    ]
    assert found == [("rematch", (1, 3, 2, 4), None), ("pair", (5, 8), 10), ("pair", (6, 7), 10)]


@pytest.mark.parametrize(("fact", "option"), [("team", "team_rule"), ("club", "club_rule")])
def test_mates_who_must_not_meet_are_named_as_mates(fact: str, option: str) -> None:
    codes = {1: "A", 2: "B", 3: "A", 4: "B"}
    players = tuple(replace(one, **{fact: codes.get(one.id, "")}) for one in TWO_GROUPS.players)
    strict = replace(TWO_GROUPS, players=players, options={option: "dont"}, games=())
    strict = replace(strict, absent=frozenset(range(5, 13)))
    found = US_CHESS.compare(strict, Published(2, ((1, 3), (2, 4)), ()), US_CHESS.pair(strict))
    sentences = [sentence(one, with_round=False) for one in found if one.code != "colours"]
    assert sentences == [f"Of one {fact}: 1-3 and 2-4; fewer such pairs are possible (WinTD)"]


def test_floaters_that_leave_only_a_forbidden_pair() -> None:
    """7, 8 and 9 have a point. By the rules 9 meets 2; in the round by hand 7 meets 3, and 2 and 5 must not meet."""
    ratings = {2: 2207, 3: 2207, 5: 2007, 6: 2007, 7: 1907, 8: 1550, 9: 1550}
    tournament = Tournament(
        rounds=3,
        round=2,
        players=tuple(Player(n, n, rating) for n, rating in ratings.items()),
        games=(game(1, 2, 7, "0-1"), game(1, 3, 8, "0-1"), game(1, 5, 9, "0-1")),
        forbidden=frozenset({(2, 5)}),
        initial_colour=Colour.BLACK,
        system="uschess",
    )
    right = US_CHESS.pair(tournament)
    assert right.bye == 6
    by_hand = Published(2, ((3, 7), (8, 9), (2, 5)), (6,))
    found = US_CHESS.compare(tournament, by_hand, right)
    assert [each.code for each in found] == ["forbidden_pair", "floaters", "colours", "colours"]
    assert found[0].found == (2, 5)


def test_a_wrong_bye_is_named_and_the_rest_compared_with_it() -> None:
    seven = replace(AFTER_ONE, absent=frozenset({1}))
    right = US_CHESS.pair(seven)
    assert right.bye == 6
    round_of_five = US_CHESS.pair(replace(seven, absent=frozenset({1, 5}))).pairs
    wrong = Published(2, tuple((pair.white, pair.black) for pair in round_of_five), (5,))
    assert differences(seven, wrong) == ["round 2: the bye is for 5, but it must be for 6 (28L)"]


def test_several_byes_and_strange_players_are_not_compared_further() -> None:
    short = Published(2, ((2, 1), (4, 3)), (5, 6))
    wanted = ["more than one player has the bye: 5 and 6 (28L)", "the pairs cannot be compared"]
    found = differences(AFTER_ONE, short)
    assert [
        one.removeprefix("round 2: ")[: len(two)] for one, two in zip(found, wanted, strict=True)
    ] == wanted


@pytest.mark.parametrize(
    ("pair", "code", "level"),
    [
        ((5, 1), "rematch", Level.PROCEED),
        ((2, 8), "float_far", Level.ACKNOWLEDGE),
        ((4, 3), "float", Level.SHOW),
        ((1, 2), "both_opposite", Level.ACKNOWLEDGE),
        ((1, 4), "both_opposite", Level.ACKNOWLEDGE),
    ],
)
def test_boards_paired_by_hand_are_judged(pair: tuple[int, int], code: str, level: Level) -> None:
    found = US_CHESS.concerns(AFTER_ONE, HandMadeDraft((pair,)))
    assert [concern.level for concern in found if concern.code == code] == [level]


def test_round_of_the_rules_has_only_floats_to_tell() -> None:
    pairing = US_CHESS.pair(AFTER_ONE)
    draft = HandMadeDraft(tuple((pair.white, pair.black) for pair in pairing.pairs))
    assert {concern.code for concern in US_CHESS.concerns(AFTER_ONE, draft)} == {"float"}


def test_mates_kept_players_and_the_limit_of_drops_are_told() -> None:
    players = tuple(
        replace(player, team="A", club="C", flags=frozenset({Flag.KEEP})) for player in AFTER_ONE.players
    )
    options = {"team_rule": "dont", "club_rule": "if_required", "max_drop": "0.5"}
    strict = replace(AFTER_ONE, players=players, options=options)
    found = US_CHESS.concerns(strict, HandMadeDraft(((2, 8),)))
    assert sorted((concern.code, int(concern.level)) for concern in found) == [
        ("clubmates", 2),
        ("float", 1),
        ("float_far", 2),
        ("float_over_limit", 3),
        ("kept", 2),
        ("kept", 2),
        ("teammates", 3),
    ]


def test_a_bye_by_hand_is_judged() -> None:
    seven = replace(
        AFTER_ONE,
        absent=frozenset({1}),
        byes=(Bye(1, 6, ByeKind.FULL),),
        games=tuple(one for one in AFTER_ONE.games if one.white != 6),
    )
    assert [concern.code for concern in US_CHESS.concerns(seven, HandMadeDraft((), 6))] == [
        "bye_had",
        "bye_score",
    ]
    assert [concern.code for concern in US_CHESS.concerns(seven, HandMadeDraft((), 8))] == ["bye_other"]


def test_every_concern_has_a_sentence_and_every_reason_an_article() -> None:
    assert set(SENTENCES) == set(REASONS)
    made = {
        "rematch", "forbidden", "teammates", "clubmates", "third_colour", "both_opposite", "colours", "float",
        "float_far", "float_over_limit", "kept", "bye_had", "bye_half", "bye_forfeit_win", "bye_score", "bye_other",
    }  # fmt: skip
    assert set(CONCERNS) == made
    third = History(0, 0, 2, (), (Colour.WHITE,) * 2, 2, 0, (), bye_barred=False, paired=True)
    assert US_CHESS.preference(third) == Preference(Colour.BLACK)


def test_mark_at_a_rule_is_explained_and_a_floater_by_ratings_has_switches() -> None:
    assert any("(M)" in article for articles in REASONS.values() for article in articles)
    assert "(M) marks a rule" in US_CHESS_WORDS.numbers
    assert SENTENCES["plain_high"] == (
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of switches of more than "
        "%(limit)s points of rating would be %(found)s instead of %(best)s."
    )


def test_preference_is_the_due_colour() -> None:
    past = histories(AFTER_ONE, US_CHESS.history_rules(AFTER_ONE))
    assert US_CHESS.preference(past[1]) == Preference(Colour.BLACK)
    before = histories(replace(AFTER_ONE, round=1, games=()), US_CHESS.history_rules(AFTER_ONE))
    assert US_CHESS.preference(before[1]) is None


def test_third_colour_by_hand() -> None:
    twice = replace(AFTER_ONE, round=3, games=(*AFTER_ONE.games, game(2, 1, 2, "1-0"), game(2, 4, 3, "1-0")))
    (concern,) = (
        one for one in US_CHESS.concerns(twice, HandMadeDraft(((1, 4),))) if one.code == "third_colour"
    )
    assert concern == Concern("third_colour", Level.PROCEED, (1,), ("27A4",), colour=Colour.WHITE, count=3)


def test_rematch_by_hand_names_the_rounds_of_these_two_alone() -> None:
    later = replace(AFTER_ONE, round=3, games=(*AFTER_ONE.games, game(2, 1, 2, "1-0"), game(2, 4, 3, "1-0")))
    found = US_CHESS.concerns(later, HandMadeDraft(((1, 2), (3, 4))))
    rematches = [(one.players, one.rounds) for one in found if one.code == "rematch"]
    assert rematches == [((1, 2), (2,)), ((3, 4), (2,))]


@pytest.mark.parametrize(
    ("colours", "white", "rule"),
    [
        (("w", "b"), False, UsChessColourRule.BOTH),
        (("", "w"), True, UsChessColourRule.ONE_DUE),
        (("b", ""), True, UsChessColourRule.ONE_DUE),
        (("w", "w"), False, UsChessColourRule.HIGHER),
    ],
)
def test_colours_of_a_pair_have_their_rule(
    colours: tuple[str, str], white: bool, rule: UsChessColourRule
) -> None:
    """One of the two may have played no game: then one alone is due a colour (5.3)."""
    assert white_of(*colours) == (white, rule)


def test_bracket_has_the_players_of_its_score_and_those_who_float_into_it() -> None:
    brackets = US_CHESS.explain(AFTER_ONE, US_CHESS.pair(AFTER_ONE)).trace.brackets
    assert [(one.score, one.residents, one.upfloaters) for one in brackets] == [
        (10, (1, 2, 4), (3,)),
        (5, (7,), (8,)),
        (0, (5, 6), ()),
    ]


def test_fewest_forbidden_pairs_are_allowed_so_that_a_round_exists() -> None:
    assert US_CHESS.relaxations(AFTER_ONE) == ()
    everybody = frozenset((one, other) for one in range(1, 9) for other in range(one + 1, 9))
    free = {(1, 2), (3, 4), (5, 6)}
    barred = replace(AFTER_ONE, forbidden=everybody - free)
    with pytest.raises(NoLegalPairing) as stopped:
        US_CHESS.pair(barred)
    assert stopped.value.params == {"players": tuple(range(1, 9))}
    (proposed,) = US_CHESS.relaxations(barred)
    assert proposed == Relaxation(RelaxationKind.FORBIDDEN, (7, 8))
    US_CHESS.pair(replace(barred, forbidden=barred.forbidden - {proposed.players}))
    odd = replace(barred, absent=frozenset({8}), forbidden=everybody - {(1, 2), (3, 4)})
    assert [len(one.players) for one in US_CHESS.relaxations(odd)] == [2]


# --- files and the command line


@for_seeds(20, in_a_case=20)
def test_generated_tournaments_agree_with_the_checker(seed: int) -> None:
    settings = GeneratorSettings(
        players=12 + seed % 9, rounds=4, system="uschess", options={"team_rule": "dont"}
    )
    report = read_report(write_report(generate(str(seed), settings).report))
    assert {check.differences for check in check_rounds(report, system="uschess")} == {()}


def test_command_line_pairs_and_explains_players_without_a_rating(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = GeneratorSettings(players=9, rounds=3, system="uschess", accelerated=False)
    data = (
        write_report(generate("us", settings).report).replace(b"142 3", b"142 4").replace(b"XXR 3", b"XXR 4")
    )
    file = tmp_path / "us.trf"
    file.write_bytes(data)
    assert main(["--uschess", str(file), "-p", "--option", "harkness=on"]) == 0
    tournament = to_tournament(read_report(data), round=4, system="uschess", options={"harkness": "on"})
    pairing = US_CHESS.pair(tournament)
    printed = capsys.readouterr().out.split()[1:]
    pairs = [(int(one), int(other)) for one, other in zip(printed[::2], printed[1::2], strict=True)]
    assert pairs == [
        *((pair.white, pair.black) for pair in pairing.pairs),
        *([(pairing.bye, 0)] if pairing.bye else []),
    ]
    assert main(["--uschess", str(file), "--explain"]) == 0
    assert "The whole round" in capsys.readouterr().out
    assert words_of("uschess").heading({}).startswith("Rules of US Chess")
