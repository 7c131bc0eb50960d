"""Sections of the rules of 1997 before a round that these cannot finish."""

from __future__ import annotations

import re

from tests.systems.toy_desk import SETTINGS, Desk
from tournaments.models import Round


def played(ratings: tuple[int, ...], *rounds: tuple[str, ...], planned: int = 3) -> Desk:
    """Return a section after these results, board by board."""
    made = Desk({**SETTINGS, "system": "dubov-1997", "rounds": str(planned)})
    for number, rating in enumerate(ratings, start=1):
        entry = {"name": f"Surname{number}, A", "rating": rating}
        made.done("entries/add/", **entry, rating_source="typed", first_round="1")
    made.done("initial-colour/", colour="w")
    for results in rounds:
        made.pair()
        made.publish()
        games = made.section.played_rounds.latest("number").games.order_by("board")
        for game, result in zip(games, results, strict=True):
            made.done(f"game/{game.pk}/result/", version=game.version, result=result)
    return made


def after_example_10() -> Desk:
    """Worked example 10: in round 2 of five players, 1 and 3 are left over. Offered are 2-1, 3-5 and the bye of 4."""
    return played((2212, 2148, 1923, 1835, 1667), ("1/2", "0-1"))


def after_all_have_met() -> Desk:
    """Four players after three rounds: everybody has met everybody, so that nothing is offered for round 4."""
    return played((2000, 1990, 1980, 1970), *(("1/2", "1/2"),) * 3, planned=5)


def after_a_rise() -> Desk:
    """Six players: round 3 cannot finish. Offered are 6-2, 3-4 and 5-1, although 3 rose in round 2 and meets 4."""
    results = ("1-0", "0-1", "0-1"), ("1-0", "1/2", "1-0")
    return played((2297, 2223, 2064, 1849, 1712, 1624), *results, planned=4)


def offered(desk: Desk, after_round: int = 1) -> str:
    answer = desk.post("pair/", after_round=after_round)
    assert answer.status_code == 422
    return answer.content.decode()


def draft(desk: Desk) -> Round:
    return desk.section.played_rounds.get(number=2)


def take_over(desk: Desk, after_round: int = 1) -> None:
    boards = re.findall(r'name="board"\s+value="([0-9-]+)"', offered(desk, after_round))
    desk.done("take-offer/", after_round=after_round, board=boards)
