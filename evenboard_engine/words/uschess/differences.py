"""The differences of a published round, and the concerns about a round paired by hand, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.words.catalogue import ENGLISH, WORDS, Language, Sentence, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.systems import SWISS_CONCERNS, THIRD_COLOUR, people_of, with_round_or_capital

from .sentences import SENTENCES

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference

_SENTENCES: dict[str, Sentence] = {
    "bye": _("the bye is for %(found)s, but it must be for %(expected)s"),
    "several_byes": _("more than one player has the bye: %(found)s"),
    "no_legal_round": _("no legal pairing exists for the players who are present"),
    "rest_unchecked": _("the pairs cannot be compared, because not the same players are paired"),
    "forbidden_pair": _("the file does not allow %(one)s and %(two)s to meet (260, XXP)"),
    "structure": _("score groups are joined by %(found_pairs)s, but must be joined by %(expected_pairs)s"),
    "structure_more": _("score groups are joined by %(found_pairs)s, but need not be"),
    "structure_fewer": _("score groups must be joined by %(expected_pairs)s"),
    "too_far": _("dropped by more than the limit: %(found_pairs)s; fewer such pairs are possible"),
    "rematch": _("have met already: %(found_pairs)s; fewer such pairs are possible"),
    "teammates": _("of one team: %(found_pairs)s; fewer such pairs are possible"),
    "clubmates": _("of one club: %(found_pairs)s; fewer such pairs are possible"),
    "floaters": _("from %(points)s down, the floats are %(found_pairs)s, but must be %(expected_pairs)s"),
    "pair": _("%(points)s: %(one)s plays %(two)s, but must play %(right_two)s"),
    "colours": _("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

_REMATCH = _("These have met already: %(found_pairs)s; fewer such pairs are possible")
"""For a line that does not name the round first."""

CONCERNS: dict[str, Sentence] = {
    **SWISS_CONCERNS,
    "forbidden": SENTENCES["forbidden"],
    "teammates": _("%(player)s and %(other)s are of one team."),
    "clubmates": _("%(player)s and %(other)s are of one club."),
    "third_colour": THIRD_COLOUR,
    "float": _("%(player)s (%(points)s) is dropped to %(other)s (%(more)s)."),
    "float_far": ngettext(
        "%(player)s (%(points)s) is dropped past %(count)s score group to %(other)s (%(more)s).",
        "%(player)s (%(points)s) is dropped past %(count)s score groups to %(other)s (%(more)s).",
        "count",
    ),
    "float_over_limit": _(
        "%(player)s (%(points)s) is dropped to %(other)s (%(more)s). That is more than the limit for drops."
    ),
    "kept": _("%(player)s should stay in the score group."),
    "bye_had": ngettext(
        "%(player)s has had a full-point bye, in round %(rounds)s.",
        "%(player)s has had full-point byes, in rounds %(rounds)s.",
        "rounds",
    ),
    "bye_half": ngettext(
        "%(player)s has had a half-point bye, in round %(rounds)s.",
        "%(player)s has had half-point byes, in rounds %(rounds)s.",
        "rounds",
    ),
    "bye_forfeit_win": ngettext(
        "%(player)s has won a game by forfeit, in round %(rounds)s.",
        "%(player)s has won games by forfeit, in rounds %(rounds)s.",
        "rounds",
    ),
    "bye_other": _("By the rules %(other)s has the bye, not %(player)s."),
}


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line. Players are starting ranks."""
    found, expected = difference.found, difference.expected
    params = {
        **people_of(difference, language),
        "found_pairs": _pairs(found, language),
        "expected_pairs": _pairs(expected, language),
        "points": language.points(difference.score or 0),
    }
    code = difference.code
    if code == "structure" and not (found and expected):
        code = "structure_more" if found else "structure_fewer"
    alone = code == "rematch" and not with_round
    text = language.text_of(_REMATCH if alone else _SENTENCES[code], params)
    return with_round_or_capital(difference, text, language, with_round=with_round)


def _pairs(players: tuple[int, ...], language: Language) -> str:
    """Return pairs as 1-4 and 2-3."""
    pairs = [f"{one}-{two}" for one, two in zip(players[::2], players[1::2], strict=False)]
    return language.listed(pairs) or language.translate(WORDS["none"])
