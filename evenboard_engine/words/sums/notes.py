"""What is said about one round: why it does not count, who stands for the opponent, and why it was cut."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.tiebreaks.cards import Kind
from evenboard_engine.tiebreaks.parts import Cut, Limit, Part, Role, ValueParts, Why
from evenboard_engine.words.catalogue import Language, gettext_noop, ngettext
from evenboard_engine.words.explanation import Statement
from evenboard_engine.words.tie_values import tie_value_text
from evenboard_engine.words.tiebreaks import tie_break_text

_KINDS: dict[Kind, str] = {
    Kind.FORFEIT_WIN: gettext_noop("Win by forfeit"),
    Kind.FORFEIT_LOSS: gettext_noop("Loss by forfeit"),
    Kind.DOUBLE_FORFEIT: gettext_noop("Double forfeit"),
    Kind.ALLOCATED: gettext_noop("Pairing-allocated bye"),
    Kind.FULL: gettext_noop("Full-point bye"),
    Kind.HALF: gettext_noop("Half-point bye"),
    Kind.ZERO: gettext_noop("Zero-point bye"),
    Kind.OPEN: gettext_noop("No result yet"),
}
"""The rounds that were not played."""
_FREE_ROUND = gettext_noop("Free round")
_NO_GAME = gettext_noop("No game that counts")

_LEFT_OUT: dict[Why, str] = {
    Why.FREE: gettext_noop("It does not count, because the player has no opponent in it."),
    Why.NOT_PLAYED: gettext_noop("It does not count, because there was no game over the board."),
    Why.UNRATED: gettext_noop("It does not count, because the opponent has no rating that counts here."),
    Why.NOT_TIED: gettext_noop("It does not count, because the opponent is not tied with the player."),
    Why.EARLY: gettext_noop("It does not count, because the score groups had no order yet."),
    Why.OPEN: gettext_noop("It does not count yet, because the game has no result."),
}
_TOO_FEW = gettext_noop("It does not count, because the opponent has less than %(points)s.")
_DUMMIES: dict[Why, str] = {
    Why.OWN_SCORE: gettext_noop(
        "It counts as a game against a dummy opponent with %(points)s, as many as the player has."
    ),
    Why.OPPONENT: gettext_noop(
        "It counts as a game against a dummy opponent with %(points)s, as many as the opponent of the pairing has, "
        "because the player has more."
    ),
    Why.DRAWS: gettext_noop(
        "It counts as a game against a dummy opponent with %(points)s, as many as a draw in every round gives, "
        "because the player has more."
    ),
    Why.NOTHING: gettext_noop("It counts as a game against an opponent with 0 points."),
}
_DUMMIES_DRAWN: dict[Why, str] = {
    Why.OWN_SCORE: gettext_noop(
        "It counts as a game against a dummy opponent with %(points)s, as many as the player has with the game of the "
        "last round drawn."
    ),
    Why.OPPONENT: gettext_noop(
        "It counts as a game against a dummy opponent with %(points)s, as many as the opponent of the pairing has with "
        "the game of the last round drawn, because the player has more."
    ),
}
"""The same with Fore Buchholz."""
_OPPONENT_DRAWN = ngettext(
    "The opponent scored %(points)s. Round %(list)s, which the opponent did not play, counts as a draw.",
    "The opponent scored %(points)s. Rounds %(list)s, which the opponent did not play, count as draws.",
    "rounds",
)
_LAST_DRAWN = gettext_noop("The opponent scored %(points)s. The last round counts as a draw.")
_FORFEIT_COUNTS = gettext_noop("A forfeit counts as a game.")
_CUTS: dict[Cut, str] = {
    Cut.LOWEST: gettext_noop("Cut: the lowest value."),
    Cut.HIGHEST: gettext_noop("Cut: the highest value."),
    Cut.BY_CHOICE: gettext_noop("Cut: the player chose not to play this round."),
    Cut.FIRST: gettext_noop("Cut: one of the first rounds."),
}
_LOWEST_OPPONENT = gettext_noop("Cut: the opponent with the fewest points.")
_LOWEST_RATING = gettext_noop("Cut: the lowest rating.")
_HIGHEST_RATING = gettext_noop("Cut: the highest rating.")
_NO_WIN_PLAYED = gettext_noop("%(points)s less, because it is a win without a game.")
_AGAINST_DRAW = gettext_noop("Without an opponent the points are compared with a draw.")
_NOBODY_CAME = gettext_noop("Neither player came, so the points are compared with a draw.")
_EXPECTED = gettext_noop("A difference of %(difference)s gives %(expected)s in FIDE’s table.")
_PLACED = gettext_noop(
    "The opponent was number %(place)s of %(size)s in the score group: %(round)s × %(size)s / %(place)s."
)


_BONUS = gettext_noop("%(points)s more, by decision of the arbiter.")
_PENALTY = gettext_noop("%(points)s less, by decision of the arbiter.")


def unplayed(part: Part, language: Language) -> str:
    """Return what a round without a game was, "" for a game.

    In a round robin the games of players who leave early do not count.
    """
    if part.why is Why.FREE:
        return language.translate(_FREE_ROUND if part.kind is Kind.ALLOCATED else _NO_GAME)
    return language.translate(_KINDS[part.kind]) if part.kind in _KINDS else ""


def notes(part: Part, found: ValueParts, language: Language) -> tuple[Statement, ...]:
    """Return what is to say about a round in a value, with the articles of C.07."""
    return tuple(_notes(part, found, language))


def _notes(part: Part, found: ValueParts, language: Language) -> Iterator[Statement]:
    rule = found.tie_break
    of_fide = bool(found.article)
    if part.role is Role.LEFT_OUT:
        yield _left_out(part, found, language)
    elif part.role is Role.DUMMY and part.why is not None:
        dummies = _DUMMIES | _DUMMIES_DRAWN if rule.fore else _DUMMIES
        text = language.translate(dummies[part.why]) % {"points": _points(part.worth, language)}
        yield _note(text, "16.4" if of_fide else "")
    elif part.role is Role.OPPONENT:
        if part.kind in (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT) and part.place is None:
            article = "14" if rule.forfeits else found.article if rule.name == "KS" else "15.2"
            yield _note(language.translate(_FORFEIT_COUNTS), article)
        if part.scored is not None:
            yield _opponent_drawn(part, found, language)
        if rule.name == "PTP" and part.worth is not None and found.value is not None:
            difference = int(found.value - part.worth)
            sign = "−" if difference < 0 else "+" if difference else ""
            shown = {
                "difference": f"{sign}{abs(difference)}",
                "expected": language.decimal(f"{float(part.counts):.2f}"),
            }
            yield _note(language.translate(_EXPECTED) % shown)
        if part.place is not None:
            place, size = part.place
            values = {"place": place, "size": size, "round": part.round}
            yield _note(language.translate(_PLACED) % values)
    elif rule.name == "OTHER_CUM" and part.worth is not None and part.counts != part.worth:
        text = language.translate(_NO_WIN_PLAYED) % {"points": _points(part.worth - part.counts, language)}
        yield _note(text)
    elif rule.name == "STD" and (part.opponent is None or part.kind is Kind.DOUBLE_FORFEIT):
        text = _NOBODY_CAME if part.kind is Kind.DOUBLE_FORFEIT else _AGAINST_DRAW
        yield _note(language.translate(text), found.article)
    if part.added is not None:
        text = language.translate(_PENALTY if part.added < 0 else _BONUS)
        yield _note(text % {"points": _points(abs(part.added), language)})
    if part.cut is not None:
        yield _note(language.translate(_cut(part.cut, rule)), _article_of_cut(part.cut, of_fide))


def _left_out(part: Part, found: ValueParts, language: Language) -> Statement:
    if part.why is Why.TOO_FEW_POINTS and isinstance(found.fact, Limit):
        text = language.translate(_TOO_FEW) % {"points": _points(found.fact.least, language)}
    elif part.why is Why.NOT_PLAYED and found.tie_break.name in ("KS", "PT") and part.opponent is None:
        text = language.translate(_LEFT_OUT[Why.FREE])
    else:
        text = language.translate(_LEFT_OUT[part.why or Why.NOT_PLAYED])
    return _note(text, found.article)


def _opponent_drawn(part: Part, found: ValueParts, language: Language) -> Statement:
    points = _points(part.scored, language)
    if found.tie_break.fore and part.drawn == (len(found.parts),):
        return _note(language.translate(_LAST_DRAWN) % {"points": points}, found.article)
    text = language.text_of(
        _OPPONENT_DRAWN, {"rounds": part.drawn}, {"points": points, "list": language.listed(part.drawn)}
    )
    return _note(text, "16.3" if found.article else "")


def _cut(cut: Cut, rule: TieBreak) -> str:
    if rule.name == "ARO":
        return _LOWEST_RATING if cut is Cut.LOWEST else _HIGHEST_RATING
    if rule.name == "SB" and cut is Cut.LOWEST:
        return _LOWEST_OPPONENT
    return _CUTS[cut]


def _article_of_cut(cut: Cut, of_fide: bool) -> str:
    if not of_fide:
        return ""
    return {Cut.BY_CHOICE: "16.5", Cut.LOWEST: "14.1"}.get(cut, "14")


def _note(text: str, article: str = "") -> Statement:
    return Statement(text, (article,) if article else ())


def _points(points: Fraction | None, language: Language) -> str:
    """Return points with the noun."""
    number = points or Fraction(0)
    return language.points(int(10 * number))


def text_of(value: Fraction | None) -> str:
    """Return a number, a dash for none."""
    return tie_break_text(value) or "–"


def value_text(rule: TieBreak, value: Fraction | None) -> str:
    """Return the value of a player, a dash if no game gives one."""
    return tie_value_text(rule, value) or "–"
