"""The sentences that people read when an action was refused: one for every code of tournaments/errors.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from pairing.engine import Result, system_named
from pairing.engine.trf import TrfError
from pairing.words.report_problems import whole_sentence
from tournaments.errors import DomainError
from tournaments.reader import READER
from tournaments.web.words import refused_undo
from tournaments.web.words.by_hand import asked
from tournaments.web.words.completeness import say_boards
from tournaments.web.words.systems import option_term, system_name
from tournaments.web.words.values import bye_words, points_text, result_sign

SHOWN_NAMES = 6
MOST_SECONDS = 90
"""A longer wait is shown in minutes."""
SHOWN_PROBLEMS = 5

# Sentences take the parameters of their code; those named in SAYERS are put into words first.
SENTENCES = {
    **refused_undo.SENTENCES,
    "busy": gettext_lazy("Another change is being saved. Do it again in a moment."),
    "hashing_busy": gettext_lazy(
        "Many people are logging in at this moment. Nothing was done. Do it again in a few seconds."
    ),
    "stale": gettext_lazy(
        "Somebody changed the section after this page was loaded. Nothing was done. Look at the section "
        "as it is now."
    ),
    "overtaken": gettext_lazy(
        "Somebody else changed the same fields while this page was open. Nothing is saved yet. Choose one "
        "of the two values."
    ),
    "section_closed": gettext_lazy("The section is closed. Reopen it in its settings to change anything."),
    "reason_required": gettext_lazy("Give a reason. It goes into the log."),
    "zone_unknown": gettext_lazy("Time zone “%(zone)s” is not known. Use a name such as Europe/Vienna."),
    "event_dates": gettext_lazy("The last day, %(end)s, is before the first day, %(start)s."),
    "section_name_taken": gettext_lazy("This event already has a section %(name)s."),
    "rounds_out_of_range": gettext_lazy(
        "A section cannot have %(rounds)s rounds. Choose %(minimum)s to %(maximum)s."
    ),
    "points_unsound": gettext_lazy(
        "%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss is not possible. A win must be worth more than a "
        "loss, a draw at least as much as a loss, and two draws at most as much as a win and a loss."
    ),
    "bye_points_too_high": gettext_lazy(
        "A bye cannot be worth more than a win: %(bye)s is more than %(win)s."
    ),
    "bye_points_not_standard": gettext_lazy(
        "A bye cannot be worth %(bye)s. With the scoring 1, ½, 0 it is worth 1, ½ or 0."
    ),
    "bye_points_unreachable": gettext_lazy(
        "A bye cannot be worth %(bye)s: no results add up to it. The nearest values are %(lower)s and %(higher)s."
    ),
    "acceleration_points": gettext_lazy(
        "%(win)s for a win, %(draw)s for a draw is not possible with Baku Acceleration: a win must be worth two draws, "
        "and a loss nothing."
    ),
    "settings_locked": gettext_lazy("Round 1 is paired, so you can no longer change: %(fields)s."),
    "user_unknown": gettext_lazy("There is no login with the name %(username)s."),
    "user_taken": gettext_lazy(
        "The login name %(username)s is taken. If this is the same person, invite the existing login."
    ),
    "role_unknown": gettext_lazy("%(role)s is not a role. The roles are organiser and arbiter."),
    "last_owner": gettext_lazy("%(username)s is the only organiser. Add another organiser first."),
    "user_name_impossible": gettext_lazy("Give a user name of at most 150 characters."),
    "user_name_used": gettext_lazy("The login name %(username)s is taken. Choose another one."),
    "last_site_owner": gettext_lazy(
        "Nobody would be site owner any more. Nothing was changed. Make another login site owner first."
    ),
    "too_many_invitations": gettext_lazy(
        "The event has %(limit)s open invitations. Revoke those that nobody needs any more."
    ),
    "already_in_event": gettext_lazy("You already work on this event in this role or as organiser."),
    "not_closed": gettext_lazy("The section is already open."),
    "rounds_left": gettext_lazy(
        "Only %(paired)s of %(rounds)s rounds are paired. Give a reason for closing the section early. It "
        "goes into the log."
    ),
    "nothing_to_close": gettext_lazy("No round is paired yet, so the section cannot be closed."),
    "fide_mode_left": gettext_lazy("The section has left FIDE mode and cannot return to it."),
    "wrong_password": gettext_lazy("This is not your current password."),
    "wrong_code": gettext_lazy(
        "This code is not valid. Type the newest code of your app. Each code works only once."
    ),
    "second_factor_on": gettext_lazy("The second factor is already on."),
    "link_gone": gettext_lazy("This link was used already, or it is too old. Ask for a new one."),
    "link_not_allowed": gettext_lazy(
        "You cannot make a link for %(username)s, because this person also has rights that you do not have. "
        "Somebody with more rights, or a person at the server, can do it."
    ),
    "name_required": gettext_lazy("A player needs a name."),
    "rating_required": gettext_lazy(
        "%(name)s needs a rating. Give a player without one a provisional rating."
    ),
    "already_entered": gettext_lazy("%(name)s is already entered."),
    "fide_id_taken": gettext_lazy("FIDE ID %(fide_id)s belongs to %(name)s, who is already entered."),
    "too_many_entries": gettext_lazy("A section holds at most %(limit)s players."),
    "first_round_paired": gettext_lazy(
        "Round %(first_round)s is already paired. The first round can be %(next_round)s or later."
    ),
    "already_withdrawn": gettext_lazy("%(name)s has already withdrawn."),
    "already_expelled": gettext_lazy("%(name)s is already expelled."),
    "not_withdrawn": gettext_lazy("%(name)s has not withdrawn."),
    "already_paired": gettext_lazy(
        "%(name)s has been paired, so the entry cannot be deleted. Withdraw the player instead."
    ),
    "numbers_frozen": gettext_lazy(
        "Round 4 is paired, so pairing numbers can no longer change (General Handling Rules, 2.3)."
    ),
    "not_equal": gettext_lazy("The list must hold all players with this rating, and no others."),
    "equals_same": gettext_lazy("The players are already in this order."),
    "import_refused": gettext_lazy("The file was not imported. %(problems)s"),
    "section_not_empty": gettext_lazy(
        "The section already has %(participants)s entries. Import a report file into an empty section."
    ),
    "report_without_rounds": gettext_lazy("The report file does not give the number of rounds."),
    "ratings_missing": gettext_lazy(
        "No rating: %(names)s. The %(system)s needs a rating for every player. Type a provisional "
        "rating for them."
    ),
    "report_refused": gettext_lazy("The report file was not imported. %(problems)s"),
    "too_many_forbidden": gettext_lazy(
        "The report file forbids more than %(limit)s pairs. Leave out lines (260, XXP) that are not needed."
    ),
    "report_points": gettext_lazy(
        "The report file gives %(points)s for %(symbol)s. A section cannot score this."
    ),
    "round_out_of_range": gettext_lazy("There is no round %(round)s; the section has %(rounds)s."),
    "rounds_out_of_order": gettext_lazy("Round %(later)s cannot begin before round %(earlier)s."),
    "countdown_out_of_range": gettext_lazy("The countdown must end within the next %(hours)s hours."),
    "message_too_long": gettext_lazy("The message is longer than %(limit)s characters."),
    "round_already_paired": gettext_lazy("Round %(round)s is already paired."),
    "bye_kind": gettext_lazy("%(kind)s is not a bye that can be requested."),
    "bye_twice": gettext_lazy("%(name)s already has a bye in round %(round)s."),
    "half_bye_not_allowed": gettext_lazy("%(name)s may not ask for half-point byes."),
    "not_active": gettext_lazy("%(name)s has withdrawn and is not paired."),
    "bye_allocated": gettext_lazy(
        "The pairing gave %(name)s the bye of round %(round)s. To remove it, unpair the round."
    ),
    "check_in_closed": gettext_lazy("Check-in for round %(round)s is not open."),
    "check_in_missing": ngettext_lazy(
        "Round %(round)s: %(count)s player is not checked in. Decide about the absence or close the check-in "
        "first.",
        "Round %(round)s: %(count)s players are not checked in. Decide about their absences or close the "
        "check-in first.",
        "count",
    ),
    "absent_who": gettext_lazy("Choose who is absent: White, Black or both."),
    "unknown_result": gettext_lazy("%(result)s is not a result."),
    "stale_result": gettext_lazy("Board %(board)s: %(by)s entered %(theirs)s first."),
    "round_not_published": gettext_lazy("Round %(round)s is a draft. Publish it before you enter results."),
    "round_finished": gettext_lazy(
        "Round %(round)s is finished: the next round is paired, or the section is closed. Use Corrections "
        "to change its results."
    ),
    "adjourned_was_played": gettext_lazy(
        "The adjourned game on board %(board)s has begun, so its result cannot be %(result)s."
    ),
    "adjourned_to_confirm": gettext_lazy(
        "Board %(board)s was adjourned in round %(round)s and has counted as a draw in every pairing since then. "
        "%(result)s counts from now on and changes no round that is already paired. The report file records this."
    ),
    "nothing_to_confirm": gettext_lazy("Board %(board)s has no result yet, so there is nothing to confirm."),
    "reading_differs": gettext_lazy(
        "Board %(board)s: the slip says %(theirs)s. Round %(round)s is finished, so its result changes as "
        "a correction."
    ),
    "game_has_result": gettext_lazy("Board %(board)s already has a result."),
    "stale_version": gettext_lazy(
        "Somebody changed round %(round)s after this page was loaded. Nothing was done. Look at the round "
        "as it is now."
    ),
    "round_is_draft": gettext_lazy("Round %(round)s is a draft. Publish or unpair it first."),
    "round_not_draft": gettext_lazy("Round %(round)s is not a draft. Unpublish it first."),
    "no_initial_colour": gettext_lazy("The initial-colour has not been drawn."),
    "all_rounds_paired": gettext_lazy("Round %(rounds)s, the last one, is already paired."),
    "too_few_players": gettext_lazy("Players who can be paired: %(present)s. A round needs at least two."),
    "rules_allow_a_pairing": gettext_lazy(
        "The rules allow a pairing of round %(round)s. Pair the round; then you can change its pairs by hand."
    ),
    "pairing_failed": gettext_lazy(
        "The pairing failed its own check (%(reason)s), so it was not saved. Export the report file and "
        "send it to the authors."
    ),
    "forbidden_pairs_locked": gettext_lazy(
        "Round 1 is paired. In FIDE mode, forbidden pairs can no longer change."
    ),
    "forbidden_pair_same": gettext_lazy("You chose %(name)s twice. Choose two players."),
    "forbidden_pair_twice": gettext_lazy(
        "%(first)s and %(second)s are already a forbidden pair. Change the rounds of that pair."
    ),
    "forbidden_pair_rounds": gettext_lazy(
        "Rounds %(first_round)s to %(last_round)s is not possible. Choose rounds from %(next_round)s to "
        "%(rounds)s, the earlier round first."
    ),
    "correction_not_needed": gettext_lazy(
        "Round %(round)s is not finished. Change its results on the page Results."
    ),
    "correction_too_late": gettext_lazy(
        "Round %(round)s is too old, or the section is closed. Its results can be corrected for rating "
        "only (GHR 4.3)."
    ),
    "correction_adjourned": gettext_lazy(
        "Board %(board)s is adjourned. Enter its result on the page Results."
    ),
    "correction_same": gettext_lazy("Board %(board)s already has this result."),
    "correction_unconfirmed": gettext_lazy(
        "Round %(round)s, board %(board)s: look at the changes below, then confirm the correction."
    ),
    "manual_phase_open": gettext_lazy("Round %(round)s is being paired by hand. End pairing by hand first."),
    "manual_phase_closed": gettext_lazy("Pairing by hand of round %(round)s has ended. Nothing was changed."),
    "pairs_are_public": gettext_lazy(
        "The pairs of round %(round)s are published. You can change them only in the cases of GHR 4.4, after a "
        "confirmation."
    ),
    "by_hand_nothing": gettext_lazy("Nothing would change."),
    "by_hand_locked": gettext_lazy(
        "Round %(round)s, board %(board)s has a result, so its players cannot move."
    ),
    "by_hand_no_player": gettext_lazy(
        "No player of this section was chosen, so nothing changed. Pick a player first."
    ),
    "by_hand_not_here": gettext_lazy("%(name)s is not in round %(round)s."),
    "players_unpaired": gettext_lazy(
        "Not paired yet in round %(round)s: %(names)s. Pair them, or give each of them a bye."
    ),
    "differs_from_engine": gettext_lazy(
        "Round %(round)s is not as the rules pair it. Confirm a second time to keep it."
    ),
}

NOT_THERE = {
    "action": gettext_lazy("This action is not in the log."),
    "event": gettext_lazy("This event no longer exists."),
    "section": gettext_lazy("This section no longer exists."),
    "participant": gettext_lazy("This player is not in the section."),
    "round": gettext_lazy("This round no longer exists."),
    "game": gettext_lazy("This game no longer exists: the round was paired again."),
    "bye": gettext_lazy("This bye no longer exists."),
    "forbidden_pair": gettext_lazy("This forbidden pair no longer exists."),
    "role": gettext_lazy("This person does not work on the event."),
    "invitation": gettext_lazy("This invitation is no longer open."),
}


NUMBERS_TO_CONFIRM = ngettext_lazy(
    "%(count)s pairing number of %(section)s changes (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "%(count)s pairing numbers of %(section)s change (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "count",
)
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
    "One game is still adjourned: %(games)s. Round %(round)s is paired as if this game were a draw (GHR 3.1). A later "
    "result does not change the pairing.",
    "%(count)s games are still adjourned: %(games)s. Round %(round)s is paired as if these games were draws (GHR 3.1). "
    "Later results do not change the pairing.",
    "count",
)
ROUND_HAS_RESULTS = ngettext_lazy(
    "Round %(round)s: board %(boards)s has a result, so the round stays published. Clear the result first.",
    "Round %(round)s: %(count)s boards have results (%(boards)s), so it stays published. Clear them first.",
    "count",
)


def explain(error: DomainError) -> str:
    """What happened, and where it helps what to do, in one or two sentences."""
    params = error.params
    if error.code in SPECIAL:
        return SPECIAL[error.code](params)
    said = {name: SAYERS[name](value) if name in SAYERS else value for name, value in params.items()}
    return SENTENCES[error.code] % said


def listed(items: Iterable[object]) -> str:
    """1, 2 and 3."""
    return READER.listed(items)


def _result(value: Any) -> str:
    return result_sign(Result(value)) if value in tuple(Result) else str(value) or _("nothing")


def _games(params: Mapping[str, Any]) -> dict[str, Any]:
    games = [(int(number), int(board)) for number, board in params["games"]]
    return {**params, "count": len(games), "games": say_boards(games)}


def _names(names: Any) -> str:
    return READER.listed(names, longest=SHOWN_NAMES)


def _problems(problems: Any) -> str:
    """The first few rows of a list, or lines of a report file, each with its reason."""
    said = [_problem(problem) for problem in problems[:SHOWN_PROBLEMS]]
    if len(problems) > len(said):
        more = len(problems) - len(said)
        said.append(ngettext("%(more)s more is wrong.", "%(more)s more are wrong.", more) % {"more": more})
    return " ".join(said)


def _problem(problem: Mapping[str, Any]) -> str:
    if "line" in problem:
        found = TrfError(problem["code"], line=problem["line"], column=problem["column"], **problem["params"])
        return report_problem(found)
    why = explain(DomainError(problem["code"], **problem["params"]))
    return _("%(name)s, row %(row)s: %(why)s") % {"name": problem["name"], "row": problem["row"], "why": why}


def report_problem(error: TrfError) -> str:
    """A line of a report file that cannot be read: where, what was expected, what was found."""
    return whole_sentence(error, READER)


SAYERS = {
    **dict.fromkeys(("win", "draw", "loss", "bye", "lower", "higher", "points"), points_text),
    **dict.fromkeys(("theirs", "result"), _result),
    "fields": lambda names: listed(FIELDS.get(name) or option_term(name) or name for name in names),
    "problems": _problems,
    "names": _names,
    "system": lambda code: system_name(code),
}
FIELDS = {
    "name": gettext_lazy("name"),
    "rounds": gettext_lazy("rounds"),
    "win_points": gettext_lazy("points for a win"),
    "draw_points": gettext_lazy("points for a draw"),
    "loss_points": gettext_lazy("points for a loss"),
    "bye_points": gettext_lazy("points for a bye"),
    "initial_colour": gettext_lazy("initial-colour"),
    "system": gettext_lazy("pairing system"),
    "acceleration": gettext_lazy("acceleration"),
}


def _not_found(params: Mapping[str, Any]) -> str:
    return str(NOT_THERE[params["kind"]]) if params["kind"] in NOT_THERE else _("This no longer exists.")


def _invalid_values(params: Mapping[str, Any]) -> str:
    problems: Mapping[str, Iterable[str]] = params["problems"]
    return " ".join(sentence for sentences in problems.values() for sentence in sentences)


def _boards(params: Mapping[str, Any]) -> dict[str, object]:
    """The boards of a round in words: their number, and the first few."""
    boards = list(params["boards"])
    names = f"{', '.join(map(str, boards[:6]))} …" if len(boards) > 6 else listed(boards)
    return {"round": params["round"], "boards": names, "count": len(boards)}


RELAXED = {
    "C1": gettext_lazy("%(first)s and %(last)s meet again (against C1)"),
    "C2": gettext_lazy("%(first)s gets the bye (against C2)"),
    "C3": gettext_lazy("%(first)s and %(last)s meet, one of them in the wrong colour (against C3)"),
    "forbidden": gettext_lazy("%(first)s and %(last)s meet, although they are a forbidden pair"),
}


def _no_legal_pairing(params: Mapping[str, Any]) -> str:
    """Who is in the way, and what the arbiter might allow."""
    why = why_no_legal_pairing(params)
    relaxed = [
        RELAXED[kind] % {"first": "{} {}".format(*players[0]), "last": "{} {}".format(*players[-1])}
        for kind, players in params["relaxations"]
    ]
    if not relaxed:
        return why
    more = len(relaxed) - SHOWN_PROBLEMS
    said = "; ".join(relaxed[:SHOWN_PROBLEMS]) + (" …" if more > 0 else "")
    return _(
        "%(why)s The arbiter decides (%(regulation)s). Nothing was changed. A round would be possible if you "
        "allow this: %(relaxed)s."
    ) % {"why": why, "relaxed": said, "regulation": system_named(params["system"]).regulation}


def why_no_legal_pairing(params: Mapping[str, Any]) -> str:
    """Say why no round exists. params: reason, the code of the engine; players, as (number, name);
    others, how many more there are to be paired.
    """
    players = [f"{tpn} {name}" for tpn, name in params["players"]]
    if params["reason"] == "no_bye":
        return _(
            "The number of players is odd, and nobody may get the bye. The others could be paired if one "
            "of these players had it, but each of them has already had a bye or a win without playing "
            "(C2): %(players)s."
        ) % {"players": listed(players)}
    if not players:
        return _(
            "No round is possible: too many players have already met, or must have the same colour (C1, C3)."
        )
    why = _(
        "No round is possible with these players: %(players)s. They have already met all opponents who "
        "are left, or must have the same colour (C1, C3)."
    ) % {"players": listed(players)}
    return " ".join([why, _("Without them, the others can be paired.")]) if params["others"] else why


def _stale_round(params: Mapping[str, Any]) -> str:
    if not params["last_round"]:
        return _("This page was out of date: the round was unpaired. Nothing was done.")
    return _("This page was out of date: round %(round)s is already paired. Nothing was done.") % {
        "round": params["last_round"]
    }


BYE_WARNINGS = {
    "over_bye_limit": ngettext_lazy(
        "A player may have %(limit)s half-point bye in this tournament. %(name)s would have one more.",
        "A player may have %(limit)s half-point byes in this tournament. %(name)s would have one more.",
        "limit",
    ),
    "second_half_bye": gettext_lazy(
        "%(name)s already has a half-point bye. The competition rules allow one (C.05, 6.7.4)."
    ),
    "after_last_bye_round": gettext_lazy(
        "In this tournament a bye is worth points up to round %(last_round)s, and this is round %(round)s."
    ),
}


def bye_to_confirm(params: Mapping[str, Any]) -> str:
    """Every rule that the bye goes beyond, and that nothing is written yet."""
    known = {**params, "limit": params["limit"] or 0}
    return " ".join(str(BYE_WARNINGS[code] % known) for code in params["warnings"])


MISSED_WARNINGS = {
    "over_bye_limit": ngettext_lazy(
        "A player may have %(limit)s half-point bye in this tournament. %(name)s would have %(count)s, for the missed "
        "rounds.",
        "A player may have %(limit)s half-point byes in this tournament. %(name)s would have %(count)s, for the missed "
        "rounds.",
        "limit",
    ),
    "second_half_bye": gettext_lazy(
        "%(name)s would have %(count)s half-point byes, one for each missed round. The competition rules allow one "
        "(C.05, 6.7.4)."
    ),
    "after_last_bye_round": gettext_lazy(
        "In this tournament a bye is worth points up to round %(last_round)s, and %(name)s has missed %(count)s rounds."
    ),
}


def _missed_byes(params: Mapping[str, Any]) -> str:
    known = {**params, "limit": params["limit"] or 0}
    return " ".join(str(MISSED_WARNINGS[code] % known) for code in params["warnings"])


def _by_hand_concerns(params: Mapping[str, Any]) -> str:
    return asked(params["concerns"], map(bye_to_confirm, params["byes"]))


def _by_hand_has_bye(params: Mapping[str, Any]) -> str:
    return _("%(name)s has a %(bye)s in this round. Cancel the bye first (X).") % {
        "name": params["name"],
        "bye": bye_words(params["kind"]),
    }


BYES_WARNINGS = {
    "over_bye_limit": gettext_lazy("More half-point byes than this tournament gives (%(limit)s): %(names)s."),
    "second_half_bye": gettext_lazy(
        "More than one half-point bye: %(names)s. The competition rules allow one (C.05, 6.7.4)."
    ),
    "after_last_bye_round": gettext_lazy(
        "Half-point bye in round %(round)s, but in this tournament a bye is worth points only up to round "
        "%(last_round)s: %(names)s."
    ),
}


def _byes_to_confirm(params: Mapping[str, Any]) -> str:
    """The same for several byes: each rule once, with all the names."""
    names: dict[tuple[str, int], dict[str, None]] = {}
    for bye in params["byes"]:
        for code in bye["warnings"]:
            place = bye["round"] if code == "after_last_bye_round" else 0
            names.setdefault((code, place), {})[bye["name"]] = None
    return " ".join(
        str(BYES_WARNINGS[code] % {**params, "round": place, "names": _names(found)})
        for (code, place), found in names.items()
    )


def _bye_differs(params: Mapping[str, Any]) -> str:
    return _("%(name)s already has a %(stands)s in round %(round)s. You chose a %(wanted)s.") % {
        **params,
        "stands": bye_words(params["kind"]),
        "wanted": bye_words(params["wanted"]),
    }


SHOWN_NUMBERS = 4


def _equals_to_confirm(params: Mapping[str, Any]) -> str:
    """What new numbers of players with one rating affect. The table beside it shows who gets which."""
    if not params["round"]:
        return _("Round 1 will be paired with the new numbers.")
    return _(
        "Round %(round)s is paired and keeps its boards. The new numbers apply from the next pairing on. "
        "The report file records this."
    ) % {"round": params["round"]}


def _numbers_to_confirm(params: Mapping[str, Any]) -> str:
    """Whose pairing numbers would change, and what that affects."""
    moved = params["numbers"]
    shown = ", ".join(f"{old} → {new}" for old, new in moved[:SHOWN_NUMBERS])
    if len(moved) > SHOWN_NUMBERS:
        shown += " …"
    return NUMBERS_TO_CONFIRM % {**params, "count": len(moved), "shown": shown}


def _wait(params: Mapping[str, Any]) -> str:
    seconds = int(params["seconds"])
    if seconds <= MOST_SECONDS:
        time = ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    else:
        minutes = -(-seconds // 60)
        time = ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    return _("Too many attempts have failed. Nothing was checked. Try again in %(time)s.") % {"time": time}


SPECIAL = {
    "wait": _wait,
    "undo_depends": refused_undo.undo_depends,
    "bye_to_confirm": bye_to_confirm,
    "missed_byes_to_confirm": _missed_byes,
    "byes_to_confirm": _byes_to_confirm,
    "bye_differs": _bye_differs,
    "numbers_to_confirm": _numbers_to_confirm,
    "equals_to_confirm": _equals_to_confirm,
    "stale_round": _stale_round,
    "not_found": _not_found,
    "invalid_values": _invalid_values,
    "no_legal_pairing": _no_legal_pairing,
    "by_hand_concerns": _by_hand_concerns,
    "by_hand_has_bye": _by_hand_has_bye,
    "results_missing": lambda params: RESULTS_MISSING % _boards(params),
    "results_in_conflict": lambda params: RESULTS_IN_CONFLICT % _boards(params),
    "adjourned_open": lambda params: ADJOURNED_OPEN % _games(params),
    "adjourned_earlier": lambda params: ADJOURNED_EARLIER % _games(params),
    "round_has_results": lambda params: ROUND_HAS_RESULTS % _boards(params),
}
