"""What to relax where no round keeps the limitations of 1997, compared with a search through all rounds."""

from __future__ import annotations

from collections import Counter
from random import Random

from evenboard_engine import Bye, ByeKind, Relaxation, RelaxationKind, Tournament
from evenboard_engine.findings import Published
from evenboard_engine.systems.dubov1997.system import DUBOV_1997
from evenboard_engine.tests.systems.dubov1997.test_system import DRAW, STUCK, played
from evenboard_engine.tests.test_relax import all_rounds
from evenboard_engine.words.dubov1997.differences import sentence

REMATCH, BYE, COLOUR, _FORBIDDEN = RelaxationKind
EVERYBODY_MET = (
    (1, 1, 2, DRAW),
    (1, 3, 4, DRAW),
    (2, 3, 1, DRAW),
    (2, 4, 2, DRAW),
    (3, 1, 4, DRAW),
    (3, 2, 3, DRAW),
)


def at_random(random: Random) -> Tournament:
    """Four or five players after some rounds with any pairs, colours and byes."""
    players = random.choice((4, 5))
    games, byes = [], []
    for number in range(1, random.randint(4, 6)):
        order = random.sample(range(1, players + 1), players)
        games += [(number, order[0], order[1], DRAW), (number, order[2], order[3], DRAW)]
        byes += [Bye(number, order[4], ByeKind.ALLOCATED)] if players == 5 else []
    return played(*games, players=players, byes=tuple(byes))


def breaks(asked: Tournament, group: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the broken rules of a pair or a bye: rematch, second bye, colour."""
    if len(group) == 1:
        return 0, int(group[0] in {bye.player for bye in asked.byes}), 0
    sides = {
        key: [game.white == key for game in asked.games if key in (game.white, game.black)] for key in group
    }
    met = any({game.white, game.black} == set(group) for game in asked.games)

    def may(key: int, white: bool) -> bool:
        after = [*sides[key], white]
        return abs(2 * sum(after) - len(after)) <= 2 and after[-3:] != [white] * 3

    one, other = group
    ways = (may(one, True) and may(other, False)) or (may(one, False) and may(other, True))
    return int(met), 0, int(not ways)


def test_proposals_break_the_fewest_rules() -> None:
    random, seen = Random(97), Counter[str]()
    for _ in range(150):
        asked = at_random(random)
        sums = [
            tuple(map(sum, zip(*(breaks(asked, group) for group in groups), strict=True)))
            for groups in all_rounds(tuple(player.id for player in asked.players))
        ]
        proposed = Counter(one.kind for one in DUBOV_1997.relaxations(asked))
        assert tuple(proposed[kind] for kind in (REMATCH, BYE, COLOUR)) == min(sums)
        seen.update(kind.name for kind in proposed)
    assert set(seen) == {"REMATCH", "SECOND_BYE", "SAME_COLOUR"}


def test_two_rematches_are_proposed_where_everybody_has_met() -> None:
    asked = played(*EVERYBODY_MET, players=4, rounds=5)
    assert DUBOV_1997.offer(asked) is None
    found = DUBOV_1997.relaxations(asked)
    assert [one.kind for one in found] == [REMATCH, REMATCH]
    assert sorted(key for one in found for key in one.players) == [1, 2, 3, 4]


def test_forbidden_pair_is_named_with_the_rule_that_it_also_breaks() -> None:
    asked = played((1, 1, 2, DRAW), players=2, forbidden=frozenset({(1, 2)}))
    assert DUBOV_1997.relaxations(asked) == (
        Relaxation(REMATCH, (1, 2)),
        Relaxation(RelaxationKind.FORBIDDEN, (1, 2)),
    )


def test_nothing_is_proposed_where_a_round_is_offered() -> None:
    assert DUBOV_1997.relaxations(STUCK) == ()


def test_check_does_not_name_an_offer_where_there_is_none() -> None:
    asked = played(*EVERYBODY_MET, players=4, rounds=5)
    found = DUBOV_1997.compare(asked, Published(4, ((1, 2), (4, 3))), None)
    assert [sentence(one) for one in found] == [
        "round 4: no round keeps the limitations of the rules, so nothing is offered (9)",
        "round 4: 1 and 2 have met before (2.1)",
        "round 4: 4 and 3 have met before (2.1)",
    ]
