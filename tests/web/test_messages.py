"""Every refusal has a sentence with all its parameters and without an empty placeholder."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from base.reader import READER
from evenboard_engine.words.catalogue import Language
from tests.actions.refusals import all_refusals
from tournaments.errors import DomainError
from web.words.refusals import NOT_THERE, explain

REFUSALS = all_refusals()
AN_HOUR = datetime(2026, 2, 1, 15, 30, tzinfo=UTC)
VALUES: dict[str, Any] = {
    "system": "dubov",
    "boards": [3, 7, 12],
    "concerns": [
        {
            "code": "rematch",
            "system": "dubov",
            "players": [[4, "Novák, Jan"], [5, "Ek, Ada"]],
            "articles": ["C1 3.1.1"],
            "rounds": [2],
            "colour": "",
            "points": [],
            "lent": [],
            "count": 0,
        }
    ],
    "byes": [],
    "fields": ["rounds", "win_points"],
    "games": [[2, 5]],
    "numbers": [[4, 5], [5, 4]],
    "names": ["Novák, Jan"],
    "sections": ["Open"],
    "players": [[4, "Novák, Jan"]],
    "problems": [{"row": 3, "name": "Novák, Jan", "code": "name_required", "params": {}}],
    "warnings": ["over_bye_limit", "after_last_bye_round"],
    "revisions": [7, 9],
    "elsewhere": 0,
    "others": 2,
    "relaxations": [["C2", [[4, "Novák, Jan"]]]],
    **dict.fromkeys(("win", "draw", "loss", "bye", "lower", "higher", "points", "before", "after"), 5),
    **dict.fromkeys(
        ("round", "rounds", "paired", "minimum", "maximum", "limit", "last_round", "present", "count"), 6
    ),
    **dict.fromkeys(("prize", "former_prize", "unit"), 2500),
    "hours": 24,
    "days": 366,
    "seconds": 80,
    "participants": 8,
}


PARAMS: dict[str, dict[str, Any]] = {
    "not_found": {"kind": "game"},
    "by_hand_has_bye": {"kind": "H"},
    "bye_differs": {"kind": "Z", "wanted": "H"},
    "missed_byes_to_confirm": {"warnings": ["second_half_bye"]},
    "byes_to_confirm": {
        "byes": [{"name": "Ek, Ada", "round": 4, "warnings": ["second_half_bye", "after_last_bye_round"]}]
    },
    "bye_to_confirm": {"rounds": [4, 7], "count": 2, "warnings": ["second_half_bye", "after_last_bye_round"]},
    "results_waiting": {
        "here": [("results", 2, "Open, round 6")],
        "devices": [("results", 6, "Ada Ek", 3, AN_HOUR)],
    },
    "limits_to_confirm": {"problems": ["too_young", "title"]},
    "list_refused": {"reason": "header_unknown", "details": {"missing": ["name"]}},
    "registration_limits": {"problems": ["too_young", "title"]},
    "invalid_values": {"problems": {"name": ["A name is too long."]}},
    "report_refused": {"problems": [{"line": 2, "column": 5, "code": "no_players", "params": {}}]},
}


def error(code: str, **params: Any) -> DomainError:
    given = {name: VALUES.get(name, f"<{name}>") for name in REFUSALS[code].params}
    return REFUSALS[code].error(**{**given, **params})


def test_missed_rounds_of_a_late_entry_are_not_called_byes_that_the_player_has() -> None:
    missed = {"name": "Ek, Ada", "count": 4, "limit": 2, "last_round": 3}
    assert explain(REFUSALS["missed_byes_to_confirm"].error(**missed, warnings=["second_half_bye"])) == (
        "Ek, Ada would have 4 half-point byes, one for each missed round. "
        "The competition rules allow one (C.05, 6.7.4)."
    )
    assert explain(
        REFUSALS["missed_byes_to_confirm"].error(
            **missed, warnings=["over_bye_limit", "after_last_bye_round"]
        )
    ) == (
        "A player may have 2 half-point byes in this section. Ek, Ada would have 4, for the missed rounds. "
        "In this section a bye is worth points up to round 3. Ek, Ada has missed 4 rounds."
    )


@pytest.mark.parametrize("code", REFUSALS)
def test_every_code_has_a_sentence(code: str) -> None:
    sentence = explain(error(code, **PARAMS.get(code, {})))
    assert re.match(r"^(?:[A-ZÀ-Þ0-9½<]|.*:)", sentence)
    assert sentence.endswith((".", ")", "?", "<value>"))
    assert re.search(r"%\(|\{|None|!", sentence) is None


@pytest.mark.parametrize("kind", ["event", "section", "participant", "round", "game", "bye", "role", "else"])
def test_missing_things_are_named(kind: str) -> None:
    assert explain(error("not_found", kind=kind)) == str(NOT_THERE.get(kind, "This no longer exists."))


def test_boards_are_counted_in_the_singular_and_the_plural() -> None:
    assert explain(error("results_missing", boards=[4])) == "Round 6: board 4 has no result."
    assert explain(error("results_missing", boards=[4, 5])) == "Round 6: 2 boards have no result (4 and 5)."
    assert explain(error("results_missing", boards=list(range(1, 10)))) == (
        "Round 6: 9 boards have no result (1, 2, 3, 4, 5, 6 and 3 more)."
    )


def test_byes_of_several_players_are_asked_about_rule_by_rule() -> None:
    byes = [
        {"name": "Ek, Ada", "round": 3, "warnings": ["second_half_bye"]},
        {"name": "Ek, Ada", "round": 4, "warnings": ["second_half_bye"]},
        {"name": "Li, Bo", "round": 6, "warnings": ["second_half_bye", "after_last_bye_round"]},
    ]
    assert explain(error("byes_to_confirm", byes=byes, limit=None, last_round=5)) == (
        "More than one half-point bye: Ek, Ada and Li, Bo. The competition rules allow one (C.05, 6.7.4). "
        "Half-point bye in round 6, but in this section a bye is worth points only up to round 5: Li, Bo."
    )


def test_field_that_cannot_be_paired_is_described_by_its_players() -> None:
    sentence = explain(
        error(
            "no_legal_pairing", reason="no_pairing", players=[[1, "Ek, Ada"], [7, "Li, Bo"]], relaxations=[]
        )
    )
    assert sentence.startswith("No round is possible with these players: 1 Ek, Ada and 7 Li, Bo.")
    assert sentence.endswith("must have the same colour (C1, C3). Without them, the others can be paired.")
    alone = explain(
        error("no_legal_pairing", reason="no_pairing", players=[[1, "Ek, Ada"]], others=0, relaxations=[])
    )
    assert alone.endswith("must have the same colour (C1, C3).")
    assert "nobody may get the bye" in explain(
        error("no_legal_pairing", reason="no_bye", players=[], relaxations=[])
    )


def test_what_could_be_relaxed_is_a_proposal() -> None:
    ada, bo = [1, "Ek, Ada"], [7, "Li, Bo"]
    relaxations = [["C1", [ada, bo]], ["C2", [bo]], ["C3", [ada, bo]], ["forbidden", [ada, bo]]]
    sentence = explain(
        error("no_legal_pairing", reason="no_pairing", players=[ada, bo], relaxations=relaxations)
    )
    assert sentence.endswith(
        "The arbiter decides (C.04.4.1). Nothing was changed. A round would be possible if you allow this: "
        "1 Ek, Ada and 7 Li, Bo meet again (against C1); 7 Li, Bo gets the bye (against C2); 1 Ek, Ada and 7 Li, Bo "
        "meet, one of them in the wrong colour (against C3); 1 Ek, Ada and 7 Li, Bo meet, although they are a "
        "forbidden pair."
    )
    many = explain(error("no_legal_pairing", reason="no_bye", players=[], relaxations=relaxations * 2))
    assert many.endswith("(against C1) and 3 more.")
    assert many.count("meet again") == 2


def test_system_without_articles_of_its_own_proposes_without_them() -> None:
    ada, bo = [1, "Ek, Ada"], [7, "Li, Bo"]
    sentence = explain(
        error(
            "no_legal_pairing",
            reason="no_pairing",
            players=[ada, bo],
            others=0,
            relaxations=[["forbidden", [ada, bo]]],
            system="uschess",
        )
    )
    assert "C1" not in sentence
    assert sentence.startswith("No round is possible with these players: 1 Ek, Ada and 7 Li, Bo.")
    assert sentence.endswith("allow this: 1 Ek, Ada and 7 Li, Bo meet, although they are a forbidden pair.")


def test_error_in_a_line_of_a_report_file_has_its_place() -> None:
    problem = {
        "line": 7,
        "column": 49,
        "code": "not_a_number",
        "params": {"field": "rating", "found": "2l78"},
    }
    assert "Line 7, column 49: rating: '2l78' is not a number." in explain(
        error("report_refused", problems=[problem])
    )


def test_lists_are_written_as_people_speak() -> None:
    assert [READER.listed([]), READER.listed([1]), READER.listed([1, 2]), READER.listed([1, 2, 3])] == [
        "",
        "1",
        "1 and 2",
        "1, 2 and 3",
    ]
    assert READER.listed(range(9), longest=3) == "0, 1, 2 and 6 more"
    assert READER.listed(["Ek, Ada", "Li, Bo", "Oh, Cy"], "semicolon") == "Ek, Ada; Li, Bo; Oh, Cy"


def test_language_decides_what_joins_a_list() -> None:
    """Japanese has another comma and no space after it; Arabic too."""
    texts = {"%(first)s, %(last)s": "%(first)s、%(last)s", "%(first)s and %(last)s": "%(first)sと%(last)s"}
    japanese = Language(lambda text: texts.get(text, text))
    assert [japanese.listed("ABC", joined) for joined in ("comma", "and")] == ["A、B、C", "A、BとC"]


def test_pairing_from_an_old_page_says_which_round_is_paired() -> None:
    assert explain(REFUSALS["stale_round"].error(after_round=0, last_round=1)) == (
        "This page was out of date: round 1 is already paired. Nothing was done."
    )
    assert explain(REFUSALS["stale_round"].error(after_round=1, last_round=0)) == (
        "This page was out of date: the round was unpaired. Nothing was done."
    )
