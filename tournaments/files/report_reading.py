"""A report file as a section: what it holds, and what is assumed, changed or left out (VCL4THP.13 Q48 and Q50).

Nothing is written here. The page shows the teams of a team event and the days of the rounds (132) before the file is
taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from base.reader import READER
from evenboard_engine import Colour, system_named
from evenboard_engine.checking.standings import declared
from evenboard_engine.tiebreaks import MOST_TIE_BREAKS, POINTS, TieBreak, read_list
from evenboard_engine.trf import (
    BoardColours,
    Configuration,
    ForfeitedMatch,
    InitialColour,
    KeptLine,
    LineUp,
    MatchScoring,
    OfTeams,
    OldTeam,
    Report,
    ReportedRounds,
    Rounds,
    Scoring,
    Team,
    TeamByes,
    TrfError,
    TrfErrors,
    applied,
    are_not_too_many,
    as_paired,
    earlier_results,
    fide_mode_left,
    first_day,
    forbidden_groups,
    group_of_baku,
    has_earlier_ratings,
    is_apart_line,
    is_asked_later_line,
    is_fide_mode_left,
    is_leaver,
    is_left_out_line,
    is_measure_line,
    is_official_line,
    is_period_line,
    is_rating_record,
    is_reading,
    is_renumbering,
    is_start_position_line,
    is_typed_line,
    leavers,
    national_method,
    rating_corrections,
    ratings_by_method,
    ratings_by_origin,
    read_day,
    read_report,
    readings,
    reported_rounds,
    system_for,
    to_tournament,
    typed_values,
    virtual_points,
)
from evenboard_engine.trf.errors import Problems
from evenboard_engine.words.registry import words_of
from evenboard_engine.words.report_problems import sentence
from evenboard_engine.words.tiebreaks import TIE_BREAKS, tie_break_name
from tournaments.models import Title
from tournaments.models.events import federation_form

from .federations import FEDERATIONS

# When the rounds of a report file were or will be played (132). Nothing else in a file says it.


def round_days(report: Report, rounds: int) -> tuple[date | None, ...]:
    """Return the days of the rounds, from round 1, None for one that the file does not give; () if it gives none.

    rounds: how many are planned.
    """
    days = tuple(read_day(text, short_year=True) for text in _texts(report)[:rounds])
    return days if any(days) else ()


def are_unreadable(report: Report) -> bool:
    """Return whether there is a record 132 in which no day can be read."""
    texts = _texts(report)
    return bool(texts) and not round_days(report, len(texts))


def _texts(report: Report) -> tuple[str, ...]:
    """Return the texts of 132, in their columns or as words; () where there is no such line."""
    if report.round_dates:
        return report.round_dates
    lines = [line.text[3:] for line in report.of_type(KeptLine) if line.code == "132"]
    return tuple(lines[0].split()) if lines else ()


# What is assumed, changed or left out when a report file becomes a section (VCL4THP.13 Q48 and Q50).

ADJUSTMENTS = {
    "rounds_assumed": ngettext_lazy(
        "The file does not say how many rounds are planned (142): %(rounds)s round is taken.",
        "The file does not say how many rounds are planned (142): %(rounds)s rounds are taken.",
        "rounds",
    ),
    "colour_derived": _(
        "The file does not have the initial-colour (152). It follows from round 1: %(colour)s."
    ),
    "colour_unknown": _(
        "The file does not have the initial-colour (152), and round 1 does not show it. Draw it before pairing."
    ),
    "scoring_assumed": _(
        "The file does not have the scoring (162). A win is worth 1 point, a draw ½, the pairing-allocated bye 1."
    ),
    "scoring_assumed_fixed": _("The file does not have the scoring (162). A win is worth 1 point, a draw ½."),
    "virtual_points": ngettext_lazy(
        "The file has its own virtual points (250, XXA) for %(number)s player. They count for the pairings of these "
        "rounds: %(spans)s.",
        "The file has its own virtual points (250, XXA) for %(number)s players. They count for the pairings of these "
        "rounds: %(spans)s.",
        "number",
    ),
    "baku": ngettext_lazy(
        "The virtual points of the file (250, XXA) are those of Baku Acceleration for %(number)s player. The section "
        "has Baku Acceleration.",
        "The virtual points of the file (250, XXA) are those of Baku Acceleration for %(number)s players. The section "
        "has Baku Acceleration.",
        "number",
    ),
    "unrated": ngettext_lazy(
        "%(number)s player has no rating and is unrated.",
        "%(number)s players have no rating and are unrated.",
        "number",
    ),
    "ratings_assumed": ngettext_lazy(
        "%(number)s player has no rating and gets %(rating)s.",
        "%(number)s players have no rating and get %(rating)s.",
        "number",
    ),
    "ratings_by_method": ngettext_lazy(
        "The tournament rating of %(number)s player follows from the national records of the file (172 %(method)s).",
        "The tournament ratings of %(number)s players follow from the national records of the file (172 %(method)s).",
        "number",
    ),
    "ratings_missing": ngettext_lazy(
        "%(number)s player has no rating. The %(system)s needs one: give a provisional rating.",
        "%(number)s players have no rating. The %(system)s needs one: give a provisional rating.",
        "number",
    ),
    "late_entries": ngettext_lazy(
        "%(number)s player has nothing in round 1, not even a bye, and is taken as a late entry.",
        "%(number)s players have nothing in round 1, not even a bye, and are taken as late entries.",
        "number",
    ),
    "blank_rounds": ngettext_lazy(
        "%(number)s round of a player is blank and counts as a zero-point bye.",
        "%(number)s rounds of players are blank and count as zero-point byes.",
        "number",
    ),
    "numbers_by_place": _("The pairing numbers follow the order of the players in the file (XXC rank)."),
    "numbers_by_rating": _(
        "No round is paired, and the file is not in the order of the ratings. The pairing numbers follow the ratings."
    ),
    "tie_breaks_assumed": _(
        "The file does not have its tie-breaks (202, 212). The standings use these: %(used)s."
    ),
    "tie_breaks_unknown": ngettext_lazy(
        "The program does not know this tie-break of the file: %(found)s. It separates nobody in the standings, and is "
        "written back.",
        "The program does not know these tie-breaks of the file: %(found)s. They separate nobody in the standings, and "
        "are written back.",
        "number",
    ),
    "tie_breaks_cut": _("The file has more than %(most)s tie-breaks. Only the first ones are used and kept."),
    "system_assumed": _(
        "The file does not name its pairing system (192). It is read as a file of this system: %(system)s."
    ),
    "dates_missing": _("The file does not have the dates of the rounds (132), so the rounds have none."),
    "dates_unreadable": _("The dates of the rounds (132) cannot be read. The line is kept and written back."),
    "titles_dropped": ngettext_lazy(
        "%(number)s title is not a FIDE title and is left out.",
        "%(number)s titles are not FIDE titles and are left out.",
        "number",
    ),
    "results_open": ngettext_lazy(
        "%(number)s game before the last round has no result and is taken as adjourned.",
        "%(number)s games before the last round have no result and are taken as adjourned.",
        "number",
    ),
    "federations_kept": _("These federations are not FIDE codes. They are kept as they are: %(found)s."),
    "federations_dropped": ngettext_lazy(
        "%(number)s federation does not have three letters and is left out.",
        "%(number)s federations do not have three letters and are left out.",
        "number",
    ),
    "fide_mode_left": _("FIDE mode was left in round %(number)s. The section is not in FIDE mode."),
    "expelled": ngettext_lazy(
        "%(number)s player was expelled and is not ranked.",
        "%(number)s players were expelled and are not ranked.",
        "number",
    ),
    "withdrawn": ngettext_lazy(
        "%(number)s player has withdrawn.",
        "%(number)s players have withdrawn.",
        "number",
    ),
    "lines_kept": ngettext_lazy(
        "%(number)s line is not used here. It is kept and written back.",
        "%(number)s lines are not used here. They are kept and written back.",
        "number",
    ),
}


_WRITTEN = ("### MPA @ Round ", "### Import @ Round ", "### FPB @ Round ")
"""Comments on rounds that the section has or writes itself."""


@dataclass(frozen=True)
class Adjustment:
    """What is assumed, changed or left out. code: a key of `ADJUSTMENTS`, or of an option that the system words in
    `sentence`. `str()` gives the sentence.
    """

    code: str
    params: dict[str, object]
    sentence: str = ""

    def __str__(self) -> str:
        return (
            gettext(self.sentence) % self.params
            if self.sentence
            else str(ADJUSTMENTS[self.code] % self.params)
        )


def adjustments(
    report: Report,
    reported: ReportedRounds,
    *,
    rounds: int | None,
    colour: Colour | None,
    unrated: int | None,
    unused: Sequence[str],
    system: str,
) -> tuple[Adjustment, ...]:
    """Return all that the arbiter must know before the file is taken.

    reported: its rounds. rounds: planned. colour: the initial-colour, as the engine finds it. unrated: the provisional
    rating. unused: of `unused_lines`. system: the code of the pairing system.
    """
    return (
        *_of_settings(report, rounds, colour, system),
        *_of_players(report, reported, unrated, system),
        *_of_federations(report),
        *_of_games(reported, system),
        *_of_lines(report, unused),
    )


def _of_settings(
    report: Report, rounds: int | None, colour: Colour | None, system: str
) -> Iterator[Adjustment]:
    if report.rounds is None and rounds:
        yield Adjustment("rounds_assumed", {"rounds": rounds})
    has_colour = any(report.of_type(InitialColour)) or any(
        row.colour for row in report.of_type(Configuration)
    )
    if not has_colour and not system_named(system).fixed_rounds:  # a table has its own colours
        if colour is None:
            yield Adjustment("colour_unknown", {})
        else:
            yield Adjustment(
                "colour_derived", {"colour": _("White") if colour is Colour.WHITE else _("Black")}
            )
    if not report.of_type(Scoring) and not _is_trf26(report):
        yield Adjustment(
            "scoring_assumed_fixed" if system_named(system).fixed_rounds else "scoring_assumed", {}
        )
    if not report.text("192"):
        yield Adjustment("system_assumed", {"system": _(words_of(system).name)})
    if day := first_day(report):
        named = readings(report, system)
        for name, value in system_named(system).options_on(day).items():
            if name not in named:
                yield Adjustment(f"{name}_assumed", {"value": value}, words_of(system).options[name].assumed)
    yield from _of_acceleration(report)
    yield from _of_tie_breaks(report, system)
    if rounds and not round_days(report, rounds):
        yield Adjustment("dates_unreadable" if are_unreadable(report) else "dates_missing", {})


def _of_acceleration(report: Report) -> Iterator[Adjustment]:
    if (group := group_of_baku(report)) is not None:
        if group and not report.text("192"):
            yield Adjustment("baku", {"number": len(group)})
        return
    given = virtual_points(report)
    players = frozenset().union(*(one.players for one in given))
    rounds = sorted({(one.first_round, one.last_round) for one in given})
    spans = [str(first) if first == last else f"{first}–{last}" for first, last in rounds]
    yield Adjustment("virtual_points", {"number": len(players), "spans": READER.listed(spans)})


def _of_tie_breaks(report: Report, system: str) -> Iterator[Adjustment]:
    found, typed = tie_breaks_of(report), typed_values(report)
    if not found and not points_alone(report):
        used = [
            tie_break_name(rule, READER, inside=True) for rule in read_list(system_named(system).tie_breaks)
        ]
        yield Adjustment("tie_breaks_assumed", {"used": READER.listed([_(TIE_BREAKS["PTS"].inside), *used])})
        return
    if unknown := [rule.text for rule in found if not rule.name and rule.text.upper() not in typed]:
        yield Adjustment("tie_breaks_unknown", {"number": len(unknown), "found": READER.listed(unknown)})
    if len(declared(report)) > MOST_TIE_BREAKS + 1:
        yield Adjustment("tie_breaks_cut", {"most": MOST_TIE_BREAKS})


def tie_breaks_of(report: Report) -> tuple[TieBreak, ...]:
    """Return the tie-breaks after the points that a file declares; () if it declares none."""
    return tuple(rule for rule in declared(report) if rule.name != POINTS.name)[:MOST_TIE_BREAKS]


def points_alone(report: Report) -> list[str]:
    """Return the list of a section in which only points count, if that is what a file declares (212); else []."""
    return [POINTS.text] if report.text("212") and not tie_breaks_of(report) else []


def _is_trf26(report: Report) -> bool:
    """Whether the file has records of TRF26: then a missing 162 means the usual scoring."""
    texts = ("172", "182", "192", "202", "212", "222")
    return any(map(report.texts, texts)) or any(record.code == "142" for record in report.of_type(Rounds))


def _of_players(
    report: Report, reported: ReportedRounds, unrated: int | None, system: str
) -> Iterator[Adjustment]:
    """Yield ratings, late entries, blank rounds, pairing numbers that are not those of the file, titles."""
    paired = reported.paired
    others = ratings_by_method(report).keys() - ratings_by_origin(report).keys()
    if (known := national_method(report)) and others:
        yield Adjustment("ratings_by_method", {"number": len(others), "method": str(known[0])})
    report = as_paired(report)
    without = sum(not player.rating for player in report.players)
    if without and unrated is None and system_named(system).takes_unrated:
        yield Adjustment("unrated", {"number": without})
    elif without and unrated is None:
        yield Adjustment("ratings_missing", {"number": without, "system": _(words_of(system).name)})
    elif without:
        yield Adjustment("ratings_assumed", {"number": without, "rating": unrated})
    first = {player.starting_rank: reported.first_round(player.starting_rank) for player in report.players}
    if late := sum(number > 1 for number in first.values() if paired):
        yield Adjustment("late_entries", {"number": late})
    blank = sum(
        first[player] < number for number in range(1, paired + 1) for player in reported.absent_in(number)
    )
    if blank:
        yield Adjustment("blank_rounds", {"number": blank})
    ranked = sorted(report.players, key=lambda player: player.starting_rank)
    ratings = [player.rating or unrated or 0 for player in (report.players if report.by_position else ranked)]
    if not paired and ratings != sorted(ratings, reverse=True):
        yield Adjustment("numbers_by_rating", {})
    elif report.by_position:
        yield Adjustment("numbers_by_place", {})
    if dropped := sum(bool(player.title) and player.title not in Title.values for player in report.players):
        yield Adjustment("titles_dropped", {"number": dropped})


def _of_federations(report: Report) -> Iterator[Adjustment]:
    """Yield what happens to federations, of the event and of players, that are not in FIDE's table."""
    federations = [
        code.upper() for code in (report.text("032"), *(p.federation for p in report.players)) if code
    ]
    wrong = [code for code in federations if not federation_form.match(code)]
    if wrong:
        yield Adjustment("federations_dropped", {"number": len(wrong)})
    if unknown := sorted(set(federations) - set(wrong) - set(FEDERATIONS)):
        yield Adjustment("federations_kept", {"found": READER.listed(unknown)})


def _of_games(reported: ReportedRounds, system: str) -> Iterator[Adjustment]:
    if system_named(system).fixed_rounds:  # results come in any order
        return
    if adjourned := sum(game.round < reported.paired for game in reported.open):
        yield Adjustment("results_open", {"number": adjourned})


def _of_lines(report: Report, unused: Sequence[str]) -> Iterator[Adjustment]:
    if (left := fide_mode_left(report)) is not None:
        yield Adjustment("fide_mode_left", {"number": left})
    gone = leavers(report)
    for code, expelled in (("expelled", True), ("withdrawn", False)):
        if number := sum(one.expelled is expelled for one in gone):
            yield Adjustment(code, {"number": number})
    if unused:
        yield Adjustment("lines_kept", {"number": len(unused)})


def unused_lines(report: Report, system: str) -> tuple[str, ...]:
    """Return the lines without a meaning here. They are kept and written back."""
    gone = leavers(report)
    takes_effect = applied(rating_corrections(report), earlier_results(report))
    rates = is_rating_record(report)
    return tuple(
        record.text
        for record in report.kept
        if record.code != "132"
        and not rates(record.text)
        and not is_reading(record.text, system)
        and not takes_effect(record.text)
        and not is_renumbering(record.text)  # the checks of the rounds use these
        and not has_earlier_ratings(record.text)
        and not is_asked_later_line(record.text)
        and not is_leaver(record.text, gone)
        and not is_typed_line(record.text)
        and not is_left_out_line(record.text)
        and not is_apart_line(record.text)
        and not is_period_line(record.text)
        and not is_start_position_line(record.text)
        and not is_official_line(record.text)
        and not is_measure_line(record.text)
        and not is_fide_mode_left(record.text)
        and not record.text.startswith(_WRITTEN)
    )


# A report file as a section: what it holds, before anything is written.

MAX_BYTES = 2 * 1024 * 1024
MAX_FORBIDDEN_PAIRS = 50_000
"""Rows of a section. 317 players of whom no two may meet; nobody could pair them."""


class ReportRefused(Exception):
    """Says that the file cannot be read as a report. sentences: what is wrong and where, at most fifty."""

    def __init__(self, errors: tuple[TrfError, ...], *, more: bool) -> None:
        self.errors = errors
        self.sentences = tuple(sentence(error, READER) for error in errors)
        self.more = more
        super().__init__(len(errors))

    def __str__(self) -> str:
        return READER.listed(self.sentences[:3], "semicolon")


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """What a report holds. rounds: planned, None where the file does not say. unrated: names of players who need a
    rating. results_open: games without a result, of the last round (if all rounds are fixed, of any round). byes:
    announced for rounds to come; who is absent in the next round counts as one. out: starting ranks that are not to be
    paired in the next round. unused: lines without a meaning here.
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
    out: frozenset[int]
    unused: tuple[str, ...]
    adjustments: tuple[Adjustment, ...]


def read_report_file(data: bytes) -> Report:
    """Return the report that a file holds. Raises ReportRefused, with every line that is wrong."""
    try:
        return read_report(data, max_bytes=MAX_BYTES)
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def report_preview(
    report: Report, *, rounds: int | None = None, unrated: int | None = None, system: str = ""
) -> ReportPreview:
    """Return what the report says and what is missing in it. rounds, unrated: what the arbiter added. system: the code
    of its pairing system (`system_of_report`), "" for the one of `system_for`. Nothing is written.

    Raises ReportRefused for what affects the pairing and is not supported (another system), and
    for more rounds or forbidden pairs than a section can have.
    """
    system = system_for(report, system)
    _refuse_excess(report, system)
    found, report = report, as_paired(report)
    open_ends = system_named(system).fixed_rounds
    without = tuple(player.name for player in report.players if not player.rating)
    planned = report.rounds or (max(rounds, report.rounds_paired) if rounds else None)
    colour = _initial_colour(report, system)
    reported = reported_rounds(report)
    following = reported.paired + 1
    later = {(bye.round, bye.player) for bye in reported.byes if bye.round >= following}
    later |= {(following, player) for player in reported.absent_in(following)}
    unused = unused_lines(found, system)
    return ReportPreview(
        name=report.text("012"),
        city=report.text("022"),
        federation=report.text("032"),
        start=read_day(report.text("042")),
        end=read_day(report.text("052")),
        players=len(report.players),
        rounds=planned,
        rounds_paired=reported.paired,
        games=len(reported.games) + len(reported.open),
        initial_colour=colour,
        unrated=without,
        results_open=sum(open_ends or game.round == reported.paired for game in reported.open),
        byes=len(later),
        out=frozenset(player for number, player in later if number == following),
        unused=unused,
        adjustments=adjustments(
            found, reported, rounds=planned, colour=colour, unrated=unrated, unused=unused, system=system
        ),
    )


def _refuse_excess(report: Report, system: str) -> None:
    """Raise ReportRefused for what a section cannot hold, before anything is worked out from it."""
    problems, most = Problems(), system_named(system).most_rounds
    if max(report.rounds or 0, report.rounds_paired) > most:
        record = next(iter(report.of_type(Rounds)), None)
        problems.add("too_many_rounds", line=record.line if record else 0, limit=most)
    are_not_too_many(forbidden_groups(report), MAX_FORBIDDEN_PAIRS, problems)
    try:
        problems.raise_if_any()
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


def _initial_colour(report: Report, system: str) -> Colour | None:
    """Return the initial-colour as the engine finds it. Raises ReportRefused."""
    whole = report if report.rounds else Report((*report.records, Rounds(max(report.rounds_paired, 1))))
    try:
        group_of_baku(whole)
        return to_tournament(whole, round=1, unrated=1, system=system).initial_colour
    except TrfErrors as errors:
        raise ReportRefused(errors.errors, more=errors.more) from errors


# The teams of a report file, and the other records of a team event, for the page before the file is taken.

SHOWN_TEAMS = 100


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """What a file says about teams. Points are in tenths.

    teams: the first ones; those of 013 have no number (0). more: how many are not shown. line_ups, byes, forfeits:
    of 300, 320 and 330. colours: of 352. win, draw, loss: match points of 362, None where it does not say. of_teams:
    records 240, 250 and 260, whose numbers are teams.
    """

    teams: tuple[Team, ...]
    more: int
    players: int
    line_ups: int
    byes: int
    forfeits: int
    colours: str
    win: int | None
    draw: int | None
    loss: int | None
    of_teams: int


def team_facts(report: Report) -> TeamFacts | None:
    """Return what the file says about teams; None for a file without such records."""
    teams = report.of_type(Team) or tuple(
        Team(0, one.name, players=one.players) for one in report.of_type(OldTeam)
    )
    if not teams and not report.is_team_event:
        return None
    points = dict(item for record in report.of_type(MatchScoring) for item in record.items)
    return TeamFacts(
        teams=teams[:SHOWN_TEAMS],
        more=max(0, len(teams) - SHOWN_TEAMS),
        players=len({player for team in teams for player in team.players} - {0}),
        line_ups=len(report.of_type(LineUp)),
        byes=sum(len([team for team in record.teams if team]) for record in report.of_type(TeamByes)),
        forfeits=len(report.of_type(ForfeitedMatch)),
        colours=next((record.colours for record in report.of_type(BoardColours)), ""),
        win=points.get("TW"),
        draw=points.get("TD"),
        loss=points.get("TL"),
        of_teams=len(report.of_type(OfTeams)),
    )
