"""Refusals cite FIDE's rules only in sections of a system to which they apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from evenboard_engine import SYSTEMS, Result
from pairing.by_hand import begin_manual_phase
from pairing.rounds import pair_next_round
from tests.actions.refusals import all_refusals
from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.corrections import correct_result
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import order_equals
from tournaments.actions.tie_breaks import set_tie_breaks
from tournaments.errors import DomainError
from tournaments.models import Game, Round, Section
from web.words.refusals import explain

ME = Actor.command()
REFUSALS = all_refusals()
ARTICLES = {code: refusal.article for code, refusal in REFUSALS.items() if refusal.article}
OF_FIDE = re.compile(r"FIDE|GHR|General Handling|C\.0\d")
OF_SWISS = re.compile(r"GHR|General Handling|C\.04")
ABOUT_FIDE = {
    "fide_id_taken",
    "registration_known",
    "fide_mode_left",
    "fide_mode_none",
    "fide_mode_to_confirm",
    "forbidden_pairs_locked",
    "listed_otherwise",
    "no_player_number",
    "tie_breaks_barred",
    "undo_for_good",
}
"""Refusals about IDs, FIDE mode, and tie-breaks that C.07 bars in a round robin: only FIDE's systems have them."""
VALUES: Mapping[str, object] = {
    **dict.fromkeys(
        (
            "here",
            "devices",
            "changes",
            "names",
            "boards",
            "revisions",
            "fields",
            "byes",
            "concerns",
            "warnings",
            "relaxations",
            "sections",
        ),
        (),
    ),
    **dict.fromkeys(("players", "games", "numbers"), ((1, 2),)),
    **dict.fromkeys(("seconds", "others", "elsewhere", "last_round"), 0),
    **dict.fromkeys(("result", "theirs"), Result.DRAW),
    **dict.fromkeys(("kind", "wanted"), "H"),
    **dict.fromkeys(("prize", "former_prize", "unit"), 100),
    "problems": [],
    **dict.fromkeys(("listed", "birth_date"), "2"),
}


def values(code: str, system: str) -> dict[str, object]:
    """Return parameters of a refusal. A number does for most of them."""
    found = {name: VALUES.get(name, 2) for name in REFUSALS[code].params}
    if code == "invalid_values":
        found["problems"] = {}
    if code == "bye_to_confirm":
        found["rounds"] = (2,)
    if code == "departure_to_confirm":
        found["wrong"] = (2,)
    if code == "list_refused":
        found |= {"reason": "header_unknown", "details": {"missing": ["name"]}}
    if code.startswith("lots_too"):
        found["players"] = 2
    if "system" in found:
        found["system"] = system
    if code == "no_legal_pairing":
        found["reason"] = "no_pairing"
    return found


def sentence(code: str, system: str) -> str:
    error = REFUSALS[code].error(**values(code, system))
    error.system = system
    return explain(error)


def test_no_refusal_of_us_chess_names_rules_of_fide() -> None:
    assert {code for code in REFUSALS if OF_FIDE.search(sentence(code, "uschess"))} == ABOUT_FIDE


def test_refusals_of_a_round_robin_name_no_rules_of_swiss_tournaments() -> None:
    assert [code for code in REFUSALS if OF_SWISS.search(sentence(code, "round-robin"))] == []
    assert "(C.07, 4.2)" in sentence("tie_breaks_to_confirm", "round-robin")


@pytest.mark.parametrize("system", [code for code in SYSTEMS if code.startswith("dubov")])
def test_refusals_of_a_swiss_system_of_fide_name_the_article(system: str) -> None:
    for code, article in ARTICLES.items():
        assert f"({article})" in sentence(code, system)


def numbers(section: Section) -> None:
    order = list(section.participants.order_by("tpn").values_list("pk", flat=True))[:2]
    order_equals(actor=ME, section_id=section.pk, order=order, seen_revision=section.revision)


def tie_breaks(section: Section) -> None:
    set_tie_breaks(actor=ME, section_id=section.pk, codes=["BH"])


def published_pairs(section: Section) -> None:
    row = Round.objects.get(section=section, number=4)
    begin_manual_phase(actor=ME, round_id=row.pk, seen_version=row.version)


def late_correction(section: Section) -> None:
    Section.objects.filter(pk=section.pk).update(status=Section.Status.CLOSED)
    game = Game.objects.get(round__section=section, round__number=1, board=1)
    correct_result(
        actor=ME, game_id=game.pk, result="1-0", seen_version=game.version, reason="slip", confirmed=True
    )


def adjourned(section: Section) -> None:
    for game in Game.objects.filter(round__section=section, round__number=4):
        enter(game, "1/2")
    Game.objects.filter(round__section=section, round__number=1, board=1).update(result=Result.ADJOURNED)
    pair_next_round(actor=ME, section_id=section.pk, after_round=4)


@pytest.fixture(scope="module")
def tried() -> dict[str, Callable[[Section], None]]:
    return {
        "adjourned_earlier": adjourned,
        "correction_too_late": late_correction,
        "numbers_frozen": numbers,
        "pairs_are_public": published_pairs,
        "tie_breaks_to_confirm": tie_breaks,
    }


@pytest.mark.one_database
@pytest.mark.django_db
@pytest.mark.parametrize("system", ["dubov", "uschess"])
def test_each_action_says_the_system_of_its_section(
    system: str, tried: Mapping[str, Callable[[Section], None]]
) -> None:
    section = section_of(8, system=system, rounds=6)
    for number in (1, 2, 3, 4):
        for game in paired(section).games.all():
            if number < 4:
                enter(game, "1/2")
    section.refresh_from_db()
    assert tried.keys() == ARTICLES.keys()
    for code in (
        "pairs_are_public",
        "tie_breaks_to_confirm",
        "numbers_frozen",
        "adjourned_earlier",
        "correction_too_late",
    ):
        with pytest.raises(DomainError) as refused:
            tried[code](section)
        assert refused.value.code == code
        assert (f" ({ARTICLES[code]})" in explain(refused.value)) is (system == "dubov"), code
