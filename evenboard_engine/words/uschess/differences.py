"""The differences of a published round, and the concerns about a round paired by hand, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenboard_engine.words.catalogue import (
    ENGLISH,
    WORDS,
    Language,
    Sentence,
    coloured,
    gettext_noop,
    ngettext,
)

from .sentences import SENTENCES

if TYPE_CHECKING:
    from evenboard_engine.findings import RoundDifference

ROUND = gettext_noop("round %(round)s: %(difference)s")

_SENTENCES: dict[str, Sentence] = {
    "bye": gettext_noop("the bye is for %(found)s, but it must be for %(expected)s"),
    "several_byes": gettext_noop("more than one player has the bye: %(found)s"),
    "no_legal_round": gettext_noop("no legal pairing exists for the players who are present"),
    "rest_unchecked": gettext_noop("the pairs cannot be compared, because not the same players are paired"),
    "forbidden_pair": gettext_noop("the file does not allow %(one)s and %(two)s to meet (260, XXP)"),
    "structure": gettext_noop(
        "score groups are joined by %(found_pairs)s, but must be joined by %(expected_pairs)s"
    ),
    "structure_more": gettext_noop("score groups are joined by %(found_pairs)s, but need not be"),
    "structure_fewer": gettext_noop("score groups must be joined by %(expected_pairs)s"),
    "too_far": gettext_noop("dropped by more than the limit: %(found_pairs)s; fewer such pairs are possible"),
    "rematch": gettext_noop("have met already: %(found_pairs)s; fewer such pairs are possible"),
    "teammates": gettext_noop("of one team: %(found_pairs)s; fewer such pairs are possible"),
    "clubmates": gettext_noop("of one club: %(found_pairs)s; fewer such pairs are possible"),
    "floaters": gettext_noop(
        "from %(points)s down, the floats are %(found_pairs)s, but must be %(expected_pairs)s"
    ),
    "pair": gettext_noop("%(points)s: %(one)s plays %(two)s, but must play %(right_two)s"),
    "colours": gettext_noop("%(one)s has White against %(two)s, but %(right_one)s must have White"),
}

_ALONE: dict[str, Sentence] = {
    "bye": gettext_noop("The bye is for %(found)s, but it must be for %(expected)s"),
    "several_byes": gettext_noop("More than one player has the bye: %(found)s"),
    "no_legal_round": gettext_noop("No legal pairing exists for the players who are present"),
    "rest_unchecked": gettext_noop("The pairs cannot be compared, because not the same players are paired"),
    "forbidden_pair": gettext_noop("The file does not allow %(one)s and %(two)s to meet (260, XXP)"),
    "structure": gettext_noop(
        "Score groups are joined by %(found_pairs)s, but must be joined by %(expected_pairs)s"
    ),
    "structure_more": gettext_noop("Score groups are joined by %(found_pairs)s, but need not be"),
    "structure_fewer": gettext_noop("Score groups must be joined by %(expected_pairs)s"),
    "too_far": gettext_noop("Dropped by more than the limit: %(found_pairs)s; fewer such pairs are possible"),
    "rematch": gettext_noop("These have met already: %(found_pairs)s; fewer such pairs are possible"),
    "teammates": gettext_noop("Of one team: %(found_pairs)s; fewer such pairs are possible"),
    "clubmates": gettext_noop("Of one club: %(found_pairs)s; fewer such pairs are possible"),
    "floaters": gettext_noop(
        "From %(points)s down, the floats are %(found_pairs)s, but must be %(expected_pairs)s"
    ),
}
"""Those that begin with a word, for a line that does not name the round first."""

CONCERNS: dict[str, Sentence] = {
    "rematch": ngettext(
        "%(player)s and %(other)s have met already, in round %(rounds)s.",
        "%(player)s and %(other)s have met already, in rounds %(rounds)s.",
        "rounds",
    ),
    "forbidden": SENTENCES["forbidden"],
    "teammates": gettext_noop("%(player)s and %(other)s are of one team."),
    "clubmates": gettext_noop("%(player)s and %(other)s are of one club."),
    "third_colour": coloured(
        gettext_noop("%(player)s has White %(count)s times in a row."),
        gettext_noop("%(player)s has Black %(count)s times in a row."),
    ),
    "both_opposite": gettext_noop(
        "%(player)s is due Black and %(other)s is due White, but both get the opposite."
    ),
    "colours": gettext_noop("By the rules %(player)s has White and %(other)s Black."),
    "float": gettext_noop("%(player)s (%(points)s) is dropped to %(other)s (%(more)s)."),
    "float_far": ngettext(
        "%(player)s (%(points)s) is dropped past %(count)s score group to %(other)s (%(more)s).",
        "%(player)s (%(points)s) is dropped past %(count)s score groups to %(other)s (%(more)s).",
        "count",
    ),
    "float_over_limit": gettext_noop(
        "%(player)s (%(points)s) is dropped to %(other)s (%(more)s). That is more than the limit for drops."
    ),
    "kept": gettext_noop("%(player)s should stay in the score group."),
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
    "bye_score": gettext_noop(
        "The bye goes to the lowest score that may have it: %(other)s has %(more)s, %(player)s %(points)s."
    ),
    "bye_other": gettext_noop("By the rules %(other)s has the bye, not %(player)s."),
}


def sentence(difference: RoundDifference, language: Language = ENGLISH, *, with_round: bool = True) -> str:
    """Return one difference as a line. Players are starting ranks."""
    found, expected = difference.found, difference.expected
    one, two = (*found, 0, 0)[:2]
    right_one, right_two = (*expected, 0, 0)[:2]
    nobody = language.translate(WORDS["none"])
    params = {
        "found": language.listed(found) or nobody,
        "expected": language.listed(expected) or nobody,
        "found_pairs": _pairs(found, language),
        "expected_pairs": _pairs(expected, language),
        "one": one,
        "two": two,
        "right_one": right_one,
        "right_two": right_two,
        "points": language.points(difference.score or 0),
    }
    code = difference.code
    if code == "structure" and not (found and expected):
        code = "structure_more" if found else "structure_fewer"
    sentence = language.text_of(
        _SENTENCES[code] if with_round else _ALONE.get(code, _SENTENCES[code]), params
    )
    text = f"{sentence} ({difference.article})" if difference.article else sentence
    return language.text_of(ROUND, {"round": difference.round, "difference": text}) if with_round else text


def _pairs(players: tuple[int, ...], language: Language) -> str:
    """Return pairs as 1-4 and 2-3."""
    pairs = [f"{one}-{two}" for one, two in zip(players[::2], players[1::2], strict=False)]
    return language.listed(pairs) or language.translate(WORDS["none"])
