"""TPN: GHR 2.2 to 2.4."""

from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused
from tests.factories import (
    GameFactory,
    ParticipantFactory,
    PlayerFactory,
    RoundFactory,
    SectionFactory,
    entry_data,
    section_of,
)
from tournaments.actions.entries import add_participant, edit_participant, remove_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.roster import renumber_entries
from tournaments.actions.undo import undo
from tournaments.entry_data import EntryData
from tournaments.models import Game, Integrity, Participant, Round, Section
from tournaments.queries.aro_list import list_before
from tournaments.queries.entries import entry_list, player_list
from tournaments.queries.field import load_field
from tournaments.queries.pairing_numbers import ranking_key
from tournaments.queries.player_card import player_card

pytestmark = pytest.mark.django_db


def enter(section: Section, *entries: tuple[int, str, str]) -> None:
    """Entries (rating, title, name) without numbers."""
    for rating, title, name in entries:
        player = PlayerFactory(event=section.event, title=title, name=name)
        ParticipantFactory(section=section, player=player, rating=rating, tpn=None)


def names(section: Section) -> list[str]:
    return list(section.participants.order_by("tpn").values_list("player__name", flat=True))


def numbers(section: Section) -> dict[str, tuple[int | None, int | None]]:
    """Number and former number by name."""
    return {p.player.name: (p.tpn, p.former_tpn) for p in section.participants.select_related("player")}


def data_of(participant: Participant, **changes: object) -> EntryData:
    fields = {"name": participant.player.name, "rating": participant.rating, "federation": "NED"}
    return entry_data(**{**fields, **changes})


def paired(section: Section, rounds: int) -> Section:
    RoundFactory.create_batch(rounds, section=section)
    return section


def test_order_is_rating_then_title_then_name() -> None:
    section = SectionFactory()
    ranked = [
        (2500, "", "Untitled, But Strong"),
        *(
            (2400, title, f"Equal, {title}")
            for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "")
        ),
        (2300, "FM", "Aalto, A"),
        (2300, "FM", "ángel, b"),
        (2300, "FM", "Berg, A"),
        (2300, "FM", "berg, B"),
        (2300, "FM", "Étienne, A"),
        (2300, "FM", "Zürn, A"),
    ]
    enter(section, *reversed(ranked))
    renumber_entries(list(section.participants.select_related("player")), rounds_paired=0)
    assert names(section) == [name for _, _, name in ranked]


def test_players_equal_in_everything_are_in_order_of_entry() -> None:
    section = SectionFactory()
    enter(section, (2000, "", "Li, Wei"), (2000, "", "Li, Wei"))
    first, second = section.participants.order_by("pk")
    assert ranking_key(first) < ranking_key(second)


def test_new_entry_moves_players_below_and_shows_their_old_numbers(actor: Actor) -> None:
    section = paired(section_of(3), 1)  # ratings 2490, 2480, 2470
    one, two, three = names(section)
    with one_step(section, "add_participant") as logged:
        add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, A", 2485), asked=True)
    assert numbers(section) == {one: (1, None), "New, A": (2, None), two: (3, 2), three: (4, 3)}
    assert (logged[0].after["numbers"], logged[0].integrity) == ([[2, 3], [3, 4]], Integrity.REGENERATION)


def test_old_numbers_are_shown_until_the_next_change(actor: Actor) -> None:
    section = paired(section_of(3), 1)
    one, two, three = names(section)
    for name, rating in (("New, A", 2485), ("Last, A", 1000)):
        entry = entry_data(name, rating)
        add_participant(actor=actor, section_id=section.pk, entry=entry, asked=True)
    assert numbers(section)[three] == (4, 3)
    add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, B", 2472), asked=True)
    assert numbers(section) == {
        one: (1, None),
        "New, A": (2, None),
        two: (3, None),
        "New, B": (4, None),
        three: (5, 4),
        "Last, A": (6, 5),
    }


def test_new_numbers_in_a_running_section_are_marked_for_the_report(actor: Actor) -> None:
    section = paired(section_of(4), 3)
    with one_step(section, "edit_participant") as logged:
        last = section.participants.get(tpn=4)
        data = data_of(last, rating=2485)
        edit_participant(actor=actor, participant_id=last.pk, entry=data, asked=True)
    assert (logged[0].integrity, logged[0].round_number) == (Integrity.REGENERATION, 3)
    assert sorted(logged[0].after["numbers"]) == [[2, 3], [3, 4], [4, 2]]


def test_one_new_number_is_not_marked_for_the_report(actor: Actor) -> None:
    section = paired(section_of(4), 3)
    with one_step(section, "add_participant") as logged:
        add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, A", 2465))
    assert (logged[0].after["numbers"], logged[0].integrity) == ([[4, 5]], "")


def test_correction_of_a_rating_moves_numbers_until_round_4_is_paired(actor: Actor) -> None:
    section = paired(section_of(3), 3)
    last = section.participants.get(tpn=3)
    edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600), asked=True)
    last.refresh_from_db()
    assert (last.tpn, last.former_tpn) == (1, 3)


def test_former_number_is_shown_until_the_round_in_which_it_changed_is_over(actor: Actor) -> None:
    """The round is that before which the numbers changed. It is over when all its results are in."""
    section = section_of(4)
    for number in (1, 2):
        round_ = RoundFactory(section=section, number=number, state=Round.State.PUBLISHED)
        one, two, three, four = section.participants.order_by("pk")
        boards = [(one, two), (three, four)] if number == 1 else [(three, one), (two, four)]
        for board, (white, black) in enumerate(boards, 1):
            GameFactory(round=round_, board=board, white=white, black=black, result="")
        if number == 1:
            edit_participant(
                actor=actor, participant_id=four.pk, entry=data_of(four, rating=2600), asked=True
            )
            section.refresh_from_db()
        assert shown_to_all(section, four.pk) == [4] * 4, f"round {number} is played"
        Game.objects.filter(round=round_).update(result="1-0")
        assert shown_to_all(section, four.pk) == ([4] * 4 if number == 1 else [None] * 4), (
            "all results are in"
        )


def shown_to_all(section: Section, key: int) -> list[int | None]:
    """Return the former number as the entries, the public list, the ARO list and the card show it."""
    aro = [row for group in list_before(load_field(section)).groups for row in group.rows]
    return [
        *(
            next(row.former_tpn for row in rows if row.participant_id == key)
            for rows in (entry_list(section).rows, player_list(section), aro)
        ),
        player_card(section.participants.get(pk=key)).former_tpn,
    ]


def test_number_that_no_round_had_is_not_kept_as_a_former_number(actor: Actor) -> None:
    section = section_of(3)
    last = section.participants.get(tpn=3)
    edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600))
    assert sorted(numbers(section).values()) == [(1, None), (2, None), (3, None)]
    last.refresh_from_db()
    assert last.tpn == 1


def test_change_of_numbers_in_a_running_section_asks_first(actor: Actor) -> None:
    """VCL4THP.13 Q154, for each kind of action that can change numbers."""
    section = paired(section_of(3), 3)
    last = section.participants.get(tpn=3)
    about = {"section": section.name, "round": 3}
    with refused("numbers_to_confirm", **about, numbers=[[1, 2], [2, 3], [3, 1]]):
        edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600))
    with refused("numbers_to_confirm", **about, numbers=[[2, 3], [3, 4]]):
        add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, A", 2485))
    with refused("numbers_to_confirm", **about, numbers=[[2, 1], [3, 2]]):
        remove_participant(actor=actor, participant_id=section.participants.get(tpn=1).pk)


def test_change_of_numbers_in_another_section_asks_first(actor: Actor) -> None:
    other = paired(section_of(3), 1)
    somebody = other.participants.get(tpn=3)
    section = SectionFactory(event=other.event)
    entry = ParticipantFactory(section=section, player=somebody.player, rating=2400, tpn=1)
    twin = other.participants.get(tpn=2)
    Participant.objects.filter(pk=twin.pk).update(rating=somebody.rating)
    data = data_of(entry, title="GM")
    with refused("numbers_to_confirm", section=other.name, numbers=[[2, 3], [3, 2]]):
        edit_participant(actor=actor, participant_id=entry.pk, entry=data)
    edit_participant(actor=actor, participant_id=entry.pk, entry=data, asked=True)
    somebody.refresh_from_db()
    assert somebody.tpn == 2


def test_correction_of_a_rating_after_round_4_does_not_change_the_number(actor: Actor) -> None:
    section = paired(section_of(3), 4)
    last = section.participants.get(tpn=3)
    with one_step(section, "edit_participant") as logged:
        edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600))
    last.refresh_from_db()
    assert (last.tpn, last.rating, logged[0].integrity) == (3, 2600, "")


def test_unpairing_round_4_makes_the_numbers_free_again(actor: Actor) -> None:
    section = paired(section_of(3), 4)
    last = section.participants.get(tpn=3)
    edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600))
    section.played_rounds.get(number=4).delete()
    edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2601), asked=True)
    last.refresh_from_db()
    assert last.tpn == 1


def test_late_entry_after_round_4_gets_the_place_by_its_rating(actor: Actor) -> None:
    section = paired(section_of(4), 4)  # 2490, 2480, 2470, 2460
    last = section.participants.get(tpn=4)
    edit_participant(actor=actor, participant_id=last.pk, entry=data_of(last, rating=2600))
    one, two, three, four = names(section)
    with one_step(section, "add_participant") as logged:
        entry = entry_data("New, A", 2475)
        add_participant(actor=actor, section_id=section.pk, entry=entry, asked=True)
    assert names(section) == [one, two, "New, A", three, four]
    assert (logged[0].after["numbers"], logged[0].integrity) == ([[3, 4], [4, 5]], Integrity.REGENERATION)


def test_weakest_late_entry_comes_last(actor: Actor) -> None:
    section = paired(section_of(3), 5)
    new = add_participant(actor=actor, section_id=section.pk, entry=entry_data("New, A", 1200))
    new.refresh_from_db()
    assert (new.tpn, new.first_round) == (4, 6)


def test_removed_entry_leaves_no_gap(actor: Actor) -> None:
    section = section_of(3)
    one, _, three = names(section)
    remove_participant(actor=actor, participant_id=section.participants.get(tpn=2).pk)
    assert numbers(section) == {one: (1, None), three: (2, None)}


@pytest.mark.parametrize("rounds", [0, 5])
def test_numbers_stay_1_to_n_through_many_changes(actor: Actor, rounds: int) -> None:
    section = paired(section_of(12), rounds)
    for step in range(6):
        rating = 2200 + (step * 97) % 300
        entry = entry_data(f"New, {step}", rating)
        add_participant(actor=actor, section_id=section.pk, entry=entry, asked=True)
        leaver = section.participants.order_by("tpn")[(step * 7) % 12]
        remove_participant(actor=actor, participant_id=leaver.pk, asked=True)
        found = list(section.participants.order_by("tpn").values_list("tpn", flat=True))
        assert found == list(range(1, 13))


def test_change_that_the_ranking_does_not_depend_on_moves_no_number(actor: Actor) -> None:
    """GHR 2.2 names rating, title and name. The numbers, as those of a file, are not in this order."""
    section = paired(section_of(0), 1)
    for tpn, rating in enumerate((2400, 2500, 2300), start=1):
        ParticipantFactory(section=section, rating=rating, tpn=tpn)
    second = section.participants.get(tpn=2)
    values = {"name": second.player.name, "rating": 2500}
    others = {"club": "Caïssa", "note": "by car", "official_rating": 2511, "federation": "FRA", "sex": "w"}
    data = entry_data(**values, **others, fide_id=1503014)
    with one_step(section, "edit_participant") as logged:
        edit_participant(actor=actor, participant_id=second.pk, entry=data)
    assert "numbers" not in logged[0].after
    assert [p.rating for p in section.participants.order_by("tpn")] == [2400, 2500, 2300]
    undo(actor=actor, section_id=section.pk, revision=logged[0].revision)
    assert [p.rating for p in section.participants.order_by("tpn")] == [2400, 2500, 2300]
    for changed in ({"name": "Aa, A"}, {"title": "GM"}, {"rating": 2501}):
        data = entry_data(**{**values, **changed})
        with refused("numbers_to_confirm", section=section.name, numbers=[[1, 2], [2, 1]]):
            edit_participant(actor=actor, participant_id=second.pk, entry=data)


def test_change_that_the_ranking_does_not_depend_on_moves_no_number_in_another_section(actor: Actor) -> None:
    other = paired(section_of(0), 1)
    for tpn, rating in enumerate((2400, 2500), start=1):
        ParticipantFactory(section=other, rating=rating, tpn=tpn)
    section = SectionFactory(event=other.event)
    player = other.participants.get(tpn=1).player
    entry = ParticipantFactory(section=section, player=player, rating=2400, tpn=1)
    edit_participant(actor=actor, participant_id=entry.pk, entry=data_of(entry, federation="FRA"))
    row = section.log.latest("revision")
    undo(actor=actor, section_id=section.pk, revision=row.revision)
    assert [(row.action, "numbers" in row.after) for row in other.log.all()] == [("edit_player", False)] * 2
    assert [p.rating for p in other.participants.order_by("tpn")] == [2400, 2500]
