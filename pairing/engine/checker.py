"""The checker: pairs each round of a report file anew and tells where the file departs, and by which article.

A round is rebuilt from the file alone: what was played before it, and in its own columns who was there. Ratings are
the ones in the file, for a report file holds no others: where a rating was corrected during the tournament, an ARO of
an earlier round may have been another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .articles import Rule
from .differences import Difference, Published, compare
from .dubov import pair_round
from .errors import NoLegalPairing
from .model import Colour, Edition, Tournament, UpfloatCount
from .result import RoundPairing
from .trf import Report, Rounds, to_tournament

__all__ = [
    "Difference",
    "Published",
    "RoundCheck",
    "check_round",
    "check_rounds",
    "counted_in_round_1",
    "published_round",
]


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """round: its number. boards: pairs in the file. differences: none where the file agrees with the rules.

    published: the round of the file. right: what the rules give, None where no legal round exists.
    """

    round: int
    boards: int
    differences: tuple[Difference, ...] = field(default=())
    published: Published | None = field(default=None, compare=False, repr=False)
    right: RoundPairing | None = field(default=None, compare=False, repr=False)


def check_rounds(
    report: Report,
    *,
    unrated: int | None = None,
    edition: Edition | None = None,
    upfloats: UpfloatCount | None = None,
) -> Iterator[RoundCheck]:
    """Every round that was paired, one after the other. Raises what `check_round` raises."""
    for number in range(1, report.rounds_paired + 1):
        yield check_round(report, number, unrated=unrated, edition=edition, upfloats=upfloats)


def check_round(
    report: Report,
    number: int,
    *,
    unrated: int | None = None,
    edition: Edition | None = None,
    upfloats: UpfloatCount | None = None,
) -> RoundCheck:
    """One round of the file against the rules. The order of its boards is not looked at: a report has none.

    unrated, edition, upfloats: as for `to_tournament`. A file that does not say how many rounds were planned is taken
    to be of a finished tournament. Raises TrfErrors for what `to_tournament` refuses, InvalidTournament where the
    initial-colour is not in the file and does not follow from round 1.
    """
    if report.rounds is None:
        report = replace(report, records=(*report.records, Rounds(report.rounds_paired)))
    published = published_round(report, number)
    tournament = to_tournament(report, round=number, unrated=unrated, edition=edition, upfloats=upfloats)
    pairing = _paired(tournament)
    differences: tuple[Difference, ...] = ()
    if pairing is None or not _agrees(pairing, published):
        differences = compare(tournament, published, pairing)
    return RoundCheck(number, len(published.pairs), differences, published, pairing)


def counted_in_round_1(
    report: Report, published: Published, differences: tuple[Difference, ...]
) -> tuple[int, ...]:
    """Who was not paired in round 1 and has a number in it all the same (GHR 2.4), if the file differs by that alone.

    () for another round, and where some colours would not follow from the starting ranks either.
    """
    if published.round != 1 or {difference.rule for difference in differences} != {Rule.COLOUR_FIRST_GAME}:
        return ()
    initial = {(min(pair) == pair[0]) == (min(pair) % 2 == 1) for pair in published.pairs}
    paired = {player for pair in published.pairs for player in pair} | set(published.byes)
    last = max(min(difference.found) for difference in differences)
    out = sorted(player.starting_rank for player in report.players if player.starting_rank not in paired)
    return tuple(rank for rank in out if rank < last) if len(initial) == 1 else ()


def published_round(report: Report, number: int) -> Published:
    """What the columns of a round say. A forfeit without colours counts the smaller starting rank as White."""
    pairs, byes, colourless = [], [], set()
    for player in report.players:
        me, entry = player.starting_rank, player.entry(number)
        if entry.opponent is None:
            if entry.symbol == "U":
                byes.append(me)
        elif entry.colour is Colour.WHITE:
            pairs.append((me, entry.opponent))
        elif entry.colour is None and me < entry.opponent:
            pairs.append((me, entry.opponent))
            colourless.add(me)
    return Published(number, tuple(pairs), tuple(byes), frozenset(colourless))


def _paired(tournament: Tournament) -> RoundPairing | None:
    try:
        return pair_round(tournament)
    except NoLegalPairing:
        return None


def _agrees(pairing: RoundPairing, published: Published) -> bool:
    """Whether bye, pairs and colours are the same; a pair without colours agrees with either."""
    if published.byes != (() if pairing.bye is None else (pairing.bye,)):
        return False
    white_of = dict(published.pairs)
    for pair in pairing.pairs:
        if white_of.get(pair.white) != pair.black and not (
            pair.black in published.colourless and white_of.get(pair.black) == pair.white
        ):
            return False
    return len(pairing.pairs) == len(published.pairs)
