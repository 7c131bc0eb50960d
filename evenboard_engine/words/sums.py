"""Each value of the standings as a table: its rounds, what each counts, and sentences for what is not plain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.tiebreaks.cards import RoundKind
from evenboard_engine.tiebreaks.parts import (
    Cut,
    DrawnLot,
    Encounter,
    How,
    KoyaLimit,
    Median,
    PartRole,
    Perfect,
    Performance,
    RoundPart,
    Separation,
    ValueParts,
    Weights,
    Why,
)
from evenboard_engine.words.catalogue import ENGLISH, Language, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import Statement
from evenboard_engine.words.tiebreaks import tie_break_meaning, tie_break_name, tie_break_text, tie_value_text

__all__ = ["SumRow", "SumTable", "SumsWords"]


# What is said about one round: why it does not count, who stands for the opponent, and why it was cut.

_KINDS: dict[RoundKind, str] = {
    RoundKind.FORFEIT_WIN: _("Win by forfeit"),
    RoundKind.FORFEIT_LOSS: _("Loss by forfeit"),
    RoundKind.DOUBLE_FORFEIT: _("Double forfeit"),
    RoundKind.ALLOCATED: _("Pairing-allocated bye"),
    RoundKind.FULL: _("Full-point bye"),
    RoundKind.HALF: _("Half-point bye"),
    RoundKind.ZERO: _("Zero-point bye"),
    RoundKind.OPEN: _("No result yet"),
}
"""The rounds that were not played."""
_FREE_ROUND = _("Free round")
_NO_GAME_IN_ROUND = _("No game that counts")

_LEFT_OUT: dict[Why, str] = {
    Why.FREE: _("It does not count, because the player has no opponent in it."),
    Why.NOT_PLAYED: _("It does not count, because there was no game over the board."),
    Why.UNRATED: _("It does not count, because the opponent has no rating that counts here."),
    Why.NOT_TIED: _("It does not count, because the opponent is not tied with the player."),
    Why.EARLY: _("It does not count, because the score groups had no order yet."),
    Why.OPEN: _("It does not count yet, because the game has no result."),
}
_TOO_FEW = _("It does not count, because the opponent has less than %(points)s.")
_DUMMIES: dict[Why, str] = {
    Why.OWN_SCORE: _(
        "It counts as a game against a dummy opponent with %(points)s, as many as the player has."
    ),
    Why.OPPONENT: _(
        "It counts as a game against a dummy opponent with %(points)s, as many as the opponent of the pairing has, "
        "because the player has more."
    ),
    Why.DRAWS: _(
        "It counts as a game against a dummy opponent with %(points)s, as many as a draw in every round gives, "
        "because the player has more."
    ),
    Why.NOTHING: _("It counts as a game against an opponent with 0 points."),
}
_DUMMIES_DRAWN: dict[Why, str] = {
    Why.OWN_SCORE: _(
        "It counts as a game against a dummy opponent with %(points)s, as many as the player has with the game of the "
        "last round drawn."
    ),
    Why.OPPONENT: _(
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
_LAST_DRAWN = _("The opponent scored %(points)s. The last round counts as a draw.")
_FORFEIT_COUNTS = _("A forfeit counts as a game.")
_CUTS: dict[Cut, str] = {
    Cut.LOWEST: _("Cut: the lowest value."),
    Cut.HIGHEST: _("Cut: the highest value."),
    Cut.BY_CHOICE: _("Cut: the player chose not to play this round."),
    Cut.FIRST: _("Cut: one of the first rounds."),
}
_LOWEST_OPPONENT = _("Cut: the opponent with the fewest points.")
_LOWEST_RATING = _("Cut: the lowest rating.")
_HIGHEST_RATING = _("Cut: the highest rating.")
_NO_WIN_PLAYED = _("%(points)s less, because it is a win without a game.")
_AGAINST_DRAW = _("Without an opponent the points are compared with a draw.")
_NOBODY_CAME = _("Neither player came, so the points are compared with a draw.")
_EXPECTED = _("A difference of %(difference)s gives %(expected)s in FIDE’s table.")
_PLACED = _(
    "The opponent was number %(place)s of %(size)s in the score group: %(round)s × %(size)s / %(place)s."
)


_BONUS = _("%(points)s more, by decision of the arbiter.")
_PENALTY = _("%(points)s less, by decision of the arbiter.")


def unplayed(part: RoundPart, language: Language) -> str:
    """Return what a round without a game was, "" for a game.

    In a round robin the games of players who leave early do not count.
    """
    if part.why is Why.FREE:
        return language.translate(_FREE_ROUND if part.kind is RoundKind.ALLOCATED else _NO_GAME_IN_ROUND)
    return language.translate(_KINDS[part.kind]) if part.kind in _KINDS else ""


def notes(part: RoundPart, found: ValueParts, language: Language) -> tuple[Statement, ...]:
    """Return what is to say about a round in a value, with the articles of C.07."""
    return tuple(_notes(part, found, language))


def _notes(part: RoundPart, found: ValueParts, language: Language) -> Iterator[Statement]:
    rule = found.tie_break
    of_fide = bool(found.article)
    if part.role is PartRole.LEFT_OUT:
        yield _left_out(part, found, language)
    elif part.role is PartRole.DUMMY and part.why is not None:
        dummies = _DUMMIES | _DUMMIES_DRAWN if rule.fore else _DUMMIES
        text = language.translate(dummies[part.why]) % {"points": _points(part.worth, language)}
        yield _note(text, "16.4" if of_fide else "")
    elif part.role is PartRole.OPPONENT:
        if (
            part.kind in (RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS, RoundKind.DOUBLE_FORFEIT)
            and part.place is None
        ):
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
    elif rule.name == "STD" and (part.opponent is None or part.kind is RoundKind.DOUBLE_FORFEIT):
        text = _NOBODY_CAME if part.kind is RoundKind.DOUBLE_FORFEIT else _AGAINST_DRAW
        yield _note(language.translate(text), found.article)
    if part.added is not None:
        text = language.translate(_PENALTY if part.added < 0 else _BONUS)
        yield _note(text % {"points": _points(abs(part.added), language)})
    if part.cut is not None:
        yield _note(language.translate(_cut(part.cut, rule)), _article_of_cut(part.cut, of_fide))


def _left_out(part: RoundPart, found: ValueParts, language: Language) -> Statement:
    if part.why is Why.TOO_FEW_POINTS and isinstance(found.fact, KoyaLimit):
        text = language.translate(_TOO_FEW) % {"points": _points(found.fact.least, language)}
    elif part.why is Why.NOT_PLAYED and found.tie_break.name in ("KS", "PT") and part.opponent is None:
        text = language.translate(_LEFT_OUT[Why.FREE])
    else:
        text = language.translate(_LEFT_OUT[part.why or Why.NOT_PLAYED])
    return _note(text, found.article)


def _opponent_drawn(part: RoundPart, found: ValueParts, language: Language) -> Statement:
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


# What stands below the rounds of a value: the sum, and the steps that are not in the rounds.

_NO_GAME = _("No game counts.")
_ROUNDED = _("%(sum)s, rounded to %(value)s")
_TABLE = ngettext(
    "%(scored)s from %(games)s game is %(share)s %%. FIDE’s table has a difference of %(difference)s for it.",
    "%(scored)s from %(games)s games is %(share)s %%. FIDE’s table has a difference of %(difference)s for it.",
    "games",
)
_EXPECTED_SCORE = _(
    "With a rating of %(rating)s FIDE’s table expects %(expected)s, which is not less than the %(scored)s scored. With "
    "%(lower)s it expects %(below)s."
)
_NOTHING_SCORED = _(
    "The player scored nothing, so the value is the lowest rating less 800: %(lowest)s − 800 = %(value)s."
)
_LIMIT = _("Opponents with at least %(least)s count. A player who wins every round has %(most)s.")
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
_NOBODY_TIED = _("Nobody else is tied with the player here, so there is nothing to compare.")
_ALL_MET = _("All of %(players)s have met. Their points against each other: %(scores)s.")
_POINTS_DECIDE = _(
    "In a round robin the points of %(players)s against each other decide at any time: %(scores)s."
)
_NOT_ALL_MET = _(
    "Not all of %(players)s have met. Their points against each other, up to those with wins in all missing games: "
    "%(scores)s."
)
_ROW = _("%(player)s %(points)s")
_ROW_MISSING = _("%(player)s %(points)s to %(most)s")
_DIVIDED = _("The order is: %(groups)s.")
_TIED_STILL = _("%(players)s (tied)")
_UNDIVIDED = _("This does not separate the players.")
_LOT = _(
    "The SHA-256 sum of the text “%(text)s” is %(digest)s. In the order of the sums of all players it is number "
    "%(lot)s."
)
_NO_LOT = _("Nobody else is tied with the player here, so no lot was needed.")
_TYPED = _("The value was entered. The program does not compute it.")
_UNKNOWN = _("The program does not know this tie-break, so it separates nobody.")
_NONE_TERM = _("No round counts.")
_ONE_TERM = _("One round counts: %(value)s")

_LONGEST = 8
"""So many tied players are named; more are counted."""


def lines(found: ValueParts, name_of: Callable[[int], str], language: Language) -> tuple[str, ...]:
    """Return the sentences below the rounds of a value."""
    return tuple(_lines(found, name_of, language))


def _lines(found: ValueParts, name_of: Callable[[int], str], language: Language) -> Iterator[str]:
    fact = found.fact
    kept = [part for part in found.parts if part.cut is None and part.role is not PartRole.LEFT_OUT]
    if isinstance(fact, KoyaLimit):
        values = {"least": _points(fact.least, language), "most": _points(fact.most, language)}
        yield language.translate(_LIMIT) % values
    elif isinstance(fact, Median):
        yield _median(fact, language)
    elif isinstance(fact, tuple):
        yield from _encounters(fact, found.player, name_of, language)
    elif isinstance(fact, DrawnLot):
        yield _lot(fact, found, language)
    elif found.how is How.TYPED:
        yield language.translate(_TYPED)
    elif found.how is How.UNKNOWN:
        yield language.translate(_UNKNOWN)
    yield from _sum(found, kept, language)


def _sum(found: ValueParts, kept: Sequence[RoundPart], language: Language) -> Iterator[str]:
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


def _plain_sum(found: ValueParts, kept: Sequence[RoundPart], language: Language) -> Iterator[str]:
    if len(kept) > 1:
        terms = [
            language.decimal(text_of(number)) for number in (*(part.counts for part in kept), found.value)
        ]
        yield f"{' + '.join(terms[:-1])} = {terms[-1]}"
    elif kept:
        yield language.translate(_ONE_TERM) % {"value": language.decimal(text_of(found.value))}
    elif found.parts:
        yield language.translate(_NONE_TERM)


def _average(kept: Sequence[RoundPart], rule: TieBreak, value: Fraction, language: Language) -> str:
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
    return language.translate(_EXPECTED_SCORE) % {
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


def _lot(fact: DrawnLot, found: ValueParts, language: Language) -> str:
    if found.value is None:
        return language.translate(_NO_LOT)
    return language.translate(_LOT) % {"text": fact.text, "digest": fact.digest, "lot": fact.lot}


# A value of the standings as a table of rounds, and what separates two players.

_OPPONENTS_POINTS = _("Opponent’s points")
_OPPONENTS_RATING = _("Opponent’s rating")
_POINTS_AFTER = _("Points after the round")
_WORTHS: dict[str, str] = {
    "SB": _OPPONENTS_POINTS,
    "KS": _OPPONENTS_POINTS,
    "PTP": _OPPONENTS_RATING,
    "STD": _("Points to compare with"),
    "OTHER_CUM": _POINTS_AFTER,
}
"""What heads the column of worths, in tie-breaks in which a round does not count its worth itself."""
_COUNTS: dict[str, str] = {
    **dict.fromkeys(("PTS", "KS", "DE"), _("Points")),
    **dict.fromkeys(("BH", "OTHER_MODMED", "OTHER_SOLKOFF"), _OPPONENTS_POINTS),
    **dict.fromkeys(("ARO", "TPR"), _OPPONENTS_RATING),
    "SB": _("Product"),
    "AOB": _("Opponent’s Buchholz"),
    "APRO": _("Opponent’s performance"),
    "APPO": _("Opponent’s perfect performance"),
    "PS": _POINTS_AFTER,
    "PTP": _("Expected points"),
}
"""What heads the column of what counts."""
_WITH_SCORED = ("WIN", "WON", "BPG", "BWG", "REP", "STD", "PS", "SB", "KS", "TPR", "PTP", "OTHER_CUM")
"""Tie-breaks that depend on what the player scored, and do not count just that."""
_SCORED = _("Scored")
_FORE_BUCHHOLZ = _("Opponent’s Fore Buchholz")
_COUNTED = _("Counts")

_ADJOURNED = _("Adjourned: the game counts as a draw until its result is known.")

_BEFORE = _("Before %(other)s by %(tie_break)s: %(mine)s against %(theirs)s.")
_BEHIND = _("Behind %(other)s by %(tie_break)s: %(mine)s against %(theirs)s.")
_BEFORE_PLAIN = _("Before %(other)s by %(tie_break)s.")
_BEHIND_PLAIN = _("Behind %(other)s by %(tie_break)s.")
_LEVEL_UNTIL_THEN = _("Both are level in %(tie_breaks)s.")
_LEVEL = _("Level with %(other)s in %(tie_breaks)s.")


@dataclass(frozen=True, slots=True)
class SumRow:
    """A round. played: the kind of a round that was not played, "" for a game. worth, counts: "" for none.

    scored: "" where it does not matter, or is what counts.
    """

    part: RoundPart
    played: str
    scored: str
    worth: str
    counts: str
    notes: tuple[Statement, ...]

    @property
    def remark(self) -> str:
        """The notes as one text, for templates."""
        return " ".join(note.text for note in self.notes)


@dataclass(frozen=True, slots=True)
class SumTable:
    """A value. sentence: what the tie-break is. article: of C.07, "" for none. lines: below the table.

    scored_head, worth_head, counts_head: of the columns; "" for a column that the table does not have.
    """

    name: str
    value: str
    sentence: str
    article: str
    scored_head: str
    worth_head: str
    counts_head: str
    rows: tuple[SumRow, ...]
    lines: tuple[str, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns with numbers that the table has."""
        return tuple(filter(None, (self.scored_head, self.worth_head, self.counts_head)))


class SumsWords:
    """Says the parts of values. name_of: a player inside a sentence. adjourned: the round and each player of the games
    that are adjourned.
    """

    def __init__(
        self,
        name_of: Callable[[int], str],
        language: Language = ENGLISH,
        adjourned: Collection[tuple[int, int]] = (),
    ) -> None:
        self._name_of = name_of
        self._language = language
        self._adjourned = adjourned

    def table(self, found: ValueParts, of_opponent: Callable[[int], ValueParts] | None = None) -> SumTable:
        """Return the table of a value. of_opponent: the opponents' values, whose sums are to stand in the notes."""
        rule, language = found.tie_break, self._language
        worth, fore = _WORTHS.get(rule.name, ""), rule.name == "AOB" and rule.fore
        shown = () if found.fact == () else found.parts  # nobody is tied, so no round matters
        return SumTable(
            name=tie_break_name(rule, language),
            value=language.decimal(value_text(rule, found.value)),
            sentence=tie_break_meaning(rule, language),
            article=found.article,
            scored_head=language.translate(_SCORED) if rule.name in _WITH_SCORED else "",
            worth_head=language.translate(worth) if worth else "",
            counts_head=language.translate(_FORE_BUCHHOLZ if fore else _COUNTS.get(rule.name, _COUNTED)),
            rows=tuple(
                self._row(part, found, with_worth=bool(worth), of_opponent=of_opponent) for part in shown
            ),
            lines=lines(found, self._name_of, language),
        )

    def separation(self, found: Separation, player: int) -> str:
        """Return what puts a player, one of the two, before or behind the other."""
        language, before = self._language, found.above == player
        other = self._name_of(found.below if before else found.above)
        if found.tie_break is None:
            return language.translate(_LEVEL) % {"other": other, "tie_breaks": self._names(found.level)}
        rule = found.tie_break
        plain = rule.among_tied
        text = (_BEFORE_PLAIN if plain else _BEFORE) if before else (_BEHIND_PLAIN if plain else _BEHIND)
        mine, theirs = (found.better, found.worse) if before else (found.worse, found.better)
        sentence = language.translate(text) % {
            "other": other,
            "tie_break": tie_break_name(rule, language, inside=True),
            "mine": language.decimal(value_text(rule, mine)),
            "theirs": language.decimal(value_text(rule, theirs)),
        }
        if not found.level:
            return sentence
        level = language.translate(_LEVEL_UNTIL_THEN) % {"tie_breaks": self._names(found.level)}
        return f"{sentence} {level}"

    def _names(self, rules: tuple[TieBreak, ...]) -> str:
        return self._language.listed([tie_break_name(rule, self._language, inside=True) for rule in rules])

    def _row(
        self,
        part: RoundPart,
        found: ValueParts,
        *,
        with_worth: bool,
        of_opponent: Callable[[int], ValueParts] | None,
    ) -> SumRow:
        left_out, decimal = part.role is PartRole.LEFT_OUT, self._language.decimal
        statements = notes(part, found, self._language)
        if (part.round, found.player) in self._adjourned:
            statements = (Statement(self._language.translate(_ADJOURNED), ()), *statements)
        if of_opponent and part.opponent is not None and not left_out:
            inside = of_opponent(part.opponent)
            statements += tuple(
                Statement(f"{line.removesuffix('.')}.", ())
                for line in lines(inside, self._name_of, self._language)
            )
        return SumRow(
            part,
            unplayed(part, self._language),
            decimal(text_of(part.points)) if found.tie_break.name in _WITH_SCORED else "",
            decimal(text_of(part.worth)) if with_worth and part.worth is not None else "",
            "" if left_out else decimal(text_of(part.counts)),
            statements,
        )
