"""What people read about the tie-breaks: names, meanings, examples, and what each modifier changes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak

from .catalogue import ENGLISH, Counted, Language, gettext_noop, ngettext


@dataclass(frozen=True, slots=True)
class TieBreakWords:
    """name: as a label. inside: as a part of a sentence. example: one player, with numbers."""

    name: str
    inside: str
    meaning: str
    example: str


TIE_BREAKS: dict[str, TieBreakWords] = {
    "PTS": TieBreakWords(
        gettext_noop("Points"),
        gettext_noop("points"),
        gettext_noop("The points of all rounds, with byes and forfeits."),
        gettext_noop("A player with 4 wins, 2 draws and a half-point bye has 5½."),
    ),
    "DE": TieBreakWords(
        gettext_noop("Direct encounter"),
        gettext_noop("direct encounter"),
        gettext_noop(
            "The points from the games between the tied players. In a round robin they decide at any time. In a Swiss "
            "tournament in which not all of them have met, a player is first only if the missing games could not "
            "change this."
        ),
        gettext_noop(
            "Two players are tied, and one of them won the game between them: that player is first."
        ),
    ),
    "WIN": TieBreakWords(
        gettext_noop("Wins"),
        gettext_noop("wins"),
        gettext_noop(
            "How many rounds gave the player the points of a win. Forfeit wins and byes with full points count."
        ),
        gettext_noop("3 games won, a forfeit win and a draw are 4 wins."),
    ),
    "WON": TieBreakWords(
        gettext_noop("Games won"),
        gettext_noop("games won"),
        gettext_noop("How many games the player won over the board. Forfeits and byes do not count."),
        gettext_noop("3 games won, a forfeit win and a draw are 3 games won."),
    ),
    "BPG": TieBreakWords(
        gettext_noop("Games with Black"),
        gettext_noop("games with Black"),
        gettext_noop("How many games the player played with Black."),
        gettext_noop("In 7 rounds a player had Black 4 times, once by forfeit: 3 games with Black."),
    ),
    "BWG": TieBreakWords(
        gettext_noop("Wins with Black"),
        gettext_noop("wins with Black"),
        gettext_noop("How many games the player won with Black."),
        gettext_noop("With Black a player won 2 games and drew one: 2 wins with Black."),
    ),
    "PS": TieBreakWords(
        gettext_noop("Progressive score"),
        gettext_noop("progressive score"),
        gettext_noop("The player’s points after each round, added up. Early points count more often."),
        gettext_noop("A win, a draw and a loss give 1 + 1½ + 1½ = 4."),
    ),
    "REP": TieBreakWords(
        gettext_noop("Rounds played by choice"),
        gettext_noop("rounds played by choice"),
        gettext_noop(
            "How many rounds the player was ready to play: all rounds except half-point byes, zero-point byes and "
            "forfeit losses."
        ),
        gettext_noop("9 rounds with one half-point bye and one forfeit loss are 7 rounds."),
    ),
    "STD": TieBreakWords(
        gettext_noop("Standard points"),
        gettext_noop("standard points"),
        gettext_noop(
            "1 for each round in which the player got more points than the opponent, ½ for as many. A round without an "
            "opponent counts 1 for more points than a draw, ½ for as many."
        ),
        gettext_noop("2 wins, a draw and a half-point bye are 2 + ½ + ½ = 3."),
    ),
    "TPN": TieBreakWords(
        gettext_noop("Pairing number"),
        gettext_noop("pairing number"),
        gettext_noop("The lower number is first. No two players are tied after it."),
        gettext_noop("Number 7 is before number 12."),
    ),
    "BH": TieBreakWords(
        gettext_noop("Buchholz"),
        gettext_noop("Buchholz"),
        gettext_noop(
            "The points of all opponents, added up. A round that was not played counts as a game against a dummy, who "
            "has the points of the player, but not more than the opponent of a forfeit or than a draw in every round."
        ),
        gettext_noop("Opponents with 4, 3½ and 2 points give 9½."),
    ),
    "FB": TieBreakWords(
        gettext_noop("Fore Buchholz"),
        gettext_noop("Fore Buchholz"),
        gettext_noop(
            "Buchholz as if every game of the last round were a draw, so it is known before the last round ends."
        ),
        gettext_noop("An opponent with 4 points who wins the last round has 5, but counts as 4½."),
    ),
    "AOB": TieBreakWords(
        gettext_noop("Average of opponents’ Buchholz"),
        gettext_noop("average of opponents’ Buchholz"),
        gettext_noop("The average Buchholz of the opponents met over the board. It is not rounded."),
        gettext_noop("Opponents with a Buchholz of 20, 22½ and 18 give 20.167."),
    ),
    "SB": TieBreakWords(
        gettext_noop("Sonneborn-Berger"),
        gettext_noop("Sonneborn-Berger"),
        gettext_noop(
            "For each round the points of the opponent times the points scored against that opponent, added up."
        ),
        gettext_noop(
            "A win against an opponent with 4 points and a draw with one who has 3 give 4 + 1½ = 5½."
        ),
    ),
    "KS": TieBreakWords(
        gettext_noop("Koya"),
        gettext_noop("Koya"),
        gettext_noop("The points against opponents who have at least half of all possible points."),
        gettext_noop("2 wins and a draw against such opponents, and 3 wins against others, give 2½."),
    ),
    "ARO": TieBreakWords(
        gettext_noop("Average rating of opponents (ARO)"),
        gettext_noop("ARO"),
        gettext_noop("The average rating of the opponents met over the board, rounded to a whole number."),
        gettext_noop("Opponents rated 2100, 1950 and 1900 give 1983."),
    ),
    "TPR": TieBreakWords(
        gettext_noop("Tournament performance rating"),
        gettext_noop("tournament performance rating"),
        gettext_noop(
            "The average rating of the opponents and the rating difference that FIDE’s table has for the score."
        ),
        gettext_noop("75 % against an average of 1983 gives 1983 + 193 = 2176."),
    ),
    "PTP": TieBreakWords(
        gettext_noop("Perfect tournament performance"),
        gettext_noop("perfect tournament performance"),
        gettext_noop("The lowest rating from which FIDE’s table expects the player’s score or more."),
        gettext_noop("A draw with an opponent rated 2000 gives 1997, from where half a point is expected."),
    ),
    "APRO": TieBreakWords(
        gettext_noop("Average performance of opponents"),
        gettext_noop("average performance of opponents"),
        gettext_noop(
            "The average tournament performance rating of the opponents met over the board, rounded to a whole number."
        ),
        gettext_noop("Opponents who performed as 2100 and 2051 give 2076."),
    ),
    "APPO": TieBreakWords(
        gettext_noop("Average perfect performance of opponents"),
        gettext_noop("average perfect performance of opponents"),
        gettext_noop(
            "The average perfect tournament performance of the opponents met over the board, rounded to a whole number."
        ),
        gettext_noop("Opponents with 2100 and 2051 give 2076."),
    ),
    "RTNG": TieBreakWords(
        gettext_noop("Rating"),
        gettext_noop("rating"),
        gettext_noop("The higher rating is first."),
        gettext_noop("2210 is before 2180."),
    ),
    "OTHER_MODMED": TieBreakWords(
        gettext_noop("Modified median"),
        gettext_noop("modified median"),
        gettext_noop(
            "Of US Chess: the points of the opponents, without the lowest if the player has more than half of the "
            "points, without the highest if the player has less, and without both at exactly half. From 9 rounds on "
            "two are left out. A round that an opponent did not play counts as a draw. A round that the player "
            "did not play counts as an opponent with 0."
        ),
        gettext_noop("With 3½ points of 5 against opponents with 4, 3½, 3, 2½ and 1, the 1 is left out: 13."),
    ),
    "OTHER_SOLKOFF": TieBreakWords(
        gettext_noop("Solkoff"),
        gettext_noop("Solkoff"),
        gettext_noop("Of US Chess: as modified median, and nothing is left out."),
        gettext_noop("Opponents with 4, 3½, 3, 2½ and 1 give 14."),
    ),
    "OTHER_LOTS": TieBreakWords(
        gettext_noop("Drawing of lots"),
        gettext_noop("drawing of lots"),
        gettext_noop(
            "The program draws a lot for each player from the seed, a published word. The same seed and pairing "
            "numbers always give the same lots, so everybody can repeat the draw: lots are in the order of the "
            "SHA-256 sums of the texts “seed/pairing number”."
        ),
        gettext_noop("With the seed 7F3A a player with the number 12 has the sum of the text “7F3A/12”."),
    ),
    "OTHER_CUM": TieBreakWords(
        gettext_noop("Cumulative"),
        gettext_noop("cumulative"),
        gettext_noop(
            "Of US Chess: the player’s points after each round, added up, less one point for each win without a game."
        ),
        gettext_noop("A bye with a point, a win and a loss give 1 + 2 + 2 − 1 = 4."),
    ),
    "PT": TieBreakWords(
        gettext_noop("Pairing Tiebreaker"),
        gettext_noop("Pairing Tiebreaker"),
        gettext_noop(
            "How well placed the opponents were in their score groups before each round, weighted by the number of the "
            "round. It is not a tie-break of FIDE."
        ),
        gettext_noop(
            "In round 2 an opponent who is the second of 4, in round 3 the first of 2: "
            "(2 × 4/2 + 3 × 2/1) / (2 + 3) = 2."
        ),
    ),
}
"""By the name in the codes; FB is Buchholz with the last round drawn."""

_SHORT = {
    "OTHER_MODMED": gettext_noop("ModMed"),
    "OTHER_SOLKOFF": gettext_noop("Solk"),
    "OTHER_CUM": gettext_noop("Cum"),
    "OTHER_LOTS": gettext_noop("Lot"),
}

PRESET_NAMES: dict[str, str] = {
    "open": gettext_noop("Swiss open: Buchholz"),
    "round_robin": gettext_noop("Round robin: Sonneborn-Berger, Koya"),
    "us_chess": gettext_noop("US Chess: modified median, Solkoff, cumulative"),
}
"""By the word of the preset."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (gettext_noop("Games between the tied players"), ("DE",)),
    (gettext_noop("Own results"), ("WIN", "WON", "BPG", "BWG", "PS", "REP", "STD", "OTHER_CUM")),
    (
        gettext_noop("Results of the opponents"),
        ("BH", "FB", "AOB", "SB", "KS", "OTHER_MODMED", "OTHER_SOLKOFF"),
    ),
    (gettext_noop("Ratings"), ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG")),
    (gettext_noop("Pairing numbers"), ("TPN",)),
    (gettext_noop("Pairings"), ("OTHER_PT",)),
)
"""The tie-breaks by what they are made of."""

_CUT = gettext_noop("%(name)s cut %(number)s")
_MEDIAN = gettext_noop("%(name)s median %(number)s")
_FORFEITS = gettext_noop("%(name)s with forfeits")
_FORE = gettext_noop("%(name)s, last round drawn")
_REVERSED = gettext_noop("%(name)s, reversed")
_SEED_NAME = gettext_noop("%(name)s, seed %(seed)s")
_ORDERED_NAME = gettext_noop("%(name)s by %(order)s")
_LIMIT_NAME = gettext_noop("%(name)s, limit %(points)s")

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
    "aro": (gettext_noop("ARO"), gettext_noop("Score groups are in the order of ARO.")),
    "aro97": (
        gettext_noop("exact ARO"),
        gettext_noop("Score groups are in the order of ARO, which is not rounded."),
    ),
    "buchholz": (
        gettext_noop("Buchholz"),
        gettext_noop("Score groups are in the order of Buchholz before the round."),
    ),
    "rating": (gettext_noop("rating"), gettext_noop("Score groups are in the order of ratings.")),
}
"""The name and a sentence for each order of the Pairing Tiebreaker."""
_COUNT_FORFEITS = gettext_noop("A forfeit counts as a game with the opponent of the pairing.")
_NO_FORFEITS = gettext_noop("Forfeits do not count in tie-breaks from ratings, whatever the code says.")
_LAST_DRAWN = gettext_noop("Every game of the last round counts as a draw.")
_PLAY_OFF = gettext_noop("Play-off"), gettext_noop("play-off")
_OTHER_WAY = gettext_noop("The order is the other way round.")


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
