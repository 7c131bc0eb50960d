"""Forbidden pairs, and when they can change (VCL4THP.13 Q194 to Q196)."""

from __future__ import annotations

import pytest

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import section_of
from tests.web.staff.conftest import paired, played
from tournaments.actions.forbidden_pairs import allow_pair, change_forbidden_pair, forbid_pair
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import leave_fide_mode
from tournaments.models import ForbiddenPair, Section
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
