"""Comments on the rating periods of a tournament of more than 30 days, for which no record exists.

### Rating periods: 5 9
### Period ratings @ Round 5: 3=2015 7=1800
### Rating in tie-breaks: round

The first line has the first round of each period but the first one. The next lines have the official ratings of
players from such a round on, where they differ from those before (0: none). The last line says which of them count in
tie-breaks from ratings: those of the round, or the last ones; without it those of the first period.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from evenboard_engine.model import Tournament

from .report import Report, from_lines

_STARTS, _RATINGS, _COUNTED = "### Rating periods:", "### Period ratings @ Round", "### Rating in tie-breaks:"
FIRST, OF_ROUND, LAST = "first", "round", "last"
_starts = re.compile(rf"{_STARTS}((?: [0-9]{{1,3}})+)\s*").fullmatch
_ratings = re.compile(rf"{_RATINGS} ([0-9]{{1,3}}):((?: [0-9]{{1,5}}=[0-9]{{1,4}})+)\s*").fullmatch
_counted = re.compile(rf"{_COUNTED} ({OF_ROUND}|{LAST})\s*").fullmatch
IN_A_LINE = 20


@dataclass(frozen=True, slots=True)
class RatingPeriods:
    """starts: the first rounds of the periods from the second one on. ratings: by player and first round, 0 for none.
    counted: FIRST, OF_ROUND or LAST, the ratings that count in tie-breaks.
    """

    starts: tuple[int, ...] = ()
    ratings: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    counted: str = FIRST

    def lines(self) -> Iterator[str]:
        """Yield the comment lines. The players are starting ranks."""
        if not self.starts:
            return
        yield " ".join((_STARTS, *map(str, self.starts)))
        for start in self.starts:
            found = [f"{rank}={of[start]}" for rank, of in sorted(self.ratings.items()) if start in of]
            for place in range(0, len(found), IN_A_LINE):
                yield " ".join((f"{_RATINGS} {start}:", *found[place : place + IN_A_LINE]))
        if self.counted != FIRST:
            yield f"{_COUNTED} {self.counted}"

    def counted_in(self, tournament: Tournament) -> Tournament:
        """Return the tournament with the ratings that count in tie-breaks. The players are those of the tournament."""
        if self.counted == FIRST or not self.starts:
            return tournament
        players = tuple(
            replace(player, later=self._later(self.ratings[player.id]))
            if player.id in self.ratings
            else player
            for player in tournament.players
        )
        return replace(tournament, players=players)

    def _later(self, ratings: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        known = tuple((start, ratings[start]) for start in self.starts if ratings.get(start))
        return known if self.counted == OF_ROUND else tuple((1, rating) for _start, rating in known[-1:])


def is_period_line(text: str) -> bool:
    """Return whether a line is one of these comments."""
    return any(form(text) is not None for form in (_starts, _ratings, _counted))


@from_lines
def rating_periods(report: Report) -> RatingPeriods:
    """Return what the comments say. Ratings of a round with which no period begins do not count."""
    starts: tuple[int, ...] = ()
    ratings: dict[int, dict[int, int]] = {}
    counted = FIRST
    for record in report.kept:
        if (found := _starts(record.text)) is not None:
            starts = tuple(sorted({int(word) for word in found[1].split()}))
        elif (found := _ratings(record.text)) is not None:
            for word in found[2].split():
                rank, rating = map(int, word.split("="))
                ratings.setdefault(rank, {})[int(found[1])] = rating
        elif (found := _counted(record.text)) is not None:
            counted = found[1]
    known = {rank: {start: of[start] for start in starts if start in of} for rank, of in ratings.items()}
    return RatingPeriods(starts, {rank: of for rank, of in known.items() if of}, counted)
