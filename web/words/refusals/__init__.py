"""Why an action was refused, in a sentence. Most sentences stand with their refusals; others are put together here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER
from evenboard_engine import Result
from evenboard_engine.trf import TrfError
from evenboard_engine.words.prizes import money_text
from evenboard_engine.words.report_problems import whole_sentence
from tournaments.errors import REFUSALS, DomainError
from web.words.rating_lists import refused_list
from web.words.refusals import (
    by_hand,
    byes,
    entries,
    logins,
    registrations,
    results,
    rounds,
    sections,
    undo,
)
from web.words.systems import article_in, option_term, system_name
from web.words.values import points_text, result_sign

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
    "fields": lambda names: READER.listed(
        sections.FIELDS.get(name) or option_term(name) or name for name in names
    ),
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
    sentences = [sections.DEPARTURE % {"fields": WRITTEN["fields"](params["fields"])}]
    if wrong := params["wrong"]:
        sentences.append(
            sections.WRONG_ROUNDS % {"count": len(wrong), "rounds": READER.listed(map(str, wrong))}
        )
    return " ".join(sentences)


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **logins.SPECIAL,
    **entries.SPECIAL,
    **registrations.SPECIAL,
    **byes.SPECIAL,
    **rounds.SPECIAL,
    **results.SPECIAL,
    **by_hand.SPECIAL,
    "undo_depends": undo.undo_depends,
    "departure_to_confirm": _departure,
    "not_found": _not_found,
    "list_refused": lambda params: refused_list(params["reason"], params["details"]),
    "invalid_values": _invalid_values,
}
