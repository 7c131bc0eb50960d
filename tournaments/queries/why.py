"""Why a round was paired in this way: it is paired again from the rounds and the players as they were then.

Where the rules of the pairing system cannot finish the next round: what was tried, and what is offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Q

from evenboard_engine import (
    Colour,
    NoLegalPairing,
    Offer,
    PairingError,
    Result,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
    system_named,
    system_of,
)
from evenboard_engine.checking.rounds import counted_numbers
from evenboard_engine.findings import Published
from evenboard_engine.result import Pair
from evenboard_engine.systems.system import Explainer
from evenboard_engine.trace import PairTrace, Reason
from evenboard_engine.trf import read_report, to_tournament
from tournaments.declarations import ActionKind, names_with
from tournaments.declarations.sections import IMPORT_REPORT
from tournaments.engine_package import engine_package
from tournaments.models import ActionLog, Bye, ForbiddenPair, Game, Round, RoundFile, Section
from tournaments.snapshot import KeptGroup, keeping_apart

from .ahead import value_of_next
from .by_hand import asked_before, waiting_in
from .decided_points import PointsDecision, point_decisions
from .field import SectionField, load_field
from .forbidden_pairs import forbidden_in, kept_groups, pairs_apart

# A round and what it was paired from: the rounds before it and the players who took part, as they were then.


@dataclass(frozen=True, slots=True)
class RoundAsPaired:
    """known: the section before the round with today's data. field: as it was when the round was paired.

    shown: the round. games: of it, in the order of boards. bye: the player with the allocated bye. played: the pair
    (White, Black) of the round, by participant. waiting: who still waits for a pair by hand. before: what the engine
    paired, and who waits; everybody else is absent.
    """

    known: SectionField
    field: SectionField
    shown: Round
    games: tuple[Game, ...]
    bye: int | None
    played: Mapping[int, tuple[int, int]]
    waiting: frozenset[int]
    before: Tournament

    @property
    def published(self) -> Published:
        """Return the round as the engine compares it."""
        pairs = tuple((game.white_id, game.black_id) for game in self.games)
        return Published(self.shown.number, pairs, () if self.bye is None else (self.bye,))


def round_as_paired(
    section: Section, number: int, entries: Mapping[int, tuple[int, int]] | None = None
) -> RoundAsPaired:
    """Read a round and what it was paired from. Drafts count.

    entries: the (pairing number, rating) with which the round was paired, where others than today's, by participant.
    Raises Round.DoesNotExist. Five queries.
    """
    known = load_field(section, before_round=number, include_drafts=True)
    field = known.as_paired().with_entries(entries) if entries else known.as_paired()
    return _round_of(known, field, forbidden_in(field, number))


def rounds_today(field: SectionField, forbidden: Sequence[ForbiddenPair] = ()) -> Iterator[RoundAsPaired]:
    """Yield the rounds of a field that the reader may see, each with what is known today of the rounds before it.

    forbidden: of the section, for those who pair the rounds again. No database query.
    """
    for shown in field.rounds:
        before = field.before(shown.number)
        yield _round_of(before, before, pairs_apart(before, shown.number, forbidden))


def _round_of(
    known: SectionField, field: SectionField, forbidden: frozenset[tuple[int, int]]
) -> RoundAsPaired:
    shown = field.round(field.before_round)
    games = tuple(game for game in field.games if game.round_id == shown.pk)
    bye = next(
        (
            bye.participant_id
            for bye in field.byes
            if bye.round_number == shown.number and bye.source == Bye.Source.ALLOCATED
        ),
        None,
    )
    played = {key: (game.white_id, game.black_id) for game in games for key in (game.white_id, game.black_id)}
    here = {bye, *played}
    resting = {bye.participant_id for bye in field.byes if bye.round_number == shown.number}
    waiting = frozenset(waiting_in(field, shown.number, here | resting) if shown.manual_phase else ())
    before = replace(
        field.engine,
        byes=(*field.engine.byes, *asked_before(field, shown)),
        absent=frozenset(field.participants) - here - waiting,
        forbidden=forbidden,
    )
    return RoundAsPaired(known, field, shown, games, bye, played, waiting, before)


# Why a round was paired in this way: the round is paired again from the rounds before it.


class Cause(StrEnum):
    """Why a round is not the one that the rules give now."""

    HAND = "hand"
    """Pairs were changed by hand, or are being changed."""
    NUMBERS = "numbers"
    """The report file that the round comes from counts players who were not paired in round 1 (GHR 2.4)."""
    FILE = "file"
    """The report file that the round comes from does not follow the rules, or could not be checked."""
    ENGINE = "engine"
    """Another version of the program paired the round, and this one pairs it differently."""
    DATA = "data"
    """Something that affects the pairing was changed later."""
    OFFER = "offer"
    """The rules cannot finish the round, which is the one that is offered."""
    UNKNOWN = "unknown"
    """The log does not have the action that made the round."""


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """field: before the round. before: what the engine pairs. explainer: of the pairing by the rules, or of the offer
    if that was taken over; None if the rules find no round from what is known now.

    played: the pair (White, Black) of the round, by participant. bye: the player with the allocated bye. boards: the
    number of the board, by participant.
    cause: why the round is not the one of the rules; None if it is. reason: that of a change by hand.
    impossible: why the rules give no pairing, if they gave none when the round was paired by hand or came from a file,
    or the offer was taken over. offered: how the offer was made. broken: the limitations that it
    does not keep, if the round is the offer. not_taken: its pairs (White, Black) that the round
    does not have, without regard to colours.
    counted: for `Cause.NUMBERS`, the players whom the file counts.
    corrected: games that were corrected after the round was paired, as (round, board). finished: games that were
    adjourned then, and have not ended in a draw since. For the pairing, the earlier results count (GHR 4.3).
    renumbered, rerated: how many players have another pairing number or rating today.
    decisions: points by decision of the arbiter that were in the scores, if the pairing uses scores.
    groups: the players whom a rule kept apart, and those whom it could not keep apart.
    paired_by: the version of the program that paired the round, if this one would pair it differently.
    """

    field: SectionField
    before: Tournament
    explainer: Explainer | None
    played: Mapping[int, tuple[int, int]]
    bye: int | None
    boards: Mapping[int, int]
    cause: Cause | None
    reason: str = ""
    impossible: NoLegalPairing | None = None
    offered: tuple[Reason, ...] = ()
    broken: tuple[Reason, ...] = ()
    not_taken: tuple[tuple[int, int], ...] = ()
    counted: tuple[int, ...] = ()
    corrected: tuple[tuple[int, int], ...] = ()
    finished: tuple[tuple[int, int], ...] = ()
    renumbered: int = 0
    rerated: int = 0
    decisions: tuple[PointsDecision, ...] = ()
    groups: tuple[KeptGroup, ...] = ()
    paired_by: str = ""

    @property
    def differs(self) -> bool:
        return self.cause is not None

    def is_played(self, pair: Pair | PairTrace) -> bool:
        """Return whether a pair was played with these colours."""
        return self.played.get(pair.white) == (pair.white, pair.black)

    def departs(self, player: int) -> bool:
        """Return whether a player meets somebody else in the round than by the rules, or one of both has nobody."""
        pair = None if self.explainer is None else self.explainer.pair_of(player)
        by_rules = () if pair is None else (pair.white, pair.black)
        return set(by_rules) != set(self.played.get(player, ()))

    def colours_of_the_file(self, white: int, black: int) -> Reason | None:
        """Return why a pair of the rules has the opposite colours in the file, which counts other numbers; or None."""
        if not self.counted or self.played.get(white) != (black, white):
            return None
        higher = min(white, black, key=lambda key: self.field.participants[key].tpn or 0)
        found = {"white": black, "black": white, "higher": higher}
        number = self.field.participants[higher].tpn
        colour = Colour.WHITE if higher == black else Colour.BLACK
        initial = colour if number and number % 2 else colour.opposite
        return Reason("colour_initial", {**found, "number": number, "colour": colour, "initial": initial})


def explain_round(
    section: Section, number: int, entries: Mapping[int, tuple[int, int]] | None = None
) -> RoundExplanation:
    """Pair round `number` again, from the earlier rounds and the players who took part, and compare. Drafts
    count.

    entries: the (pairing number, rating) with which the round was paired, where others than today's, by participant.
    Raises Round.DoesNotExist. Five queries, and the cost of a traced pairing.
    """
    then = entries or {}
    base = round_as_paired(section, number, then)
    known, field, before = base.known, base.field, base.before
    earlier = [pair for pair in zip(known.games, field.games, strict=True) if pair[0].round.number < number]
    counts = not section.fixed_rounds  # fixed rounds do not depend on results
    changed = [(now, former) for now, former in earlier if counts and now is not former]
    pairing, failure = _paired(before)
    stopped = failure if isinstance(failure, NoLegalPairing) else None
    found = RoundExplanation(
        field=field,
        before=before,
        explainer=None if pairing is None else system_of(before).explain(before, pairing),
        played=base.played,
        bye=base.bye,
        boards={key: game.board for game in base.games for key in (game.white_id, game.black_id)},
        cause=None,
        corrected=_places(now for now, former in changed if not former.is_adjourned),
        finished=_places(now for now, former in changed if former.is_adjourned and now.result != Result.DRAW),
        renumbered=sum(known.participants[key].tpn != tpn for key, (tpn, _rating) in then.items()),
        rerated=sum(known.participants[key].rating != rating for key, (_tpn, rating) in then.items()),
        decisions=() if section.fixed_rounds else point_decisions(field, number - 1),
        groups=kept_groups(field, number),
    )
    if pairing is not None and pairing.bye == base.bye and all(map(found.is_played, pairing.pairs)):
        return found
    found = replace(found, paired_by=_other_version(section, base))
    by_hand = base.shown.manual or (base.shown.manual_phase and not base.shown.engine_pairing)
    offered = offer(before) if stopped is not None else None
    if not by_hand and offered is not None:
        taken = offered.pairing
        if taken.bye == base.bye and all(map(found.is_played, taken.pairs)):
            explainer = system_of(before).explain(before, taken)
            found = replace(found, explainer=explainer, cause=Cause.OFFER, impossible=stopped)
            return replace(found, offered=offered.reasons, broken=offered.broken)
    if base.shown.manual_phase or base.shown.manual:
        could_pair = bool(base.shown.engine_pairing) and offered is None
        if not could_pair:
            found = _unfinished(found, stopped, offered)
        return replace(found, cause=Cause.HAND, reason=base.shown.manual_reason)
    if found.paired_by:
        return replace(found, cause=Cause.ENGINE)
    origin = _origin(section, number)
    if origin is None:
        return replace(found, cause=Cause.UNKNOWN)
    if origin.action != IMPORT_REPORT.name:
        return replace(found, cause=Cause.DATA)
    if pairing is not None and (counted := _counted(before, found, pairing)):
        return replace(found, cause=Cause.NUMBERS, counted=counted)
    wrong = {one["round"] for one in origin.after.get("departures", ())}
    is_of_the_file = number in wrong or number > origin.after.get("rounds_checked", 0)
    if is_of_the_file:
        return replace(_unfinished(found, stopped, offered), cause=Cause.FILE)
    return replace(found, cause=Cause.DATA)


def _unfinished(
    found: RoundExplanation, stopped: NoLegalPairing | None, offered: Offer | None
) -> RoundExplanation:
    """Add why the rules give no round, and how the offer was made that was not taken over."""
    if offered is None:
        return replace(found, impossible=stopped)
    played = {frozenset(pair) for pair in found.played.values()}
    pairs = ((pair.white, pair.black) for pair in offered.pairing.pairs)
    not_taken = tuple(pair for pair in pairs if frozenset(pair) not in played)
    return replace(
        found, impossible=stopped, offered=(*offered.reasons, *offered.broken), not_taken=not_taken
    )


def round_file(section: Section, shown: Round) -> RoundFile | None:
    """Return the file that was kept when the round was published or last changed by hand, or None. One query."""
    since = max(filter(None, (shown.published_at, shown.changed_at)), default=None)
    if since is None:
        return None
    return section.round_files.filter(number=shown.number, made_at__gte=since).last()


def rules_of(section: Section) -> str:
    """Return the chapter of the rules and, if the pairing system has several editions, the edition."""
    regulation, edition = system_named(section.system).regulation, section.all_options.get("edition")
    return f"{regulation} ({edition})" if edition else regulation


def _other_version(section: Section, base: RoundAsPaired) -> str:
    """Return the version that paired the round if this one pairs the kept file differently; else ""."""
    kept = round_file(section, base.shown)
    if kept is None or kept.program == engine_package()[0]:
        return ""
    number_of = {player.id: player.tpn for player in base.before.players}
    answer = base.shown.engine_pairing or {
        "pairs": list(dict.fromkeys(base.played.values())),
        "bye": base.bye,
    }
    then = {(number_of[white], number_of[black]) for white, black in answer.get("pairs", ())}
    value = to_tournament(read_report(kept.report.encode()))
    pairing, failure = _paired(value)
    if isinstance(failure, NoLegalPairing) and (offered := offer(value)):
        pairing = offered.pairing
    now = {(pair.white, pair.black) for pair in pairing.pairs} if pairing else set()
    return "" if now == then else kept.version


def _origin(section: Section, number: int) -> ActionLog | None:
    """Return the action that made a round; None if the log does not have it. One query."""
    made = Q(action=IMPORT_REPORT.name) | Q(action__in=names_with(ActionKind.PAIRING), round_number=number)
    return section.log.filter(made).order_by("-pk").only("action", "after").first()


def _counted(before: Tournament, found: RoundExplanation, pairing: RoundPairing) -> tuple[int, ...]:
    """Return the players not paired in round 1 whose numbers explain every difference, if the round counts them.

    All colours then follow from the pairing numbers and the initial-colour.
    """
    number_of = {player.id: player.tpn for player in before.players}
    key_of = {tpn: key for key, tpn in number_of.items()}
    byes = () if found.bye is None else (found.bye,)
    pairs = tuple(dict.fromkeys(found.played.values()))
    are_the_same = {frozenset(pair) for pair in pairs} == {
        frozenset((p.white, p.black)) for p in pairing.pairs
    }
    if before.round != 1 or not are_the_same or found.bye != pairing.bye:
        return ()
    if not all(_by_number(before, *pair, number_of) for pair in pairs):
        return ()
    differences = system_of(before).compare(before, Published(1, pairs, byes), pairing)
    numbered = Published(
        1,
        tuple((number_of[white], number_of[black]) for white, black in pairs),
        tuple(number_of[key] for key in byes),
    )
    renumbered = tuple(replace(one, found=tuple(number_of[key] for key in one.found)) for one in differences)
    return tuple(key_of[tpn] for tpn in counted_numbers(number_of.values(), numbered, renumbered))


def _by_number(before: Tournament, white: int, black: int, number_of: Mapping[int, int]) -> bool:
    """Return whether a pair has the colours of 5.2.1 if all players have their pairing number."""
    higher = min(white, black, key=number_of.__getitem__)
    gets_initial = number_of[higher] % 2 == 1
    has_initial = (higher == white) is (before.initial_colour is Colour.WHITE)
    return gets_initial is has_initial


def _places(games: Iterable[Game]) -> tuple[tuple[int, int], ...]:
    return tuple((game.round.number, game.board) for game in games)


def _paired(before: Tournament) -> tuple[RoundPairing | None, PairingError | None]:
    """Return the pairing by the rules, or the error of the engine."""
    try:
        return pair_round(before, trace=True), None
    except PairingError as error:
        return None, error


# The next round where the rules of the pairing system cannot finish it: what was tried, and what is offered.


@dataclass(frozen=True, slots=True)
class Stopped:
    """value, field: the section before the round. error: why, with its reasons. offer: None if there is none."""

    value: Tournament
    field: SectionField
    error: NoLegalPairing
    offer: Offer | None


def stopped_round(section: Section) -> Stopped | None:
    """Return why the next round cannot be paired; None if it can. Five queries."""
    field = load_field(section, include_drafts=True)
    value, _groups = keeping_apart(value_of_next(field), kept_groups(field, field.before_round))
    try:
        pair_round(value)
    except NoLegalPairing as error:
        return Stopped(value, field, error, offer(value))
    return None
