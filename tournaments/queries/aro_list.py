"""What a pairing system reads of each player before a round, in score groups: the ARO list and the checklist.

The ARO list is of systems that compare the ratings of opponents (C.04.4.1, 1.5 to 1.7, 2025; `PairingSystem.lists`).
Every system has the checklist.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby

from evenboard_engine import RESULTS, ByeKind, Colour, system_of
from evenboard_engine.history import FLOATED_DOWN, FLOATED_UP, NO_FLOAT, History
from evenboard_engine.preference import Preference
from tournaments.models import Participant, Round, Section
from tournaments.models.entries import for_visitors

from .decided_points import PointsDecision, point_decisions_in, point_decisions_on
from .field import SectionField, load_field
from .standings import StandingsState, standings_state_of


@dataclass(frozen=True, slots=True)
class Met:
    """An opponent over the board, with the rating that counts for the ARO."""

    participant_id: int
    tpn: int | None
    rating: int


@dataclass(frozen=True, slots=True)
class AroRow:
    """A player before the round.

    pairing_score: points and the virtual points of the round, in tenths. aro: as the pairing system reads it.
    met: the opponents over the board, in the order of rounds. may_get_bye: no rule bars the player from the
    pairing-allocated bye. colours: one for each earlier round, None where no game was played. due: the colour
    preference. upfloats: the rounds in which the player was upfloated. maximum_upfloater: has reached MaxT (1.7).
    upfloated_last_round: needed for C10. floats: "up", "down" or "" for each of the last two rounds, the last one at
    the end; () if the system does not read them. decisions: points by decision of the arbiter that are in the points.
    unpaired: in a checklist, the player is not paired in the round. bye: the kind of bye that the player has instead.
    """

    participant_id: int
    tpn: int | None
    former_tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    points: int
    pairing_score: int
    games: int
    aro: float
    met: tuple[Met, ...]
    colours: tuple[Colour | None, ...]
    due: Preference | None
    upfloats: tuple[int, ...]
    upfloated_last_round: bool
    maximum_upfloater: bool
    may_get_bye: bool
    withdrawn: bool
    decisions: tuple[PointsDecision, ...] = ()
    floats: tuple[str, ...] = field(default=(), compare=False)  # published lists do not keep them
    unpaired: bool = field(default=False, compare=False)
    bye: str = field(default="", compare=False)

    @property
    def opponents(self) -> list[str]:
        """Return the pairing numbers of the opponents over the board, in the order of rounds."""
        return [str(met.tpn or "?") for met in self.met]

    @property
    def total(self) -> int:
        """Return the sum of the ratings of the opponents."""
        return sum(met.rating for met in self.met)


@dataclass(frozen=True, slots=True)
class AroGroup:
    """A scoregroup, in ascending order of ARO, then TPN; in a checklist of TPN. Its figures leave out withdrawn ones.

    points: the pairing score of the group, which differs from the points only under acceleration (reading D15).
    lowest, highest, median: of the ARO of players with a game; None if there are none. The median is rounded
    half up if the AROs are.
    """

    points: int
    rows: tuple[AroRow, ...]
    players: int
    due_white: int
    due_black: int
    lowest: float | None
    highest: float | None
    median: float | None


@dataclass(frozen=True, slots=True)
class AroList:
    """The scoregroups before a round.

    before_round: the round that the list is for. accelerated: some players have virtual points in it.
    state: of the earlier rounds. unpaired: in a checklist, the players who are not paired in the round, who are in no
    group.
    """

    before_round: int
    rounds: int
    latest_round: int
    groups: tuple[AroGroup, ...]
    max_upfloats: int | None
    state: StandingsState
    accelerated: bool
    unpaired: tuple[AroRow, ...] = ()

    @property
    def after_the_end(self) -> bool:
        """Whether no round comes after the list, so that no colour is due."""
        return self.before_round > self.rounds

    @property
    def rows(self) -> tuple[AroRow, ...]:
        return (*(row for group in self.groups for row in group.rows), *self.unpaired)

    @property
    def shows_due(self) -> bool:
        return not self.after_the_end and any(row.due for row in self.rows)

    @property
    def shows_strength(self) -> bool:
        return self.shows_due and any(row.due and row.due.strength for row in self.rows)

    @property
    def shows_floats(self) -> bool:
        return any(row.floats for row in self.rows)

    @property
    def decisions(self) -> tuple[PointsDecision, ...]:
        """Return the decisions of the arbiter that are in the points, by pairing number and round."""
        return point_decisions_in(self.rows)


def aro_list(section: Section, before_round: int | None = None, include_drafts: bool = False) -> AroList:
    """Return the list before a round. Four queries.

    By default the round that is paired next, or the running round while it has open games. Raises
    Round.DoesNotExist for a later round, and if the pairing system has no such list.
    """
    if "aro" not in section.lists:
        raise Round.DoesNotExist(f"{section.system} has no ARO list")
    return list_before(_field_before(section, before_round, include_drafts))


def checklist(section: Section, before_round: int | None = None) -> AroList:
    """Return the checklist before a round, in score groups by pairing number, for any pairing system. Four queries.

    By default as `aro_list` with drafts: a draft is checked with the list before it. Raises Round.DoesNotExist for a
    later round.
    """
    field = _field_before(section, before_round, include_drafts=True)
    listed, away = list_before(field), _unpaired(field)
    groups, unpaired = [], []
    for group in listed.groups:
        rows = sorted(group.rows, key=_by_number)
        paired = tuple(
            replace(row, withdrawn=False) if row.withdrawn else row  # a player who withdrew later
            for row in rows
            if row.participant_id not in away
        )
        if paired:
            groups.append(_group(group.points, paired))
        unpaired += [
            replace(row, due=None, unpaired=True, bye=away[row.participant_id])
            for row in rows
            if row.participant_id in away
        ]
    return replace(listed, groups=tuple(groups), unpaired=tuple(unpaired))


def _unpaired(field: SectionField) -> dict[int, str]:
    """Return the players who are not paired in the round, by key with the kind of bye that they have instead.

    Before the round is paired these are the players with a bye for it, and those who have withdrawn.
    """
    number = field.before_round
    byes = {bye.participant_id: bye.kind for bye in field.byes if bye.round_number == number}
    paired = {key for key, kind in byes.items() if kind == ByeKind.ALLOCATED}
    row = next((row for row in field.rounds if row.number == number), None)
    if row is None:
        withdrawn = Participant.Status.WITHDRAWN
        paired.update(
            key for key, entry in field.participants.items() if entry.status != withdrawn and key not in byes
        )
    else:
        paired.update(key for game in field.games_of(row) for key in (game.white_id, game.black_id))
    return {key: byes.get(key, "") for key in field.participants if key not in paired}


def _by_number(row: AroRow) -> tuple[bool, int]:
    return row.tpn is None, row.tpn or 0


def _field_before(section: Section, before_round: int | None, include_drafts: bool) -> SectionField:
    field = load_field(section, before_round=before_round, include_drafts=include_drafts)
    if before_round is None and field.latest is not None:
        latest = field.latest
        if latest.is_draft or any(game.round_id == latest.pk for game in field.open_games):
            field = field.before(latest.number)
    return field


def list_before(field: SectionField) -> AroList:
    """Return the list before `field.before_round`. No database query."""
    number = field.before_round
    limit = system_of(field.engine).upfloat_limit(field.section.rounds)

    def make() -> list[AroRow]:
        colours = _colours(field)
        taking_part = (entry for entry in field.participants.values() if field.takes_part(entry, number))
        return [_row(field, entry, tuple(colours[entry.id]), limit) for entry in taking_part]

    basis = (field.engine, field.participants, field.round_in_play, str(for_visitors()))
    rows = field.once(("aro", number, for_visitors()), basis, make)
    return list_of(
        rows,
        before_round=number,
        section=field.section,
        latest_round=field.latest_number,
        limit=limit,
        state=standings_state_of(field),
    )


def _colours(field: SectionField) -> dict[int, list[Colour | None]]:
    """Return the colours of each player in the rounds before, by key; None where no game was played."""
    places = {row.number: place for place, row in enumerate(_before(field))}
    colours: dict[int, list[Colour | None]] = {key: [None] * len(places) for key in field.participants}
    for game in field.engine.games:
        if RESULTS[game.result].played:
            colours[game.white][places[game.round]] = Colour.WHITE
            colours[game.black][places[game.round]] = Colour.BLACK
    return colours


def _before(field: SectionField) -> list[Round]:
    return [row for row in field.rounds if row.number < field.before_round]


def list_of(
    rows: list[AroRow],
    *,
    before_round: int,
    section: Section,
    latest_round: int,
    limit: int | None,
    state: StandingsState,
) -> AroList:
    """Return the list of these rows, in score groups."""
    rows = sorted(rows, key=lambda row: (-row.pairing_score, row.aro, *_by_number(row)))
    return AroList(
        before_round=before_round,
        rounds=section.rounds,
        latest_round=latest_round,
        groups=tuple(
            _group(points, tuple(group)) for points, group in groupby(rows, key=lambda row: row.pairing_score)
        ),
        max_upfloats=limit,
        state=state,
        accelerated=any(row.pairing_score != row.points for row in rows),
    )


def _row(
    field: SectionField, participant: Participant, colours: tuple[Colour | None, ...], limit: int | None
) -> AroRow:
    past = field.histories[participant.pk]
    player = participant.player
    return AroRow(
        participant_id=participant.pk,
        tpn=participant.tpn,
        former_tpn=participant.former_tpn_in(field.round_in_play),
        name=participant.shown_name,
        title=player.title,
        federation=player.federation,
        rating=participant.rating,
        points=past.score,
        pairing_score=past.pairing_score,
        games=past.games,
        aro=field.aro(participant.pk),
        met=tuple(
            Met(key, field.participants[key].tpn, field.participants[key].rating) for key in past.opponents
        ),
        colours=colours,
        due=field.preference(participant.pk),
        upfloats=past.upfloats,
        upfloated_last_round=field.before_round - 1 in past.upfloats,
        maximum_upfloater=limit is not None and len(past.upfloats) >= limit,
        may_get_bye=not past.bye_barred,
        withdrawn=participant.status == Participant.Status.WITHDRAWN,
        decisions=tuple(point_decisions_on(field, participant.pk, field.before_round - 1)),
        floats=_floats(field, past),
    )


_FLOATS = {NO_FLOAT: "", FLOATED_DOWN: "down", FLOATED_UP: "up"}


def _floats(field: SectionField, past: History) -> tuple[str, ...]:
    """Return the floats of the last two rounds, see `AroRow`. Some systems read upfloats alone."""
    if not system_of(field.engine).reads_floats:
        return ()
    if past.floats:
        return tuple(_FLOATS[found] for found in reversed(past.floats))
    last = field.before_round - 1
    return tuple("up" if number in past.upfloats else "" for number in range(max(1, last - 1), last + 1))


def _group(points: int, rows: tuple[AroRow, ...]) -> AroGroup:
    taking_part = [row for row in rows if not row.withdrawn]
    values = sorted(row.aro for row in taking_part if row.games)
    due = [row.due.colour for row in taking_part if row.due is not None]
    return AroGroup(
        points=points,
        rows=rows,
        players=len(taking_part),
        due_white=due.count(Colour.WHITE),
        due_black=due.count(Colour.BLACK),
        lowest=values[0] if values else None,
        highest=values[-1] if values else None,
        median=_median(values),
    )


def _median(values: list[float]) -> float | None:
    """Return the middle of sorted values. Of an even number: their mean, integers rounded half up."""
    if not values:
        return None
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    total = values[middle - 1] + values[middle]
    return (total + 1) // 2 if isinstance(total, int) else round(total / 2, 3)
