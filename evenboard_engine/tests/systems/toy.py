"""A pairing system of its own: the ladder. It shows that a system needs no line outside its own file.

Players stand on a ladder by points and pairing number. The highest free player meets the next one below whom they have
not met, as long as the others can still be paired. The higher of the two has White in odd rounds. With the option
`start=bottom` the ladder is turned over, with `turned` the colours. `reach` is how many rungs below an opponent may
be, `gap` how many points; a pairing by hand warns of an opponent who is `far`. Where a limit leaves players over, the
round cannot finish, and a round without the limits is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from evenboard_engine import (
    SYSTEMS,
    Colour,
    Game,
    NoLegalPairing,
    Offer,
    Pair,
    RoundPairing,
    Tournament,
    histories,
)
from evenboard_engine.findings import Concern, HandMadeDraft, Level, Published, RoundDifference
from evenboard_engine.history import History
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.systems.options import ChoiceOption, PointsOption, Switch, WholeNumber
from evenboard_engine.systems.system import PairingSystem
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    Float,
    Member,
    PairTrace,
    Passed,
    PlayerExplanation,
    Reason,
    RoundTrace,
    WhyAnswer,
)
from evenboard_engine.words.catalogue import ENGLISH, Language, gettext_noop, ngettext
from evenboard_engine.words.explanation import Statement, Words
from evenboard_engine.words.registry import SYSTEM_WORDS
from evenboard_engine.words.systems import OptionWords, SystemWords

START = ChoiceOption("start", "top", ("top", "bottom"))
TURNED = Switch("turned")
REACH = WholeNumber("reach", "99", least=1, most=99)
FAR = WholeNumber("far", "20", least=1, most=99, not_above="reach")
GAP = PointsOption("gap")
ARTICLES = {
    "bye_none": (),
    "bye_given": ("L.1",),
    "ladder_all": ("L.2",),
    "ladder_next": ("L.2",),
    "ladder_met": ("L.3",),
    "ladder_colour": ("L.4",),
    "ladder_other": ("L.2",),
    "ladder_bottom": ("L.2",),
    "ladder_float": ("L.6",),
    "ladder_left": ("L.5",),
    "ladder_tried": ("L.5",),
    "ladder_wider": ("L.5",),
}


class Rung(StrEnum):
    """The rules of the ladder, as a difference names them."""

    PAIRS = "L.2"
    COLOURS = "L.4"


@dataclass(frozen=True)
class Standing:
    """The ladder before a round: ids from the top, and who has met whom. rung: of each id; 0 is the top."""

    ids: tuple[int, ...]
    met: frozenset[frozenset[int]]
    past: Mapping[int, History]
    rung: Mapping[int, int]
    reach: int
    gap: int | None

    @classmethod
    def of(cls, tournament: Tournament) -> Standing:
        past = histories(tournament)
        away = tournament.absent | {bye.player for bye in tournament.byes if bye.round == tournament.round}
        here = [player for player in tournament.players if player.id not in away]
        turned = START.text(tournament.options) == "bottom"
        here.sort(key=lambda player: (-past[player.id].pairing_score, player.tpn), reverse=turned)
        met = {frozenset((game.white, game.black)) for game in tournament.games if is_met(game)}
        return cls(
            ids=tuple(player.id for player in here),
            met=frozenset(met | {*map(frozenset, tournament.forbidden)}),
            past=past,
            rung={player.id: rung for rung, player in enumerate(here)},
            reach=REACH.number(tournament.options),
            gap=GAP.tenths(tournament.options),
        )

    def without_limits(self) -> Standing:
        return replace(self, reach=len(self.ids), gap=None)

    def meets(self, one: int, other: int) -> bool:
        apart = abs(self.past[one].pairing_score - self.past[other].pairing_score)
        near = abs(self.rung[one] - self.rung[other]) <= self.reach
        return frozenset((one, other)) not in self.met and near and (self.gap is None or apart <= self.gap)

    def pairs_down(self, ids: Sequence[int]) -> list[tuple[int, int]] | None:
        """Return the first complete pairing from the top; None if there is none."""
        if not ids:
            return []
        first, *others = ids
        for other in others:
            if self.meets(first, other):
                rest = self.pairs_down([key for key in others if key != other])
                if rest is not None:
                    return [(first, other), *rest]
        return None

    def left_over(self) -> tuple[int, ...]:
        """Return who is left if the highest always takes the next within reach."""
        left, free = [], list(self.ids)
        while free:
            first = free.pop(0)
            other = next((key for key in free if self.meets(first, key)), None)
            if other is None:
                left.append(first)
            else:
                free.remove(other)
        return tuple(left)

    def reasons(self, left: tuple[int, ...]) -> tuple[Reason, ...]:
        return Reason("ladder_tried", {"count": self.reach}), Reason("ladder_left", {"players": left})

    def found(self) -> tuple[int | None, list[tuple[int, int]]] | None:
        """Return the bye and the pairs; None if there are none."""
        byes: list[int | None] = [None]
        if len(self.ids) % 2:
            byes = [key for key in reversed(self.ids) if not self.past[key].bye_barred]
        for bye in byes:
            pairs = self.pairs_down([key for key in self.ids if key != bye])
            if pairs is not None:
                return bye, pairs
        return None


def is_met(game: Game) -> bool:
    return not game.result.value.endswith("forfeit")


class Ladder(PairingSystem):
    code = "ladder"
    regulation = "L"
    takes_unrated = True
    of_fide = False
    player_facts = ("team", "club", "keep", "new", "late")
    looks_ahead = True
    may_stop = True
    options = (START, TURNED, REACH, FAR, GAP)
    report_name = "Individual: Ladder"
    report_code = "CUSTOM_SWISS"
    accelerated_code = ""

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        ladder = Standing.of(tournament)
        found = ladder.found()
        if found is None and ladder.without_limits().found() is None:
            raise NoLegalPairing("no_pairing", players=ladder.ids)
        if found is None:
            raise NoLegalPairing(
                "cannot_finish", players=(left := ladder.left_over()), reasons=ladder.reasons(left)
            )
        return self.round(tournament, found, trace=trace)

    def offer(self, tournament: Tournament) -> Offer | None:
        ladder = Standing.of(tournament)
        found = ladder.without_limits().found()
        if found is None or ladder.found() is not None:
            return None
        wide = tuple(pair for pair in found[1] if not ladder.meets(*pair))
        reasons = (Reason("ladder_wider", {"player": one, "other": other}) for one, other in wide)
        return Offer(self.round(tournament, found, trace=False), tuple(reasons))

    def round(
        self, tournament: Tournament, found: tuple[int | None, list[tuple[int, int]]], *, trace: bool
    ) -> RoundPairing:
        bye, rows = found
        pairs = tuple(self.colours(tournament, one, other) for one, other in rows)
        pairing = RoundPairing(tournament.round, pairs, bye, (tuple(rows),))
        return replace(pairing, trace=LadderExplainer(tournament, pairing).trace) if trace else pairing

    def colours(self, tournament: Tournament, one: int, other: int) -> Pair:
        turned = TURNED.is_on(tournament.options)
        white, black = (one, other) if tournament.round % 2 != turned else (other, one)
        return Pair(white, black, "ladder_colour")

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> LadderExplainer:
        return LadderExplainer(tournament, pairing)

    def compare(
        self, tournament: Tournament, published: Published, pairing: RoundPairing | None
    ) -> tuple[RoundDifference, ...]:
        right = {pair.white: pair.black for pair in pairing.pairs} if pairing else {}
        return tuple(
            RoundDifference(
                published.round,
                "rung",
                Rung.PAIRS,
                "L.2",
                found=pair,
                expected=(pair[0], right.get(pair[0], 0)),
            )
            for pair in published.pairs
            if right.get(pair[0]) != pair[1] and right.get(pair[1]) != pair[0]
        )

    def concerns(self, tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
        ladder, far = Standing.of(tournament), FAR.number(tournament.options)
        met = [pair for pair in draft.pairs if frozenset(pair) in ladder.met]
        wide = [pair for pair in draft.pairs if abs(ladder.rung[pair[0]] - ladder.rung[pair[1]]) > far]
        return (
            *(Concern("ladder_met", Level.PROCEED, pair, ("L.3",)) for pair in met),
            *(Concern("ladder_far", Level.SHOW, pair, ("L.5",)) for pair in wide),
        )

    def preference(self, history: History) -> Preference:
        colour = Colour.BLACK if history.colours[-1:] == (Colour.WHITE,) else Colour.WHITE
        return Preference(colour, Strength.MILD)

    def articles_of(self, code: str, options: Mapping[str, str]) -> tuple[str, ...]:
        return ARTICLES[code]


def floats(ladder: Standing, found: Sequence[tuple[int, int]]) -> Iterator[Float]:
    for pair in found:
        one, other = sorted(pair, key=lambda key: -ladder.past[key].pairing_score)
        from_score, to_score = ladder.past[one].pairing_score, ladder.past[other].pairing_score
        if from_score != to_score:
            near = abs(ladder.rung[one] - ladder.rung[other]) == 1
            yield Float(one, other, from_score, to_score, near, from_score - to_score)


class LadderExplainer:
    def __init__(self, tournament: Tournament, pairing: RoundPairing) -> None:
        ladder = Standing.of(tournament)
        self.pairing, self.met = pairing, ladder.met
        found: Sequence[tuple[int, int]] = pairing.brackets[0] if pairing.brackets else ()
        white = {pair.white for pair in pairing.pairs}
        free = [key for key in ladder.ids if key != pairing.bye]
        rows = []
        for one, other in found:
            above = [key for key in free[: free.index(other)] if key != one]
            passed = tuple(Passed(key, self._why(one, key)) for key in above)
            mine = one if one in white else other
            rows.append(PairTrace(one, other, mine, "ladder_colour", {}, passed))
            free = [key for key in free if key not in (one, other)]
        members = {key: Member(key, ladder.past[key].aro, Colour.WHITE, "mild") for key in ladder.ids}
        bracket = BracketTrace(
            score=max((past.score for past in ladder.past.values()), default=0),
            residents=tuple(key for pair in found for key in pair),
            upfloaters=(), count=Reason("ladder_all", {}), passed=(), unlisted=0, unplayed=False,
            g1=tuple(members[one] for one, _ in found), g2=tuple(members[other] for _, other in found),
            first_numbers=(), shifted_first=(), second_numbers=(), shifted_second=(),
            order=tuple(other for _, other in found), missed=(), pairs=tuple(rows), virtual={},
            steps=tuple(Reason("ladder_next", {"player": one, "other": other}) for one, other in found),
        )  # fmt: skip
        turned = START.text(tournament.options) == "bottom"
        self.trace = RoundTrace(
            pairing.round,
            ByeTrace(pairing.bye),
            (bracket,) if found else (),
            steps=(Reason("ladder_bottom", {}),) if turned else (),
            floats=tuple(floats(ladder, found)),
        )

    def _why(self, player: int, other: int) -> Reason:
        code = "ladder_met" if frozenset((player, other)) in self.met else "ladder_other"
        return Reason(code, {"player": player, "other": other})

    def pair_of(self, player: int) -> PairTrace | None:
        rows = (row for bracket in self.trace.brackets for row in bracket.pairs)
        return next((row for row in rows if player in (row.first, row.second)), None)

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self.trace.brackets[0] if self.pair_of(player) else None

    def player(self, player: int) -> PlayerExplanation:
        row = self.pair_of(player)
        if row is None:
            bye = Reason("bye_given", {"player": player})
            return PlayerExplanation(player, None, (WhyAnswer("bye", (bye,)),))
        other = row.second if player == row.first else row.first
        why = Reason("ladder_next", {"player": player, "other": other})
        return PlayerExplanation(
            player, other, (WhyAnswer("opponent", (why,)), WhyAnswer("colour", (row.colours,)))
        )

    def why_not(self, player: int, other: int) -> Reason:
        return self._why(player, other)

    def why_not_bye(self, player: int) -> Reason:
        return Reason("ladder_other", {"player": player, "other": player})


class LadderWords(Words):
    sentences = {
        "bye_none": gettext_noop("Everybody has an opponent."),
        "bye_given": gettext_noop("%(player)s is the lowest on the ladder who may have the bye."),
        "ladder_all": gettext_noop("Everybody is on one ladder."),
        "ladder_next": gettext_noop("%(other)s is the nearest on the ladder to %(player)s."),
        "ladder_met": gettext_noop("%(player)s and %(other)s have met."),
        "ladder_other": gettext_noop("%(player)s and %(other)s are not next to each other on the ladder."),
        "ladder_colour": gettext_noop("%(white)s has White by the round."),
        "ladder_bottom": gettext_noop("The ladder is turned over."),
        "ladder_tried": ngettext(
            "Each player takes an opponent within %(count)s rung.",
            "Each player takes an opponent within %(count)s rungs.",
            "count",
        ),
        "ladder_left": gettext_noop("Without an opponent within reach: %(players)s."),
        "ladder_wider": gettext_noop("%(player)s and %(other)s are out of reach."),
    }
    steps = {"ladder_all": gettext_noop("The ladder is read from its start.")}

    def bracket(self, bracket: BracketTrace) -> list[Statement]:
        return [self.step("ladder_all"), *super().bracket(bracket)]


def difference_text(
    difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True
) -> str:
    one, two = difference.found
    text = language.text_of(gettext_noop("%(one)s must not meet %(two)s (L.2)"), {"one": one, "two": two})
    return f"round {difference.round}: {text}" if with_round else text


LADDER = Ladder()
LADDER_WORDS = SystemWords(
    name=gettext_noop("Ladder System"),
    summary=gettext_noop("Neighbours on a ladder meet. It is for tests."),
    audience=gettext_noop("It suits nobody."),
    standing=gettext_noop("No federation has ever seen it."),
    rules=gettext_noop("rules of the ladder, from the %(start)s"),
    numbers=gettext_noop("Numbers in the margin are articles of the ladder, from the %(start)s."),
    explanation=LadderWords,
    difference=difference_text,
    heading=lambda options: f"Articles of the ladder, from the {options.get('start', 'top')}.",
    options={
        "start": OptionWords(
            label=gettext_noop("Start of the ladder"),
            meaning=gettext_noop("Where the ladder is read from."),
            term=gettext_noop("start of the ladder"),
            values={"top": gettext_noop("from the top"), "bottom": gettext_noop("from the bottom")},
            command="where the ladder starts",
        ),
        "turned": OptionWords(
            label=gettext_noop("Turn the colours"),
            meaning=gettext_noop("The higher player has Black in odd rounds."),
            term=gettext_noop("turned colours"),
        ),
        "reach": OptionWords(
            label=gettext_noop("Reach"),
            meaning=gettext_noop("How many rungs below an opponent may be."),
            term=gettext_noop("reach"),
        ),
        "far": OptionWords(
            label=gettext_noop("Far"),
            meaning=gettext_noop("The program warns of opponents who are more rungs apart."),
            term=gettext_noop("far"),
        ),
        "gap": OptionWords(
            label=gettext_noop("Largest gap"),
            meaning=gettext_noop("How many points an opponent may have less."),
            term=gettext_noop("largest gap"),
        ),
    },
    concerns={
        "ladder_met": gettext_noop("%(player)s and %(other)s are on the ladder twice."),
        "ladder_far": gettext_noop("%(player)s and %(other)s are far apart."),
    },
)


@contextmanager
def ladder_known() -> Iterator[Ladder]:
    """Register the ladder as long as the block runs."""
    SYSTEMS[LADDER.code], SYSTEM_WORDS[LADDER.code] = LADDER, LADDER_WORDS
    try:
        yield LADDER
    finally:
        del SYSTEMS[LADDER.code], SYSTEM_WORDS[LADDER.code]
