"""Pages of forbidden pairs: the list, add a pair, change its rounds, remove it; keep players apart by a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy

from base.reader import READER
from base.text import alphabetical
from tournaments.actions.forbidden_pairs import (
    LONGEST_NAME,
    allow_pair,
    change_forbidden_pair,
    change_rule,
    end_rule,
    forbid_pair,
    keep_apart,
)
from tournaments.declarations import Action
from tournaments.declarations.entries import CHANGE_FORBIDDEN_PAIR, CHANGE_RULE
from tournaments.errors import DomainError, Stale
from tournaments.models import ForbiddenPair, Participant, Section
from tournaments.models.sections import MAX_ROUNDS
from tournaments.queries.forbidden_pairs import rule_preview
from tournaments.queries.row_cache import participants_of
from tournaments.snapshot import groups_apart
from web.context import section_context, section_url
from web.forms.conflict_check import ConflictCheckForm
from web.forms.errors import add_refusal
from web.forms.fields import PlayerChoiceField, is_long, offer_players, suggestions
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, ask_between_values, asks_for_part, posted, section_page

# Forms of a forbidden pair.


class RoundsForm(ConflictCheckForm):
    """The rounds of a forbidden pair, and the reason. Without a last round: to the end of the section."""

    first_round = forms.IntegerField(label=gettext_lazy("From round"), min_value=1, max_value=MAX_ROUNDS)
    last_round = forms.IntegerField(
        label=gettext_lazy("To round"), min_value=1, max_value=MAX_ROUNDS, required=False
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=120)


class ForbiddenPairForm(RoundsForm):
    first = PlayerChoiceField(
        label=gettext_lazy("Player"), help_text=gettext_lazy("Type the number, or letters of the name.")
    )
    second = PlayerChoiceField(label=gettext_lazy("Other player"))
    field_order = ("first", "second")

    def __init__(self, *args: Any, players: Sequence[Participant], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("first", "second"):
            offer_players(self, name, players)


KINDS = {
    "club": (gettext_lazy("Club"), gettext_lazy("Each club")),
    "team": (gettext_lazy("Team"), gettext_lazy("Each team")),
    "federation": (gettext_lazy("Federation"), gettext_lazy("Each federation")),
    "players": (gettext_lazy("Chosen players"), gettext_lazy("A family or other players")),
}
"""The kind of a rule, and a rule for each value of this kind."""
NUMBERS = re.compile(r"[\s,;]*\d{1,5}([\s,;]+\d{1,5})*[\s,;]*", re.ASCII)


class RuleChangeForm(RoundsForm):
    """The rounds of a rule, how strict it is, and the reason."""

    strict = forms.TypedChoiceField(
        label=gettext_lazy("How"),
        choices=[(True, gettext_lazy("Always")), (False, gettext_lazy("As far as possible"))],
        coerce=lambda text: text == "True",
        help_text=gettext_lazy("Always: if a round cannot keep them apart, it is not paired."),
    )
    field_order: Sequence[str] = ("strict",)


class RuleForm(RuleChangeForm):
    """Who is kept apart by a rule, and how strictly."""

    prefix = "rule"
    group = forms.ChoiceField(label=gettext_lazy("Who is kept apart"))
    name = forms.CharField(
        label=gettext_lazy("Name of the chosen players"), max_length=LONGEST_NAME, required=False
    )
    players = forms.CharField(
        label=gettext_lazy("Numbers of the players"),
        max_length=1000,
        required=False,
        help_text=gettext_lazy("For example: 3, 7, 12."),
    )
    field_order = ("group", "name", "players", "strict")

    def __init__(self, *args: Any, players: Sequence[Participant], **options: Any) -> None:
        super().__init__(*args, **options)
        self._by_number = {player.tpn: player.pk for player in players}
        self.fields["group"].choices = list(_groups_to_choose(players))  # type: ignore[attr-defined]

    def clean_players(self) -> list[int]:
        text = self.cleaned_data["players"]
        if text and not NUMBERS.fullmatch(text):
            raise ValidationError(gettext("Write the numbers with commas: 3, 7, 12."))
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if missing := [str(number) for number in numbers if number not in self._by_number]:
            raise ValidationError(
                gettext("No player has the number %(numbers)s.")
                % {"numbers": READER.listed(missing, "comma", longest=5)}
            )
        return [self._by_number[number] for number in numbers]

    def rule(self) -> dict[str, Any] | None:
        """Return who is kept apart in which rounds, as the action takes it; None if the form does not say it."""
        self.is_valid()
        asked = self.cleaned_data
        if not asked.keys() >= {"group", "first_round", "last_round", "players", "name"}:
            return None
        kind, _colon, value = asked["group"].partition(":")
        return {
            "kind": kind,
            "value": asked["name"] if kind == "players" else value,
            "players": asked["players"] if kind == "players" else [],
            "strict": asked.get("strict") is not False,
            "first_round": asked["first_round"],
            "last_round": asked["last_round"],
        }


def _groups_to_choose(players: Sequence[Participant]) -> Iterator[tuple[Any, Any]]:
    """Yield the choices: each club and the clubs of several players, with how many they are; the same of others."""
    yield "", gettext("Choose")
    for kind, (label, each) in KINDS.items():
        rule = {
            "kind": kind,
            "value": "",
            "players": [],
            "strict": True,
            "first_round": 1,
            "last_round": None,
        }
        groups = groups_apart([rule], players, 1)
        choices = [
            (f"{kind}:{group.value}", f"{group.value} ({len(group.players)})")
            for group in sorted(groups, key=lambda group: alphabetical(group.value))
        ]
        yield label, [(f"{kind}:", each), *choices]


@section_page("GET", "HEAD", "POST")
def forbidden_pairs(request: PersonRequest, section: Section) -> HttpResponse:
    if section.fixed_rounds:
        raise Http404
    players = _players(section)
    if asks_for_part(request) and request.method != "POST":
        if "rule-group" in request.GET:
            return _preview(request, section, RuleForm(request.GET, players=players))
        return suggestions(request, players, request.GET.get("first") or request.GET.get("second", ""))
    if "rule-group" in request.POST:
        return _keep_apart(request, section, players)
    initial = {"first_round": _next_round(section)}
    form = ForbiddenPairForm(posted(request), players=players, initial=initial)
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            forbid_pair(
                actor=actor_of(request),
                section_id=section.pk,
                players=(asked["first"].pk, asked["second"].pk),
                first_round=asked["first_round"],
                last_round=asked["last_round"],
                reason=asked["reason"],
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("forbidden-pairs", section))
    return _page(request, section, players, form, status=422 if form.errors else 200)


@section_page("GET", "HEAD", "POST")
def change(request: PersonRequest, section: Section, pair: int) -> HttpResponse:
    row = _row(section, pair)
    action = partial(change_forbidden_pair, pair_id=row.pk)
    names = [_player_name(entry) for entry in (row.first, row.second)]
    values = {"first_round": row.first_round, "last_round": row.last_round, "reason": row.reason}
    return _change(request, section, RoundsForm, names, values, action, CHANGE_FORBIDDEN_PAIR)


@section_page("GET", "HEAD", "POST")
def change_a_rule(request: PersonRequest, section: Section, rule: int) -> HttpResponse:
    row = next((known for known in section.apart_rules if known["number"] == rule), None)
    if row is None:
        raise Http404

    action = partial(change_rule, section_id=section.pk, number=rule)
    values = {name: row[name] for name in ("first_round", "last_round", "strict", "reason")}
    return _change(request, section, RuleChangeForm, [_title(row)], values, action, CHANGE_RULE)


def _change(
    request: PersonRequest,
    section: Section,
    form_class: type[RoundsForm],
    names: list[str],
    values: dict[str, Any],
    action: Callable[..., object],
    declared: Action,
) -> HttpResponse:
    """Show and take the form that changes a pair or a rule. names: who is kept apart. values: those of now."""
    form = form_class(posted(request), initial=values)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            action(actor=actor_of(request), seen=form.shown, **form.wanted())
        except Stale as error:
            theirs = error.params["theirs"]
            assert isinstance(theirs, dict)
            fresh = form_class(initial={**values, **theirs})
            form = ask_between_values(form, error, fresh, section.log.filter(action=declared.name))
            status = error.status
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("forbidden-pairs", section))
    context = {**_context(request, section), "form": form, "names": names, "since": values["first_round"]}
    return render(
        request, "staff/forbidden_pairs_change.html", context, status=422 if form.errors else status
    )


def _keep_apart(request: PersonRequest, section: Section, players: list[Participant]) -> HttpResponse:
    initial = {"first_round": _next_round(section)}
    form = RuleForm(request.POST, players=players, initial=initial)
    rule = form.rule()
    if form.is_valid() and rule:
        try:
            keep_apart(
                actor=actor_of(request), section_id=section.pk, **rule, reason=form.cleaned_data["reason"]
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            return redirect(section_url("forbidden-pairs", section))
    pair = ForbiddenPairForm(players=players, initial=initial)
    return _page(request, section, players, pair, rule=form, status=422)


def _preview(request: PersonRequest, section: Section, form: RuleForm) -> HttpResponse:
    """Say what the rule in the form means for the players of now."""
    rule = form.rule()
    context = {
        "rule": rule,
        "preview": rule_preview(section, rule) if rule else None,
        "to_the_end": rule is not None and (rule["last_round"] or section.rounds) >= section.rounds,
        "section": section,
    }
    return render(request, "staff/forbidden_pairs_preview.html", context)


@section_page("POST")
def end(request: PersonRequest, section: Section, rule: int) -> HttpResponse:
    try:
        end_rule(actor=actor_of(request), section_id=section.pk, number=rule)
    except DomainError as error:
        players = _players(section)
        form = ForbiddenPairForm(players=players, initial={"first_round": _next_round(section)})
        return _page(request, section, players, form, status=error.status, problem=explain(error))
    return redirect(section_url("forbidden-pairs", section))


@section_page("POST")
def allow(request: PersonRequest, section: Section, pair: int) -> HttpResponse:
    row = _row(section, pair)
    try:
        allow_pair(actor=actor_of(request), pair_id=row.pk)
    except DomainError as error:
        players = _players(section)
        form = ForbiddenPairForm(players=players, initial={"first_round": _next_round(section)})
        return _page(request, section, players, form, status=error.status, problem=explain(error))
    return redirect(section_url("forbidden-pairs", section))


def _page(
    request: PersonRequest,
    section: Section,
    players: list[Participant],
    form: ForbiddenPairForm,
    *,
    status: int,
    rule: RuleForm | None = None,
    problem: str = "",
) -> HttpResponse:
    context = {
        **_context(request, section),
        "form": form,
        "rule_form": rule or RuleForm(players=players, initial={"first_round": _next_round(section)}),
        "rows": [
            *(_rule_row(section, one, players) for one in section.apart_rules),
            *map(
                _pair_row,
                section.forbidden_pairs.select_related("first__player", "second__player").order_by(
                    "first__tpn", "second__tpn"
                ),
            ),
        ],
        "players": players,
        "long": is_long(players),
        "problem": problem,
    }
    return render(request, "staff/forbidden_pairs.html", context, status=status)


def _rule_row(section: Section, rule: dict[str, Any], players: list[Participant]) -> dict[str, Any]:
    """Return a rule for the list, with how many pairs it is about now."""
    groups = groups_apart([rule], [one for one in players if one.is_active], rule["first_round"])
    sizes = [len(group.players) for group in groups]
    chosen = [str(one.tpn) for one in players if one.pk in rule["players"]]
    kind = f"{KINDS[rule['kind']][0]} {READER.listed(chosen, 'comma', longest=12)}" if rule["value"] else ""
    return {
        **rule,
        "names": [_title(rule)],
        "about": kind.strip(),
        "pairs": sum(size * (size - 1) // 2 for size in sizes),
        "change": section_url("apart-rule", section, rule=rule["number"]),
        "remove": section_url("end-rule", section, rule=rule["number"]),
    }


def _title(rule: dict[str, Any]) -> str:
    """Return whom a rule keeps apart. "260" is a group of a report file, which has no name."""
    if rule["value"] == "260":
        return gettext("Report file")
    return str(rule["value"] or KINDS[rule["kind"]][1])


def _pair_row(pair: ForbiddenPair) -> dict[str, Any]:
    section = pair.section
    return {
        "names": [_player_name(entry) for entry in (pair.first, pair.second)],
        "first_round": pair.first_round,
        "last_round": pair.last_round,
        "reason": pair.reason,
        "change": section_url("forbidden-pair", section, pair=pair.pk),
        "remove": section_url("allow-pair", section, pair=pair.pk),
    }


def _player_name(entry: Participant) -> str:
    return f"{entry.tpn or '?'} {entry.player.name}"


def _context(request: PersonRequest, section: Section) -> dict[str, object]:
    context = section_context(request, section, "settings")
    paired = context["latest_round"].number if context["latest_round"] else 0
    return {
        **context,
        "paired": paired,
        "locked": section.is_closed or bool(paired and section.in_fide_mode),
    }


def _players(section: Section) -> list[Participant]:
    return list(participants_of(section))


def _next_round(section: Section) -> int:
    latest = section.played_rounds.order_by("-number").first()
    return latest.number + 1 if latest else 1


def _row(section: Section, pair: int) -> ForbiddenPair:
    pairs = section.forbidden_pairs.select_related("first__player", "second__player")
    row = pairs.filter(pk=pair).first()
    if row is None:
        raise Http404
    return row
