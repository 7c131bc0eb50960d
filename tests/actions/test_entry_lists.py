from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import ByeFactory, RoundFactory, SectionFactory, entry_data, section_of
from tournaments.actions.entries import import_entries
from tournaments.actions.ledger import Actor
from tournaments.entry_data import ImportRow
from tournaments.errors import DomainError
from tournaments.files.entry_preview import entry_of
from tournaments.models import Bye, Integrity, Participant, Player

pytestmark = pytest.mark.django_db


def rows_of(count: int) -> list[ImportRow]:
    return [
        ImportRow(entry=entry_data(f"Surname{n:03}, Given", 1500 + (n * 37) % 800, fide_id=1000 + n))
        for n in range(count)
    ]


def test_rows_become_entries_in_one_step(actor: Actor) -> None:
    section = section_of(2)
    rows = [*rows_of(20), ImportRow(entry=entry_data("Bye, Asks", 2600), byes=(2, 4, 2))]
    with one_step(section, "import_entries") as logged:
        outcome = import_entries(
            actor=actor, section_id=section.pk, rows=rows, source="registrations.csv", proceed=True
        )
    assert (len(outcome.added), outcome.changed) == (21, ())
    ratings = list(section.participants.order_by("tpn").values_list("rating", flat=True))
    assert ratings == sorted(ratings, reverse=True)
    assert list(section.participants.order_by("tpn").values_list("tpn", flat=True)) == list(range(1, 24))
    first = section.participants.get(tpn=1)
    assert list(first.byes.values_list("round_number", "kind", "source")) == [
        (2, "H", "requested"),
        (4, "H", "requested"),
    ]
    assert logged[0].subject == "registrations.csv"
    assert len(logged[0].after["added"]) == 21
    assert logged[0].after["byes"] == [[first.pk, 2], [first.pk, 4]]


def test_row_changes_the_entry_that_it_names(actor: Actor) -> None:
    section = section_of(3)
    one, two, three = section.participants.all()
    same = ImportRow(
        entry=entry_data(one.player.name, one.rating, federation="NED", rating_source="standard"),
        participant_id=one.pk,
    )
    other = ImportRow(
        entry=entry_data(three.player.name, 2600, federation="NED", rating_source="file"),
        participant_id=three.pk,
    )
    with one_step(section, "import_entries") as logged:
        outcome = import_entries(actor=actor, section_id=section.pk, rows=[same, other])
    assert (outcome.added, [p.pk for p in outcome.changed]) == ((), [three.pk])
    assert logged[0].before["entries"] == [[three.pk, {"rating": 2470, "rating_source": "standard"}]]
    assert logged[0].after["entries"] == [[three.pk, {"rating": 2600, "rating_source": "file"}]]
    assert logged[0].after["changed"] == [three.pk]
    assert list(section.participants.order_by("tpn")) == [three, one, two]


def test_import_that_changes_nothing_is_not_logged(actor: Actor) -> None:
    section = section_of(1)
    participant = section.participants.get()
    Participant.objects.update(first_round=3)
    ByeFactory(participant=participant, round_number=2)
    row = ImportRow(
        entry=entry_data(
            participant.player.name, participant.rating, federation="NED", rating_source="standard"
        ),
        participant_id=participant.pk,
        byes=(2,),
    )
    with unchanged():
        import_entries(actor=actor, section_id=section.pk, rows=[row])
    with unchanged():
        import_entries(actor=actor, section_id=section.pk, rows=[])


def test_every_wrong_row_is_named_and_nothing_is_written(actor: Actor) -> None:
    section = section_of(1, rounds=5)
    participant = section.participants.get()
    RoundFactory(section=section)
    Participant.objects.update(half_bye_allowed=False)
    known = ImportRow(
        entry=entry_data(participant.player.name, 2000), participant_id=participant.pk, byes=(3,)
    )
    rows = [
        ImportRow(entry=entry_data("Good, One", 2000, fide_id=7)),
        ImportRow(entry=entry_data(" ", 2000)),
        ImportRow(entry=entry_data("No, Rating", 0)),
        ImportRow(entry=entry_data("Good, Again", 2000, fide_id=7)),
        ImportRow(entry=entry_data("Good, One", 2000, fide_id=7)),
        ImportRow(entry=entry_data("Wrong, Title", 2000, title="XX")),
        ImportRow(entry=entry_data("Bye, Past", 2000), byes=(1,)),
        ImportRow(entry=entry_data("Bye, Beyond", 2000), byes=(6,)),
        ImportRow(entry=entry_data("Un, Known", 2000), participant_id=0),
        known,
        known,
    ]
    with refused("import_refused"):
        import_entries(actor=actor, section_id=section.pk, rows=rows)
    with pytest.raises(DomainError) as caught:
        import_entries(actor=actor, section_id=section.pk, rows=rows)
    problems = caught.value.params["problems"]
    assert [(p["row"], p["name"], p["code"]) for p in problems] == [
        (2, "", "name_required"),
        (3, "No, Rating", "rating_required"),
        (4, "Good, Again", "already_entered"),
        (5, "Good, One", "already_entered"),
        (6, "Wrong, Title", "invalid_values"),
        (7, "Bye, Past", "round_already_paired"),
        (8, "Bye, Beyond", "round_out_of_range"),
        (9, "Un, Known", "not_found"),
        (10, participant.player.name, "half_bye_not_allowed"),
        (11, participant.player.name, "already_entered"),
    ]


def test_byes_above_the_limits_of_the_rules_need_a_confirmation(actor: Actor) -> None:
    """VCL4THP.13 Q174: a second half-point bye, in one row or with an entered bye. Q178: a bye that is too late."""
    section = section_of(3, rounds=7, last_bye_round=5)
    first, second, third = section.participants.all()
    ByeFactory(participant=first, round_number=2)
    rows = [
        ImportRow(entry=entry_of(first), participant_id=first.pk, byes=(2, 4)),
        ImportRow(entry=entry_of(second), participant_id=second.pk, byes=(6,)),
        ImportRow(entry=entry_of(third), participant_id=third.pk, byes=(3,)),
        ImportRow(entry=entry_data("New, One", 2000), byes=(2, 3)),
        ImportRow(entry=entry_data("New, Two", 2000), byes=(1,)),
    ]
    asked = [
        {"name": first.player.name, "round": 4, "warnings": ["second_half_bye"]},
        {"name": second.player.name, "round": 6, "warnings": ["after_last_bye_round"]},
        {"name": "New, One", "round": 3, "warnings": ["second_half_bye"]},
    ]
    with refused("byes_to_confirm", byes=asked, limit=None, last_round=5):
        import_entries(actor=actor, section_id=section.pk, rows=rows)
    with one_step(section, "import_entries"):
        import_entries(actor=actor, section_id=section.pk, rows=rows, proceed=True)
    assert Bye.objects.count() == 7


def test_byes_of_a_row_and_those_entered_before_count_together(actor: Actor) -> None:
    section = section_of(1, rounds=7, half_bye_limit=2)
    first = section.participants.get()
    ByeFactory(participant=first, round_number=1)
    rows = [
        ImportRow(entry=entry_of(first), participant_id=first.pk, byes=(2, 3)),
        ImportRow(entry=entry_data("New, One", 2000), byes=(1, 2, 3)),
    ]
    with pytest.raises(DomainError, match="byes_to_confirm") as caught:
        import_entries(actor=actor, section_id=section.pk, rows=rows)
    asked = [(bye["name"], bye["round"]) for bye in caught.value.params["byes"]]
    assert asked == [(first.player.name, 3), ("New, One", 3)]


def test_import_that_changes_pairing_numbers_needs_a_confirmation(actor: Actor) -> None:
    """VCL4THP.13 Q154: the question is the same as for one entry by hand."""
    section = section_of(3)
    RoundFactory(section=section)
    rows = [ImportRow(entry=entry_data("New, A", 2485, first_round=2))]
    about = {"section": section.name, "round": 1, "numbers": [[2, 3], [3, 4]]}
    with refused("numbers_to_confirm", **about):
        import_entries(actor=actor, section_id=section.pk, rows=rows)
    with one_step(section, "import_entries") as logged:
        import_entries(actor=actor, section_id=section.pk, rows=rows, asked=True)
    assert logged[0].integrity == Integrity.REGENERATION


def test_people_of_the_other_section_are_recognised(actor: Actor) -> None:
    one = SectionFactory()
    other = SectionFactory(event=one.event)
    rows = rows_of(3)
    import_entries(actor=actor, section_id=one.pk, rows=rows)
    import_entries(actor=actor, section_id=other.pk, rows=rows, both=True)
    assert (Player.objects.count(), Participant.objects.count()) == (3, 6)


def test_stale_preview_is_refused(actor: Actor) -> None:
    section = SectionFactory(revision=2)
    with refused("stale", seen=1, revision=2):
        import_entries(actor=actor, section_id=section.pk, rows=rows_of(2), seen_revision=1)


def test_import_of_many_rows_makes_few_queries(actor: Actor, django_assert_max_num_queries: object) -> None:
    for count in (5, 300):
        section = SectionFactory()
        with django_assert_max_num_queries(29):
            import_entries(actor=actor, section_id=section.pk, rows=rows_of(count))
    assert Bye.objects.count() == 0
