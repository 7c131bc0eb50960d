"""A rehearsal: the slips that its clock plans, what waits on the arbiters' table, and the report at the end."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import models
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _

from base.cache import Cache
from evenboard_engine import Result
from tournaments.declarations.incidents import CHANGE_INCIDENT
from tournaments.models import Event, Game, Incident, RehearsalClock, Round, Section

# What happens at a board. It follows from the seed, the section, the round and the two players.

SHORTEST, USUAL, SPREAD, LONGEST = 12, 125, 50, 235
"""Minutes of a game."""
NO_SHOW_AFTER = 30
"""Minutes after which an absent player has lost."""
NO_SHOWS = 1 / 60
WRONG_SLIPS = 1 / 30
SURELY_WRONG = 2
"""The board of round 1 whose slip is typed wrongly in every rehearsal, however few boards it has."""
TURNED = {
    Result.WHITE_WINS: Result.BLACK_WINS,
    Result.BLACK_WINS: Result.WHITE_WINS,
    Result.DRAW: Result.WHITE_WINS,
}
FORFEITS = (Result.WHITE_WINS_BY_FORFEIT, Result.BLACK_WINS_BY_FORFEIT)
COMPLAINT_AFTER = 10
"""Minutes after a wrong slip until the players see it."""


@dataclass(frozen=True, slots=True)
class PlannedSlip:
    """game: its key. minute: of the round, when the slip comes. result: what was played. typed: what the clock types;
    "" if people type the slip.
    """

    game: int
    minute: float
    result: Result
    typed: str


_plans: Cache[Hashable, tuple[PlannedSlip, ...]] = Cache(20)


def result_by_chance(white: int, black: int, dice: Random) -> Result:
    """Return a random result by Elo's expected score; players with similar ratings draw more often."""
    difference = white + 35 - black
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = 0.42 * (1 - abs(2 * expected - 1))
    throw = dice.random()
    if throw < draw:
        return Result.DRAW
    return Result.WHITE_WINS if throw < draw + expected - draw / 2 else Result.BLACK_WINS


def slips_due(clock: RehearsalClock, section: Section, row: Round, minute: float) -> Iterator[PlannedSlip]:
    """Yield the slips of the round that have come until this minute of it, those with a result too. One query for each
    round and setting of the clock: the clock looks once a second at what may be 500 boards.
    """
    settings = (clock.seed, clock.share, tuple(clock.parts))
    plans = _plans.make((row.pk, row.version, settings), lambda: _planned(clock, section, row))
    return (plan for plan in plans if minute >= plan.minute)


def _planned(clock: RehearsalClock, section: Section, row: Round) -> tuple[PlannedSlip, ...]:
    columns = (
        "pk",
        "board",
        *(f"{side}__{fact}" for side in ("white", "black") for fact in ("tpn", "rating")),
    )
    games = row.games.order_by("board").values_list(*columns)
    return tuple(_planned_slip(clock, section, row.number, *game) for game in games)


def _planned_slip(
    clock: RehearsalClock,
    section: Section,
    number: int,
    game: int,
    board: int,
    white: int,
    white_rating: int,
    black: int,
    black_rating: int,
) -> PlannedSlip:
    parts = clock.parts
    dice = Random(f"{clock.seed} {section.slug} {number} {white}-{black}")  # noqa: S311
    minute = min(max(dice.gauss(USUAL, SPREAD), SHORTEST), LONGEST)
    result = result_by_chance(white_rating, black_rating, dice)
    absent, wrong, share = dice.random(), dice.random(), 100 * dice.random()
    surely = number == 1 and board == SURELY_WRONG and RehearsalClock.Part.WRONG in parts
    if absent < NO_SHOWS and RehearsalClock.Part.ABSENT in parts and not surely:
        result, minute = FORFEITS[wrong < 0.5], NO_SHOW_AFTER
    is_wrong = surely or (wrong < WRONG_SLIPS and RehearsalClock.Part.WRONG in parts and result in TURNED)
    if share >= clock.share and not surely:
        return PlannedSlip(game, minute, result, "")
    return PlannedSlip(game, minute, result, (TURNED[result] if is_wrong else result).value)


def rounds_in_play(event: Event) -> Iterator[tuple[Section, Round]]:
    """Yield the sections in play, each with the first published round that has open games."""
    sections = event.sections.filter(taken_away=False, status=Section.Status.OPEN)
    for section in sections.order_by("pk"):
        shown = section.played_rounds.filter(state=Round.State.PUBLISHED, games__result="")
        row = shown.order_by("number").first()
        if row is not None:
            yield section, row


# What waits on the arbiters' table.


@dataclass(frozen=True, slots=True)
class TableLine:
    """A slip that nobody has typed, or an entered result about which the players complain (`entered`), or an appeal.

    result: what the slip says, or what both players say. entered: the result that is entered.
    """

    section: Section
    game: Game | None
    result: str = ""
    entered: str = ""
    appeal: Incident | None = None

    @property
    def board(self) -> int | None:
        return self.game.board if self.game else self.appeal.board if self.appeal else None


def on_the_table(clock: RehearsalClock, now: datetime) -> list[TableLine]:
    """Return what waits for an arbiter: appeals, then wrong results, then slips. About three queries a section."""
    begun, minutes = clock.played["rounds"], clock.minutes(now)
    slips = list[TableLine]()
    for section, row in rounds_in_play(clock.event):
        if (began := begun.get(str(row.pk))) is None:
            continue
        due = {one.game: one for one in slips_due(clock, section, row, minutes - began) if not one.typed}
        games = row.games.filter(pk__in=due, result="").select_related(
            "round", "white__player", "black__player"
        )
        slips += [TableLine(section, game, due[game.pk].result.value) for game in games.order_by("board")]
    return [*_appeals(clock), *_complaints(clock, minutes), *slips]


def _appeals(clock: RehearsalClock) -> Iterator[TableLine]:
    """Yield the claims of players whose notes no arbiter has changed."""
    notes = clock.played["appeals"]
    rows = Incident.objects.filter(pk__in=notes, section__event=clock.event_id)
    for row in rows.select_related("section", "participant__player").order_by("pk"):
        if row.note == notes[str(row.pk)]:
            yield TableLine(row.section, None, appeal=row)


def _complaints(clock: RehearsalClock, minutes: float) -> Iterator[TableLine]:
    wrong = clock.played["wrong"]
    games = Game.objects.filter(pk__in=wrong, round__section__event=clock.event_id)
    for game in games.select_related("round__section", "white__player", "black__player").order_by("pk"):
        result, since = wrong[str(game.pk)]
        if game.result != result and minutes - since >= COMPLAINT_AFTER:
            yield TableLine(game.round.section, game, result, game.result)


# The report at the end.


@dataclass(frozen=True, slots=True)
class RoundTimes:
    """Minutes on the clock of the wall, None for what has not happened. to_pair: from the last result of the round
    before to the pairing. to_publish: from the pairing. play: from there to the last result.
    """

    section: Section
    number: int
    boards: int
    to_pair: float | None
    to_publish: float | None
    play: float | None


class OnTable(models.TextChoices):
    SLIP = "slip", _("slip")
    WRONG = "wrong", _("wrong result")
    APPEAL = "appeal", _("appeal")


@dataclass(frozen=True, slots=True)
class TableWait:
    """How long something lay on the table. minutes: on the clock of the wall, None if it lies there still."""

    section: Section
    round_number: int
    board: int | None
    what: OnTable
    minutes: float | None


@dataclass(frozen=True, slots=True)
class RehearsalReport:
    """waits: what has lain on the table, the longest first. wrong, found: slips that the clock typed wrongly, and those
    of them that are right now. appeals, decided: claims of players. by_clock, by_people: results. cuts: when the
    network was dead, and for how many seconds. waited: how many requests to save a cut held up.
    """

    rounds: Sequence[RoundTimes]
    waits: Sequence[TableWait]
    wrong: int
    found: int
    appeals: int
    decided: int
    by_clock: int
    by_people: int
    cuts: Sequence[tuple[datetime, int]]
    waited: int

    @property
    def longest(self) -> list[TableWait]:
        """Return the ten longest waits that have ended. What waits still is on the table."""
        return [one for one in self.waits if one.minutes is not None][:10]


def rehearsal_report(clock: RehearsalClock) -> RehearsalReport:
    """Return what was learnt. Eight queries at most."""
    played, event = clock.played, clock.event
    games = Game.objects.filter(round__section__event=event)
    right = sum(
        game.result == played["wrong"][str(game.pk)][0] for game in games.filter(pk__in=played["wrong"])
    )
    waiting = len(list(_appeals(clock)))
    entered = games.exclude(result="")
    by_clock = entered.filter(entered_by=None).count()
    return RehearsalReport(
        rounds=list(_times(event)),
        waits=sorted(_waits(clock), key=lambda one: -(one.minutes or 0)),
        wrong=len(played["wrong"]),
        found=right,
        appeals=len(played["appeals"]),
        decided=len(played["appeals"]) - waiting,
        by_clock=by_clock,
        by_people=entered.count() - by_clock,
        cuts=[(datetime.fromisoformat(at), seconds) for at, seconds in played["cuts"]],
        waited=len(clock.waited),
    )


def _waits(clock: RehearsalClock) -> Iterator[TableWait]:
    """Yield what has lain on the table. A wrong result that was corrected before the players saw it never did."""
    laid, wrong = clock.played["laid"], clock.played["wrong"]
    games = Game.objects.filter(pk__in=laid, round__section__event=clock.event_id)
    for game in games.select_related("round__section"):
        section, number, since = game.round.section, game.round.number, laid[str(game.pk)]
        result, _minute = wrong.get(str(game.pk), (game.result, 0))
        done = game.entered_at if game.result and game.result == result else None
        what = OnTable.WRONG if str(game.pk) in wrong else OnTable.SLIP
        if done is None or done > datetime.fromisoformat(since):
            yield TableWait(section, number, game.board, what, _minutes(datetime.fromisoformat(since), done))
    notes = clock.played["appeals"]
    decided = {
        (row.section_id, row.round_number, row.before["participant"], row.before["note"]): row.at
        for row in clock.event.log.filter(action=CHANGE_INCIDENT.name).order_by("-pk")
    }
    for one in Incident.objects.filter(pk__in=notes, section__event=clock.event_id).select_related("section"):
        at = decided.get((one.section_id, one.round_number, one.participant_id, notes[str(one.pk)]))
        yield TableWait(one.section, one.round_number, one.board, OnTable.APPEAL, _minutes(one.at, at))


def _times(event: Event) -> Iterator[RoundTimes]:
    rounds = Round.objects.filter(section__event=event, section__taken_away=False).select_related("section")
    counted = rounds.annotate(
        boards=Count("games"),
        open=Count("games", filter=Q(games__result="")),
        last_at=Max("games__entered_at"),
    )
    before: dict[int, datetime | None] = {}
    for row in counted.order_by("section_id", "number"):
        facts = vars(row)
        last = None if facts["open"] else facts["last_at"]
        yield RoundTimes(
            row.section,
            row.number,
            facts["boards"],
            _minutes(before.get(row.section_id), row.paired_at),
            _minutes(row.paired_at, row.published_at),
            _minutes(row.published_at, last),
        )
        before[row.section_id] = last


def _minutes(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return round(max(end - start, timedelta(0)).total_seconds() / 60, 1)
