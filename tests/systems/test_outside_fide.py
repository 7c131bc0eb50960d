"""What only FIDE's systems have: FIDE mode, and Baku Acceleration where the rules of a system have it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from evenboard_engine import SYSTEMS
from evenboard_engine.trf import read_report
from tests.factories import section_of
from tests.systems.toy_desk import SETTINGS, Desk
from tests.web.staff.conftest import enter, paired
from tournaments.actions.corrections import correct_result
from tournaments.actions.forbidden_pairs import forbid_pair
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.sections import create_section, edit_section, leave_fide_mode
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

UNACCELERATED = ("dubov-1997", "round-robin", "uschess")
OPTIONS = {
    "uschess_high": "200",
    "uschess_low": "80",
    "uschess_team_rule": "ignore",
    "uschess_club_rule": "ignore",
}
ME = Actor.command()


def three_rounds(system: str) -> Section:
    section = section_of(6, system=system, rounds=5)
    for _number in (1, 2, 3):
        for game in paired(section).games.all():
            enter(game, "1/2")
    return section


def correct_round_1(section: Section) -> Game:
    game = Game.objects.get(round__section=section, round__number=1, board=1)
    return correct_result(
        actor=ME, game_id=game.pk, result="1-0", seen_version=game.version, reason="slip", confirmed=True
    )


def forbid_later(section: Section) -> None:
    players = tuple(section.participants.filter(tpn__lte=2).values_list("pk", flat=True))
    forbid_pair(actor=ME, section_id=section.pk, players=players, first_round=5, reason="sisters")


@pytest.mark.parametrize("system", SYSTEMS)
def test_only_systems_of_fide_refuse_what_fide_forbids(system: str) -> None:
    section = section_of(6, system=system, rounds=5) if SYSTEMS[system].fixed_rounds else three_rounds(system)
    if system == "uschess":
        assert correct_round_1(section).result == "1-0"
        forbid_later(section)
        with pytest.raises(DomainError) as refused:
            leave_fide_mode(actor=ME, section_id=section.pk, reason="club rules", asked=True)
        assert refused.value.code == "fide_mode_none"
        return
    if not SYSTEMS[system].fixed_rounds:
        for forbidden, code in (
            (correct_round_1, "correction_too_late"),
            (forbid_later, "forbidden_pairs_locked"),
        ):
            with pytest.raises(DomainError) as refused:
                forbidden(section)
            assert refused.value.code == code
    assert not leave_fide_mode(actor=ME, section_id=section.pk, reason="club rules", asked=True).in_fide_mode


def test_pages_of_a_system_that_is_not_fides_offer_no_fide_mode() -> None:
    desk = Desk({**SETTINGS, **OPTIONS, "system": "uschess"})
    desk.enter(4)
    desk.done("initial-colour/", colour="w")
    desk.pair()
    settings, page, pairs = (
        re.sub(r"\s+", " ", desk.get(rest))
        for rest in ("settings/", "settings/fide-mode/", "forbidden-pairs/")
    )
    assert "none: the rules of the pairing system are not FIDE’s" in settings
    assert "Leave FIDE mode" not in settings + page + pairs
    assert "so the section has no FIDE mode" in page
    assert "Changes count for rounds that are not paired yet." in pairs
    refused = desk.post("settings/fide-mode/", step="leave", reason="club rules")
    sentence = "The rules of US Chess are not FIDE's, so there is no FIDE mode to leave."
    assert (refused.status_code, sentence in unescape(refused.content.decode())) == (422, True)


def test_fide_mode_is_on_in_a_system_of_fide() -> None:
    desk = Desk({**SETTINGS, "system": "dubov-1997"})
    assert "Leave FIDE mode" in desk.get("settings/")


@pytest.mark.parametrize("system", UNACCELERATED)
def test_acceleration_is_accepted_nowhere(system: str) -> None:
    desk = Desk({**SETTINGS, **OPTIONS, "system": system, "acceleration": "baku"})
    desk.enter(4)
    assert (desk.section.system, desk.section.acceleration) == (system, "")
    assert "data-plain" in next(
        one
        for one in re.findall(r"<input[^>]*>", desk.client.get(desk.new).content.decode())
        if f'"{system}"' in one
    )
    asked = {**SETTINGS, **OPTIONS, "system": system, "acceleration": "baku"}
    own = {name.removeprefix(f"{system}_"): value for name, value in asked.items()}
    desk.done("settings/", **{**asked, **own, "name": "Renamed"})
    desk.section.refresh_from_db()
    assert (desk.section.name, desk.section.acceleration) == ("Renamed", "")
    create = {"actor": ME, "event": desk.section.event, "name": "B", "rounds": 5, "system": system}
    for refused in (
        lambda: create_section(**create, acceleration="baku"),
        lambda: edit_section(actor=ME, section_id=desk.section.pk, acceleration="baku"),
    ):
        with pytest.raises(DomainError) as error:
            refused()
        assert error.value.code == "acceleration_unknown"


@pytest.mark.parametrize("system", UNACCELERATED)
def test_report_file_with_acceleration_is_refused(system: str) -> None:
    """A file of a system without acceleration that gives virtual points as Baku Acceleration does."""
    section = section_of(8, system=system, rounds=9)
    written = tournament_report(Section.objects.get(pk=section.pk)).decode()
    lines = "250      01.0 001 003 0001 0004\r\n250      00.5 004 005 0001 0004\r\n"
    report = read_report((written + lines).encode())
    with pytest.raises(DomainError) as refused:
        import_report(actor=ME, event=section.event, name="Again", report=report)
    assert refused.value.code == "acceleration_unknown"
    assert import_report(actor=ME, event=section.event, name="Again", report=read_report(written.encode()))
