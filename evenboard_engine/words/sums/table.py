"""A value of the standings as a table of rounds, and what separates two players."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.tiebreaks.parts import Part, Role, Separation, ValueParts
from evenboard_engine.words.catalogue import ENGLISH, Language, gettext_noop
from evenboard_engine.words.explanation import Statement
from evenboard_engine.words.tiebreaks import tie_break_meaning, tie_break_name

from .lines import lines
from .notes import notes, text_of, unplayed, value_text

_OPPONENTS_POINTS = gettext_noop("Opponent’s points")
_OPPONENTS_RATING = gettext_noop("Opponent’s rating")
_POINTS_AFTER = gettext_noop("Points after the round")
_WORTHS: dict[str, str] = {
    "SB": _OPPONENTS_POINTS,
    "KS": _OPPONENTS_POINTS,
    "PTP": _OPPONENTS_RATING,
    "STD": gettext_noop("Points to compare with"),
    "OTHER_CUM": _POINTS_AFTER,
}
"""What heads the column of worths, in tie-breaks in which a round does not count its worth itself."""
_COUNTS: dict[str, str] = {
    **dict.fromkeys(("PTS", "KS", "DE"), gettext_noop("Points")),
    **dict.fromkeys(("BH", "OTHER_MODMED", "OTHER_SOLKOFF"), _OPPONENTS_POINTS),
    **dict.fromkeys(("ARO", "TPR"), _OPPONENTS_RATING),
    "SB": gettext_noop("Product"),
    "AOB": gettext_noop("Opponent’s Buchholz"),
    "APRO": gettext_noop("Opponent’s performance"),
    "APPO": gettext_noop("Opponent’s perfect performance"),
    "PS": _POINTS_AFTER,
    "PTP": gettext_noop("Expected points"),
}
"""What heads the column of what counts."""
_WITH_SCORED = ("WIN", "WON", "BPG", "BWG", "REP", "STD", "PS", "SB", "KS", "TPR", "PTP", "OTHER_CUM")
"""Tie-breaks that depend on what the player scored, and do not count just that."""
_SCORED = gettext_noop("Scored")
_FORE_BUCHHOLZ = gettext_noop("Opponent’s Fore Buchholz")
_COUNTED = gettext_noop("Counts")

_ADJOURNED = gettext_noop("Adjourned: the game counts as a draw until its result is known.")

_BEFORE = gettext_noop("Before %(other)s by %(tie_break)s: %(mine)s against %(theirs)s.")
_BEHIND = gettext_noop("Behind %(other)s by %(tie_break)s: %(mine)s against %(theirs)s.")
_BEFORE_PLAIN = gettext_noop("Before %(other)s by %(tie_break)s.")
_BEHIND_PLAIN = gettext_noop("Behind %(other)s by %(tie_break)s.")
_LEVEL_UNTIL_THEN = gettext_noop("Both are level in %(tie_breaks)s.")
_LEVEL = gettext_noop("Level with %(other)s in %(tie_breaks)s.")


@dataclass(frozen=True, slots=True)
class SumRow:
    """A round. played: the kind of a round that was not played, "" for a game. worth, counts: "" for none.

    scored: "" where it does not matter, or is what counts.
    """

    part: Part
    played: str
    scored: str
    worth: str
    counts: str
    notes: tuple[Statement, ...]

    @property
    def remark(self) -> str:
        """The notes as one text."""
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
        part: Part,
        found: ValueParts,
        *,
        with_worth: bool,
        of_opponent: Callable[[int], ValueParts] | None,
    ) -> SumRow:
        left_out, decimal = part.role is Role.LEFT_OUT, self._language.decimal
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
