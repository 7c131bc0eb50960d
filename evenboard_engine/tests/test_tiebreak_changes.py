"""Values that are taken from those before a few results changed are the same as if they were computed again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from evenboard_engine import Bye, ByeKind, Game, OpenGame, Tournament
from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.random_rounds import FORFEITS, PLAYED
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_comparison import CODES
from evenboard_engine.tiebreaks import Values, ranking, read_list, without_ratings
from evenboard_engine.tiebreaks import changes as subject

RULES = read_list(",".join((*CODES, "PT", "OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM")))
STEPS = 4


@pytest.fixture
def _even_if_all_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "MOST", 1)


@pytest.mark.usefixtures("_even_if_all_change")
@for_seeds(120, in_a_case=120)
def test_values_after_changes_are_those_of_the_new_tournament(seed: int) -> None:
    """Most fields are so large that the values of many players stay."""
    source = Random(seed)
    past = [random_results(seed, fixed=seed % 3 == 0, most=9 if seed % 4 == 0 else 40)]
    capped, former = bool(seed % 5), None
    for _step in range(STEPS):
        now = past[-1]
        kept = Values(now, capped=capped, former=former)
        assert ranking(now, RULES, capped=capped, valued=kept) == ranking(now, RULES, capped=capped)
        former = kept
        past.append(source.choice(past) if source.random() < 0.15 else changed(now, source))  # or an undo
        capped ^= source.random() < 0.05


def changed(now: Tournament, source: Random) -> Tournament:
    """Return the tournament after one to three changes, seldom of the players."""
    for _each in range(source.choice((1, 1, 2, 3))):
        now = with_other_rounds(now, source)
    if source.random() < 0.1:
        out = source.choice(now.players)
        return without_ratings(now, [out.id])
    return now


def with_other_rounds(now: Tournament, source: Random) -> Tournament:
    """Return the tournament after one game of any round has another result, is open, has other colours, or is no more;
    or after a bye was given or taken away.
    """
    games, still_open, byes = list(now.games), list(now.open_games), list(now.byes)
    chance = source.random()
    if byes and chance < 0.1:
        byes.pop(source.randrange(len(byes)))
    elif byes and chance < 0.2:
        at = source.randrange(len(byes))
        byes[at] = byes[at]._replace(kind=source.choice((ByeKind.HALF, ByeKind.ZERO, ByeKind.FULL)))
    elif still_open and chance < 0.5:
        ended = still_open.pop(source.randrange(len(still_open)))
        games.append(Game(ended.round, ended.white, ended.black, source.choice(PLAYED)))
    elif games:
        one = games.pop(source.randrange(len(games)))
        chance = source.random()
        if chance < 0.3:
            still_open.append(OpenGame(one.round, one.white, one.black))
        elif chance < 0.4:
            games.append(one._replace(white=one.black, black=one.white))
        elif chance < 0.5:
            byes.append(Bye(one.round, one.white, ByeKind.HALF))
            byes.append(Bye(one.round, one.black, ByeKind.ALLOCATED))
        elif chance < 0.9:
            games.insert(0, one._replace(result=source.choice((*PLAYED, *FORFEITS))))
    return replace(now, games=tuple(games), open_games=tuple(still_open), byes=tuple(byes))


@for_seeds(20)
def test_values_of_another_round_are_computed_again(seed: int) -> None:
    now, rules = random_results(seed), read_list("BH,SB,ARO")
    before = Values(replace(now, round=now.round + 1), capped=True)
    ranking(now, rules, valued=before)
    assert ranking(now, rules, valued=Values(now, capped=True, former=before)) == ranking(now, rules)
