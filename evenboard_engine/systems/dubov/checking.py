"""Check rounds by the Dubov System: a published round, and a round that is paired by hand (C.04.4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from evenboard_engine.errors import InternalError
from evenboard_engine.findings import (
    Concern,
    HandMadeDraft,
    Level,
    Published,
    RoundDifference,
    concerns_by,
)
from evenboard_engine.history import Past
from evenboard_engine.model import RESULTS, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.systems.dubov.articles import DubovRule, article, cited
from evenboard_engine.systems.dubov.options import edition_of, history_rules, least_to_bar
from evenboard_engine.systems.dubov.pairing.bye import allocate_bye, choose_for_bye
from evenboard_engine.systems.dubov.pairing.colours import ColourAllocator
from evenboard_engine.systems.dubov.pairing.shifters import initial_subgroups, recompose
from evenboard_engine.systems.dubov.pairing.transposition import legal_rows_of
from evenboard_engine.systems.fide_swiss import SwissComparison, SwissJudge

from .pairing.field import DubovEntrant, DubovField, Lower, may_meet, pairable, places_of
from .pairing.upfloaters import choose_upfloaters, history_criteria, upfloater_order

# Find where a published round differs from the rules, and which article of C.04.4.1 decides.
#
# The published round is checked bracket by bracket. Each bracket is judged with the published pairs above it,
# so one wrong choice is reported once, and not again in every bracket below. A bracket is the highest
# scoregroup that is left, with the players of lower scoregroups whom the file pairs with it.

_REFERS_TO = {DubovRule.BYE_BARRED: DubovRule.C2, DubovRule.BYE_LEAVES_A_PAIRING: DubovRule.C4}


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[RoundDifference, ...]:
    """Return all differences between the published round and the pairing by the rules.

    tournament: before the round, in `absent` the players without a game or allocated bye in it. pairing: None if no
    legal pairing exists.
    """
    comparison = _DubovComparison(tournament, published, pairing)
    return tuple(map(_named, comparison.with_virtual_points(comparison.differences())))


def _named(one: RoundDifference) -> RoundDifference:
    """Add the name of the criterion, C1 to C10, if the rule is one or refers to one."""
    assert isinstance(one.rule, DubovRule)
    name = _REFERS_TO.get(one.rule, one.rule).name if one.article else ""
    return replace(one, criterion=name if name[:1] == "C" and name[1:].isdigit() else "")


class _DubovComparison(SwissComparison[DubovRule, DubovField]):
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        field = DubovField(tournament)
        colours = ColourAllocator(field, tournament.initial_colour)
        article_of = partial(article, edition=edition_of(tournament.options))
        super().__init__(tournament, published, pairing, field, colours, DubovRule, article_of)

    def differences(self) -> Iterator[RoundDifference]:
        yield from self._byes()
        yield from self.illegal_pairs()
        yield from self._brackets()
        yield from self.wrong_colours()

    def _by(
        self, difference: RoundDifference, rule: DubovRule, values: tuple[object, object] | None = None
    ) -> RoundDifference:
        """Return the same difference, decided by another rule."""
        return replace(difference, rule=rule, article=self.article_of(rule), values=values)

    def _ids(self, players: Sequence[DubovEntrant]) -> tuple[int, ...]:
        return tuple(player.id for player in players)

    # --- the bye

    def _byes(self) -> Iterator[RoundDifference]:
        byes = self.published.byes
        if self.pairing is None:
            yield self.difference("no_legal_round", DubovRule.NO_PAIRING)
        if len(byes) > 1:
            yield self.difference("several_byes", DubovRule.COMPLETE, found=byes)
        elif byes and self.pairing is not None and byes[0] != self.pairing.bye:
            yield self._wrong_bye(byes[0])

    def _wrong_bye(self, holder: int) -> RoundDifference:
        """Return the difference about the bye, with the first of 2.1.1 to 2.1.5 that its holder breaks."""
        players = self._everybody()
        right = choose_for_bye(players)
        wrong = self.field.entrant(self.field.past.place_of[holder])
        rest = [player for player in players if player is not wrong]
        difference = self.difference(
            "bye", DubovRule.BYE_LOWEST_RANKED, found=(wrong.id,), expected=(right.id,)
        )
        if wrong.bye_barred:
            return self._by(difference, DubovRule.BYE_BARRED)
        if not pairable(rest):
            return self._by(difference, DubovRule.BYE_LEAVES_A_PAIRING)
        if wrong.score != right.score:
            return self._by(difference, DubovRule.BYE_LOWEST_SCORE, (wrong.score, right.score))
        if wrong.games != right.games:
            return self._by(difference, DubovRule.BYE_MOST_GAMES, (wrong.games, right.games))
        return difference

    def _everybody(self) -> list[DubovEntrant]:
        return [self.field.entrant(place) for place in self.field.present]

    # --- brackets

    def _brackets(self) -> Iterator[RoundDifference]:
        byes = {self.field.past.place_of[key] for key in self.published.byes}
        lower = Lower.of([player for player in self._everybody() if player.rank not in byes])
        while lower.groups:
            score = self.field.score[lower.groups[0][0]]
            if not (lower.surely_pairable() or pairable(lower.all())):
                yield self.difference("rest_unchecked", DubovRule.COMPLETE, score=score)
                return
            residents = [self.field.entrant(place) for place in lower.pop_group()]
            inside = {player.rank for player in residents}
            joined = {self.mate[place] for place in inside} - inside
            upfloaters = sorted(map(self.field.entrant, joined), key=upfloater_order)
            if all(
                may_meet(player, self.field.entrant(self.mate[player.rank]))
                for player in (*residents, *upfloaters)
            ):
                yield from self._upfloaters(residents, upfloaters, lower, score)
                yield from self._pairs([*residents, *upfloaters], score)
            lower.remove(joined)

    def _upfloaters(
        self, residents: list[DubovEntrant], found: list[DubovEntrant], lower: Lower, score: int
    ) -> Iterator[RoundDifference]:
        last_round = self.tournament.round == self.tournament.rounds
        best = choose_upfloaters(residents, lower, last_round=last_round)
        if set(self._ids(best)) == set(self._ids(found)):
            return
        difference = self.difference(
            "upfloaters",
            DubovRule.ORDER_OF_UPFLOATERS,
            found=self._ids(found),
            expected=self._ids(best),
            score=score,
        )
        taken = {player.rank for player in found}
        if not pairable([player for player in lower.all() if player.rank not in taken]):
            yield self._by(difference, DubovRule.C4)
            return
        qualities = [self._quality(residents, chosen, last_round=last_round) for chosen in (found, best)]
        if qualities[0] < qualities[1]:
            raise InternalError("published_upfloaters_are_better", players=difference.found)
        for criterion, mine, theirs in zip(
            (DubovRule.C5, DubovRule.C6, DubovRule.C7, DubovRule.C8, DubovRule.C9, DubovRule.C10),
            *qualities,
            strict=True,
        ):
            if mine != theirs:
                yield self._by(difference, criterion, (_shown(mine), _shown(theirs)))
                return
        yield difference

    def _quality(
        self, residents: list[DubovEntrant], upfloaters: list[DubovEntrant], *, last_round: bool
    ) -> tuple[int, tuple[int, ...], int, int, int, int]:
        """Return C5 to C10 of the best pairing of a bracket; smaller is better (reading D4)."""
        s1, t2 = _best_pairs(self.field, [*residents, *upfloaters])
        scores = tuple(-player.score for player in reversed(upfloaters))
        misses = sum(
            self.field.wants_white[one] is self.field.wants_white[two]
            for one, two in zip(s1, t2, strict=True)
        )
        history = [history_criteria(player, last_round=last_round) for player in upfloaters]
        maximum, times, again = (sum(values) for values in zip((0, 0, 0), *history, strict=True))
        return len(upfloaters), scores, misses, maximum, times, again

    # --- inside a bracket

    def _pairs(self, bracket: list[DubovEntrant], score: int) -> Iterator[RoundDifference]:
        s1, t2 = _best_pairs(self.field, bracket)
        if all(self.mate[one] == two for one, two in zip(s1, t2, strict=True)):
            return
        first = set(s1)
        if all(self.mate[one] not in first for one in s1):
            yield self._transposition(s1, t2, score)
            return
        played = any(player.games for player in bracket)
        mine, theirs = self._misses(bracket, self.mate), self._misses(bracket, _mates(s1, t2))
        if played and mine < theirs:
            raise InternalError("published_bracket_is_better", player=bracket[0].id)
        if played and mine > theirs:
            yield self.difference("preferences", DubovRule.C7, values=(mine, theirs), score=score)
            return
        groups = recompose(bracket)
        rule, shifted = DubovRule.SECOND_SHIFT, groups.second
        if self._first_shift_differs(bracket, groups.first):
            rule, shifted = DubovRule.FIRST_SHIFT, groups.first
        yield self.difference("shifters", rule, expected=self._ids(shifted), score=score)

    def _transposition(self, s1: list[int], t2: list[int], score: int) -> RoundDifference:
        ids = self.field.ids
        one, right = next((one, two) for one, two in zip(s1, t2, strict=True) if self.mate[one] != two)
        wrong = self.mate[one]
        if wrong < right:
            raise InternalError("published_transposition_is_earlier", player=ids[one], opponent=ids[wrong])
        return self.difference(
            "transposition",
            DubovRule.ORDER_OF_TRANSPOSITIONS,
            found=(ids[one], ids[wrong]),
            expected=(ids[one], ids[right]),
            score=score,
        )

    def _misses(self, bracket: list[DubovEntrant], mate: dict[int, int]) -> int:
        """Return C7: the number of pairs in which both are due the same colour, so that one does not get it."""
        wants_white = self.field.wants_white
        return sum(wants_white[player.rank] is wants_white[mate[player.rank]] for player in bracket) // 2

    def _first_shift_differs(self, bracket: list[DubovEntrant], shifted: Sequence[DubovEntrant]) -> bool:
        """Return whether the file has another first shift. shifted: by the rules, one of each pair in the subgroup."""
        g1, g2 = initial_subgroups(bracket)
        smaller = {player.rank for player in (g1 if len(g1) <= len(g2) else g2)}
        chosen = {player.rank for player in shifted}
        inside = {frozenset((place, self.mate[place])) for place in smaller if self.mate[place] in smaller}
        return len(inside) != len(chosen) or any(len(pair & chosen) != 1 for pair in inside)


def _best_pairs(field: DubovField, bracket: list[DubovEntrant]) -> tuple[list[int], list[int]]:
    """Return S1 and T2 of a bracket by 2.2.3 to 2.2.6. The bracket must have a legal pairing."""
    groups = recompose(bracket)
    return legal_rows_of(field, places_of(groups.g1), places_of(groups.g2))


def _mates(s1: list[int], t2: list[int]) -> dict[int, int]:
    return {**dict(zip(s1, t2, strict=True)), **dict(zip(t2, s1, strict=True))}


def _shown(value: int | tuple[int, ...]) -> int | tuple[int, ...]:
    """Return scores with their usual sign: C6 compares negative scores."""
    return value if isinstance(value, int) else tuple(-score for score in value)


# A round that is paired by hand.


def concerns(tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
    """Return all concerns about the draft: board by board, the most serious of a board first, and the bye last.

    tournament: before the round, in `absent` the players who do not play in it. Raises InvalidTournament.
    Cost: linear, plus the cost of choosing the bye.
    """
    return concerns_by(_DubovJudge(tournament), draft)


def colours_of(tournament: Tournament, one: int, other: int) -> Pair:
    """Return the two players with the colours of article 5.2."""
    field = DubovField(tournament)
    place_of = field.past.place_of
    return ColourAllocator(field, tournament.initial_colour).pair(place_of[one], place_of[other])


class _DubovJudge(SwissJudge[DubovRule, DubovField]):
    float_rule, bye_rule = "BRACKET", "BYE_LOWEST_SCORE"

    def __init__(self, tournament: Tournament) -> None:
        field = DubovField(tournament)
        article_of = partial(cited, edition=edition_of(tournament.options))
        colours = ColourAllocator(field, tournament.initial_colour)
        super().__init__(tournament, field, colours, DubovRule, article_of, least_to_bar(tournament))
        self.downfloated = _downfloated_last(tournament)

    def both_opposite(self, white: int, black: int) -> bool:
        return self.field.wants_white[black] and not self.field.wants_white[white]

    def floats(self, higher: int, lower: int) -> Iterator[Concern]:
        """Yield concerns about floats (1.3.2). C8 and C10 do not count in the last round."""
        before = self.tournament.round - 1
        player, upfloats = (self.field.ids[lower],), self.field.past.upfloats.get(lower, ())
        if before in upfloats and not self.last:
            yield Concern("upfloat_again", Level.ACKNOWLEDGE, player, (self.article("C10"),), (before,))
        count = len(upfloats)
        if count >= self.field.limit and not self.last:
            articles = (self.article("C8"), self.article("MAXIMUM_UPFLOATER"))
            rounds = tuple(upfloats)
            yield Concern("maximum_upfloater", Level.ACKNOWLEDGE, player, articles, rounds, count=count)
        if self.field.ids[higher] in self.downfloated:
            yield Concern("downfloat_again", Level.ACKNOWLEDGE, (self.field.ids[higher],), (), (before,))

    def right_bye(self) -> int | None:
        """Return the place that has the bye by article 2.1; None if the number is even."""
        entrants = [self.field.entrant(place) for place in self.field.present]
        return allocate_bye(self.field, Lower.of(entrants)) if len(entrants) % 2 else None


def _downfloated_last(tournament: Tournament) -> frozenset[int]:
    """Return the players who met a player with fewer points over the board in the round before this one."""
    before = tournament.round - 1
    if before < 1:
        return frozenset()
    former = Past(
        replace(
            tournament,
            round=before,
            games=tuple(game for game in tournament.games if game.round < before),
            byes=tuple(bye for bye in tournament.byes if bye.round < before),
        ),
        history_rules(tournament),
    )
    score = {key: former.pairing_score[place] for key, place in former.place_of.items()}
    down = set()
    for game in tournament.games:
        if game.round == before and RESULTS[game.result].played and score[game.white] != score[game.black]:
            down.add(game.white if score[game.white] > score[game.black] else game.black)
    return frozenset(down)
