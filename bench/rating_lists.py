"""Measure rating lists at full size: import and search, on SQLite or on the PostgreSQL of DATABASE_URL.

    python -m bench.rating_lists                      1.8 million invented players, FIDE's text, zipped
    python -m bench.rating_lists --xml --players 100000

The names are invented, and as uneven as in reality: a few surnames and given names are everybody's. The list is deleted
afterwards. Run it with `nice`, and set VAR_DIR to an empty directory. The processor time of a search shows what a busy
machine hides. It is that of this process, and on PostgreSQL that of the server's process for it too, if the server runs
on this machine and the system tells (Linux).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

PLAYERS = 1_800_000
YEARS = (1905, 1935, 1990, 2019)
"""Nobody is born in the first one."""
SYLLABLES = (
    "an ar be bo ca che da de di do el en er fa fe ga go gu ha he i ja je ka ke kha ko la le li lo ma mar "
    "me mi mo na ne ni no o pa pe po ra re ri ro sa se sha shi so su ta te ti to tsa u va ve vi vo wa ya "
    "ye yu za ze zhu "
)
ENDINGS = "ov ova ev eva enko sky ez es son sen ian yan idze shvili er mann in ina li a o i "
FEDERATIONS = "IND RUS GER ESP FRA USA ITA POL CZE HUN TUR IRI NED GRE SRI CHN BRA ARG AUT SUI ENG UKR "
HEADER = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def text_lines(players: int, seed: int = 1) -> Iterator[str]:
    """Yield the header and the lines of a list like FIDE's combined one."""
    yield HEADER
    for number, person in enumerate(_people(players, seed)):
        name, federation, sex, title, ratings, year, flag = person
        women = f"W{title}" if title and sex == "F" else ""
        standard, rapid, blitz = (f"{value:<6}{0:<4}{20:<3}" if value else f"{'':13}" for value in ratings)
        yield (
            f"{100_000 + 7 * number:<15}{name[:60]:<61}{federation:<4}{sex:<4}{title:<5}{women:<5}{'':15}{'':4}"
            f"{standard}{rapid}{blitz}{year:<6}{flag:<4}"
        )


def xml_lines(players: int, seed: int = 1) -> Iterator[str]:
    """Yield the lines of the same list in XML."""
    yield '<?xml version="1.0"?>\n<playerslist>'
    for number, person in enumerate(_people(players, seed)):
        name, federation, sex, title, (standard, rapid, blitz), year, flag = person
        yield (
            f"<player>\n<fideid>{100_000 + 7 * number}</fideid>\n<name>{name}</name>\n<country>{federation}</country>\n"
            f"<sex>{sex}</sex>\n<title>{title}</title>\n<w_title></w_title>\n<o_title></o_title>\n<foa_title></foa_title>\n"
            f"<rating>{standard}</rating>\n<games>0</games>\n<k>20</k>\n<rapid_rating>{rapid}</rapid_rating>\n"
            f"<rapid_games>0</rapid_games>\n<rapid_k>20</rapid_k>\n<blitz_rating>{blitz}</blitz_rating>\n"
            f"<blitz_games>0</blitz_games>\n<blitz_k>20</blitz_k>\n<birthday>{year}</birthday>\n<flag>{flag}</flag>\n</player>"
        )
    yield "</playerslist>"


def _people(players: int, seed: int) -> Iterator[tuple[str, str, str, str, tuple[int, int, int], int, str]]:
    rng = random.Random(seed)
    federations = FEDERATIONS.split()
    surnames = _names(rng, 60_000, ENDINGS.split())
    given = _names(rng, 15_000, ["", "", "n", "s", "a"])
    weights = list(accumulate(1 / (rank + 8) for rank in range(len(surnames))))
    given_weights = list(accumulate(1 / (rank + 3) for rank in range(len(given))))
    made = 0
    while made < players:
        many = min(10_000, players - made)
        made += many
        lasts = rng.choices(surnames, cum_weights=weights, k=many)
        firsts = rng.choices(given, cum_weights=given_weights, k=many)
        for last, first in zip(lasts, firsts, strict=True):
            middle = f" {rng.choice(given)}" if rng.random() < 0.2 else ""
            rated = rng.random() < 0.3
            standard = min(2850, max(1400, int(rng.gauss(1750, 220)))) if rated else 0
            ratings = (standard, standard - 20 if rng.random() < 0.2 and rated else 0, 0)
            title = "GM" if standard > 2550 else "IM" if standard > 2450 else "FM" if standard > 2350 else ""
            yield (
                f"{last}, {first}{middle}",
                rng.choice(federations),
                "F" if rng.random() < 0.12 else "M",
                title,
                ratings,
                rng.randint(1935, 2019),
                "i" if rng.random() < 0.25 else "",
            )


def _names(rng: random.Random, count: int, endings: list[str]) -> list[str]:
    syllables = SYLLABLES.split()
    found: dict[str, None] = {}
    while len(found) < count:
        found[
            "".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3)))).capitalize() + rng.choice(endings)
        ] = None
    return list(found)


def write(path: Path, players: int, *, xml: bool) -> None:
    """Write a zipped list."""
    lines = xml_lines(players) if xml else text_lines(players)
    inside = "players_list_xml_foa.xml" if xml else "players_list_foa.txt"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed,
        packed.open(inside, "w") as file,
    ):
        for line in lines:
            file.write(f"{line}\r\n".encode())


def queries(seed: int, names: list[str]) -> list[str]:
    """Return 300 searches: one or two parts of names, of any length, in any order."""
    rng = random.Random(seed)
    found = []
    for name in rng.choices(names, k=300):
        words = name.replace(",", "").split()
        parts = []
        for word in rng.sample(words, k=min(len(words), rng.choice((1, 1, 2)))):
            start = rng.choice((0, 0, rng.randrange(max(len(word) - 3, 1))))
            long = word[start : start + rng.randint(3, 8)]
            parts.append(long if len(long) >= 3 or start else word[: rng.randint(1, 2)])
        if len(parts) == 2 and rng.random() < 0.4:
            parts[1] = parts[1][:1] if rng.random() < 0.5 else parts[1][:2]
        found.append(" ".join(parts))
    return found


def hard() -> list[str]:
    """Return mixtures of common and rare parts, long and short."""
    long = ["mar", "ova", "che", "ina", "sha", "zhu", "kha", "tsa", "idze"]
    short = ["a", "m", "x", "q", "ya", "zh", "s", "ka"]
    return [f"{one} {other}" for one in long for other in short] + [
        f"{a} {b}" for a in "aemxz" for b in "bkoyq"
    ]


def pieces(seed: int, names: list[str]) -> list[str]:
    """Return 300 searches for a piece of the surname and one of the given name, of 3 to 8 letters."""
    rng = random.Random(seed)
    found = []
    for name in rng.choices(names, k=300):
        cut = []
        for word in name.replace(",", "").split()[:2]:
            start = rng.randrange(max(len(word) - 2, 1))
            cut.append(word[start : start + rng.randint(3, 8)])
        found.append(" ".join(cut))
    return found


def few(seed: int, names: list[str]) -> list[str]:
    """Return 300 searches with few or no hits, made of frequent letters: a database that guesses how many players
    match takes them for frequent.
    """
    words = [word for name in names for word in name.replace(",", "").lower().split()]
    counted = Counter(word[at : at + 3] for word in words for at in range(len(word) - 2))
    frequent = [part for part, _count in counted.most_common(150)]
    found = {one + other for one in frequent for other in frequent}
    for one in frequent:
        for other in frequent:
            if one[1:] == other[:2]:
                found.add(one + other[2])
    return random.Random(seed).sample(sorted(found), k=300)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.rating_lists", description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--xml", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="rating-lists-"))

    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from ratings.actions.importing import import_list
    from ratings.actions.offering import drop_list, new_file, offer_list, path_of
    from ratings.models import RatingList

    call_command("migrate", verbosity=0)
    token = new_file()
    since = time.perf_counter()
    write(path_of(token), options.players, xml=options.xml)
    size = path_of(token).stat().st_size
    print(
        f"{connection.vendor}: {options.players} players, ZIP of {size / 1e6:.0f} MB, "
        f"made in {time.perf_counter() - since:.0f} s"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    listing = offer_list(file=token, file_name="players_list_foa.zip")
    steps: dict[str, float] = {}
    began, worked = time.perf_counter(), time.process_time()

    def note(now: RatingList) -> None:
        steps.setdefault(now.step, time.perf_counter() - began)

    made = import_list(listing.pk, note)
    took, worked = time.perf_counter() - began, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if made is None or not made.is_ready:
        print(f"not imported: {made and made.problem}")
        return 1
    print(
        f"imported in {took:.1f} s ({worked:.1f} s of this process), {made.rows / took:.0f} a second; steps began at "
        + ", ".join(f"{name} {at:.1f}" for name, at in steps.items())
    )
    print(
        f"{made.rows} players, {made.bytes / 1e6:.0f} MB on the disk, "
        f"{peak / 1024:.0f} MB of memory at most ({before / 1024:.0f} before)"
    )
    try:
        _searches(made)
    finally:
        drop_list(made.pk)
    return 0


def _of_server() -> Callable[[], float]:
    """Return a function that returns the seconds of processor time of the process of PostgreSQL for this connection."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return lambda: 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        schedule = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    if not schedule.is_file():
        return lambda: 0.0
    return lambda: int(schedule.read_text().split()[0]) / 1e9


def _searches(made: object) -> None:
    from ratings.models import RatingList
    from ratings.search import find_players, players_by_id

    assert isinstance(made, RatingList)
    of_server = _of_server()
    names = [person[0] for person, _number in zip(_people(20_000, 1), range(20_000), strict=True)]
    for label, asked in (
        ("usual", queries(2, names)),
        ("hard", hard()),
        ("few hits of frequent letters", few(4, names)),
        ("pieces of both names", pieces(5, names)),
        (
            "with a year",
            [f"{part} {year}" for part in ("mar", "ova", "ma", "a", "mar ka", "zhu") for year in YEARS],
        ),
        ("ID", [str(100_000 + 7 * n) for n in range(300)]),
    ):
        times, worked = [], []
        for query in asked:
            since, busy = time.perf_counter(), time.process_time() + of_server()
            find_players(made, query)
            times.append((1000 * (time.perf_counter() - since), query))
            worked.append((1000 * (time.process_time() + of_server() - busy), query))
        for clock, found in (("time", sorted(times)), ("processor time", sorted(worked))):
            middle, late, worst = found[len(found) // 2][0], found[int(0.99 * len(found))][0], found[-1]
            print(
                f"{label}: {len(found)} searches, {clock}: median {middle:.1f} ms, 99 % {late:.1f} ms, "
                f"worst {worst[0]:.1f} ms ({worst[1]!r})"
            )
    since = time.perf_counter()
    players_by_id(made, [100_000 + 7 * n for n in range(0, 14_000, 70)])
    print(f"200 players by their IDs: {1000 * (time.perf_counter() - since):.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
