"""What people read about the tie-breaks: names, meanings, examples, and what each modifier changes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak

from .catalogue import ENGLISH, Counted, Language, ngettext
from .catalogue import gettext_noop as _


@dataclass(frozen=True, slots=True)
class TieBreakWords:
    """name: as a label. inside: as a part of a sentence. example: one player, with numbers."""

    name: str
    inside: str
    meaning: str
    example: str


TIE_BREAKS: dict[str, TieBreakWords] = {
    "PTS": TieBreakWords(
        _("Points"),
        _("points"),
        _("The points of all rounds, with byes and forfeits."),
        _("A player with 4 wins, 2 draws and a half-point bye has 5½."),
    ),
    "DE": TieBreakWords(
        _("Direct encounter"),
        _("direct encounter"),
        _(
            "The points from the games between the tied players. In a round robin they decide at any time. In a Swiss "
            "tournament in which not all of them have met, a player is first only if the missing games could not "
            "change this."
        ),
        _("Two players are tied, and one of them won the game between them: that player is first."),
    ),
    "WIN": TieBreakWords(
        _("Wins"),
        _("wins"),
        _(
            "How many rounds gave the player the points of a win. Forfeit wins and byes with full points count."
        ),
        _("3 games won, a forfeit win and a draw are 4 wins."),
    ),
    "WON": TieBreakWords(
        _("Games won"),
        _("games won"),
        _("How many games the player won over the board. Forfeits and byes do not count."),
        _("3 games won, a forfeit win and a draw are 3 games won."),
    ),
    "BPG": TieBreakWords(
        _("Games with Black"),
        _("games with Black"),
        _("How many games the player played with Black."),
        _("In 7 rounds a player had Black 4 times, once by forfeit: 3 games with Black."),
    ),
    "BWG": TieBreakWords(
        _("Wins with Black"),
        _("wins with Black"),
        _("How many games the player won with Black."),
        _("With Black a player won 2 games and drew one: 2 wins with Black."),
    ),
    "PS": TieBreakWords(
        _("Progressive score"),
        _("progressive score"),
        _("The player’s points after each round, added up. Early points count more often."),
        _("A win, a draw and a loss give 1 + 1½ + 1½ = 4."),
    ),
    "REP": TieBreakWords(
        _("Rounds played by choice"),
        _("rounds played by choice"),
        _(
            "How many rounds the player was ready to play: all rounds except half-point byes, zero-point byes and "
            "forfeit losses."
        ),
        _("9 rounds with one half-point bye and one forfeit loss are 7 rounds."),
    ),
    "STD": TieBreakWords(
        _("Standard points"),
        _("standard points"),
        _(
            "1 for each round in which the player got more points than the opponent, ½ for as many. A round without an "
            "opponent counts 1 for more points than a draw, ½ for as many."
        ),
        _("2 wins, a draw and a half-point bye are 2 + ½ + ½ = 3."),
    ),
    "TPN": TieBreakWords(
        _("Pairing number"),
        _("pairing number"),
        _("The lower number is first. No two players are tied after it."),
        _("Number 7 is before number 12."),
    ),
    "BH": TieBreakWords(
        _("Buchholz"),
        _("Buchholz"),
        _(
            "The points of all opponents, added up. A round that was not played counts as a game against a dummy, who "
            "has the points of the player, but not more than the opponent of a forfeit or than a draw in every round."
        ),
        _("Opponents with 4, 3½ and 2 points give 9½."),
    ),
    "FB": TieBreakWords(
        _("Fore Buchholz"),
        _("Fore Buchholz"),
        _(
            "Buchholz as if every game of the last round were a draw, so it is known before the last round ends."
        ),
        _("An opponent with 4 points who wins the last round has 5, but counts as 4½."),
    ),
    "AOB": TieBreakWords(
        _("Average of opponents’ Buchholz"),
        _("average of opponents’ Buchholz"),
        _("The average Buchholz of the opponents met over the board. It is not rounded."),
        _("Opponents with a Buchholz of 20, 22½ and 18 give 20.167."),
    ),
    "SB": TieBreakWords(
        _("Sonneborn-Berger"),
        _("Sonneborn-Berger"),
        _(
            "For each round the points of the opponent times the points scored against that opponent, added up."
        ),
        _("A win against an opponent with 4 points and a draw with one who has 3 give 4 + 1½ = 5½."),
    ),
    "KS": TieBreakWords(
        _("Koya"),
        _("Koya"),
        _("The points against opponents who have at least half of all possible points."),
        _("2 wins and a draw against such opponents, and 3 wins against others, give 2½."),
    ),
    "ARO": TieBreakWords(
        _("Average rating of opponents (ARO)"),
        _("ARO"),
        _("The average rating of the opponents met over the board, rounded to a whole number."),
        _("Opponents rated 2100, 1950 and 1900 give 1983."),
    ),
    "TPR": TieBreakWords(
        _("Tournament performance rating"),
        _("tournament performance rating"),
        _(
            "The average rating of the opponents and the rating difference that FIDE’s table has for the score."
        ),
        _("75 % against an average of 1983 gives 1983 + 193 = 2176."),
    ),
    "PTP": TieBreakWords(
        _("Perfect tournament performance"),
        _("perfect tournament performance"),
        _("The lowest rating from which FIDE’s table expects the player’s score or more."),
        _("A draw with an opponent rated 2000 gives 1997, from where half a point is expected."),
    ),
    "APRO": TieBreakWords(
        _("Average performance of opponents"),
        _("average performance of opponents"),
        _(
            "The average tournament performance rating of the opponents met over the board, rounded to a whole number."
        ),
        _("Opponents who performed as 2100 and 2051 give 2076."),
    ),
    "APPO": TieBreakWords(
        _("Average perfect performance of opponents"),
        _("average perfect performance of opponents"),
        _(
            "The average perfect tournament performance of the opponents met over the board, rounded to a whole number."
        ),
        _("Opponents with 2100 and 2051 give 2076."),
    ),
    "RTNG": TieBreakWords(
        _("Rating"), _("rating"), _("The higher rating is first."), _("2210 is before 2180.")
    ),
    "OTHER_MODMED": TieBreakWords(
        _("Modified median"),
        _("modified median"),
        _(
            "Of US Chess: the points of the opponents, without the lowest if the player has more than half of the "
            "points, without the highest if the player has less, and without both at exactly half. From 9 rounds on "
            "two are left out. A round that an opponent did not play counts as a draw. A round that the player "
            "did not play counts as an opponent with 0."
        ),
        _("With 3½ points of 5 against opponents with 4, 3½, 3, 2½ and 1, the 1 is left out: 13."),
    ),
    "OTHER_SOLKOFF": TieBreakWords(
        _("Solkoff"),
        _("Solkoff"),
        _("Of US Chess: as modified median, and nothing is left out."),
        _("Opponents with 4, 3½, 3, 2½ and 1 give 14."),
    ),
    "OTHER_LOTS": TieBreakWords(
        _("Drawing of lots"),
        _("drawing of lots"),
        _(
            "The program draws a lot for each player from the seed, a published word. The same seed and pairing "
            "numbers always give the same lots, so everybody can repeat the draw: lots are in the order of the "
            "SHA-256 sums of the texts “seed/pairing number”."
        ),
        _("With the seed 7F3A a player with the number 12 has the sum of the text “7F3A/12”."),
    ),
    "OTHER_CUM": TieBreakWords(
        _("Cumulative"),
        _("cumulative"),
        _(
            "Of US Chess: the player’s points after each round, added up, less one point for each win without a game."
        ),
        _("A bye with a point, a win and a loss give 1 + 2 + 2 − 1 = 4."),
    ),
    "PT": TieBreakWords(
        _("Pairing Tiebreaker"),
        _("Pairing Tiebreaker"),
        _(
            "How well placed the opponents were in their score groups before each round, weighted by the number of the "
            "round. It is not a tie-break of FIDE."
        ),
        _(
            "In round 2 an opponent who is the second of 4, in round 3 the first of 2: "
            "(2 × 4/2 + 3 × 2/1) / (2 + 3) = 2."
        ),
    ),
}
"""By the name in the codes; FB is Buchholz with the last round drawn."""

_SHORT = {
    "OTHER_MODMED": _("ModMed"),
    "OTHER_SOLKOFF": _("Solk"),
    "OTHER_CUM": _("Cum"),
    "OTHER_LOTS": _("Lot"),
}

PRESET_NAMES: dict[str, str] = {
    "open": _("Swiss open"),
    "round_robin": _("Round robin"),
    "us_chess": _("US Chess"),
}
"""By the word of the preset."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_("Games between the tied players"), ("DE",)),
    (_("Own results"), ("WIN", "WON", "BPG", "BWG", "PS", "REP", "STD", "OTHER_CUM")),
    (_("Results of the opponents"), ("BH", "FB", "AOB", "SB", "KS", "OTHER_MODMED", "OTHER_SOLKOFF")),
    (_("Ratings"), ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG")),
    (_("Pairing numbers"), ("TPN",)),
    (_("Pairings"), ("OTHER_PT",)),
)
"""The tie-breaks by what they are made of."""

_CUT = _("%(name)s cut %(number)s")
_MEDIAN = _("%(name)s median %(number)s")
_FORFEITS = _("%(name)s with forfeits")
_FORE = _("%(name)s, last round drawn")
_REVERSED = _("%(name)s, reversed")
_SEED_NAME = _("%(name)s, seed %(seed)s")
_ORDERED_NAME = _("%(name)s by %(order)s")
_LIMIT_NAME = _("%(name)s, limit %(points)s")

_LEAST = ngettext(
    "The lowest value is left out. A round that the player chose not to play is left out first.",
    "The %(number)s lowest values are left out. Rounds that the player chose not to play are left out first.",
    "number",
)
_MODIFIERS: dict[str, Counted] = {
    "PS": ngettext(
        "The points after round 1 are left out.",
        "The points after the first %(number)s rounds are left out.",
        "number",
    ),
    "ARO": ngettext(
        "The lowest rating is left out.", "The %(number)s lowest ratings are left out.", "number"
    ),
}
_BOTH_ENDS = ngettext(
    "The lowest and the highest value are left out.",
    "The %(number)s lowest and the %(number)s highest values are left out.",
    "number",
)
_LIMIT_HIGHER = ngettext(
    "The limit is half a point higher.", "The limit is %(number)s half points higher.", "number"
)
_LIMIT_LOWER = ngettext(
    "The limit is half a point lower.", "The limit is %(number)s half points lower.", "number"
)
_ORDERS = {
    "aro": (_("ARO"), _("Score groups are in the order of ARO.")),
    "aro97": (_("exact ARO"), _("Score groups are in the order of ARO, which is not rounded.")),
    "buchholz": (_("Buchholz"), _("Score groups are in the order of Buchholz before the round.")),
    "rating": (_("rating"), _("Score groups are in the order of ratings.")),
}
"""The name and a sentence for each order of the Pairing Tiebreaker."""
_COUNT_FORFEITS = _("A forfeit counts as a game with the opponent of the pairing.")
_NO_FORFEITS = _("Forfeits do not count in tie-breaks from ratings, whatever the code says.")
_LAST_DRAWN = _("Every game of the last round counts as a draw.")
_PLAY_OFF = _("Play-off"), _("play-off")
_OTHER_WAY = _("The order is the other way round.")


def tie_break_label(rule: TieBreak, language: Language = ENGLISH) -> str:
    """Return what heads a column: the code, or a short name of a tie-break that FIDE does not have."""
    return language.translate(_SHORT.get(rule.name, rule.text.removeprefix("OTHER_")))


def words_of_tie_break(rule: TieBreak) -> TieBreakWords | None:
    """Return the words for a tie-break without its modifiers; None if the program does not know it."""
    return TIE_BREAKS.get("FB" if rule.name == "BH" and rule.fore else rule.name)


def tie_break_name(rule: TieBreak, language: Language = ENGLISH, *, inside: bool = False) -> str:
    """Return the name with its modifiers: Buchholz cut 1. inside: in a sentence. The code if it is unknown."""
    words = words_of_tie_break(rule)
    if words is None:
        return language.translate(_PLAY_OFF[inside]) if rule.text.upper() == "OTHER_PLAYOFF" else rule.text
    name = language.translate(words.inside if inside else words.name)
    for text, number in _modified(rule):
        name = language.translate(text) % {"name": name, "number": number}
    if rule.seed:
        name = language.translate(_SEED_NAME) % {"name": name, "seed": rule.seed}
    if rule.order:
        name = language.translate(_ORDERED_NAME) % {"name": name, "order": order_name(rule.order, language)}
    if rule.limit:
        points = f"{'+' if rule.limit > 0 else '−'}{tie_break_text(Fraction(abs(rule.limit), 2))}"
        name = language.translate(_LIMIT_NAME) % {"name": name, "points": points}
    return name


def _modified(rule: TieBreak) -> list[tuple[str, int]]:
    found = [(_CUT, rule.cut), (_MEDIAN, rule.median), (_FORFEITS, int(_counts_forfeits(rule)))]
    found += [(_FORE, int(rule.fore and rule.name == "AOB")), (_REVERSED, int(rule.reverse))]
    return [(text, number) for text, number in found if number]


def _counts_forfeits(rule: TieBreak) -> bool:
    """Return whether forfeits count as games (/P); tie-breaks from ratings ignore it."""
    return rule.forfeits and not rule.of_opponents_ratings


def order_name(order: str, language: Language = ENGLISH) -> str:
    """Return the name of an order of score groups of the Pairing Tiebreaker, for the middle of a sentence."""
    return language.translate(_ORDERS[order][0])


def tie_break_meaning(rule: TieBreak, language: Language = ENGLISH) -> str:
    """Return what a tie-break is, and a sentence for each modifier; "" if it is unknown."""
    words = words_of_tie_break(rule)
    if words is None:
        return ""
    sentences = [language.translate(words.meaning)]
    if rule.cut:
        cut = _MODIFIERS.get(rule.name, _LEAST)
        sentences.append(language.text_of(cut, {"number": rule.cut}))
    if rule.median:
        sentences.append(language.text_of(_BOTH_ENDS, {"number": rule.median}))
    if rule.limit:
        moved = _LIMIT_HIGHER if rule.limit > 0 else _LIMIT_LOWER
        sentences.append(language.text_of(moved, {"number": abs(rule.limit)}))
    if rule.order:
        sentences.append(language.translate(_ORDERS[rule.order][1]))
    sentences += [
        language.translate(text)
        for text, applies in (
            (_COUNT_FORFEITS, _counts_forfeits(rule)),
            (_NO_FORFEITS, rule.forfeits and rule.of_opponents_ratings),
            (_LAST_DRAWN, rule.fore and rule.name == "AOB"),
            (_OTHER_WAY, rule.reverse),
        )
        if applies
    ]
    return " ".join(sentences)


_QUARTERS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def tie_break_text(value: Fraction | None) -> str:
    """Return a value as people write it: 12½, 8¾, 20.167; "" for none."""
    if value is None:
        return ""
    if value < 0:
        return f"-{tie_break_text(-value)}"
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    if rest in _QUARTERS:
        return f"{whole or ''}{_QUARTERS[rest]}"
    return f"{float(value):.3f}"


# Write the value of a tie-break in the form that its column has.

_WITH_DECIMALS = frozenset({"AOB", "PT"})
"""Averages that are not rounded to whole numbers."""


def tie_value_text(rule: TieBreak, value: Fraction | None) -> str:
    """Return the value of a player: 12½, 8¾, an average as 14.600 or 15.000; "" for none, or if no game gives one.

    A value that was computed elsewhere has decimals, because it may have any: 1.5, 1.125.
    """
    if rule.of_opponents_ratings and not value:
        return ""
    if rule.name in _WITH_DECIMALS and value is not None:
        return f"{float(value):.3f}"
    if not rule.name and value is not None:
        return f"{float(value):.3f}".rstrip("0").rstrip(".")
    return tie_break_text(value)
