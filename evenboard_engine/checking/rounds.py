"""Check a report file: pair each round again and name each difference, with the article that decides it.

Everything comes from the file: the earlier rounds, and who was present in the round itself. The ratings are those
of 001, or of a comment of our reports for rating (`trf.as_paired`). If a rating was corrected during the tournament, an
earlier ARO may have been different. Results and pairing numbers are those with which the round was paired, where
comments say that they changed later (`trf.as_paired`, `trf.numbers_of_round`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.findings import Published, RoundDifference
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.registry import offer, pair_round, system_of
from evenboard_engine.trf import Report, Rounds, as_paired, numbers_of_round, to_tournament

__all__ = [
    "Published",
    "RoundCheck",
    "RoundDifference",
    "check_round",
    "check_rounds",
    "counted_in_round_1",
    "counted_numbers",
    "published_round",
]


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """The check of one round.

    round: its number. boards: how many pairs the file has. differences: () if the file agrees with the rules.
    published: the round in the file. right: the round by the rules, or the one that was offered and taken over where
    the rules cannot finish; None if there is none. offered: it is such an offer.
    """

    round: int
    boards: int
    differences: tuple[RoundDifference, ...] = field(default=())
    published: Published | None = field(default=None, compare=False, repr=False)
    right: RoundPairing | None = field(default=None, compare=False, repr=False)
    offered: bool = False

    @property
    def rules_gave_none(self) -> bool:
        """Return whether the rules give no pairing of all players, so that the arbiter decides."""
        return self.offered or self.right is None


def check_rounds(
    report: Report,
    *,
    unrated: int | None = None,
    system: str = "",
    options: Mapping[str, str] | None = None,
) -> Iterator[RoundCheck]:
    """Yield the check of every paired round, in order. Raises the errors of `check_round`."""
    for number in range(1, report.rounds_paired + 1):
        yield check_round(report, number, unrated=unrated, system=system, options=options)


def check_round(
    report: Report,
    number: int,
    *,
    unrated: int | None = None,
    system: str = "",
    options: Mapping[str, str] | None = None,
) -> RoundCheck:
    """Compare one round of the file with the rules. The order of boards does not count, because a report has none.

    unrated, system, options: as for `to_tournament`. If the file has no planned number of rounds, the tournament
    counts as finished. Raises TrfErrors for a file that `to_tournament` refuses, and InvalidTournament if the
    initial-colour is not in the file and does not follow from round 1.
    """
    if report.rounds is None:
        report = replace(report, records=(*report.records, Rounds(report.rounds_paired)))
    report = as_paired(report, number)
    published = published_round(report, number)
    tournament = to_tournament(report, round=number, unrated=unrated, system=system, options=options)
    by_the_rules = _paired(tournament)
    pairing = by_the_rules or _offered(tournament, published)
    differences: tuple[RoundDifference, ...] = ()
    if pairing is None or not _agrees(pairing, published):
        differences = system_of(tournament).compare(tournament, published, pairing)
    offered = pairing is not None and by_the_rules is None
    return RoundCheck(number, len(published.pairs), differences, published, pairing, offered)


def counted_in_round_1(
    report: Report, published: Published, differences: tuple[RoundDifference, ...]
) -> tuple[int, ...]:
    """Return the players not paired in round 1 who explain all its differences, if the file counts their numbers.

    By GHR 2.4 such players have no number in round 1. Only colours may differ, and every colour must follow from the
    pairing numbers of the file. Otherwise, and for other rounds, the answer is ().
    """
    return _counted(numbers_of_round(report, 1), published, differences)


def counted_numbers(
    numbers: Iterable[int], published: Published, differences: tuple[RoundDifference, ...]
) -> tuple[int, ...]:
    """Return the same of a round and its differences in pairing numbers. numbers: those of all players."""
    return _counted({number: number for number in numbers}, published, differences)


def _counted(
    tpn: Mapping[int, int], published: Published, differences: tuple[RoundDifference, ...]
) -> tuple[int, ...]:
    """tpn: in round 1, of all players."""
    if published.round != 1 or not differences or not all(difference.by_number for difference in differences):
        return ()
    higher = {pair: min(tpn[player] for player in pair) for pair in published.pairs}
    initial = {(higher[pair] == tpn[pair[0]]) == (higher[pair] % 2 == 1) for pair in published.pairs}
    paired = {player for pair in published.pairs for player in pair} | set(published.byes)
    last = max(min(tpn[player] for player in difference.found) for difference in differences)
    out = sorted(player for player in tpn if player not in paired)
    return tuple(player for player in out if tpn[player] < last) if len(initial) == 1 else ()


def published_round(report: Report, number: int) -> Published:
    """Return the round in the columns of the file. In a forfeit without colours the lower starting rank is White."""
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


def _offered(tournament: Tournament, published: Published) -> RoundPairing | None:
    """Return the round that is offered where the procedure cannot finish, if the arbiter took it over."""
    offered = offer(tournament)
    return offered.pairing if offered and _agrees(offered.pairing, published) else None


def _agrees(pairing: RoundPairing, published: Published) -> bool:
    """Return whether bye, pairs and colours are the same. A pair without colours agrees with both colours."""
    if published.byes != (() if pairing.bye is None else (pairing.bye,)):
        return False
    white_of = dict(published.pairs)
    for pair in pairing.pairs:
        if white_of.get(pair.white) != pair.black and not (
            pair.black in published.colourless and white_of.get(pair.black) == pair.white
        ):
            return False
    return len(pairing.pairs) == len(published.pairs)
