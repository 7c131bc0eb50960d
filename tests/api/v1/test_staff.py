"""A token invites and ends roles as its maker may at this moment."""

from __future__ import annotations

import pytest

from pairing.rounds import publish_round
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import paired
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.models import Event, EventRole, Game, Player, Section, User

pytestmark = pytest.mark.one_database


def test_an_organisers_token_names_no_owner_and_ends_none(
    owner: User, event: Event, program: Program
) -> None:
    organiser = EventRoleFactory(event=event, user=UserFactory(), role=EventRole.Role.ORGANISER).user
    other = Program(organiser, event)
    roles, invitations = f"events/{event.pk}/roles/", f"events/{event.pk}/invitations/"
    held = {row["username"]: row["id"] for row in other.get(roles)["results"]}
    asked = {"username": "new", "role": "owner"}
    refused = other.send("POST", invitations, asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "role_only_by_owner")
    assert other.send("DELETE", f"{roles}{held['olga']}/").status_code in (409, 422)
    assert (
        other.send("POST", invitations, {"username": organiser.username, "role": "chief"}).status_code >= 400
    )
    assert other.done("POST", invitations, {"username": "new", "role": "arbiter"}) == {"given": False}
    [row] = program.get(invitations)["results"]
    program.done("DELETE", f"{invitations}{row['id']}/")
    assert program.get(invitations)["results"][0]["state"] == "revoked"
    program.done("DELETE", f"{roles}{held[organiser.username]}/")
    assert other.send("GET", roles).status_code == 404
    assert EventRole.objects.get(event=event).user == owner


def test_token_of_a_chief_arbiter_of_a_section_invites_for_it_alone(
    owner: User, section: Section, program: Program
) -> None:
    event = section.event
    other = section_of(2, event=event, name="B", slug="b")
    chief = EventRoleFactory(event=event, section=section, user=UserFactory()).user
    row = EventRoleFactory(event=event, section=other, role="clerk", user=UserFactory())
    own = Program(chief, event)
    base = f"events/{event.pk}/"
    assert {one["username"] for one in own.get(f"{base}roles/")["results"]} == {"olga", chief.username}
    asked = {"username": "nia", "role": "arbiter", "sections": [section.pk]}
    for wrong in ({"role": "chief"}, {"role": "organiser"}, {"sections": [other.pk]}, {"sections": []}):
        refused = own.send("POST", f"{base}invitations/", {**asked, **wrong})
        assert (refused.status_code, "role_" in refused.json()["code"]) == (422, True), wrong
    assert own.send("DELETE", f"{base}roles/{row.pk}/").status_code == 404
    program.done("POST", f"{base}invitations/", {"username": "pia", "role": "arbiter"})
    assert own.get(f"{base}invitations/")["results"] == []
    own.done("POST", f"{base}invitations/", asked)
    [found] = own.get(f"{base}invitations/")["results"]
    own.done("DELETE", f"{base}invitations/{found['id']}/")
    assert own.send("GET", f"{base}webhooks/").status_code == 403
    assert own.send("GET", f"sections/{other.pk}/").status_code == 404


def test_token_of_a_result_clerk_enters_results_of_published_rounds_and_no_more(section: Section) -> None:
    """The maker of the token became a result clerk of one section of two."""
    section_of(2, event=section.event, name="B", slug="b")
    clerk = EventRoleFactory(event=section.event, section=section, role="clerk", user=UserFactory()).user
    own, here = Program(clerk, section.event), f"sections/{section.pk}/"
    assert [row["id"] for row in own.get("events/")["results"]] == [section.event_id]
    sections = own.get(f"events/{section.event_id}/sections/")["results"]
    assert [row["id"] for row in sections] == [section.pk]
    row = paired(section, published=False)
    game = row.games.first()
    assert own.get(f"{here}rounds/")["results"] == own.get(f"{here}games/")["results"] == []
    draft = (f"{here}rounds/1/", f"games/{game.pk}/")
    assert [own.send("GET", path).status_code for path in draft] == [404, 404]
    result = f"games/{game.pk}/result/"
    assert own.send("PUT", result, {"result": "1-0"}, seen="*").status_code == 404
    assert own.send("PUT", f"{here}rounds/1/results/", {"results": []}, seen="*").status_code == 404
    publish_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    stale = own.send("PUT", result, {"result": "1-0"}, seen='"old"')
    assert (stale.status_code, stale.json()["current"]["id"]) == (412, game.pk)
    done = own.done("PUT", result, {"result": "1-0"}, seen=own.tag(draft[1]))
    assert done["result"] == "1-0"
    assert own.get(f"{here}games/?open=false")["results"] == [done]
    for path in ("entries/", "log/", "state/", "standings/", "presence/", "byes/", "tables/results/"):
        assert own.send("GET", here + path).status_code == 403, path
    assert own.send("POST", f"{here}rounds/", {"after_round": 1}).status_code == 403


def test_token_of_a_clerk_with_own_boards_enters_results_of_these_alone(
    owner: User, section: Section, program: Program
) -> None:
    event = section.event
    user = EventRoleFactory(event=event, section=section, role="clerk", user=UserFactory()).user
    [role] = [one for one in program.get(f"events/{event.pk}/roles/")["results"] if one["role"] == "clerk"]
    path = f"events/{event.pk}/roles/{role['id']}/"
    changed = program.done("PUT", path, {"first_board": 1, "last_board": 1})
    assert (role["first_board"], changed["first_board"], changed["last_board"]) == (None, 1, 1)
    half = program.send("PUT", path, {"first_board": 1})
    assert (half.status_code, half.json()["errors"][0]["pointer"]) == (422, "/last_board")
    paired(section)
    own = Program(user, event)
    rows = Game.objects.filter(round__section=section).order_by("board")
    first, second = rows.values_list("pk", flat=True)[:2]
    assert own.done("PUT", f"games/{first}/result/", {"result": "1-0"}, seen="*")["result"] == "1-0"
    refused = own.send("PUT", f"games/{second}/result/", {"result": "1-0"}, seen="*")
    assert (refused.status_code, refused.json()["code"]) == (422, "not_own_board")
    both = {"results": [{"board": 1, "result": "0-1"}, {"board": 2, "result": "1-0"}]}
    many = own.send("PUT", f"sections/{section.pk}/rounds/1/results/", both, seen="*")
    assert (many.status_code, many.json()["code"]) == (422, "not_own_board")
    assert own.get(f"games/{first}/")["result"] == "1-0"


def test_invitation_of_a_clerk_names_the_boards(owner: User, section: Section, program: Program) -> None:
    base = f"events/{section.event_id}/invitations/"
    program.done("POST", base, {"username": "nia", "role": "clerk", "first_board": 1, "last_board": 40})
    [sent] = program.get(base)["results"]
    assert (sent["first_board"], sent["last_board"]) == (1, 40)
    wrong = program.send(
        "POST", base, {"username": "nia", "role": "arbiter", "first_board": 1, "last_board": 4}
    )
    assert (wrong.status_code, wrong.json()["code"]) == (422, "boards_of_clerk")


def test_token_of_a_check_in_helper_notes_who_is_here_and_no_more(section: Section) -> None:
    helper = EventRoleFactory(event=section.event, role="check-in", user=UserFactory()).user
    entry = section.participants.get(tpn=1)
    Player.objects.filter(pk=entry.player_id).update(birth_date="1990/02/28", by_initials=True)
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    own, here = Program(helper, section.event), f"sections/{section.pk}/"
    shown = own.get(f"{here}presence/")
    assert shown["results"][0]["name"] == entry.player.name
    unnamed = Program(helper, section.event, ["lists:read", "entries:write"])
    assert entry.player.name not in str(unnamed.get(f"{here}presence/"))
    marked = own.done("POST", f"entries/{entry.pk}/presence/", {"round": 1, "here": True})
    assert marked["personal"] is None
    for path in (f"entries/{entry.pk}/", f"{here}entries/", f"{here}games/", f"{here}log/"):
        assert own.send("GET", path).status_code == 403, path
    assert own.send("POST", f"{here}check-in/all/", {"round": 1}, seen="*").status_code == 403


def test_token_without_a_role_any_more_names_not_even_the_event(
    owner: User, event: Event, program: Program
) -> None:
    assert len(program.get("events/")["results"]) == 1
    event.roles.filter(user=owner).delete()
    assert program.get("events/")["results"] == []


def test_viewers_token_reads_the_log_without_birth_dates(section: Section, program: Program) -> None:
    entry = section.participants.get(tpn=1)
    body = {"birth_date": "1990-02-28", "note": "allergic", "club": "Rijswijk"}
    program.done("PATCH", f"entries/{entry.pk}/", body, seen="*")
    viewer = EventRoleFactory(event=section.event, role="viewer", user=UserFactory()).user
    rows = {
        who: reader.get(f"sections/{section.pk}/log/?action=edit_participant")["results"][0]["after"]
        for who, reader in (("owner", program), ("viewer", Program(viewer, section.event)))
    }
    assert rows["owner"] == {**rows["viewer"], "birth_date": "1990-02-28", "note": "allergic"}
    assert rows["viewer"]["club"] == "Rijswijk"
