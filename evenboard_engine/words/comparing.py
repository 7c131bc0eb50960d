"""The words of a comparison of pairing systems, for pages and the command line."""

from __future__ import annotations

from collections.abc import Callable

from evenboard_engine.comparing import UPPER_HALF, Alternative, Variant
from evenboard_engine.errors import PairingError
from evenboard_engine.systems.registry import system_named

from .catalogue import ENGLISH, Language, Sentence, ngettext
from .catalogue import gettext_noop as _
from .registry import words_of
from .systems import value_words

LONGEST_LIST = 6  # names in a sentence

SPREAD = _(
    "The ARO of a player is the average rating of the opponents, this round included. The spread of opposition of a "
    "score group is how far its AROs lie apart: the highest minus the lowest, and the standard deviation (±)."
)
NAMED = _("%(system)s (%(value)s)")
UPPER_HALF_NAME = _("Upper half against lower half")
SAME = ngettext(
    "%(same)s of %(pairs)s pairs is the same.", "%(same)s of %(pairs)s pairs are the same.", "same"
)
TURNED = ngettext(
    "%(turned)s of them has the colours the other way round.",
    "%(turned)s of them have the colours the other way round.",
    "turned",
)
AGREES = _("It pairs the same round.")
OFFER_AGREES = _("It offers the same round.")
OFFER_SHOWN = _("The round that it offers is shown.")
OWN_OFFER = _("The system of this round offered these pairs, because its procedure could not finish.")
OPTION = _("%(option)s: %(value)s")
DEFAULTS = _("With its default options.")
FAILURES: dict[str, Sentence] = {
    "rating_missing": _("It takes no unrated players, and %(player)s has no rating."),
    "initial_colour_missing": _("It needs the initial-colour, which is not drawn."),
    "no_bye": ngettext(
        "By its rules, the bye would be left for %(players)s, who may not get it.",
        "By its rules, the bye would be left for one of %(players)s, and none of them may get it.",
        "players",
    ),
    "no_pairing": ngettext(
        "By its rules, no legal pairing exists: %(players)s cannot be placed.",
        "By its rules, no legal pairing exists: %(players)s cannot all be placed.",
        "players",
    ),
    "cannot_finish": ngettext(
        "Its procedure cannot finish this round: %(players)s is left over.",
        "Its procedure cannot finish this round: %(players)s are left over.",
        "players",
    ),
}
NO_PAIRING = _("By its rules, no legal pairing exists.")
OTHER_FAILURE = _("It cannot pair this round: the program reports %(code)s.")


def variant_name(variant: Variant, language: Language = ENGLISH) -> str:
    """Return the name of a system, with its edition if its rules have several; that of the plain pairing, too."""
    if variant == UPPER_HALF:
        return language.translate(UPPER_HALF_NAME)
    words = words_of(variant.system)
    name = language.translate(words.name)
    values = [
        value_words(option, words.options[option.name], variant.options[option.name], language) or ""
        for option in system_named(variant.system).options
        if words.options[option.name].by_day
    ]
    if not values:
        return name
    shown = {"system": name, "value": language.listed(values, "comma")}
    return language.text_of(NAMED, shown)


def failure_text(error: PairingError, name: Callable[[int], str], language: Language = ENGLISH) -> str:
    """Say in one sentence why a system pairs no round. name: of a player, by id."""
    sentence = FAILURES.get(error.code)
    players = error.params.get("players", ())
    if sentence is None:
        return language.text_of(OTHER_FAILURE, {"code": error.code})
    if isinstance(sentence, str):
        player = error.params.get("player")
        return language.text_of(sentence, {"player": "" if player is None else name(player)})
    if not players:
        return language.translate(NO_PAIRING)
    shown = language.listed(map(name, players), longest=LONGEST_LIST)
    return language.text_of(sentence, {"players": players}, {"players": shown})


def other_text(alternative: Alternative, name: Callable[[int], str], language: Language = ENGLISH) -> str:
    """Say what another system makes of the round: why it fails, what it offers then, and how far that agrees."""
    if alternative.failure is None:
        return agreement_text(alternative, language)
    sentences = [failure_text(alternative.failure, name, language)]
    if alternative.offered:
        if alternative.differs:
            sentences.append(language.translate(OFFER_SHOWN))
        sentences.append(agreement_text(alternative, language))
    return " ".join(sentences)


def options_text(variant: Variant, language: Language = ENGLISH) -> str:
    """Say which options a system has, apart from those that the first day decides; "" if it has no others.

    Only those that do not have their defaults are named.
    """
    words = words_of(variant.system).options
    options = [option for option in system_named(variant.system).choices if not words[option.name].by_day]
    found = [
        {
            "option": language.translate(words[option.name].label),
            "value": value_words(option, words[option.name], variant.options[option.name], language) or "",
        }
        for option in options
        if variant.options[option.name] != option.default
    ]
    if not found:
        return language.translate(DEFAULTS) if options else ""
    return language.listed([language.text_of(OPTION, shown) for shown in found], "semicolon")


def agreement_text(alternative: Alternative, language: Language = ENGLISH) -> str:
    """Say how many pairs of another round are those of the compared round."""
    if alternative.agrees:
        return language.translate(OFFER_AGREES if alternative.offered else AGREES)
    counts = {"same": alternative.same, "pairs": alternative.pairs, "turned": alternative.turned}
    sentences = (SAME, TURNED) if alternative.turned else (SAME,)
    return " ".join(language.text_of(sentence, counts) for sentence in sentences)
