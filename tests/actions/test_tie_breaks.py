"""The tie-breaks of a section (C.07, 4; VCL4THP.13 Q200 to Q203)."""

from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import section_of
from tests.web.staff.conftest import paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import FirstSettings, close_section, create_section, edit_section
from tournaments.actions.tie_breaks import set_tie_breaks
from tournaments.actions.undo import undo
from tournaments.files.report_writing import tournament_report
from tournaments.models import Integrity, Section

pytestmark = pytest.mark.django_db


def lines(section: Section, *codes: str) -> list[str]:
    text = tournament_report(Section.objects.get(pk=section.pk)).decode()
    return [line for line in text.splitlines() if line.startswith(codes)]


def test_list_is_chosen_before_round_1_and_written_in_the_report(actor: Actor) -> None:
    section = section_of(6)
    with one_step(section, "set_tie_breaks") as logged:
        set_tie_breaks(actor=actor, section_id=section.pk, codes=["BH/C1", "SB", "TPN"])
    assert (logged[0].before, logged[0].after, logged[0].integrity) == (
        {"tie_breaks": "ARO,TPN"},
        {"tie_breaks": "BH/C1,SB,TPN"},
        Integrity.NONE,
    )
    assert lines(section, "202", "212", "### Configuration") == ["202 BH/C1,SB,TPN", "212 PTS,BH/C1,SB,TPN"]


def test_short_code_of_the_pairing_tiebreaker_is_kept_and_reported_with_other(actor: Actor) -> None:
    """FIDE's notation has no code for it, so the records need one that begins with OTHER_."""
    section = section_of(6)
    set_tie_breaks(actor=actor, section_id=section.pk, codes=["pt", "PT/ARO", "OTHER_PT/BH"])
    section.refresh_from_db()
    assert section.tie_breaks == ["OTHER_PT", "OTHER_PT/ARO", "OTHER_PT/BH"]
    assert lines(section, "202", "212") == [
        "202 OTHER_PT,OTHER_PT/ARO,OTHER_PT/BH",
        "212 PTS,OTHER_PT,OTHER_PT/ARO,OTHER_PT/BH",
    ]
    with refused("tie_breaks_twice", tie_break="OTHER_PT"):
        set_tie_breaks(actor=actor, section_id=section.pk, codes=["PT", "OTHER_PT"])


def test_only_points_can_count(actor: Actor) -> None:
    section = section_of(6)
    set_tie_breaks(actor=actor, section_id=section.pk, codes=[])
    section.refresh_from_db()
    assert (section.tie_break_list, lines(section, "202", "212")) == ((), ["212 PTS"])


@pytest.mark.parametrize(
    ("codes", "code", "params"),
    [
        (["BH", "LUCK"], "tie_breaks_unknown", {"tie_break": "LUCK"}),
        (["BH/X1"], "tie_breaks_unknown", {"tie_break": "BH/X1"}),
        (["BH", "SB", "bh"], "tie_breaks_twice", {"tie_break": "bh"}),
        (["OTHER_" + str(number) for number in range(61)], "tie_breaks_too_many", {"most": 60}),
    ],
)
def test_list_that_cannot_be_used_is_refused(
    actor: Actor, codes: list[str], code: str, params: dict[str, object]
) -> None:
    section = section_of(6)
    with refused(code, **params):
        set_tie_breaks(actor=actor, section_id=section.pk, codes=codes)


@pytest.mark.one_database
@pytest.mark.parametrize("code", ["BH/C1", "FB", "AOB", "OTHER_SOLKOFF", "OTHER_MODMED", "OTHER_PT/BH"])
def test_round_robin_has_no_buchholz_under_any_name(actor: Actor, code: str) -> None:
    """C.07, 8; VCL4THP.13 Q105. Solkoff and the modified median of US Chess are sums of the opponents' points too."""
    table = section_of(6, system="round-robin", tie_breaks=["SB"])
    barred = {"tie_break": code, "system": "round-robin"}
    with refused("tie_breaks_barred", **barred):
        set_tie_breaks(actor=actor, section_id=table.pk, codes=["SB", code])
    with refused("tie_breaks_barred", **barred):
        first = FirstSettings(tie_breaks=[code])
        create_section(
            actor=actor, event=table.event, name="New", rounds=5, system="round-robin", first=first
        )
    swiss = section_of(6, tie_breaks=[code, "SB"])
    with refused("tie_breaks_barred", **barred):
        edit_section(actor=actor, section_id=swiss.pk, system="round-robin")


def test_own_codes_and_those_of_an_imported_file_are_taken(actor: Actor) -> None:
    section = section_of(6, tie_breaks=["LUCK", "ARO"])
    set_tie_breaks(actor=actor, section_id=section.pk, codes=["ARO", "LUCK", "OTHER_PLAYOFF"])
    section.refresh_from_db()
    assert section.tie_breaks == ["ARO", "LUCK", "OTHER_PLAYOFF"]


def test_longest_list_is_taken(actor: Actor) -> None:
    codes = [f"OTHER_{number}" for number in range(60)]
    section = set_tie_breaks(actor=actor, section_id=section_of(2).pk, codes=codes)
    assert section.tie_breaks == codes


def test_same_list_again_is_not_logged(actor: Actor) -> None:
    section = section_of(6)
    with unchanged():
        set_tie_breaks(actor=actor, section_id=section.pk, codes=["ARO", "TPN"])


def test_change_after_publication_is_asked_needs_a_reason_and_is_in_the_report(actor: Actor) -> None:
    """VCL4THP.13 Q201 and Q202. An undo removes the line again."""
    section = section_of(6, initial_colour="w")
    paired(section)
    change = {"actor": actor, "section_id": section.pk, "codes": ["BH", "TPN"]}
    with refused("tie_breaks_to_confirm", round=1):
        set_tie_breaks(**change)
    with refused("reason_required"):
        set_tie_breaks(**change, asked=True, reason=" ")
    with one_step(section, "set_tie_breaks") as logged:
        set_tie_breaks(**change, asked=True, reason="wrong in the regulations")
    assert (logged[0].integrity, logged[0].round_number) == (Integrity.CONFIGURATION, 1)
    comment = "### Configuration @ Round 1: tie-breaks ARO,TPN => BH,TPN; reason: wrong in the regulations"
    assert lines(section, "212", "### Configuration") == ["212 PTS,BH,TPN", comment]
    section.refresh_from_db()
    undo(actor=actor, section_id=section.pk, revision=section.revision)
    assert lines(section, "212", "### Configuration") == ["212 PTS,ARO,TPN"]


def test_closed_section_keeps_its_list(actor: Actor) -> None:
    section = section_of(2, rounds=1, initial_colour="w")
    played(section)
    close_section(actor=actor, section_id=section.pk)
    with refused("section_closed"):
        set_tie_breaks(actor=actor, section_id=section.pk, codes=["BH"], asked=True, reason="late")
