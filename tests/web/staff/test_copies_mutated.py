"""The log of a copy from another server may hold anything: the copy is refused, or all pages of the section answer."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import zip_longest
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings

from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.copies import load_copy
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.copy_format import canonical, checksum
from tournaments.declarations import SECTION_ACTIONS
from tournaments.errors import DomainError
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.models import Event, Section, User

pytestmark = pytest.mark.one_database


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


GONE = object()
"""In place of a value: the value is removed."""
ACTIONS = tuple(SECTION_ACTIONS)
VALUES: tuple[Any, ...] = (
    GONE, None, True, 0, -1, 7, 2**31, 10**30, 1.5, 1e300, "", "x", "1-0", "９", "²", "\x00", "a\nb", "ByeKind.HALF",
    "manual", "correction", "adjournment", "import", "regeneration", "full-point-bye", "undo", "import_report",
    "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00", "2026-01-01T00:00:00", "2026-01-01",
    [], [[]], [{}], [None], [1], ["９"], [[1]], [[1, 2]], [[1, 2, 3]], [["a", {}]], [[[[[[]]]]]], {}, {"a": {}},
    deep(40), deep(200), {"round": 1}, [{"round": []}], [{"round": 1, "expected": 1, "found": [[1]]}],
)  # fmt: skip
Path = tuple[str | int, ...]


ENTRY = {"participant": 1, "tpn": 1, "name": "Player, A", "sex": "", "rating": 2000, "first_round": 1}
BYES = [[1, "H"], [2, "Z"]]
MOVED = [[1, 2], [2, 1]]
ROWS: tuple[tuple[str, str, dict[str, Any], dict[str, Any]], ...] = (
    ("create_tournament", "", {}, {"rounds": 9, "win_points": 10, "edition": "2026", "acceleration": ""}),
    ("edit_tournament", "", {"half_bye_limit": None}, {"half_bye_limit": 2}),
    ("import_report", "import", {}, {
        "players": 6, "initial_colour": "w", "ranks": MOVED, "event": {"city": "Delft"}, "rounds_checked": 1,
        "departures": [{"round": 1, "expected": [[1, 2], [3, 0]], "found": [[2, 1], [3, 0]]}], "numbers": MOVED,
        "older_edition": 2017,
    }),
    ("add_participant", "regeneration", {}, {**ENTRY, "byes": BYES, "numbers": MOVED}),
    ("edit_participant", "", {"rating": 1900, "participant": 1}, {"rating": 2000, "participant": 1}),
    ("remove_participant", "", {**ENTRY, "byes": BYES}, {}),
    ("withdraw_participant", "", {"status": "active", "byes": BYES}, {"status": "withdrawn", "left_after": 1}),
    ("import_entries", "", {"entries": [[1, {"rating": 1900}]]}, {
        "changed": [1], "added": [[2, 2, "Player, B", 2000]], "entries": [[1, {"rating": 2000}]], "byes": [[1, 2]],
    }),
    ("order_equals", "exchange", {}, {"numbers": MOVED}),
    ("request_bye", "full-point-bye", {}, {"participant": 1, "round": 2, "kind": "F"}),
    ("cancel_bye", "", {"participant": 1, "round": 2, "kind": "H"}, {}),
    ("settle_absences", "", {}, {"byes": BYES, "withdrawn": [3], "changed": [1, 2, 3]}),
    ("forfeit_and_withdraw", "adjournment", {"result": ""}, {
        "result": "-:+", "board": 1, "game": 1, "withdrawn": [1], "names": "Player, A", "changed": [1],
        "expelled": False, "forfeited": [[2, 1]],
    }),
    ("open_check_in", "", {"check_in_round": None}, {"check_in_round": 2}),
    ("close_check_in", "", {"check_in_round": 2}, {"check_in_round": None, "missing": [1, 2]}),
    ("check_in_all", "", {}, {"here": 4, "changed": [1, 2]}),
    ("take_back_check_in", "", {"here": True}, {
        "here": False, "participant": 1, "at": "2026-10-17T08:00:00+00:00", "instead_of": "olga",
    }),
    ("late_check_in", "", {}, {
        "participant": 1, "late": True, "made": "2026-10-17T08:00:00+00:00", "stands": False, "by": "olga", "bye": "H",
    }),
    ("draw_initial_colour", "", {"initial_colour": ""}, {"initial_colour": "w", "by_lot": True}),
    ("pair_next_round", "", {}, {"pairs": MOVED, "bye": 3}),
    ("check_round", "", {}, {"same": False, "boards": [1, 2], "version": 1}),
    ("record_result", "adjournment", {"result": "ADJ"}, {"result": "1-0", "board": 1, "game": 1}),
    ("confirm_result", "", {}, {"result": "1-0", "second_result": "1/2", "board": 1, "game": 1}),
    ("correct_result", "correction", {"result": "1/2"}, {"result": "1-0", "board": 1, "game": 1, "turned": True}),
    ("correct_for_rating", "rating-correction", {"result": "1/2"}, {"result": "1-0", "board": 1, "game": 1}),
    ("change_by_hand", "", {"boards": [], "pool": [1, 2]}, {
        "boards": [[1, 1, 2]], "pool": [], "byes": [], "round": 1, "move": "swap",
    }),
    ("end_manual_phase", "manual", {"engine": {"pairs": MOVED, "bye": 3}}, {
        "by_hand": {"pairs": MOVED, "bye": None}, "round": 1,
    }),
    ("set_countdown", "", {"countdown_to": None}, {"countdown_to": "2026-10-17T08:00:00+00:00"}),
    ("set_round_starts", "", {"schedule": {"1": ""}}, {"schedule": {"1": "2026-10-17T10:00"}}),
    ("undo", "", {"result": "1-0"}, {"result": "", "game": 1, "changed": [1]}),
    ("undo_since", "", {"revision": 9}, {"revision": 8, "actions": 1, "changed": [1]}),
    ("restore_before_round", "", {"revision": 9}, {"revision": 8, "actions": 1}),
    ("load_copy", "", {}, {"players": 6, "byes": 1, "copied": "2026-10-17T08:00:00+00:00", "origin": "other"}),
)  # fmt: skip
"""Action, integrity, before and after, as the actions write them. Keys are numbers of rows in the file."""


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the place of every value in a row of the log: of a list only the first."""
    yield path
    found = (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    )
    for name, inner in found:
        yield from places(inner, (*path, name))


def mutations(file: dict[str, Any]) -> list[tuple[int, Path, Any]]:
    """Return every place in the log of the file with every other value. A column is changed in rows in turn."""
    found: list[tuple[int, Path, Any]] = []
    log = file["content"]["log"]
    for name in sorted({name for row in log for name in row}):
        rows = [place for place, row in enumerate(log) if name in row]
        values = (*VALUES, *ACTIONS) if name == "action" else VALUES
        found += [(rows[turn % len(rows)], (name,), value) for turn, value in enumerate(values)]
    for place, row in enumerate(log[-len(ROWS) :], start=len(log) - len(ROWS)):
        for side in ("before", "after"):
            inner = [path for path in places(row[side], (side,)) if len(path) > 1]
            found += [(place, path, value) for path in inner for value in VALUES]
    return found


def mutated(file: dict[str, Any], changes: Iterable[tuple[int, Path, Any]]) -> bytes:
    """Return the file with other values in its log, the right checksum and the seal of another server."""
    file = deepcopy(file)
    for place, path, value in changes:
        target = file["content"]["log"][place]
        for name in path[:-1]:
            target = target[name]
        if value is GONE:
            del target[path[-1]]
        else:
            target[path[-1]] = deepcopy(value)
    file["checksum"] = checksum(canonical(file["content"]))
    return json.dumps(file).encode()


def is_refused(file: dict[str, Any], change: tuple[int, Path, Any]) -> bool:
    """Read the file with one change. Any other error than a refusal is one of the program."""
    try:
        read_copy(mutated(file, [change]))
    except DomainError:
        return True
    return False


def together(changes: Iterable[tuple[int, Path, Any]]) -> Iterator[list[tuple[int, Path, Any]]]:
    """Yield the changes in lists of at most one for each row, so that one load tries many."""
    of_rows: dict[int, list[tuple[int, Path, Any]]] = defaultdict(list)
    for change in changes:
        of_rows[change[0]].append(change)
    for one_of_each in zip_longest(*of_rows.values()):
        yield [change for change in one_of_each if change is not None]


@pytest.fixture
def file(db: None) -> dict[str, Any]:
    """A copy that another server made, with a row of the log for each kind of action."""
    section = section_of(6)
    played(section)
    paired(section)
    with override_settings(SECRET_KEY="the key of another server"):
        file: dict[str, Any] = json.loads(copy_file(section))
    content = file["content"]
    first, rows = content["revision"] + 1, content["log"]
    rows += [
        {
            **rows[-1],
            "action": action,
            "integrity": integrity,
            "round_number": 2,
            "subject": "1 Player, A",
            "before": deepcopy(before),
            "after": deepcopy(after),
            "revision": revision,
            **({"undoes": first - 1} if action == "undo" else {}),
            **({"back_to": first - 1} if action == "undo_since" else {}),
        }
        for revision, (action, integrity, before, after) in enumerate(ROWS, start=first)
    ]
    content["revision"] = rows[-1]["revision"]
    return file


def load(user: User, event: Event, data: bytes) -> Section:
    """Load a copy, then act once, so that there is something to undo."""
    actor = Actor(user=user, origin="192.0.2.1")
    section = load_copy(actor=actor, event=event, copy=read_copy(data), name="Copy", source="x.json")
    set_hall_message(actor=actor, section_id=section.pk, message="Phones off")
    section.refresh_from_db()
    return section


def pages(section: Section) -> list[str]:
    last, rounds = section.revision, section.played_rounds.count()
    return [
        *(
            "log/",
            "log/?q=result&page=2",
            "log/file/csv/",
            "log/file/json/",
            "log/check/",
            "report.trf",
            "cockpit/",
        ),
        *(f"log/{last}/undo/", f"log/{last}/undo-since/", f"log/{last - 2}/undo/", "entries/", "documents/"),
        *(f"round/{number}/why/" for number in range(1, rounds + 1)),
    ]


def failing(page: Client, section: Section) -> list[tuple[str, str]]:
    """Return the pages that do not answer, and why. The client raises what the server would answer with 500."""
    found = []
    for rest in pages(section):
        try:
            answer = page.get(address(section, rest))
            assert answer.status_code in {200, 302, 409, 422}, answer.status_code
        except Exception as error:  # noqa: BLE001 - any error is a 500
            found.append((rest, repr(error)))
    return found


def test_strange_value_of_a_loaded_log_is_shown_as_it_is(
    file: dict[str, Any], event: Event, arbiter: User, page: Client
) -> None:
    log = file["content"]["log"]
    places = {row["action"]: place for place, row in enumerate(log)}
    changes = [
        (places["draw_initial_colour"], ("after", "initial_colour"), "９"),
        (places["request_bye"], ("after", "kind"), {"a": 7}),
    ]
    section = load(arbiter, event, mutated(file, changes))
    answer = page.get(address(section, "log/file/json/"))
    rows = {row["action"]: (row["what"], row["after"]) for row in json.loads(answer.content)}
    assert rows["draw_initial_colour"] == ("Draw initial colour", {"initial_colour": "９", "by_lot": True})
    assert rows["request_bye"][0] == "Round 2: bye for 1 Player, A"
    assert rows["request_bye"][1]["kind"] == {"a": 7}
    html = page.get(address(section, "log/")).content.decode()
    assert [text in html for text in ("Draw initial colour", "９", "a 7")] == [True, True, True]


def faults_of(page: Client, user: User, event: Event, data: bytes) -> list[tuple[str, str]]:
    """Load a copy on trial. Return the pages that do not answer, and why."""
    with transaction.atomic():
        try:
            found = failing(page, load(user, event, data))
        except DomainError:  # the database refuses the rows
            found = []
        transaction.set_rollback(True)
    return found


def test_mutated_log_of_a_copy_is_refused_or_every_page_answers(
    file: dict[str, Any], event: Event, arbiter: User, page: Client
) -> None:
    every = mutations(file)
    assert len(every) > 2_000
    some = random.Random(7).sample(every, 200)
    for changes in together(change for change in some if not is_refused(file, change)):
        assert faults_of(page, arbiter, event, mutated(file, changes)) == [], changes
