from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import (
    ParticipantFactory,
    PlayerFactory,
    RoundFactory,
    SectionFactory,
    entry_data,
    section_of,
)
from tournaments.actions import roster
from tournaments.actions.entries import (
    add_participant,
    allow_half_byes,
    edit_participant,
    withdraw_participant,
)
from tournaments.actions.ledger import Actor
from tournaments.files.entry_preview import entry_of
from tournaments.models import Participant, Player, RatingSource, Round, Section

pytestmark = pytest.mark.django_db

FULL = entry_data(
    "Schäfer, Greta",
    2422,
    sex="w",
    title="IM",
    federation="GER",
    fide_id=30968745,
    birth_date="2003/10/18",
    rating_source=RatingSource.NATIONAL,
    rating_list="KNSB 2026-10",
    official_rating=2410,
    club="SV Rijswijk",
    note="paid",
)


def test_entry_keeps_all_values_of_the_form(actor: Actor) -> None:
    section = SectionFactory()
    with one_step(section, "add_participant") as logged:
        added = add_participant(actor=actor, section_id=section.pk, entry=FULL)
    participant = Participant.objects.get(pk=added.pk)
    for name in ("name", "sex", "title", "federation", "fide_id", "birth_date"):
        assert getattr(participant.player, name) == getattr(FULL, name)
        assert logged[0].after[name] == getattr(FULL, name)
    for name in ("rating", "rating_source", "rating_list", "official_rating", "club", "note", "first_round"):
        assert getattr(participant, name) == getattr(FULL, name)
        assert logged[0].after[name] == getattr(FULL, name)
    assert (participant.tpn, participant.status) == (1, "active")
    assert (logged[0].subject, logged[0].after["participant"], logged[0].before) == (
        "1 Schäfer, Greta",
        added.pk,
        {},
    )


def test_texts_are_cleaned(actor: Actor) -> None:
    section = SectionFactory()
    entry = entry_data(" Scha\u0308fer,\t Greta\x00\u202e ", club="a\nb\ud800", title="im", federation="ger")
    added = add_participant(actor=actor, section_id=section.pk, entry=entry)
    player = Player.objects.get()
    assert (player.name, player.title, player.federation) == ("Schäfer, Greta", "IM", "GER")
    assert Participant.objects.get(pk=added.pk).club == "a b"


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": " \x00"}, "name_required"),
        ({"rating": None}, "rating_required"),
        ({"rating": 0}, "rating_required"),
        ({"rating": -5}, "rating_required"),
        ({"rating": 4000}, "invalid_values"),
        ({"rating": 10**30}, "invalid_values"),
        ({"official_rating": -1}, "invalid_values"),
        ({"name": "x" * 121}, "invalid_values"),
        ({"sex": "x"}, "invalid_values"),
        ({"title": "XM"}, "invalid_values"),
        ({"federation": "Netherlands"}, "invalid_values"),
        ({"fide_id": 10**12}, "invalid_values"),
        ({"fide_id": -1}, "invalid_values"),
        ({"birth_date": "18.10.2003"}, "invalid_values"),
        ({"rating_source": "dream"}, "invalid_values"),
        ({"first_round": 8}, "round_out_of_range"),
        ({"first_round": 0}, None),
    ],
)
def test_values_are_checked(actor: Actor, wrong: dict[str, object], code: str | None) -> None:
    section = section_of(1)
    entry = replace(FULL, **wrong)
    if code is None:
        added = add_participant(actor=actor, section_id=section.pk, entry=entry)
        assert added.first_round == 1
        return
    with refused(code):
        add_participant(actor=actor, section_id=section.pk, entry=entry)
    with refused(code):
        edit_participant(actor=actor, participant_id=section.participants.get().pk, entry=entry)


def test_same_form_twice_makes_one_entry(actor: Actor) -> None:
    section = SectionFactory()
    entry = entry_data("de Groot, Lotte", 2299)
    add_participant(actor=actor, section_id=section.pk, entry=entry)
    with refused("already_entered", name="de Groot, Lotte"):
        add_participant(actor=actor, section_id=section.pk, entry=entry)
    add_participant(actor=actor, section_id=section.pk, entry=replace(entry, birth_date="2003"))
    assert section.participants.count() == 2


def test_fide_id_is_entered_once_in_a_section(actor: Actor) -> None:
    section = SectionFactory()
    add_participant(actor=actor, section_id=section.pk, entry=FULL)
    with refused("already_entered", name="Schäfer, Greta"):
        add_participant(actor=actor, section_id=section.pk, entry=replace(FULL, name="Schaefer, G"))


def test_person_of_two_sections_is_one_player(actor: Actor) -> None:
    one = SectionFactory()
    other = SectionFactory(event=one.event)
    add_participant(actor=actor, section_id=one.pk, entry=replace(FULL, birth_date="", title=""))
    again = replace(FULL, name="Schäfer, G.", rating=2300)
    add_participant(actor=actor, section_id=other.pk, entry=again, both=True)
    player = Player.objects.get()
    assert (player.name, player.birth_date, player.title) == ("Schäfer, Greta", "2003/10/18", "IM")
    assert sorted(player.entries.values_list("rating", flat=True)) == [2300, 2422]


def test_new_data_about_a_person_change_all_sections(actor: Actor) -> None:
    one = section_of(1)
    rival = one.participants.get()
    entry = replace(FULL, title="", rating=rival.rating, name="Zz, Greta")
    first = add_participant(actor=actor, section_id=one.pk, entry=entry)
    other = SectionFactory(event=one.event)
    add_participant(actor=actor, section_id=other.pk, entry=replace(entry, title="IM"), both=True)
    assert [row.action for row in one.log.all()] == ["edit_player", "add_participant"]
    first.refresh_from_db()
    rival.refresh_from_db()
    assert (first.tpn, rival.tpn) == (1, 2)


def test_fide_id_of_another_person_is_refused(actor: Actor) -> None:
    section = section_of(1)
    PlayerFactory(event=section.event, fide_id=FULL.fide_id, name="Núñez, Marta")
    with refused("fide_id_taken", fide_id=FULL.fide_id, name="Núñez, Marta"):
        add_participant(actor=actor, section_id=section.pk, entry=FULL)
    with refused("fide_id_taken", fide_id=FULL.fide_id, name="Núñez, Marta"):
        edit_participant(actor=actor, participant_id=section.participants.get().pk, entry=FULL)


def test_number_of_entries_has_a_limit(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "MAX_ENTRIES", 3)
    section = section_of(3)
    with refused("too_many_entries", limit=3):
        add_participant(actor=actor, section_id=section.pk, entry=FULL)


def test_late_entry_plays_from_the_next_round(actor: Actor) -> None:
    section = section_of(2)
    RoundFactory.create_batch(2, section=section)
    soon = add_participant(actor=actor, section_id=section.pk, entry=entry_data("Soon, A"))
    later = add_participant(actor=actor, section_id=section.pk, entry=entry_data("Later, A", first_round=5))
    assert (soon.first_round, later.first_round) == (3, 5)
    assert soon.byes.count() == 0


def test_late_entry_gets_no_points_for_missed_rounds_unless_the_rules_say_so(actor: Actor) -> None:
    section = section_of(2)
    RoundFactory(section=section)
    for missed, byes in (("", []), ("Z", [[1, "Z"]]), ("H", [[1, "H"]])):
        with one_step(section, "add_participant") as logged:
            late = add_participant(
                actor=actor, section_id=section.pk, entry=entry_data(f"Late {missed}"), missed=missed
            )
        assert [list(bye) for bye in late.byes.values_list("round_number", "kind")] == byes
        assert logged[0].after.get("byes", []) == byes


def test_second_half_point_for_missed_rounds_needs_a_confirmation(actor: Actor) -> None:
    section = section_of(2)
    RoundFactory(section=section, state=Round.State.FINISHED)
    RoundFactory(section=section)
    late = {"actor": actor, "section_id": section.pk, "entry": entry_data(), "missed": "H"}
    with refused("missed_byes_to_confirm", count=2, warnings=["second_half_bye"]):
        add_participant(**late)
    assert add_participant(**late, proceed=True).byes.count() == 2
    with refused("bye_kind"):
        add_participant(**{**late, "missed": "F"})


def test_late_entry_can_play_the_last_round_alone(actor: Actor) -> None:
    section = section_of(2, rounds=2)
    RoundFactory(section=section)
    assert add_participant(actor=actor, section_id=section.pk, entry=entry_data()).first_round == 2


def test_nobody_enters_after_the_last_round(actor: Actor) -> None:
    section = section_of(2, rounds=2)
    RoundFactory.create_batch(2, section=section)
    with refused("all_rounds_paired", rounds=2):
        add_participant(actor=actor, section_id=section.pk, entry=FULL)


def test_edit_logs_only_what_changed(actor: Actor) -> None:
    section = section_of(2)
    participant = section.participants.get(tpn=2)
    entry = entry_data(
        participant.player.name, participant.rating, federation="GER", rating_source="standard", club="X"
    )
    with one_step(section, "edit_participant") as logged:
        assert edit_participant(actor=actor, participant_id=participant.pk, entry=entry) == participant
    assert (logged[0].subject, logged[0].round_number) == (str(participant), None)
    assert logged[0].before == {"federation": "NED", "club": "", "participant": participant.pk}
    assert logged[0].after == {"federation": "GER", "club": "X", "participant": participant.pk}
    with unchanged():
        assert edit_participant(actor=actor, participant_id=participant.pk, entry=entry) == participant


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        (("standard", "2026-11"), {"rating": 2333}, ("typed", "")),
        (("file", ""), {"rating": 2333}, ("typed", "")),
        (("standard", "2026-11"), {"rating": 2333, "rating_source": "rapid"}, ("rapid", "2026-11")),
        (("standard", "2026-11"), {"rating": 2333, "rating_list": "2026-12"}, ("typed", "2026-12")),
        (("provisional", ""), {"rating": 1500}, ("provisional", "")),
        (("standard", "2026-11"), {"club": "SG"}, ("standard", "2026-11")),
    ],
)
def test_source_of_a_rating_changes_when_the_arbiter_types_another_rating(
    actor: Actor, before: tuple[str, str], change: dict[str, object], after: tuple[str, str]
) -> None:
    """VCL4THP.13 Q134."""
    participant = section_of(1).participants.get()
    Participant.objects.update(rating=2300, rating_source=before[0], rating_list=before[1])
    participant.refresh_from_db()
    edit_participant(
        actor=actor, participant_id=participant.pk, entry=replace(entry_of(participant), **change)
    )
    participant.refresh_from_db()
    assert (participant.rating_source, participant.rating_list) == after


def test_edit_writes_only_the_values_that_the_form_changed(actor: Actor) -> None:
    entry = section_of(4).participants.get(tpn=4)
    seen = {"name": entry.player.name, "club": entry.club, "rating": entry.rating}
    data = entry_data(entry.player.name, entry.rating)
    edit_participant(actor=actor, participant_id=entry.pk, entry=replace(data, club="Caissa"), seen=seen)
    edit_participant(actor=actor, participant_id=entry.pk, entry=replace(data, name="Other, A"), seen=seen)
    entry.refresh_from_db()
    assert (entry.player.name, entry.club) == ("Other, A", "Caissa")


def test_edit_of_a_value_that_another_person_changed_is_refused_unless_equal(actor: Actor) -> None:
    entry = section_of(4).participants.get(tpn=4)
    seen = {"club": entry.club}
    data = entry_data(entry.player.name, entry.rating, club="Caissa")
    edit_participant(actor=actor, participant_id=entry.pk, entry=data, seen=seen)
    with refused("overtaken", theirs={"club": "Caissa"}):
        edit_participant(actor=actor, participant_id=entry.pk, entry=replace(data, club="SG"), seen=seen)
    with unchanged():
        edit_participant(actor=actor, participant_id=entry.pk, entry=data, seen=seen)


def test_edit_of_a_person_changes_the_other_sections(actor: Actor) -> None:
    one = section_of(2)
    player = one.participants.get(tpn=2).player
    other = SectionFactory(event=one.event)
    rival = ParticipantFactory(section=other, rating=2000)
    entry = ParticipantFactory(section=other, player=player, rating=2000)
    closed = SectionFactory(event=one.event, status=Section.Status.CLOSED)
    ParticipantFactory(section=closed, rating=2000)
    ParticipantFactory(section=closed, player=player, rating=2000)
    participant = one.participants.get(tpn=2)
    edit_participant(
        actor=actor,
        participant_id=participant.pk,
        entry=entry_data(player.name, participant.rating, title="GM"),
    )
    rows = {row.section_id: row for row in one.event.log.all()}
    assert {key: row.action for key, row in rows.items()} == {
        one.pk: "edit_participant",
        other.pk: "edit_player",
        closed.pk: "edit_player",
    }
    assert rows[other.pk].after == {"title": "GM", "federation": "", "numbers": [[2, 1], [1, 2]]}
    assert rows[closed.pk].after == {"title": "GM", "federation": ""}
    assert [rows[key].before for key in (other.pk, closed.pk)] == [{"title": "", "federation": "NED"}] * 2
    entry.refresh_from_db()
    rival.refresh_from_db()
    assert (entry.tpn, rival.tpn) == (1, 2)
    assert list(Section.objects.order_by("pk").values_list("revision", flat=True)) == [1, 1, 1]


def test_first_round_changes_only_to_and_from_rounds_not_paired(actor: Actor) -> None:
    section = section_of(2)
    participant = section.participants.get(tpn=2)
    entry = entry_data(participant.player.name, participant.rating)
    edit_participant(actor=actor, participant_id=participant.pk, entry=replace(entry, first_round=4))
    RoundFactory.create_batch(2, section=section)
    edit_participant(actor=actor, participant_id=participant.pk, entry=replace(entry, first_round=5))
    edit_participant(actor=actor, participant_id=participant.pk, entry=replace(entry, club="as it is"))
    participant.refresh_from_db()
    assert participant.first_round == 5
    with refused("first_round_paired", first_round=2, next_round=3):
        edit_participant(actor=actor, participant_id=participant.pk, entry=replace(entry, first_round=2))
    with refused("round_out_of_range", round=8, rounds=7):
        edit_participant(actor=actor, participant_id=participant.pk, entry=replace(entry, first_round=8))
    starter = section.participants.get(tpn=1)
    entry = entry_data(starter.player.name, starter.rating, first_round=3)
    with refused("first_round_paired", first_round=3, next_round=3):
        edit_participant(actor=actor, participant_id=starter.pk, entry=entry)


def test_half_point_byes_can_be_forbidden_for_a_player(actor: Actor) -> None:
    section = section_of(1)
    participant = section.participants.get()
    with one_step(section, "allow_half_byes"):
        allow_half_byes(actor=actor, participant_id=participant.pk, allowed=False)
    participant.refresh_from_db()
    assert not participant.half_bye_allowed
    with unchanged():
        allow_half_byes(actor=actor, participant_id=participant.pk, allowed=False)


def test_unknown_entry_is_not_found(actor: Actor) -> None:
    for missing in (0, 10**30):
        with refused("not_found", kind="section", id=missing):
            add_participant(actor=actor, section_id=missing, entry=FULL)
        with refused("not_found", kind="participant", id=missing):
            edit_participant(actor=actor, participant_id=missing, entry=FULL)
        with refused("not_found", kind="participant", id=missing):
            withdraw_participant(actor=actor, participant_id=missing)


def test_closed_section_takes_no_entry(actor: Actor) -> None:
    section = section_of(1, status=Section.Status.CLOSED)
    with refused("section_closed"):
        add_participant(actor=actor, section_id=section.pk, entry=FULL)
    with refused("section_closed"):
        withdraw_participant(actor=actor, participant_id=section.participants.get().pk)
