"""Pair ahead: the next round is paired for each combination of the open results, while the last games are played.

An arbiter asks for it. A process with low priority pairs (`server/chores.py`), and stores each round. When the last
result is in, the round that is prepared for these results becomes a draft by itself.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress

from django.db import transaction
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from evenboard_engine import PairingError, Tournament, pair_round
from tournaments.actions.ledger import Actor, act, steps_taken
from tournaments.declarations.rounds import PAIR_AHEAD, STOP_AHEAD
from tournaments.errors import ALL_ROUNDS_PAIRED, ROUND_IS_DRAFT, STALE_ROUND, DomainError, Refusal
from tournaments.models import ActionLog, PreparedRound, Section
from tournaments.queries.ahead import (
    MOST_OPEN,
    Preparation,
    combinations,
    preparation_of,
    round_ahead,
)
from tournaments.queries.field import load_field
from tournaments.queries.published_lists import list_due
from tournaments.queries.waiting_on_devices import waiting_on_devices
from tournaments.rights import Right
from tournaments.rules import rights_in
from tournaments.snapshot import engine_answer, keeping_apart, present

from .rounds import pair_next_round

# Refusals
ROUNDS_ARE_FIXED = Refusal(
    "rounds_are_fixed", _("No result changes the pairings of this section, so no round needs to be prepared.")
)
OPEN_GAMES_AHEAD = Refusal(
    "open_games_ahead",
    ngettext_lazy(
        "A round can be prepared while one to %(most)s games are open. Now %(count)s game is open.",
        "A round can be prepared while one to %(most)s games are open. Now %(count)s games are open.",
        "count",
    ),
    ("most", "count"),
)

logger = logging.getLogger(__name__)
asked_ahead = threading.Event()
"""Somebody asked for a round in this process, or a result came that no round is prepared for. It is set at the start,
because the process before may have ended in the middle of its work.
"""
asked_ahead.set()


def pair_ahead(*, actor: Actor, section_id: int, after_round: int, forfeits: bool = False) -> Section:
    """Ask for the next round to be prepared for each combination of the results of the open games.

    after_round: the number of the last round that the arbiter saw. forfeits: the games may end by forfeit too.
    Raises Stale("stale_round"); DomainError: rounds_are_fixed, round_is_draft, all_rounds_paired, open_games_ahead.
    """
    with act(section_id=section_id, actor=actor, action=PAIR_AHEAD) as entry:
        section = entry.section
        if section.fixed_rounds:
            raise ROUNDS_ARE_FIXED.error()
        field = load_field(section, include_drafts=True)
        latest = field.latest
        if after_round != field.latest_number:
            raise STALE_ROUND.error(after_round=after_round, last_round=field.latest_number)
        if latest is None:
            raise OPEN_GAMES_AHEAD.error(most=MOST_OPEN, count=0)
        if latest.is_draft:
            raise ROUND_IS_DRAFT.error(round=latest.number)
        if latest.number >= section.rounds:
            raise ALL_ROUNDS_PAIRED.error(rounds=section.rounds)
        still_open = [game for game in field.games_of(latest) if game.is_open]
        if not 1 <= len(still_open) <= MOST_OPEN:
            raise OPEN_GAMES_AHEAD.error(most=MOST_OPEN, count=len(still_open))
        section.ahead = {
            "round": field.before_round,
            "boards": [game.board for game in still_open],
            "forfeits": forfeits,
        }
        found = preparation_of(field)
        assert found is not None, "these boards are there"
        section.ahead["parts"] = dict(found.parts)
        section.save(update_fields=["ahead"])
        section.prepared_rounds.all().delete()
        entry.round_number = field.before_round
        entry.after = {"boards": section.ahead["boards"], "forfeits": forfeits}
        transaction.on_commit(asked_ahead.set)
    return section


def stop_ahead(*, actor: Actor, section_id: int) -> Section:
    """Forget what was prepared, and prepare nothing more until somebody asks again. It is no error if nobody asked."""
    with act(section_id=section_id, actor=actor, action=STOP_AHEAD) as entry:
        section = entry.section
        entry.unchanged = not section.ahead
        if section.ahead:
            entry.round_number = section.ahead["round"]
            section.ahead = {}
            section.save(update_fields=["ahead"])
            section.prepared_rounds.all().delete()
    return section


# The work: in a process with low priority, round by round. It ends as soon as something else has changed.


def prepare_all() -> int:
    """Prepare what was asked for in all sections. Return how many rounds were paired."""
    sections = Section.objects.filter(status=Section.Status.OPEN).exclude(ahead={}).order_by("pk")
    return sum(map(prepare, sections.values_list("pk", flat=True)))


def prepare(section_id: int) -> int:
    """Pair the next round for each combination that is possible and not prepared yet. Return how many were paired.

    The section is looked at again after each round. When all results are in, the round becomes a draft.
    """
    made, revision, to_do = 0, None, list[tuple[Preparation, tuple[str, ...]]]()
    while True:
        now = Section.objects.filter(pk=section_id).values_list("revision", flat=True).first()
        if now != revision:
            to_do, revision = _to_do(section_id), now
        if not to_do:
            break
        found, results = to_do.pop(0)
        pairing, kept = _paired(found, results)
        row = PreparedRound(
            section_id=section_id,
            key=found.key(results),
            results=list(results),
            engine_pairing=pairing,
            kept_apart=kept,
        )
        PreparedRound.objects.bulk_create([row], ignore_conflicts=True)
        made += 1
    pair_prepared(section_id)
    return made


def _to_do(section_id: int) -> list[tuple[Preparation, tuple[str, ...]]]:
    """Return the combinations that are not prepared yet; [] if nobody asks for the round, or something has changed."""
    section = Section.objects.select_related("event").filter(pk=section_id).first()
    if section is None:
        return []
    field = load_field(section, include_drafts=True)
    state = round_ahead(field)
    if state is None or not state.asked or state.changed:
        return []
    found = preparation_of(field)
    assert found is not None, "nothing has changed"
    prepared = set(section.prepared_rounds.values_list("key", flat=True))
    return [(found, results) for results in combinations(field) if found.key(results) not in prepared]


def _paired(found: Preparation, results: tuple[str, ...]) -> tuple[dict[str, object] | None, list[object]]:
    """Pair the round as `pair_next_round` does. None if it would refuse to."""
    value: Tournament = found.with_results(results)
    if present(value) < 2:
        return None, []
    try:
        value, groups = keeping_apart(value, found.groups)
        return engine_answer(pair_round(value)), [group.row for group in groups]
    except PairingError:
        return None, []  # the arbiter reads why when the round is paired with these results


# The end: the last result is in.


def results_came(section_id: int) -> None:
    """Make the round a draft if all results are in and it is prepared. Called after each action on results, in a
    section in which somebody asked for the next round.
    """
    if not pair_prepared(section_id):
        asked_ahead.set()


def pair_prepared(section_id: int) -> bool:
    """Make the prepared round a draft, on behalf of the person who asked for it. Return whether that was done.

    It is not done while the arbiter would have something to decide before: a list to publish, results that wait in a
    browser, slips of which some are read twice, a question about adjourned games, or a refusal. Then the arbiter pairs.
    """
    section = Section.objects.select_related("event").get(pk=section_id)
    number = section.ahead.get("round")
    last = section.played_rounds.order_by("-number").first()
    if last is None or number != last.number + 1 or not last.is_published:
        return False
    games = list(last.games.all())
    # Results that players press on their phones are no second reading by arbiters.
    readings = {game.second_result for game in games if game.second_by_id or not game.pressed}
    if any(game.is_open for game in games) or ("" in readings and len(readings) > 1):
        return False
    if (section.lists and list_due(section).by_hand) or waiting_on_devices(section):
        return False
    asked = section.log.filter(action=PAIR_AHEAD.name, round_number=number).order_by("-pk").first()
    if asked is None or not _may_pair(section, asked):
        return False
    with suppress(DomainError), steps_taken():
        pair_next_round(
            actor=Actor(asked.user, asked.origin),
            section_id=section_id,
            after_round=last.number,
            by_itself=True,
        )
        return True
    return False


def _may_pair(section: Section, asked: ActionLog) -> bool:
    return asked.user is None or Right.RUN in rights_in(asked.user, section)
