"""Any other legal round must depart from an article that the verdict names, and our round from none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.peers.histories import OPEN, UNRULY, tournaments
from bench.peers.peer import PeerAnswer
from bench.peers.verdict import OracleFacts, departures
from evenboard_engine import Bye, ByeKind, NoLegalPairing, Player, RoundPairing, Tournament, pair_round
from evenboard_engine.findings import Published
from evenboard_engine.systems.dubov.checking import compare


def answer_of(pairing: RoundPairing) -> PeerAnswer:
    return PeerAnswer(pairs=frozenset((pair.white, pair.black) for pair in pairing.pairs), bye=pairing.bye)


def rounds(seeds: range) -> Iterator[tuple[Tournament, RoundPairing]]:
    for seed in seeds:
        size = 6 + seed % 9
        for tournament in tournaments(size, 7, seed, wanted=range(1, 8), habits=UNRULY if seed % 2 else OPEN):
            try:
                yield tournament, pair_round(tournament)
            except NoLegalPairing:
                continue


def other_answer(rng: Random, tournament: Tournament) -> PeerAnswer | None:
    """Return a random legal round, or None if this attempt finds none."""
    facts = OracleFacts(tournament)
    left = sorted(facts.present)
    rng.shuffle(left)
    bye = None
    if len(left) % 2:
        possible = [player for player in left if not facts.players[player].barred]
        if not possible:
            return None
        bye = possible[0]
        left.remove(bye)
    pairs = set()
    while left:
        one = left.pop()
        others = [p for p in left if facts.legal(facts.players[one], facts.players[p])]
        if not others:
            return None
        left.remove(others[0])
        pairs.add((one, others[0]))
    return PeerAnswer(pairs=frozenset(pairs), bye=bye)


def neighbour(rng: Random, tournament: Tournament, ours: PeerAnswer) -> PeerAnswer | None:
    """Return our answer with the partners of two pairs exchanged, or None if that is illegal."""
    facts = OracleFacts(tournament)
    pairs = sorted(ours.pairs)
    (a, b), (c, d) = rng.sample(pairs, 2)
    changed = {(a, d), (c, b)} if rng.random() < 0.5 else {(a, c), (b, d)}
    if not all(facts.legal(facts.players[one], facts.players[other]) for one, other in changed):
        return None
    kept = set(pairs) - {(a, b), (c, d)}
    return PeerAnswer(pairs=frozenset(kept | changed), bye=ours.bye)


def turned(rng: Random, ours: PeerAnswer) -> PeerAnswer:
    """Return our answer with the colours of one pair swapped."""
    pair = rng.choice(sorted(ours.pairs))
    return PeerAnswer(pairs=ours.pairs - {pair} | {pair[::-1]}, bye=ours.bye)


def test_our_own_answer_departs_from_no_article() -> None:
    for tournament, ours in rounds(range(20)):
        assert departures(tournament, ours, answer_of(ours)) == ()


def test_any_other_legal_round_departs_from_an_article_and_ours_does_not() -> None:
    rng = Random(1)
    articles = set()
    for tournament, ours in rounds(range(90)):
        mine = answer_of(ours)
        others = [other_answer(rng, tournament) for _ in range(3)]
        others += [neighbour(rng, tournament, mine) for _ in range(3)] if len(mine.pairs) > 1 else []
        others += [turned(rng, mine)]
        for other in others:
            if other is None or (other.pairs, other.bye) == (mine.pairs, mine.bye):
                continue
            found = departures(tournament, ours, other)
            assert found
            assert [departure for departure in found if departure.ours] == []
            articles |= {departure.article.split()[0] for departure in found}
    assert articles >= {
        *("2.1.3", "2.1.4", "2.1.5", "2.2.3", "2.2.4.2", "2.2.6"),
        *("3.3.1", "3.3.2", "3.3.3", "4.2"),
        *("5.2.1", "5.2.2", "5.2.3", "5.2.4"),
    }


def test_the_checker_names_the_same_articles() -> None:
    """The checker uses the engine's functions, the verdict the oracle's facts; both must find the same article."""
    same = {"2.2.6": "4.4", "2.2.3": "2.2.4.1"}  # the verdict names the step, the checker the order within it
    rng = Random(2)
    for tournament, ours in rounds(range(1, 61)):
        mine = answer_of(ours)
        other = other_answer(rng, tournament)
        others = [answer for answer in (other, turned(rng, mine)) if answer]
        for answer in others:
            byes = () if answer.bye is None else (answer.bye,)
            differing = compare(
                tournament, Published(tournament.round, tuple(sorted(answer.pairs)), byes), ours
            )
            found = [departure.article.split()[0] for departure in departures(tournament, ours, answer)]
            checked = [difference.article for difference in differing]
            if checked[:1] and checked[0].startswith("5.2"):
                assert sorted(found) == sorted(checked)
            else:
                assert [same.get(article, article) for article in found[:1]] == checked[:1]


def test_a_rematch_departs_from_c1() -> None:
    tournament, ours = next(
        (t, pairing) for t, pairing in rounds(range(1)) if t.round == 2 and pairing.bye is None
    )
    again = [(game.white, game.black) for game in tournament.games]
    assert len(again) * 2 == len(OracleFacts(tournament).present)
    found = departures(tournament, ours, PeerAnswer(pairs=frozenset(again)))
    assert [departure.article for departure in found] == ["3.1.1 (C1)"]


def test_a_second_bye_departs_from_c2_and_a_full_point_bye_by_reading_d3() -> None:
    players = tuple(Player(i, i, 2000 - i) for i in range(1, 4))
    for kind, article in ((ByeKind.ALLOCATED, "3.1.2 (C2)"), (ByeKind.FULL, "3.1.2 (C2, reading D3)")):
        tournament = Tournament(
            rounds=3, round=2, players=players, byes=(Bye(1, 3, kind), Bye(1, 1, ByeKind.ZERO)),
            initial_colour=None,
        )  # fmt: skip
        ours = RoundPairing(round=2, pairs=(), bye=1)
        found = departures(tournament, ours, PeerAnswer(pairs=frozenset({(1, 2)}), bye=3))
        assert [departure.article for departure in found] == [article]


def test_an_answer_without_a_player_departs_from_1_8_1() -> None:
    tournament, ours = next(rounds(range(1)))
    mine = answer_of(ours)
    found = departures(tournament, ours, PeerAnswer(pairs=frozenset(sorted(mine.pairs)[1:]), bye=mine.bye))
    assert [departure.article for departure in found] == ["1.8.1"]


def test_no_answer_departs_if_a_legal_round_exists_and_agrees_if_none_does() -> None:
    tournament, ours = next(rounds(range(1)))
    assert [d.article for d in departures(tournament, ours, PeerAnswer(error="gave up"))] == ["1.8.3"]
    assert departures(tournament, None, PeerAnswer(error="gave up")) == ()
    (fault,) = departures(tournament, None, answer_of(ours))
    assert fault.ours
