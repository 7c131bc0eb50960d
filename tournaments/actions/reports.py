"""A whole section from a report file (TRF): players, rounds with results, byes, settings, points.

Lines of the file that the database has no place for are kept as they are. Points come with the point system of the
section, and with points by decision of the arbiter (299).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import Player, PointSystem, Ruling, system_named
from evenboard_engine.trf import (
    RULED,
    SYMBOL_OF_RULED,
    AbnormalPoints,
    DecidedLater,
    EarlierResult,
    KeptLine,
    Leaver,
    OfTeams,
    PlayerRecord,
    RatingCorrection,
    Record,
    Report,
    RoundDates,
    Rounds,
    TeamRecord,
    TextRecord,
    TrfErrors,
    applied,
    as_paired,
    decided_later,
    earlier_results,
    fide_mode_left,
    group_of_baku,
    is_apart_line,
    is_decided_later,
    is_leaver,
    is_left_out_line,
    is_measure_line,
    is_official_line,
    is_period_line,
    is_rating_record,
    is_start_position_line,
    is_team_event,
    is_typed_line,
    leavers,
    left_out,
    ranks_in,
    rating_corrections,
    rating_periods,
    read_method,
    reported_rounds,
    start_positions,
    system_for,
    to_tournament,
    typed_values,
    virtual_points,
    with_facts,
    write_report,
)
from tournaments.declarations.sections import IMPORT_REPORT
from tournaments.entry_data import EntryData
from tournaments.errors import (
    IMPORT_REFUSED,
    RATINGS_MISSING,
    ROUNDS_OUT_OF_RANGE,
    SECTION_NOT_EMPTY,
    DomainError,
    Refusal,
)
from tournaments.files.report_check import check_rounds, options_of, system_of_report
from tournaments.files.report_reading import points_alone, round_days, tie_breaks_of
from tournaments.files.report_writing import is_name_of
from tournaments.models import Event, Integrity, Participant, Section, Title
from tournaments.models.events import REHEARSAL_MARK, federation_form
from tournaments.models.journal import fields_of
from tournaments.questions import Answer

from .entry_lists import ask_about_all
from .events import ONLY_REHEARSALS
from .ledger import Actor, LogEntry, act, act_on_event, assign_values
from .report_rounds import ImportedRounds, ReportRatings, deviations_of_rounds, ratings_of_report
from .roster import Roster, keep_order_of_equals
from .sections import assign_settings, new_section

# Refusals
# `problems`: [{line, column, code, params}], codes of evenboard_engine.trf
REPORT_REFUSED = Refusal("report_refused", _("The report file was not imported. %(problems)s"))
REPORT_WITHOUT_ROUNDS = Refusal(
    "report_without_rounds", _("The report file does not give the number of rounds.")
)
REPORT_POINTS = Refusal(
    "report_points", _("The report file gives %(points)s for %(symbol)s. A section cannot score this.")
)


# Lines of a report file that the database has no place for; the section keeps them as they are.

_KEPT_HEADERS = frozenset({"182", "192", "222"})


def lines_to_keep(
    report: Report,
    corrections: tuple[RatingCorrection, ...],
    earlier: tuple[EarlierResult, ...],
    *,
    dated: bool,
) -> list[str]:
    """Return the lines that the section keeps. corrections: for rating only. earlier: results that changed later.
    dated: the section has days of rounds.
    """
    of_teams, later = report.is_team_event, {str(one): one for one in decided_later(report)}
    takes_effect, gone, rates = applied(corrections, earlier), leavers(report), is_rating_record(report)
    kept = [
        record
        for record in report.records
        if _has_no_place(record, takes_effect, dated=dated)
        and (of_teams or not isinstance(record, AbnormalPoints))
        and not (
            isinstance(record, KeptLine)
            and (
                _is_made_again(record.text, gone)
                or rates(record.text)
                or is_decided_later(record.text, later)
            )
        )
    ]
    return write_report(Report(tuple(kept)), newline="\n").decode().splitlines()


def _is_made_again(text: str, gone: Set[Leaver]) -> bool:
    """Whether the entries or the rounds have what a comment says."""
    return is_leaver(text, gone) or any(
        holds(text)
        for holds in (
            is_typed_line,
            is_left_out_line,
            is_apart_line,
            is_official_line,
            is_measure_line,
            is_period_line,
            is_start_position_line,
        )
    )


def _has_no_place(record: Record, takes_effect: Callable[[str], bool], *, dated: bool) -> bool:
    """Whether a record says what the database has no place for."""
    if isinstance(record, RoundDates) or (isinstance(record, KeptLine) and record.code == "132"):
        return not dated
    if isinstance(record, KeptLine):
        return not takes_effect(record.text)
    if isinstance(record, TeamRecord | OfTeams):
        return True
    if isinstance(record, TextRecord) and record.code == "172":
        return read_method(record.text) is None
    return isinstance(record, TextRecord) and record.code in _KEPT_HEADERS


def ranks_of_lines(lines: list[str], by_rank: dict[int, Participant]) -> list[list[int]]:
    """Return [participant, starting rank] of the players whom kept lines name.

    With them the report of the section writes these lines with the pairing numbers of the day.
    """
    of_teams = is_team_event(lines)
    ranks = sorted({rank for text in lines for rank in ranks_in(text, of_teams=of_teams)} & by_rank.keys())
    return [[by_rank[rank].pk, rank] for rank in ranks]


# The points of a report file: the point system of a section, and points by decision of the arbiter (299).


def take_rulings(
    rulings: Iterable[Ruling], later: Iterable[DecidedLater], by_rank: dict[int, Participant]
) -> None:
    """Take points by decision of the arbiter (299). later: when and why, as far as comments say it."""
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    left: dict[tuple[int, int], int] = defaultdict(int)
    for known in later:
        rows[known.player].append(
            ruling_row(known.round, known.points, after=known.after, reason=known.reason)
        )
        left[known.player, known.round] -= known.points
    for one in rulings:
        if one.of is None:
            left[one.player, one.round] += one.points
        else:
            rows[one.player].append(ruling_row(one.round, one.points, of=SYMBOL_OF_RULED[one.of]))
    for (player, number), points in left.items():
        if points:
            rows[player].append(ruling_row(number, points))
    for player, found in rows.items():
        by_rank[player].rulings = found


def ruling_row(number: int, points: int, *, of: str = "", after: int = 0, reason: str = "") -> dict[str, Any]:
    """Return a decision in the form of `Participant.rulings`."""
    return {"round": number, "of": of, "points": points, "after": after, "reason": reason}


def points_of_section(report: Report) -> tuple[dict[str, int], tuple[Ruling, ...]]:
    """Return the settings of a section with the points of a file, and what they cannot say, as decisions for everybody.

    Raises DomainError("report_points").
    """
    general = [one for one in report.of_type(AbnormalPoints) if one.is_of_point_system]
    if not general or report.is_team_event:
        return _point_settings(report.points), ()
    try:
        return _point_settings(report.points), ()
    except DomainError:
        others = Report(tuple(record for record in report.records if record not in general))
        everybody = [player.starting_rank for player in report.players]
        return _point_settings(others.points), tuple(
            Ruling(rank, 0, one.points or 0, RULED[one.kind]) for one in general for rank in everybody
        )


def _point_settings(points: PointSystem) -> dict[str, int]:
    """Return the settings of a section with this point system. Raises DomainError("report_points")."""
    settings = {
        "win_points": points.white_win,
        "draw_points": points.white_draw,
        "loss_points": points.white_loss,
        "bye_points": points.allocated_bye,
    }
    made = Section(**settings).point_system
    for symbol in PointSystem.__slots__:
        if getattr(points, symbol) != getattr(made, symbol):
            raise REPORT_POINTS.error(symbol=symbol, points=getattr(points, symbol))
    return settings


# A whole section from a report file (TRF): players, rounds with results, byes, settings.

_OF_EVENT = {
    "022": "city",
    "032": "federation",
    "102": "chief_arbiter",
    "112": "deputy_arbiters",
    "122": "time_control",
}
_LARGEST_NUMBER = 32_767


def import_report(
    *,
    actor: Actor,
    report: Report,
    event: Event | None = None,
    section_id: int | None = None,
    name: str = "",
    rounds: int | None = None,
    provisional_rating: int | None = None,
    system: str = "",
    source: str = "",
    both: Answer = False,
) -> Section:
    """Fill a section that has no entries yet, or with `event` a new one called `name`, from a report.

    report: as `read_report` returned it. rounds: where the file does not say; by default those of the section.
    provisional_rating: for players without a rating (C.04.4.1, 1.1). system: if the file does not name one; by default
    that of the section, for a new one the Dutch System. source: the name of the file, for the log. both: the arbiter
    has agreed that players of another section play here too.

    All rounds except the last are finished; the last is published. A game without a result in an earlier round becomes
    an adjourned game. The section takes the pairing numbers of the file and its order of equal ratings, unless no round
    is paired and the numbers do not follow the ratings. Lines that the database has no place for are kept in
    `report_records`. Every round is checked against the rules; the log and the report of the section name the rounds
    that break them (VCL4THP.13 Q54 and Q55).

    Raises DomainError: unless `both`, two_sections_to_confirm; section_not_empty,
    only_rehearsals, report_without_rounds, report_refused, ratings_missing, report_points,
    rounds_out_of_range, round_out_of_range, too_many_forbidden, import_refused (rows: starting ranks), and those of
    the settings of a section.
    """
    if section_id is not None:
        with act(section_id=section_id, actor=actor, action=IMPORT_REPORT, with_event=True) as entry:
            _refuse_rehearsed(entry.section.event, report)
            if entries := entry.section.participants.count():
                raise SECTION_NOT_EMPTY.error(participants=entries)
            planned = rounds or entry.section.rounds
            whole = _complete(report, planned)
            _fill(entry, entry.section, whole, {}, provisional_rating, system, actor)
            ask_about_all(entry, entry.section, both=both)
            entry.subject = one_line(source)
        return entry.section
    assert event is not None, "an event or a section"
    with act_on_event(event_id=event.pk, actor=actor, action=IMPORT_REPORT) as made:
        _refuse_rehearsed(made.event, report)
        made.section = new_section(made.event, name)
        whole, chosen = _complete(report, rounds), system_for(report, system)
        _fill(made, made.section, whole, {"name": name}, provisional_rating, chosen, actor)
        ask_about_all(made, made.section, both=both)
        made.subject = one_line(source)
    return made.section


def _refuse_rehearsed(event: Event, report: Report) -> None:
    """Raises DomainError("only_rehearsals")."""
    if not event.rehearsal and any(text.startswith(REHEARSAL_MARK) for text in report.texts("012")):
        raise ONLY_REHEARSALS.error(event=event.name)


def _complete(report: Report, rounds: int | None) -> Report:
    """Return the report with a number of rounds. Raises DomainError("report_without_rounds")."""
    if report.rounds is not None:
        return report
    if rounds is None:
        raise REPORT_WITHOUT_ROUNDS.error()
    return Report((*report.records, Rounds(rounds)))


def _fill(
    entry: LogEntry,
    section: Section,
    report: Report,
    settings: dict[str, Any],
    provisional_rating: int | None,
    chosen: str,
    actor: Actor,
) -> None:
    ratings = ratings_of_report(report, section)
    corrections, earlier = rating_corrections(report), earlier_results(report)
    report = as_paired(report)
    paired = report.rounds_paired
    system = system_of_report(report, section, chosen)
    most = system_named(system).most_rounds
    if not max(paired, 1) <= (report.rounds or 0) <= most:
        raise ROUNDS_OUT_OF_RANGE.error(rounds=report.rounds, minimum=max(paired, 1), maximum=most)
    _refuse_unrated(report, provisional_rating, system)
    initial_colour, ga = _understood(report, system)
    points, general = points_of_section(report)
    options = options_of(report, section, section.event.start, chosen)
    listed = ga is None
    kind = (
        Section.Acceleration.LISTED
        if listed
        else Section.Acceleration.BAKU
        if ga
        else Section.Acceleration.NONE
    )
    variants = {
        "acceleration": kind.value,
        "system": system,
        "options": options,
        **_own_time_control(section, report),
    }
    _, after = assign_settings(section, {**settings, **points, **variants, "rounds": report.rounds})
    section.initial_colour = initial_colour
    section.schedule = _schedule(report)
    if (left := fide_mode_left(report)) is not None:
        section.fide_mode, section.fide_mode_left_in_round = False, left
    section.rating_method, section.rating_federation = ratings.method, ratings.federation
    _take_comments(section, report)
    section.report_records = [
        *(f"012 {name}" for name in report.texts("012") if is_name_of(name, section)),
        *lines_to_keep(report, corrections, earlier, dated=any(section.schedule)),
    ]
    section.save()
    roster = Roster.load(section)
    by_rank = _enter(roster, report, ratings, provisional_rating)
    for code, values in typed_values(report).items():
        for rank, value in values.items():
            by_rank[rank].tie_values = {**by_rank[rank].tie_values, code: value}
    _take_period_ratings(section, report, by_rank)
    for leaver in leavers(report):
        gone, status = by_rank[leaver.player], Participant.Status
        gone.status = status.EXPELLED if leaver.expelled else status.WITHDRAWN
        gone.left_after = leaver.round
    if ga is None:
        _take_virtual_points(report, by_rank)
    else:
        _group(by_rank, ga, paired)
    take_rulings((*general, *report.rulings), decided_later(report), by_rank)
    by_lot = section.fixed_rounds
    numbered = bool(paired) or by_lot or _ranked_by_rating(by_rank)
    if numbered:
        keep_order_of_equals(roster.participants, by_lot=by_lot)
    roster.save(entry, actor, renumber=not numbered)
    imported = ImportedRounds(section, report, by_rank, corrections, earlier)
    checked = None
    if paired:
        checked = check_rounds(report, system=system, options=options, unrated=provisional_rating)
        imported.mark(checked)
    imported.save()
    entry.after |= {
        **after,
        **imported.log_payload(),
        "players": len(by_rank),
        "initial_colour": initial_colour,
    }
    if ranks := ranks_of_lines(section.report_records, by_rank):
        entry.after["ranks"] = ranks
    if filled := _fill_event(section.event, report):
        entry.after["event"] = filled
    if checked is not None:
        entry.round_number = paired
        entry.integrity = Integrity.IMPORT
        entry.after |= deviations_of_rounds(checked, by_rank)


def _understood(report: Report, system: str) -> tuple[str, frozenset[int] | None]:
    """Return the initial-colour, from its record or from round 1, "" for neither, and GA of Baku Acceleration, None for
    other virtual points.

    Fixed rounds have no initial-colour.
    Raises DomainError("report_refused") for what affects the pairing and is not supported.
    """
    try:
        colour = to_tournament(report, round=1, unrated=1, system=system).initial_colour
        ga = group_of_baku(report)
    except TrfErrors as error:
        raise REPORT_REFUSED.error(
            problems=[
                {"line": found.line, "column": found.column, "code": found.code, "params": found.params}
                for found in error.errors
            ],
        ) from error
    return colour.value if colour and not system_named(system).fixed_rounds else "", ga


def _take_comments(section: Section, report: Report) -> None:
    """Take the tie-breaks of a file, and the settings for which there are only comments."""
    section.tie_breaks = [rule.code for rule in tie_breaks_of(report)] or points_alone(report)
    section.unrated_left_out = left_out(report) is not None
    periods = rating_periods(report)
    section.period_starts = [start for start in periods.starts if 1 < start <= (report.rounds or 0)]
    section.longer_than_30_days, section.period_counted = bool(section.period_starts), periods.counted
    section.chess960 = start_positions(report) is not None


def _take_period_ratings(section: Section, report: Report, by_rank: dict[int, Participant]) -> None:
    for rank, by_start in rating_periods(report).ratings.items():
        if rank in by_rank:
            by_rank[rank].period_ratings = {
                str(number): by_start[start]
                for number, start in enumerate(section.period_starts, start=2)
                if start in by_start
            }


def _group(by_rank: dict[int, Participant], ga: frozenset[int], paired: int) -> None:
    """Put the players who were taken into account for a round into GA or GB, if there is a GA."""
    for rank, participant in by_rank.items() if ga and paired else ():
        if participant.first_round <= paired:
            group = Participant.AccelerationGroup
            participant.acceleration_group = (group.GA if rank in ga else group.GB).value


def _take_virtual_points(report: Report, by_rank: dict[int, Participant]) -> None:
    for given in virtual_points(report):
        rounds = given.last_round - given.first_round + 1
        for rank in given.players:
            points = by_rank[rank].virtual_points
            points.extend([0] * (given.last_round - len(points)))
            points[given.first_round - 1 : given.last_round] = [given.points] * rounds


def _refuse_unrated(report: Report, provisional_rating: int | None, system: str) -> None:
    unrated = [player.name for player in report.players if not player.rating]
    if unrated and provisional_rating is None and not system_named(system).takes_unrated:
        raise RATINGS_MISSING.error(names=unrated, system=system)


def _schedule(report: Report) -> list[str]:
    """Return the days of the rounds in the form of `Section.schedule`."""
    return [day.isoformat() if day else "" for day in round_days(report, report.rounds or 0)]


def _own_time_control(section: Section, report: Report) -> dict[str, str]:
    """Return the time control of the file as a setting of the section, if the event has another one."""
    text, of_event = "\n".join(report.texts("122")).strip(), section.event.time_control
    longest = fields_of(Section)["time_control"].max_length
    return {"time_control": text[:longest]} if text and of_event not in ("", text) else {}


def _fill_event(event: Event, report: Report) -> dict[str, Any]:
    """Fill the empty fields of the event from the header of the report; return what was taken.

    The event keeps its name and its days, which are never empty.
    """
    texts = {field: "\n".join(report.texts(code)) for code, field in _OF_EVENT.items()}
    if not federation_form.match(texts["federation"].upper()):
        texts["federation"] = ""
    values = {
        field: text.strip()[: fields_of(Event)[field].max_length]
        for field, text in texts.items()
        if text.strip() and not getattr(event, field)
    }
    if "federation" in values:
        values["federation"] = values["federation"].upper()
    _, after = assign_values(event, values)
    if after:
        event.save(update_fields=sorted(after))
    return after


def _enter(
    roster: Roster, report: Report, ratings: ReportRatings, provisional_rating: int | None
) -> dict[int, Participant]:
    """Return the entries by starting rank, not saved yet.

    Raises DomainError("import_refused").
    """
    numbers = _numbers(report)
    first_rounds = _first_rounds(report)
    problems: list[dict[str, Any]] = []
    entries: dict[int, Participant] = {}
    facts = _facts(report, roster.section)
    for player in report.players:
        rank = player.starting_rank
        data = _entry_data(player, ratings, first_rounds[rank], provisional_rating)
        data = replace(data, **facts.get(rank, {}))
        try:
            entries[rank] = roster.enter(data, tpn=numbers[rank], twins=True)
        except DomainError as error:
            problems.append({"row": rank, "name": player.name, "code": error.code, "params": error.params})
    if problems:
        raise IMPORT_REFUSED.error(problems=problems)
    return entries


def _facts(report: Report, section: Section) -> dict[int, dict[str, Any]]:
    """Return teams, clubs and flags, as far as the pairing system asks for them, by starting rank."""
    asked = set(system_named(section.system).player_facts)
    if not asked:
        return {}
    ranks = [player.starting_rank for player in report.players]
    return {
        player.id: {
            "team": player.team if "team" in asked else "",
            "club": player.club if "club" in asked else "",
            "pairing_flags": " ".join(sorted(flag.value for flag in player.flags if flag.value in asked)),
        }
        for player in with_facts(report, [Player(rank, rank, 0) for rank in ranks])
    }


def _numbers(report: Report) -> dict[int, int]:
    ranks = [player.starting_rank for player in report.players]
    if report.by_position:
        return {rank: place for place, rank in enumerate(ranks, start=1)}
    if max(ranks) > _LARGEST_NUMBER:
        return {rank: place for place, rank in enumerate(sorted(ranks), start=1)}
    return {rank: rank for rank in ranks}


def _ranked_by_rating(by_rank: dict[int, Participant]) -> bool:
    ratings = [participant.rating for participant in sorted(by_rank.values(), key=lambda p: p.tpn or 0)]
    return ratings == sorted(ratings, reverse=True)


def _first_rounds(report: Report) -> dict[int, int]:
    """Return the first round of each player, by starting rank. Rounds before the first game or bye count as missed."""
    rounds, planned = reported_rounds(report), report.rounds or 1
    return {
        player.starting_rank: min(rounds.first_round(player.starting_rank), planned)
        for player in report.players
    }


def _entry_data(
    player: PlayerRecord, ratings: ReportRatings, first_round: int, provisional_rating: int | None
) -> EntryData:
    federation = player.federation.upper()
    rating = player.rating or provisional_rating or 0
    return EntryData(
        name=player.name,
        rating=rating,
        sex=player.sex,
        title=player.title if player.title in Title.values else "",
        federation=federation if federation_form.match(federation) else "",
        fide_id=player.fide_id,
        birth_date=player.birth_date,
        first_round=first_round,
        **ratings.of_entry(player.starting_rank, rating, provisional=bool(provisional_rating)),
    )
