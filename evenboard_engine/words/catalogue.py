"""Marks for the catalogue of translations, a language that says its texts, and the words that all sentences share.

Placeholders are named and written `%(name)s`, which translators and their tools know and check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal, NamedTuple

from evenboard_engine.model import Colour


class Counted(NamedTuple):
    """A sentence in the singular and in the plural. by: the parameter that is counted, a number or a list."""

    one: str
    many: str
    by: str


class Coloured(NamedTuple):
    """A sentence for each colour, because the word for a colour has another form in other sentences of some languages.

    The parameter `colour` chooses.
    """

    white: str | Counted
    black: str | Counted


Sentence = str | Counted | Coloured
Joint = Literal["and", "or", "comma", "semicolon", "colon"]
"""What joins a list: a word before its last item, or commas or semicolons alone, as in a table; a colon after the name
of what follows."""


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogue of translations, by the name that the tools look for."""
    return text


def ngettext(one: str, many: str, by: str) -> Counted:
    """Mark a text with its plural for the catalogue of translations, by the name that the tools look for."""
    return Counted(one, many, by)


CONTEXT_ENDS = "\4"
"""Stands between a context and its text, as in compiled catalogues."""


def pgettext(context: str, text: str) -> str:
    """Mark a text whose English words have another meaning elsewhere, by the name that the tools look for."""
    return f"{context}{CONTEXT_ENDS}{text}"


def npgettext(context: str, one: str, many: str, by: str) -> Counted:
    """Mark such a text with its plural, by the name that the tools look for."""
    return Counted(pgettext(context, one), pgettext(context, many), by)


def coloured(white: str | Counted, black: str | Counted) -> Coloured:
    """Return the sentence for both colours. The texts are marked already."""
    return Coloured(white, black)


QUESTIONS: dict[str, Sentence] = {
    "not_paired": gettext_noop("Why is the player not paired?"),
    "bye": gettext_noop("Why does the player have the bye?"),
    "opponent": gettext_noop("Why is %(opponent)s the opponent?"),
    "upfloated": gettext_noop("Why was the player floated up?"),
    "opponent_upfloated": gettext_noop("Why was %(opponent)s floated up to play %(player)s?"),
    "colour": coloured(
        gettext_noop("Why does the player have White?"), gettext_noop("Why does the player have Black?")
    ),
    "colour_again": coloured(
        gettext_noop("Why does the player have White again?"),
        gettext_noop("Why does the player have Black again?"),
    ),
}

WORDS = {
    "and": gettext_noop("%(first)s and %(last)s"),
    "or": gettext_noop("%(first)s or %(last)s"),
    "comma": gettext_noop("%(first)s, %(last)s"),
    "semicolon": gettext_noop("%(first)s; %(last)s"),
    "colon": gettext_noop("%(first)s: %(last)s"),
    "none": gettext_noop("nobody"),
    Colour.WHITE.value: gettext_noop("White"),
    Colour.BLACK.value: gettext_noop("Black"),
}
MORE = ngettext("%(items)s and %(more)s more", "%(items)s and %(more)s more", "more")
FULL_STOP = gettext_noop("%(sentence)s.")


class PointsNoun(NamedTuple):
    """Points with their noun. part: less than one point. mixed: more, with a fraction; counted by the whole points."""

    whole: Counted
    part: str
    mixed: Counted


POINTS = PointsNoun(
    ngettext("%(points)s point", "%(points)s points", "points"),
    pgettext("less than one", "%(points)s point"),
    npgettext("with a fraction", "%(points)s points", "%(points)s points", "points"),
)
POINTS_SHORT = PointsNoun(
    ngettext("%(points)s pt", "%(points)s pts", "points"),
    pgettext("less than one", "%(points)s pt"),
    npgettext("with a fraction", "%(points)s pts", "%(points)s pts", "points"),
)


def points_text(tenths: int) -> str:
    """Return points as people write them: 45 is 4½, 5 is ½, 100 is 10, 33 is 3.3, -5 is −½."""
    if tenths < 0:
        return f"−{points_text(-tenths)}"
    whole, rest = divmod(tenths, 10)
    return f"{whole or ''}½" if rest == 5 else f"{whole}.{rest}" if rest else str(whole)


def plural_of(one: str, many: str, number: int) -> str:
    """Return the English plural."""
    return one if number == 1 else many


@dataclass(frozen=True, slots=True)
class Language:
    """Says texts of the catalogue. gettext, ngettext: of the layer that shows the sentences. mark: returns what stands
    before the decimals.
    """

    gettext: Callable[[str], str] = str
    ngettext: Callable[[str, str, int], str] = plural_of
    mark: Callable[[], str] = lambda: "."

    def translate(self, text: str) -> str:
        """Return the text in the language. The context that it may have is not shown."""
        return self.gettext(text).rpartition(CONTEXT_ENDS)[2]

    def plural(self, one: str, many: str, number: int) -> str:
        """Return the form of the text for the number."""
        return self.ngettext(one, many, number).rpartition(CONTEXT_ENDS)[2]

    def decimal(self, number: str) -> str:
        """Return a number with the decimal mark of the language: 20.167 or 20,167."""
        return number.replace(".", self.mark())

    def text_of(
        self, sentence: Sentence, params: Mapping[str, Any], shown: Mapping[str, Any] | None = None
    ) -> str:
        """Return the sentence in the colour and number that its parameters ask for. shown: how the parameters are "
        "written."""
        if isinstance(sentence, Coloured):
            sentence = sentence.white if params["colour"] == Colour.WHITE else sentence.black
        if isinstance(sentence, Counted):
            counted = params[sentence.by]
            number = counted if isinstance(counted, int) else len(counted)
            text = self.plural(sentence.one, sentence.many, number)
        else:
            text = self.translate(sentence)
        return text % (params if shown is None else shown)

    def points(self, tenths: int, noun: PointsNoun = POINTS) -> str:
        """Return points with the noun: 1 point, 2½ points."""
        whole, rest = divmod(abs(tenths), 10)
        if rest and not whole:
            text = self.translate(noun.part)
        else:
            counted = noun.mixed if rest else noun.whole
            text = self.plural(counted.one, counted.many, whole)
        return text % {"points": self.decimal(points_text(tenths))}

    def listed(self, items: Iterable[object], joined: Joint = "and", *, longest: int | None = None) -> str:
        """Return a list as people write it: 1, 2 and 3. longest: longer lists are cut there: 1, 2 and 7 more.

        "" for an empty list. Names with a comma have semicolons between them: Abadi, N; Brandt, L and Costa, M.
        """
        words = [str(item) for item in items]
        with_commas = joined in ("and", "or") and any("," in word for word in words)
        between: Joint = "semicolon" if joined == "semicolon" or with_commas else "comma"
        if longest is not None and len(words) > longest:
            more = len(words) - longest
            return self.text_of(MORE, {"items": self._joined(words[:longest], between), "more": more})
        if len(words) < 2:
            return "".join(words)
        if len(words) > 2:
            words = [self._joined(words[:-1], between), words[-1]]
        return self._joined(words, joined)

    def _joined(self, words: Sequence[str], joint: Joint) -> str:
        text = self.translate(WORDS[joint])
        return reduce(lambda first, last: text % {"first": first, "last": last}, words)


ENGLISH = Language()
