"""The Dubov System of 1997 as one of the pairing systems: refusal and offer, checks, pairing by hand, due colours."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evenboard_engine import (
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Game,
    InvalidTournament,
    NoLegalPairing,
    Player,
    Result,
    Tournament,
    histories,
    pair_round,
)
from evenboard_engine.cli.command import main
from evenboard_engine.findings import HandMadeDraft, Published
from evenboard_engine.preference import Preference
from evenboard_engine.systems.dubov1997.explaining.reasons import REASONS
from evenboard_engine.systems.dubov1997.pairing.field import field_of
from evenboard_engine.systems.dubov1997.system import DUBOV_1997
from evenboard_engine.tests.systems.dubov1997.asking import ask_engine
from evenboard_engine.tests.systems.dubov1997.examples import examples
from evenboard_engine.tests.systems.dubov1997.values import Case, Paired, Person
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trace import Reason
from evenboard_engine.words.dubov1997.sentences import SENTENCES
from evenboard_engine.words.dubov1997.words import DUBOV_1997_WORDS
from evenboard_engine.words.explanation import Statement, together

GIVEN_TO_4 = (
    "The number of players is odd, so one gets the bye: 4. Of those who may have it the lowest score comes first, then "
    "the lowest rating, then the colour that is due to more players of this score, then the higher ARO."
)
IN_ORDER = (
    "These players are free, by score, rating and number: 2, 5, 1 and 3. Each in turn meets the next one with whom "
    "the others can still be paired."
)
WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def tables() -> dict[str, Tournament]:
    """The worked examples that are cross tables, by their number."""
    return {example.title.split(".")[0]: example.tournament for example in examples() if example.tournament}


STUCK = tables()["10"]
SEVEN = tables()["7"]


def played(
    *results: tuple[int, int, int, Result], players: int, rounds: int = 9, **more: object
) -> Tournament:
    """A tournament before the next round. results: round, White, Black, result. Ratings: 2000, 1990, 1980 ..."""
    return Tournament(
        rounds=rounds,
        round=max((row[0] for row in results), default=0) + 1,
        players=tuple(Player(number, number, 2010 - 10 * number) for number in range(1, players + 1)),
        games=tuple(Game(*row) for row in results),
        initial_colour=Colour.WHITE,
        system="dubov-1997",
        **more,
    )


def pairs_of(tournament: Tournament) -> list[tuple[int, int]]:
    return [(pair.white, pair.black) for pair in pair_round(tournament).pairs]


# --- where the procedure cannot finish


def test_round_that_cannot_finish_is_refused_with_all_that_was_tried() -> None:
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(STUCK)
    error = refused.value
    assert (error.code, error.params) == ("cannot_finish", {"players": (1, 3), "where": "last_group"})
    words = DUBOV_1997_WORDS.explanation(str, tournament=STUCK)
    tried = [statement.text for statement in words.reasons(error.reasons)]
    assert tried[0] == GIVEN_TO_4
    assert tried[-2:] == [
        "After the last score these players have no opponent: 1 and 3. The rules leave this to the arbiter.",
        "1 and 3 have already met in round 1.",
    ]


def test_offer_says_how_it_was_made_and_is_explained() -> None:
    offer = DUBOV_1997.offer(STUCK)
    assert offer is not None
    assert [(pair.white, pair.black) for pair in offer.pairing.pairs] == [(2, 1), (3, 5)]
    words = DUBOV_1997_WORDS.explanation(str, tournament=STUCK)
    assert [statement.text for statement in words.reasons(offer.reasons)] == [
        "1 pair is undone, the last one that was made: 2 with 5. The other pairs stay.",
        IN_ORDER,
    ]
    explanation = DUBOV_1997.explain(STUCK, offer.pairing).player(2)
    assert (explanation.player, explanation.opponent) == (2, 1)
    assert [answer.reasons[0].code for answer in explanation.answers] == ["offer_pair", "colour_due"]


def test_offer_with_another_bye_names_it_and_says_why_not_the_first() -> None:
    tournament = played((1, 1, 2, DRAW), players=3, byes=(Bye(1, 3, ByeKind.HALF),))
    offer = DUBOV_1997.offer(tournament)
    assert offer is not None
    assert offer.reasons == (Reason("other_bye", {"player": 2}), Reason("offered_order", {"players": (1, 3)}))
    explainer = DUBOV_1997.explain(tournament, offer.pairing)
    bye = explainer.trace.bye
    assert [(one.player, one.reason) for one in bye.passed] == [(3, Reason("bye_rest", {"player": 3}))]
    assert (bye.player, explainer.why_not_bye(3)) == (2, Reason("bye_rest", {"player": 3}))


def test_players_of_an_offer_are_shown_from_the_highest_score_down() -> None:
    rows = ((1, 1, 2, WHITE), (1, 3, 4, DRAW))
    tournament = played(*rows, players=4, forbidden=frozenset({(2, 3)}))
    offer = DUBOV_1997.offer(tournament)
    assert offer is not None
    brackets = DUBOV_1997.explain(tournament, offer.pairing).trace.brackets
    assert [(one.score, one.residents) for one in brackets] == [(10, (1,))]


def test_nothing_is_offered_where_the_procedure_finishes_or_no_round_exists() -> None:
    assert DUBOV_1997.offer(SEVEN) is None
    two = played((1, 1, 2, DRAW), players=2)
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(two)
    assert refused.value.reasons[-1].code == "no_round"
    assert DUBOV_1997.offer(two) is None


def test_nobody_may_have_the_bye() -> None:
    byes = tuple(Bye(1, player, ByeKind.FULL) for player in (1, 2, 3))
    tournament = replace(played(players=3), round=2, byes=byes)
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament)
    assert (refused.value.params["where"], refused.value.params["players"]) == ("bye", (1, 2, 3))
    assert [reason.code for reason in refused.value.reasons[1:4]] == ["bye_full_point"] * 3


def test_round_1_without_a_lawful_order_is_offered_by_score_and_rating() -> None:
    forbidden = frozenset({(1, 3), (1, 4)})
    tournament = played(players=4, forbidden=forbidden)
    with pytest.raises(NoLegalPairing) as refused:
        pair_round(tournament)
    where = ("stuck_round_1", "forbidden", "forbidden")
    assert tuple(reason.code for reason in refused.value.reasons) == where
    offer = DUBOV_1997.offer(tournament)
    assert offer is not None
    assert [(pair.white, pair.black) for pair in offer.pairing.pairs] == [(2, 1), (4, 3)]
    assert offer.reasons[0].code == "undone_none"


def test_command_line_says_what_is_offered_and_exits_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (
        (1, 2212, "3 w ="),
        (2, 2148, "4 b 1"),
        (3, 1923, "1 b ="),
        (4, 1835, "2 w 0"),
        (5, 1667, "0000 - U"),
    )
    lines = [player_line(entry, starting_rank=rank, rating=rating) for rank, rating, entry in rows]
    file = tmp_path / "stuck.trf"
    file.write_bytes(as_file(*lines, "XXR 3", "152 W"))
    assert main(["--dubov-1997", str(file), "-p"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "pairing: these players are left over: 1 3" in lines
    assert lines[-4:] == ["pairing: 3", "pairing: 2 1", "pairing: 3 5", "pairing: 4 0"]
    assert main(["--dubov-1997", str(file), "--explain"]) == 1
    explained = capsys.readouterr()
    assert explained.err.splitlines() == lines[:2]
    assert [f"pairing: {line}" for line in explained.out.splitlines()] == lines[2:]


def test_summary_of_a_check_names_no_options_where_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "made.trf"
    assert main(["--dubov-1997", "-g", "-o", str(file), "-s", "summary"]) == 0
    assert main(["--dubov-1997", str(file), "-c", "2"]) == 0
    assert capsys.readouterr().out == f"{file}: 1 round checked, no difference\n"


# --- input


def test_initial_colour_is_needed_in_round_1_only() -> None:
    with pytest.raises(InvalidTournament, match="initial_colour_missing"):
        pair_round(replace(SEVEN, initial_colour=None))
    later = played((1, 1, 3, DRAW), (1, 4, 2, DRAW), players=4)
    assert pairs_of(replace(later, initial_colour=None)) == pairs_of(later)


def test_aro_is_never_rounded() -> None:
    """Rounded to integers, the AROs of 1 and 2 would be equal, and then the lower rating would come first."""
    games = ((1, 5, 1, DRAW), (2, 6, 1, DRAW), (3, 7, 1, DRAW))
    ratings = (2400, 2300, 2200, 2100, 2000, 2000, 2001)
    players = tuple(Player(number, number, rating) for number, rating in enumerate(ratings, start=1))
    field = field_of(replace(played(*games, players=7), players=players))
    assert field.entrants[field.seat_of[1]].aro == Fraction(6001, 3)
    third = Fraction(1, 3)
    whites = [
        Person(1, 2000, Fraction(0), "b", Fraction(1500)),
        Person(2, 1900, Fraction(0), "b", 1500 + third),
    ]
    blacks = [
        Person(3, 2100, Fraction(0), "w", Fraction(1500)),
        Person(4, 2050, Fraction(0), "w", Fraction(1500)),
    ]
    assert ask_engine(Case(2, 5, (*whites, *blacks))) == Paired(((1, 3), (2, 4)))


def test_picture_and_sentences_show_the_decimals_of_an_aro() -> None:
    games = ((1, 1, 2, DRAW), (1, 4, 3, DRAW), (2, 3, 1, DRAW), (2, 2, 4, DRAW))
    ratings = {1: 2001, 2: 1800, 3: 1701, 4: 1500}
    tournament = replace(
        played(*games, players=4), players=tuple(Player(key, key, rating) for key, rating in ratings.items())
    )
    trace = pair_round(tournament, trace=True).trace
    assert trace is not None
    (bracket,) = trace.brackets
    assert {member.id: member.aro for member in (*bracket.g1, *bracket.g2)} == {
        1: 1750.5,
        2: 1750.5,
        3: 1750.5,
        4: 1750.5,
    }
    sentences = DUBOV_1997_WORDS.explanation(str, tournament=tournament).bracket(bracket)
    assert "White column, lowest ARO first: 4 (1750.5) and 1 (1750.5)." in [one.text for one in sentences]


def test_virtual_points_do_not_count_and_a_rating_of_0_does() -> None:
    lent = Acceleration(1, 3, 10, frozenset({1, 2}))
    plain = played((1, 1, 3, WHITE), (1, 4, 2, DRAW), players=4)
    assert pairs_of(replace(plain, accelerations=(lent,))) == pairs_of(plain)
    unrated = replace(plain, players=(*plain.players[:3], Player(4, 4, 0)))
    assert len(pairs_of(unrated)) == 2


def test_each_article_stands_once_in_the_margin() -> None:
    words = DUBOV_1997_WORDS.explanation(str, tournament=STUCK)
    assert words.reason(Reason("island_alone", {"player": 1})).articles == ("7.1 D",)
    assert words.reason(Reason("bye_given", {"player": 1})).articles == ("4 D",)
    both = together(
        [Statement("", ("7.1", "7.1 D")), Statement("", ("7.2", "7.2 R", "7.2 D", "7.1", "C1 3.1.1"))]
    )
    assert both.articles == ("7.1 D", "7.2 R D", "C1 3.1.1")


# --- what pages ask


@pytest.mark.parametrize(
    ("colours", "due"),
    [
        ("", None),
        ("w", Preference(Colour.BLACK)),
        ("wb", Preference(Colour.WHITE)),
        ("bb", Preference(Colour.WHITE)),
        ("wbww", Preference(Colour.BLACK)),
        ("bwbwb", Preference(Colour.WHITE)),
    ],
)
def test_due_colour(colours: str, due: Preference | None) -> None:
    rows = [
        (number, 1, number + 1, DRAW) if colour == "w" else (number, number + 1, 1, DRAW)
        for number, colour in enumerate(colours, start=1)
    ]
    past = histories(played(*rows, players=8))[1]
    assert DUBOV_1997.preference(past) == due


def test_limit_of_rises_depends_on_the_rounds() -> None:
    assert [DUBOV_1997.upfloat_limit(rounds) for rounds in (5, 9, 10, 13)] == [3, 3, 4, 4]
    assert DUBOV_1997.lists == ("aro",)


def test_forfeit_against_more_points_is_a_rise() -> None:
    tournament = played((1, 1, 2, WHITE), (2, 1, 2, Result.DOUBLE_FORFEIT), players=4)
    assert histories(tournament)[2].upfloats == (2,)


def test_every_reason_has_articles_and_a_sentence() -> None:
    heads = {"groups", "floats", "missed"}
    by_case = {"group_empty", "rise_barred_last", "barred_from_rising_last", "offer_rise_last"}
    assert set(REASONS) - heads == set(SENTENCES) - by_case


def test_marks_tell_what_is_restored_and_what_is_decided() -> None:
    assert DUBOV_1997.articles_of("riser", {}) == ("7.2", "7.2 R", "7.2 D")
    assert DUBOV_1997.articles_of("colour_equalise", {}) == ("3 R",)
    assert DUBOV_1997.articles_of("met", {}) == ("2.1",)


# --- a round that was published, and one that is paired by hand


def test_published_round_is_compared_with_the_first_decision_that_differs() -> None:
    right = pair_round(SEVEN)
    found = Published(1, ((5, 1), (2, 7), (6, 4)))
    (difference,) = DUBOV_1997.compare(SEVEN, found, right)
    assert DUBOV_1997_WORDS.difference(difference) == (
        "round 1: 2 plays 7, but must play 6; 1 pair after it differs too (5)"
    )
    turned = Published(1, ((1, 5), (2, 6), (7, 4)))
    (difference,) = DUBOV_1997.compare(SEVEN, turned, right)
    assert (
        DUBOV_1997_WORDS.difference(difference) == "round 1: 1 has White against 5, but 5 must have White (5)"
    )


def test_published_round_breaks_limits() -> None:
    tournament = played((1, 1, 3, WHITE), (1, 4, 2, DRAW), players=4)
    found = DUBOV_1997.compare(tournament, Published(2, ((3, 1), (2, 4))), pair_round(tournament))
    assert [(one.code, one.article, one.found) for one in found][:2] == [
        ("rematch", "2.1", (3, 1)),
        ("rematch", "2.1", (2, 4)),
    ]
    with_bye = tables()["8"]
    (bye, *_rest) = DUBOV_1997.compare(with_bye, Published(3, ((2, 5), (3, 1)), (4,)), pair_round(with_bye))
    assert (bye.code, bye.article, bye.found, bye.expected) == ("bye", "2.2", (4,), (2,))


def test_round_that_the_procedure_cannot_finish_is_compared_with_the_limits() -> None:
    found = DUBOV_1997.compare(STUCK, Published(2, ((1, 3), (2, 5)), (4,)), None)
    assert [(one.code, one.article) for one in found] == [("cannot_finish", "9"), ("rematch", "2.1")]


def test_concerns_about_a_round_by_hand() -> None:
    rows = ((1, 1, 2, WHITE), (2, 1, 3, WHITE), (1, 4, 3, DRAW), (2, 4, 2, WHITE))
    tournament = played(*rows, players=5, byes=(Bye(1, 5, ByeKind.ALLOCATED),))
    found = DUBOV_1997.concerns(tournament, HandMadeDraft(((1, 2), (3, 4)), 5))
    assert [(one.code, one.players, one.articles) for one in found] == [
        ("rematch", (1, 2), ("2.1",)),
        ("third_colour", (1,), ("2.4", "2.6")),
        ("colour_difference", (1,), ("2.3", "2.6")),
        ("third_colour", (2,), ("2.4", "2.6")),
        ("colour_difference", (2,), ("2.3", "2.6")),
        ("both_opposite", (1, 2), ("1 R",)),
        ("rise_again", (2,), ("2.5", "2.5 D")),
        ("float", (2, 1), ("6.1",)),
        ("rematch", (3, 4), ("2.1",)),
        ("rise_again", (3,), ("2.5", "2.5 D")),
        ("float", (3, 4), ("6.1",)),
        ("bye_had", (5,), ("2.2",)),
    ]
    assert {one.code for one in found} <= set(DUBOV_1997_WORDS.concerns)


def test_colours_turned_by_hand_are_named_in_round_1() -> None:
    found = DUBOV_1997.concerns(played(players=4), HandMadeDraft(((3, 1), (4, 2))))
    assert [(one.code, one.players, one.articles) for one in found] == [("colours", (1, 3), ("5",))]


def test_last_reason_against_the_bye_is_the_number() -> None:
    """2.2: of players with the same score, rating and ARO, and no colour due to more of them, the larger number."""
    made = played((1, 1, 3, DRAW), (1, 4, 2, DRAW), players=5, byes=(Bye(1, 5, ByeKind.ALLOCATED),))
    alike = replace(made, players=tuple(replace(player, rating=2000) for player in made.players))
    explainer = DUBOV_1997.explain(alike, pair_round(alike))
    assert [explainer.why_not_bye(player) for player in (3, 5)] == [
        Reason("bye_smaller_number", {"player": 3, "other": 4}),
        Reason("bye_had", {"player": 5, "round": 1}),
    ]


def test_rounds_of_earlier_meetings_are_in_order() -> None:
    rows = ((1, 1, 2, WHITE), (2, 2, 1, DRAW))
    backwards = played(*rows[::-1], players=2)
    assert [game.round for game in backwards.games] == [2, 1]
    found = DUBOV_1997.concerns(backwards, HandMadeDraft(((1, 2),)))
    assert [one.rounds for one in found if one.code == "rematch"] == [(1, 2)]


def test_player_with_a_requested_bye_can_be_paired_by_hand() -> None:
    tournament = played((1, 1, 3, WHITE), (1, 4, 2, DRAW), players=4, byes=(Bye(2, 3, ByeKind.HALF),))
    found = DUBOV_1997.concerns(tournament, HandMadeDraft(((3, 1),)))
    assert [(one.code, one.players) for one in found] == [("rematch", (3, 1)), ("float", (3, 1))]


def test_concerns_about_the_bye_by_hand() -> None:
    tournament = played((1, 1, 2, WHITE), (1, 3, 4, DRAW), players=5, absent=frozenset())
    found = DUBOV_1997.concerns(replace(tournament, byes=(Bye(1, 5, ByeKind.HALF),)), HandMadeDraft((), 1))
    assert [(one.code, one.players, one.points) for one in found] == [("bye_score", (1, 2), (10, 0))]


def test_colours_of_two_players_who_are_paired_by_hand() -> None:
    later = played((1, 1, 2, DRAW), (1, 4, 3, DRAW), players=4)
    assert DUBOV_1997.colours(later, 1, 3).white == 3
    assert DUBOV_1997.colours(replace(later, absent=frozenset({3})), 1, 3).white == 3
    assert [DUBOV_1997.colours(SEVEN, one, other).white for one, other in ((1, 5), (6, 2))] == [5, 2]
