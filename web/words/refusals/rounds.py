"""Why something was refused: rounds and their pairing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from base.reader import READER
from evenboard_engine import system_named
from evenboard_engine.result import RelaxationKind
from evenboard_engine.words.registry import words_of
from web.words.standings import boards_text

SENTENCES = {
    "round_already_paired": gettext_lazy("Round %(round)s is already paired."),
    "stale_version": gettext_lazy(
        "Somebody changed round %(round)s after this page was loaded. Nothing was done. Look at the round "
        "as it is now."
    ),
    "stale_offer": gettext_lazy(
        "Something changed since this offer was made for round %(round)s. Nothing was done. Pair the round again."
    ),
    "round_is_draft": gettext_lazy("Round %(round)s is a draft. Publish or unpair it first."),
    "round_not_draft": gettext_lazy("Round %(round)s is not a draft. Unpublish it first."),
    "list_not_due": gettext_lazy(
        "The list after round %(round)s cannot be published now: a result was removed, or the next round is paired. "
        "This page shows how it is now."
    ),
    "list_in_conflict": gettext_lazy(
        "The list after round %(round)s cannot be published yet, because a slip was read in two ways. Decide about the "
        "result first."
    ),
    "no_initial_colour": gettext_lazy("The initial-colour has not been drawn."),
    "lots_missing": gettext_lazy(
        "Not everybody has drawn a number. Draw the numbers by lot, or type them as they were drawn."
    ),
    "lots_stand": gettext_lazy(
        "Round 1 is paired, so the numbers no longer change. Unpair the rounds first."
    ),
    "lots_too_few": gettext_lazy("There are %(players)s players. A table has at least three."),
    "lots_too_many": gettext_lazy(
        "There are %(players)s players, so %(rounds)s rounds would be needed. A section with this pairing system has "
        "at most %(limit)s. Make two sections of these players."
    ),
    "lots_same": gettext_lazy("The players already have these numbers."),
    "lots_to_confirm": gettext_lazy("The players get the numbers below."),
    "table_stands": gettext_lazy(
        "All rounds follow from the numbers of the players who are there before round 1. Nobody can enter later. To "
        "enter a player now, unpair all rounds and draw the numbers again."
    ),
    "rounds_not_fixed": gettext_lazy(
        "In this pairing system each round depends on the results of the rounds before."
    ),
    "no_byes_here": gettext_lazy(
        "All rounds are fixed by the table, so nobody can have a bye. A game that is not played is forfeited or played "
        "on another day."
    ),
    "round_not_last": gettext_lazy("Round %(round)s is not the last one. Unpair round %(last_round)s first."),
    "no_drafts": gettext_lazy("No round is a draft."),
    "all_rounds_paired": gettext_lazy("Round %(rounds)s, the last one, is already paired."),
    "too_few_players": gettext_lazy("Players who can be paired: %(present)s. A round needs at least two."),
    "rules_allow_a_pairing": gettext_lazy(
        "The rules allow a pairing of round %(round)s. Pair the round; then you can change its pairs by hand."
    ),
    "pairing_failed": gettext_lazy(
        "The pairing failed its own check (%(reason)s), so it was not saved. Export the report file and "
        "send it to the authors."
    ),
}

SHOWN_PROPOSALS = 5

RESULTS_MISSING = ngettext_lazy(
    "Round %(round)s: board %(boards)s has no result.",
    "Round %(round)s: %(count)s boards have no result (%(boards)s).",
    "count",
)

RESULTS_IN_CONFLICT = ngettext_lazy(
    "Round %(round)s: board %(boards)s was typed twice, with different results. Choose one of them first.",
    "Round %(round)s: %(count)s boards were typed twice, with different results (%(boards)s). "
    "Choose one result for each board first.",
    "count",
)

ADJOURNED_OPEN = ngettext_lazy(
    "One adjourned game is not finished: %(games)s.",
    "%(count)s adjourned games are not finished: %(games)s.",
    "count",
)

ADJOURNED_EARLIER = ngettext_lazy(
    "One game is still adjourned: %(games)s. Round %(round)s is paired as if this game were a draw%(article)s. A later "
    "result does not change the pairing.",
    "%(count)s games are still adjourned: %(games)s. Round %(round)s is paired as if these games were "
    "draws%(article)s. Later results do not change the pairing.",
    "count",
)

ROUND_HAS_RESULTS = ngettext_lazy(
    "Round %(round)s: board %(boards)s has a result, so the round stays published. Clear the result first.",
    "Round %(round)s: %(count)s boards have results (%(boards)s), so it stays published. Clear them first.",
    "count",
)


def _games(params: Mapping[str, Any]) -> dict[str, Any]:
    games = [(int(number), int(board)) for number, board in params["games"]]
    return {**params, "count": len(games), "games": boards_text(games)}


def _boards(params: Mapping[str, Any]) -> dict[str, object]:
    """The boards of a round in words: their number, and the first few."""
    boards = list(params["boards"])
    return {"round": params["round"], "boards": READER.listed(boards, longest=6), "count": len(boards)}


def _no_legal_pairing(params: Mapping[str, Any]) -> str:
    """Who is in the way, and what the arbiter might allow."""
    why = why_no_legal_pairing(params)
    sentences = words_of(params["system"]).relaxations
    relaxed = [
        READER.text_of(
            sentences[RelaxationKind(kind)],
            {"first": "{} {}".format(*players[0]), "last": "{} {}".format(*players[-1])},
        )
        for kind, players in params["relaxations"]
    ]
    if not relaxed:
        return why
    proposals = READER.listed(relaxed, "semicolon", longest=SHOWN_PROPOSALS)
    return _(
        "%(why)s The arbiter decides (%(regulation)s). Nothing was changed. A round would be possible if you "
        "allow this: %(relaxed)s."
    ) % {"why": why, "relaxed": proposals, "regulation": system_named(params["system"]).regulation}


def why_no_legal_pairing(params: Mapping[str, Any]) -> str:
    """Say why no round exists. params: reason, the code of the engine; players, as (number, name);
    others, how many more there are to be paired; system, its code.
    """
    reason, players = params["reason"], [f"{tpn} {name}" for tpn, name in params["players"]]
    code = "nobody" if reason == "no_pairing" and not players else reason
    sentences = words_of(params["system"]).dead_ends
    why = READER.text_of(sentences.get(code, sentences["no_pairing"]), {"players": READER.listed(players)})
    if code != "no_pairing" or not params["others"]:
        return why
    return " ".join([why, _("Without them, the others can be paired.")])


def _stale_round(params: Mapping[str, Any]) -> str:
    if not params["last_round"]:
        return _("This page was out of date: the round was unpaired. Nothing was done.")
    return _("This page was out of date: round %(round)s is already paired. Nothing was done.") % {
        "round": params["last_round"]
    }


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "stale_round": _stale_round,
    "no_legal_pairing": _no_legal_pairing,
    "results_missing": lambda params: RESULTS_MISSING % _boards(params),
    "results_in_conflict": lambda params: RESULTS_IN_CONFLICT % _boards(params),
    "adjourned_open": lambda params: ADJOURNED_OPEN % _games(params),
    "adjourned_earlier": lambda params: ADJOURNED_EARLIER % _games(params),
    "round_has_results": lambda params: ROUND_HAS_RESULTS % _boards(params),
}
"""Those whose parameters are put into words together."""
