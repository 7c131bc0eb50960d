"""Rounds are paired, checked, published and unpaired, one by one or all at once."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.measures import PAIRING_TIME
from evenboard_engine import (
    Colour,
    InternalError,
    InvalidTournament,
    NoLegalPairing,
    Result,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
    propose_relaxations,
)
from evenboard_engine.chess960 import POSITIONS
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor, SectionEntry, act, found_row, section_found, transaction_or_busy
from tournaments.actions.presence import missing_players
from tournaments.actions.roster import split_for_acceleration
from tournaments.actions.round_files import keep_file_after_commit
from tournaments.actions.rounds import finish_round, refuse_open_phase, refuse_unfinished, unfinish_round
from tournaments.actions.stored_copies import take_copy_after_commit
from tournaments.declarations.rounds import (
    CHECK_ROUND,
    DRAW_INITIAL_COLOUR,
    PAIR_NEXT_ROUND,
    PUBLISH_ROUND,
    TAKE_OFFER,
    UNPAIR_ROUND,
    UNPUBLISH_ROUND,
)
from tournaments.declarations.sections import locked, stands_of
from tournaments.errors import (
    ALL_ROUNDS_PAIRED,
    ROUND_FINISHED,
    ROUND_IS_DRAFT,
    ROUNDS_NOT_FIXED,
    SETTINGS_LOCKED,
    STALE_ROUND,
    STALE_VERSION,
    TOO_FEW_PLAYERS,
    Refusal,
    Stale,
)
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.ahead import Preparation, games_ahead
from tournaments.queries.pairing_numbers import lots_missing
from tournaments.questions import Answer, ask
from tournaments.snapshot import (
    KeptGroup,
    bye_rows,
    engine_answer,
    engine_tournament,
    fixed_boards,
    game_rows,
    groups_apart,
    keeping_apart,
    kept_apart,
    pairing_of_row,
    present,
)

# Refusals
CHECK_IN_MISSING = Refusal(
    "check_in_missing",
    ngettext_lazy(
        "Round %(round)s: %(count)s player is not checked in. Decide about the absence or close the check-in "
        "first.",
        "Round %(round)s: %(count)s players are not checked in. Decide about their absences or close the "
        "check-in first.",
        "count",
    ),
    ("round", "count"),
)
ADJOURNED_EARLIER = Refusal("adjourned_earlier", params=("round", "games"), article="GHR 3.1")
ROUND_NOT_DRAFT = Refusal("round_not_draft", _("Round %(round)s is not a draft. Unpublish it first."))
ROUND_HAS_RESULTS = Refusal("round_has_results", params=("round", "boards"))
NO_INITIAL_COLOUR = Refusal("no_initial_colour", _("The initial-colour has not been drawn."))
LOTS_MISSING = Refusal(
    "lots_missing",
    _("Not everybody has drawn a number. Draw the numbers by lot, or type them as they were drawn."),
)
ROUND_NOT_LAST = Refusal(
    "round_not_last", _("Round %(round)s is not the last one. Unpair round %(last_round)s first.")
)
NOT_PREPARED = Refusal("not_prepared", _("Round %(round)s is not prepared for these results."))
NO_DRAFTS = Refusal("no_drafts", _("No round is a draft."))
# `reason`: the engine's code; players: [[tpn, name]]; others: how many more there are to be paired; relaxations:
# [[engine's kind, players]], as a proposal
STALE_OFFER = Refusal(
    "stale_offer",
    _(
        "Something changed since this offer was made for round %(round)s. Nothing was done. Pair the round again."
    ),
    raises=Stale,
)
NO_LEGAL_PAIRING = Refusal(
    "no_legal_pairing", params=("reason", "players", "others", "relaxations", "system")
)
PAIRING_FAILED = Refusal(
    "pairing_failed",
    _(
        "The pairing failed its own check (%(reason)s), so it was not saved. Export the report file and "
        "send it to the authors."
    ),
)


# Rounds are paired, published and unpaired.

logger = logging.getLogger(__name__)


def draw_initial_colour(*, actor: Actor, section_id: int, colour: Colour | None = None) -> Section:
    """Set the initial-colour (C.04.4.1, 5.1), by lot if none is given. It is final once round 1 is paired.

    Raises DomainError("settings_locked").
    """
    with act(section_id=section_id, actor=actor, action=DRAW_INITIAL_COLOUR) as entry:
        section = entry.section
        if section.initial_colour and (fields := locked(section, ["initial_colour"], stands_of(section))):
            raise SETTINGS_LOCKED.error(fields=fields)
        drawn = colour or secrets.choice(list(Colour))
        entry.before = {"initial_colour": section.initial_colour}
        entry.after = {"initial_colour": drawn.value, "by_lot": colour is None}
        section.initial_colour = drawn.value
        section.save(update_fields=["initial_colour"])
    return section


def pair_next_round(
    *,
    actor: Actor,
    section_id: int,
    after_round: int,
    proceed: Answer = False,
    ahead: bool = False,
    by_itself: bool = False,
) -> Round:
    """Pair the round after the last one, as a draft; the last one is finished by that.

    after_round: the number of the last round that the arbiter saw (0 before round 1). Two who press at the same time
    get one round and one refusal. An open check-in for the round ends with it.
    proceed: the arbiter knows that adjourned games of rounds before the last one count as draws. ahead: pair it even if
    the last round is not over; only where all rounds are fixed. Such a round stays published until the section is
    closed, because no pairing depends on its results. by_itself: nobody presses a button, so the round must be
    prepared (`pairing/ahead.py`).
    Raises Stale("stale_round"); DomainError: round_is_draft, results_missing, results_in_conflict, check_in_missing,
    all_rounds_paired, no_initial_colour, too_few_players, no_legal_pairing, pairing_failed; unless `proceed`,
    adjourned_earlier; with `by_itself`, not_prepared.
    """
    with act(section_id=section_id, actor=actor, action=PAIR_NEXT_ROUND) as entry:
        section = entry.section
        opening = open_round(section, after_round, ahead=ahead)
        number, participants = opening.number, opening.participants
        if not section.fixed_rounds:
            _ask_about_adjourned(section, number, proceed)
        if by_itself and opening.prepared is None:
            raise NOT_PREPARED.error(round=number)
        pairing = opening.prepared or _paired(opening.value, participants)
        row = _made(entry, opening, pairing)
        if by_itself:
            entry.after["by_itself"] = True
        return row


def take_offer(*, actor: Actor, section_id: int, after_round: int, boards: Iterable[Iterable[int]]) -> Round:
    """Take over the round that is offered where the rules cannot finish the next one: a draft like any other.

    boards: White and Black of each pair that the arbiter saw, as participants; the bye follows from them.
    Raises what `pair_next_round` raises before it pairs; Stale("stale_offer") if another round is offered now, or none.
    """
    with act(section_id=section_id, actor=actor, action=TAKE_OFFER) as entry:
        opening = open_round(entry.section, after_round)
        offered = offer(opening.value)
        seen = {tuple(pair) for pair in boards}
        if offered is None or {(pair.white, pair.black) for pair in offered.pairing.pairs} != seen:
            raise STALE_OFFER.error(round=opening.number)
        return _made(entry, opening, offered.pairing, rules_gave_none=True)


def _made(
    entry: SectionEntry, opening: Opening, pairing: RoundPairing, *, rules_gave_none: bool = False
) -> Round:
    """Write a round as a draft; the last one is finished by that."""
    section = entry.section
    row = Round.objects.create(
        section=section,
        number=opening.number,
        engine_pairing=engine_answer(pairing),
        kept_apart=[group.row for group in opening.groups],
        rules_gave_none=rules_gave_none,
    )
    Game.objects.bulk_create(
        game_rows(row, pairing, opening.value, fixed_boards(opening.participants.values()))
    )
    Bye.objects.bulk_create(bye_rows(pairing))
    if opening.last is not None and not section.fixed_rounds:
        finish_round(opening.last)
    entry.round_number = opening.number
    entry.after = _log_payload(pairing, opening.participants)
    if left_out := [group.value for group in opening.groups if group.left_out]:
        entry.after["left_out"] = left_out
    return row


def publish_round(*, actor: Actor, round_id: int, seen_version: int, copy: bool = True) -> Round:
    """Show a draft to everybody, and then keep a copy of the section. copy: False if a later round brings one.

    In Chess960, the start position of the round is drawn by lot now. It stays if the round becomes a draft again.

    Raises Stale("stale_version"); DomainError: round_not_draft, manual_phase_open.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=PUBLISH_ROUND) as entry:
        row = locked_round(round_id, seen_version)
        if not row.is_draft:
            raise ROUND_NOT_DRAFT.error(round=row.number)
        refuse_open_phase(row)
        _set_state(entry, row, Round.State.PUBLISHED)
        row.published_at = timezone.now()
        if entry.section.chess960 and row.start_position is None:
            row.start_position = entry.after["start_position"] = secrets.randbelow(POSITIONS)
        row.save(update_fields=["state", "version", "published_at", "start_position"])
        keep_file_after_commit(entry.section, row.number)
        if copy:
            take_copy_after_commit(entry.section, actor)
    return row


def unpublish_round(*, actor: Actor, round_id: int, seen_version: int) -> Round:
    """Make the last round a draft again, if it has no result.

    Raises Stale("stale_version"); DomainError: round_finished, round_is_draft, manual_phase_open, round_has_results.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=UNPUBLISH_ROUND) as entry:
        row = locked_round(round_id, seen_version)
        if row.is_draft:
            raise ROUND_IS_DRAFT.error(round=row.number)
        if row.is_finished:
            raise ROUND_FINISHED.error(round=row.number)
        refuse_open_phase(row)
        if boards := list(row.games.exclude(result="").order_by("board").values_list("board", flat=True)):
            raise ROUND_HAS_RESULTS.error(round=row.number, boards=boards)
        _set_state(entry, row, Round.State.DRAFT)
        row.published_at = None
        row.save(update_fields=["state", "version", "published_at"])
    return row


def unpair_round(*, actor: Actor, round_id: int, seen_version: int) -> Round | None:
    """Unpair the last round, which is a draft; the log keeps its pairs. Return the round that is now the last one.

    Raises Stale("stale_version"); DomainError: round_not_draft, round_not_last.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=UNPAIR_ROUND) as entry:
        row = locked_round(round_id, seen_version)
        if not row.is_draft:
            raise ROUND_NOT_DRAFT.error(round=row.number)
        if row.number != (last := rounds_paired(entry.section)):
            raise ROUND_NOT_LAST.error(round=row.number, last_round=last)
        allocated = Bye.objects.filter(
            participant__section=entry.section, round_number=row.number, source=Bye.Source.ALLOCATED
        )
        entry.round_number = row.number
        entry.before = {
            "pairs": [
                list(pair) for pair in row.games.order_by("board").values_list("white__tpn", "black__tpn")
            ],
            "bye": allocated.values_list("participant__tpn", flat=True).first(),
        }
        allocated.delete()
        row.delete()
        former = entry.section.played_rounds.order_by("-number").first()
        if former is not None and former.is_finished:
            unfinish_round(former)
    return former


def pair_again(*, actor: Actor, round_id: int, seen_version: int) -> Round:
    """Unpair a draft and pair the round again from the data of now, all or nothing. Both have their row in the log.

    Raises what the two actions raise.
    """
    section_id = section_of_round(round_id)
    with transaction_or_busy():
        former = unpair_round(actor=actor, round_id=round_id, seen_version=seen_version)
        return pair_next_round(
            actor=actor,
            section_id=section_id,
            after_round=former.number if former else 0,
            proceed=True,  # the round was paired once already with these adjourned games
        )


@dataclass(frozen=True, slots=True)
class Opening:
    """The next round, before anybody is paired. last: the round before it. participants: by key. groups: who is kept
    apart by a rule. prepared: the pairing, if this very round was prepared.
    """

    number: int
    last: Round | None
    participants: dict[int, Participant]
    value: Tournament
    groups: tuple[KeptGroup, ...]
    prepared: RoundPairing | None


def open_round(section: Section, after_round: int, *, ahead: bool = False) -> Opening:
    """Return the next round as it can be paired. The section is locked. ahead: as for `pair_next_round`.

    Raises Stale("stale_round"); DomainError: round_is_draft, manual_phase_open, results_missing, all_rounds_paired,
    no_initial_colour, lots_missing, check_in_missing, rounds_not_fixed.
    """
    if ahead and not section.fixed_rounds:
        raise ROUNDS_NOT_FIXED.error()
    rounds = list(section.played_rounds.order_by("number"))
    number = _next_number(section, rounds, after_round, ahead=ahead)
    _end_check_in(section, number)
    participants = {p.pk: p for p in section.participants.select_related("player")}
    if section.fixed_rounds and lots_missing(participants.values()):
        raise LOTS_MISSING.error()
    split_for_acceleration(section, list(participants.values()), number)
    games = list(Game.objects.filter(round__section=section))
    value = engine_tournament(
        section,
        round_number=number,
        participants=participants.values(),
        rounds=rounds,
        games=games,
        byes=Bye.objects.filter(participant__section=section),
        forbidden=section.forbidden_pairs.order_by(),
    )
    groups = groups_apart(section.apart_rules, participants.values(), number)
    last = rounds[-1] if rounds else None
    if last is not None and (found := _prepared(section, value, groups, last, games)) is not None:
        pairing, kept = found
        return Opening(number, last, participants, kept_apart(value, kept), kept, pairing)
    value, kept = keeping_apart(value, groups)
    return Opening(number, last, participants, value, kept, None)


def _prepared(
    section: Section, value: Tournament, groups: list[KeptGroup], last: Round, games: list[Game]
) -> tuple[RoundPairing, tuple[KeptGroup, ...]] | None:
    """Return the pairing, and who is kept apart, if they were prepared from the same value, groups and results."""
    of_last = (game for game in games if game.round_id == last.pk)
    ended = games_ahead(section, of_last, value.round)
    if ended is None:
        return None
    key = Preparation.of(value, groups, ended).key([game.result for game in ended])
    row = section.prepared_rounds.filter(key=key).first()
    if row is None or row.engine_pairing is None:
        return None
    return pairing_of_row(value.round, row.engine_pairing), tuple(map(KeptGroup.read, row.kept_apart))


def _next_number(section: Section, rounds: list[Round], after_round: int, *, ahead: bool) -> int:
    last = rounds[-1].number if rounds else 0
    if after_round != last:
        raise STALE_ROUND.error(after_round=after_round, last_round=last)
    if rounds and not ahead:
        refuse_unfinished(rounds[-1])
    if last >= section.rounds:
        raise ALL_ROUNDS_PAIRED.error(rounds=section.rounds)
    if not section.initial_colour and not section.fixed_rounds:
        raise NO_INITIAL_COLOUR.error()
    return last + 1


def _ask_about_adjourned(section: Section, number: int, proceed: Answer) -> None:
    """Ask if a game of a round before the last one is still adjourned (VCL4THP.13 Q168).

    Raises DomainError("adjourned_earlier") with all adjourned games, because each of them is paired as a draw.
    """
    games = Game.objects.filter(
        round__section=section, round__number__lt=number, result=Result.ADJOURNED
    ).order_by("round__number", "board")
    boards = [list(board) for board in games.values_list("round__number", "board")]
    if any(played < number - 1 for played, _board in boards):
        ask(ADJOURNED_EARLIER.error(round=number, games=boards), proceed)


def _end_check_in(section: Section, number: int) -> None:
    """Close the check-in. Every absent player must have been settled before (GHR 4.1)."""
    if section.check_in_round is None:
        return
    if section.check_in_round == number and (missing := missing_players(section, number)):
        raise CHECK_IN_MISSING.error(round=number, count=len(missing))
    section.check_in_round = None
    section.save(update_fields=["check_in_round"])


def _paired(value: Tournament, participants: dict[int, Participant]) -> RoundPairing:
    """Ask the engine; its errors become refusals."""
    if (there := present(value)) < 2:
        raise TOO_FEW_PLAYERS.error(present=there)
    with engine_refusals(value, participants), PAIRING_TIME.labels(value.system).time():
        return pair_round(value)


@contextmanager
def engine_refusals(value: Tournament, participants: Mapping[int, Participant]) -> Iterator[None]:
    """Turn the errors of the engine into DomainError: no_legal_pairing, pairing_failed."""
    try:
        yield
    except NoLegalPairing as error:
        keys = error.params.get("players", ())
        raise NO_LEGAL_PAIRING.error(
            reason=error.code,
            players=sorted(_named(participants[key]) for key in keys),
            others=present(value) - len(keys),
            relaxations=[
                [relaxation.kind.value, [_named(participants[key]) for key in relaxation.players]]
                for relaxation in propose_relaxations(value)
            ],
            system=value.system,
        ) from error
    except (InternalError, InvalidTournament) as error:
        logger.exception("round %d of section %s", value.round, participants[value.players[0].id].section_id)
        raise PAIRING_FAILED.error(reason=str(error)) from error


def _named(participant: Participant) -> list[Any]:
    return [participant.tpn, participant.player.name]


def _log_payload(pairing: RoundPairing, participants: dict[int, Participant]) -> dict[str, Any]:
    """The pairing for the log, in pairing numbers."""
    tpn = {key: participant.tpn for key, participant in participants.items()}
    return {
        "pairs": [[tpn[pair.white], tpn[pair.black]] for pair in pairing.pairs],
        "bye": tpn[pairing.bye] if pairing.bye is not None else None,
    }


def _set_state(entry: SectionEntry, row: Round, state: Round.State) -> None:
    entry.round_number = row.number
    entry.before, entry.after = {"state": row.state}, {"state": state.value}
    row.state = state
    row.version += 1


def section_of_round(round_id: int) -> int:
    return section_found(Round.objects, "round", round_id)


def locked_round(round_id: int, seen_version: int) -> Round:
    """The round as it is now that its section is locked. Raises NotFound, Stale."""
    row = found_row(Round.objects.all(), "round", round_id)
    if row.version != seen_version:
        raise STALE_VERSION.error(round=row.number, version=row.version)
    return row


# Check a draft again before it is published: is it still the pairing that the rules give, or the offer?


def check_round(*, actor: Actor, round_id: int, seen_version: int) -> dict[str, Any]:
    """Pair the round again with the data of now, and write to the log whether the draft agrees. Nothing else changes.

    Results, ratings or absences may have changed, or somebody has paired by hand. Returns, and writes to the log: the
    version of the round, `same`, the boards that differ from the rules, and `bye` (whether the bye is the same).
    Where the rules cannot finish the round, it is compared with the offer, and `offer` is true. `nothing` is true
    if there is neither.
    Raises NotFound; Stale("stale_version"); DomainError("round_not_draft").
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=CHECK_ROUND) as entry:
        row = locked_round(round_id, seen_version)
        if not row.is_draft:
            raise ROUND_NOT_DRAFT.error(round=row.number)
        entry.round_number = row.number
        entry.after = _compared(entry.section, row)
    return entry.after


def _compared(section: Section, row: Round) -> dict[str, Any]:
    """Compare the draft with the engine's pairing of now."""
    games = list(Game.objects.filter(round=row).order_by("board"))
    byes = list(Bye.objects.filter(participant__section=section))
    allocated = [
        bye.participant_id
        for bye in byes
        if bye.round_number == row.number and bye.source == Bye.Source.ALLOCATED
    ]
    answer, is_offer = _answer(section, row.number, byes)
    pairs = {(pair.white, pair.black) for pair in answer.pairs} if answer else set()
    boards = [game.board for game in games if (game.white_id, game.black_id) not in pairs]
    bye = answer is not None and allocated == ([] if answer.bye is None else [answer.bye])
    return {
        "version": row.version,
        "same": bye and not boards and len(games) == len(pairs),
        "boards": boards,
        "bye": bye,
        **({"offer": True} if is_offer else {}),
        **({"nothing": True} if answer is None else {}),
    }


def _answer(section: Section, number: int, byes: list[Bye]) -> tuple[RoundPairing | None, bool]:
    """Pair the players who are present now. None where the rules give no pairing and no offer.

    The second value says whether the pairing is an offer.
    """
    participants = section.participants.select_related("player")
    value = engine_tournament(
        section,
        round_number=number,
        participants=participants,
        rounds=section.played_rounds.all(),
        games=Game.objects.filter(round__section=section),
        byes=[bye for bye in byes if bye.source != Bye.Source.ALLOCATED or bye.round_number < number],
        forbidden=section.forbidden_pairs.order_by(),
    )
    value, _groups = keeping_apart(value, groups_apart(section.apart_rules, participants, number))
    try:
        return pair_round(value), False
    except NoLegalPairing:
        offered = offer(value)
        return (offered.pairing, True) if offered else (None, False)


# All rounds at once, where they follow from the pairing numbers: nothing is known later that would change
# them.


def pair_all_rounds(*, actor: Actor, section_id: int, after_round: int) -> list[Round]:
    """Pair every round that is left, as drafts, all or nothing. Each has its row in the log.

    Raises what `pair_next_round` raises; DomainError("rounds_not_fixed").
    """
    with transaction_or_busy():
        section = Section.objects.get(pk=section_id)
        return [
            pair_next_round(actor=actor, section_id=section_id, after_round=number, ahead=True)
            for number in range(after_round, max(section.rounds, after_round + 1))
        ]


def publish_all_rounds(*, actor: Actor, section_id: int) -> list[Round]:
    """Publish every draft, all or nothing, and then keep one copy. Each has its row in the log.

    Raises DomainError: no_drafts, manual_phase_open.
    """
    with transaction_or_busy():
        drafts = list(Round.objects.filter(section=section_id, state=Round.State.DRAFT).order_by("number"))
        if not drafts:
            raise NO_DRAFTS.error()
        return [
            publish_round(actor=actor, round_id=row.pk, seen_version=row.version, copy=row is drafts[-1])
            for row in drafts
        ]


# Somebody leaves before a board of the round has a result: it is paired again without them.


def pair_again_without(
    *,
    actor: Actor,
    participant_id: int,
    round_id: int,
    seen_version: int,
    reason: str = "",
    expelled: bool = False,
) -> Round:
    """Unpair the round, withdraw the player and pair the round again, all or nothing. Each step has its row in the log.

    Pairs made by hand are lost. A published round becomes a draft, which only arbiters see until they publish it again.
    Raises what the three actions raise.
    """
    with transaction_or_busy():
        if Round.objects.filter(pk=round_id, state=Round.State.PUBLISHED).exists():
            row = unpublish_round(actor=actor, round_id=round_id, seen_version=seen_version)
            seen_version = row.version
        former = unpair_round(actor=actor, round_id=round_id, seen_version=seen_version)
        section_id = withdraw_participant(
            actor=actor, participant_id=participant_id, reason=reason, expelled=expelled
        ).section_id
        return pair_next_round(
            actor=actor,
            section_id=section_id,
            after_round=former.number if former else 0,
            proceed=True,  # the round was paired once already with these adjourned games
        )
