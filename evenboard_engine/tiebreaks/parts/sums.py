"""Take the values of standings apart, by the kind of the tie-break."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache

from evenboard_engine.history import rounded_half_up
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.tiebreaks import own, us_chess
from evenboard_engine.tiebreaks.buchholz import koya_limit, products_cut
from evenboard_engine.tiebreaks.cards import (
    OPEN,
    PLAYED,
    CardRound,
    CardTable,
    RoundsCard,
    last_round_drawn,
    table,
)
from evenboard_engine.tiebreaks.codes import LOTS, TieBreak
from evenboard_engine.tiebreaks.direct import Division, division
from evenboard_engine.tiebreaks.pairing_tiebreaker import (
    ROUNDS_LEFT_OUT,
    PairingTiebreaker,
    order_of,
    pairing_tiebreakers,
)
from evenboard_engine.tiebreaks.parts import Cut
from evenboard_engine.tiebreaks.ratings import expected, rating_difference, share_of
from evenboard_engine.tiebreaks.standings import NOTHING_TYPED, Typed, amount, amounts, ranking
from evenboard_engine.tiebreaks.values import Value, Values

from . import (
    DrawnLot,
    Encounter,
    Fact,
    How,
    KoyaLimit,
    Median,
    Meetings,
    PartRole,
    Perfect,
    Performance,
    RoundPart,
    Separation,
    ValueParts,
    Weights,
    Why,
)

Number = int | Fraction


@lru_cache(maxsize=4096)
def tenths(value: Number) -> Fraction:
    """Return points that are given in tenths."""
    return Fraction(value) / 10


def part_of(
    number: int,
    turn: CardRound,
    role: PartRole,
    counts: Number = 0,
    worth: Number | None = None,
    why: Why | None = None,
) -> RoundPart:
    """Return the part of a round, from 1."""
    return RoundPart(
        number,
        turn.kind,
        turn.opponent,
        turn.colour,
        tenths(turn.points),
        role,
        Fraction(counts),
        None if worth is None else Fraction(worth),
        why,
    )


def left_out(number: int, turn: CardRound, why: Why, worth: Number | None = None) -> RoundPart:
    """Return the part of a round that does not count. A game without a result is left out because of that."""
    return part_of(number, turn, PartRole.LEFT_OUT, 0, worth, Why.OPEN if turn.kind is OPEN else why)


def own_part(number: int, turn: CardRound, counts: Number, worth: Number | None = None) -> RoundPart:
    """Return the part of a round that counts by the player's own result."""
    if turn.kind is OPEN:
        return left_out(number, turn, Why.OPEN)
    return part_of(number, turn, PartRole.OWN, counts, worth)


def with_added(part: RoundPart, added: int) -> RoundPart:
    """Return the part with a bonus or penalty in tenths that is in its numbers."""
    return replace(part, added=tenths(added)) if added else part


def parts_of_games(card: RoundsCard, worth: Callable[[int, int], Number | Why]) -> tuple[RoundPart, ...]:
    """Return parts of games over the board that count what the opponent of a round is worth.

    A reason leaves the game out.
    """
    found = []
    for number, turn in enumerate(card.turns, start=1):
        valued: Number | Why = Why.NOT_PLAYED
        if turn.kind is PLAYED and turn.opponent is not None:
            valued = worth(turn.opponent, number)
        if isinstance(valued, Why):
            found.append(left_out(number, turn, valued))
        else:
            found.append(part_of(number, turn, PartRole.OPPONENT, valued, valued))
    return tuple(found)


def counted(parts: Iterable[RoundPart]) -> list[RoundPart]:
    return [part for part in parts if part.role is not PartRole.LEFT_OUT]


# Which parts a tie-break cuts (C.07, 14.1 and 16.5).


def with_cuts(
    parts: tuple[RoundPart, ...], low: int, high: int, chosen: Collection[int] = ()
) -> tuple[RoundPart, ...]:
    """Mark the lowest and the highest parts. chosen: rounds that are cut before the lowest ones."""
    ordered = _ordered(parts, chosen)
    first = [part for part in ordered if part.round in chosen][:low]
    rest = [part for part in ordered if part not in first]
    lowest, kept = rest[: low - len(first)], rest[low - len(first) :]
    highest = kept[max(0, len(kept) - high) :]
    return _marked(parts, {Cut.BY_CHOICE: first, Cut.LOWEST: lowest, Cut.HIGHEST: highest})


def with_cut_products(
    parts: tuple[RoundPart, ...], cuts: int, chosen: Collection[int]
) -> tuple[RoundPart, ...]:
    """Mark the parts that Sonneborn-Berger cuts. chosen: rounds that the player chose not to play."""
    ordered = _ordered(parts, chosen)
    unplayed = tuple(at for at, part in enumerate(ordered) if part.round in chosen)
    cut = products_cut([part.counts for part in ordered], unplayed, cuts)
    return _marked(
        parts,
        {
            Cut.BY_CHOICE: [ordered[at] for at, chosen_round in cut.items() if chosen_round],
            Cut.LOWEST: [ordered[at] for at, chosen_round in cut.items() if not chosen_round],
        },
    )


def with_first_cut(parts: tuple[RoundPart, ...], cuts: int) -> tuple[RoundPart, ...]:
    """Mark the first rounds."""
    return _marked(parts, {Cut.FIRST: counted(parts[:cuts])})


def by_choice(card: RoundsCard, parts: Iterable[RoundPart]) -> frozenset[int]:
    """Return the rounds with a dummy opponent that the player chose not to play."""
    return frozenset(
        part.round for part in parts if part.role is PartRole.DUMMY and card.turns[part.round - 1].voluntary
    )


def _ordered(parts: Iterable[RoundPart], chosen: Collection[int]) -> list[RoundPart]:
    """Return the parts that count, the least significant first (14.1); of equal ones, those by choice last."""
    return sorted(
        counted(parts), key=lambda part: (part.worth or 0, part.counts, part.round in chosen, part.round)
    )


def _marked(parts: tuple[RoundPart, ...], cut: Mapping[Cut, list[RoundPart]]) -> tuple[RoundPart, ...]:
    why = {part.round: kind for kind, found in cut.items() for part in found}
    return tuple(replace(part, cut=why[part.round]) if part.round in why else part for part in parts)


_Made = tuple[How, tuple[RoundPart, ...], Fact | None]
_LIST_OF_ARTICLES = """
DE 6, WIN 7.1, WON 7.2, BPG 7.3, BWG 7.4, PS 7.5, REP 7.6, STD 7.7, TPN 7.8, BH 8.1, AOB 8.2, SB 9.1, KS 9.2,
ARO 10.1, TPR 10.2, PTP 10.3, APRO 10.4, APPO 10.5, RTNG 10.6
"""
_AVERAGED = {"AOB": "BH", "APRO": "TPR", "APPO": "PTP"}
"""Which values of the opponents a tie-break averages."""
_ARTICLES: dict[str, str] = dict(entry.split() for entry in _LIST_OF_ARTICLES.split(","))


class Sums:
    """The values of one ranking as their parts. What all players share is computed once.

    The arguments are those of `ranking`, but an unknown tie-break does not end the list: it says nothing.
    """

    def __init__(
        self,
        tournament: Tournament,
        rules: Iterable[TieBreak],
        *,
        among: Iterable[int] | None = None,
        capped: bool = True,
        typed: Typed = NOTHING_TYPED,
    ) -> None:
        self._tournament = tournament
        self._typed = typed
        self._table = table(tournament)
        self._valued = Values(tournament, capped=capped)
        self._opponents = OpponentParts(self._table, capped=capped)
        self._rules = tuple(rules)
        usable = [at for at, rule in enumerate(self._rules) if rule.name or rule.text.upper() in typed]
        known = [self._rules[at] for at in usable]
        self._order = ranking(tournament, known, among=among, capped=capped, typed=typed)
        self._places = {at: place for place, at in enumerate(usable)}
        self._groups: dict[int, Mapping[tuple[Value, ...], tuple[int, ...]]] = {}
        self._placed: dict[str, Mapping[int, PairingTiebreaker]] = {}

    def of(self, player: int) -> tuple[ValueParts, ...]:
        """Return the values of a player, one for each tie-break. Raises KeyError for a player without a place."""
        return tuple(self.value(at, player) for at in range(len(self._rules)))

    def value(self, at: int, player: int) -> ValueParts:
        """Return the value by the tie-break at this place of the list, from 0.

        Raises KeyError for a player without a place.
        """
        rule, value = self._rules[at], self._amount(at, player)
        how, parts, fact = self._made(at, self._table.cards[player])
        return ValueParts(rule, player, value, how, _article(rule), parts, fact)

    def of_opponent(self, rule: TieBreak, opponent: int) -> ValueParts:
        """Return the value of an opponent by the tie-break that `averaged` names."""
        how, parts, fact = self._ways[rule.name](self._table.cards[opponent], rule)
        value = self._valued.of(rule)[opponent]
        return ValueParts(rule, opponent, amount(rule, value), how, _article(rule), parts, fact)

    def separation(self, above: int, below: int) -> Separation:
        """Return what puts a player before another one."""
        better, worse = self._order.values[above], self._order.values[below]
        for at, rule in enumerate(self._rules):
            place = self._places.get(at)
            if place is not None and better[place] != worse[place]:
                values = self._amount(at, above), self._amount(at, below)
                return Separation(above, below, rule, self._rules[:at], *values)
        return Separation(above, below, None, self._rules)

    @cached_property
    def _amounts(self) -> tuple[Mapping[int, Fraction | None], ...]:
        return tuple(amounts(self._order, at, self._typed) for at in range(len(self._order.used)))

    def _amount(self, at: int, player: int) -> Fraction | None:
        values = self._order.values[player]
        return self._amounts[self._places[at]][player] if values and at in self._places else None

    def _made(self, at: int, card: RoundsCard) -> _Made:
        rule = self._rules[at]
        if at not in self._places:
            return How.UNKNOWN, (), None
        if not rule.name:
            return How.TYPED, (), None
        if rule.name == "DE":
            return self._encounter(at, card)
        return self._ways[rule.name](card, rule)

    @cached_property
    def _ways(self) -> Mapping[str, Callable[[RoundsCard, TieBreak], _Made]]:
        known, opponents = self._table, self._opponents

        def added(
            parts: Callable[[RoundsCard, TieBreak], tuple[RoundPart, ...]],
        ) -> Callable[[RoundsCard, TieBreak], _Made]:
            return lambda card, rule: (How.SUM, parts(card, rule), None)

        return {
            "PTS": added(lambda card, _rule: parts_of_points(card)),
            **dict.fromkeys(COUNTED, added(lambda card, rule: parts_of_counted(card, rule, known))),
            **dict.fromkeys(
                ("PS", "OTHER_CUM"), added(lambda card, rule: parts_of_running_score(card, rule, known))
            ),
            "STD": added(lambda card, _rule: parts_of_standard_points(card, known)),
            "BH": added(opponents.buchholz),
            "SB": added(opponents.sonneborn_berger),
            **dict.fromkeys(("TPN", "RTNG"), lambda _card, _rule: (How.OWN, (), None)),
            "KS": lambda card, rule: (How.SUM, *opponents.koya(card, rule)),
            "OTHER_SOLKOFF": lambda card, rule: (How.SUM, *opponents.us_chess(card, rule)),
            "OTHER_MODMED": lambda card, rule: (How.SUM, *opponents.us_chess(card, rule)),
            "ARO": lambda card, rule: (How.WHOLE_AVERAGE, parts_of_ratings(card, rule, known), None),
            "TPR": lambda card, _rule: (How.PERFORMANCE, *performance_of(card, known)),
            "PTP": lambda card, rule: (How.PERFECT, *perfect_of(card, known, self._whole(rule, card.player))),
            "APRO": lambda card, _rule: (How.WHOLE_AVERAGE, self._of_opponents(card, "TPR"), None),
            "APPO": lambda card, _rule: (How.WHOLE_AVERAGE, self._of_opponents(card, "PTP"), None),
            "AOB": self._average_buchholz,
            "PT": self._weighted,
            LOTS: lambda card, rule: (How.LOT, (), lot_of(card, rule, -self._whole(rule, card.player))),
        }

    def _whole(self, rule: TieBreak, player: int) -> int:
        return int(self._valued.of(rule)[player])

    def _of_opponents(self, card: RoundsCard, name: str) -> tuple[RoundPart, ...]:
        return parts_of_performances(card, self._table, self._valued.of(TieBreak(name, name)))

    def _average_buchholz(self, card: RoundsCard, rule: TieBreak) -> _Made:
        of_all = self._valued.of(TieBreak("BH", "BH", fore=rule.fore))
        return How.AVERAGE, self._opponents.average_buchholz(card, of_all), None

    def _encounter(self, at: int, card: RoundsCard) -> _Made:
        tied = self._tied(self._places[at])[self._order.values[card.player][: self._places[at]]]
        return How.PLACE, *parts_of_encounter(card, tied, self._table, forfeits=self._rules[at].forfeits)

    def _tied(self, place: int) -> Mapping[tuple[Value, ...], tuple[int, ...]]:
        """Return the players who are level in the tie-breaks before this place, by their values."""
        if place not in self._groups:
            found: dict[tuple[Value, ...], list[int]] = {}
            for player, values in self._order.values.items():
                found.setdefault(values[:place], []).append(player)
            self._groups[place] = {values: tuple(players) for values, players in found.items()}
        return self._groups[place]

    def _weighted(self, card: RoundsCard, rule: TieBreak) -> _Made:
        order = rule.order or order_of(self._tournament.system)
        if order not in self._placed:
            self._placed[order] = pairing_tiebreakers(self._table, order)
        return How.WEIGHTED, *parts_of_placed(card, self._placed[order], order)


def averaged(rule: TieBreak) -> TieBreak | None:
    """Return the tie-break of the opponents that a tie-break averages; None if it averages none."""
    name = _AVERAGED.get(rule.name)
    return TieBreak("FB" if rule.fore else name, name, fore=rule.fore) if name else None


def _article(rule: TieBreak) -> str:
    return "8.3" if rule.name == "BH" and rule.fore else _ARTICLES.get(rule.name, "")


# The parts of tie-breaks from a player's own results (C.07, 7), and of the cumulative points of US Chess.

COUNTED = ("WIN", "WON", "BPG", "BWG", "REP")
"""Tie-breaks that count rounds."""


def parts_of_counted(card: RoundsCard, rule: TieBreak, known: CardTable) -> tuple[RoundPart, ...]:
    """Return the rounds of a tie-break that counts rounds: 1 or 0 for each."""
    return tuple(
        own_part(number, turn, int(_counts(turn, rule.name, known)))
        for number, turn in enumerate(card.turns, start=1)
    )


def _counts(turn: CardRound, name: str, known: CardTable) -> bool:
    if name == "WIN":
        return own.is_win(turn, known.points)
    if name == "REP":
        return not turn.voluntary
    black = turn.colour is Colour.BLACK
    if name == "BPG":
        return turn.kind is PLAYED and black
    return own.is_game_won(turn) and (name == "WON" or black)


def parts_of_points(card: RoundsCard) -> tuple[RoundPart, ...]:
    """Return the points of each round, with bonuses and penalties. Those before round 1 are in its part."""
    return tuple(
        with_added(own_part(number, turn, tenths(turn.points + added)), added)
        for number, turn, added in _with_bonuses(card)
    )


def _with_bonuses(card: RoundsCard) -> Iterator[tuple[int, CardRound, int]]:
    """Yield each round, from 1, with its bonus or penalty in tenths."""
    for number, turn in enumerate(card.turns, start=1):
        before = card.added_in(0) if number == 1 else 0
        yield number, turn, before + card.added_in(number)


def parts_of_running_score(card: RoundsCard, rule: TieBreak, known: CardTable) -> tuple[RoundPart, ...]:
    """Return the score after each round, for the progressive score, or for that of US Chess."""
    win = known.points.white_win if rule.name == "OTHER_CUM" else 0
    scores = card.running_scores()
    parts = tuple(
        with_added(
            own_part(
                number, turn, tenths(score - (us_chess.taken_off(turn, win) if win else 0)), tenths(score)
            ),
            added,
        )
        for (number, turn, added), score in zip(_with_bonuses(card), scores, strict=True)
    )
    return with_first_cut(parts, rule.cut)


def parts_of_standard_points(card: RoundsCard, known: CardTable) -> tuple[RoundPart, ...]:
    """Return for each round the points to compare with, and what counts."""
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        against = own.points_to_beat(number, turn, known)
        counts = tenths(own.standard(turn, against))
        parts.append(own_part(number, turn, counts, tenths(against)))
    return tuple(parts)


def lot_of(card: RoundsCard, rule: TieBreak, lot: int) -> DrawnLot:
    """Return the drawing of a lot of a player."""
    return DrawnLot(*own.lot_text(card, rule.seed), lot)


# The parts of tie-breaks from the scores of opponents (C.07, 8, 9 and 16), and of those of US Chess.

Parts = tuple[RoundPart, ...]


class OpponentParts:
    """Take tie-breaks from the scores of opponents apart. capped: as for `Opponents`."""

    def __init__(self, known: CardTable, *, capped: bool) -> None:
        self._known = known
        self._drawn = last_round_drawn(known)
        self._capped = capped
        self._limits: dict[int, tuple[int, int]] = {}

    def buchholz(self, card: RoundsCard, rule: TieBreak) -> Parts:
        known = self._counted(rule)
        card = known.cards[card.player]
        parts = tuple(self._round(card, number, rule) for number in range(1, len(card.turns) + 1))
        return with_cuts(parts, rule.cut or rule.median, rule.median, by_choice(card, parts))

    def sonneborn_berger(self, card: RoundsCard, rule: TieBreak) -> Parts:
        """Return the parts of Sonneborn-Berger: each is worth times points."""
        parts = tuple(
            replace(part, counts=(part.worth or 0) * part.points)
            for part in (self._round(card, number, rule) for number in range(1, len(card.turns) + 1))
        )
        return with_cut_products(parts, rule.cut, by_choice(card, parts))

    def average_buchholz(self, card: RoundsCard, of_all: Mapping[int, int | Fraction]) -> Parts:
        """Return the parts of AOB. of_all: the Buchholz of each player in tenths."""
        return parts_of_games(card, lambda opponent, _number: tenths(of_all[opponent]))

    def koya(self, card: RoundsCard, rule: TieBreak) -> tuple[Parts, KoyaLimit]:
        if rule.limit not in self._limits:
            self._limits[rule.limit] = koya_limit(self._known, rule)
        least, most = self._limits[rule.limit]
        cards = self._known.cards
        parts = []
        for number, turn in enumerate(card.turns, start=1):
            if turn.opponent is None or turn.kind is OPEN:
                parts.append(left_out(number, turn, Why.FREE if self._known.fixed else Why.NOT_PLAYED))
                continue
            worth = tenths(cards[turn.opponent].score)
            if 20 * worth < least:
                parts.append(left_out(number, turn, Why.TOO_FEW_POINTS, worth))
            else:
                parts.append(part_of(number, turn, PartRole.OPPONENT, tenths(turn.points), worth))
        return tuple(parts), KoyaLimit(tenths(least) / 2, tenths(most))

    def us_chess(self, card: RoundsCard, rule: TieBreak) -> tuple[Parts, Median | None]:
        """Return the parts of Solkoff or the modified median, and what decides its cuts."""
        parts = []
        for number, turn in enumerate(card.turns, start=1):
            if turn.kind is PLAYED and turn.opponent is not None:
                other = self._known.cards[turn.opponent]
                counted = us_chess.points_for_opponents(other, self._known.draw)
                parts.append(_of_opponent(number, turn, other, counted))
            elif turn.kind is OPEN:
                parts.append(left_out(number, turn, Why.OPEN))
            else:
                parts.append(part_of(number, turn, PartRole.DUMMY, 0, 0, Why.NOTHING))
        if rule.name != "OTHER_MODMED":
            return tuple(parts), None
        low, high, most = us_chess.left_out(card, self._known)
        return with_cuts(tuple(parts), low, high), Median(low, high, tenths(card.score), tenths(most) / 2)

    def _counted(self, rule: TieBreak) -> CardTable:
        return self._drawn if rule.fore else self._known

    def _round(self, card: RoundsCard, number: int, rule: TieBreak) -> RoundPart:
        """Return a round of Buchholz or Sonneborn-Berger."""
        known, turn = self._counted(rule), card.turns[number - 1]
        if turn.opponent is None:
            if known.fixed:
                return left_out(number, turn, Why.FREE)
            return self._dummy(card, number, known.draw * card.rounds, Why.DRAWS)
        if turn.kind is OPEN:
            return left_out(number, turn, Why.OPEN)
        counts = known.cards[turn.opponent]
        if turn.kind is PLAYED or rule.forfeits or known.fixed:
            before = self._known.cards[turn.opponent]
            points = [known.draw if one.away else one.points for one in counts.turns]
            return _of_opponent(number, turn, before, points)
        return self._dummy(card, number, counts.adjusted, Why.OPPONENT)

    def _dummy(self, card: RoundsCard, number: int, most: int, limit: Why) -> RoundPart:
        """Return a round with a dummy opponent, who has at most this many tenths of a point."""
        limited = self._capped and most < card.score
        worth = tenths(most if limited else card.score)
        return part_of(
            number, card.turns[number - 1], PartRole.DUMMY, worth, worth, limit if limited else Why.OWN_SCORE
        )


def _of_opponent(number: int, turn: CardRound, opponent: RoundsCard, points: list[int]) -> RoundPart:
    """Return a game. points: that count for each round of the opponent, who scored `opponent.score`."""
    worth = tenths(sum(points) + opponent.apart)
    part = part_of(number, turn, PartRole.OPPONENT, worth, worth)
    changed = tuple(
        at
        for at, (own, counts) in enumerate(zip(opponent.turns, points, strict=True), start=1)
        if own.points != counts
    )
    return replace(part, scored=tenths(opponent.score), drawn=changed) if changed else part


# The parts of tie-breaks from the ratings of opponents (C.07, 10).


def parts_of_ratings(card: RoundsCard, rule: TieBreak, known: CardTable) -> Parts:
    """Return the ratings of the opponents met over the board; those without a rating are left out."""
    parts = parts_of_games(
        card, lambda opponent, number: known.cards[opponent].rating_in(number) or Why.UNRATED
    )
    return with_cuts(parts, rule.cut or rule.median, rule.median)


def parts_of_performances(card: RoundsCard, known: CardTable, of_all: Mapping[int, int | Fraction]) -> Parts:
    """Return the performances of the rated opponents met over the board."""
    return parts_of_games(
        card,
        lambda opponent, _number: of_all[opponent] if known.cards[opponent].counted_rating else Why.UNRATED,
    )


def performance_of(card: RoundsCard, known: CardTable) -> tuple[Parts, Performance | None]:
    """Return the parts of TPR, and the step in the table; None without a game."""
    parts = parts_of_ratings(card, _RATINGS, known)
    met = counted(parts)
    if not met:
        return parts, None
    half_wins = _half_wins(card, met)
    average = rounded_half_up(int(sum(part.counts for part in met)), len(met))
    share = share_of(half_wins, len(met))
    return parts, Performance(average, Fraction(half_wins, 2), len(met), share, rating_difference(share))


def perfect_of(card: RoundsCard, known: CardTable, value: int) -> tuple[Parts, Perfect | None]:
    """Return the parts of PTP, which count the expected points of the value, and their sum. value: of the player."""
    parts = tuple(
        part if part.worth is None else replace(part, counts=_expected(value, [part.worth]))
        for part in parts_of_ratings(card, _RATINGS, known)
    )
    met = counted(parts)
    if not met:
        return parts, None
    ratings = [part.worth for part in met if part.worth is not None]
    scored = Fraction(_half_wins(card, met), 2)
    sums = _expected(value, ratings), _expected(value - 1, ratings)
    return parts, Perfect(scored, *sums, int(min(ratings)))


_RATINGS = TieBreak("ARO", "ARO")


def _half_wins(card: RoundsCard, met: Iterable[RoundPart]) -> int:
    return sum(card.turns[part.round - 1].half_wins for part in met)


def _expected(rating: int, ratings: Iterable[Fraction]) -> Fraction:
    return Fraction(sum(expected(int(rating - other)) for other in ratings), 100)


# The parts of tie-breaks that place players among each other: direct encounter (C.07, 6) and Pairing
# Tiebreaker.


def parts_of_encounter(
    card: RoundsCard, tied: tuple[int, ...], known: CardTable, *, forfeits: bool
) -> tuple[tuple[RoundPart, ...], tuple[Encounter, ...]]:
    """Return the games against the players tied with one, and the tables that place the player among them."""
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        if turn.opponent is None:
            why = Why.FREE if known.fixed else Why.NOT_PLAYED
        elif turn.opponent not in tied:
            why = Why.NOT_TIED
        elif turn.kind is PLAYED or (turn.kind is not OPEN and (forfeits or known.fixed)):
            parts.append(part_of(number, turn, PartRole.OPPONENT, tenths(turn.points)))
            continue
        else:
            why = Why.NOT_PLAYED
        parts.append(left_out(number, turn, why))
    return tuple(parts), tuple(_encounters(card.player, tied, known, forfeits))


def _encounters(player: int, tied: tuple[int, ...], known: CardTable, forfeits: bool) -> Iterator[Encounter]:
    while len(tied) > 1:
        found = division(tied, known, forfeits=forfeits)
        yield _encounter(found)
        if len(found.groups) == 1:
            return
        tied = next(group for group in found.groups if player in group)


def _encounter(found: Division) -> Encounter:
    rows = tuple(
        Meetings(
            one,
            {other: tenths(points) for other, points in row.items()},
            tenths(found.least[one]),
            tenths(found.most[one]),
        )
        for one, row in found.points.items()
    )
    return Encounter(rows, found.all_met, tuple(found.groups))


def parts_of_placed(
    card: RoundsCard, of_all: Mapping[int, PairingTiebreaker], order: str
) -> tuple[tuple[RoundPart, ...], Weights | None]:
    """Return the terms of the Pairing Tiebreaker of a player."""
    mine = of_all[card.player]
    terms = {term.round: term for term in mine.terms}
    early = ROUNDS_LEFT_OUT[order] if order else 0
    parts = []
    for number, turn in enumerate(card.turns, start=1):
        if number in terms:
            term = terms[number]
            part = part_of(number, turn, PartRole.OPPONENT, term.value)
            parts.append(replace(part, place=(term.place, term.size)))
        else:
            why = Why.EARLY if number <= early else Why.NOT_PLAYED
            parts.append(left_out(number, turn, why))
    return tuple(parts), Weights(Fraction(mine.v), mine.w) if terms else None
