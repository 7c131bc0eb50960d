"""Test the checker: it agrees with correct rounds, and names the article against which a file is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    InvalidTournament,
    NoLegalPairing,
    Result,
    Tournament,
    pair_round,
)
from evenboard_engine.checking.rounds import check_round, check_rounds, published_round
from evenboard_engine.findings import Published, RoundDifference
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.systems.dubov.articles import DubovRule
from evenboard_engine.systems.dubov.checking import compare
from evenboard_engine.tests.brute_force import (
    Field,
    bracket_quality,
    ids_of,
    lowest_scores_first,
    next_bracket,
    pair_bracket,
)
from evenboard_engine.tests.brute_history import is_to_be_paired, read_history
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.rules.build import tournament as field_of
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.trf.reports import reports
from evenboard_engine.trf import PlayerRecord, Report, RoundEntry, Rounds, TextRecord, TrfErrors

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def differences_of(
    tournament: Tournament, *pairs: tuple[int, int], byes: tuple[int, ...] = ()
) -> list[RoundDifference]:
    try:
        pairing = pair_round(tournament)
    except NoLegalPairing:
        pairing = None
    return list(compare(tournament, Published(tournament.round, pairs, byes), pairing))


def rules(
    tournament: Tournament, *pairs: tuple[int, int], byes: tuple[int, ...] = ()
) -> list[tuple[str, DubovRule]]:
    return [(one.code, one.rule) for one in differences_of(tournament, *pairs, byes=byes)]


# --- correct files


@pytest.mark.parametrize("seed", range(12))
def test_generated_rounds_have_no_difference(seed: int) -> None:
    checks = list(check_rounds(generate(f"right-{seed}", GeneratorSettings(players=9 + 5 * seed)).report))
    assert [check.differences for check in checks] == [()] * len(checks)
    assert len(checks) > 3


def test_boards_are_counted() -> None:
    report = generate(
        "boards", GeneratorSettings(players=10, half_byes=0, zero_byes=0, full_byes=0, late=0)
    ).report
    assert (check_round(report, 1).round, check_round(report, 1).boards) == (1, 5)


def test_a_file_without_the_number_of_rounds_counts_as_a_finished_tournament() -> None:
    report = generate("finished", GeneratorSettings(players=20, rounds=5, late=0)).report
    bare = Report(tuple(record for record in report.records if not isinstance(record, Rounds)))
    assert [check.differences for check in check_rounds(bare)] == [()] * 5


def test_players_without_a_rating_are_refused_or_get_one() -> None:
    players = (PlayerRecord(i, entries=_met(i)) for i in (1, 2))
    report = Report((Rounds(3), TextRecord("192", "FIDE_DUBOV"), *players))
    with pytest.raises(TrfErrors):
        check_round(report, 1)
    assert check_round(report, 1, unrated=1500).differences == ()


def _met(rank: int) -> tuple[RoundEntry, ...]:
    return (RoundEntry.of_game(3 - rank, Colour.WHITE if rank == 1 else Colour.BLACK, WIN),)


def test_forfeit_without_colours_agrees_with_either_colour() -> None:
    entries = {1: RoundEntry(2, None, "-"), 2: RoundEntry(1, None, "+")}
    players = [PlayerRecord(i, rating=2000, entries=(entries[i],)) for i in (1, 2)]
    assert published_round(Report((Rounds(3), *players)), 1) == Published(1, ((1, 2),), (), frozenset({1}))
    for colour in Colour:
        report = generate(
            "colourless", GeneratorSettings(players=2, rounds=1, initial_colour=colour, late=0)
        ).report
        head = tuple(record for record in report.records if not isinstance(record, PlayerRecord))
        assert check_round(Report((*head, *players)), 1).differences == ()


# --- wrong files


def test_wrong_transposition_is_reported() -> None:
    (difference,) = differences_of(field_of(8), (1, 6), (5, 2), (3, 7), (8, 4))
    assert difference == RoundDifference(
        round=1,
        code="transposition",
        rule=DubovRule.ORDER_OF_TRANSPOSITIONS,
        article="4.4",
        found=(1, 6),
        expected=(1, 5),
        score=0,
    )


def test_wrong_colours_are_reported_with_their_rule() -> None:
    first = field_of(4)
    assert differences_of(first, (3, 1), (4, 2)) == [
        RoundDifference(1, "colours", DubovRule.COLOUR_FIRST_GAME, "5.2.1", found=(3, 1), expected=(1, 3))
    ]
    second = field_of(4, (1, 1, 3, DRAW), (1, 4, 2, DRAW))
    pairs = [(pair.white, pair.black) for pair in pair_round(second).pairs]
    flipped = [pairs[0][::-1], *pairs[1:]]
    assert rules(second, *flipped) == [("colours", DubovRule.COLOUR_BOTH)]


def test_pairs_inside_a_subgroup_are_reported_as_wrong_shifters() -> None:
    assert rules(field_of(8), (1, 2), (5, 6), (3, 7), (8, 4))[0] == ("shifters", DubovRule.FIRST_SHIFT)


def test_rematches_forbidden_pairs_and_equal_absolute_preferences_are_reported() -> None:
    once = field_of(4, (1, 1, 3, DRAW), (1, 4, 2, DRAW))
    twice = field_of(4, (1, 1, 3, DRAW), (1, 4, 2, DRAW), (2, 1, 2, DRAW), (2, 4, 3, DRAW))
    apart = replace(once, forbidden=frozenset({(2, 3)}))
    none = ("no_legal_round", DubovRule.NO_PAIRING)
    assert rules(once, (1, 3), (2, 4))[:2] == [("rematch", DubovRule.C1)] * 2
    assert rules(apart, (1, 4), (2, 3))[0] == ("forbidden_pair", DubovRule.C1)
    assert rules(twice, (1, 4), (2, 3))[:3] == [none, *[("same_absolute_preference", DubovRule.C3)] * 2]


def test_bye_for_the_wrong_player_is_reported_with_the_first_rule_that_it_breaks() -> None:
    assert rules(field_of(7), (1, 4), (5, 2), (3, 7), byes=(6,))[0] == ("bye", DubovRule.BYE_LOWEST_RANKED)
    barred = field_of(3, (1, 1, 2, WIN))
    barred = replace(barred, byes=(_allocated(1, 3),))
    assert rules(barred, (2, 1), byes=(3,))[0] == ("bye", DubovRule.BYE_BARRED)
    scores = field_of(3, (1, 1, 2, WIN))
    assert differences_of(scores, (2, 3), byes=(1,))[0] == RoundDifference(
        2, "bye", DubovRule.BYE_LOWEST_SCORE, "2.1.3", found=(1,), expected=(2,), values=(10, 0)
    )
    assert rules(scores, (1, 2), byes=(3,))[0] == ("bye", DubovRule.BYE_LEAVES_A_PAIRING)
    games = field_of(5, (1, 1, 3, WIN), (1, 2, 4, WIN))
    assert rules(games, (1, 2), (3, 4), byes=(5,))[0] == ("bye", DubovRule.BYE_MOST_GAMES)


def _allocated(number: int, player: int) -> Bye:
    return Bye(number, player, ByeKind.ALLOCATED)


def test_two_byes_in_a_round_are_reported() -> None:
    assert rules(field_of(4), (1, 2), byes=(3, 4))[0] == ("several_byes", DubovRule.COMPLETE)


def test_too_few_upfloaters_for_the_players_below_are_reported_as_c4() -> None:
    games = [Game(1, 1, 3, WIN), Game(1, 2, 4, WIN), Game(2, 3, 4, DRAW)]
    before = replace(field_of(4), games=tuple(games), round=3)
    differences = differences_of(before, (1, 2), (3, 4))
    assert [(one.code, one.rule) for one in differences][:2] == [
        ("rematch", DubovRule.C1),
        ("upfloaters", DubovRule.C4),
    ]
    assert (differences[1].found, differences[1].expected) == ((), (3, 4))
    assert differences[2].code == "rest_unchecked"


def test_lower_brackets_are_judged_with_the_published_higher_ones() -> None:
    """One exchange in the first bracket is one difference, although the lower brackets differ because of it."""
    report = generate("cascade", GeneratorSettings(players=40, rounds=6, forfeits=0, late=0)).report
    board = published_round(report, 1)
    (a, b), (c, d) = board.pairs[0], board.pairs[2]
    tampered = Published(
        1, ((a, d), (c, b), *(p for p in board.pairs if p not in ((a, b), (c, d)))), board.byes
    )
    changed = _rewritten(report, tampered)
    assert {one.code for one in check_round(changed, 1).differences} <= {
        "transposition",
        "colours",
        "shifters",
    }
    assert [one.code for one in check_round(changed, 1).differences].count("transposition") <= 1


def _rewritten(report: Report, published: Published) -> Report:
    """Return the report up to this round, with the published pairs in the round."""
    entries = {bye: RoundEntry.of_bye(ByeKind.ALLOCATED) for bye in published.byes}
    for white, black in published.pairs:
        entries[white] = RoundEntry.of_game(black, Colour.WHITE, DRAW)
        entries[black] = RoundEntry.of_game(white, Colour.BLACK, DRAW)
    return Report(
        tuple(
            replace(
                record,
                entries=(
                    *record.entries[: published.round - 1],
                    entries.get(record.starting_rank, record.entry(published.round)),
                ),
            )
            if isinstance(record, PlayerRecord)
            else record
            for record in report.records
        )
    )


# --- compared with the oracle


def other_rounds(tournament: Tournament, rng: Random, count: int) -> Iterator[Published]:
    """Yield random legal rounds of the present players, with the correct bye."""
    try:
        pairing = pair_round(tournament)
    except NoLegalPairing:
        return
    history = read_history(tournament)
    here = [
        history[p.id] for p in tournament.players if is_to_be_paired(tournament, p) and p.id != pairing.bye
    ]
    field = Field(tournament, here)
    byes = () if pairing.bye is None else (pairing.bye,)
    for _ in range(count):
        order = rng.sample(here, len(here))
        pairs = [(one.id, two.id) for one, two in zip(order[::2], order[1::2], strict=True)]
        if pairs and all(two in field.partners[one] for one, two in pairs):
            yield Published(tournament.round, tuple(pairs), byes)


Verdict = tuple[DubovRule, tuple[object, object] | None]


def top_upfloater_rule(tournament: Tournament, published: Published) -> Verdict | None:
    """Return the rule that the upfloaters of the first bracket break, by the oracle, and what C7 to C10 count for the
    found and the best ones. None if they are right.
    """
    history = read_history(tournament)
    players = [history[side] for pair in published.pairs for side in pair]
    field = Field(tournament, players)
    residents, best = next_bracket(field, players)
    inside = ids_of(residents)
    mate = {**dict(published.pairs), **{two: one for one, two in published.pairs}}
    found = [history[mate[key]] for key in inside if mate[key] not in inside]
    if ids_of(found) == ids_of(best):
        return None
    if len(found) != len(best):
        return DubovRule.C5, None
    mine, theirs = (bracket_quality(field, residents, chosen) for chosen in (found, best))
    assert mine >= theirs
    for rule, one, two in zip(
        (DubovRule.C6, DubovRule.C7, DubovRule.C8, DubovRule.C9, DubovRule.C10), mine, theirs, strict=False
    ):
        if one != two:
            return rule, None if rule is DubovRule.C6 else (one, two)
    assert lowest_scores_first(found) == lowest_scores_first(best)
    return DubovRule.ORDER_OF_UPFLOATERS, None


def test_wrong_upfloaters_are_reported_with_the_oracle_s_criterion() -> None:
    seen: set[DubovRule] = set()
    for seed in (*range(25), 63, 108, 152):
        rng = Random(seed)
        for tournament, _ in random_rounds(seed, lambda _asked: None, sizes=(5, 6, 7, 8)):
            for published in other_rounds(tournament, rng, 15):
                top = max(read_history(tournament)[side].score for pair in published.pairs for side in pair)
                differences = compare(tournament, published, pair_round(tournament))
                found = [one for one in differences if one.code == "upfloaters" and one.score == top]
                expected = top_upfloater_rule(tournament, published)
                assert [one.rule for one in found] == ([] if expected is None else [expected[0]])
                if expected and expected[1]:
                    assert [one.values for one in found] == [expected[1]]
                seen.update(one.rule for one in found)
    assert seen >= {
        DubovRule.C5,
        DubovRule.C6,
        DubovRule.C7,
        DubovRule.C8,
        DubovRule.C9,
        DubovRule.C10,
        DubovRule.ORDER_OF_UPFLOATERS,
    }


def test_wrong_pairs_of_a_bracket_are_reported_with_the_oracle_s_pairs() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rng = Random(seed)
        for tournament, _ in random_rounds(seed, lambda _asked: None, sizes=(6, 8, 10)):
            history = read_history(tournament)
            for published in other_rounds(tournament, rng, 10):
                players = [history[side] for pair in published.pairs for side in pair]
                top = max(player.score for player in players)
                mate = {**dict(published.pairs), **{two: one for one, two in published.pairs}}
                residents = [player for player in players if player.score == top]
                joined = [history[mate[p.id]] for p in residents if mate[p.id] not in ids_of(residents)]
                field = Field(tournament, players)
                bracket = pair_bracket(field, residents, joined)
                found = {
                    one.code: one.values
                    for one in compare(tournament, published, pair_round(tournament))
                    if one.score == top and one.code != "upfloaters"
                }
                codes = set(found)
                right = all(mate[one] == two for one, two in zip(bracket.s1, bracket.t2, strict=True))
                crossing = all(mate[one] not in bracket.s1 for one in bracket.s1)
                if right:
                    assert codes == set()
                elif crossing:
                    assert codes == {"transposition"}
                else:
                    assert codes <= {"preferences", "shifters"}
                    assert len(codes) == 1
                if "preferences" in found:
                    theirs = [pair for pair in published.pairs if ids_of(residents) & set(pair)]
                    ours = zip(bracket.s1, bracket.t2, strict=True)
                    misses = tuple(sum(field.misses(*pair) for pair in pairs) for pairs in (theirs, ours))
                    assert found["preferences"] == misses
                seen |= codes
    assert seen == {"transposition", "preferences", "shifters"}


@given(reports())
@settings(deadline=None)
def test_any_report_is_checked_or_refused(report: Report) -> None:
    with suppress(TrfErrors, InvalidTournament):
        for check in check_rounds(report, unrated=1500):
            assert all(
                bool(difference.article) == (difference.code != "forbidden_pair")
                for difference in check.differences
            )


@for_seeds(60)
def test_any_published_round_is_compared_without_an_error(seed: int) -> None:
    """Rematches, illegal pairs, any bye: there is always an answer, and a wrong round always has a difference."""
    rng = Random(seed)
    for tournament, _ in random_rounds(seed, lambda _asked: None, sizes=(5, 8, 11, 16)):
        here = [player.id for player in tournament.players if is_to_be_paired(tournament, player)]
        order = rng.sample(here, len(here))
        byes = tuple(order[: len(order) % 2])
        rest = order[len(byes) :]
        pairs = tuple(zip(rest[::2], rest[1::2], strict=True))
        try:
            pairing = pair_round(tournament)
        except NoLegalPairing:
            pairing = None
        differences = compare(tournament, Published(tournament.round, pairs, byes), pairing)
        same = pairing is not None and (
            {(pair.white, pair.black) for pair in pairing.pairs} == set(pairs)
            and byes == (() if pairing.bye is None else (pairing.bye,))
        )
        assert (differences == ()) is same
