"""Questions before each action, in each phase: the rows of docs/warnings.md, done with the answers that they need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from pairing.rounds.actions import pair_next_round, publish_round, unpair_round, unpublish_round
from pairing.rounds.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds.seating import Move, Step
from tests.factories import EventRoleFactory, entry_data, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.actions.byes import request_bye
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    import_entries,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.equals import order_equals
from tournaments.actions.forbidden_pairs import forbid_pair
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.actions.results import record_result
from tournaments.actions.sections import edit_section, leave_fide_mode
from tournaments.errors import DomainError
from tournaments.imports.rows import ImportRow
from tournaments.models import Participant, Round, Section
from tournaments.queries.bye_limits import bye_warnings

pytestmark = pytest.mark.django_db

WARNINGS = Path(__file__).parents[2] / "docs" / "warnings.md"
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))[:3]
    for line in WARNINGS.read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| Action"))
]

Told = list[str]
Do = Callable[[Section, Actor, int], Told]
"""Does it with so many answers; what is told beside it."""
ACTIONS: dict[str, Do] = {}
PHASES: dict[str, Callable[[Section], None]] = {}


def action(name: str) -> Callable[[Do], Do]:
    def known(do: Do) -> Do:
        ACTIONS[name] = do
        return do

    return known


def phase(name: str) -> Callable[[Callable[[Section], None]], Callable[[Section], None]]:
    def known(go: Callable[[Section], None]) -> Callable[[Section], None]:
        PHASES[name] = go
        return go

    return known


# Phases of seven players ------------------------------------------------------------------------------------


@phase("before round 1")
def before(section: Section) -> None:
    pass


@phase("round 1 is a draft")
def draft(section: Section) -> None:
    paired(section, published=False)


@phase("round 1 is on")
def first(section: Section) -> None:
    paired(section)


@phase("round 1 has a result")
def begun(section: Section) -> None:
    enter(paired(section).games.get(board=1), "1-0")


@phase("round 1 is played")
def over(section: Section) -> None:
    played(section)


@phase("any round")
@phase("round 2 is on")
def second(section: Section) -> None:
    played(section)
    paired(section)


@phase("round 2 is on, a game adjourned")
def adjourned(section: Section) -> None:
    row = paired(section)
    for game in row.games.all():
        enter(game, "adj" if game.board == 1 else "1/2")
    paired(section)


@phase("round 2 is played, a game of round 1 adjourned")
def adjourned_before(section: Section) -> None:
    adjourned(section)
    for game in last(section).games.all():
        enter(game, "1/2")


@phase("round 3 is on")
def third(section: Section) -> None:
    played(section)
    second(section)


@phase("round 4 is on")
def fourth(section: Section) -> None:
    played(section)
    third(section)


@phase("round 2 by hand")
def by_hand(section: Section) -> None:
    played(section)
    row = paired(section, published=False)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)


@phase("round 2 by hand, changed")
def changed(section: Section) -> None:
    by_hand(section)
    row = last(section)
    one, other = row.games.order_by("board")[:2]
    step = Step(Move.SWAP, one.white_id, other.white_id)
    change_by_hand(
        actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )


@phase("round 1 by hand, published")
def by_hand_in_public(section: Section) -> None:
    begun(section)
    row = last(section)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version, public=True)


# Actions -----------------------------------------------------------------------------------------------------


def last(section: Section) -> Round:
    row = section.played_rounds.order_by("-number").first()
    assert row is not None
    return row


def entry(section: Section, tpn: int) -> Participant:
    return section.participants.select_related("player").get(tpn=tpn)


@action("settings that affect pairings")
def settings(section: Section, actor: Actor, answers: int) -> Told:
    edit_section(actor=actor, section_id=section.pk, rounds=6)
    return []


@action("leave FIDE mode")
def leave(section: Section, actor: Actor, answers: int) -> Told:
    assert actor.user is not None
    EventRoleFactory(event=section.event, user=actor.user)
    client = Client()
    client.force_login(actor.user)
    for step in ("ask", "again", "leave")[: answers + 1]:
        client.post(address(section, "settings/fide-mode/"), {"step": step, "reason": "rules of the club"})
    section.refresh_from_db()
    if section.fide_mode:
        raise DomainError("reason_required")
    return []


@action("forbid a pair")
def forbid(section: Section, actor: Actor, answers: int) -> Told:
    pair = (entry(section, 1).pk, entry(section, 2).pk)
    following = section.played_rounds.count() + 1
    forbid_pair(actor=actor, section_id=section.pk, players=pair, first_round=following, reason="one family")
    return []


@action("forbid a pair, outside FIDE mode")
def forbid_outside(section: Section, actor: Actor, answers: int) -> Told:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club")
    return forbid(section, actor, answers)


def _rate(section: Section, actor: Actor, answers: int) -> Told:
    them = entry(section, 5)
    data = entry_data(them.player.name, 2600, federation=them.player.federation)
    edit_participant(actor=actor, participant_id=them.pk, entry=data, asked=answers > 0)
    return []


action("correct a rating, numbers move")(_rate)
action("correct a rating, numbers stay")(_rate)


@action("put players of one rating into another order")
def reorder(section: Section, actor: Actor, answers: int) -> Told:
    section.participants.filter(tpn__in=(2, 3)).update(rating=2475)
    second, third = entry(section, 2).pk, entry(section, 3).pk
    revision = Section.objects.get(pk=section.pk).revision
    order_equals(
        actor=actor,
        section_id=section.pk,
        order=(third, second),
        seen_revision=revision,
        asked=answers > 0,
    )
    return []


@action("enter a player, numbers move")
def late(section: Section, actor: Actor, answers: int) -> Told:
    data = entry_data("Late, Lea", 2485)
    add_participant(actor=actor, section_id=section.pk, entry=data, asked=answers > 0)
    return []


@action("import a list, numbers move")
def late_list(section: Section, actor: Actor, answers: int) -> Told:
    rows = [ImportRow(entry=entry_data("Late, Lea", 2485))]
    import_entries(actor=actor, section_id=section.pk, rows=rows, asked=answers > 0)
    return []


@action("import a list with a second half-point bye")
def list_of_byes(section: Section, actor: Actor, answers: int) -> Told:
    rows = [ImportRow(entry=entry_data("Early, Eve", 2485), byes=(2, 3))]
    import_entries(actor=actor, section_id=section.pk, rows=rows, proceed=answers > 0)
    return []


@action("remove an entry, numbers move")
def remove(section: Section, actor: Actor, answers: int) -> Told:
    data = entry_data("Late, Lea", 2485)
    new = add_participant(actor=actor, section_id=section.pk, entry=data, asked=True)
    remove_participant(actor=actor, participant_id=new.pk, asked=answers > 0)
    return []


def _bye(section: Section, actor: Actor, answers: int, kind: str = "H", number: int = 5) -> Told:
    told = bye_warnings(entry(section, 3), kind, number)
    request_bye(
        actor=actor,
        participant_id=entry(section, 3).pk,
        round_number=number,
        kind=kind,
        proceed=answers > 0,
    )
    return told


@action("first half-point bye")
def half(section: Section, actor: Actor, answers: int) -> Told:
    return _bye(section, actor, answers)


@action("second half-point bye")
def another_half(section: Section, actor: Actor, answers: int) -> Told:
    _bye(section, actor, 0, number=4)
    return _bye(section, actor, answers)


@action("half-point bye over the limit")
def over_limit(section: Section, actor: Actor, answers: int) -> Told:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=0)
    return _bye(section, actor, answers)


@action("half-point bye after the last round for byes")
def too_late(section: Section, actor: Actor, answers: int) -> Told:
    Section.objects.filter(pk=section.pk).update(last_bye_round=4)
    return _bye(section, actor, answers)


@action("half-point bye without the right to it")
def no_right(section: Section, actor: Actor, answers: int) -> Told:
    Participant.objects.filter(pk=entry(section, 3).pk).update(half_bye_allowed=False)
    return _bye(section, actor, answers)


@action("full-point bye")
def full(section: Section, actor: Actor, answers: int) -> Told:
    return _bye(section, actor, answers, "F")


@action("bye in a round that is paired")
def paired_bye(section: Section, actor: Actor, answers: int) -> Told:
    return _bye(section, actor, answers, "Z", number=1)


@action("withdraw a player")
def withdraw(section: Section, actor: Actor, answers: int) -> Told:
    withdraw_participant(actor=actor, participant_id=entry(section, 3).pk)
    return []


@action("pair a round while results are missing")
def pair(section: Section, actor: Actor, answers: int) -> Told:
    pair_next_round(actor=actor, section_id=section.pk, after_round=last(section).number)
    return []


@action("pair a round while a check-in is open")
def pair_unseen(section: Section, actor: Actor, answers: int) -> Told:
    open_check_in(actor=actor, section_id=section.pk, after_round=1)
    return pair(section, actor, answers)


@action("pair a round while a game before the last round is adjourned")
def pair_with_adjourned(section: Section, actor: Actor, answers: int) -> Told:
    number = last(section).number
    pair_next_round(actor=actor, section_id=section.pk, after_round=number, proceed=answers > 0)
    return []


@action("unpublish a round")
@action("unpublish a round with a result")
def unpublish(section: Section, actor: Actor, answers: int) -> Told:
    unpublish_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


@action("unpair a round")
def unpair(section: Section, actor: Actor, answers: int) -> Told:
    unpair_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


@action("publish while pairing by hand is open")
def publish(section: Section, actor: Actor, answers: int) -> Told:
    publish_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


def _begin(row: Round, actor: Actor, answers: int) -> Told:
    begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, public=answers > 0)
    return []


@action("pair by hand")
@action("pair by hand, published")
def begin(section: Section, actor: Actor, answers: int) -> Told:
    return _begin(last(section), actor, answers)


@action("pair by hand, finished")
def begin_again(section: Section, actor: Actor, answers: int) -> Told:
    return _begin(section.played_rounds.get(number=1), actor, answers)


def _change(section: Section, actor: Actor, answers: int, move: Move, *players: int) -> Told:
    row = last(section)
    _, told = change_by_hand(
        actor=actor,
        round_id=row.pk,
        seen_version=row.version,
        step=Step(move, *players),
        confirmed=answers > 0,
    )
    return [concern.code for concern in told if concern.level > 1]


@action("by hand: nothing against it")
def take_apart(section: Section, actor: Actor, answers: int) -> Told:
    return _change(section, actor, answers, Move.UNPAIR, last(section).games.get(board=1).white_id)


@action("by hand: both against their colours")
def turn(section: Section, actor: Actor, answers: int) -> Told:
    return _change(section, actor, answers, Move.COLOURS, last(section).games.get(board=1).white_id)


def _together(section: Section, actor: Actor, answers: int, one: int, other: int) -> Told:
    """Put `other` in the place of the opponent of `one`."""
    game = next(game for game in last(section).games.all() if one in (game.white_id, game.black_id))
    opponent = game.black_id if game.white_id == one else game.white_id
    return _change(section, actor, answers, Move.SWAP, opponent, other)


@action("by hand: a rematch")
def rematch(section: Section, actor: Actor, answers: int) -> Told:
    former = section.played_rounds.get(number=1).games.get(board=1)
    return _together(section, actor, answers, former.white_id, former.black_id)


@action("by hand: a forbidden pair")
def forbidden(section: Section, actor: Actor, answers: int) -> Told:
    met = {
        frozenset(pair)
        for row in section.played_rounds.all()
        for pair in row.games.values_list("white", "black")
    }
    there = [key for pair in last(section).games.values_list("white", "black") for key in pair]
    one, other = next(
        (one, other) for one in there for other in there if one < other and frozenset((one, other)) not in met
    )
    section.forbidden_pairs.create(first_id=one, second_id=other, first_round=1, reason="one family")
    return _together(section, actor, answers, one, other)


@action("by hand: a second bye")
def second_bye(section: Section, actor: Actor, answers: int) -> Told:
    had = section.participants.get(byes__round_number=1, byes__kind="U")
    return _change(section, actor, answers, Move.BYE, had.pk)


@action("by hand: a second half-point bye")
def second_half_point_bye(section: Section, actor: Actor, answers: int) -> Told:
    player = last(section).games.get(board=1).white
    player.byes.create(round_number=7, kind="H", source="requested")
    return _change(section, actor, answers, Move.HALF, player.pk)


@action("by hand: a board with a result")
def locked_board(section: Section, actor: Actor, answers: int) -> Told:
    return _change(section, actor, answers, Move.COLOURS, last(section).games.get(board=1).white_id)


@action("end pairing by hand as the rules pair")
@action("end pairing by hand otherwise")
def end(section: Section, actor: Actor, answers: int) -> Told:
    row = last(section)
    reason = "as the jury wants it" if answers else ""
    end_manual_phase(
        actor=actor, round_id=row.pk, seen_version=row.version, reason=reason, confirmed=answers > 1
    )
    return []


@action("change a result")
def change_result(section: Section, actor: Actor, answers: int) -> Told:
    game = enter(last(section).games.get(board=1), "1-0")
    record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=game.version)
    return []


def _finish(section: Section, actor: Actor, answers: int, result: str) -> Told:
    game = section.played_rounds.get(number=1).games.get(board=1)
    version = game.version
    record_result(actor=actor, game_id=game.pk, result=result, seen_version=version, confirmed=answers > 0)
    return []


@action("result of an adjourned game, a draw")
def finish_drawn(section: Section, actor: Actor, answers: int) -> Told:
    return _finish(section, actor, answers, "1/2")


@action("result of an adjourned game, not a draw")
def finish(section: Section, actor: Actor, answers: int) -> Told:
    return _finish(section, actor, answers, "1-0")


def _correct(do: Callable[..., object], section: Section, actor: Actor, answers: int) -> Told:
    game = section.played_rounds.get(number=1).games.get(board=1)
    do(
        actor=actor,
        game_id=game.pk,
        result="1-0",
        seen_version=game.version,
        reason="both players said so",
        confirmed=answers > 0,
    )
    return []


@action("correct a result")
def correct(section: Section, actor: Actor, answers: int) -> Told:
    return _correct(correct_result, section, actor, answers)


@action("correct a result, outside FIDE mode")
def correct_outside(section: Section, actor: Actor, answers: int) -> Told:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club")
    return correct(section, actor, answers)


@action("correct a result for rating only")
def correct_rating(section: Section, actor: Actor, answers: int) -> Told:
    return _correct(correct_for_rating, section, actor, answers)


# The table ---------------------------------------------------------------------------------------------------

REFUSALS = {"1": 0, "2": 0, "3": 1, "4": 2, "5": 3}
"""How many answers are too few; at level 5 no answer helps."""


def test_table_and_tests_have_the_same_actions() -> None:
    assert {name for name, _phase, _level in ROWS} == set(ACTIONS)
    assert {name for _action, name, _level in ROWS} == set(PHASES)


@pytest.mark.parametrize(("name", "when", "level"), ROWS)
def test_action_is_asked_about_as_the_table_says(name: str, when: str, level: str, actor: Actor) -> None:
    section = section_of(7, rounds=7, initial_colour="w")
    PHASES[when](section)
    section.refresh_from_db()
    for answers in range(REFUSALS[level]):
        with pytest.raises(DomainError), transaction.atomic():
            ACTIONS[name](section, actor, answers)
    if level != "5":
        told = ACTIONS[name](section, actor, REFUSALS[level])
        assert level == "3" or bool(told) == (level == "2")
