"""The command line: `evenboard-engine [--SYSTEM]`, to pair (-p), to explain (--explain), to compare systems
(--compare), to check (-c), to show the standings (--standings) and to generate tournaments (-g).

Arguments, reply and exit codes are those of JaVaFo and bbpPairings, so that other tournament programs can call it. Each
command imports only what it needs, and loads only the pairing system that is asked for.
"""

from __future__ import annotations

import argparse
import gc
import io
import sys
from typing import NoReturn

from evenboard_engine import PROGRAM

from .console import (
    BAD_REQUEST,
    INTERNAL,
    INTERRUPTED,
    OK,
    TOO_LARGE,
    CommandOptions,
    CommandStop,
    checked_options,
    name_a_system,
    program,
    read,
    see_help,
    write,
)

_EPILOG = """\
The reply to -p is the number of pairs, then one pair in each line, White
first, in the order of the boards. The player with the bye comes last,
followed by 0.

exit codes: 0 done, and with -c no difference; 1 no legal pairing exists, the
rules cannot finish the round, or with -c a round or the standings differ;
2 internal error; 3 wrong arguments or a wrong file; 4 too large;
5 a file cannot be read or written
"""


class _CheckedOnly(argparse.RawDescriptionHelpFormatter):
    """Checks each option as it is added, without asking for the width of the terminal: this would load much."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)


class _Parser(argparse.ArgumentParser):
    """Knows the options of the program. What the pairing systems say of theirs is loaded only for those who need it.

    systems: the option of each system, by code. own: the names of the options that belong to one system.
    """

    systems: dict[str, argparse.Action]
    own: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        raise CommandStop(BAD_REQUEST, message, see_help())

    def format_help(self) -> str:
        whole = _parser()
        whole.learn_systems()
        whole.formatter_class = argparse.RawDescriptionHelpFormatter
        return argparse.ArgumentParser.format_help(whole)

    def format_usage(self) -> str:
        return ""  # the help makes its own, and an error is a CommandStop

    def learn_systems(self) -> None:
        """Add the options of pairing systems that have an option of the command line, and the help about systems."""
        from evenboard_engine import SYSTEMS
        from evenboard_engine.words.registry import SYSTEM_WORDS

        for code, option in self.systems.items():
            option.help = (
                f"the pairing system ({SYSTEMS[code].regulation}); without it, the one that the file names"
            )
        for system in SYSTEM_WORDS.values():
            for name, words in system.options.items():
                if words.command and name not in self.own:
                    self.add_argument(f"--{name}", metavar="value", help=words.command)
                    self.own += (name,)


def run() -> NoReturn:
    """Run the command as a process of its own, which ends with the exit code.

    A short process has no use for a search for circles of values. At the end Python would look at all that is left.
    """
    gc.set_threshold(100_000)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a file of Windows has only the letters of one code page
        sys.stdout.reconfigure(errors="backslashreplace")
    code = main()
    gc.freeze()
    sys.exit(code)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return the exit code. Errors go to standard error."""
    try:
        return _run(_parsed(arguments))
    except CommandStop as stop:
        for line in stop.lines:
            print(f"pairing: {line}", file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        print("pairing: not enough memory for this tournament", file=sys.stderr)
        return TOO_LARGE
    except Exception as error:  # noqa: BLE001 the caller reads exit codes, not tracebacks
        print(f"pairing: internal error, please report it: {type(error).__name__}: {error}", file=sys.stderr)
        return INTERNAL


def _run(options: argparse.Namespace) -> int:
    if options.check is not None:
        from .check import check_files

        return check_files(options.input, options.check or None, _asked(options))
    if options.generate is not None:
        from .generate import generate_files

        return generate_files(options.generate, options.output, options.seed, options.count, _asked(options))
    (name,) = options.input
    if options.compare is not None:
        from .compare import comparison

        sys.stdout.write(comparison(read(name), options.compare or None, _asked(options)))
        return OK
    if options.standings is not None:
        from .standings import standings_text

        sys.stdout.write(standings_text(read(name), options.standings, options.player, _asked(options)))
        return OK
    from .pair import paired, reply

    report, tournament, pairing = paired(read(name), _asked(options), explaining=options.explain)
    if options.explain:
        from .explain import explanation

        sys.stdout.write(explanation(report, tournament, pairing, options.player, options.why_not))
        return OK
    write(reply(pairing), options.pair, name)
    return OK


def _asked(options: argparse.Namespace) -> CommandOptions:
    return CommandOptions(options.unrated, options.system or "", options.options)


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = _parser()
    try:
        options = parser.parse_intermixed_args(arguments)
    except CommandStop:
        parser.learn_systems()
        options = _with_own_options(parser, arguments)
    options.options = _options_of_system(parser, options)
    generating = options.generate is not None
    if generating and not options.system:
        parser.error(f"-g needs a pairing system: {name_a_system()}")
    if generating and options.input:
        parser.error(f"-g reads no report: {' '.join(options.input)}")
    if generating and not options.output:
        parser.error("-g needs -o, the file to be written")
    if not generating and not options.input:
        parser.error("the name of a report file is missing")
    for what, asked in (
        ("paired", options.pair is not None),
        ("explained", options.explain),
        ("compared", options.compare is not None),
        ("ranked", options.standings is not None),
    ):
        if asked and len(options.input) > 1:
            parser.error(f"only one file can be {what} at a time")
    _check_details(parser, options)
    if not generating and (options.output or options.seed or options.count):
        parser.error("-o, -s and -n need -g")
    return options


def _with_own_options(parser: _Parser, arguments: list[str] | None) -> argparse.Namespace:
    try:
        return parser.parse_intermixed_args(arguments)
    except CommandStop:
        if unknown := _unknown(arguments):
            parser.error(f"there is no option {' '.join(unknown)}")
        raise


def _check_details(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse --player and --why-not where they mean nothing."""
    if options.player is not None and not options.explain and options.standings is None:
        parser.error("--player needs --explain or --standings")
    if options.why_not is not None and not options.explain:
        parser.error("--why-not needs --explain")
    if options.why_not is not None and options.player in (None, options.why_not):
        parser.error("--why-not needs --player, and another number")


def _options_of_system(parser: _Parser, options: argparse.Namespace) -> dict[str, str]:
    """Return the options of the pairing system that are asked for, checked if the command line names the system."""
    asked = {name: value for name in parser.own if (value := getattr(options, name)) is not None}
    for name, value in options.option:
        if asked.setdefault(name, value) != value:
            parser.error(f"{name} is given twice: {asked[name]} and {value}")
    return checked_options(options.system, asked) if options.system else asked


def _unknown(arguments: list[str] | None) -> list[str]:
    """Return the options that do not exist. argparse names the missing ones first."""
    parser = _parser(required=False)
    parser.learn_systems()
    try:
        _options, rest = parser.parse_known_intermixed_args(arguments)
    except CommandStop:
        return []
    return [word for word in rest if word.startswith("-")]


def _parser(*, required: bool = True) -> _Parser:
    from evenboard_engine import SYSTEMS

    parser = _Parser(
        prog=program(),
        description="Pair a round, check the rounds of a tournament, or generate one.",
        epilog=_EPILOG,
        formatter_class=_CheckedOnly,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=PROGRAM)
    systems = parser.add_mutually_exclusive_group()
    parser.systems = {
        code: systems.add_argument(f"--{code}", dest="system", action="store_const", const=code)
        for code in SYSTEMS
    }
    parser.add_argument(
        "input",
        nargs="*",
        help="tournament report file (TRF16, TRF26 or TRFx), with -c many; - for standard input",
    )
    task = parser.add_mutually_exclusive_group(required=required)
    task.add_argument(
        "-p",
        dest="pair",
        nargs="?",
        const="-",
        metavar="output",
        help="pair; write the reply to this file (a bare name is put beside the input), or to standard output",
    )
    task.add_argument(
        "-c",
        dest="check",
        nargs="?",
        const=0,
        type=_round,
        metavar="round",
        help="check the files: pair every round again, or only this round, and print the differences",
    )
    task.add_argument(
        "-g",
        dest="generate",
        nargs="?",
        const="",
        metavar="config",
        help="generate a random tournament; this file has the settings",
    )
    task.add_argument("--explain", action="store_true", help="pair, and explain why, with the articles")
    task.add_argument(
        "--compare",
        nargs="?",
        const=0,
        type=_round,
        metavar="round",
        help="pair by this and all other systems, and show the rounds side by side; with a number, this earlier round",
    )
    task.add_argument(
        "--standings",
        nargs="?",
        const="",
        metavar="codes",
        help="show the standings by the tie-breaks of the file, or by these: BH/C1,SB,PT",
    )
    parser.add_argument(
        "--player",
        type=_player,
        metavar="N",
        help="with --explain: explain for this player (starting rank); with --standings: each value as a sum",
    )
    parser.add_argument(
        "--why-not", type=_player, metavar="M", help="with --player: also explain why these two do not meet"
    )
    parser.add_argument("-o", dest="output", metavar="output", help="with -g: the file to write")
    parser.add_argument(
        "-s",
        dest="seed",
        type=_seed,
        metavar="seed",
        help="with -g: the same seed makes the same tournament again",
    )
    parser.add_argument(
        "-n", dest="count", type=_count, metavar="count", help="with -g: how many tournaments"
    )
    parser.add_argument(
        "--unrated",
        type=_rating,
        metavar="N",
        help="rating for players who have none; without it they are unrated, or refused if the system needs ratings",
    )
    parser.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="name=value",
        help="an option of the pairing system (docs/command-line.md); may be repeated",
    )
    return parser


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"an option is written as name=value, not {text!r}")
    return name, value


def _rating(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4 and int(text)):
        raise argparse.ArgumentTypeError(f"a rating is a number from 1 to 9999, not {text!r}")
    return int(text)


def _round(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 3 and int(text)):
        raise argparse.ArgumentTypeError(f"a round is a number, not {text!r}; file names go before it")
    return int(text)


def _player(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4):
        raise argparse.ArgumentTypeError(f"a player is a starting rank, not {text!r}")
    return int(text)


def _seed(text: str) -> str:
    if not (text.isascii() and 1 <= len(text) <= 40 and text.replace("-", "").replace("_", "").isalnum()):
        raise argparse.ArgumentTypeError(f"a seed is made of digits, letters, - and _, not {text!r}")
    return text


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 6 and int(text)):
        raise argparse.ArgumentTypeError(f"a count is a number from 1 to 999999, not {text!r}")
    return int(text)
