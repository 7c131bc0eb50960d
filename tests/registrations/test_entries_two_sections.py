"""Players of another section are accepted only after a question, and a yes counts for those whom it named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from registrations.actions.edits import change_registration
from registrations.actions.transitions import ManyMoved, move_many
from registrations.models import Registration
from registrations.web.staff import queue
from tests.answers import answers_in
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, ParticipantFactory, SectionFactory
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import PLAYER, desk, sent
from tournaments.models import Section

pytestmark = pytest.mark.django_db
BORN = "1990/02/03"


@pytest.fixture
def into() -> Section:
    """A section that takes registrations. Ann, Ben and Cleo play in another one."""
    made = desk()
    other = SectionFactory(event=made.event, name="Rapid")
    for name in ("Ann, X", "Ben, X", "Cleo, X"):
        ParticipantFactory(
            section=other, player__event=made.event, player__name=name, player__birth_date=BORN
        )
    return made


def states(*ones: Registration) -> list[str]:
    return [Registration.objects.get(pk=one.pk).state for one in ones]


def test_yes_on_the_page_of_a_registration_counts_for_this_decision_about_this_one(into: Section) -> None:
    client, ann, ben = staff(into), sent(into, "Ann, X"), sent(into, "Ben, X")
    here, there = (address(into, f"{one.pk}/") for one in (ann, ben))
    press = {"do": "accept", "revision": ann.revision}
    asked = client.post(here, press)
    assert "Already entered in another section (Rapid): Ann, X." in asked.content.decode()
    yes = {**press, "answer": answers_in(asked)}
    assert client.post(there, yes).status_code == 422
    change_registration(registration_id=ann.pk, values={"club": "New"}, by=PLAYER)
    assert client.post(here, {**yes, "revision": ann.revision + 1}).status_code == 422
    assert states(ann, ben) == ["pending", "pending"]
    again = client.post(here, {"do": "accept", "revision": ann.revision + 1})
    assert client.post(here, dict(again.context["sent"])).status_code == 302
    assert states(ann, ben) == ["accepted", "pending"]


def test_yes_in_the_queue_counts_for_those_whom_the_page_named(into: Section) -> None:
    client, decide = staff(into), address(into, "decide/")
    ann, ben, cleo, dora = (sent(into, f"{name}, X") for name in ("Ann", "Ben", "Cleo", "Dora"))
    asked = client.post(decide, {"do": "accept", "chosen": chosen(ann, ben, dora)})
    assert asked.status_code == 422
    assert "Accept 2 registrations" in asked.content.decode()
    assert states(ann, ben, cleo, dora) == ["pending", "pending", "pending", "accepted"]
    yes = answers_in(asked)
    more = client.post(decide, {"do": "accept", "chosen": chosen(ann, ben, cleo), "answer": yes})
    assert (more.status_code, states(ann, ben, cleo)) == (422, ["pending"] * 3)
    assert client.post(decide, dict(asked.context["sent"])).status_code == 302
    assert states(ann, ben, cleo) == ["accepted", "accepted", "pending"]


def test_undo_asks_before_a_player_comes_back_who_was_entered_elsewhere(into: Section) -> None:
    client, decide, eve = staff(into), address(into, "decide/"), sent(into, "Eve, X")
    client.post(decide, {"do": "accept", "chosen": chosen(eve)})
    client.post(decide, {"do": "withdraw", "chosen": chosen(eve)})
    ParticipantFactory(
        section=into.event.sections.get(name="Rapid"),
        player__event=into.event,
        player__name="Eve, X",
        player__birth_date=BORN,
    )
    asked = client.post(decide, {"do": "undo", "chosen": chosen(eve)})
    assert (asked.status_code, states(eve)) == (422, ["withdrawn"])
    assert client.post(decide, dict(asked.context["sent"])).status_code == 302
    assert states(eve) == ["accepted"]


def test_programs_are_asked_about_each(into: Section) -> None:
    ann, ben, dora = (sent(into, f"{name}, X") for name in ("Ann", "Ben", "Dora"))
    program = Program(EventRoleFactory(event=into.event).user, into.event)
    path = f"events/{into.event.pk}/registrations/decide/"
    wanted = [{"id": one.pk, "revision": one.revision} for one in (ann, ben, dora)]
    body = {"registrations": wanted, "state": "accepted"}
    first = program.done("POST", path, body)
    given = {one["confirm"] for one in first["results"] if one["code"] == "two_sections_to_confirm"}
    assert (len(given), states(ann, ben, dora)) == (1, ["pending", "pending", "accepted"])
    fewer = program.done("POST", path, {**body, "registrations": wanted[:1], "confirm": list(given)})
    assert (fewer["decided"], states(ann)) == (0, ["pending"])
    assert program.done("POST", path, {**body, "confirm": list(given)})["decided"] == 2
    assert states(ann, ben) == ["accepted", "accepted"]


def test_decision_about_a_whole_list_is_worked_out_once_for_each_press(
    into: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, decide, worked = staff(into), address(into, "decide/"), []
    eve = sent(into, "Eve, X")

    def counted(**what: object) -> ManyMoved:
        worked.append(what)
        found: Callable[..., ManyMoved] = move_many
        return found(**what)

    monkeypatch.setattr(queue, "move_many", counted)
    shown = client.post(decide, {"do": "accept", "pile": "check", "all": "1"})
    assert (len(worked), states(eve)) == (1, ["pending"])
    assert client.post(decide, dict(shown.context["sent"])).status_code == 302
    assert (len(worked), states(eve)) == (2, ["accepted"])
