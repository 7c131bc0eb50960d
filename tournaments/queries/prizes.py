"""Who wins which prize, as the results are now."""

from __future__ import annotations

from dataclasses import dataclass

from base.text import folded
from evenboard_engine.prizes import Award, Category, PrizeCandidate, distribute
from tournaments.models import Participant, PrizeCategory, PrizePlan, RatingSource, Section
from tournaments.models.prizes import Unrated

from .field import SectionField, load_field
from .standings import StandingRow, StandingsState, standings_of


@dataclass(frozen=True, slots=True)
class Winner:
    """A prize: the line of the player in the standings, and the award."""

    row: StandingRow
    award: Award


@dataclass(frozen=True, slots=True)
class CategoryPrizes:
    """The prizes of a category. players: how many may win. unknown: how many may not, only because their year of birth
    or their sex is not known. left: what nobody gets, in hundredths. gone: who may win here, but wins only the best
    prize, in another category; with the name of that.
    """

    category: PrizeCategory
    winners: tuple[Winner, ...]
    players: int
    unknown: int
    left: int
    gone: tuple[tuple[StandingRow, str], ...] = ()

    def elsewhere(self, award: Award) -> tuple[tuple[str, str], ...]:
        """Return who has the points of an award and wins in another category instead: names and categories."""
        return tuple((row.name, category) for row, category in self.gone if row.points == award.points)


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that a player wins. prizes: the category, the place in it, and the amount in hundredths, for each prize."""

    row: StandingRow
    prizes: tuple[tuple[str, int, int], ...]

    @property
    def total(self) -> int:
        return sum(amount for _name, _place, amount in self.prizes)


@dataclass(frozen=True, slots=True)
class PrizeList:
    """All prizes. state: how complete the results are. started: a round is published, so there are standings."""

    plan: PrizePlan
    state: StandingsState
    started: bool
    categories: tuple[CategoryPrizes, ...] = ()

    @property
    def left(self) -> int:
        return sum(found.left for found in self.categories)

    @property
    def paid(self) -> int:
        return self.plan.fund - self.left

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """Return what each winner takes, in the order of the standings."""
        won: dict[int, list[tuple[str, int, int]]] = {}
        rows = {
            winner.row.participant_id: winner.row for found in self.categories for winner in found.winners
        }
        for found in self.categories:
            for winner in found.winners:
                prize = found.category.name, winner.award.same[0], winner.award.amount
                won.setdefault(winner.row.participant_id, []).append(prize)
        ordered = sorted(rows.values(), key=lambda row: (row.place or 0, row.tpn or 0))
        return tuple(Receipt(row, tuple(won[row.participant_id])) for row in ordered)


def prize_list(section: Section) -> PrizeList:
    """Return who wins what with the standings after the latest published round. Four queries."""
    return prize_list_of(load_field(section))


def prize_list_of(field: SectionField) -> PrizeList:
    """Return the same from a field. No query."""
    plan = field.section.prize_plan
    standings = standings_of(field)
    state, started = standings.state, standings.begun
    if not started:
        return PrizeList(plan, state, started)
    rows = {row.participant_id: row for row in standings.rows if plan.withdrawn or not row.withdrawn}
    people = [field.participants[key] for key in rows]
    may_win = [{one.pk for one in people if admits(category, one)} for category in plan.categories]
    given = distribute(
        [PrizeCandidate(row.participant_id, row.place or 0, row.points) for row in rows.values()],
        [
            Category(category.prizes, category.method, players)
            for category, players in zip(plan.categories, may_win, strict=True)
        ],
        unit=plan.unit,
        best_only=plan.best_only,
        rest_to_best=plan.rest_to_best,
    )
    won = {
        award.player: category.name
        for category, awards in zip(plan.categories, given.awards, strict=True)
        for award in awards
        if plan.best_only
    }
    return PrizeList(
        plan,
        state,
        started,
        tuple(
            CategoryPrizes(
                category=category,
                winners=tuple(Winner(rows[award.player], award) for award in awards),
                players=len(players),
                unknown=sum(_lacks_a_fact(category, one) for one in people),
                left=left,
                gone=tuple(
                    (rows[key], won[key])
                    for key in rows
                    if key in players and key in won and key not in {award.player for award in awards}
                ),
            )
            for category, players, awards, left in zip(
                plan.categories, may_win, given.awards, given.left, strict=True
            )
        ),
    )


def admits(category: PrizeCategory, entry: Participant) -> bool:
    """Return whether a player may win in a category. A player without a year of birth may not where it matters."""
    player, year = entry.player, _born(entry)
    born = (year or not (category.born_from or category.born_to)) and (
        category.born_from <= year <= (category.born_to or year)
    )
    return bool(
        born
        and _rating_counts(category, entry)
        and category.sex in ("", player.sex)
        and (not category.club or folded(category.club) == folded(entry.club))
        and (not category.federations or player.federation in category.federations)
    )


def _rating_counts(category: PrizeCategory, entry: Participant) -> bool:
    """Return whether the rating is inside the limits. A rating that the arbiter assigned is none."""
    if entry.rating == 0 or entry.rating_source == RatingSource.PROVISIONAL:
        return category.unrated != Unrated.NOT
    inside = category.rating_from <= entry.rating <= (category.rating_to or entry.rating)
    return inside and category.unrated != Unrated.ONLY


def _lacks_a_fact(category: PrizeCategory, entry: Participant) -> bool:
    unborn = bool(category.born_from or category.born_to) and not _born(entry)
    return unborn or (bool(category.sex) and not entry.player.sex)


def _born(entry: Participant) -> int:
    return int(entry.player.birth_date[:4] or 0)
