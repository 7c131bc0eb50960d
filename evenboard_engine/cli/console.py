"""What all commands of the command line share: exit codes, reading, writing, and messages about errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from pathlib import Path

    from evenboard_engine import InvalidTournament, PairingError, Tournament
    from evenboard_engine.trace import Reason
    from evenboard_engine.trf import Report
    from evenboard_engine.words.explanation import Statement

OK = 0
NO_PAIRING = 1
INTERNAL = 2
BAD_REQUEST = 3
TOO_LARGE = 4
FILE_ERROR = 5
INTERRUPTED = 130

_SIZE_CODES = frozenset(
    {
        "file_too_large",
        "line_too_long",
        "too_many_forbidden",
        "too_many_lines",
        "too_many_rounds",
        "too_many_virtual",
    }
)


class CommandStop(Exception):
    """Ends the program with an exit code and these lines on standard error."""

    def __init__(self, code: int, *lines: str) -> None:
        super().__init__(code)
        self.code = code
        self.lines = lines


class CommandOptions(NamedTuple):
    """What the command line says. system: "" if the file names it. options: of the pairing system; the file decides
    about the others.
    """

    unrated: int | None
    system: str
    options: Mapping[str, str]

    def of(self, report: Report, name: str = "") -> CommandOptions:
        """Return the same with the pairing system: the one of the command line, else the one that the report names,
        else the Dutch System, as in the files of other programs.

        name: the file, where there are several. Raises CommandStop for a code in record 192 that is not known.
        """
        if self.system:
            return self
        from evenboard_engine.trf.pairing_comments import system_named_in

        system = system_named_in(report)
        source = f"the file says --{system}"
        if not system:
            from evenboard_engine.systems.registry import ASSUMED_SYSTEM

            if unknown := report.text("192"):
                raise CommandStop(
                    BAD_REQUEST,
                    f"the file names a pairing system that is not known (192: {unknown}): {name_a_system()}",
                    see_help(),
                )
            system = ASSUMED_SYSTEM
            source = f"the file names no pairing system (192): --{system} is assumed, or {name_a_system()}"
        print_error(": ".join(filter(None, (name, source))))
        return self._replace(system=system, options=checked_options(system, self.options))


def program() -> str:
    """Return how the command was started: as a package, as one file, or by the command of the installed package."""
    started = sys.modules["__main__"].__spec__
    if started and not started.parent:
        return f"python {sys.argv[0].replace(os.sep, '/').rpartition('/')[2]}"
    return f"python -m {started.parent}" if started else "evenboard-engine"


def see_help() -> str:
    """Return where the arguments are described."""
    return f"try: {program()} --help"


def name_a_system() -> str:
    """Return what to do where nobody names the pairing system."""
    from evenboard_engine import SYSTEMS

    return f"add {' or '.join(f'--{code}' for code in SYSTEMS)}"


def checked_options(system: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return options as the pairing system writes them. Raises CommandStop."""
    from evenboard_engine import InvalidTournament, system_named

    try:
        found = system_named(system).checked(options)
    except InvalidTournament as error:
        known = ", ".join(error.params.get("known", ())) or "none"
        sentence = _WRONG_OPTION[error.code].format(**{**error.params, "known": known, "system": system})
        raise CommandStop(BAD_REQUEST, sentence, see_help()) from error
    return {name: found[name] for name in options}


_WRONG_OPTION = {
    "unknown_option": "--{system} has no option {option}; it has {known}",
    "unknown_value": "{option} of --{system} is one of {known}, not {value}",
    "option_above": "{option} of --{system} cannot be {value}, because {other} is {most}",
}


def print_error(line: str) -> None:
    """Print a line on standard error."""
    print(f"pairing: {line}", file=sys.stderr)


def print_warning(line: str, of: str = "") -> None:
    """Print a warning on standard error; the command goes on. of: the file, where there are several."""
    print_error(f"warning: {of}: {line}" if of else f"warning: {line}")


def print_warnings(report: Report, asked: CommandOptions, of: str = "", *, leave_out: str = "") -> None:
    """Print the warnings about a report that can be used. leave_out: a code."""
    from evenboard_engine.trf.file_warnings import file_warnings

    found = [doubt for doubt in file_warnings(report, system=asked.system) if doubt.code != leave_out]
    if not found:
        return
    from evenboard_engine.words.report_problems import sentence

    for doubt in found:
        print_warning(sentence(doubt), of)


def warn_of_overruled(report: Report, asked: CommandOptions, of: str = "") -> None:
    """Warn where an option contradicts a comment of the file."""
    from evenboard_engine.trf import readings

    of_the_file = readings(report, asked.system)
    for name, option in asked.options.items():
        in_file = of_the_file.get(name, option)
        if option != in_file:
            print_warning(f"the file says {name} {in_file}; {name} {option} is used", of)


def by_which_rules(options: Mapping[str, str]) -> str:
    """The words for a summary."""
    return ", ".join(f"{name} {value}" for name, value in options.items())


_INVALID = {
    "initial_colour_missing": (
        "the initial-colour is missing; add a line '152 W' or '152 B' (or 'XXC white1' or 'XXC black1')"
    )
}


def contradiction(error: InvalidTournament) -> CommandStop:
    """The message for a tournament that the reader accepts and the engine refuses."""
    sentence = _INVALID.get(error.code, "the tournament contradicts itself: {error}")
    return CommandStop(BAD_REQUEST, sentence.format(error=error, **error.params))


@contextmanager
def wrong_input_stops() -> Iterator[None]:
    """Turn what report files and the engine refuse into the messages that end the program."""
    from evenboard_engine import InternalError, InvalidTournament
    from evenboard_engine.trf import TrfErrors

    try:
        yield
    except TrfErrors as errors:
        raise wrong_file(errors) from errors
    except InvalidTournament as error:
        raise contradiction(error) from error
    except InternalError as error:
        raise CommandStop(INTERNAL, f"internal error, please report it: {error}") from error


def names_in(report: Report) -> dict[int, str]:
    """Return the number and the name of each player, by starting rank."""
    from evenboard_engine.trf import PlayerRecord

    return {
        record.starting_rank: f"{record.starting_rank} {record.name}".replace(",", "").strip()
        for record in report.of_type(PlayerRecord)
    }


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with columns of equal width: the first one to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    ]


def reason_lines(report: Report, tournament: Tournament, reasons: Iterable[Reason]) -> list[str]:
    """Return the sentences of reasons, in the words of the pairing system."""
    from evenboard_engine.words.registry import words_of

    words = words_of(tournament.system).explanation(names_in(report).__getitem__, tournament=tournament)
    return [with_articles(statement) for statement in words.reasons(reasons)]


def with_articles(statement: Statement) -> str:
    """Return a sentence with its articles in brackets."""
    return f"{statement.text} [{', '.join(statement.articles)}]" if statement.articles else statement.text


class Progress:
    """A progress bar on standard error. Shows nothing where standard error is not a terminal."""

    WIDTH = 30

    def __init__(self, total: int) -> None:
        self._total = max(1, total)
        self._seen = sys.stderr.isatty()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, done: float, what: str) -> None:
        """done: of the total, with fractions. what: is done now."""
        if not self._seen:
            return
        share = min(1.0, done / self._total)
        bar = "#" * round(share * self.WIDTH)
        print(f"\r[{bar:.<{self.WIDTH}}] {share:4.0%} {what[-40:]:<40}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def clear(self) -> None:
        """Remove the bar, so that a line can be printed in its place."""
        if self._shown:
            print("\r" + " " * (self.WIDTH + 50) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = False


def read(name: str) -> bytes:
    """Return the bytes of a file, - for standard input. At most one more than the limit. Raises CommandStop."""
    from evenboard_engine.trf.read import MAX_BYTES

    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(name, "rb") as file:  # noqa: PTH123 the module of paths takes longer to load than many a file to read
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise CommandStop(FILE_ERROR, f"cannot read {name}: {reason(error)}") from error


def wrong_file(errors: PairingError) -> CommandStop:
    """The message with what is wrong in a report file, one line for each error."""
    from evenboard_engine.trf import TrfErrors
    from evenboard_engine.words.report_problems import sentence

    assert isinstance(errors, TrfErrors)
    too_large = any(error.code in _SIZE_CODES for error in errors.errors)
    lines = [sentence(error) for error in errors.errors]
    if errors.more:
        lines.append("there are more errors; only the first ones are shown")
    return CommandStop(TOO_LARGE if too_large else BAD_REQUEST, *lines)


def write(text: str, output: str, source: str) -> None:
    """Write to a file; a bare name is put beside `source`, - is standard output. Raises CommandStop."""
    try:
        if output == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        from pathlib import Path

        path = Path(output)
        _write_whole(text, Path(source).parent / path if path.name == output else path)
    except (OSError, ValueError) as error:
        raise CommandStop(FILE_ERROR, f"cannot write {output}: {reason(error)}") from error


def _write_whole(text: str, path: Path) -> None:
    """Write the whole file or nothing, because a caller may read the file as soon as it exists."""
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="ascii")  # a device or a pipe is not replaced
        return
    path = path.resolve()
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("x", encoding="ascii", newline="\n") as file:
            file.write(text)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def reason(error: Exception) -> str:
    """The reason of a failure in a few words, without the name of the file."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
