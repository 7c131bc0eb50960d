from __future__ import annotations

from datetime import date

import pytest

from tests.actions.refusals import refused, unchanged
from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.people import add_role, remove_role
from tournaments.models import ActionLog, Event, EventRole

pytestmark = pytest.mark.django_db
DAYS = {"start": date(2026, 10, 17), "end": date(2026, 10, 25)}


def roles(event: Event) -> dict[str, str]:
    return dict(event.roles.values_list("user__username", "role"))


def test_person_who_creates_an_event_owns_it(actor: Actor) -> None:
    event = create_event(
        actor=actor,
        name="  Rijswijk   Open\n2026 ",
        city="Rijswijk",
        federation="ned",
        chief_arbiter="van der Meer, Joost",
        deputy_arbiters="One\r\n\r\n Two ",
        time_control="5400+30",
        state="draft",
        **DAYS,
    )
    event.refresh_from_db()
    assert (event.name, event.slug, event.federation) == ("Rijswijk Open 2026", "rijswijk-open-2026", "NED")
    assert (event.deputy_arbiters, event.public) == ("One\nTwo", False)
    assert roles(event) == {"arbiter": "owner"}
    row = ActionLog.objects.get()
    assert (row.event, row.section, row.action, row.who) == (event, None, "create_event", "arbiter")
    assert (row.after["name"], row.after["start"]) == ("Rijswijk Open 2026", "2026-10-17")


def test_event_made_on_the_command_line_has_no_owner() -> None:
    assert roles(create_event(actor=Actor.command(), name="Open", **DAYS)) == {}


def test_address_is_free_and_not_reserved(actor: Actor) -> None:
    names = ["Open", "Open", "open!", "New", "login", "棋赛", "棋赛", "AUX"]
    slugs = [create_event(actor=actor, name=name, **DAYS).slug for name in names]
    assert slugs == [
        "open",
        "open-2",
        "open-3",
        "new-2",
        "login-2",
        "event",
        "event-2",
        "aux-2",
    ]  # aux: no directory of Windows


def test_long_name_makes_a_short_address(actor: Actor) -> None:
    assert create_event(actor=actor, name="x" * 120, **DAYS).slug == "x" * 50
    assert create_event(actor=actor, name="x" * 119, **DAYS).slug == "x" * 50 + "-2"


@pytest.mark.parametrize("name", ["", "  ", "\x00\n"])
def test_event_needs_a_name(actor: Actor, name: str) -> None:
    with refused("name_required"):
        create_event(actor=actor, name=name, **DAYS)


def test_event_must_not_end_before_it_starts(actor: Actor) -> None:
    with refused("event_dates", start="2026-10-25", end="2026-10-17"):
        create_event(actor=actor, name="Open", start=DAYS["end"], end=DAYS["start"])
    event = EventFactory()
    with refused("event_dates"):
        edit_event(actor=actor, event=event, end=date(2020, 1, 1))


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", "x" * 121), ("city", "x" * 81), ("federation", "NE"), ("time_control", "x" * 121)],
)
def test_values_that_do_not_fit_are_refused(actor: Actor, field: str, value: str) -> None:
    with refused("invalid_values"):
        create_event(actor=actor, **{"name": "Open", **DAYS, field: value})


def test_edit_logs_only_what_changed(actor: Actor) -> None:
    event = EventFactory(name="Old", city="Rijswijk")
    slug = event.slug
    edit_event(actor=actor, event=event, name="New", city="Rijswijk", start=date(2026, 10, 18))
    row = ActionLog.objects.get()
    assert row.before == {"name": "Old", "start": "2026-10-17"}
    assert row.after == {"name": "New", "start": "2026-10-18"}
    event.refresh_from_db()
    assert (event.name, event.slug) == ("New", slug)


def test_edit_without_change_is_not_logged(actor: Actor) -> None:
    event = EventFactory()
    with unchanged():
        edit_event(actor=actor, event=event, name=event.name, state=event.state)


def test_detail_that_somebody_else_has_changed_since_the_form_was_opened_is_not_overwritten(
    actor: Actor,
) -> None:
    event = EventFactory(city="Rijswijk")
    edit_event(actor=actor, event=event, city="Delft")
    with refused("overtaken", theirs={"city": "Delft"}):
        edit_event(actor=actor, event=event, seen={"city": "Rijswijk"}, city="Den Haag")
    assert Event.objects.get().city == "Delft"


def test_address_cannot_be_edited(actor: Actor) -> None:
    with unchanged(), pytest.raises(TypeError):
        edit_event(actor=actor, event=EventFactory.build(), slug="other")


def test_role_is_given_changed_and_removed(actor: Actor) -> None:
    event = EventFactory()
    EventRoleFactory(event=event, user=actor.user, role="owner")
    UserFactory(username="joost")
    add_role(actor=actor, event=event, username="joost", role="arbiter")
    assert roles(event) == {"arbiter": "owner", "joost": "arbiter"}
    add_role(actor=actor, event=event, username="joost", role="owner")
    assert roles(event) == {"arbiter": "owner", "joost": "owner"}
    remove_role(actor=actor, event=event, username="arbiter")
    assert roles(event) == {"joost": "owner"}
    logged = [(row.action, row.subject, row.before, row.after) for row in ActionLog.objects.order_by("pk")]
    assert logged == [
        ("add_role", "joost", {}, {"role": "arbiter"}),
        ("add_role", "joost", {"role": "arbiter"}, {"role": "owner"}),
        ("remove_role", "arbiter", {"role": "owner"}, {}),
    ]


def test_same_role_again_is_not_logged(actor: Actor) -> None:
    role = EventRoleFactory()
    with unchanged():
        add_role(actor=actor, event=role.event, username=role.user.username, role=role.role)


def test_unknown_people_and_roles_are_refused(actor: Actor) -> None:
    event = EventFactory()
    UserFactory(username="gone", is_active=False)
    with refused("user_unknown", username="nobody"):
        add_role(actor=actor, event=event, username="nobody", role="arbiter")
    with refused("user_unknown", username="gone"):
        add_role(actor=actor, event=event, username="gone", role="arbiter")
    with refused("user_unknown", username="no body"):
        add_role(actor=actor, event=event, username="no\x00body\ud800", role="arbiter")
    with refused("role_unknown", role="king"):
        add_role(actor=actor, event=event, username=actor.name, role="king")
    with refused("not_found", kind="role", id="nobody"):
        remove_role(actor=actor, event=event, username="nobody")


def test_last_owner_cannot_be_removed(actor: Actor) -> None:
    event = EventFactory()
    EventRoleFactory(event=event, user=actor.user, role=EventRole.Role.OWNER)
    EventRoleFactory(event=event)
    EventRoleFactory(event=event, role=EventRole.Role.OWNER, user__is_active=False)
    with refused("last_owner", username="arbiter"):
        remove_role(actor=actor, event=event, username="arbiter")
    with refused("last_owner", username="arbiter"):
        add_role(actor=actor, event=event, username="arbiter", role="arbiter")


def test_time_zone_is_written_as_the_database_of_zones_has_it(actor: Actor) -> None:
    event = create_event(actor=actor, name="Open", time_zone="europe/vienna", **DAYS)
    assert event.time_zone == "Europe/Vienna"
    edit_event(actor=actor, event=event, time_zone="")
    event.refresh_from_db()
    assert event.time_zone == ""
    with refused("zone_unknown", zone="Europe/Nowhere"):
        edit_event(actor=actor, event=event, time_zone="Europe/Nowhere")
    with refused("zone_unknown", zone="CET"):
        create_event(actor=actor, name="Open", time_zone="CET", **DAYS)
