"""Whether what an explanation claims is true, by the figures of the reference and not by the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evenboard_engine.model import RESULTS, Bye, ByeKind, Colour, Game, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.tests.systems.dubov1997.cases import case_of
from evenboard_engine.tests.systems.dubov1997.reference import Sheet
from evenboard_engine.tests.systems.dubov1997.values import Person
from evenboard_engine.trace import Reason

Params = dict[str, Any]


class Claims:
    """Judges reasons about one round. said: the codes that were judged."""

    def __init__(self, tournament: Tournament, pairing: RoundPairing) -> None:
        self.tournament, self.pairing = tournament, pairing
        self.case = case_of(tournament)
        self.sheet = Sheet(self.case)
        self.sheet.pair()
        self.no = {player.id: player.tpn for player in tournament.players}
        self.opponent = {pair.white: pair.black for pair in pairing.pairs}
        self.opponent |= {black: white for white, black in self.opponent.items()}
        self.judged: set[str] = set()

    def of(self, key: int) -> Person:
        return self.sheet.of[self.no[key]]

    def wrong(self, reason: Reason) -> bool:
        """Return whether a claim is false. A code that nobody judges here claims nothing about a player's figures."""
        judge: Callable[[Params], bool] | None = getattr(self, f"is_{reason.code}", None)
        if judge is None:
            return False
        self.judged.add(reason.code)
        return not judge(dict(reason.params))

    def both(self, params: Params) -> tuple[Person, Person]:
        return self.of(params["player"]), self.of(params["other"])

    # --- who can meet

    def games_of(self, key: int) -> list[Game]:
        games = [game for game in self.tournament.games if key in (game.white, game.black)]
        return sorted((game for game in games if RESULTS[game.result].played), key=lambda game: game.round)

    def is_met(self, params: Params) -> bool:
        other = params["other"]
        rounds = [game.round for game in self.games_of(params["player"]) if other in (game.white, game.black)]
        return rounds != [] and tuple(sorted(rounds)) == tuple(sorted(params["rounds"]))

    def is_forbidden(self, params: Params) -> bool:
        return {self.no[params["player"]], self.no[params["other"]]} in self.case.forbidden

    def is_both_barred(self, params: Params) -> bool:
        return all(person.barred_from(params["colour"].value) for person in self.both(params))

    def is_no_way(self, params: Params) -> bool:
        one, other = self.both(params)
        return not self.sheet.possible(one.no, other.no) and other.no not in one.met

    # --- the bye

    def entry_of(self, params: Params) -> Bye | Game:
        entries: list[Bye | Game] = [
            bye
            for bye in self.tournament.byes
            if (bye.player, bye.round) == (params["player"], params["round"])
        ]
        entries += [
            game
            for game in self.tournament.games
            if game.round == params["round"] and params["player"] in (game.white, game.black)
        ]
        (entry,) = entries
        return entry

    def is_bye_had(self, params: Params) -> bool:
        entry = self.entry_of(params)
        return isinstance(entry, Bye) and entry.kind is ByeKind.ALLOCATED

    def is_bye_full_point(self, params: Params) -> bool:
        entry = self.entry_of(params)
        return isinstance(entry, Bye) and entry.kind is ByeKind.FULL and self.of(params["player"]).had_point

    def is_bye_forfeit_win(self, params: Params) -> bool:
        entry = self.entry_of(params)
        assert isinstance(entry, Game)
        won = RESULTS[entry.result].white if entry.white == params["player"] else RESULTS[entry.result].black
        return won.value == "forfeit win" and self.of(params["player"]).had_point

    def is_bye_none(self, _params: Params) -> bool:
        return len(self.case.persons) % 2 == 0

    def is_bye_given(self, params: Params) -> bool:
        person = self.of(params["player"])
        return person.no == self.sheet.order_for_bye()[0] and not person.had_point

    def is_other_bye(self, params: Params) -> bool:
        person = self.of(params["player"])
        first = next(
            no for no in self.sheet.order_for_bye() if self.sheet.wholly_pairable({*self.sheet.of} - {no})
        )
        return person.no == first

    def is_bye_rest(self, params: Params) -> bool:
        return not self.sheet.wholly_pairable({*self.sheet.of} - {self.no[params["player"]]})

    def is_has_bye(self, params: Params) -> bool:
        return self.pairing.bye == params["player"]

    def is_bye_higher_score(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return mine.score > theirs.score and self.pairing.bye == params["other"]

    def is_bye_higher_rating(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        ratings = (params["rating"], params["other_rating"])
        return (
            mine.score == theirs.score
            and mine.rating > theirs.rating
            and ratings == (mine.rating, theirs.rating)
        )

    def is_bye_other_colour(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        group = [person.no for person in self.case.persons if person.score == mine.score]
        colour = params["colour"].value
        return (
            self.sheet.dominating(group) == colour == theirs.due != mine.due and mine.rating == theirs.rating
        )

    def is_bye_lower_aro(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return mine.aro < theirs.aro and (mine.score, mine.rating) == (theirs.score, theirs.rating)

    def is_bye_smaller_number(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        equal = (mine.score, mine.rating, mine.aro) == (theirs.score, theirs.rating, theirs.aro)
        return mine.no < theirs.no and equal

    def is_bye_not_last(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return mine.no < theirs.no == max(person.no for person in self.case.persons)

    # --- orders

    def is_rise_barred(self, params: Params) -> bool:
        person = self.of(params["player"])
        rises = (params["count"], params["last"]) == (person.rises, person.rose_last)
        return self.sheet.barred_from_rising(person.no) and rises

    is_barred_from_rising = is_rise_barred

    def is_same_due(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return mine.due == params["colour"].value != theirs.due

    is_same_due_island = is_dominating_due = is_same_due

    def is_lower_rating(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        ratings = (params["rating"], params["other_rating"])
        return mine.rating < theirs.rating and ratings == (mine.rating, theirs.rating)

    def is_higher_aro(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        shown_right = (params["aro"], params["other_aro"]) == (shown(mine), shown(theirs))
        return mine.rating == theirs.rating and mine.aro > theirs.aro and shown_right

    def is_larger_number(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return (mine.rating, mine.aro) == (theirs.rating, theirs.aro) and mine.no > theirs.no

    is_lower_rating_rising, is_higher_aro_rising = is_lower_rating, is_higher_aro
    is_larger_number_rising = is_larger_number

    def is_row_order(self, params: Params) -> bool:
        first, second = self.of(params["opponent"]), self.of(params["other"])
        keys = [(-person.rating, -person.aro, person.no) for person in (first, second)]
        return keys[0] < keys[1] and self.opponent[params["player"]] == params["opponent"]

    # --- who went where

    def is_taken(self, params: Params) -> bool:
        by, player = self.of(params["by"]), self.of(params["player"])
        first = (by.aro, by.rating, by.no) < (player.aro, player.rating, player.no)
        return first and self.opponent[params["by"]] == params["other"]

    def is_taken_by_floater(self, params: Params) -> bool:
        higher = self.of(params["by"]).score > self.of(params["player"]).score
        return higher and self.opponent[params["by"]] == params["player"]

    is_taken_by_island = is_taken_by_floater

    def is_nearest_group(self, params: Params) -> bool:
        opponent, other = self.of(params["opponent"]), self.of(params["other"])
        return opponent.score > other.score and self.opponent[params["player"]] == params["opponent"]

    is_nearest_group_rising = is_nearest_group

    def is_no_transfer_needed(self, params: Params) -> bool:
        mine, theirs = self.both(params)
        return mine.score > theirs.score

    def is_rose_away(self, params: Params) -> bool:
        return self.of(params["player"]).score < params["score"]

    # --- the offer

    def made(self, one: int, other: int) -> bool:
        """Return whether the procedure made this pair before it stopped."""
        return {self.no[one], self.no[other]} in [set(pair) for pair in self.sheet.made]

    def comes_before(self, one: int, other: int) -> bool:
        keys = [(-person.score, -person.rating, person.no) for person in (self.of(one), self.of(other))]
        return keys[0] < keys[1]

    def is_kept(self, params: Params) -> bool:
        player, opponent = params["player"], params["opponent"]
        return self.opponent[player] == opponent and self.made(player, opponent)

    def is_taken_by_offer(self, params: Params) -> bool:
        by, player = params["by"], params["player"]
        first = self.comes_before(by, player) and self.comes_before(by, params["other"])
        return first and self.opponent[by] == player

    def is_offered(self, params: Params) -> bool:
        player, opponent = params["player"], params["opponent"]
        first = self.comes_before(player, opponent) and self.comes_before(opponent, params["other"])
        return first and self.opponent[player] == opponent

    def is_undone_here(self, params: Params) -> bool:
        return all(self.made(*pair) for pair in params["pairs"]) and params["count"] == len(params["pairs"])

    # --- those who were chosen one by one, with everybody who was free then

    def free_then(self, one: int, other: int) -> set[int]:
        made = self.sheet.made
        at = next(at for at, pair in enumerate(made) if set(pair) == {one, other})
        taken = {no for pair in made[:at] for no in pair}
        bye = (
            self.sheet.order_for_bye()[:1] if len(self.sheet.of) % 2 else []
        )  # an offer may have another one
        return set(self.sheet.of) - taken - {*bye}

    def chosen(self, params: Params, *, rising: bool) -> tuple[Person, list[Person], list[Person]]:
        """The player, the opponents in the group of the chosen one, and those in the groups between."""
        player, opponent = self.of(params["player"]), self.of(params["opponent"])
        free = [self.sheet.of[no] for no in self.free_then(player.no, opponent.no)]
        may = [person for person in free if self.sheet.possible(player.no, person.no)]
        if rising:
            between = [person for person in may if opponent.score < person.score <= player.score]
            may = [person for person in may if not self.sheet.barred_from_rising(person.no)]
        else:
            between = []
        return player, [person for person in may if person.score == opponent.score], between

    def is_floater_paired(self, params: Params, *, rising: bool = False) -> bool:
        player, may, between = self.chosen(params, rising=rising)
        wanted = [person for person in may if not player.due or person.due != player.due]
        best = min(wanted, key=lambda person: (-person.rating, person.aro, person.no))
        shown_right = params["rating"] == best.rating and params["score"] == best.score
        return best is self.of(params["opponent"]) and between == [] and shown_right

    def is_floater_same_due(self, params: Params, *, rising: bool = False) -> bool:
        player, may, between = self.chosen(params, rising=rising)
        best = min(may, key=lambda person: (-person.rating, person.aro, person.no))
        all_same = all(person.due == player.due == params["colour"].value for person in may)
        return all_same and best is self.of(params["opponent"]) and between == []

    def is_island_paired(self, params: Params) -> bool:
        return self.is_floater_paired(params, rising=True)

    def is_island_same_due(self, params: Params) -> bool:
        return self.is_floater_same_due(params, rising=True)

    # --- colours

    def pair_of(self, params: Params) -> tuple[Person, Person]:
        return self.of(params["white"]), self.of(params["black"])

    def is_colour_limit_row(self, params: Params) -> bool:
        person, colour = self.of(params["player"]), params["colour"].value
        has_other = params["black" if colour == "w" else "white"] == params["player"]
        return person.colours[-2:] == 2 * colour and has_other

    def is_colour_limit_difference(self, params: Params) -> bool:
        person, step = self.of(params["player"]), 1 if params["colour"] is Colour.WHITE else -1
        return abs(person.d + step) > 2

    def is_colour_due(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        return (white.due, black.due) == ("w", "b")

    def is_colour_due_one(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        return {(white.due, black.due)} <= {("w", ""), ("", "b")}

    def is_colour_equalise(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        differences = (params["difference"], params["other_difference"])
        return white.due == black.due and white.d < black.d and differences == (white.d, black.d)

    def is_colour_alternate(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        at = 1
        while white.colours[-at] == black.colours[-at]:
            at += 1
        rounds = [self.games_of(params[side])[-at].round for side in ("white", "black")]
        colours = (white.colours[-at], black.colours[-at]) == ("b", "w")
        return colours and rounds == [params["white_round"], params["black_round"]] and white.d == black.d

    def same_colours(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        length = min(len(white.colours), len(black.colours))
        same = white.colours[len(white.colours) - length :] == black.colours[len(black.colours) - length :]
        return same and white.d == black.d and white.due == black.due

    def is_colour_aro(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        shown_right = (params["aro"], params["other_aro"]) == (shown(white), shown(black))
        return self.same_colours(params) and white.aro > black.aro and shown_right

    def is_colour_rating(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        return self.same_colours(params) and white.aro == black.aro and white.rating < black.rating

    def is_colour_number(self, params: Params) -> bool:
        white, black = self.pair_of(params)
        equal = (white.aro, white.rating) == (black.aro, black.rating)
        return self.same_colours(params) and equal and white.no < black.no

    def is_colour_again(self, params: Params) -> bool:
        last = self.games_of(params["player"])[-1]
        mine = Colour.WHITE if last.white == params["player"] else Colour.BLACK
        return (last.round, mine) == (params["round"], params["colour"])


def shown(person: Person) -> str:
    """An ARO as it is written: a decimal with up to three digits."""
    return f"{float(person.aro):.3f}".rstrip("0").rstrip(".")
