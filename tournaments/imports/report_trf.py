"""A report file as a section: what it holds, and what is assumed where it is silent, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pairing.engine import Colour
from pairing.engine.trf import (
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    RatingCorrection,
    Report,
    Rounds,
    TrfError,
    TrfErrors,
    as_paired,
    group_of_baku,
    is_applied,
    rating_corrections,
    read_report,
    readings,
    to_tournament,
)
from pairing.engine.trf.messages import sentence
from tournaments.models import Title
from tournaments.models.event import federation_code

from .federations import FEDERATIONS

MAX_BYTES = 2 * 1024 * 1024

ADJUSTMENTS = {
    "rounds_assumed": _("The file does not say how many rounds are planned: %(rounds)s are taken."),
    "colour_derived": _("The initial-colour is not in the file; it follows from round 1: %(colour)s."),
    "colour_unknown": _(
        "The initial-colour is not in the file and round 1 does not show it. Draw it before pairing."
    ),
    "ratings_assumed": _("%(number)s players have no rating; they get %(rating)s."),
    "ratings_missing": _(
        "%(number)s players have no rating. The Dubov System needs one: give a provisional rating."
    ),
    "tie_breaks_kept": _(
        "The tie-breaks of the file (%(found)s) are kept for the report; the standings do not use them."
    ),
    "system_assumed": _(
        "The file does not say by which system it was paired. The next rounds follow the Dubov System."
    ),
    "titles_dropped": _("%(number)s titles are not FIDE titles and are left out."),
    "results_open": _("%(number)s games before the last round have no result; they are taken for adjourned."),
    "federations_kept": _("These federations are not FIDE codes. They are kept as they are: %(found)s."),
    "federations_dropped": _("%(number)s federations do not have three letters and are left out."),
    "lines_kept": _("%(number)s lines that mean nothing here are kept and written back."),
}


class ReportRefused(Exception):
    """The file cannot be read as a report. sentences: what is wrong and where, at most fifty."""

    def __init__(self, errors: tuple[TrfError, ...], *, more: bool) -> None:
        self.errors = errors
        self.sentences = tuple(sentence(error, gettext) for error in errors)
        self.more = more
        super().__init__(len(errors))

    def __str__(self) -> str:
        return "; ".join(self.sentences[:3])


@dataclass(frozen=True)
class Adjustment:
    """What was assumed (VCL4THP.13 Q50). code: a key of `ADJUSTMENTS`. `str()` gives the sentence."""

    code: str
    params: dict[str, object]

    def __str__(self) -> str:
        return str(ADJUSTMENTS[self.code]) % self.params


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """What a report holds. rounds: planned, None where only the arbiter can say. unrated: names, of whom some rating
    must be given. results_open: games of the last round without a result. byes: announced for rounds to come.
    """

    name: str
    city: str
    federation: str
    start: date | None
    end: date | None
    players: int
    rounds: int | None
    rounds_paired: int
    games: int
    initial_colour: Colour | None
    unrated: tuple[str, ...]
    results_open: int
    byes: int
    adjustments: tuple[Adjustment, ...]


def read(data: bytes) -> Report:
    """The report that a file holds. Raises ReportRefused with every line that is wrong; nothing else."""
    try:
        return read_report(data, max_bytes=MAX_BYTES)
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def report_preview(report: Report, *, rounds: int | None = None, unrated: int | None = None) -> ReportPreview:
    """What the report says and what is missing in it. rounds, unrated: what the arbiter added. Nothing is written.

    Raises ReportRefused for what bears on pairing and is not supported (other acceleration, another system).
    """
    corrections = rating_corrections(report)
    report = as_paired(report)
    without = tuple(player.name for player in report.players if not player.rating)
    planned = report.rounds or (max(rounds, report.rounds_paired) if rounds else None)
    open_games = _open_games(report)
    colour = _initial_colour(report)
    return ReportPreview(
        name=report.text("012"),
        city=report.text("022"),
        federation=report.text("032"),
        start=_date(report.text("042")),
        end=_date(report.text("052")),
        players=len(report.players),
        rounds=planned,
        rounds_paired=report.rounds_paired,
        games=sum(entry.opponent is not None for player in report.players for entry in player.entries) // 2,
        initial_colour=colour,
        unrated=without,
        results_open=open_games.get(report.rounds_paired, 0),
        byes=_announced(report),
        adjustments=tuple(_adjustments(report, planned, colour, without, unrated, open_games, corrections)),
    )


def _adjustments(
    report: Report,
    planned: int | None,
    colour: Colour | None,
    without: tuple[str, ...],
    unrated: int | None,
    open_games: dict[int, int],
    corrections: tuple[RatingCorrection, ...],
) -> list[Adjustment]:
    out = []

    def tell(code: str, **params: object) -> None:
        out.append(Adjustment(code, params))

    if report.rounds is None and planned:
        tell("rounds_assumed", rounds=planned)
    said = any(report.of_type(InitialColour)) or any(row.colour for row in report.of_type(Configuration))
    if not said and colour is not None:
        tell("colour_derived", colour=_("White") if colour is Colour.WHITE else _("Black"))
    elif not said:
        tell("colour_unknown")
    if without and unrated is None:
        tell("ratings_missing", number=len(without))
    elif without:
        tell("ratings_assumed", number=len(without), rating=unrated)
    if not report.text("192") and "dubov" not in report.text("092").casefold():
        tell("system_assumed")
    tie_breaks = report.text("212") or report.text("202")
    if tie_breaks and tie_breaks.upper().removeprefix("PTS,") != "ARO,TPN":  # the order of our own standings
        tell("tie_breaks_kept", found=tie_breaks)
    if dropped := sum(bool(player.title) and player.title not in Title.values for player in report.players):
        tell("titles_dropped", number=dropped)
    out += _of_federations(report)
    if adjourned := sum(number for key, number in open_games.items() if key < report.rounds_paired):
        tell("results_open", number=adjourned)
    kept = [
        record
        for record in report.kept
        if not any(readings(Report((record,)))) and not is_applied(record.text, corrections)
    ]
    if kept:
        tell("lines_kept", number=len(kept))
    return out


def _of_federations(report: Report) -> list[Adjustment]:
    """What becomes of federations, of the event and of players, that are not in FIDE's table."""
    out = []
    federations = [
        code.upper() for code in (report.text("032"), *(p.federation for p in report.players)) if code
    ]
    wrong = [code for code in federations if not federation_code.regex.match(code)]
    if wrong:
        out.append(Adjustment("federations_dropped", {"number": len(wrong)}))
    if unknown := sorted(set(federations) - set(wrong) - set(FEDERATIONS)):
        out.append(Adjustment("federations_kept", {"found": ", ".join(unknown)}))
    return out


def _announced(report: Report) -> int:
    """Byes in rounds that are not paired yet; those who miss the next round count as such."""
    following = report.rounds_paired + 1
    byes = {
        (number, player.starting_rank)
        for player in report.players
        for number in range(following, len(player.entries) + 1)
        if player.entry(number).symbol
    }
    byes |= {(row.round, rank) for row in report.of_type(AnnouncedBye) for rank in row.players}
    byes |= {(following, rank) for row in report.of_type(Absentees) for rank in row.players}
    return sum(number >= following for number, _rank in byes)


def _open_games(report: Report) -> dict[int, int]:
    """Games without a result, by round."""
    sides: dict[int, int] = {}
    for player in report.players:
        for number, entry in enumerate(player.entries, start=1):
            if entry.opponent is not None and not entry.symbol:
                sides[number] = sides.get(number, 0) + 1
    return {number: count // 2 for number, count in sides.items()}


def _initial_colour(report: Report) -> Colour | None:
    """As the engine understands the file. Raises ReportRefused."""
    whole = report if report.rounds else Report((*report.records, Rounds(max(report.rounds_paired, 1))))
    try:
        group_of_baku(whole)
        return to_tournament(whole, round=1, unrated=1).initial_colour
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def _date(text: str) -> date | None:
    try:
        return date(*map(int, text.replace("-", "/").split("/")))
    except (TypeError, ValueError):
        return None
