"""The command that checks report files: `evenboard-engine --SYSTEM file.trf ... -c [round]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .console import (
    BAD_REQUEST,
    OK,
    CommandOptions,
    CommandStop,
    Progress,
    by_which_rules,
    print_error,
    print_warning,
    print_warnings,
    read,
    warn_of_overruled,
    wrong_input_stops,
)

if TYPE_CHECKING:
    from evenboard_engine.checking.rounds import RoundCheck
    from evenboard_engine.checking.standings import Misplaced
    from evenboard_engine.trf import Report

DIFFERENT = 1


@dataclass
class _Tally:
    """Counts what was found in one file or in all files. ranked: files whose standings were checked."""

    rounds: int = 0
    different: int = 0
    differences: int = 0
    ranked: int = 0
    misplaced: int = 0

    def add(self, other: _Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def rounds_summary(self) -> str:
        checked = f"{_count(self.rounds, 'round')} checked"
        if not self.different:
            return f"{checked}, no difference"
        return f"{checked}, {_count(self.differences, 'difference')} in {_count(self.different, 'round')}"

    @property
    def places_summary(self) -> str:
        return _count(self.misplaced, "wrong place") if self.misplaced else "no wrong place"


def check_files(names: Sequence[str], number: int | None, asked: CommandOptions) -> int:
    """Check files, and print what differs and one line for each file. number: check only this round, no standings.

    The exit code is 0 where all agree, 1 where a round or the standings differ, and otherwise that of the file with
    the worst error. A file that cannot be checked does not stop the check of the others.
    """
    code, unchecked, total = OK, 0, _Tally()
    with Progress(len(names)) as progress:
        for done, name in enumerate(names):
            try:
                of = name if len(names) > 1 else ""
                found = _check_file(name, number, asked, progress, done, of)
            except CommandStop as stop:
                progress.clear()
                for line in stop.lines:
                    print_error(line if len(names) == 1 or name in line else f"{name}: {line}")
                code, unchecked = max(code, stop.code), unchecked + 1
                continue
            code = max(code, DIFFERENT if found.differences or found.misplaced else OK)
            total.add(found)
    if len(names) > 1:
        standings = (
            f"; {_count(total.ranked, 'table')} checked, {total.places_summary}" if total.ranked else ""
        )
        print(f"{len(names)} files, {total.rounds_summary}{standings}{_not_checked(unchecked)}")
    return code


def _check_file(
    name: str, number: int | None, asked: CommandOptions, progress: Progress, done: int, of: str
) -> _Tally:
    from evenboard_engine.trf import read_report, rules_of

    data = read(name)
    with wrong_input_stops():
        report = read_report(data)
        progress.clear()
        asked = asked.of(report, of)
        print_warnings(
            report, asked, of, leave_out="" if number else "ranks_differ"
        )  # the standings tell more
        warn_of_overruled(report, asked, of)
        if report.rounds is None:
            print_warning(
                f"the number of rounds is missing; {_count(report.rounds_paired, 'round')} assumed", of
            )
        tally = _check_rounds(name, report, number, asked, progress, done)
        standings = "" if number else _check_standings(name, report, asked, tally, of)
    rules = by_which_rules(rules_of(report, system=asked.system, options=asked.options))
    by_rules = f" ({rules})" if rules else ""
    print(f"{name}: {tally.rounds_summary}{standings}{by_rules}")
    return tally


def _check_rounds(
    name: str, report: Report, number: int | None, asked: CommandOptions, progress: Progress, done: int
) -> _Tally:
    from evenboard_engine.checking.rounds import check_round

    tally = _Tally()
    for each in _rounds(report, number):
        progress.show(done + (each - 1) / max(1, report.rounds_paired), name)
        check = check_round(report, each, unrated=asked.unrated, system=asked.system, options=asked.options)
        tally.rounds += 1
        tally.different += bool(check.differences)
        tally.differences += len(check.differences)
        progress.clear()
        for line in _lines_of_round(report, check, asked):
            print(f"{name}: {line}")
    return tally


def _lines_of_round(report: Report, check: RoundCheck, asked: CommandOptions) -> Iterator[str]:
    """Yield the differences of a round, and the comments of the file on that round; or that the round is an offer."""
    from evenboard_engine.checking.rounds import counted_in_round_1
    from evenboard_engine.trf import comments_on_round
    from evenboard_engine.words.registry import words_of

    if check.offered:
        yield f"round {check.round}: the rules cannot finish this round; the file has the pairing that is offered"
    if not check.differences or check.published is None:
        return
    counted = counted_in_round_1(report, check.published, check.differences)
    if counted:
        boards, article = _count(len(check.differences), "board"), check.differences[0].article
        yield (
            f"round {check.round}: opposite colours on {boards} ({article}): the file also counts players who were "
            f"not paired in round 1 ({' '.join(map(str, counted))}); they have no pairing number yet (GHR 2.4, "
            "reading D7)"
        )
    else:
        yield from map(words_of(asked.system).difference, check.differences)
    for comment in comments_on_round(report, check.round):
        yield f"round {check.round}: the file has this comment: {comment}"


def _check_standings(name: str, report: Report, asked: CommandOptions, tally: _Tally, of: str) -> str:
    """Check the standings and return the words for the line of the file; "" where it has none to check."""
    from evenboard_engine.checking.standings import check_standings

    check = check_standings(report, unrated=asked.unrated, system=asked.system)
    if check is None:
        return ""
    tally.ranked, tally.misplaced = 1, len(check.misplaced)
    if check.unknown:
        print_warning(
            f"line {check.line}: the tie-break {check.unknown!r} is not known; standings are compared only up to it",
            of,
        )
    for one in check.misplaced:
        print(f"{name}: standings: {misplaced_sentence(one)}")
    return f"; standings by {','.join(check.tie_breaks)}: {tally.places_summary}"


def _rounds(report: Report, number: int | None) -> Sequence[int]:
    if number is None:
        return range(1, report.rounds_paired + 1)
    if number > report.rounds_paired:
        raise CommandStop(
            BAD_REQUEST, f"there is no round {number} to check; {_paired(report.rounds_paired)}"
        )
    return (number,)


def _not_checked(files: int) -> str:
    return f"; {_count(files, 'file')} could not be checked" if files else ""


def _paired(rounds: int) -> str:
    return f"{_count(rounds, 'round')} {'is' if rounds == 1 else 'are'} paired"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def misplaced_sentence(one: Misplaced) -> str:
    """One wrong place in the standings as a line."""
    place = (
        f"shares rank {one.rank} with {one.other}"
        if one.shared
        else f"is before {one.other} at rank {one.rank}"
    )
    return f"{one.player} {place}, but {one.other} has the better {one.tie_break}: {one.better} against {one.value}"
