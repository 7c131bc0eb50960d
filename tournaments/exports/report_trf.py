"""A section as a FIDE report file (TRF16 with the extensions of JaVaFo and the records of TRF26 that say more)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from operator import itemgetter

from evenboard_engine import ByeKind, Colour, system_named
from evenboard_engine.tiebreaks import POINTS, codes_of
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
    abnormal_records,
    acceleration_records,
    fact_lines,
    is_team_event,
    reading_lines,
    scoring_records,
    time_control_code,
    write_report,
)
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Section
from tournaments.queries.field import SectionField, load_field
from tournaments.queries.standings import table
from tournaments.queries.turns import Turn, turns

from .comment_order import in_order, kind_of
from .comments import comments
from .fairness import fairness_lines
from .kept_lines import FORBIDDEN_PAIRS, kept_lines
from .ranking_method import lists_of_event_lines, official_rating_lines, ranking_method, rating_records

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
    return write_report(report(section, for_rating=for_rating))


def report(
    section: Section, *, for_rating: bool = False, measured: bool = True, until: int | None = None
) -> Report:
    """Return the report as a value. Raises what `tournament_report` raises.

    until: the last round whose games must have results. None: of all rounds. measured: with the comments that say how
    fair the pairings were, which take longest.
    """
    field = load_field(section)
    if for_rating:
        refuse_unfinished(field, until)
    announced = _announced(field)
    if for_rating:
        announced = tuple(bye for bye in announced if _counted_already(field, bye))
    prohibitions = tuple(_prohibitions(section))
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
                        replace(one, player=_number(field, one.player)) for one in field.engine.rulings
                    ),
                    *prohibitions,
                ),
                kept,
            ),
            *fact_lines(field.engine.players, system_named(section.system).player_facts),
            *(KeptLine(line) for line in kept if kind_of(line) is None),
            *(KeptLine(line) for line in official_rating_lines(field)),
            *(KeptLine(line) for line in (lists_of_event_lines(field) if for_rating else ())),
            *(KeptLine(line) for line in _readings(section, forbidden=bool(prohibitions))),
            *(
                KeptLine(line)
                for line in in_order((*(line for line in kept if kind_of(line) is not None), *comment_lines))
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


def refuse_unfinished(field: SectionField, until: int | None = None) -> None:
    """Raises DomainError("results_missing") or ("adjourned_open") while a game is open (VCL4THP.13 Q169).

    until: the last round that counts. None: all rounds count.
    """
    last = until or field.latest_number
    still = [game for game in field.open_games if game.round.number <= last]
    if still:
        number = still[0].round.number
        boards = [game.board for game in still if game.round.number == number]
        raise DomainError("results_missing", round=number, boards=boards)
    if games := [
        [game.round.number, game.board] for game in field.adjourned_games if game.round.number <= last
    ]:
        raise DomainError("adjourned_open", games=games)


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


def _header(field: SectionField, *, for_rating: bool) -> Iterator[Record]:
    """Yield the lines about the tournament."""
    section = field.section
    event = section.event
    rated = sum(bool(entry.official_rating) for entry in field.participants.values())
    sections = event.sections.count()
    system = system_named(section.system)
    first, last = section.period
    texts = [
        ("012", event.name if sections == 1 else f"{event.name}, {section.name}"),
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
    yield TextRecord("182", "Evenboard")
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
    by_player = turns(sent)
    places = table(field).places
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


def _entry(field: SectionField, turn: Turn) -> RoundEntry:
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


def _prohibitions(section: Section) -> Iterator[Record]:
    pairs = {
        tuple(sorted((pair.first.tpn or 0, pair.second.tpn or 0))): pair
        for pair in section.forbidden_pairs.select_related("first", "second")
    }
    for players, pair in sorted(pairs.items(), key=itemgetter(0)):
        last = pair.last_round or section.rounds
        yield Prohibition(players, pair.first_round, last)
        if pair.first_round == 1 and last >= section.rounds:
            yield Prohibition(players)


def _virtual_points(field: SectionField) -> Iterator[Record]:
    """Yield the virtual points: 250 for all rounds, XXA for the rounds that are paired and the next one."""
    ranks = {key: _number(field, key) for key in field.participants}
    given = tuple(
        replace(one, players=frozenset(ranks[key] for key in one.players))
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
