"""What is untrue in the report files of a section: found by the checker, and by an import and a second export."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from itertools import count

from evenboard_engine import offer
from evenboard_engine.checking.rounds import RoundCheck, check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.trf import Report, as_paired, comments_on_round, read_report, to_tournament
from evenboard_engine.words.registry import words_of
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.models import Event, Section

_NUMBERS = count(1)


def faults(section: Section, actor: Actor) -> list[str]:
    """Return what is wrong with both reports of a section, as sentences. A report that is refused has no fault."""
    found = []
    for for_rating in (False, True):
        try:
            data = tournament_report(section, for_rating=for_rating)
        except DomainError:
            continue
        kind = "rating" if for_rating else "partial"
        found += [f"{kind}: {fault}" for fault in _of_checker(section, data)]
        if for_rating or not _ended_early(section):
            found += [f"{kind}: {fault}" for fault in _of_import(section, data, actor, for_rating)]
    return found


def _of_checker(section: Section, data: bytes) -> Iterator[str]:
    """Yield what the checker says, except what the file says of rounds that were paired by hand, if that is true."""
    report = read_report(data)
    for check in check_rounds(report, system=section.system):
        written, true = _written_by_hand(report, check.round), _by_hand(section, report, check)
        if written and written != [true]:
            yield f"round {check.round} is said to be paired by hand: {written}, but it is so: {true}"
        elif check.differences and not written:
            yield from map(words_of(section.system).difference, check.differences)
    standings = check_standings(report, system=section.system)
    if standings is not None:
        yield from map(str, standings.misplaced)


def _written_by_hand(report: Report, number: int) -> list[tuple[set[str], set[str]]]:
    """Return what the comments say that a round should be and is, as far as both differ."""
    head = f"MPA @ Round {number}: "
    texts = [text[len(head) :] for text in comments_on_round(report, number) if text.startswith(head)]
    sides = [[set(side.split()) - {"none"} for side in text.split("=>")] for text in texts]
    return [(right, found) for right, found in sides]


def _by_hand(section: Section, report: Report, check: RoundCheck) -> tuple[set[str], set[str]]:
    """Return the same as the checker finds it: by the rules, or the offer where the rules cannot finish."""
    value = to_tournament(as_paired(report, check.round), round=check.round, system=section.system)
    offered = offer(value) if check.right is None else None
    right = check.right or (offered.pairing if offered else None)
    assert check.published is not None
    pairs = {f"{pair.white}-{pair.black}" for pair in right.pairs} if right else set()
    byes = {right.bye} - {None} if right else set()
    mine = {f"{white}-{black}" for white, black in check.published.pairs}
    return _without_shared(pairs | _as_byes(byes), mine | _as_byes(check.published.byes))


def _as_byes(players: Iterable[int | None]) -> set[str]:
    return {f"{player}=PAB" for player in players}


def _without_shared(one: set[str], other: set[str]) -> tuple[set[str], set[str]]:
    return one - other, other - one


def _ended_early(section: Section) -> bool:
    """Return whether the section is closed before its last round. No record says this, so a copy waits for the rest."""
    return section.is_closed and section.played_rounds.count() < section.rounds


def _of_import(section: Section, data: bytes, actor: Actor, for_rating: bool) -> Iterator[str]:
    """Yield the lines that are different after an import and a second export."""
    event = Event.objects.create(
        name=read_report(data).text("012"),
        slug=f"again-{next(_NUMBERS)}",
        city=section.event.city,
        federation=section.event.federation,
        start=section.event.start,
        end=section.event.end,
    )
    copied = import_report(actor=actor, report=read_report(data), event=event, name=section.name)
    again = tournament_report(Section.objects.get(pk=copied.pk), for_rating=for_rating)
    before, after = data.decode().splitlines(), again.decode().splitlines()
    for line in difflib.unified_diff(before, after, lineterm="", n=0):
        if line[:3] not in ("---", "+++") and line[:2] != "@@":
            yield line
