"""What stands below the rounds of a value: the sum, and the steps that are not in the rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.tiebreaks.parts import (
    Drawn,
    Encounter,
    How,
    Limit,
    Median,
    Part,
    Perfect,
    Performance,
    Role,
    ValueParts,
    Weights,
)
from evenboard_engine.words.catalogue import Language, gettext_noop, ngettext
from evenboard_engine.words.tie_values import tie_value_text
from evenboard_engine.words.tiebreaks import tie_break_text

from .notes import text_of, value_text

_NO_GAME = gettext_noop("No game counts.")
_ROUNDED = gettext_noop("%(sum)s, rounded to %(value)s")
_TABLE = ngettext(
    "%(scored)s from %(games)s game is %(share)s %%. FIDE’s table has a difference of %(difference)s for it.",
    "%(scored)s from %(games)s games is %(share)s %%. FIDE’s table has a difference of %(difference)s for it.",
    "games",
)
_EXPECTED = gettext_noop(
    "With a rating of %(rating)s FIDE’s table expects %(expected)s, which is not less than the %(scored)s scored. With "
    "%(lower)s it expects %(below)s."
)
_NOTHING_SCORED = gettext_noop(
    "The player scored nothing, so the value is the lowest rating less 800: %(lowest)s − 800 = %(value)s."
)
_LIMIT = gettext_noop("Opponents with at least %(least)s count. A player who wins every round has %(most)s.")
_LOW = ngettext(
    "The player has %(points)s, more than half of the possible points (%(half)s). So the lowest value is cut.",
    "The player has %(points)s, more than half of the possible points (%(half)s). So the %(number)s lowest values are "
    "cut.",
    "number",
)
_HIGH = ngettext(
    "The player has %(points)s, less than half of the possible points (%(half)s). So the highest value is cut.",
    "The player has %(points)s, less than half of the possible points (%(half)s). So the %(number)s highest values are "
    "cut.",
    "number",
)
_BOTH = ngettext(
    "The player has %(points)s, half of the possible points. So the lowest and the highest value are cut.",
    "The player has %(points)s, half of the possible points. So the %(number)s lowest and the %(number)s highest "
    "values are cut.",
    "number",
)
_NOBODY_TIED = gettext_noop("Nobody else is tied with the player here, so there is nothing to compare.")
_ALL_MET = gettext_noop("All of %(players)s have met. Their points against each other: %(scores)s.")
_POINTS_DECIDE = gettext_noop(
    "In a round robin the points of %(players)s against each other decide at any time: %(scores)s."
)
_NOT_ALL_MET = gettext_noop(
    "Not all of %(players)s have met. Their points against each other, up to those with wins in all missing games: "
    "%(scores)s."
)
_ROW = gettext_noop("%(player)s %(points)s")
_ROW_MISSING = gettext_noop("%(player)s %(points)s to %(most)s")
_DIVIDED = gettext_noop("The order is: %(groups)s.")
_TIED_STILL = gettext_noop("%(players)s (tied)")
_UNDIVIDED = gettext_noop("This does not separate the players.")
_LOT = gettext_noop(
    "The SHA-256 sum of the text “%(text)s” is %(digest)s. In the order of the sums of all players it is number "
    "%(lot)s."
)
_NO_LOT = gettext_noop("Nobody else is tied with the player here, so no lot was needed.")
_TYPED = gettext_noop("The value was entered. The program does not compute it.")
_UNKNOWN = gettext_noop("The program does not know this tie-break, so it separates nobody.")
_NONE_TERM = gettext_noop("No round counts.")
_ONE_TERM = gettext_noop("One round counts: %(value)s")

_LONGEST = 8
"""So many tied players are named; more are counted."""


def lines(found: ValueParts, name_of: Callable[[int], str], language: Language) -> tuple[str, ...]:
    """Return the sentences below the rounds of a value."""
    return tuple(_lines(found, name_of, language))


def _lines(found: ValueParts, name_of: Callable[[int], str], language: Language) -> Iterator[str]:
    fact = found.fact
    kept = [part for part in found.parts if part.cut is None and part.role is not Role.LEFT_OUT]
    if isinstance(fact, Limit):
        values = {"least": _points(fact.least, language), "most": _points(fact.most, language)}
        yield language.translate(_LIMIT) % values
    elif isinstance(fact, Median):
        yield _median(fact, language)
    elif isinstance(fact, tuple):
        yield from _encounters(fact, found.player, name_of, language)
    elif isinstance(fact, Drawn):
        yield _lot(fact, found, language)
    elif found.how is How.TYPED:
        yield language.translate(_TYPED)
    elif found.how is How.UNKNOWN:
        yield language.translate(_UNKNOWN)
    yield from _sum(found, kept, language)


def _sum(found: ValueParts, kept: Sequence[Part], language: Language) -> Iterator[str]:
    """Yield the sum itself, and the steps after it."""
    fact = found.fact
    if found.how is How.SUM:
        yield from _plain_sum(found, kept, language)
    elif found.how is How.WEIGHTED:
        if isinstance(fact, Weights):
            rounds = _added(str(part.round) for part in kept)
            value = language.decimal(value_text(found.tie_break, found.value))
            yield f"{_added(language.decimal(text_of(part.counts)) for part in kept)} / {rounds} = {value}"
        else:
            yield language.translate(_NONE_TERM)
    elif found.how in (How.AVERAGE, How.WHOLE_AVERAGE, How.PERFORMANCE, How.PERFECT) and not kept:
        yield language.translate(_NO_GAME)
    elif found.how in (How.AVERAGE, How.WHOLE_AVERAGE):
        yield _average(kept, found.tie_break, found.value or Fraction(0), language)
    elif isinstance(fact, Performance):
        yield _average(kept, found.tie_break, Fraction(fact.average), language)
        yield from _performance(fact, found, language)
    elif isinstance(fact, Perfect):
        yield _perfect(fact, found.value or Fraction(0), language)


def _plain_sum(found: ValueParts, kept: Sequence[Part], language: Language) -> Iterator[str]:
    if len(kept) > 1:
        terms = [
            language.decimal(text_of(number)) for number in (*(part.counts for part in kept), found.value)
        ]
        yield f"{' + '.join(terms[:-1])} = {terms[-1]}"
    elif kept:
        yield language.translate(_ONE_TERM) % {"value": language.decimal(text_of(found.value))}
    elif found.parts:
        yield language.translate(_NONE_TERM)


def _average(kept: Sequence[Part], rule: TieBreak, value: Fraction, language: Language) -> str:
    exact = sum((part.counts for part in kept), Fraction(0)) / len(kept)
    shown = language.decimal(tie_value_text(rule, exact)) or "0"
    text = f"{_added(language.decimal(text_of(part.counts)) for part in kept)} / {len(kept)} = {shown}"
    if exact == value:
        return text
    return language.translate(_ROUNDED) % {"sum": text, "value": language.decimal(text_of(value))}


def _added(terms: Iterable[str]) -> str:
    """Return a sum, in brackets if it has more than one term."""
    every = list(terms)
    return f"({' + '.join(every)})" if len(every) > 1 else every[0]


def _performance(fact: Performance, found: ValueParts, language: Language) -> Iterator[str]:
    sign = "−" if fact.difference < 0 else "+"
    values = {
        "scored": _points(fact.scored, language),
        "games": fact.games,
        "share": fact.share,
        "difference": f"{'−' if fact.difference < 0 else ''}{abs(fact.difference)}",
    }
    yield language.text_of(_TABLE, values)
    yield f"{fact.average} {sign} {abs(fact.difference)} = {value_text(found.tie_break, found.value)}"


def _perfect(fact: Perfect, value: Fraction, language: Language) -> str:
    if not fact.scored:
        return language.translate(_NOTHING_SCORED) % {"lowest": fact.lowest, "value": int(value)}
    return language.translate(_EXPECTED) % {
        "rating": int(value),
        "expected": language.decimal(f"{float(fact.expected):.2f}"),
        "scored": tie_break_text(fact.scored),
        "lower": int(value) - 1,
        "below": language.decimal(f"{float(fact.below):.2f}"),
    }


def _median(fact: Median, language: Language) -> str:
    text = _BOTH if fact.low and fact.high else _LOW if fact.low else _HIGH
    values = {
        "points": _points(fact.points, language),
        "half": tie_break_text(fact.half),
        "number": fact.low or fact.high,
    }
    return language.text_of(text, values)


def _encounters(
    found: Sequence[Encounter], player: int, name_of: Callable[[int], str], language: Language
) -> Iterator[str]:
    if not found:
        yield language.translate(_NOBODY_TIED)
    for encounter in found:
        ordered = sorted(encounter.rows, key=lambda row: (row.player != player, -row.least, -row.most))
        rows = [
            language.translate(_ROW if row.least == row.most else _ROW_MISSING)
            % {"player": name_of(row.player), "points": text_of(row.least), "most": text_of(row.most)}
            for row in ordered
        ]
        players = [name_of(row.player) for row in ordered]
        met = all(len(row.points) == len(ordered) - 1 for row in ordered)
        table = _ALL_MET if met else _POINTS_DECIDE if encounter.all_met else _NOT_ALL_MET
        yield language.translate(table) % {
            "players": language.listed(players, longest=_LONGEST),
            "scores": _listed(rows, language),
        }
        yield _order(encounter, name_of, language)


def _order(encounter: Encounter, name_of: Callable[[int], str], language: Language) -> str:
    if len(encounter.groups) == 1:
        return language.translate(_UNDIVIDED)
    groups = [
        language.translate(_TIED_STILL)
        % {"players": language.listed([name_of(player) for player in group], longest=_LONGEST)}
        if len(group) > 1
        else name_of(group[0])
        for group in encounter.groups
    ]
    return language.translate(_DIVIDED) % {"groups": _listed(groups, language)}


def _listed(items: Sequence[str], language: Language) -> str:
    """Return a list without "and": with commas, or with semicolons if a name has a comma."""
    return language.listed(
        items, "semicolon" if any("," in one for one in items) else "comma", longest=_LONGEST
    )


def _lot(fact: Drawn, found: ValueParts, language: Language) -> str:
    if found.value is None:
        return language.translate(_NO_LOT)
    return language.translate(_LOT) % {"text": fact.text, "digest": fact.digest, "lot": fact.lot}


def _points(points: Fraction, language: Language) -> str:
    return language.points(int(10 * points))
