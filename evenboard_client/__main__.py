"""python -m evenboard_client: run a tournament on an Evenboard server from the command line.

EVENBOARD_URL is the address of the server, EVENBOARD_TOKEN an access token.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from .api import Api, RefusedError, UnreachableError

NUMBERS = ("rating", "fide_id", "first_round")


class InputError(Exception):
    """A line of a file cannot be read, or is about something that does not exist."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, or 1 if the server refused it or did not answer."""
    options = parser().parse_args(arguments)
    address, token = os.environ.get("EVENBOARD_URL", ""), os.environ.get("EVENBOARD_TOKEN", "")
    if not address.startswith(("http://", "https://")) or not token:
        print("Set EVENBOARD_URL (such as https://chess.example) and EVENBOARD_TOKEN.", file=sys.stderr)
        return 1
    try:
        options.do(Api(address, token), options)
        sys.stdout.flush()
    except BrokenPipeError:  # such as of `standings 12 | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (InputError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except RefusedError as error:
        print(error, *(f"{one['pointer']}: {one['detail']}" for one in error.problem.get("errors", ())),
              sep="\n", file=sys.stderr)  # fmt: skip
        return 1
    except UnreachableError as error:
        print(f"The server does not answer: {error}", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="evenboard_client", description=__doc__)
    commands = made.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, do: Any, about: str, *parts: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=about)
        command.set_defaults(do=do)
        for part in parts:
            command.add_argument(part, type=int if part in ("event", "section", "rounds") else str)
        return command

    add("events", events, "list events and sections, with their numbers")
    add("new-event", new_event, "make an event; days as 2026-10-17", "name", "start", "end")
    add("new-section", new_section, "make a section", "event", "name", "rounds")
    add("enter", enter, "enter players from a CSV file with the columns name, rating, ...", "section", "file")
    colour = add("colour", draw_colour, "draw the initial-colour, or set it", "section")
    colour.add_argument("colour", nargs="?", choices=["w", "b"])
    add("pair", pair, "pair the next round, as a draft", "section")
    add("publish", publish, "publish the last round", "section")
    add("boards", boards, "show the boards of the last round", "section")
    add(
        "results", results, "enter results from lines such as 12 1-0; - reads the keyboard", "section", "file"
    )
    add("standings", standings, "show the standings", "section")
    add("undo", undo, "undo the last action", "section")
    add("close", close, "close the section", "section")
    return made


def events(api: Api, _options: argparse.Namespace) -> None:
    for event in api.every("events/"):
        print(f"event {event['id']}: {event['name']}, {event['start']}")
        for section in api.every(f"events/{event['id']}/sections/"):
            print(
                f"  section {section['id']}: {section['name']}, {section['rounds']} rounds, {section['status']}"
            )


def new_event(api: Api, options: argparse.Namespace) -> None:
    made = api.post("events/", {"name": options.name, "start": options.start, "end": options.end})
    print(made["id"])


def new_section(api: Api, options: argparse.Namespace) -> None:
    made = api.post(f"events/{options.event}/sections/", {"name": options.name, "rounds": options.rounds})
    print(made["id"])


def enter(api: Api, options: argparse.Namespace) -> None:
    """Enter each player of the file; an empty cell is left out."""
    with Path(options.file).open(encoding="utf-8-sig", newline="") as file:
        for row in (rows := csv.DictReader(file)):
            values: dict[str, Any] = {name: value for name, value in row.items() if name and value}
            for name in NUMBERS:
                if name in values:
                    values[name] = _number(values[name], f"Line {rows.line_num}, {name}")
            made = api.post(f"sections/{options.section}/entries/", values)
            print(f"{made['name']}, {made['rating']}")


def draw_colour(api: Api, options: argparse.Namespace) -> None:
    body = {"colour": options.colour} if options.colour else {}
    drawn = api.post(f"sections/{options.section}/initial-colour/", body)["initial_colour"]
    print({"w": "White", "b": "Black"}[drawn])


def pair(api: Api, options: argparse.Namespace) -> None:
    made = api.post(f"sections/{options.section}/rounds/", {"after_round": _last(api, options.section)})
    _show(made)


def publish(api: Api, options: argparse.Namespace) -> None:
    at = _round(api, options.section)
    _show(api.post(f"{at}publish/", tag=api.read(at).tag))


def boards(api: Api, options: argparse.Namespace) -> None:
    _show(api.get(_round(api, options.section)))


def results(api: Api, options: argparse.Namespace) -> None:
    """Enter the result of each line; a result that stands already is no error."""
    at = _round(api, options.section)
    games = {game["board"]: game for game in api.get(at)["games"]}
    for board, result in _lines(options.file):
        if board not in games:
            raise InputError(f"The round has no board {board}.")
        game = f"games/{games[board]['id']}/"
        api.change("PUT", f"{game}result/", {"result": result}, tag=api.read(game).tag)
        print(f"{board} {result}")


def standings(api: Api, options: argparse.Namespace) -> None:
    for row in api.get(f"sections/{options.section}/standings/")["results"]:
        print(f"{row['place']:3} {row['points'] / 10:4} {row['name']} ({row['rating']})")


def undo(api: Api, options: argparse.Namespace) -> None:
    at = f"sections/{options.section}/"
    revision = api.get(at)["revision"]
    api.post(f"{at}undo/", {"revision": revision})
    print(f"Action {revision} is undone.")


def close(api: Api, options: argparse.Namespace) -> None:
    at = f"sections/{options.section}/"
    print(api.post(f"{at}close/", tag=api.read(at).tag)["status"])


def _last(api: Api, section: int) -> int:
    return max((row["number"] for row in api.every(f"sections/{section}/rounds/")), default=0)


def _round(api: Api, section: int) -> str:
    return f"sections/{section}/rounds/{_last(api, section)}/"


def _show(shown: dict[str, Any]) -> None:
    print(f"Round {shown['number']}, {shown['state']}")
    for game in shown["games"]:
        print(
            f"{game['board']:3} {game['white']['name']} - {game['black']['name']} {game['result'] or ''}".rstrip()
        )


def _lines(file: str) -> Iterable[tuple[int, str]]:
    if file == "-":
        yield from _results(sys.stdin)
    else:
        with Path(file).open(encoding="utf-8") as lines:
            yield from _results(lines)


def _results(lines: TextIO) -> Iterable[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        board, _space, result = line.strip().partition(" ")
        if board:
            yield _number(board, f"Line {number}"), result.strip()


def _number(text: str, place: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{place}: {text} is not a number.") from None


if __name__ == "__main__":
    sys.exit(main())
