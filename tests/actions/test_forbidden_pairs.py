"""Forbidden pairs, and when they can change (VCL4THP.13 Q194 to Q196)."""

from __future__ import annotations

import pytest

from evenboard_engine.trf import read_report
from pairing.rounds import check_round, pair_next_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import paired, played
from tournaments.actions.copies import load_copy_as_event
from tournaments.actions.forbidden_pairs import (
    allow_pair,
    change_forbidden_pair,
    end_rule,
    forbid_pair,
    keep_apart,
)
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.actions.sections import leave_fide_mode
from tournaments.actions.undo import undo
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.files.results import forbidden_pairs_csv
from tournaments.models import ForbiddenPair, Participant, Round, Section
from tournaments.queries.by_hand import hand_position
from tournaments.queries.field import load_field
from tournaments.queries.forbidden_pairs import forbidden_in, rule_preview
from tournaments.queries.why import explain_round

pytestmark = pytest.mark.django_db


def forbid(actor: Actor, section: Section, one: int, other: int, **options: object) -> ForbiddenPair:
    keys = tuple(section.participants.get(tpn=tpn).pk for tpn in (one, other))
    values = {"reason": "Sisters", **options}
    return forbid_pair(actor=actor, section_id=section.pk, players=keys, **values)


def test_pair_is_kept_apart_in_its_rounds(actor: Actor) -> None:
    section = section_of(6)
    with one_step(section, "forbid_pair") as logged:
        pair = forbid(actor, section, 4, 1, last_round=2)
    assert (pair.first.tpn, pair.second.tpn, pair.first_round, pair.last_round) == (1, 4, 1, 2)
    assert logged[0].after == {"players": [1, 4], "first_round": 1, "last_round": 2, "reason": "Sisters"}
    assert (logged[0].subject, logged[0].reason) == (f"{pair.first} / {pair.second}", "Sisters")
    boards = set(paired(section).games.values_list("white__tpn", "black__tpn"))
    assert not {(1, 4), (4, 1)} & boards


def test_impossible_pair_is_refused(actor: Actor) -> None:
    section = section_of(4)
    forbid(actor, section, 1, 2)
    with refused("forbidden_pair_twice"):
        forbid(actor, section, 2, 1)
    with refused("forbidden_pair_same"):
        forbid(actor, section, 3, 3)
    with refused("reason_required"):
        forbid(actor, section, 1, 3, reason=" ")
    for rounds in ({"first_round": 0}, {"first_round": 3, "last_round": 2}, {"last_round": 8}):
        with refused("forbidden_pair_rounds"):
            forbid(actor, section, 1, 3, **rounds)
    stranger = section_of(1).participants.get().pk
    with refused("not_found", kind="participant"):
        keys = (stranger, section.participants.get(tpn=1).pk)
        forbid_pair(actor=actor, section_id=section.pk, players=keys, reason="x")
    with refused("not_found", kind="forbidden_pair"):
        allow_pair(actor=actor, pair_id=0)


def test_pair_can_be_changed_and_removed_before_round_1(actor: Actor) -> None:
    section = section_of(4)
    pair = forbid(actor, section, 1, 2)
    change_forbidden_pair(actor=actor, pair_id=pair.pk, first_round=2, last_round=3, reason="Club rule")
    pair.refresh_from_db()
    assert (pair.first_round, pair.last_round, pair.reason) == (2, 3, "Club rule")
    with unchanged():
        change_forbidden_pair(actor=actor, pair_id=pair.pk, first_round=2, last_round=3, reason="Club rule")
    with one_step(section, "allow_pair") as logged:
        allow_pair(actor=actor, pair_id=pair.pk)
    assert not ForbiddenPair.objects.exists()
    was = {"players": [1, 2], "first_round": 2, "last_round": 3, "reason": "Club rule"}
    assert (logged[0].before, logged[0].after, logged[0].reason) == (was, {}, "Club rule")


def test_no_pair_changes_in_fide_mode_after_round_1_is_paired(actor: Actor) -> None:
    section = section_of(4)
    pair = forbid(actor, section, 1, 2)
    paired(section)
    with refused("forbidden_pairs_locked"):
        forbid(actor, section, 1, 3)
    with refused("forbidden_pairs_locked"):
        change_forbidden_pair(actor=actor, pair_id=pair.pk, first_round=1, last_round=2, reason="x")
    with refused("forbidden_pairs_locked"):
        allow_pair(actor=actor, pair_id=pair.pk)


def test_outside_fide_mode_pairs_change_only_for_rounds_that_are_not_paired(actor: Actor) -> None:
    section = section_of(6)
    pair = forbid(actor, section, 1, 4)
    played(section)
    leave_fide_mode(
        actor=actor, section_id=section.pk, reason="The rules of the league ask for it", asked=True
    )
    with refused("forbidden_pair_rounds", next_round=2):
        forbid(actor, section, 1, 2, first_round=1)
    forbid(actor, section, 1, 2, first_round=2)
    with refused("forbidden_pair_rounds", first_round=1, last_round=0, next_round=1):
        change_forbidden_pair(actor=actor, pair_id=pair.pk, first_round=2, last_round=0, reason="x")
    for last_round in (1, 4):  # it may end with the last paired round
        change_forbidden_pair(actor=actor, pair_id=pair.pk, first_round=2, last_round=last_round, reason="x")
        pair.refresh_from_db()
        assert (pair.first_round, pair.last_round) == (1, last_round)
    allow_pair(actor=actor, pair_id=pair.pk)
    pair.refresh_from_db()
    assert (pair.first_round, pair.last_round) == (1, 1)
    assert not explain_round(section, 1).differs


# Players who are kept apart by a rule (docs/decisions/0091).


def of_clubs(clubs: str, **options: object) -> Section:
    """A section whose players have these clubs, a letter each, by their numbers; "-" for none."""
    section = section_of(len(clubs), **options)
    for entry, club in zip(section.participants.order_by("tpn"), clubs, strict=True):
        entry.club = "" if club == "-" else f"SK {club}"
        entry.save()
    return section


def met(row: Round) -> set[frozenset[str]]:
    """The clubs that meet: one name where both players are of one club."""
    return {
        frozenset((game.white.club, game.black.club)) for game in row.games.select_related("white", "black")
    }


def keep(actor: Actor, section: Section, **options: object) -> dict[str, object]:
    return keep_apart(actor=actor, section_id=section.pk, **{"kind": "club", "reason": "League", **options})


def test_a_rule_keeps_each_club_apart_also_for_players_who_come_later(actor: Actor) -> None:
    section = of_clubs("ABCDABCD")
    with one_step(section, "keep_apart") as logged:
        keep(actor, section, last_round=2)
    assert logged[0].after["apart"] == "club"
    first = played(section)
    assert not any(len(clubs) == 1 for clubs in met(first))
    late = section.participants.get(tpn=2)
    Participant.objects.filter(pk=late.pk).update(club=" sk  a ")  # written in another way
    section.refresh_from_db()
    field = load_field(section)
    members = {entry.pk for entry in field.participants.values() if entry.club.upper().split() == ["SK", "A"]}
    assert len(members) == 3
    assert sum(members >= set(pair) for pair in forbidden_in(field, 2)) == 3
    assert not forbidden_in(field, 3)
    second = paired(section, published=False)
    assert not any(members >= set(pair) for pair in second.games.values_list("white_id", "black_id"))
    # What paired round 1 stays, though the player is of another club now.
    shown = Round.objects.get(section=section, number=1)
    assert [len(group["players"]) for group in shown.kept_apart] == [2, 2, 2, 2]
    assert not explain_round(section, 1).differs
    assert check_round(actor=actor, round_id=second.pk, seen_version=second.version)["same"]
    assert hand_position(section, 2).value.forbidden == explain_round(section, 2).before.forbidden


def test_a_strict_rule_refuses_the_round_and_one_that_is_not_gives_way_group_by_group(actor: Actor) -> None:
    section = of_clubs("AAAABB")
    rule = keep(actor, section)
    with refused("no_legal_pairing"):
        pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    with one_step(section, "end_rule"):
        end_rule(actor=actor, section_id=section.pk, number=rule["number"])
    keep(actor, section, strict=False)
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    left_out = {group["value"]: group["left_out"] for group in row.kept_apart}
    assert left_out == {"SK B": False, "SK A": True}
    assert frozenset({"SK B"}) not in met(row)
    assert section.log.order_by("-pk").first().after["left_out"] == ["SK A"]
    found = explain_round(section, 1)
    assert not found.differs
    assert [group.value for group in found.groups if group.left_out] == ["SK A"]


@pytest.mark.parametrize("system", ["dubov", "dubov-1997", "uschess"])
def test_chosen_players_and_federations_are_kept_apart_in_every_swiss_system(
    actor: Actor, system: str
) -> None:
    section = section_of(8, system=system)
    by_number = {entry.tpn: entry for entry in section.participants.select_related("player")}
    family = [by_number[number].pk for number in (1, 4, 5)]
    for number, entry in by_number.items():
        entry.player.federation = "NED" if number in (2, 6, 7, 8) else ""
        entry.player.save()
    keep(actor, section, kind="players", value="Polgár", players=family)
    keep(actor, section, kind="federation", value="ned", strict=False)
    boards = [set(pair) for pair in paired(section).games.values_list("white__tpn", "black__tpn")]
    assert not any(pair <= {1, 4, 5} or pair <= {2, 6, 7, 8} for pair in boards)
    assert not explain_round(section, 1).differs


def test_a_rule_that_cannot_be_is_refused(actor: Actor) -> None:
    section = of_clubs("AABB")
    one = section.participants.first().pk
    for code, wrong in (
        ("apart_players", {"kind": "players", "value": "Family", "players": [one]}),
        ("apart_players", {"kind": "players", "value": " ", "players": [one, one + 1]}),
        ("forbidden_pair_rounds", {"first_round": 5, "last_round": 4}),
        ("reason_required", {"reason": " "}),
    ):
        with refused(code), unchanged():
            keep(actor, section, **wrong)
    keep(actor, section)
    with refused("apart_twice"):
        keep(actor, section)
    with refused("not_found", kind="apart_rule"):
        end_rule(actor=actor, section_id=section.pk, number=7)
    keep(actor, section, value="SK A", strict=False)
    paired(section)
    with refused("forbidden_pairs_locked"):
        keep(actor, section, value="SK B")
    with refused("forbidden_pairs_locked"):
        end_rule(actor=actor, section_id=section.pk, number=1)
    table = section_of(4, system="round-robin", initial_colour="")
    with refused("nobody_apart"):
        keep(actor, table)
    with refused("nobody_apart"):
        forbid(actor, table, 1, 2)
    own_rule = section_of(4, system="uschess", options={"club_rule": "dont"})
    with refused("apart_by_system"):
        keep(actor, own_rule, strict=False)
    keep(actor, own_rule)


def test_a_rule_is_undone_in_one_step_and_copied_with_its_players(actor: Actor) -> None:
    section = of_clubs("AA--")
    keys = list(section.participants.order_by("tpn").values_list("pk", flat=True))
    keep(actor, section, value="SK A")
    keep(actor, section, kind="players", value="Family", players=keys[1:3], first_round=2, strict=False)
    paired(section)
    copied = load_copy_as_event(actor=actor, copy=read_copy(copy_file(section)))
    numbers = dict(copied.participants.values_list("pk", "tpn"))
    assert [[numbers[key] for key in rule["players"]] for rule in copied.apart_rules] == [[], [2, 3]]
    assert [numbers[key] for key in copied.played_rounds.get().kept_apart[0]["players"]] == [1, 2]
    assert not explain_round(copied, 1).differs
    table = forbidden_pairs_csv(copied).decode()
    assert "SK A; League" in table
    assert "Family; League; as far as possible" in table
    other = of_clubs("AA--")
    keep(actor, other)
    undo(actor=actor, section_id=other.pk, revision=Section.objects.get(pk=other.pk).revision)
    assert Section.objects.get(pk=other.pk).apart_rules == []


def test_a_rule_as_far_as_possible_stays_one_in_a_report_file(actor: Actor) -> None:
    """Record 260 forbids, so rounds to come have a comment; a paired round has what kept its players apart."""
    section = of_clubs("AABB----")
    keep(actor, section, value="SK A", strict=False)
    keep(actor, section, value="SK B", last_round=3)
    played(section)
    lines = tournament_report(Section.objects.get(pk=section.pk)).decode().splitlines()
    assert [line for line in lines if line.startswith(("260", "### Apart"))] == [
        "260 001 001 0001 0002",
        "260 001 003 0003 0004",
        "### Apart if possible @ Rounds 2-7: 1 2",
    ]
    report = read_report("\n".join(lines).encode())
    made = import_report(actor=actor, report=report, event=EventFactory(), name="Open")
    assert [(rule["strict"], rule["first_round"], rule["last_round"]) for rule in made.apart_rules] == [
        (False, 2, None)
    ]
    again = tournament_report(made).decode().splitlines()
    assert again.count("### Apart if possible @ Rounds 2-7: 1 2") == 1


def test_preview_counts_players_pairs_and_what_may_go_wrong(actor: Actor) -> None:
    section = of_clubs("AAABB---", rounds=5)
    rule = {"kind": "club", "value": "", "players": [], "strict": True, "first_round": 1, "last_round": None}
    found = rule_preview(section, rule)
    assert (found.groups, found.players, found.pairs, found.met, found.largest) == (2, 5, 4, 0, None)
    assert found.uncertain_from == 3  # 8 players, 2 met, 2 kept apart: 3 opponents are left
    played(section)
    one, two = section.played_rounds.get().games.values_list("white_id", "black_id")[0]
    chosen = {**rule, "kind": "players", "value": "x", "players": [one, two], "last_round": 2}
    assert (rule_preview(section, chosen).met, rule_preview(section, chosen).uncertain_from) == (1, None)
    Participant.objects.filter(section=section).update(club="SK A")
    assert rule_preview(section, rule).largest.value == "SK A"
