"""The explanation of a round in plain sentences, in English or in the language of the layer that shows it.

No sentence depends on a number being one or many, so the same templates serve every language and both ways out, the
command line and the web.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pairing.engine.articles import Rule, article
from pairing.engine.model import Colour, Edition
from pairing.engine.trace import Answer, BracketTrace, ByeTrace, Reason
from pairing.explanation_sentences import QUESTIONS, SENTENCES, STEPS, WORDS

LISTS = ("players", "stuck", "opponents")
PEOPLE = ("player", "other", "opponent", "by", "white", "black", "higher", "granted")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, and the articles that it rests on, in the numbers of the tournament's edition."""

    text: str
    articles: tuple[str, ...]


class Words:
    """Says reasons and steps.

    name: of a player, by id. translate: gettext of the layer that shows it. longest: lists of players are cut there.
    """

    def __init__(
        self,
        name: Callable[[int], str],
        *,
        edition: Edition,
        translate: Callable[[str], str] = str,
        longest: int = 40,
    ) -> None:
        self.name, self.edition, self.translate, self.longest = name, edition, translate, longest

    def reason(self, reason: Reason) -> Statement:
        """The sentence of one reason."""
        return self._said(reason, reason.params)

    def reasons(self, reasons: Iterable[Reason]) -> list[Statement]:
        """The same for many; those about upfloaters that differ in the player alone become one."""
        groups: dict[object, list[Reason]] = {}
        for number, reason in enumerate(reasons):
            alike = tuple(value for key, value in reason.params.items() if key != "player")
            about_one = reason.code.startswith("up_") and reason.code != "up_chosen"
            groups.setdefault((reason.code, alike) if about_one else number, []).append(reason)
        return [
            self._said(group[0], group[0].params, together=[reason.params["player"] for reason in group])
            if len(group) > 1
            else self.reason(group[0])
            for group in groups.values()
        ]

    def question(self, answer: Answer, opponent: int | None, colour: Colour | None) -> str:
        """What the player asks. opponent, colour: what the player has, None without a game."""
        again = any(reason.code == "colour_again" for reason in answer.reasons)
        return self.translate(QUESTIONS["colour_again" if again else answer.question]).format(
            opponent="" if opponent is None else self.name(opponent),
            colour="" if colour is None else self._colour(colour),
        )

    def bye(self, bye: ByeTrace) -> list[Statement]:
        """Who got the bye, and what excluded those before."""
        if bye.player is None:
            return [self.reason(Reason("bye_none", {}))]
        given = self.reason(Reason("bye_given", {"player": bye.player}))
        return [given, *self.reasons(passed.reason for passed in bye.passed)]

    def bracket(self, bracket: BracketTrace) -> list[Statement]:
        """A bracket, step by step, in the order of article 2.2."""
        said = [self._step("residents", score=points(bracket.score), residents=len(bracket.residents))]
        if bracket.virtual:
            lent = [f"{self.name(key)} (+{points(extra)})" for key, extra in bracket.virtual.items()]
            said.append(self._step("virtual", players=self._listed(lent)))
        said.append(self.reason(bracket.count))
        if bracket.upfloaters:
            said.append(self._step("upfloaters", players=self._names(bracket.upfloaters)))
            said += self.reasons(passed.reason for passed in bracket.passed)
        if bracket.unlisted:
            said.append(self._step("unlisted", count=bracket.unlisted))
        halves = {"g1": len(bracket.g1), "g2": len(bracket.g2)}
        said.append(self._step("unplayed" if bracket.unplayed else "subgroups", **halves))
        said += self._shifts(bracket)
        said += self._rows(bracket)
        if bracket.missed and not bracket.unplayed:
            said.append(self._step("missed", count=bracket.missed))
        return said

    def _shifts(self, bracket: BracketTrace) -> list[Statement]:
        said = [
            self._step(code, players=self._names(shifted), numbers=self._names(numbers))
            for code, shifted, numbers in (
                ("first_shift", bracket.shifted_first, bracket.first_numbers),
                ("second_shift", bracket.shifted_second, bracket.second_numbers),
            )
            if shifted
        ]
        return said or [self._step("level")]

    def _rows(self, bracket: BracketTrace) -> list[Statement]:
        aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
        s1 = [f"{self.name(pair.first)} ({aro[pair.first]})" for pair in bracket.pairs]
        said = [
            self._step("s1", players=self._listed(s1)),
            self._step("g2", players=self._names(bracket.order)),
        ]
        passed = [passed for pair in bracket.pairs for passed in pair.passed]
        if not passed:
            return [*said, self._step("straight")]
        t2 = self._names([pair.second for pair in bracket.pairs])
        return [*said, self._step("t2", players=t2), *self.reasons(one.reason for one in passed)]

    def _step(self, code: str, **params: object) -> Statement:
        text, rules = STEPS[code]
        return Statement(self.translate(text).format(**params), tuple(map(self._number, rules)))

    def _number(self, rule: Rule) -> str:
        """Of an article, after the name of the criterion if it is one: C1 3.1.1."""
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
        return Statement(self.translate(SENTENCES[code]).format(**said), numbers)

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
