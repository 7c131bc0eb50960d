"""What a declaration of an action says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from tournaments.models.log import Integrity

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Row = Any
"""A row of a log, as the model has it or as `tournaments.queries.log.LogRow`."""
Path = tuple[str, ...]
"""Where a row has a value: ("subject",), ("after", "result"), ("undone_row", "after", "actions")."""


class Undo(Enum):
    """What an undo does with an action."""

    REVERTS = auto()
    """It brings back what the action changed."""
    UNDOES = auto()
    """It brings back the actions that this action, an undo itself, had undone."""
    BEGINS = auto()
    """Nothing: the action begins a section."""
    MAY_BEGIN = auto()
    """It brings back what the action changed, except if the section begins with the action."""
    STAYS = auto()
    """Nothing. The action also stays if the section goes back to a moment before it."""
    FOLLOWS = auto()
    """As STAYS. The action followed one in another section, and is undone together with that one."""
    NEVER = auto()
    """Nothing: the action belongs to the event or to the site, or it changed nothing."""


class ActionKind(Enum):
    """What an action is counted as where actions are summed up or left out."""

    PAIRING = auto()
    PUBLICATION = auto()
    RESULT = auto()
    CORRECTION = auto()
    ENTRY = auto()
    WITHDRAWAL = auto()
    BYE = auto()
    CHECK_IN = auto()
    OTHER = auto()


class Form(Enum):
    """How a page writes a value of the log (`web.words.log_sentences.FORMS`)."""

    TEXT = auto()
    COUNT = auto()
    """A number, or the length of a list. A plural needs it as its `count`."""
    GAME = auto()
    RESULT = auto()
    POINTS = auto()
    COLOUR = auto()
    BYE = auto()
    NUMBERS = auto()
    ROUNDS = auto()
    BOARDS = auto()
    FILE = auto()
    LINES = auto()
    CLOCK = auto()
    MOMENT = auto()
    PERSON = auto()
    ROLE = auto()
    ABSENCES = auto()
    RIGHTS = auto()
    SITE_SETTINGS = auto()
    NOTICE = auto()
    SENTENCE = auto()
    """The sentence of another row."""


@dataclass(frozen=True, slots=True)
class SentencePart:
    """The value of a placeholder: where the row has it, and its form. Some forms need several values."""

    form: Form
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class SentenceText:
    """Words with named placeholders. parts: the value of each placeholder."""

    words: StrOrPromise
    parts: Mapping[str, SentencePart | Sentence]

    @property
    def placeholders(self) -> frozenset[str]:
        asked = _Asked()
        assert self.words % asked
        return frozenset(asked)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence of an action in the log. texts: one for each case. case: returns the case of a row."""

    texts: Mapping[str, SentenceText]
    case: Callable[[Row], str] = field(default=lambda _row: "")

    def text_of(self, row: Row) -> SentenceText:
        return self.texts[self.case(row)]

    def absent(self, row: Row) -> Iterator[str]:
        """Yield what the sentence of this row needs and the row does not have, as after.result."""
        text = self.text_of(row)
        for name in sorted(text.placeholders):
            part = text.parts.get(name)
            if part is None:
                yield name
            elif isinstance(part, Sentence):
                yield from part.absent(row)
            else:
                yield from (".".join(path) for path in part.paths if not has(row, path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """All that the program knows about an action, apart from the function that does it.

    name: as the log stores it; it never changes. title: for the search in the log. sentence: for its rows in the log.
    undo: what an undo does with it. integrity: the kinds of events for the report file that it may be; none if it does
    not affect the integrity of pairings. silent: it is done many times a minute and corrected where it was typed, so no
    message offers to undo it. kind: what it is counted as. shows_values: the log lists below the sentence what changed.
    """

    name: str
    title: StrOrPromise
    sentence: Sentence
    undo: Undo
    integrity: frozenset[Integrity]
    silent: bool = False
    kind: ActionKind = ActionKind.OTHER
    shows_values: bool = False


UNAFFECTED: frozenset[Integrity] = frozenset()
"""For an action that does not affect the integrity of pairings."""


def reverted(
    name: str,
    title: StrOrPromise,
    sentence: Sentence,
    *,
    integrity: frozenset[Integrity] = UNAFFECTED,
    **facts: Any,
) -> Action:
    """Return an action whose changes an undo brings back. A message offers the undo. facts: more about it."""
    undo = Undo.REVERTS
    return Action(name=name, title=title, sentence=sentence, undo=undo, integrity=integrity, **facts)


def never_undone(name: str, title: StrOrPromise, sentence: Sentence) -> Action:
    """Return an action of the event or of the site, or one that changes nothing."""
    return Action(name=name, title=title, sentence=sentence, undo=Undo.NEVER, integrity=UNAFFECTED)


def text(words: StrOrPromise, **parts: SentencePart | Sentence) -> SentenceText:
    """Return words whose placeholders are the subject of the row, its round, and `parts`."""
    return SentenceText(words, {"subject": SUBJECT, "round": ROUND, **parts})


def always(words: StrOrPromise, **parts: SentencePart | Sentence) -> Sentence:
    """Return a sentence that is the same in all cases."""
    return Sentence({"": text(words, **parts)})


def now(*keys: str, form: Form = Form.TEXT) -> SentencePart:
    """Return values that the row has in `after`."""
    return SentencePart(form, tuple(("after", key) for key in keys))


def was(*keys: str, form: Form = Form.TEXT) -> SentencePart:
    """Return values that the row has in `before`."""
    return SentencePart(form, tuple(("before", key) for key in keys))


def of_row(*names: str, form: Form = Form.TEXT) -> SentencePart:
    """Return a value of the row itself, or of the row that it has under the first name."""
    return SentencePart(form, (names,))


SUBJECT = of_row("subject")
ROUND = of_row("round_number")


def value_at(row: Row, path: Path) -> Any:
    """Return the value at a place of a row, None if the row does not have it. The log of a copy may hold anything."""
    found = row
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else getattr(found, name, None)
    return found


def has(row: Row, path: Path) -> bool:
    """Return whether a row has a value at this place, even an empty one."""
    *way, last = path
    found = value_at(row, tuple(way))
    return last in found if isinstance(found, Mapping) else hasattr(found, last)


class _Asked(dict[str, int]):
    """Values for any placeholder; afterwards it has the names of those that were asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = 1
        return 1
