"""The words of the pages on how fair the pairings of a section were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from base.reader import READER
from evenboard_engine.comparing import Spread
from evenboard_engine.fairness import Agreement
from evenboard_engine.words.tiebreaks import order_name
from tournaments.models import Section
from tournaments.queries.fairness import Fairness, RoundSpread

from .systems import system_name


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A measure of all rounds together. meaning: what the value says."""

    name: str
    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class SpreadRow:
    """A score group, or all of them. cells: before, after, and after each other pairing; None for no round."""

    label: str
    players: int
    cells: tuple[Spread | None, ...]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class SpreadBlock:
    """The rows of a round."""

    label: str
    rows: tuple[SpreadRow, ...]


def aim_sentences(section: Section) -> list[str]:
    """Say what the pairing system of a section does about equal opposition, and what the page shows."""
    system = {"system": system_name(section.system)}
    if "aro" in section.lists:
        aim = _(
            "%(system)s: players with the same points get opponents who bring their AROs (the average rating of the "
            "opponents) closer together."
        )
        shown = _("This page shows how close together the AROs are.")
    else:
        aim = _("%(system)s: this system does not look at the ratings of earlier opponents.")
        shown = _("This page still shows how equal the opposition was.")
    return [aim % system, shown]


def spread_sentences(found: Fairness, *, of_fide: bool) -> list[str]:
    """Say how far the AROs of the score groups lay apart before and after the pairings; [] before round 2."""
    rounds = found.compared
    if not rounds:
        return []
    closer = sum(after.deviation < before.deviation for before, after in (one.whole for one in rounds))
    before, after = rounds[-1].whole
    counted = ngettext(
        "In %(closer)s of %(rounds)s round the pairing brought the AROs inside the score groups closer together.",
        "In %(closer)s of %(rounds)s rounds the pairing brought the AROs inside the score groups closer together.",
        len(rounds),
    )
    last = (
        _(
            "In round %(number)s their standard deviation is %(before)s Elo before the pairing and %(after)s with its "
            "games."
        )
        if of_fide
        else _(
            "In round %(number)s their standard deviation is %(before)s rating points before the pairing and %(after)s "
            "with its games."
        )
    )
    return [
        counted % {"closer": closer, "rounds": len(rounds)},
        last
        % {
            "number": rounds[-1].number,
            "before": floatformat(before.deviation, 1),
            "after": floatformat(after.deviation, 1),
        },
    ]


def smallest_sentence(found: Fairness, others: Mapping[str, Mapping[int, tuple[Spread, ...]]]) -> str:
    """Say in how many rounds each pairing has the smallest spread; "" before round 2.

    others: by the name of another pairing, its spreads in each round; () for no round. Deviations are compared with one
    decimal, as the files have them.
    """
    rounds = found.compared
    own = _("the section’s own pairing")
    counts = dict.fromkeys((own, *others), 0)
    for one in rounds:
        spreads = {own: one.after, **{name: each.get(one.number, ()) for name, each in others.items()}}
        deviations = {name: round(each[-1].deviation, 1) for name, each in spreads.items() if each}
        smallest = min(deviations.values())
        for name, deviation in deviations.items():
            counts[name] += deviation == smallest
    if not rounds:
        return ""
    each = [_("%(pairing)s in %(number)s") % {"pairing": name, "number": n} for name, n in counts.items()]
    text = ngettext(
        "Of %(rounds)s round, the smallest standard deviation is that of %(pairings)s; pairings that are level all "
        "count.",
        "Of %(rounds)s rounds, the smallest standard deviation is that of %(pairings)s; pairings that are level all "
        "count.",
        len(rounds),
    )
    return text % {"rounds": len(rounds), "pairings": READER.listed(each)}


def measure_rows(found: Fairness) -> list[MeasureRow]:
    """Return the measures of all rounds that are over; [] before round 1 is over."""
    if found.measures is None:
        return []
    return [
        _agreement_row(found.measures.agreement),
        *(
            MeasureRow(
                _("Unevenness of the pairing by %(order)s") % {"order": order_name(order, READER)},
                _percent(value),
                _unevenness_meaning(order) if place == 0 else _same_meaning(order),
            )
            for place, (order, value) in enumerate(found.measures.qualities)
        ),
    ]


def _percent(value: Fraction | None) -> str:
    return "–" if value is None else _("%(number)s %%") % {"number": floatformat(100 * float(value), 1)}


def _unevenness_meaning(order: str) -> str:
    meaning = _(
        "How differently the pairing treated players who are level on points, by the Pairing Tiebreaker (its measure "
        "of the quality of a pairing). Each score group is in the order of %(order)s. 0 %% means that the opponents "
        "were placed equally well in their score groups. Smaller is more even."
    )
    return meaning % {"order": order_name(order, READER)}


def _same_meaning(order: str) -> str:
    return _("The same, with each score group in the order of %(order)s.") % {
        "order": order_name(order, READER)
    }


def _agreement_row(agreement: Agreement) -> MeasureRow:
    value = agreement.value
    meaning = ngettext(
        "Of %(pairs)s pair of players with different points, the player with more points has the higher performance "
        "rating (TPR) in %(agree)s, the lower one in %(contradict)s. 100 %% is agreement in all pairs, 0 %% in half "
        "of them.",
        "Of %(pairs)s pairs of players with different points, the player with more points has the higher performance "
        "rating (TPR) in %(agree)s, the lower one in %(contradict)s. 100 %% is agreement in all pairs, 0 %% in half "
        "of them.",
        agreement.pairs,
    )
    return MeasureRow(
        _("Agreement of points and performance"),
        _percent(value),
        meaning % {"pairs": agreement.pairs, "agree": agreement.agree, "contradict": agreement.contradict},
    )


def limit_sentences(*, compared: bool = False) -> list[str]:
    """Return what the values do not show. compared: beside other pairings."""
    sentences = [
        _(
            "The AROs of a score group cannot always be equal: earlier meetings, colours and small groups leave few "
            "choices."
        ),
        _("Equal AROs do not say that the ratings are right, or that the strongest player wins."),
        _(
            "Compare only tournaments of like size: with many players and few rounds any pairing is more uneven by "
            "this measure."
        ),
        _("Today’s results and ratings count. After a correction the values of earlier rounds may change."),
        _("Forfeited games and opponents without a rating are left out of the AROs."),
    ]
    if compared:
        sentences.append(
            _(
                "Each other pairing begins with the rounds that were really played. If it had paired all rounds, the "
                "later rounds would have other pairs."
            )
        )
    return sentences


def blocks_of(
    rounds: tuple[RoundSpread, ...], others: dict[int, tuple[tuple[Spread, ...], ...]] | None = None
) -> list[SpreadBlock]:
    """Return the rows of each round. others: by round, the spreads of each other pairing; () for no round."""
    found = []
    for one in rounds:
        more = (others or {}).get(one.number, ())
        columns = [one.before, one.after, *more]
        rows = [
            SpreadRow(
                pgettext("players", "All") if before.score is None else READER.points(before.score),
                after.players,
                tuple(column[at] if column else None for column in columns),
                whole=before.score is None,
            )
            for at, (before, after) in enumerate((*one.groups, one.whole))
        ]
        found.append(SpreadBlock(_("Round %(number)s") % {"number": one.number}, tuple(rows)))
    return found
