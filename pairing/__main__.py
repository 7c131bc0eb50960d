"""The command line: `python -m pairing --dubov input.trf -p [output]`.

It follows the convention of JaVaFo and bbpPairings, arguments, reply and exit codes, so that other tournament programs
can call it. It imports no more than it needs for what was asked.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from pairing.console import (
    BAD_REQUEST,
    INTERNAL,
    INTERRUPTED,
    NO_PAIRING,
    OK,
    TOO_LARGE,
    Stop,
    read,
    write,
    wrong_file,
)

if TYPE_CHECKING:
    from pairing.engine import PairingError, RoundPairing

VERSION = "0.1.0"

_EPILOG = """\
The reply is the number of pairs, then one pair in each line, White first, in
the order of the boards; the player with the bye comes last, followed by 0.

exit codes: 0 paired; 1 no legal pairing exists; 2 internal error; 3 wrong
arguments or a wrong file; 4 too large; 5 a file cannot be read or written
"""


_INVALID = {
    "initial_colour_missing": (
        "the initial-colour is missing; add a line '152 W' or '152 B' (or 'XXC white1' or 'XXC black1')"
    ),
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Stop(BAD_REQUEST, message, f"try: {self.prog} --help")


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments say and returns the exit code; says on stderr what went wrong."""
    try:
        options = _parser().parse_args(arguments)
        text = _reply(_paired(read(options.input), options.unrated))
        write(text, options.pair, options.input)
    except Stop as stop:
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
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m pairing",
        description="Pair the next round of a tournament by the Dubov System.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pairing {VERSION}")
    parser.add_argument("--dubov", action="store_true", required=True, help="the pairing system (C.04.4.1)")
    parser.add_argument("input", help="tournament report file (TRF16, TRF26 or TRFx); - for standard input")
    parser.add_argument(
        "-p",
        dest="pair",
        nargs="?",
        const="-",
        required=True,
        metavar="output",
        help="pair; write the reply to this file (a bare name is put beside the input), or to standard output",
    )
    parser.add_argument(
        "--unrated",
        type=_rating,
        metavar="N",
        help="rating of players without one; by default they are refused",
    )
    return parser


def _rating(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 4 and int(text)):
        raise argparse.ArgumentTypeError(f"a rating is a number from 1 to 9999, not {text!r}")
    return int(text)


def _paired(data: bytes, unrated: int | None) -> RoundPairing:
    from pairing.engine import InternalError, InvalidTournament, NoLegalPairing, pair_round
    from pairing.engine.trf import TrfErrors, read_report, to_tournament

    try:
        return pair_round(to_tournament(read_report(data), unrated=unrated))
    except TrfErrors as errors:
        raise wrong_file(errors) from errors
    except NoLegalPairing as error:
        raise Stop(NO_PAIRING, *_no_pairing(error)) from error
    except InvalidTournament as error:
        raise Stop(BAD_REQUEST, _INVALID.get(error.code, "the tournament contradicts itself: {error}").format(
            error=error, **error.params)) from error  # fmt: skip
    except InternalError as error:
        raise Stop(INTERNAL, f"internal error, please report it: {error}") from error


def _no_pairing(error: PairingError) -> list[str]:
    reasons = {
        "no_bye": "no legal pairing exists: the number of players is odd, and nobody may get the bye",
        "no_pairing": "no legal pairing exists: the players cannot all be paired",
    }
    lines = [reasons.get(error.code, f"no legal pairing exists: {error.code}")]
    players = error.params.get("players")
    if isinstance(players, tuple) and players:
        who = (
            "one of these would have to stay over"
            if error.code == "no_bye"
            else "players that cannot be placed"
        )
        lines.append(f"{who}: {' '.join(map(str, players))}")
    return lines


def _reply(pairing: RoundPairing) -> str:
    lines = [f"{pair.white} {pair.black}" for pair in pairing.pairs]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "\n".join((str(len(lines)), *lines)) + "\n"


if __name__ == "__main__":
    sys.exit(main())
