"""The explanation of a round in plain sentences, in English or in the language of the layer that shows it.

The same sentences serve the command line and, translated, the web. Each system has a subclass with its own sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.systems.registry import system_of
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    PairTrace,
    PlayerExplanation,
    Reason,
    RoundTrace,
    WhyAnswer,
)

from .catalogue import ENGLISH, QUESTIONS, WORDS, Joint, Language, Sentence, coloured, ngettext, points_text
from .catalogue import gettext_noop as _

LISTS = ("players", "stuck", "opponents", "passers", "others")
APART = ("forbidden", "would_be_forbidden")
"""Reasons that name two players whom the arbiter keeps apart."""
PEOPLE = ("player", "other", "opponent", "by", "white", "black", "higher", "granted", "of", "later", "sooner")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, and the articles behind it, numbered as in the tournament's edition. below: a list of its details."""

    text: str
    articles: tuple[str, ...]
    below: tuple[Statement, ...] = ()


Paragraph = list[Statement]


@dataclass(frozen=True, slots=True)
class ExplanationColumn:
    """A column of the picture of a bracket: its name, and the order in which the players stand in it."""

    name: str
    order: str


SWISS_SENTENCES: dict[str, Sentence] = {
    "met": ngettext(
        "%(player)s and %(other)s have already met in round %(rounds)s.",
        "%(player)s and %(other)s have already met in rounds %(rounds)s.",
        "rounds",
    ),
    "not_here": _("%(player)s is not paired in this round."),
    "paired": _("%(player)s and %(other)s do play each other."),
}
"""The reasons that all Swiss systems have."""
VIRTUAL = _("Scores here include virtual points of the acceleration: %(players)s.")
COLOUR_SENTENCES: dict[str, Sentence] = {
    "colour_initial": coloured(
        _(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher. Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets White."
        ),
        _(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher. Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets Black."
        ),
    ),
    "colour_initial_counted": coloured(
        ngettext(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s player with a lower number has not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets White.",
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s players with lower numbers have not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets White.",
            "uncounted",
        ),
        ngettext(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s player with a lower number has not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets Black.",
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s players with lower numbers have not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour (%(initial)s) and even numbers the other colour, so number %(number)s gets Black.",
            "uncounted",
        ),
    ),
    "colour_both": _("%(white)s is due White and %(black)s is due Black, so both get their colour."),
    "colour_stronger": _(
        "%(white)s and %(black)s are due the same colour. %(granted)s has the stronger preference and gets it."
    ),
    "colour_alternate": _(
        "%(white)s and %(black)s are due the same colour, equally strongly. The last time their colours differed, "
        "%(white)s had Black (round %(white_round)s) and %(black)s had White (round %(black_round)s), so now they "
        "change."
    ),
    "colour_higher": _(
        "%(white)s and %(black)s are due the same colour, equally strongly. Counted back from the last game, their "
        "colours never differ. %(higher)s is ranked higher and gets the colour."
    ),
    "colour_again": coloured(
        _("%(player)s also had White in round %(round)s."), _("%(player)s also had Black in round %(round)s.")
    ),
}
"""The rules for colours (article 5.2) that the systems of FIDE share."""
WHITE_SIDE = _("White's side")
BLACK_SIDE = _("Black's side")


class Words:
    """Says reasons and steps.

    sentences: of the reasons, by code. steps: the same of the steps.
    lead_is_complete: the leads have all steps of a bracket, and all reasons for an opponent.
    articles: the names of those that are no numbers, by the word that the engine has for them.
    pairs_begin: how the codes of the steps begin that make pairs, in a system that says them one by one.
    has_brackets: the rules call a group of players who are paired with each other a bracket; else it is a score group.
    name: of a player, by id. tournament: for the articles. longest: lists of players are cut there. apart_because: says
    which rule of the arbiter keeps two players apart; "" for none.
    """

    sentences: ClassVar[Mapping[str, Sentence]] = {}
    steps: ClassVar[Mapping[str, Sentence]] = {}
    articles: ClassVar[Mapping[str, str]] = {}
    pairs_begin: ClassVar[tuple[str, ...]] = ()
    lead_is_complete: ClassVar[bool] = False
    has_brackets: ClassVar[bool] = True

    def __init__(
        self,
        name: Callable[[int], str],
        *,
        tournament: Tournament,
        language: Language = ENGLISH,
        longest: int = 40,
        apart_because: Callable[[int, int], str] = lambda _one, _other: "",
    ) -> None:
        self.name, self.longest = name, longest
        self.apart_because = apart_because
        self.system, self.options = system_of(tournament), tournament.options
        self.is_first_round = tournament.round == 1
        self.language = language

    def reason(self, reason: Reason) -> Statement:
        """The sentence of one reason, and of virtual points in its scores."""
        params = dict(reason.params)
        if "lent" in params:
            lent = dict(zip(params.pop("lent"), params.pop("lent_points"), strict=True))
            return together([self.reason(Reason(reason.code, params)), self.virtual(lent)])
        if reason.code == "virtual":
            return self.virtual(dict(zip(params["players"], params["points"], strict=True)))
        return self._statement(reason, params)

    def virtual(self, lent: Mapping[int, int]) -> Statement:
        """Say how many virtual points these players have."""
        names = [f"{self.name(key)} (+{points_text(points)})" for key, points in lent.items()]
        return Statement(self._text(VIRTUAL, {"players": self._listed(names)}), ())

    def sentence_code(self, reason: Reason) -> str:
        """Return the key of the sentence for a reason."""
        return reason.code

    def reasons(self, reasons: Iterable[Reason]) -> list[Statement]:
        """Say several reasons."""
        return [self.reason(reason) for reason in reasons]

    def bracket(self, bracket: BracketTrace) -> list[Statement]:
        """Say a bracket step by step."""
        return self.reasons(bracket.steps)

    def round(self, trace: RoundTrace) -> list[Statement]:
        """Say what was decided for the whole round."""
        return self.reasons(trace.steps)

    def bracket_name(self, bracket: BracketTrace) -> str:
        """Return the heading of a bracket; "" if the round is one bracket that has no score."""
        return self.points(bracket.score)

    def has_sides(self, _bracket: BracketTrace) -> bool:
        """Return whether the picture of a bracket has White's side and Black's side; else any players and opponents."""
        return True

    def columns(self, _bracket: BracketTrace) -> tuple[ExplanationColumn, ExplanationColumn]:
        """Return the columns of the picture of a bracket: the players of G1 and their opponents."""
        return self._columns((WHITE_SIDE, ""), (BLACK_SIDE, ""))

    def lead_of_round(self, trace: RoundTrace) -> list[Paragraph]:
        """Say a round in a few short paragraphs, for the head of a page."""
        return [self.bye_given(trace.bye)]

    def lead_of_bracket(self, _bracket: BracketTrace) -> list[Paragraph]:
        """Say a bracket in a few short paragraphs."""
        return []

    def step_of(self, paragraph: Paragraph) -> Statement:
        return together(paragraph)

    def steps_of_bracket(self, bracket: BracketTrace) -> list[Statement]:
        """Return all steps of a bracket, for a list."""
        if self.lead_is_complete:
            return [self.step_of(paragraph) for paragraph in self.lead_of_bracket(bracket)]
        return self.bracket(bracket)

    def position(self, bracket: BracketTrace) -> list[Statement]:
        """Return the steps until the players stand in their columns: who wants to find the pairs begins here."""
        steps = takewhile(lambda step: not step.code.startswith(self.pairs_begin or ("",)), bracket.steps)
        return self.reasons(steps)

    def steps_of_bye(self, bye: ByeTrace) -> list[Statement]:
        """Return who got the bye and why, and why those before did not, for a list."""
        return self.bye(bye)

    def more_of_bracket(self, bracket: BracketTrace) -> list[Statement]:
        """Return the steps that are shown below the lead of a bracket; none if the lead has all of them."""
        return [] if self.lead_is_complete else self.bracket(bracket)

    def lead_of_pair(
        self, explanation: PlayerExplanation, _bracket: BracketTrace, pair: PairTrace
    ) -> list[Paragraph]:
        """Say a pair in a few short paragraphs. The last one is about the colours."""
        opponent = next(answer for answer in explanation.answers if answer.question == "opponent")
        return [[self.reason(opponent.reasons[0])], [self.reason(pair.colours)]]

    def why_they_meet(self, reasons: Sequence[Reason]) -> list[Statement]:
        """Return why two players meet, from the reasons for an opponent, without those who were passed."""
        return self.reasons(reasons[:1])

    def question(self, answer: WhyAnswer, player: int, opponent: int | None, colour: Colour | None) -> str:
        """Return the question about a player. opponent, colour: what the player has, None without a game."""
        again = any(reason.code == "colour_again" for reason in answer.reasons)
        params = {
            "player": self.name(player),
            "opponent": "" if opponent is None else self.name(opponent),
            "colour": colour,
        }
        return self.language.text_of(QUESTIONS["colour_again" if again else answer.question], params)

    def bye(self, bye: ByeTrace) -> list[Statement]:
        """Say who got the bye and why, and why those before did not."""
        return [*self.bye_given(bye), *self.bye_passed(bye)]

    def bye_given(self, bye: ByeTrace) -> list[Statement]:
        """Say who got the bye, and why this player."""
        if bye.player is None:
            return [self.reason(Reason("bye_none", {}))]
        return [self.reason(Reason("bye_given", {"player": bye.player})), *self.reasons(bye.reasons)]

    def bye_passed(self, bye: ByeTrace) -> list[Statement]:
        """Say why others did not get the bye."""
        return self.reasons(passed.reason for passed in bye.passed)

    def points(self, tenths: int) -> str:
        """Return points with the noun: 1 point, 2½ points."""
        return self.language.points(tenths)

    def step(self, code: str, **params: object) -> Statement:
        """Say a step, with these parameters as they are."""
        text = self._text(self.steps[code], params)
        return Statement(text, self._cited(code))

    def _statement(self, reason: Reason, params: Any, *, together: Sequence[int] = ()) -> Statement:
        code = self.sentence_code(reason)
        shown: dict[str, object] = {}
        for key, value in params.items():
            if key in PEOPLE:
                shown[key] = self.name(value)
            elif key in LISTS:
                shown[key] = self._names(value)
            elif key == "initial":
                shown[key] = self.language.translate(WORDS[value])
            elif key == "rounds":
                shown[key] = self._listed(list(map(str, value)))
            else:
                shown[key] = value
        if together:
            shown["player"] = self._listed([self.name(key) for key in together], "or")
        text = self._text(self.sentences[code], params, shown)
        if reason.code in APART:
            text = " ".join(filter(None, (text, self.apart_because(params["player"], params["other"]))))
        return Statement(text, self._cited(reason.code))

    def _text(self, sentence: Sentence, params: Any, shown: Any = None) -> str:
        """Return a sentence. A name that ends with a full stop, such as 4 Blom F., has no second one behind it."""
        return self.language.text_of(sentence, params, shown).replace("..", ".")

    def _cited(self, code: str) -> tuple[str, ...]:
        """Return the articles behind a reason or a step."""
        cited = each_once(self.system.articles_of(code, self.options))
        names = self.articles
        return tuple(self.language.translate(names[each]) if each in names else each for each in cited)

    def _columns(
        self, first: tuple[str, str], second: tuple[str, str]
    ) -> tuple[ExplanationColumn, ExplanationColumn]:
        """Return two columns, each from its name and its order as marked for translation."""
        translate = self.language.translate
        columns = (
            ExplanationColumn(translate(name), order and translate(order)) for name, order in (first, second)
        )
        return next(columns), next(columns)

    def _names(self, players: Sequence[int]) -> str:
        return self._listed([self.name(player) for player in players])

    def _listed(self, names: Sequence[str], joined: Joint = "and") -> str:
        if any("," in name for name in names):
            joined = "semicolon"
        return self.language.listed(names, joined, longest=self.longest) or self.language.translate(
            WORDS["none"]
        )


def together(paragraph: Sequence[Statement]) -> Statement:
    """The sentences one after the other, with each of their articles once."""
    articles = (number for statement in paragraph for number in statement.articles)
    return Statement(" ".join(statement.text for statement in paragraph), each_once(articles))


def each_once(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return each article once, with all its marks: 7.1 and 7.1 D are 7.1 D. A mark is a single letter."""
    marks: dict[str, dict[str, None]] = {}
    for number in numbers:
        article, _, mark = number.rpartition(" ")
        is_marked = article and len(mark) == 1 and mark.isalpha()
        found = marks.setdefault(article if is_marked else number, {})
        if is_marked:
            found[mark] = None
    return tuple(" ".join([article, *found]) for article, found in marks.items())
