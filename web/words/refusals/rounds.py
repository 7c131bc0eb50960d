"""Why something was refused: rounds and their pairing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from base.reader import READER
from evenboard_engine import system_named
from evenboard_engine.result import RelaxationKind
from evenboard_engine.words.registry import words_of
from web.words.standings import boards_text

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
    "Round %(round)s: %(count)s boards have results (%(boards)s), so the round stays published. Clear the results "
    "first.",
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
