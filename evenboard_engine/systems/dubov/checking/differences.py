"""Find where a published round differs from the rules, and which article of C.04.4.1 decides.

The published round is checked bracket by bracket. Each bracket is judged with the published pairs above it, so one
wrong choice is reported once, and not again in every bracket below. A bracket is the highest scoregroup that is left,
with the players of lower scoregroups whom the file pairs with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from evenboard_engine.errors import InternalError
from evenboard_engine.findings import Difference, DifferenceMaker, Published
from evenboard_engine.model import Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.dubov.articles import Rule, article
from evenboard_engine.systems.dubov.options import edition_of
from evenboard_engine.systems.dubov.pairing.bye import choose_for_bye
from evenboard_engine.systems.dubov.pairing.colours import Colours
from evenboard_engine.systems.dubov.pairing.field import Entrant, Field, Lower, may_meet, pairable, places_of
from evenboard_engine.systems.dubov.pairing.shifters import initial_subgroups, recompose
from evenboard_engine.systems.dubov.pairing.transposition import legal_rows_of
from evenboard_engine.systems.dubov.pairing.upfloaters import (
    choose_upfloaters,
    history_criteria,
    upfloater_order,
)

_REFERS_TO = {Rule.BYE_BARRED: Rule.C2, Rule.BYE_LEAVES_A_PAIRING: Rule.C4}


def compare(
    tournament: Tournament, published: Published, pairing: RoundPairing | None
) -> tuple[Difference, ...]:
    """Return all differences between the published round and the pairing by the rules.

    tournament: before the round, in `absent` the players without a game or allocated bye in it. pairing: None if no
    legal pairing exists.
    """
    return tuple(map(_named, _Comparison(tournament, published, pairing).differences()))


def _named(one: Difference) -> Difference:
    """Add the name of the criterion, C1 to C10, if the rule is one or refers to one, and whether a number decides."""
    assert isinstance(one.rule, Rule)
    name = _REFERS_TO.get(one.rule, one.rule).name if one.article else ""
    return replace(
        one,
        criterion=name if name[:1] == "C" and name[1:].isdigit() else "",
        by_number=one.rule is Rule.COLOUR_FIRST_GAME,
    )


class _Comparison(DifferenceMaker[Rule]):
    def __init__(self, tournament: Tournament, published: Published, pairing: RoundPairing | None) -> None:
        super().__init__(published, partial(article, edition=edition_of(tournament.options)))
        self.tournament, self.pairing = tournament, pairing
        self.field = Field(tournament)
        self.mate: dict[int, int] = {}
        place_of = self.field.past.place_of
        for white, black in published.pairs:
            self.mate[place_of[white]], self.mate[place_of[black]] = place_of[black], place_of[white]

    def differences(self) -> Iterator[Difference]:
        yield from self._byes()
        yield from self._illegal_pairs()
        yield from self._brackets()
        yield from self._colours()

    def _by(
        self, difference: Difference, rule: Rule, values: tuple[object, object] | None = None
    ) -> Difference:
        """Return the same difference, decided by another rule."""
        return replace(difference, rule=rule, article=self.article_of(rule), values=values)

    def _ids(self, players: Sequence[Entrant]) -> tuple[int, ...]:
        return tuple(player.id for player in players)

    # --- the bye

    def _byes(self) -> Iterator[Difference]:
        byes = self.published.byes
        if self.pairing is None:
            yield self.difference("no_legal_round", Rule.NO_PAIRING)
        if len(byes) > 1:
            yield self.difference("several_byes", Rule.COMPLETE, found=byes)
        elif byes and self.pairing is not None and byes[0] != self.pairing.bye:
            yield self._wrong_bye(byes[0])

    def _wrong_bye(self, holder: int) -> Difference:
        """Return the difference about the bye, with the first of 2.1.1 to 2.1.5 that its holder breaks."""
        players = self._everybody()
        right = choose_for_bye(players)
        wrong = self.field.entrant(self.field.past.place_of[holder])
        rest = [player for player in players if player is not wrong]
        difference = self.difference("bye", Rule.BYE_LOWEST_RANKED, found=(wrong.id,), expected=(right.id,))
        if wrong.bye_barred:
            return self._by(difference, Rule.BYE_BARRED)
        if not pairable(rest):
            return self._by(difference, Rule.BYE_LEAVES_A_PAIRING)
        if wrong.score != right.score:
            return self._by(difference, Rule.BYE_LOWEST_SCORE, (wrong.score, right.score))
        if wrong.games != right.games:
            return self._by(difference, Rule.BYE_MOST_GAMES, (wrong.games, right.games))
        return difference

    def _everybody(self) -> list[Entrant]:
        return [self.field.entrant(place) for place in self.field.present]

    # --- C1 and C3

    def _illegal_pairs(self) -> Iterator[Difference]:
        place_of = self.field.past.place_of
        for pair in self.published.pairs:
            white, black = (self.field.entrant(place_of[key]) for key in pair)
            if may_meet(white, black):
                continue
            if black.rank in self.field.past.opponents(white.rank):
                yield self.difference("rematch", Rule.C1, found=pair)
            elif black.rank in white.met:
                yield self.difference("forbidden_pair", Rule.C1, found=pair)
            else:
                yield self.difference("same_absolute_preference", Rule.C3, found=pair)

    # --- brackets

    def _brackets(self) -> Iterator[Difference]:
        byes = {self.field.past.place_of[key] for key in self.published.byes}
        lower = Lower.of([player for player in self._everybody() if player.rank not in byes])
        while lower.groups:
            score = self.field.score[lower.groups[0][0]]
            if not (lower.surely_pairable() or pairable(lower.all())):
                yield self.difference("rest_unchecked", Rule.COMPLETE, score=score)
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
        self, residents: list[Entrant], found: list[Entrant], lower: Lower, score: int
    ) -> Iterator[Difference]:
        last_round = self.tournament.round == self.tournament.rounds
        best = choose_upfloaters(residents, lower, last_round=last_round)
        if set(self._ids(best)) == set(self._ids(found)):
            return
        difference = self.difference(
            "upfloaters",
            Rule.ORDER_OF_UPFLOATERS,
            found=self._ids(found),
            expected=self._ids(best),
            score=score,
        )
        taken = {player.rank for player in found}
        if not pairable([player for player in lower.all() if player.rank not in taken]):
            yield self._by(difference, Rule.C4)
            return
        qualities = [self._quality(residents, chosen, last_round=last_round) for chosen in (found, best)]
        if qualities[0] < qualities[1]:
            raise InternalError("published_upfloaters_are_better", players=difference.found)
        for criterion, mine, theirs in zip(
            (Rule.C5, Rule.C6, Rule.C7, Rule.C8, Rule.C9, Rule.C10), *qualities, strict=True
        ):
            if mine != theirs:
                yield self._by(difference, criterion, (_shown(mine), _shown(theirs)))
                return
        yield difference

    def _quality(
        self, residents: list[Entrant], upfloaters: list[Entrant], *, last_round: bool
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

    def _pairs(self, bracket: list[Entrant], score: int) -> Iterator[Difference]:
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
            yield self.difference("preferences", Rule.C7, values=(mine, theirs), score=score)
            return
        groups = recompose(bracket)
        rule, shifted = Rule.SECOND_SHIFT, groups.second
        if self._first_shift_differs(bracket, groups.first):
            rule, shifted = Rule.FIRST_SHIFT, groups.first
        yield self.difference("shifters", rule, expected=self._ids(shifted), score=score)

    def _transposition(self, s1: list[int], t2: list[int], score: int) -> Difference:
        ids = self.field.ids
        one, right = next((one, two) for one, two in zip(s1, t2, strict=True) if self.mate[one] != two)
        wrong = self.mate[one]
        if wrong < right:
            raise InternalError("published_transposition_is_earlier", player=ids[one], opponent=ids[wrong])
        return self.difference(
            "transposition",
            Rule.ORDER_OF_TRANSPOSITIONS,
            found=(ids[one], ids[wrong]),
            expected=(ids[one], ids[right]),
            score=score,
        )

    def _misses(self, bracket: list[Entrant], mate: dict[int, int]) -> int:
        """Return C7: the number of pairs in which both are due the same colour, so that one does not get it."""
        wants_white = self.field.wants_white
        return sum(wants_white[player.rank] is wants_white[mate[player.rank]] for player in bracket) // 2

    def _first_shift_differs(self, bracket: list[Entrant], shifted: Sequence[Entrant]) -> bool:
        """Return whether the file has another first shift. shifted: by the rules, one of each pair in the subgroup."""
        g1, g2 = initial_subgroups(bracket)
        smaller = {player.rank for player in (g1 if len(g1) <= len(g2) else g2)}
        chosen = {player.rank for player in shifted}
        inside = {frozenset((place, self.mate[place])) for place in smaller if self.mate[place] in smaller}
        return len(inside) != len(chosen) or any(len(pair & chosen) != 1 for pair in inside)

    # --- colours

    def _colours(self) -> Iterator[Difference]:
        colours = Colours(self.field, self.tournament.initial_colour)
        place_of = self.field.past.place_of
        for white, black in self.published.pairs:
            if white in self.published.colourless:
                continue
            right = colours.pair(place_of[white], place_of[black])
            if right.white != white:
                yield self.difference(
                    "colours",
                    Rule(right.colours),
                    found=(white, black),
                    expected=(right.white, right.black),
                )


def _best_pairs(field: Field, bracket: list[Entrant]) -> tuple[list[int], list[int]]:
    """Return S1 and T2 of a bracket by 2.2.3 to 2.2.6. The bracket must have a legal pairing."""
    groups = recompose(bracket)
    return legal_rows_of(field, places_of(groups.g1), places_of(groups.g2))


def _mates(s1: list[int], t2: list[int]) -> dict[int, int]:
    return {**dict(zip(s1, t2, strict=True)), **dict(zip(t2, s1, strict=True))}


def _shown(value: int | tuple[int, ...]) -> int | tuple[int, ...]:
    """Return scores with their usual sign: C6 compares negative scores."""
    return value if isinstance(value, int) else tuple(-score for score in value)
