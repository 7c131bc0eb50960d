"""Random reports without contradictions, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from evenboard_engine import RESULTS, ByeKind, Colour, PointSystem, Result
from evenboard_engine.trf import (
    AbnormalPoints,
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    PlayerRecord,
    Prohibition,
    Record,
    Report,
    RoundDates,
    RoundEntry,
    Rounds,
    TextRecord,
    VirtualPoints,
    VirtualPointsOfOne,
    scoring_records,
)
from evenboard_engine.trf.codes import RULED, TITLES
from evenboard_engine.trf.records import TEXT_CODES

letters = st.characters(categories=("L", "N", "P", "S"), max_codepoint=0x1FFFF)
words = st.text(letters, min_size=1, max_size=12)
texts = st.lists(words, max_size=4).map(" ".join)
names = texts.map(lambda text: text[:33].strip())
tenths = st.integers(0, 60)
point_systems = st.one_of(
    st.just(PointSystem()),
    st.builds(PointSystem, *[tenths] * 12),
    st.builds(
        lambda win, draw, loss, absence: PointSystem(
            *(win, win, draw, draw, loss, loss), win, absence, win, win, draw, absence
        ),
        *[tenths] * 4,
    ),
)

# A strategy that is made anew for each draw is also examined anew, which takes Hypothesis longer than the draw.
results = st.sampled_from([*Result, None])
kinds_of_bye = st.sampled_from([*ByeKind, None])
colours = st.sampled_from(Colour)
some_ranks = st.lists(st.integers(1, 12000), min_size=2, max_size=9, unique=True)
sexes = st.sampled_from(["m", "w", ""])
titles = st.sampled_from(["", *TITLES.values()])
numbers_or_none = st.none() | st.integers(1, 9999)
federations = st.sampled_from(["", "NED", "GER"])
fide_ids = st.none() | st.integers(1, 10**11 - 1)
birth_dates = st.sampled_from(["", "1990", "1990/00/00", "2001/12/31"])
numbers = st.integers(1, 999)
text_records = st.builds(TextRecord, st.sampled_from(sorted(TEXT_CODES)), texts)
dates = st.builds(
    RoundDates, st.lists(st.sampled_from(["26/10/17", "26/12/01"]), min_size=1, max_size=9).map(tuple)
)
ruled = st.sampled_from(["", *RULED])
abnormal = st.integers(-99, 99)
some_tenths = st.lists(tenths, max_size=9).map(tuple)
comments = st.builds(KeptLine, texts.map(lambda text: f"### {text}"))
kept_lines = st.builds(KeptLine, st.sampled_from(["NED    1", "801 Team", "ABC", "310   x  "]))


@st.composite
def entries_of(draw: st.DrawFn, ranks: list[int], rounds: int) -> dict[int, list[RoundEntry]]:
    entries: dict[int, list[RoundEntry]] = {rank: [] for rank in ranks}
    for number in range(rounds):
        order = draw(st.permutations(ranks))
        games = draw(st.integers(1 if number < rounds else 0, max(1, len(ranks) // 2)))
        for white, black in zip(order[: 2 * games : 2], order[1 : 2 * games : 2], strict=False):
            result = draw(results)
            unseen = result is not None and not RESULTS[result].played and draw(st.booleans())
            for rank, opponent, colour in ((white, black, Colour.WHITE), (black, white, Colour.BLACK)):
                entry = RoundEntry.of_game(opponent, colour, result)
                entries[rank].append(RoundEntry(opponent, None, entry.symbol) if unseen else entry)
        for rank in ranks:
            if len(entries[rank]) == number:
                kind = draw(kinds_of_bye)
                entries[rank].append(RoundEntry() if kind is None else RoundEntry.of_bye(kind))
    for mine in entries.values():
        while mine and mine[-1] == RoundEntry():
            mine.pop()
    return entries


@st.composite
def reports(draw: st.DrawFn, *, headers: bool = True) -> Report:
    """Draw a report. headers: also draw lines of every kind around the players, in any order."""
    ranks = draw(some_ranks)
    rounds = draw(st.integers(0, 5))
    entries = draw(entries_of(ranks, rounds))
    scoring = scoring_records(draw(point_systems))
    others: list[Record] = [Rounds(draw(st.integers(max(rounds, 1), 999))), *scoring]
    if headers:
        others += draw(other_records(ranks, rounds, others[0]))
    bare = [PlayerRecord(rank, entries=tuple(entries[rank])) for rank in ranks]
    sums = Report((*others, *bare))
    players = [
        PlayerRecord(
            starting_rank=player.starting_rank,
            name=draw(names),
            sex=draw(sexes),
            title=draw(titles),
            rating=draw(numbers_or_none),
            federation=draw(federations),
            fide_id=draw(fide_ids),
            birth_date=draw(birth_dates),
            points=draw(st.none() | st.sampled_from(sums.scores(player))),
            rank=draw(numbers_or_none),
            entries=player.entries,
        )
        for player in bare
    ]
    if not headers:
        return Report((*others, *players))
    head, tail = others[: len(others) // 2], others[len(others) // 2 :]
    return Report((*head, *players, *tail))


@st.composite
def other_records(draw: st.DrawFn, ranks: list[int], rounds: int, planned: Record) -> list[Record]:
    rank = st.sampled_from(ranks)
    some = st.lists(rank, max_size=5).map(tuple)
    colour = draw(colours)
    assert isinstance(planned, Rounds)
    kinds = (
        text_records,
        dates,
        st.just(Rounds(planned.rounds, code="XXR")),
        st.just(InitialColour(colour)),
        st.builds(Configuration, st.booleans(), st.sampled_from([colour, None])),
        st.builds(Absentees, some),
        st.builds(AnnouncedBye, st.just(ByeKind.HALF), st.integers(rounds + 1, 999), some),
        st.builds(Prohibition, some),
        st.builds(Prohibition, some, numbers, numbers),
        st.builds(VirtualPoints, tenths, numbers, numbers, rank, rank),
        st.builds(AbnormalPoints, ruled, st.none(), abnormal, st.integers(1, rounds + 1), some),
        st.builds(AbnormalPoints, st.just(""), st.none(), abnormal, st.just(0), some),
        st.builds(VirtualPointsOfOne, rank, some_tenths),
        comments,
        kept_lines,
    )
    return draw(st.lists(st.one_of(kinds), max_size=12))
