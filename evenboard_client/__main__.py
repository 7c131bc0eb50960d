"""python -m evenboard_client: run a tournament on an Evenboard server from the command line.

EVENBOARD_URL is the address of the server, EVENBOARD_TOKEN an access token.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from .api import Api, RefusedError, UnreachableError

OF_ALL_LINES = frozenset({401, 403, 404})
"""A token or a section that is wrong is wrong for each line."""
NUMBERS = ("rating", "fide_id", "first_round")


class InputError(Exception):
    """A line of a file cannot be read, or is about something that does not exist."""


class Lines:
    """The lines of a file: one that fails is named, and the next ones are tried."""

    def __init__(self) -> None:
        self._failed = 0

    @contextmanager
    def line(self, place: str) -> Iterator[None]:
        """Do what a line says. place: its name in a message. Raises RefusedError if all other lines would fail too."""
        try:
            yield
        except InputError as error:
            self._fail(place, str(error))
        except RefusedError as error:
            if error.problem.get("status") in OF_ALL_LINES:
                raise
            self._fail(place, _said(error))

    def _fail(self, place: str, why: str) -> None:
        self._failed += 1
        print(f"{place}: {why}", file=sys.stderr)

    def end(self) -> None:
        """Raise InputError if a line has failed."""
        if self._failed:
            raise InputError(
                f"Lines that failed: {self._failed}. Correct them and run the same command again: "
                "it leaves out what is done."
            )


def _said(error: RefusedError) -> str:
    """Return what the server said, with the place of each wrong value."""
    places = (
        f"{one.get('pointer') or one.get('parameter', '')}: {one['detail']}"
        for one in error.problem.get("errors", ())
    )
    return "\n".join([str(error), *places])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status: 0, or 1 if the server refused it or did not answer."""
    options = parser().parse_args(arguments)
    address, token = os.environ.get("EVENBOARD_URL", ""), os.environ.get("EVENBOARD_TOKEN", "")
    if not address.startswith(("http://", "https://")) or not token:
        print("Set EVENBOARD_URL (such as https://chess.example) and EVENBOARD_TOKEN.", file=sys.stderr)
        return 1
    if isinstance(sys.stdout, io.TextIOWrapper):  # a file of Windows has only the letters of one code page
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        options.do(Api(address, token), options)
        sys.stdout.flush()
    except BrokenPipeError:  # such as of `standings 12 | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (InputError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except RefusedError as error:
        print(_said(error), file=sys.stderr)
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
    closing = add("close", close, "close the section", "section")
    closing.add_argument("--yes", action="store_true", help="also with the warnings that the server names")
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
    """Enter each player of the file who is not in the section yet; an empty cell is left out."""
    at, lines = f"sections/{options.section}/entries/", Lines()
    there = list(api.every(at))
    with Path(options.file).open(encoding="utf-8-sig", newline="") as file:
        heading = file.readline()
        file.seek(0)
        rows = csv.DictReader(file, delimiter=";" if heading.count(";") > heading.count(",") else ",")
        for row in rows:
            values: dict[str, Any] = {name: value for name, value in row.items() if name and value}
            name = values.get("name", "")
            with lines.line(f"Line {rows.line_num} ({name})"):
                if None in row:
                    raise InputError("there are more cells than headings.")
                for number in NUMBERS:
                    if number in values:
                        values[number] = _number(values[number], number)
                found = next((entry for entry in there if _is_of(entry, values)), None)
                if found is not None:
                    there.remove(found)  # a namesake on a later line is somebody else
                    print(f"{name} is entered already.")
                    continue
                made = api.post(at, values)
                print(f"{made['name']}, {made['rating']}")
    lines.end()


def _is_of(entry: dict[str, Any], values: dict[str, Any]) -> bool:
    """Return whether an entry is the player of a line: by FIDE ID, else by name and what else is known of both."""
    known = entry["personal"] or {}  # None if the token may not read it
    if known.get("fide_id") and "fide_id" in values:
        return bool(known["fide_id"] == values["fide_id"])
    if known.get("birth_date") and values.get("birth_date", known["birth_date"]) != known["birth_date"]:
        return False
    return " ".join(str(entry["name"]).split()) == " ".join(values.get("name", "").split())


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
    lines = Lines()
    for number, board_text, result in _lines(options.file):
        with lines.line(f"Line {number}"):
            board = _number(board_text, "board")
            if board not in games:
                raise InputError(f"the round has no board {board}.")
            game = f"games/{games[board]['id']}/"
            api.change("PUT", f"{game}result/", {"result": result}, tag=api.read(game).tag)
            print(f"{board} {result}")
    lines.end()


def standings(api: Api, options: argparse.Namespace) -> None:
    for row in api.get(f"sections/{options.section}/standings/")["results"]:
        print(f"{row['place'] or '':3} {row['points'] / 10:4} {row['name']} ({row['rating']})")


def undo(api: Api, options: argparse.Namespace) -> None:
    at = f"sections/{options.section}/"
    revision = api.get(at)["revision"]
    api.post(f"{at}undo/", {"revision": revision})
    print(f"Action {revision} is undone.")


def close(api: Api, options: argparse.Namespace) -> None:
    at = f"sections/{options.section}/"
    body: dict[str, Any] = {}
    while True:
        try:
            print(api.post(f"{at}close/", body, tag=api.read(at).tag)["status"])
            return
        except RefusedError as error:
            if not options.yes or "confirm" not in error.problem or body:
                raise
            body = {"confirm": [error.problem["confirm"]]}


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


def _lines(file: str) -> Iterable[tuple[int, str, str]]:
    if file == "-":
        yield from _results(sys.stdin)
    else:
        with Path(file).open(encoding="utf-8") as lines:
            yield from _results(lines)


def _results(lines: TextIO) -> Iterable[tuple[int, str, str]]:
    for number, line in enumerate(lines, 1):
        board, _space, result = line.strip().partition(" ")
        if board:
            yield number, board, result.strip()


def _number(text: str, place: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{place}: {text} is not a number.") from None


if __name__ == "__main__":
    sys.exit(main())
