"""What a pairing system is: one object that pairs, explains and checks, and says which options it has.

The engine, the command line, the pages and the files ask this object; none of them names a system. A system has no
sentences: those are in `evenboard_engine/words`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import History, HistoryRules
from evenboard_engine.model import Result, Tournament
from evenboard_engine.result import Offer, Pair, Relaxation, RoundPairing

from .options import Option, WholeNumber

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.preference import Preference
    from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace

    from .lots import DrawnNumbers, LotsPlayer

OPTION_COMMENT = "### Pairing option "
"""Begins a comment line of a report file that carries an option: `### Pairing option high: 200`."""


class Explainer(Protocol):
    """Explains one round. Players are ids."""

    trace: RoundTrace

    def player(self, player: int) -> PlayerExplanation:
        """Answer the questions of a player."""

    def pair_of(self, player: int) -> PairTrace | None:
        """Return the pair of a player; None without a game."""

    def bracket_of(self, player: int) -> BracketTrace | None:
        """Return the bracket in which a player is paired; None without a game."""

    def why_not(self, player: int, other: int) -> Reason:
        """Return why these two do not meet."""

    def why_not_bye(self, player: int) -> Reason:
        """Return why a player does not have the pairing-allocated bye."""


def why_apart(explainer: Explainer, player: int, other: int) -> list[Reason]:
    """Return why two players do not meet, the same for both. If one of them has the bye, also why the other one does
    not have it.
    """
    reasons = [explainer.why_not(*sorted((player, other)))]
    if reasons[0].code == "has_bye":
        without = other if reasons[0].params["player"] == player else player
        reasons.append(explainer.why_not_bye(without))
    return reasons


class PairingSystem(ABC):
    """A pairing system.

    code: in `Tournament.system`, and the option of the command line. regulation: the chapter of the rules, such as
    "C.04.4.1". options: in the order of the forms. lists: what is published after each round and kept: "aro", the list
    of average ratings of opponents; "standings", with all rounds; "crosstable", where everybody meets everybody.
    most_rounds: how many a section may have.
    takes_unrated: players with the rating 0 are unrated; else nobody may be.
    wants_estimates: it pairs unrated players too, but its rules ask for an estimate of their ratings beforehand.
    of_fide: its rules are, or once were, rules of FIDE; a section of another system has no FIDE mode.
    rounds_aro: the average rating of opponents is rounded half up; else it is never rounded.
    report_name: in record 092 of a report file. report_code, accelerated_code: in record 192, without and with Baku
    Acceleration; "" for none. A code that begins with CUSTOM_ may be of several systems: a comment names the system.
    barred_tie_breaks: names of tie-breaks (C.07) that its standings must not use.
    first_tie_breaks: the list of a new section, which the arbiter can change; "" for none.
    suggested_tie_breaks: a list for events of this system, offered to the arbiter; "" for none. A section without a
    list of its own has `tie_breaks`.
    player_facts: what it asks of its players besides ratings: "team", "club", and flags ("keep", "new", "late").
    looks_ahead: half-point byes of later rounds count too, as far as they are known (`Tournament.byes`).
    reads_floats: its rules ask who floated in the last rounds: upfloats, or floats of both kinds (`HistoryRules`).
    may_stop: its procedure cannot finish some rounds, for which it offers one (`offer`).
    fixed_rounds: all rounds follow from the pairing numbers, which are drawn by lot. So they are known before round 1,
    no result changes them, and nobody asks for a bye. A player who is free in a round gets no points for it.
    """

    code: ClassVar[str]
    regulation: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    lists: ClassVar[tuple[str, ...]] = ()
    most_rounds: ClassVar[int] = 30
    takes_unrated: ClassVar[bool] = False
    wants_estimates: ClassVar[bool] = False
    of_fide: ClassVar[bool] = True
    rounds_aro: ClassVar[bool] = True
    barred_tie_breaks: ClassVar[frozenset[str]] = frozenset()
    first_tie_breaks: ClassVar[str] = ""
    suggested_tie_breaks: ClassVar[str] = ""
    player_facts: ClassVar[tuple[str, ...]] = ()
    looks_ahead: ClassVar[bool] = False
    report_name: ClassVar[str]
    report_code: ClassVar[str]
    accelerated_code: ClassVar[str]
    reads_floats: ClassVar[bool] = False
    may_stop: ClassVar[bool] = False
    fixed_rounds: ClassVar[bool] = False

    @property
    def tie_breaks(self) -> str:
        """Return the tie-breaks of the standings after the points, as record 202 names them."""
        return "ARO,TPN" if "aro" in self.lists else "TPN"

    @property
    def choices(self) -> tuple[Option, ...]:
        """Return the options that somebody can choose: those with more than one value."""
        return tuple(option for option in self.options if option.has_choice)

    @abstractmethod
    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        """Pair round `tournament.round`. trace: return all reasons as well.

        The same input gives the same answer. Raises InvalidTournament, NoLegalPairing, and InternalError if the answer
        does not pass its own check.
        """

    @abstractmethod
    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        """Explain a round that `pair` returned for this tournament."""

    @abstractmethod
    def compare(
        self, tournament: Tournament, published: Published, pairing: RoundPairing | None
    ) -> tuple[RoundDifference, ...]:
        """Return all differences between a published round and the pairing by the rules (None: none is legal)."""

    @abstractmethod
    def colours(self, tournament: Tournament, one: int, other: int) -> Pair:
        """Return two players with the colours that the rules give them."""

    @abstractmethod
    def articles_of(self, code: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the articles behind a reason or a step of an explanation, as these options number them."""

    def concerns(self, _tournament: Tournament, _draft: HandMadeDraft) -> tuple[Concern, ...]:
        """Return what is wrong or unusual in a round that is paired by hand: board by board, the bye last."""
        return ()

    def relaxations(self, _tournament: Tournament) -> tuple[Relaxation, ...]:
        """Propose the rules to break so that a round exists, gravest first; () if one exists or nothing is known."""
        return ()

    def offer(self, _tournament: Tournament) -> Offer | None:
        """Return a round for the arbiter where `pair` raises NoLegalPairing because the procedure cannot finish.

        None if there is none.
        """
        return None

    def preference(self, _history: History) -> Preference | None:
        """Return the colour that a player is due; None if the system has no colour preferences."""
        return None

    def upfloat_limit(self, _rounds: int) -> int | None:
        """Return after how many upfloats a player should not be upfloated again; None if there is no such limit."""
        return None

    def rounds_for(self, _players: int, _options: Mapping[str, str]) -> int | None:
        """Return the number of rounds for this many players; None if the organiser decides it."""
        return None

    def draw_lots(
        self, _entrants: Iterable[LotsPlayer], _options: Mapping[str, str], _seed: str
    ) -> DrawnNumbers | None:
        """Draw the pairing numbers by lot; None if they follow from the ratings."""
        return None

    def keeps_apart(self, _options: Mapping[str, str]) -> frozenset[str]:
        """Return the facts about players ("team", "club") by which these options keep players apart, if possible."""
        return frozenset()

    def forfeit(self, _tournament: Tournament, _white: int, _black: int) -> Result | None:
        """Return the result of a game that a player who has left cannot play; None if it can be played."""
        return None

    def uncounted(self, _tournament: Tournament) -> Mapping[int, tuple[int, int]]:
        """Return the players whose games do not count for the standings, because they left too early.

        For each of them: how many games the player had completed, and of how many.
        """
        return {}

    def completed(self, _tournament: Tournament) -> Mapping[int, tuple[int, int]]:
        """Return, for each player who left, how many games the player had completed, and of how many.

        Only a system whose rounds are fixed counts this.
        """
        return {}

    def coded(self, _options: Mapping[str, str], *, accelerated: bool = False) -> str:
        """Return the code of record 192 for a tournament with these options."""
        return self.accelerated_code if accelerated else self.report_code

    def decoded(self, code: str) -> Mapping[str, str] | None:
        """Return the options that a code of record 192 stands for; None if it is not a code of this system."""
        return {} if code and code in (self.report_code, self.accelerated_code) else None

    def names_acceleration(self, code: str) -> bool:
        """Return whether a code of record 192 is of this system with Baku Acceleration."""
        return code == self.accelerated_code != ""

    def older_edition(self, _code: str, _day: str) -> str:
        """Return the year of the edition under which a tournament began, if it is older than those of this system.

        code: of record 192, which may name an edition; otherwise the first day decides (YYYY-MM-DD; "": unknown). ""
        for an edition that the system has.
        """
        return ""

    def history_rules(self, _tournament: Tournament) -> HistoryRules:
        """Return what counts of unplayed rounds."""
        return HistoryRules()

    def options_on(self, _day: str) -> Mapping[str, str]:
        """Return the options that the first day of a tournament decides (YYYY-MM-DD; "": unknown)."""
        return {}

    def handbook(self, _options: Mapping[str, str]) -> str:
        """Return the web address of the rules with these options; "" if none is known."""
        return ""

    def comments(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the comment lines of a report file that carry the options."""
        return tuple(f"{OPTION_COMMENT}{name}: {value}" for name, value in self.checked(options).items())

    def option_in(self, comment: str) -> tuple[str, str] | None:
        """Return the option and the value that a comment line carries; None if it carries none."""
        name, _colon, written = comment.removeprefix(OPTION_COMMENT).partition(":")
        option = next((option for option in self.options if option.name == name), None)
        if option is None or not comment.startswith(OPTION_COMMENT):
            return None
        value = option.read(written.strip())
        return None if value is None else (name, value)

    def checked(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return all options, with defaults for those that are missing.

        Raises InvalidTournament: unknown_option, unknown_value, option_above.
        """
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise InvalidTournament("unknown_option", option=name, known=tuple(known))
        found = {name: _read(option, options.get(name, option.default)) for name, option in known.items()}
        for error in self.above(found):
            raise error
        return found

    def above(self, options: Mapping[str, str]) -> Iterator[InvalidTournament]:
        """Yield an error, option_above, for each option that is above another one. Missing options are not compared."""
        for option in self.options:
            if not isinstance(option, WholeNumber) or not option.not_above:
                continue
            value, most = options.get(option.name), options.get(option.not_above)
            if value is not None and most is not None and int(value) > int(most):
                params = {"option": option.name, "value": value, "other": option.not_above, "most": most}
                yield InvalidTournament("option_above", **params)


def _read(option: Option, given: object) -> str:
    """Return a value as tournaments keep it. given: anything, because a copy may be damaged."""
    value = option.read(given) if isinstance(given, str) else None
    if value is None:
        raise InvalidTournament("unknown_value", option=option.name, value=given, known=option.allowed)
    return value
