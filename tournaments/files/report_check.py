"""Whether the rounds of a report file follow the rules (VCL4THP.13 Q54 and Q55)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from base.reader import READER
from evenboard_engine import InternalError, InvalidTournament, RoundPairing, system_named
from evenboard_engine.checking.rounds import check_round, counted_in_round_1
from evenboard_engine.findings import Published, RoundDifference
from evenboard_engine.trf import (
    PlayerRecord,
    Report,
    TrfErrors,
    as_paired,
    first_day,
    readings,
    system_for,
    system_named_in,
)
from evenboard_engine.trf.file_warnings import older_edition
from evenboard_engine.words.catalogue import FULL_STOP
from evenboard_engine.words.registry import words_of
from tournaments.models import Section

Pairs = tuple[tuple[int, int], ...]
"""White and Black, or the player with the bye and 0."""

_REASONS = {
    "rounds": _(
        "The rounds cannot be checked without the number of rounds. They are checked before anything is written."
    ),
    "ratings": _(
        "The rounds cannot be checked until every player has a rating. They are checked before anything is written."
    ),
    "refused": _(
        "The rounds from round %(round)s on cannot be checked, because the file lacks something, such as the "
        "initial-colour."
    ),
    "time": _(
        "The rounds from round %(round)s on are not checked, because the check of this large file takes too long here. "
        "The command line can check them."
    ),
}
MOST_SECONDS = 15.0
"""After this time no further round is checked. A usual file (200 players, 9 rounds) takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class RoundDeviation:
    """A round that does not follow the rules.

    expected: pairs and bye of the rules that the file does not have, by starting ranks; empty where no legal round
    exists. found: those of the file that the rules do not give. counted: players who were not paired in round 1, where
    all differences come from the file counting them when it numbers the players (GHR 2.4). The rules can be read both
    ways (D7), so the arbiter is told, but no report says that the round is wrong.
    """

    round: int
    expected: Pairs
    found: Pairs
    differences: tuple[RoundDifference, ...]
    system: str
    counted: tuple[int, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences with the articles that decide."""
        if self.counted:
            boards = len(self.differences)
            text = ngettext(
                "%(boards)s board has the opposite colours. In round 1, the file also counts players who were not "
                "paired (%(players)s). By our reading of GHR 2.4 they have no pairing number yet; without them, odd "
                "and even numbers change (%(article)s). You need not do anything: the colours stay as "
                "they were played.",
                "%(boards)s boards have the opposite colours. In round 1, the file also counts players who were not "
                "paired (%(players)s). By our reading of GHR 2.4 they have no pairing number yet; without them, odd "
                "and even numbers change (%(article)s). You need not do anything: the colours stay as "
                "they were played.",
                boards,
            )
            values = {
                "boards": boards,
                "players": READER.listed(self.counted),
                "article": self.differences[0].article,
            }
            return (text % values,)
        sentence = words_of(self.system).difference
        return tuple(
            READER.text_of(FULL_STOP, {"sentence": sentence(difference, READER, with_round=False)})
            for difference in self.differences
        )


@dataclass(frozen=True, slots=True)
class RoundsCheck:
    """rounds: how many were checked. unchecked: the first that could not be, 0 for none. why: a key of the reasons.

    offers: rounds that the rules cannot finish, with the pairs that are offered then. without: all rounds for which the
    rules give no pairing. older_edition: the one under which the tournament began, if the system does not have it.
    """

    rounds: int
    departures: tuple[RoundDeviation, ...] = ()
    unchecked: int = 0
    why: str = ""
    offers: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    older_edition: str = ""

    @property
    def reason(self) -> str:
        """The sentence that says why rounds could not be checked; "" where all were checked."""
        return str(_REASONS[self.why]) % {"round": self.unchecked} if self.why else ""


def system_of_report(report: Report, section: Section | None = None, chosen: str = "") -> str:
    """Return the code of the pairing system of a file: from its record 192, else the one that the arbiter has chosen,
    else that of the section that takes it, else the one that is assumed.
    """
    named = system_named_in(report) or chosen or (section.system if section else "")
    return system_for(report, named)


def options_of(report: Report, section: Section | None, start: date, chosen: str = "") -> dict[str, str]:
    """The options of the pairing system that paired a file: from its comments, else from its first day or that of the
    event, else from the section that takes the file.
    """
    system = system_of_report(report, section, chosen)
    by_day = system_named(system).options_on(first_day(report) or start.isoformat())
    own = section.options if section and section.system == system else {}
    return {**own, **by_day, **readings(report, system)}


def check_rounds(
    report: Report, *, system: str, options: Mapping[str, str], unrated: int | None = None
) -> RoundsCheck:
    """Check every round that was paired against the rules. Games without a result before the last round count as
    adjourned, as they will in the section. unrated: the rating of players without one. After MOST_SECONDS the other
    rounds stay unchecked. Raises nothing.
    """
    report = as_paired(report)
    paired = report.rounds_paired
    if paired and report.rounds is None:
        return RoundsCheck(0, unchecked=1, why="rounds")
    takes_unrated = unrated is not None or system_named(system).takes_unrated
    if paired and not takes_unrated and not all(player.rating for player in report.players):
        return RoundsCheck(0, unchecked=1, why="ratings")
    whole = _adjourned(report)
    older = older_edition(report, system_named(system))
    departures: list[RoundDeviation] = []
    offers: list[int] = []
    without: list[int] = []
    began = time.monotonic()

    def stopped_at(number: int, why: str) -> RoundsCheck:
        found = tuple(departures)
        gave_none = tuple(without)
        return RoundsCheck(
            number - 1, found, unchecked=number, why=why, without=gave_none, older_edition=older
        )

    for number in range(1, paired + 1):
        if time.monotonic() - began > MOST_SECONDS:
            return stopped_at(number, "time")
        try:
            check = check_round(whole, number, unrated=unrated, system=system, options=options)
        except (TrfErrors, InvalidTournament, InternalError):
            return stopped_at(number, "refused")
        if check.differences and check.published is not None:
            departures.append(_departure(report, check.published, check.right, check.differences, system))
        if check.offered:
            offers.append(number)
        if check.rules_gave_none:
            without.append(number)
    return RoundsCheck(
        paired, tuple(departures), offers=tuple(offers), without=tuple(without), older_edition=older
    )


def _adjourned(report: Report) -> Report:
    last = report.rounds_paired

    def adjourned(player: PlayerRecord) -> PlayerRecord:
        entries = (
            entry._replace(symbol="?")
            if entry.opponent is not None and not entry.symbol and number < last
            else entry
            for number, entry in enumerate(player.entries, start=1)
        )
        return replace(player, entries=tuple(entries))

    return report.with_players(adjourned)


def _departure(
    report: Report,
    published: Published,
    right: RoundPairing | None,
    differences: tuple[RoundDifference, ...],
    system: str,
) -> RoundDeviation:
    found = [*published.pairs, *((player, 0) for player in published.byes)]
    expected: list[tuple[int, int]] = []
    if right is not None:
        expected = [(pair.white, pair.black) for pair in right.pairs]
        if right.bye is not None:
            expected.append((right.bye, 0))
    both = set(found) & set(expected)
    turned = {pair[::-1] for pair in published.pairs if pair[0] in published.colourless}
    both |= turned & set(expected)  # a forfeit without colours agrees with either
    return RoundDeviation(
        published.round,
        tuple(pair for pair in expected if pair not in both),
        tuple(pair for pair in found if pair not in both and pair[::-1] not in both),
        differences,
        system,
        counted_in_round_1(report, published, differences),
    )
