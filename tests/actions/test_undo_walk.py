"""Random actions can be undone in any order, and the section is then as it was before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from json import loads
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import JSONField

from tests.actions.replay import KEPT, Replay, rows_now, standing_actions, without, without_derived
from tests.actions.test_random_walk import Walk, assert_sound, seeds
from tests.actions.wide_walk import TwoSections, WideWalk
from tests.factories import section_of
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import restore_before_round, undo, undo_since
from tournaments.errors import DomainError
from tournaments.models import ActionLog, Section
from tournaments.models.journal import NEVER
from tournaments.queries.log import undone_in
from tournaments.queries.undo import plan_undo

pytestmark = pytest.mark.django_db


def dump() -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the section, without the columns that go forward with each action.

    The walks do this hundreds of times, and the database alone takes a fraction of what a query of Django takes.
    """
    found = {}
    with connection.cursor() as cursor:
        for model in KEPT:
            kept = {
                field.column: isinstance(field, JSONField)
                for field in model._meta.concrete_fields
                if field.column not in {"version", *NEVER}
            }
            columns = ", ".join(map(connection.ops.quote_name, kept))
            cursor.execute(f"SELECT {columns} FROM {model._meta.db_table} ORDER BY id")  # noqa: S608 - no values
            found[model.__name__] = [
                {
                    name: loads(value) if value is not None and is_json else value
                    for (name, is_json), value in zip(kept.items(), row, strict=True)
                }
                for row in cursor.fetchall()
            ]
    return found


def walked(seed: int, actor: Actor, steps: int, *, each_step: bool = False) -> tuple[Walk, dict[int, Any]]:
    """Return a section after a random walk, and its rows at the start or at each revision."""
    walk = WideWalk(seed, section_of(9, initial_colour=""), actor)
    stood = {0: dump()}
    for _ in range(steps):
        walk.step()
        walk.section.refresh_from_db()
        if each_step:
            stood[walk.section.revision] = dump()
    return walk, stood


def outcome(action: Callable[[], object]) -> str:
    try:
        action()
    except DomainError as error:
        return error.code
    return "done"


@pytest.mark.parametrize("seed", seeds(2))
def test_undoing_one_by_one_leads_back_to_the_start(actor: Actor, seed: int) -> None:
    walk, stood = walked(seed, actor, 110, each_step=True)
    section = walk.section
    assert walk.done["pair"] >= 2, walk.done
    for revision in range(section.revision, 0, -1):
        undo(actor=actor, section_id=section.pk, revision=revision)
        if revision - 1 in stood:
            assert dump() == stood[revision - 1]
    assert dump() == stood[0]


@pytest.mark.parametrize("seed", seeds(2))
def test_undoing_in_any_order_that_is_allowed_leads_back_to_the_start(actor: Actor, seed: int) -> None:
    """An undo that is refused because of a later action is tried again later.

    If two undos depend on each other, the rest is undone in one step, which restores the start exactly.
    """
    walk, stood = walked(50 + seed, actor, 130)
    section = walk.section
    left, outcomes = list(range(1, section.revision + 1)), {0: "done"}
    refused = 0
    while left and "done" in outcomes.values():
        walk.random.shuffle(left)
        outcomes = {
            revision: outcome(partial(undo, actor=actor, section_id=section.pk, revision=revision))
            for revision in left
        }
        assert set(outcomes.values()) <= {"done", "undo_depends"}, outcomes
        connection.check_constraints()
        left = [revision for revision in left if outcomes[revision] != "done"]
        refused += len(left)
    assert refused, "no action depended on another one, so the walk shows little"
    if not left:
        assert without_former_numbers(dump()) == without_former_numbers(stood[0])
    section.refresh_from_db()
    undo_since(actor=actor, section_id=section.pk, revision=1, seen_revision=section.revision)
    assert dump() == stood[0]


def without_former_numbers(rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """If entries come back in another order, numbers are made again, so the former numbers differ. Leave them out."""
    entries = [{**row, "former_tpn": None, "renumbered_before": None} for row in rows["Participant"]]
    return {**rows, "Participant": entries}


@pytest.mark.one_database  # what it undoes is undone on both databases above
@pytest.mark.parametrize("seed", seeds(2))
def test_going_back_restores_the_section_exactly(actor: Actor, seed: int) -> None:
    walk, stood = walked(100 + seed, actor, 90, each_step=True)
    section = walk.section
    highest = section.revision
    for _ in range(6):  # go back, and sometimes undo that
        section.refresh_from_db()
        target = walk.random.choice([revision for revision in stood if revision < highest])
        before = dump()
        undo_since(actor=actor, section_id=section.pk, revision=target + 1, seen_revision=section.revision)
        assert dump() == stood[target]
        section.refresh_from_db()
        if walk.random.random() < 0.5:
            undo(actor=actor, section_id=section.pk, revision=section.revision)
            assert dump() == before


@pytest.mark.parametrize("seed", seeds(2))
def test_walk_with_undos_keeps_the_section_consistent(actor: Actor, seed: int) -> None:
    """Every undo at any time is done or refused; in both cases the section is consistent."""
    walk = WideWalk(210 + seed, section_of(9), actor)
    section = walk.section
    outcomes: list[str] = []
    for _ in range(120):
        walk.step()
        section.refresh_from_db()
        if section.revision and walk.random.random() < 0.4:
            recent = max(1, section.revision - walk.random.choice([0, 0, 1, 3, 10, 40]))
            before = dump()
            outcomes.append(outcome(partial(undo, actor=actor, section_id=section.pk, revision=recent)))
            assert outcomes[-1] == "done" or dump() == before
            assert_sound(section)
    assert outcomes.count("done") >= 5
    assert outcomes.count("undo_depends") >= 2
    assert set(outcomes) <= {"done", "undo_depends", "undone_already"}


@pytest.mark.one_database  # the same
def test_going_back_to_before_a_round_can_be_undone(actor: Actor) -> None:
    walk, _ = walked(300, actor, 150)
    section = walk.section
    for number in range(section.played_rounds.count(), 0, -1):
        section.refresh_from_db()
        before = dump()
        restore_before_round(
            actor=actor,
            section_id=section.pk,
            number=number,
            seen_revision=section.revision,
            reason="test",
        )
        assert section.played_rounds.count() == number - 1
        assert section.log.latest("revision").round_number == number
        assert_sound(section)
        section.refresh_from_db()
        assert undone_in(section.pk)[section.revision - 1] == section.revision
        undo(actor=actor, section_id=section.pk, revision=section.revision)
        assert dump() == before


@pytest.mark.one_database  # what it undoes is undone on both databases above
@pytest.mark.parametrize("seed", seeds(2))
def test_no_later_round_is_left_after_going_back_to_before_a_round(actor: Actor, seed: int) -> None:
    """Also if rounds were paired again in between, and undos have exchanged the two pairings of a round."""
    walk = WideWalk(500 + seed, section_of(9), actor)
    section, exchanged = walk.section, 0
    for _ in range(15):
        for _ in range(12):
            walk.step()
        section.refresh_from_db()
        if undone := undone_in(section.pk):
            revision = walk.random.choice(sorted(set(undone.values())))
            kept = rounds_of(section)
            outcome(
                partial(
                    undo_since,
                    actor=actor,
                    section_id=section.pk,
                    revision=revision,
                    seen_revision=section.revision,
                )
            )
            exchanged += any(rounds_of(section).get(number, key) != key for number, key in kept.items())
        if count := section.played_rounds.count():
            section.refresh_from_db()
            number = walk.random.randint(1, count)
            restore_before_round(
                actor=actor,
                section_id=section.pk,
                number=number,
                seen_revision=section.revision,
                reason="test",
            )
            assert list(rounds_of(section)) == list(range(1, number))
            assert_sound(section)
    assert exchanged, "no undo put one pairing of a round in place of another, so the walk shows little"


def rounds_of(section: Section) -> dict[int, int]:
    """Return the keys of the rounds by number."""
    return dict(section.played_rounds.order_by("number").values_list("number", "pk"))


@pytest.mark.one_database  # the plan of an undo is worked out in Python; the other walks undo on both databases
@pytest.mark.slow
def test_undo_in_one_of_two_sections_is_refused_only_for_actions_that_depend_on_it(
    actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay of the log without the action says which actions depend on it and what the undo leaves."""
    walk, start = TwoSections(410, actor), rows_now()
    judged: Counter[str] = Counter()
    for _ in range(4):
        for _ in range(45):
            walk.step()
        story = Replay(start, standing_actions(walk.event.pk))
        actions = [row for row in story.actions if row.section_id]
        for row in walk.random.sample(actions, min(12, len(actions))):
            judged[judge(row, story, actor, monkeypatch)] += 1
        # some of these undos stay, and the walk continues
        for row in walk.random.sample(actions, min(8, len(actions))):
            outcome(partial(undo, actor=actor, section_id=row.section_id, revision=row.revision))
        for section in walk.sections:
            assert_sound(section)
    assert min(judged["undone"], judged["refused"]) >= 5, judged
    assert judged["refused for another section"] >= 1, judged


def judge(row: ActionLog, story: Replay, actor: Actor, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compare the plan of an undo with the replay of the actions that stand, then undo and roll back."""
    actions = story.actions
    section = Section.objects.get(pk=row.section_id)
    plan, found = plan_undo(section, row.revision), without(row, story)
    named = {one.log_id for one in (*plan.dependents, *plan.outside)}
    missed = [one for one in actions if one.pk in found.depending - named]
    assert not missed, (row, row.changes, missed)
    if found.depending:
        return "refused for another section" if plan.outside else "refused"
    # two cases may be refused without need: a result that did not change the next pairing, and a game that was deleted
    # and inserted again without the part that a later action needs
    assert {one.reason for one in plan.dependents} <= {"paired", "changed", "same"}, (row, row.changes)
    assert {one.reason for one in plan.outside} <= {"paired"}, (row, row.changes)
    before = numbers_of(row.event_id)
    with transaction.atomic(), monkeypatch.context() as patch:
        patch.setattr("tournaments.actions.undo._refuse_dependents", lambda _plan: None)
        undo(actor=actor, section_id=section.pk, revision=row.revision)
        assert without_derived(rows_now()) == without_derived(found.rows)
        after = numbers_of(row.event_id)
        for one in Section.objects.filter(event=row.event_id):
            assert_sound(one)
        transaction.set_rollback(True)
    moved = {one for one in before if before[one] != after[one]}
    paired = {one.section_id for one in actions if one.pk in found.numbered_otherwise}
    outside = {one.section_id for one in plan.outside}
    assert (moved & paired) - {section.pk} <= outside <= moved, (row, row.changes, moved, paired, outside)
    if plan.dependents:
        return "refused with care"
    assert section.pk not in moved & paired, (row, row.changes)
    return "refused for another section" if outside else "undone"


def numbers_of(event: int) -> dict[int, list[int]]:
    return {
        section.pk: list(section.participants.order_by("tpn").values_list("pk", flat=True))
        for section in Section.objects.filter(event=event)
    }
