"""The explanation of a round in plain sentences, in English or in the language of the layer that shows it.

The same sentences serve the command line and, translated, the web.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pairing.engine.model import Colour, Edition
from pairing.engine.systems.dubov.articles import Rule, article
from pairing.engine.trace import Answer, BracketTrace, ByeTrace, Reason

from .sentences import POINTS, QUESTIONS, SENTENCES, WORDS, Counted, Sentence
from .steps import STEPS

LISTS = ("players", "stuck", "opponents", "passers", "others")
PEOPLE = ("player", "other", "opponent", "by", "white", "black", "higher", "granted")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, and the articles behind it, numbered as in the tournament's edition."""

    text: str
    articles: tuple[str, ...]


def plural_of(one: str, many: str, number: int) -> str:
    """The English plural, for `Words` without a catalogue."""
    return one if number == 1 else many


class Words:
    """Says reasons and steps.

    name: of a player, by id. translate, plural: gettext and ngettext of the layer that shows the sentences. longest:
    lists of players are cut there.
    """

    def __init__(
        self,
        name: Callable[[int], str],
        *,
        edition: Edition,
        translate: Callable[[str], str] = str,
        plural: Callable[[str, str, int], str] = plural_of,
        longest: int = 40,
    ) -> None:
        self.name, self.edition, self.longest = name, edition, longest
        self.translate, self.plural = translate, plural

    def reason(self, reason: Reason) -> Statement:
        """The sentence of one reason."""
        return self._said(reason, reason.params)

    def reasons(self, reasons: Iterable[Reason]) -> list[Statement]:
        """Say several reasons. Those about upfloaters that differ only in the player become one sentence."""
        groups: dict[object, list[Reason]] = {}
        for number, reason in enumerate(reasons):
            alike = tuple(value for key, value in reason.params.items() if key != "player")
            about_one = reason.code.startswith("up_") and not reason.code.startswith("up_chosen")
            groups.setdefault((reason.code, alike) if about_one else number, []).append(reason)
        return [
            self._said(group[0], group[0].params, together=[reason.params["player"] for reason in group])
            if len(group) > 1
            else self.reason(group[0])
            for group in groups.values()
        ]

    def question(self, answer: Answer, opponent: int | None, colour: Colour | None) -> str:
        """Return the question about the player. opponent, colour: what the player has, None without a game."""
        again = any(reason.code == "colour_again" for reason in answer.reasons)
        return self.translate(QUESTIONS["colour_again" if again else answer.question]).format(
            opponent="" if opponent is None else self.name(opponent),
            colour="" if colour is None else self._colour(colour),
        )

    def bye(self, bye: ByeTrace) -> list[Statement]:
        """Say who got the bye, and why those before did not."""
        if bye.player is None:
            return [self.reason(Reason("bye_none", {}))]
        given = self.reason(Reason("bye_given", {"player": bye.player}))
        return [given, *self.reasons(passed.reason for passed in bye.passed)]

    def bracket(self, bracket: BracketTrace) -> list[Statement]:
        """Say a bracket step by step, in the order of article 2.2."""
        return [*self.members(bracket), *self.sides(bracket), *self.rows(bracket)]

    def members(self, bracket: BracketTrace) -> list[Statement]:
        """Say who is in the bracket, and why these upfloaters (2.2.1, 2.2.2)."""
        said = [self.residents(bracket)]
        if bracket.virtual:
            lent = [f"{self.name(key)} (+{points(extra)})" for key, extra in bracket.virtual.items()]
            said.append(self.step("virtual", players=self._listed(lent)))
        said.append(self.reason(bracket.count))
        if bracket.upfloaters:
            said.append(self.upfloaters(bracket))
            said += self.reasons(passed.reason for passed in bracket.passed)
        if bracket.unlisted:
            said.append(self.step("unlisted", count=bracket.unlisted))
        return said

    def residents(self, bracket: BracketTrace) -> Statement:
        return self.step("residents", residents=len(bracket.residents), points=self.points(bracket.score))

    def upfloaters(self, bracket: BracketTrace) -> Statement:
        return self.step("upfloaters", players=self._names(bracket.upfloaters), count=len(bracket.upfloaters))

    def sides(self, bracket: BracketTrace) -> list[Statement]:
        """Say on which side each player begins, and who changes sides (2.2.3, 2.2.4)."""
        return [self.due(bracket), *self._shifts(bracket)]

    def due(self, bracket: BracketTrace) -> Statement:
        """Say how many begin on each side."""
        halves = {"g1": len(bracket.g1), "g2": len(bracket.g2)}
        if bracket.unplayed:
            return self.step("unplayed", **halves)
        white, black = self.step("due_white", **halves), self.step("due_black", **halves)
        return Statement(f"{white.text} {black.text}", white.articles)

    def _shifts(self, bracket: BracketTrace) -> list[Statement]:
        said = []
        for shift, numbers in (
            (self.first_shift(bracket), bracket.first_numbers),
            (self.second_shift(bracket), bracket.second_numbers),
        ):
            if shift is not None:
                said += [shift, self.step("numbers", numbers=self._names(numbers))]
        return said or [self.step("level")]

    def first_shift(self, bracket: BracketTrace) -> Statement | None:
        """Say who leaves the smaller side (2.2.4.1)."""
        smaller, larger = ("G1", "G2") if len(bracket.g1) <= len(bracket.g2) else ("G2", "G1")
        return self._shift("first_shift", bracket.shifted_first, side=smaller, other_side=larger)

    def second_shift(self, bracket: BracketTrace) -> Statement | None:
        """Say who leaves the larger side (2.2.4.2). Its members are due one colour, unless nobody has played."""
        larger, smaller = ("G2", "G1") if len(bracket.g1) <= len(bracket.g2) else ("G1", "G2")
        code = "shift_white" if larger == "G1" else "shift_black"
        if bracket.unplayed:
            code = "second_shift"
        return self._shift(code, bracket.shifted_second, side=larger, other_side=smaller)

    def _shift(self, code: str, shifted: Sequence[int], **sides: str) -> Statement | None:
        if not shifted:
            return None
        return self.step(code, players=self._names(shifted), count=len(shifted), **sides)

    def rows(self, bracket: BracketTrace) -> list[Statement]:
        """Say S1, G2 and T2, and why the order of G2 was changed (2.2.5, 2.2.6)."""
        aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
        if bracket.unplayed:
            s1 = self._names([pair.first for pair in bracket.pairs])
            said = [self.step("s1_unplayed", players=s1)]
        else:
            s1 = self._listed([f"{self.name(pair.first)} ({aro[pair.first]})" for pair in bracket.pairs])
            said = [self.step("s1", players=s1)]
        said.append(
            self.step("g2_unplayed" if bracket.unplayed else "g2", players=self._names(bracket.order))
        )
        passed = [passed for pair in bracket.pairs for passed in pair.passed]
        if passed:
            t2 = self._names([pair.second for pair in bracket.pairs])
            said += [self.step("t2", players=t2), *self.reasons(one.reason for one in passed)]
        else:
            said.append(self.step("straight"))
        missed = self.missed(bracket)
        return [*said, missed] if missed else said

    def missed(self, bracket: BracketTrace) -> Statement | None:
        """Say how many do not get their colour (C7). If nobody has played, this says nothing about the pairing."""
        if bracket.unplayed or not bracket.missed:
            return None
        return self.step("missed", count=bracket.missed)

    def points(self, tenths: int) -> str:
        """Return points with the noun: 1 point, 2½ points."""
        number = 1 if tenths in (5, 10) else 2
        return self.plural(POINTS.one, POINTS.many, number).format(points=points(tenths))

    def step(self, code: str, **params: object) -> Statement:
        """Say a step, with these parameters as they are."""
        sentence, rules = STEPS[code]
        return Statement(self._text(sentence, params).format(**params), tuple(map(self._number, rules)))

    def _text(self, sentence: Sentence, params: Any) -> str:
        """The translated sentence, in the number that its parameter asks for."""
        if not isinstance(sentence, Counted):
            return self.translate(sentence)
        counted = params[sentence.by]
        number = counted if isinstance(counted, int) else len(counted)
        return self.plural(sentence.one, sentence.many, number)

    def _number(self, rule: Rule) -> str:
        """Return the number of an article, after the name of a criterion: C1 3.1.1."""
        number = article(rule, self.edition)
        return f"{rule.name} {number}" if rule.name[1:].isdigit() and rule.name[0] == "C" else number

    def _said(self, reason: Reason, params: Any, *, together: Sequence[int] = ()) -> Statement:
        code = "blocked_alone" if reason.code == "blocked" and not params["opponents"] else reason.code
        said: dict[str, object] = {}
        for key, value in params.items():
            if key in PEOPLE:
                said[key] = self.name(value)
            elif key in LISTS:
                said[key] = self._names(value)
            elif key == "rounds":
                said[key] = self._listed(list(map(str, value)))
            elif key == "colour":
                said[key] = self._colour(value)
            else:
                said[key] = value
        if together:
            said["player"] = self._listed([self.name(key) for key in together], "or")
        numbers = tuple(self._number(Rule(number)) for number in reason.articles)
        return Statement(self._text(SENTENCES[code], params).format(**said), numbers)

    def _colour(self, colour: Colour) -> str:
        return self.translate(WORDS[colour.value])

    def _names(self, players: Sequence[int]) -> str:
        return self._listed([self.name(player) for player in players])

    def _listed(self, names: Sequence[str], joined: str = "and") -> str:
        if len(names) > self.longest:
            cut = ", ".join(names[: self.longest])
            return self.translate(WORDS["more"]).format(names=cut, more=len(names) - self.longest)
        if not names:
            return self.translate(WORDS["none"])
        if len(names) == 1:
            return names[0]
        if any("," in name for name in names):
            return "; ".join(names)
        return self.translate(WORDS[joined]).format(first=", ".join(names[:-1]), last=names[-1])


def points(tenths: int) -> str:
    """4½, 10, 0.2."""
    whole, rest = divmod(tenths, 10)
    return f"{whole or ''}½" if rest == 5 else f"{whole}.{rest}" if rest else str(whole)
