"""A section as a FIDE report file (TRF16 with the extensions of JaVaFo and the records of TRF26 that say more).

The player lines (001) have the official ratings. While the tournament runs, every national rating has its record, and
each tournament rating that the file would not give otherwise has a record with its origin. The final report has the
national records only where they ranked a player, and names the other tournament ratings in a comment.

FIDE rates each rating period of a tournament of more than 30 days as a tournament of its own. The file of a period
has the rounds of the period in their columns, and blanks in the other rounds. The points are those of these rounds,
and nobody has a rank: the standings are those of the whole tournament, and so are pairings, comments and the method
of the starting ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from datetime import date

from django.db.models import Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from base.text import one_line
from evenboard_engine import PROGRAM, ByeKind, Colour, system_named
from evenboard_engine.tiebreaks import POINTS, codes_of
from evenboard_engine.trf import (
    BY_FIDE,
    BY_OTHER,
    NO_FEDERATION,
    ORIGINS,
    AbnormalPoints,
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    Lost,
    PlayerRecord,
    Prohibition,
    RankingMethod,
    Record,
    Report,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TextRecord,
    VirtualPoints,
    abnormal_records,
    acceleration_records,
    as_paired,
    fact_lines,
    has_earlier_ratings,
    is_reading,
    is_renumbering,
    is_team_event,
    numbers_of_round,
    official_lines,
    older,
    ranks_in,
    rating_lines,
    rating_record,
    read_method,
    reading_lines,
    scoring_records,
    time_control_code,
    with_numbers,
    write_report,
)
from tournaments.declarations import ActionKind, names_of, names_with
from tournaments.declarations.entries import EDIT_PARTICIPANT, IMPORT_ENTRIES
from tournaments.declarations.sections import IMPORT_REPORT
from tournaments.errors import ADJOURNED_OPEN, PERIOD_RUNNING, PERIOD_UNKNOWN, RESULTS_MISSING
from tournaments.models import Bye, Integrity, Participant, RatingSource, Section
from tournaments.queries.field import SectionField, load_field
from tournaments.queries.forbidden_pairs import kept_groups
from tournaments.queries.player_rounds import PlayerRound, player_rounds
from tournaments.queries.rating_lists import used_lists_of_event
from tournaments.queries.standings import standings_of

from .fairness import fairness_lines
from .report_comments import comment_kind, comments, comments_in_order, spans

# The ratings of a section in its reports: record 172, the national records, and the origin of other ratings.
#
# The player lines (001) have the official ratings. While the tournament runs, every national rating has its
# record, and each tournament rating that the file would not give otherwise has a record with its origin. The
# final report has the national records only where they ranked a player, and names the other tournament
# ratings in a comment.

RECORD = "172"
_STANDARD, _RAPID, _BLITZ, _MANUAL = ORIGINS
_OF_SOURCE = {
    RatingSource.STANDARD.value: _STANDARD,
    RatingSource.RAPID.value: _RAPID,
    RatingSource.BLITZ.value: _BLITZ,
}


def ranking_method(field: SectionField) -> str:
    """Return the text of the record. An unknown method of an imported file stays."""
    kept = _kept(field)
    if kept and read_method(kept) is None:
        return kept
    return str(_method(field))


def rating_records(
    field: SectionField, players: Mapping[int, PlayerRecord], *, for_rating: bool
) -> Iterator[str]:
    """Yield the national records, and the tournament ratings that 001 and these do not give. players: by key."""
    method = _method(field)
    others: dict[int, int] = {}
    origins: list[str] = []
    for key, entry in field.participants.items():
        given = _given(method, entry, entry.national_rating)
        if entry.national_rating and (not for_rating or _ranked(method, entry)):
            number = entry.player.national_id
            yield rating_record(method.federation, players[key], entry.national_rating, number)
        if given != entry.rating:
            others[entry.tpn or 0] = entry.rating
            code = _OF_SOURCE.get(entry.rating_source, _MANUAL)
            origins.append(rating_record(code, players[key], entry.rating))
    yield from rating_lines(others) if for_rating else origins


def lists_of_event_lines(field: SectionField) -> Iterator[str]:
    """Yield a comment for each list of the event that gave ratings: the federation does not know such a list."""
    for label, count, listing in used_lists_of_event(field.section, field.participants.values()):
        by = ""
        if listing is not None:
            by = f", imported by {one_line(listing.given_by)} on {timezone.localdate(listing.created_at)}"
        yield f"### Ratings from a list of this event, {label}{by}: {count}"


def official_rating_lines(field: SectionField) -> Iterator[str]:
    """Yield the official ratings that an import would not know: 001 of rules that are not FIDE's may have others."""
    method = _method(field)
    entries = field.participants.values()
    others = any(_given(method, entry, entry.national_rating) != entry.rating for entry in entries)
    if field.section.of_fide or others or method.reads_national:
        return iter(())
    return official_lines(
        {entry.tpn or 0: entry.official_rating for entry in entries if entry.official_rating}
    )


def _method(field: SectionField) -> RankingMethod:
    """Return the method of the section. Without one, FIDE's ratings gave the numbers if all are official."""
    section = field.section
    federation = section.rating_federation or section.event.federation or NO_FEDERATION
    if section.rating_method != Section.RatingMethod.OTHER:
        return RankingMethod(federation, section.rating_method)
    by_fide = (
        section.of_fide
        and not section.fixed_rounds
        and all((entry.official_rating or 0) == entry.rating for entry in field.participants.values())
    )
    return RankingMethod(federation, BY_FIDE if by_fide else BY_OTHER)


def _given(method: RankingMethod, entry: Participant, national: int | None) -> int:
    """Return the tournament rating that a reader finds with this national record."""
    found = method.rating(entry.official_rating, national) if method.reads_national else entry.official_rating
    return found or 0


def _ranked(method: RankingMethod, entry: Participant) -> bool:
    """Return whether the national rating gave the tournament rating of the player."""
    return _given(method, entry, entry.national_rating) != _given(method, entry, None)


def _kept(field: SectionField) -> str:
    """Return the text of the record in the imported file, "" for none."""
    records = (text for text in field.section.report_records if text.startswith(RECORD))
    return next(records, "")[len(RECORD) :].strip()


# Lines of an imported report file that the report of the section writes back.

FORBIDDEN_PAIRS = {
    True: "### Forbidden pairs (260, XXP) are the arbiter's and outside FIDE's rules",
    False: "### Forbidden pairs (260, XXP) are the arbiter's",
}
"""The comment, by whether the pairing system is FIDE's."""
_IN_HEADER = frozenset({"012", "172", "182", "192", "202", "212", "222"})
"""Records of the header that the section writes itself."""


def kept_lines(field: SectionField, written: Collection[str], *, dated: bool) -> Iterator[str]:
    """Yield the lines of an imported file that the section does not write itself, with the pairing numbers of today.

    written: the comments of the section, which are not repeated; but each step of the pairing numbers counts.
    dated: the section writes 132 itself.
    """
    records = field.section.report_records
    of_teams = is_team_event(records)
    nothing: dict[int, int] = {}
    named = any(ranks_in(text, of_teams=of_teams) for text in records)
    number_of = _numbers_of_ranks(field) if named else nothing.get
    for text in records:
        if _is_to_be_kept(text, field.section.system) and not (dated and text.startswith("132")):
            line = with_numbers(text, number_of, of_teams=of_teams)
            if line is not None and (line not in written or is_renumbering(line)):
                yield line


def _numbers_of_ranks(field: SectionField) -> Callable[[int], int | None]:
    """Return today's pairing numbers by the starting ranks of the imported file; None for a removed player."""
    row = field.section.log.filter(action=IMPORT_REPORT.name, after__has_key="ranks").order_by("-pk").first()
    if row is None:
        return lambda rank: rank
    try:
        numbers = {
            rank: field.participants[key].tpn for key, rank in row.after["ranks"] if key in field.participants
        }
    except (TypeError, ValueError):  # the log of a copy from elsewhere may hold anything
        return lambda rank: rank
    return lambda rank: numbers.get(rank)


def _is_to_be_kept(text: str, system: str) -> bool:
    is_used = text in FORBIDDEN_PAIRS.values() or is_reading(text, system)
    return text[:3] not in _IN_HEADER and not is_used


_NAMES_TEAMS = AnnouncedBye | VirtualPoints | Prohibition | AbnormalPoints
_ABSENT = RoundEntry(symbol=ByeKind.ZERO.value)


def tournament_report(section: Section, *, for_rating: bool = False) -> bytes:
    """Return the report file, UTF-8 with CRLF, without drafts. Eleven queries.

    By default the file is of a running tournament: it has every national rating and the origin of other tournament
    ratings, and names the players who are not to be paired in the next round. Games without a result are blank,
    adjourned games are `?` (VCL4THP.13 Q164, Q165). for_rating: the final report. It has nothing about rounds to come,
    except byes that a system that looks ahead has counted already.
    Raises DomainError("results_missing") or ("adjourned_open") with for_rating while a game is open (Q169).
    """
    return write_report(section_report(section, for_rating=for_rating))


def section_report(
    section: Section, *, for_rating: bool = False, measured: bool = True, until: int | None = None
) -> Report:
    """Return the report as a value. Raises what `tournament_report` raises.

    until: the last round whose games must have results. None: of all rounds. measured: with the comments that say how
    fair the pairings were, which take longest.
    """
    field = load_field(section)
    if for_rating:
        refuse_unfinished_report(field, until)
    announced = _announced(field)
    if for_rating:
        announced = tuple(bye for bye in announced if _counted_already(field, bye))
    prohibitions = tuple(_prohibitions(field))
    comment_lines = comments(field, announced)
    kept = tuple(kept_lines(field, comment_lines, dated=bool(_dates(field, for_rating=for_rating))))
    players = _players(field, announced, for_rating=for_rating)
    return Report(
        (
            *_header(field, for_rating=for_rating),
            *players.values(),
            *(KeptLine(line) for line in rating_records(field, players, for_rating=for_rating)),
            *_settings(field),
            *_of_players(
                (
                    *_not_paired(field, announced, for_rating=for_rating),
                    *_virtual_points(field),
                    *abnormal_records(
                        one._replace(player=_number(field, one.player)) for one in field.engine.rulings
                    ),
                    *prohibitions,
                ),
                kept,
            ),
            *fact_lines(field.engine.players, system_named(section.system).player_facts),
            *(KeptLine(line) for line in kept if comment_kind(line) is None),
            *(KeptLine(line) for line in official_rating_lines(field)),
            *(KeptLine(line) for line in (lists_of_event_lines(field) if for_rating else ())),
            *(KeptLine(line) for line in _readings(section, forbidden=bool(prohibitions))),
            *(
                KeptLine(line)
                for line in comments_in_order(
                    (*(line for line in kept if comment_kind(line) is not None), *comment_lines)
                )
            ),
            *(KeptLine(line) for line in (fairness_lines(field) if measured else ())),
        )
    )


def _of_players(records: Iterable[Record], kept: Iterable[str]) -> Iterator[Record]:
    """Yield records about players that a reader cannot take for records about teams.

    In the file of a team event, 240, 250, 260 and 299 name teams. The records of JaVaFo name players in every file.
    """
    of_teams = is_team_event(kept)
    for record in records:
        of_all_rounds = isinstance(record, Prohibition) and record.first is None
        names_teams = isinstance(record, _NAMES_TEAMS) and not of_all_rounds
        if not (of_teams and names_teams):
            yield record


def refuse_unfinished_report(field: SectionField, until: int | None = None) -> None:
    """Raises DomainError("results_missing") or ("adjourned_open") while a game is open (VCL4THP.13 Q169).

    until: the last round that counts. None: all rounds count.
    """
    last = until or field.latest_number
    still = [game for game in field.open_games if game.round.number <= last]
    if still:
        number = still[0].round.number
        boards = [game.board for game in still if game.round.number == number]
        raise RESULTS_MISSING.error(round=number, boards=boards)
    if games := [
        [game.round.number, game.board] for game in field.adjourned_games if game.round.number <= last
    ]:
        raise ADJOURNED_OPEN.error(games=games)


def _announced(field: SectionField) -> tuple[Bye, ...]:
    """Byes asked for in the rounds that are not published yet."""
    return tuple(
        Bye.objects.filter(participant__section=field.section, round_number__gt=field.latest_number)
        .exclude(source=Bye.Source.ALLOCATED)
        .order_by("round_number", "kind", "participant__tpn")
    )


def _counted_already(field: SectionField, bye: Bye) -> bool:
    """Return whether a bye of a round to come may have decided who had the bye of an earlier round."""
    return bye.kind == ByeKind.HALF and system_named(field.section.system).looks_ahead


def is_name_of(text: str, section: Section) -> bool:
    """Return whether this text, the name of a tournament (012), is the name of the section."""
    return text[:80] == section.name or text == str(section)


def _kept_name(section: Section) -> str:
    """Return the name in the file from which the section was made, "" for none, or if the section was renamed."""
    kept = (line[3:].strip() for line in section.report_records if line.startswith("012 "))
    return next((name for name in kept if is_name_of(name, section)), "")


def _header(field: SectionField, *, for_rating: bool) -> Iterator[Record]:
    """Yield the lines about the tournament."""
    section = field.section
    event = section.event
    rated = sum(bool(entry.official_rating) for entry in field.participants.values())
    sections = event.sections.count()
    system = system_named(section.system)
    first, last = section.period
    texts = [
        ("012", _kept_name(section) or (event.name if sections == 1 else str(section))),
        ("022", event.city),
        ("032", event.federation),
        ("042", f"{first:%Y/%m/%d}"),
        ("052", f"{last:%Y/%m/%d}"),
        ("062", str(len(field.participants))),
        ("072", str(rated)),
        ("092", system.report_name),
        ("102", event.chief_arbiter),
        *(("112", line) for line in event.deputy_arbiters.splitlines()),
        ("122", section.time_control_in_force),
    ]
    for code, text in texts:
        if text.strip():
            yield TextRecord(code, text.strip())
    if dates := _dates(field, for_rating=for_rating):
        yield RoundDates(dates)
    yield TextRecord("172", ranking_method(field))
    yield TextRecord("182", PROGRAM)
    yield TextRecord("192", system.coded(section.all_options, accelerated=_is_accelerated(field)))
    if section.tie_break_list:
        yield TextRecord("202", codes_of(section.tie_break_list))
    yield TextRecord("212", codes_of((POINTS, *section.tie_break_list)))
    if code := _time_control(section):
        yield TextRecord("222", code)


def _time_control(section: Section) -> str:
    """Return 222: what the words of the time control say, else that of the imported file; "" if nothing is known."""
    kept = (line[3:].strip() for line in section.report_records if line.startswith("222 "))
    return time_control_code(section.time_control_in_force) or next(kept, "")


def _is_accelerated(field: SectionField) -> bool:
    """Return whether the code of 192 says that the field is split: readers would do so by the rule of Baku.

    Nobody has virtual points where all players of GA lost their places in round 1 by hand.
    """
    has_points = any(one.players for one in field.engine.accelerations)
    return field.section.acceleration == Section.Acceleration.BAKU and (has_points or not field.rounds)


def _dates(field: SectionField, *, for_rating: bool) -> tuple[str, ...]:
    """Return the days of the rounds; for_rating leaves out rounds to come. () where no day is known."""
    last = field.latest_number if for_rating else field.section.rounds
    starts = [field.section.start_of(number) for number in range(1, last + 1)]
    return tuple(f"{start.day:%y/%m/%d}" if start else "" for start in starts) if any(starts) else ()


def _settings(field: SectionField) -> Iterator[Record]:
    """Yield rounds, initial-colour and points, in the records of TRF26 and in those of JaVaFo."""
    section = field.section
    yield Rounds(section.rounds, "142")
    yield Rounds(section.rounds, "XXR")
    if section.initial_colour and not section.fixed_rounds:
        colour = Colour(section.initial_colour)
        yield InitialColour(colour)
        yield Configuration(colour=colour)
    yield from scoring_records(section.point_system, adjourned=bool(field.adjourned_games))


def _players(field: SectionField, announced: tuple[Bye, ...], *, for_rating: bool) -> dict[int, PlayerRecord]:
    """Return the lines of the players, by key."""
    sent = _for_rating(field) if for_rating else field
    by_player = player_rounds(sent)
    places = standings_of(field).places
    next_byes = {bye.participant_id: bye for bye in announced if bye.round_number == field.before_round}
    to_come = not for_rating and _has_next_round(field)
    records: dict[int, PlayerRecord] = {}
    for key, entry in field.participants.items():
        entries = [_entry(sent, turn) for turn in by_player[key]]
        if to_come and key in next_byes:
            entries.append(RoundEntry(symbol=next_byes[key].kind))
        elif to_come and _is_out(field, entry):
            entries.append(_ABSENT)
        player = entry.player
        records[key] = PlayerRecord(
            starting_rank=_number(field, key),
            name=player.report_name,
            sex=player.sex,
            title=player.title,
            rating=entry.official_rating or None,
            federation=player.federation,
            fide_id=player.fide_id,
            birth_date=player.birth_date,
            points=field.histories[key].score,
            rank=places.get(key),
            entries=tuple(entries),
        )
    return records


def _for_rating(field: SectionField) -> SectionField:
    """Return the field with the results for rating. Points and places come from the other results (GHR 4.3)."""
    games = []
    for game in field.games:
        sent = copy(game)
        sent.result = game.rating_result or game.result
        games.append(sent)
    return replace(field, games=tuple(games))


def _entry(field: SectionField, turn: PlayerRound) -> RoundEntry:
    if turn.opponent is not None and turn.colour is not None:
        return RoundEntry.of_game(_number(field, turn.opponent), turn.colour, turn.result)
    return RoundEntry.of_bye(turn.bye) if turn.bye else _ABSENT


def _not_paired(field: SectionField, announced: tuple[Bye, ...], *, for_rating: bool) -> Iterator[Record]:
    """Yield the byes of rounds to come (240), and the players who are not to be paired in the next round (XXZ)."""
    by_round: dict[tuple[int, ByeKind], list[int]] = defaultdict(list)
    for bye in announced:
        by_round[bye.round_number, ByeKind(bye.kind)].append(_number(field, bye.participant_id))
    for (number, kind), players in by_round.items():
        yield AnnouncedBye(kind, number, tuple(sorted(players)))
    if for_rating or not _has_next_round(field):
        return
    out = {_number(field, key) for key, entry in field.participants.items() if _is_out(field, entry)}
    out |= {_number(field, bye.participant_id) for bye in announced if bye.round_number == field.before_round}
    if out:
        yield Absentees(tuple(sorted(out)))


def _prohibitions(field: SectionField) -> Iterator[Record]:
    """Yield who is kept apart in which rounds: typed pairs, and the groups of rules; those that rounds to come
    keep apart as far as possible are in a comment.
    """
    rounds = field.section.rounds
    apart: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for pair in field.section.forbidden_pairs.order_by():
        both = sorted((_number(field, pair.first_id), _number(field, pair.second_id)))
        apart[tuple(both)].update(range(pair.first_round, (pair.last_round or rounds) + 1))
    for number in range(1, rounds + 1):
        for group in kept_groups(field, number):
            if (
                len(group.players) > 1
                and not group.left_out
                and (group.strict or number < field.before_round)
            ):
                apart[tuple(sorted(_number(field, key) for key in group.players))].add(number)
    for players, numbers in sorted(apart.items()):
        for first, last in spans(numbers):
            yield Prohibition(players, first, last)
            if first == 1 and last >= rounds:
                yield Prohibition(players)


def _virtual_points(field: SectionField) -> Iterator[Record]:
    """Yield the virtual points: 250 for all rounds, XXA for the rounds that are paired and the next one."""
    ranks = {key: _number(field, key) for key in field.participants}
    given = tuple(
        one._replace(players=frozenset(ranks[key] for key in one.players))
        for one in field.engine.accelerations
    )
    return acceleration_records(given, tuple(ranks.values()), min(field.before_round, field.section.rounds))


def _readings(section: Section, *, forbidden: bool) -> Iterator[str]:
    """Yield what decides the pairings and has no record."""
    yield from reading_lines(section.system, section.options)
    if forbidden:
        yield FORBIDDEN_PAIRS[section.of_fide]


def _has_next_round(field: SectionField) -> bool:
    return field.before_round <= field.section.rounds and not field.section.is_closed


def _is_out(field: SectionField, entry: Participant) -> bool:
    """Whether the player is not to be paired in the next round, even without a bye.

    Where rounds are fixed, a player who has left keeps the games of the table, which are forfeited.
    """
    if field.section.fixed_rounds:
        return False
    return not entry.is_active or entry.first_round > field.before_round


def _number(field: SectionField, key: int) -> int:
    number = field.participants[key].tpn
    assert number is not None, "entries are numbered with every change"
    return number


# The pairing numbers and ratings with which a round was paired, as the comments of the report file give them.

_MAY_CHANGE = Q(integrity__in=(Integrity.REGENERATION, Integrity.EXCHANGE)) | Q(
    action__in=names_of((EDIT_PARTICIPANT, IMPORT_ENTRIES))
)


def entries_as_paired(section: Section, number: int) -> dict[int, tuple[int, int]]:
    """Return (pairing number, rating) of the entries for which a published round was paired with others than today's.

    By key of the participant. Where rounds are fixed, no rating counts, so they are today's. One query where nothing
    may have changed, otherwise those of the report file too.
    """
    if not _may_have_changed(section):
        return {}
    found = section_report(section, measured=False)
    if number > found.rounds_paired:
        return {}
    numbers = numbers_of_round(found, number)
    rated = () if section.fixed_rounds else as_paired(found, number).players
    ratings = {player.starting_rank: player.rating or 0 for player in rated}
    today = section.participants.values_list("pk", "tpn", "rating")
    return {
        key: (numbers[tpn], ratings.get(tpn, rating))
        for key, tpn, rating in today
        if tpn is not None and (numbers[tpn], ratings.get(tpn, rating)) != (tpn, rating)
    }


def _may_have_changed(section: Section) -> bool:
    if any(is_renumbering(text) or has_earlier_ratings(text) for text in section.report_records):
        return True
    first = section.log.filter(action__in=names_with(ActionKind.PAIRING)).order_by("pk").values("pk")[:1]
    return section.log.filter(_MAY_CHANGE, pk__gt=Coalesce(Subquery(first), Value(0))).exists()


# The report file of a section in an older format, and what this format cannot hold.


def older_report(section: Section, edition: str) -> tuple[bytes, tuple[Lost, ...]]:
    """Return the file of the section as it is now, and what it lost. edition: 16 or 06."""
    made, lost = older(section_report(section, measured=False), edition)
    return write_report(made), lost


# The report for rating of one rating period of a tournament of more than 30 days.
#
# FIDE rates each period as a tournament of its own. Its file has the rounds of the period in their columns,
# and blanks in the other rounds. The points are those of these rounds, and nobody has a rank: the standings
# are those of the whole tournament, and so are pairings, comments and the method of the starting ranks.

_TEXTS = frozenset({"012", "022", "032", "062", "092", "102", "112", "122", "182", "192", "222"})


def period_report(section: Section, period: int) -> bytes:
    """Return the file of a period, counted from 1.

    Raises DomainError("period_unknown"); ("period_running") before its last round is published; ("results_missing") or
    ("adjourned_open") while a game of it or of an earlier round is open.
    """
    if not 1 <= period <= len(section.rating_periods):
        raise PERIOD_UNKNOWN.error(period=period)
    first, last = section.rating_periods[period - 1]
    whole = section_report(section, for_rating=True, measured=False, until=last)
    if whole.rounds_paired < last and not section.is_closed:
        raise PERIOD_RUNNING.error(period=period, last=last)
    return write_report(_of_period(section, whole, period, first, last))


def _of_period(section: Section, whole: Report, period: int, first: int, last: int) -> Report:
    ratings = _ratings(section, period)
    players = tuple(_player(player, ratings, first, last) for player in whole.players)
    days = [day for day in section.round_days[first - 1 : last] if day]
    records = (
        *_period_header(whole, days, sum(bool(player.rating) for player in players)),
        *players,
        KeptLine(f"### Rating period {period} of {len(section.rating_periods)}: rounds {first}-{last}"),
    )
    made = Report(records)
    return made.with_players(lambda player: replace(player, points=made.scores(player)[0]))


def _period_header(whole: Report, days: list[date], rated: int) -> Iterator[Record]:
    """Yield the lines about the tournament, with the days of the period. days: those that are known."""
    for record in whole.records:
        match record:
            case TextRecord(code="042") if days:
                yield replace(record, text=f"{min(days):%Y/%m/%d}")
            case TextRecord(code="052") if days:
                yield replace(record, text=f"{max(days):%Y/%m/%d}")
            case TextRecord(code="042" | "052"):
                yield record
            case TextRecord(code="072"):
                yield replace(record, text=str(rated))
            case RoundDates():
                known = {f"{day:%y/%m/%d}" for day in days}
                yield RoundDates(tuple(text if text in known else "" for text in record.dates))
            case TextRecord() if record.code in _TEXTS:
                yield record
            case Rounds() | Scoring():
                yield record


def _player(player: PlayerRecord, ratings: dict[int, int | None], first: int, last: int) -> PlayerRecord:
    entries = tuple(
        entry if number >= first else RoundEntry()
        for number, entry in enumerate(player.entries[:last], start=1)
    )
    rating = ratings.get(player.starting_rank, player.rating)
    return replace(player, rating=rating, rank=None, entries=entries)


def _ratings(section: Section, period: int) -> dict[int, int | None]:
    """Return the official ratings of a period by pairing number: of each player the last ones up to the period."""
    found: dict[int, int | None] = {}
    for tpn, official, later in section.participants.values_list("tpn", "official_rating", "period_ratings"):
        known = [later[str(number)] for number in range(2, period + 1) if str(number) in later]
        found[tpn or 0] = (known[-1] if known else official) or None
    return found
