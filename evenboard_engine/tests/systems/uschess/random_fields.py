"""Random rounds of small fields from a seed: histories that arbiters and real tournaments produce, and worse ones."""

from __future__ import annotations

from itertools import combinations
from random import Random

from evenboard_engine.tests.systems.uschess.enumeration import Man, Rules

SIZES = (2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 8, 8)
LARGE = (9, 10, 10)


def random_field(seed: int, sizes: tuple[int, ...] = SIZES) -> tuple[list[Man], Rules]:
    """Return a field and the rules of its round."""
    rng = Random(seed)
    count = rng.choice(sizes)
    rules = _rules(rng, count)
    played = min(rules.round - 1, 6)
    ratings = _ratings(rng, count)
    met = _met(rng, count, played)
    step = rng.choice((5, 10, 10))
    most = rng.choice((0, 1, 1, 2, 2, 3, 5))
    rates = {name: rng.choice((0, 0, 0.1, 0.3)) for name in ("fb", "fw", "hb", "keep", "new", "late", "team")}
    teams = rng.choice(("A", "AB", "ABC"))
    men = []
    for place, rating in enumerate(ratings):
        games = rng.randint(max(0, played - 1), played) if rng.random() < 0.9 else 0
        men.append(
            Man(
                number=place + 1,
                rating=rating,
                points=step * rng.randint(0, most),
                colours=_colours(rng, games),
                met=met[place + 1],
                full_byes=int(rng.random() < rates["fb"]),
                forfeit_wins=int(rng.random() < rates["fw"]),
                half_bye=rng.random() < rates["hb"],
                keep=rng.random() < rates["keep"],
                new=rng.random() < rates["new"],
                late=rng.random() < rates["late"],
                team=rng.choice(teams) if rng.random() < 2 * rates["team"] else "",
                club=rng.choice(teams) if rng.random() < 2 * rates["team"] else "",
            )
        )
    rng.shuffle(men)
    floor = min((rating for rating in ratings if rating), default=0)
    return men, Rules(**{**rules.__dict__, "floor": max(0, floor - rng.choice((0, 0, 0, 100)))})


def _rules(rng: Random, count: int) -> Rules:
    low, high = rng.choice(((80, 200), (80, 200), (80, 200), (0, 0), (30, 60), (100, 100), (200, 2000)))
    mates = ("ignore", "ignore", "if_required", "dont")
    pairs = list(combinations(range(1, count + 1), 2))
    rate = rng.choice((0, 0, 0, 0.05, 0.3))
    number = rng.choice((1, 2, 2, 3, 3, 4, 4, 5, 6))
    return Rules(
        high=high,
        low=low,
        avoid_unrated=rng.random() < 0.7,
        harkness=rng.random() < 0.25,
        avoid_swap=rng.random() < 0.25,
        max_drop=rng.choice((None, None, None, 0, 5, 10, 20)),
        team_rule=rng.choice(mates),
        club_rule=rng.choice(mates),
        bye_28l5=rng.random() < 0.5,
        initial=rng.choice("wb"),
        round=number,
        rounds=rng.choice((4, 4, 5, 9)),
        forbidden=frozenset(frozenset(pair) for pair in pairs if rng.random() < rate),
    )


def _ratings(rng: Random, count: int) -> list[int]:
    kind = rng.choice(("spread", "spread", "near", "few", "equal"))
    unrated = rng.choice((0, 0, 0.1, 0.3, 1.0 if rng.random() < 0.2 else 0.2))
    if kind == "few":
        values = [rng.choice((1500, 1550, 1700)) for _ in range(count)]
    else:
        low, high = {"spread": (900, 2300), "near": (1500, 1700), "equal": (1500, 1501)}[kind]
        values = [rng.randrange(low, high) for _ in range(count)]
    return [0 if rng.random() < unrated else value for value in values]


def _met(rng: Random, count: int, played: int) -> dict[int, dict[int, int]]:
    met: dict[int, dict[int, int]] = {number: {} for number in range(1, count + 1)}
    rate = rng.choice((0.1, 0.2, 0.4, 0.8)) * min(played, 4) / 4
    for one, other in combinations(met, 2):
        if rng.random() < rate:
            met[one][other] = met[other][one] = 1 if rng.random() < 0.85 else 2
    return met


def _colours(rng: Random, games: int) -> str:
    """Mostly alternating, sometimes anything."""
    if rng.random() < 0.3:
        return "".join(rng.choice("wb") for _ in range(games))
    first = rng.choice("wb")
    text = ""
    for at in range(games):
        expected = first if at % 2 == 0 else "b" if first == "w" else "w"
        text += rng.choice("wb") if rng.random() < 0.15 else expected
    return text
