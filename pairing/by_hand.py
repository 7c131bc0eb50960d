"""Pairing by hand: a phase of a round with a beginning and an end, and the changes in it (VCL4THP.13 Q64 to Q69)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import (
    ByeKind,
    NoLegalPairing,
    Pair,
    RelaxationKind,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
    propose_relaxations,
    system_of,
)
from evenboard_engine.findings import Concern, HandMadeDraft, Level
from evenboard_engine.history import Past
from evenboard_engine.result import board_order
from tournaments.actions.ledger import Actor, act, transaction_or_busy
from tournaments.actions.round_files import keep_file_after_commit
from tournaments.actions.rounds import finish_round
from tournaments.declarations.rounds import (
    BEGIN_MANUAL_PHASE,
    CHANGE_BY_HAND,
    END_MANUAL_PHASE,
    START_BY_HAND,
)
from tournaments.errors import (
    HALF_BYE_NOT_ALLOWED,
    MANUAL_PHASE_OPEN,
    PAIRS_ARE_PUBLIC,
    REASON_REQUIRED,
    ROUND_FINISHED,
    TOO_FEW_PLAYERS,
    DomainError,
    Refusal,
)
from tournaments.models import Bye, Game, Integrity, Round
from tournaments.queries.by_hand import (
    HandComparison,
    HandPosition,
    ModelPairing,
    concerns_about,
    engines_pairing,
    hand_comparison,
    hand_position,
    known_model_pairing,
)
from tournaments.queries.byes import bye_question
from tournaments.questions import Answer, ask
from tournaments.seating import (
    FixedBoards,
    SeatedBoard,
    Seating,
    SeatingStep,
    SeatMove,
    at_fixed_boards,
    numbered_boards,
    seats_moved,
)
from tournaments.snapshot import engine_answer, fixed_boards, present

from .rounds import engine_refusals, locked_round, open_round, section_of_round

# Refusals
RULES_ALLOW_A_PAIRING = Refusal(
    "rules_allow_a_pairing",
    _("The rules allow a pairing of round %(round)s. Pair the round; then you can change its pairs by hand."),
)
MANUAL_PHASE_CLOSED = Refusal(
    "manual_phase_closed", _("Pairing by hand of round %(round)s has ended. Nothing was changed.")
)
BY_HAND_CONCERNS = Refusal("by_hand_concerns", params=("concerns", "byes"))
BY_HAND_LOCKED = Refusal(
    "by_hand_locked", _("Round %(round)s, board %(board)s has a result, so its players cannot move.")
)
BY_HAND_NO_PLAYER = Refusal(
    "by_hand_no_player", _("No player of this section was chosen, so nothing changed. Pick a player first.")
)
BY_HAND_NOT_HERE = Refusal("by_hand_not_here", _("%(name)s is not in round %(round)s."))
BY_HAND_HAS_BYE = Refusal("by_hand_has_bye", params=("name", "kind"))
PLAYERS_UNPAIRED = Refusal(
    "players_unpaired",
    _("Not paired yet in round %(round)s: %(names)s. Pair them, or give each of them a bye."),
)
# `pairs`: (White, Black), as keys of entries
DIFFERS_FROM_ENGINE = Refusal(
    "differs_from_engine",
    _("Round %(round)s is not as the rules pair it. Confirm a second time to keep it."),
    params=("pairs", "engines"),
)


# Seatings that the engine makes for a round that is being paired by hand.


def engines_seating(value: Tournament, seating: Seating) -> Seating:
    """Seat everybody who is present by the rules, or as the system offers. Raises NoLegalPairing."""
    pairing = _paired_or_offered(value)
    return _seated(value, pairing.pairs, pairing.bye, seating)


def proposed_seating(value: Tournament, seating: Seating) -> Seating:
    """Seat everybody by the rules, or as the system offers, or so that the fewest rules are broken. Players who still
    cannot be paired stay unpaired.
    """
    try:
        return engines_seating(value, seating)
    except NoLegalPairing as error:
        stuck = error.params["players"]
    pairs: list[Pair] = []
    bye = None
    for relaxation in propose_relaxations(value):
        if relaxation.kind is RelaxationKind.SECOND_BYE:
            bye = relaxation.players[0]
        elif relaxation.players[0] not in {key for pair in pairs for key in (pair.white, pair.black)}:
            pairs.append(system_of(value).colours(value, *relaxation.players))
    placed = {key for pair in pairs for key in (pair.white, pair.black)} | (
        {bye} if bye is not None else set()
    )
    if not placed and isinstance(stuck, tuple):
        placed = set(stuck)
    try:
        rest = _paired_or_offered(replace(value, absent=value.absent | placed))
    except NoLegalPairing:
        return _seated(value, pairs, bye, seating)
    return _seated(value, [*pairs, *rest.pairs], rest.bye if bye is None else bye, seating)


def _paired_or_offered(value: Tournament) -> RoundPairing:
    """Pair by the rules, or as the system offers. Raises NoLegalPairing."""
    try:
        return pair_round(value)
    except NoLegalPairing:
        offered = offer(value)
        if offered is None:
            raise
        return offered.pairing


def boards_in_order(value: Tournament, seating: Seating, fixed: FixedBoards) -> Seating:
    """The same tables, numbered in the order of GHR 3.6, except fixed boards. Boards of fixed rounds keep their places
    in the table.
    """
    if system_of(value).fixed_rounds:
        return seating
    by_players = {table.players: table for table in seating.tables}
    order = _by_board(value, by_players)
    tables = tuple(
        replace(by_players[players], board=board)
        for board, players in zip(numbered_boards(order, fixed), order, strict=True)
    )
    return replace(seating, tables=tables)


def _seated(value: Tournament, pairs: Sequence[Pair], bye: int | None, seating: Seating) -> Seating:
    """These pairs, and everybody else unpaired; requested byes stay."""
    players = [(pair.white, pair.black) for pair in pairs]
    if not system_of(value).fixed_rounds:
        players = _by_board(value, players)
    tables = tuple(
        SeatedBoard(None, board, white, black) for board, (white, black) in enumerate(players, start=1)
    )
    here = {player.id for player in value.players} - value.absent
    placed = {key for pair in players for key in pair} | ({bye} - {None})
    return Seating(tables, bye, seating.rests, frozenset(here - placed))


def _by_board(value: Tournament, players: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    past = Past(value, system_of(value).history_rules(value))
    # The order of the boards does not depend on the rule that gave the colours.
    pairs = [Pair(white, black, "") for white, black in players]
    return [(pair.white, pair.black) for pair in board_order(pairs, past.place_of, past.pairing_score)]


def start_by_hand(*, actor: Actor, section_id: int, after_round: int, proposal: bool) -> Round:
    """Make the next round a draft that is paired by hand, for a round that cannot be paired by the rules (Q63).

    proposal: with the pairs that break the fewest rules and all others by the rules; otherwise nobody is paired yet.
    Raises as `pair_next_round` does before it pairs; DomainError: too_few_players, rules_allow_a_pairing.
    """
    with act(section_id=section_id, actor=actor, action=START_BY_HAND) as entry:
        opening = open_round(entry.section, after_round)
        if (there := present(opening.value)) < 2:
            raise TOO_FEW_PLAYERS.error(present=there)
        if engines_pairing(opening.value) is not None:
            raise RULES_ALLOW_A_PAIRING.error(round=opening.number)
        row = Round.objects.create(
            section=entry.section,
            number=opening.number,
            manual_phase=True,
            kept_apart=[group.row for group in opening.groups],
            rules_gave_none=True,
        )
        if opening.last is not None and not entry.section.fixed_rounds:
            finish_round(opening.last)
        found = hand_position(entry.section, row.number)
        seating = seating_of(found)
        if proposal:
            seating = _with_fixed_boards(found, proposed_seating(found.value, seating))
        _write(found, seating)
        entry.round_number = row.number
        entry.after = {"round": row.pk, **_log_payloads(seating_of(found), seating, found)[1]}
    return row


def begin_manual_phase(*, actor: Actor, round_id: int, seen_version: int, public: Answer = False) -> Round:
    """Open the phase, and clear the record of an earlier one (Q65).

    public: the arbiter knows that the pairs are published, and why they may still change (GHR 4.4).
    Raises Stale("stale_version"); DomainError: round_finished, manual_phase_open, pairs_are_public.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=BEGIN_MANUAL_PHASE) as entry:
        row = locked_round(round_id, seen_version)
        if row.is_finished:
            raise ROUND_FINISHED.error(round=row.number)
        if row.manual_phase:
            raise MANUAL_PHASE_OPEN.error(round=row.number)
        if row.is_published:
            ask(PAIRS_ARE_PUBLIC.error(round=row.number), public)
        entry.round_number = row.number
        entry.before = {"manual": row.manual, "reason": row.manual_reason}
        entry.after = {"manual": False, "reason": "", "published": row.is_published}
        row.manual_phase, row.manual, row.manual_reason = True, False, ""
        row.version += 1
        row.save(update_fields=["manual_phase", "manual", "manual_reason", "version"])
    return row


def change_by_hand(
    *, actor: Actor, round_id: int, seen_version: int, step: SeatingStep, confirmed: Answer = False
) -> tuple[Round, tuple[Concern, ...]]:
    """Make one change; return the concerns that it adds.

    confirmed: the arbiter saw the concerns of level 3 that the change adds (Q66), and what a half-point bye goes
    beyond (Q174), and wants the change.
    Raises Stale("stale_version"); DomainError: manual_phase_closed, by_hand_no_player, by_hand_not_here,
    by_hand_has_bye, by_hand_locked, by_hand_nothing, half_bye_not_allowed, no_legal_pairing, pairing_failed,
    by_hand_concerns.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=CHANGE_BY_HAND) as entry:
        row = locked_round(round_id, seen_version)
        if not row.manual_phase:
            raise MANUAL_PHASE_CLOSED.error(round=row.number)
        found = hand_position(entry.section, row.number)
        before = seating_of(found)
        if step.move is SeatMove.ENGINE:
            after = _engines_seating(found)
        elif step.move is SeatMove.PROPOSAL:
            after = proposed_seating(found.value, before)
        else:
            _refuse_step(found, before, step)
            after = seats_moved(
                before, step, lambda one, other: system_of(found.value).colours(found.value, one, other)
            )
        after = _with_fixed_boards(found, after)
        _refuse_locked(found, after)
        model = known_model_pairing(found)
        fresh = _new_concerns(found, after, model)
        _ask_first(found, step, fresh, confirmed)
        _write(found, after)
        _changed(row)
        entry.round_number = row.number
        entry.subject = "; ".join(
            str(found.field.participants[key]) for key in (step.player, step.other) if key
        )
        entry.before, entry.after = _log_payloads(before, after, found)
        entry.after |= {"round": row.pk, "move": step.move.value}
        if step.move is SeatMove.ENGINE and model.offered:
            entry.after["offer"] = True
    return row, fresh


def end_manual_phase(
    *, actor: Actor, round_id: int, seen_version: int, reason: str = "", confirmed: Answer = False
) -> Round:
    """Close the phase. A round that differs from the engine's is marked, and the report file says so (Q68, Q69).

    Where the rules cannot finish the round, it is compared with the offer.
    confirmed: the arbiter saw the differences and the consequences, and confirmed them twice (level 4).
    Raises Stale("stale_version"); DomainError: manual_phase_closed, players_unpaired, too_few_players,
    reason_required, differs_from_engine.
    """
    with act(section_id=section_of_round(round_id), actor=actor, action=END_MANUAL_PHASE) as entry:
        row = locked_round(round_id, seen_version)
        if not row.manual_phase:
            raise MANUAL_PHASE_CLOSED.error(round=row.number)
        found = hand_position(entry.section, row.number)
        if found.pool:
            names = [found.field.participants[key].player.name for key in found.pool]
            raise PLAYERS_UNPAIRED.error(round=row.number, names=names)
        if not found.games and found.allocated is None:
            raise TOO_FEW_PLAYERS.error(present=0)  # no report file can tell such a round from a free day
        compared = hand_comparison(found)
        if not compared.same:
            if not one_line(reason):
                raise REASON_REQUIRED.error()
            ask(question_of(row, compared), confirmed, times=2)
            entry.integrity = Integrity.MANUAL
        if row.is_draft:
            _write(found, boards_in_order(found.value, seating_of(found), _fixed(found)))
        row.manual_phase, row.manual = False, not compared.same
        row.manual_reason = entry.reason = one_line(reason)[:300]
        row.engine_pairing = engine_answer(compared.pairing) if compared.pairing else {}
        row.rules_gave_none = bool(compared.model.impossible)
        row.version += 1
        row.save()
        entry.round_number = row.number
        entry.before, entry.after = _both_sides(compared)
        entry.after["round"] = row.pk
        if compared.model.offered:
            entry.after["offer"] = True
        if not row.is_draft:
            keep_file_after_commit(entry.section, row.number)
    return row


def question_of(row: Round, compared: HandComparison) -> DomainError:
    """Return the question before a round is kept that differs from the pairing by the rules."""
    return DIFFERS_FROM_ENGINE.error(round=row.number, pairs=compared.mine, engines=compared.engines)


def end_by_the_rules(*, actor: Actor, round_id: int, seen_version: int) -> Round:
    """Drop all pairs made by hand for those of the rules, or of the offer, and close the phase, all or nothing.

    Raises what the two actions raise.
    """
    with transaction_or_busy():
        step = SeatingStep(SeatMove.ENGINE)
        row, _concerns = change_by_hand(
            actor=actor, round_id=round_id, seen_version=seen_version, step=step, confirmed=True
        )
        return end_manual_phase(actor=actor, round_id=round_id, seen_version=row.version)


def seating_of(found: HandPosition) -> Seating:
    """Return the round of the database as a seating that can be changed."""
    return Seating(
        tuple(SeatedBoard(game.pk, game.board, game.white_id, game.black_id) for game in found.games),
        found.allocated,
        dict(found.rests),
        frozenset(found.pool),
    )


def concern_values(concern: Concern, found: HandPosition) -> dict[str, Any]:
    """Return a concern as the parameters of a refusal."""
    entries = found.field.participants
    return {
        "code": concern.code,
        "players": [[entries[key].tpn, entries[key].player.name] for key in concern.players],
        "system": found.value.system,
        "articles": list(concern.articles),
        "rounds": list(concern.rounds),
        "colour": concern.colour.value if concern.colour else "",
        "points": list(concern.points),
        "lent": list(concern.lent),
        "count": concern.count,
    }


def _refuse_step(found: HandPosition, seating: Seating, step: SeatingStep) -> None:
    players = [step.player, step.other] if step.move is SeatMove.SWAP else [step.player]
    for key in players:
        entry = found.field.participants.get(key)
        if entry is None:
            raise BY_HAND_NO_PLAYER.error()
        if not seating.knows(key):
            raise BY_HAND_NOT_HERE.error(name=entry.player.name, round=found.round.number)
        if key in seating.rests and step.move is not SeatMove.UNPAIR:
            raise BY_HAND_HAS_BYE.error(name=entry.player.name, kind=seating.rests[key].value)
        if step.move is SeatMove.HALF and not entry.half_bye_allowed:
            raise HALF_BYE_NOT_ALLOWED.error(name=entry.player.name)


def _fixed(found: HandPosition) -> FixedBoards:
    return fixed_boards(found.field.participants.values())


def _with_fixed_boards(found: HandPosition, seating: Seating) -> Seating:
    locked = {game.pk for game in found.games if game.result}
    return replace(seating, tables=at_fixed_boards(seating.tables, _fixed(found), locked))


def _refuse_locked(found: HandPosition, after: Seating) -> None:
    """Refuse to change a board with a result, because its game was played (GHR 4.4)."""
    kept = {table.key: (table.board, table.players) for table in after.tables}
    for game in found.games:
        if game.result and kept.get(game.pk) != (game.board, (game.white_id, game.black_id)):
            raise BY_HAND_LOCKED.error(round=found.round.number, board=game.board)


def _new_concerns(found: HandPosition, after: Seating, model: ModelPairing) -> tuple[Concern, ...]:
    """Return the concerns about the seating that are new."""
    before = set(concerns_about(found.value, found.draft, model))
    here = {key for table in after.tables for key in table.players} | {after.bye} | after.pool
    value = replace(found.value, absent=frozenset(key for key in found.field.participants if key not in here))
    draft = HandMadeDraft(tuple(table.players for table in after.tables), after.bye)
    return tuple(concern for concern in concerns_about(value, draft, model) if concern not in before)


def _ask_first(found: HandPosition, step: SeatingStep, fresh: Iterable[Concern], confirmed: Answer) -> None:
    """Raises DomainError("by_hand_concerns") with everything that the arbiter must confirm, in one question."""
    grave = [concern_values(one, found) for one in fresh if one.level == Level.PROCEED]
    question = None
    if step.move is SeatMove.HALF:
        entry = found.field.participants[step.player]
        question = bye_question(entry, ByeKind.HALF, [found.round.number])
    if grave or question:
        byes = [question.params] if question else []
        ask(BY_HAND_CONCERNS.error(concerns=grave, byes=byes), confirmed)


def _engines_seating(found: HandPosition) -> Seating:
    with engine_refusals(found.value, found.field.participants):
        return engines_seating(found.value, seating_of(found))


def _write(found: HandPosition, after: Seating) -> None:
    """Write the seating to the rows of the round. Rows that stay the same are not written."""
    number, row = found.round.number, found.round
    old = {game.pk: game for game in found.games}
    changed = [table for table in after.tables if table.key is None or _differs(old[table.key], table)]
    kept = {table.key for table in after.tables if table not in changed}
    participants = Bye.objects.filter(participant__section=row.section_id, round_number=number)
    gone = [key for key, kind in found.rests.items() if after.rests.get(key) is not kind]
    if found.allocated is not None and found.allocated != after.bye:
        gone.append(found.allocated)
    # Delete rows before new ones are written: a constraint forbids two places in one round.
    Game.objects.filter(pk__in=[key for key in old if key not in kept]).delete()
    participants.filter(participant__in=gone).delete()
    Game.objects.bulk_create(_game(row, old, table) for table in changed)
    byes = [
        Bye(participant_id=key, round_number=number, kind=kind.value, source=Bye.Source.ABSENT)
        for key, kind in after.rests.items()
        if found.rests.get(key) is not kind
    ]
    if after.bye is not None and after.bye != found.allocated:
        kind = ByeKind.ALLOCATED.value
        byes.append(
            Bye(participant_id=after.bye, round_number=number, kind=kind, source=Bye.Source.ALLOCATED)
        )
    Bye.objects.bulk_create(byes)


def _differs(game: Game, table: SeatedBoard) -> bool:
    return (game.board, game.white_id, game.black_id) != (table.board, table.white, table.black)


def _game(row: Round, old: Mapping[int, Game], table: SeatedBoard) -> Game:
    """A board that keeps its key gets a version that no page has seen, and keeps the numbers of its links."""
    former = old[table.key] if table.key is not None else Game(version=-1)
    return Game(
        pk=table.key,
        round=row,
        board=table.board,
        white_id=table.white,
        black_id=table.black,
        version=former.version + 1,
        white_link=former.white_link,
        black_link=former.black_link,
    )


def _changed(row: Round) -> None:
    """The round has a version that no page has seen; published pairs show that they were changed."""
    row.version += 1
    if row.is_published:
        row.changed_at = timezone.now()
    row.save(update_fields=["version", "changed_at"])


def _log_payloads(
    before: Seating, after: Seating, found: HandPosition
) -> tuple[dict[str, Any], dict[str, Any]]:
    """For the log: the boards and byes that differ, in pairing numbers."""
    tpn = {key: entry.tpn for key, entry in found.field.participants.items()}
    return _log_payload(before, after, tpn), _log_payload(after, before, tpn)


def _log_payload(one: Seating, other: Seating, tpn: Mapping[int, int | None]) -> dict[str, Any]:
    there = {(table.board, *table.players) for table in other.tables}
    boards = [
        [table.board, tpn[table.white], tpn[table.black]]
        for table in one.tables
        if (table.board, *table.players) not in there
    ]
    byes = {str(tpn[key]): kind.value for key, kind in one.rests.items() if other.rests.get(key) is not kind}
    if one.bye is not None and one.bye != other.bye:
        byes[str(tpn[one.bye])] = ByeKind.ALLOCATED.value
    return {"boards": boards, "byes": byes, "pool": sorted(tpn[key] or 0 for key in one.pool - other.pool)}


def _both_sides(compared: HandComparison) -> tuple[dict[str, Any], dict[str, Any]]:
    """For the log: the pairs of the model and those made, where they differ, in pairing numbers."""
    tpn = {key: entry.tpn for key, entry in compared.position.field.participants.items()}
    mine, theirs = (
        {
            "pairs": [[tpn[white], tpn[black]] for white, black in pairs],
            "bye": None if bye is None else tpn[bye],
        }
        for pairs, bye in (
            (compared.mine, compared.bye[0]),
            (compared.engines, compared.bye[1]),
        )
    )
    return {"offered" if compared.model.offered else "engine": theirs}, {"by_hand": mine}
