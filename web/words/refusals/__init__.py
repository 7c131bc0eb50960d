"""Why an action was refused, in a sentence. Most sentences stand with their refusals; others are put together here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from base.reader import READER
from evenboard_engine import Result
from evenboard_engine.trf import TrfError
from evenboard_engine.words.prizes import money_text
from evenboard_engine.words.report_problems import whole_sentence
from tournaments.errors import REFUSALS, DomainError
from web.words.by_hand import asked
from web.words.rating_lists import refused_list
from web.words.refusals import byes, registrations, results, rounds
from web.words.refusals.byes import bye_to_confirm
from web.words.systems import article_in, option_term, system_name
from web.words.values import bye_words, points_text, result_sign

DEPARTURE = gettext_lazy(
    "Round 1 is being played or is over, so these settings should stay as they were announced: "
    "%(fields)s. A change needs a reason. "
    "The log and the report name it."
)
WRONG_ROUNDS = ngettext_lazy(
    "With the new settings, the rules would pair %(count)s round that is paired differently: %(rounds)s.",
    "With the new settings, the rules would pair %(count)s rounds that are paired differently: %(rounds)s.",
    "count",
)

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
    "chess960": gettext_lazy("Chess960"),
    "half_bye_limit": gettext_lazy("half-point byes per player"),
    "last_bye_round": gettext_lazy("last round for byes with points"),
    "time_control": gettext_lazy("time control"),
    "rating_method": gettext_lazy("tournament rating"),
    "rating_federation": gettext_lazy("federation of the national ratings"),
    "equals_by": gettext_lazy("order of equal players"),
}


SHOWN_NUMBERS = 4

NUMBERS_TO_CONFIRM = ngettext_lazy(
    "%(count)s pairing number of %(section)s changes (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "%(count)s pairing numbers of %(section)s change (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "count",
)


def _two_sections(params: Mapping[str, Any]) -> str:
    names = READER.listed(params["names"], longest=SHOWN_NUMBERS)
    return _(
        "Already entered in another section (%(sections)s): %(names)s. Nobody can play in two sections at once."
    ) % {"names": names, "sections": READER.listed(params["sections"], "comma")}


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
    shown = READER.listed((f"{old} → {new}" for old, new in moved), "comma", longest=SHOWN_NUMBERS)
    return NUMBERS_TO_CONFIRM % {**params, "count": len(moved), "shown": shown}


def _by_hand_concerns(params: Mapping[str, Any]) -> str:
    return asked(params["concerns"], map(bye_to_confirm, params["byes"]))


def _by_hand_has_bye(params: Mapping[str, Any]) -> str:
    return _("%(name)s has a bye in this round: %(bye)s. Cancel the bye first (X).") % {
        "name": params["name"],
        "bye": bye_words(params["kind"]),
    }


MOST_SECONDS = 90
"""A longer wait is shown in minutes."""


def _wait(params: Mapping[str, Any]) -> str:
    seconds = int(params["seconds"])
    if seconds <= MOST_SECONDS:
        time = ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    else:
        minutes = -(-seconds // 60)
        time = ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    return _("Too many attempts have failed. Nothing was checked. Try again in %(time)s.") % {"time": time}


def undo_depends(params: Mapping[str, Any]) -> str:
    """Say how many later actions depend on the action; the page lists them."""
    count, elsewhere = len(params["revisions"]), params["elsewhere"]
    if not count:
        return _(
            "An action in another section of the event depends on this. Undo that action first. Nothing was undone."
        )
    return ngettext(
        "%(count)s later action depends on this. Nothing was undone.",
        "%(count)s later actions depend on this. Nothing was undone.",
        count,
    ) % {"count": count + elsewhere}


SHOWN_NAMES = 6
SHOWN_PROBLEMS = 5


NOT_THERE = {
    "action": gettext_lazy("This action is not in the log."),
    "event": gettext_lazy("This event no longer exists."),
    "section": gettext_lazy("This section no longer exists."),
    "participant": gettext_lazy("This player is not in the section."),
    "round": gettext_lazy("This round no longer exists."),
    "game": gettext_lazy("This game no longer exists: the round was paired again."),
    "bye": gettext_lazy("This bye no longer exists."),
    "forbidden_pair": gettext_lazy("This forbidden pair no longer exists."),
    "incident": gettext_lazy("This incident was removed."),
    "apart_rule": gettext_lazy("This rule no longer exists."),
    "rating_list": gettext_lazy("This rating list no longer exists."),
    "role": gettext_lazy("This person does not work on the event."),
    "invitation": gettext_lazy("This invitation is no longer open."),
    "webhook": gettext_lazy("This webhook was removed already."),
    "access_token": gettext_lazy("This access token has ended already."),
}


def explain(error: DomainError) -> str:
    """Return what happened, and where it helps what to do, in one or two sentences."""
    params = error.params
    if error.refusal.article:
        params = {**params, "article": article_in(error.system, error.refusal.article)}
    if error.code in SPECIAL:
        return SPECIAL[error.code](params)
    shown = {name: WRITTEN[name](value) if name in WRITTEN else value for name, value in params.items()}
    sentence = error.refusal.sentence
    return str((_(sentence) if isinstance(sentence, str) else sentence) % shown)


def _result(value: Any) -> str:
    return result_sign(Result(value)) if value in tuple(Result) else str(value) or _("nothing")


def _names(names: Any) -> str:
    return READER.listed(names, longest=SHOWN_NAMES)


def _problems(problems: Any) -> str:
    """The first few rows of a list, or lines of a report file, each with its reason."""
    sentences = [_problem(problem) for problem in problems[:SHOWN_PROBLEMS]]
    if len(problems) > len(sentences):
        more = len(problems) - len(sentences)
        sentences.append(
            ngettext("%(more)s more is wrong.", "%(more)s more are wrong.", more) % {"more": more}
        )
    return " ".join(sentences)


def _problem(problem: Mapping[str, Any]) -> str:
    if "line" in problem:
        found = TrfError(problem["code"], line=problem["line"], column=problem["column"], **problem["params"])
        return report_problem(found)
    why = explain(REFUSALS[problem["code"]].error(**problem["params"]))
    return _("%(name)s, row %(row)s: %(why)s") % {"name": problem["name"], "row": problem["row"], "why": why}


def report_problem(error: TrfError) -> str:
    """A line of a report file that cannot be read: where, what was expected, what was found."""
    return whole_sentence(error, READER)


WRITTEN: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(
        ("win", "draw", "loss", "bye", "lower", "higher", "points", "before", "after"), points_text
    ),
    **dict.fromkeys(("prize", "former_prize", "unit"), partial(money_text, language=READER)),
    **dict.fromkeys(("theirs", "result"), _result),
    "fields": lambda names: READER.listed(FIELDS.get(name) or option_term(name) or name for name in names),
    "problems": _problems,
    "names": _names,
    "system": lambda code: system_name(code),
    **dict.fromkeys(("option", "limit_option"), lambda name: option_term(name) or name),
}


def _not_found(params: Mapping[str, Any]) -> str:
    return str(NOT_THERE[params["kind"]]) if params["kind"] in NOT_THERE else _("This no longer exists.")


def _invalid_values(params: Mapping[str, Any]) -> str:
    problems: Mapping[str, Iterable[str]] = params["problems"]
    return " ".join(sentence for sentences in problems.values() for sentence in sentences)


def _departure(params: Mapping[str, Any]) -> str:
    sentences = [DEPARTURE % {"fields": WRITTEN["fields"](params["fields"])}]
    if wrong := params["wrong"]:
        sentences.append(WRONG_ROUNDS % {"count": len(wrong), "rounds": READER.listed(map(str, wrong))})
    return " ".join(sentences)


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "wait": _wait,
    "numbers_to_confirm": _numbers_to_confirm,
    "two_sections_to_confirm": _two_sections,
    "equals_to_confirm": _equals_to_confirm,
    **registrations.SPECIAL,
    **byes.SPECIAL,
    **rounds.SPECIAL,
    **results.SPECIAL,
    "by_hand_concerns": _by_hand_concerns,
    "by_hand_has_bye": _by_hand_has_bye,
    "undo_depends": undo_depends,
    "departure_to_confirm": _departure,
    "not_found": _not_found,
    "list_refused": lambda params: refused_list(params["reason"], params["details"]),
    "invalid_values": _invalid_values,
}
