"""The command that checks report files: `python -m pairing --dubov file.trf ... -c [round]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairing.console import (
    BAD_REQUEST,
    OK,
    Asked,
    Progress,
    Stop,
    by_which_rules,
    contradiction,
    read,
    say_error,
    say_overruled,
    say_warning,
    say_warnings,
    wrong_file,
)

if TYPE_CHECKING:
    from pairing.engine.checker import Difference
    from pairing.engine.standings_check import Misplaced
    from pairing.engine.trf import Report

DIFFERENT = 1


@dataclass
class _Tally:
    """What was found in one file or in all of them. ranked: files whose standings were checked."""

    rounds: int = 0
    different: int = 0
    differences: int = 0
    ranked: int = 0
    misplaced: int = 0

    def add(self, other: _Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def rounds_told(self) -> str:
        checked = f"{_count(self.rounds, 'round')} checked"
        if not self.different:
            return f"{checked}, no difference"
        return f"{checked}, {_count(self.differences, 'difference')} in {_count(self.different, 'round')}"

    @property
    def places_told(self) -> str:
        return _count(self.misplaced, "wrong place") if self.misplaced else "no wrong place"


def check_files(names: Sequence[str], number: int | None, asked: Asked) -> int:
    """Check files and say on standard output what differs, and a line for each file. number: one round alone, without
    the standings.

    The exit code is 0 where all agree, 1 where a round or the standings differ, and otherwise that of the file with
    the worst error; a file that cannot be checked does not keep the others from it.
    """
    code, unchecked, total = OK, 0, _Tally()
    with Progress(len(names)) as progress:
        for done, name in enumerate(names):
            try:
                found = _check_file(name, number, asked, progress, done)
            except Stop as stop:
                progress.clear()
                for line in stop.lines:
                    say_error(line if len(names) == 1 or name in line else f"{name}: {line}")
                code, unchecked = max(code, stop.code), unchecked + 1
                continue
            code = max(code, DIFFERENT if found.differences or found.misplaced else OK)
            total.add(found)
    if len(names) > 1:
        standings = f"; {_count(total.ranked, 'table')} checked, {total.places_told}" if total.ranked else ""
        print(f"{len(names)} files, {total.rounds_told}{standings}{_not_checked(unchecked)}")
    return code


def _check_file(name: str, number: int | None, asked: Asked, progress: Progress, done: int) -> _Tally:
    from pairing.engine import InternalError, InvalidTournament
    from pairing.engine.trf import TrfErrors, read_report, rules_of

    data = read(name)
    try:
        report = read_report(data)
        progress.clear()
        say_warnings(report, leave_out="" if number else "ranks_differ")  # the standings tell more of it
        say_overruled(report, asked)
        if report.rounds is None:
            say_warning(f"the number of rounds is missing; {report.rounds_paired} are taken")
        tally = _check_rounds(name, report, number, asked, progress, done)
        standings = "" if number else _check_standings(name, report, asked, tally)
    except TrfErrors as errors:
        raise wrong_file(errors) from errors
    except InvalidTournament as error:
        raise contradiction(error) from error
    except InternalError as error:
        raise Stop(2, f"internal error, please report it: {error}") from error
    rules = by_which_rules(*rules_of(report, edition=asked.edition, upfloats=asked.upfloats))
    print(f"{name}: {tally.rounds_told}{standings} ({rules})")
    return tally


def _check_rounds(
    name: str, report: Report, number: int | None, asked: Asked, progress: Progress, done: int
) -> _Tally:
    from pairing.engine.checker import check_round

    tally = _Tally()
    for each in _rounds(report, number):
        progress.show(done + (each - 1) / max(1, report.rounds_paired), name)
        check = check_round(
            report, each, unrated=asked.unrated, edition=asked.edition, upfloats=asked.upfloats
        )
        tally.rounds += 1
        tally.different += bool(check.differences)
        tally.differences += len(check.differences)
        progress.clear()
        for difference in check.differences:
            print(f"{name}: {sentence(difference)}")
    return tally


def _check_standings(name: str, report: Report, asked: Asked, tally: _Tally) -> str:
    """The standings, told for the line of the file; "" where it has none to check."""
    from pairing.engine.standings_check import check_standings

    check = check_standings(report, unrated=asked.unrated)
    if check is None:
        return ""
    tally.ranked, tally.misplaced = 1, len(check.misplaced)
    if check.unknown:
        say_warning(
            f"line {check.line}: the tie-break {check.unknown!r} is not known; the standings are compared as far "
            "as it is not needed"
        )
    for one in check.misplaced:
        print(f"{name}: standings: {misplaced_sentence(one)}")
    return f"; standings by {','.join(check.tie_breaks)}: {tally.places_told}"


def _rounds(report: Report, number: int | None) -> Sequence[int]:
    if number is None:
        return range(1, report.rounds_paired + 1)
    if number > report.rounds_paired:
        raise Stop(
            BAD_REQUEST, f"there is no round {number} to check; {report.rounds_paired} rounds are paired"
        )
    return (number,)


def _not_checked(files: int) -> str:
    return f"; {_count(files, 'file')} could not be checked" if files else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def misplaced_sentence(one: Misplaced) -> str:
    """One wrong place in the standings as a line."""
    stands = "shares" if one.shared else "stands before"
    with_whom = f"rank {one.rank} with {one.other}" if one.shared else f"{one.other} at rank {one.rank}"
    return f"{one.player} {stands} {with_whom}, but has {one.tie_break} {one.value} against {one.better}"


def sentence(difference: Difference) -> str:
    """One difference as a line: the round, what the file has, what the rules give, and the article."""
    one, two = (*difference.found, 0, 0)[:2]
    right_one, right_two = (*difference.expected, 0, 0)[:2]
    told = _SENTENCES[difference.code].format(
        found=_players(difference.found),
        expected=_players(difference.expected),
        one=one,
        two=two,
        right_one=right_one,
        right_two=right_two,
        reason=_reason(difference),
        score=_points(difference.score or 0),
    )
    cited = f"{difference.criterion}, {difference.article}" if difference.criterion else difference.article
    return f"round {difference.round}: {told} ({cited})"


_SENTENCES = {
    "bye": "{found} has the bye, but it must be {expected}: {reason}",
    "several_byes": "more than one player has the bye: {found}",
    "no_legal_round": "no legal pairing exists for those who are there",
    "rest_unchecked": "what is left from {score} points down cannot be paired legally, so it is not compared",
    "rematch": "{one} and {two} have met before",
    "forbidden_pair": "{one} and {two} must not meet in this tournament",
    "same_absolute_preference": "{one} and {two} have the same absolute colour preference",
    "upfloaters": "{score} points: the upfloaters are {found}, but must be {expected}: {reason}",
    "preferences": "{score} points: {reason}",
    "shifters": "{score} points: the players shifted to the other subgroup must be {expected}",
    "transposition": "{score} points: {one} plays {two}, but the first legal order of G2 gives {right_two}",
    "colours": "{one} has White against {two}, but {right_one} must have it",
}

_REASONS = {
    "BYE_BARRED": "{found} may not have it any more",
    "BYE_LEAVES_A_PAIRING": "the others cannot all be paired without {found}",
    "BYE_LOWEST_SCORE": "{found} has {first} points, {expected} has {second}",
    "BYE_MOST_GAMES": "{found} has played {first} games, {expected} has played {second}",
    "BYE_LOWEST_RANKED": "{expected} is lower in the initial ranking",
    "C4": "those who remain cannot all be paired then",
    "C5": "{second} suffice",
    "C6": "their points are {first} against {second}",
    "C7": "{first} players miss their colour preference, where {second} have to",
    "C8": "{first} maximum upfloaters against {second}",
    "C9": "the maximum upfloaters have been upfloated {first} times against {second}",
    "C10": "{first} who were upfloated in the last round against {second}",
    "ORDER_OF_UPFLOATERS": "these come first",
}
_IN_POINTS = ("BYE_LOWEST_SCORE", "C6")


def _reason(difference: Difference) -> str:
    if difference.rule.name not in _REASONS:
        return ""
    first, second = difference.values or ("", "")
    if difference.rule.name in _IN_POINTS:
        first, second = _points(first), _points(second)
    return _REASONS[difference.rule.name].format(
        found=_players(difference.found), expected=_players(difference.expected), first=first, second=second
    )


def _points(value: object) -> str:
    """Tenths, or several of them, as people write points."""
    many = value if isinstance(value, tuple) else (value,)
    return " ".join(f"{tenths // 10}.{tenths % 10}" for tenths in many)


def _players(players: tuple[int, ...]) -> str:
    return " ".join(map(str, players)) or "nobody"
