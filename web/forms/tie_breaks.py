"""The list of tie-breaks while an arbiter works on it. Nothing is saved until the arbiter says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_hex
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from base.reader import READER
from base.text import one_line
from evenboard_engine import system_named
from evenboard_engine.tiebreaks import LOTS, MANDATORY, PRESETS, TieBreak, read_codes, read_list
from evenboard_engine.words.registry import words_of
from evenboard_engine.words.tiebreaks import (
    GROUPS,
    PRESET_NAMES,
    tie_break_meaning,
    tie_break_name,
    words_of_tie_break,
)
from tournaments.actions.tie_breaks import barred_rule, can_be_chosen, list_as_seen
from tournaments.errors import TIE_BREAKS_BARRED, TIE_BREAKS_UNKNOWN
from tournaments.models import Section
from web.forms.conflict_check import Contest, read_seen
from web.words.refusals import explain

NUMBER = "TPN"
"""At the end of a list: the pairing number decides where players are level in all others."""
MORE = (
    "KS", "KS/L+1", "KS/L+2", "KS/L-1", "KS/L-2",
    "OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM", "OTHER_PT", "OTHER_PT/ARO", "OTHER_PT/BH",
)  # fmt: skip
LONGEST_CODE = 24
LONGEST_SEED = 12


@dataclass(frozen=True, slots=True)
class TieBreakItem:
    """One line of the list."""

    code: str
    name: str
    meaning: str
    example: str


@dataclass(frozen=True, slots=True)
class WorkingList:
    """codes: without the pairing number or the lots at the end. level: what happens to players who are level in all of
    them, "share", "number" or "lots". seed: of the lots. left_out: rating tie-breaks
    leave out unrated players. moved: the code that the arbiter moved just now. problem: why a code was not added.
    """

    codes: tuple[str, ...]
    level: str
    moved: str = ""
    seed: str = ""
    left_out: bool = False
    problem: str = ""

    @property
    def rules(self) -> tuple[TieBreak, ...]:
        last = {"number": [NUMBER], "lots": [f"{LOTS}/{self.seed}"]}
        return read_codes((*self.codes, *last.get(self.level, [])))

    @property
    def items(self) -> list[TieBreakItem]:
        return [item_of(rule) for rule in read_codes(self.codes)]


def item_of(rule: TieBreak) -> TieBreakItem:
    words = words_of_tie_break(rule)
    plain = words is not None and not (rule.cut or rule.median or rule.forfeits or rule.reverse)
    return TieBreakItem(
        rule.text,
        tie_break_name(rule, READER),
        tie_break_meaning(rule, READER)
        or _(
            "Of your own: you type the values, such as the points of a play-off. Without values it separates nobody."
        ),
        _(words.example) if words is not None and plain else "",
    )


def list_of(rules: Sequence[TieBreak]) -> WorkingList:
    """Return the list that a section has."""
    codes = [rule.text for rule in rules]
    if codes and codes[-1] == NUMBER:
        return WorkingList(tuple(codes[:-1]), "number")
    if rules and rules[-1].seed:
        return WorkingList(tuple(codes[:-1]), "lots", seed=rules[-1].seed)
    return WorkingList(tuple(codes), "share")


def list_from(data: QueryDict, section: Section) -> WorkingList:
    """Return the list of the form after what its button does: up, down, remove, add or preset, with a code."""
    return replace(_list_from(data, section), left_out=data.get("unrated", "") == "left-out")


def _list_from(data: QueryDict, section: Section) -> WorkingList:
    codes = [code for text in data.getlist("code") if (code := _code_of(text))]
    level = data.get("level", "share")
    typed_seed = "".join(sign for sign in data.get("seed", "").upper() if sign.isascii() and sign.isalnum())
    seed = typed_seed[:LONGEST_SEED] or (token_hex(4).upper() if level == "lots" else "")
    what, _colon, code = data.get("do", "").partition(":")
    if what == "preset":
        return list_of(ready_made(section.system).get(code, ()))
    if what == "add":
        typed = _code_of(data.get("typed", "").upper())
        added = [new for new in dict.fromkeys((data.get("new", ""), typed)) if new]
        if problem := next(filter(None, (_why_not(new, codes, section) for new in added)), ""):
            return WorkingList(tuple(codes), level, seed=seed, problem=problem)
        return WorkingList((*codes, *added), level, added[-1] if added else "", seed)
    if code in codes:
        at = codes.index(code)
        codes.pop(at)
        if what != "remove":
            codes.insert(max(0, at - 1) if what == "up" else at + 1, code)
    return WorkingList(tuple(codes), level, code, seed)


def _why_not(new: str, codes: Sequence[str], section: Section) -> str:
    """Say why a code cannot be added to those of the list; "" if it can."""
    if new in codes:
        return _("%(code)s is in the list already.") % {"code": new}
    if not all(can_be_chosen(rule, section.tie_break_list) for rule in read_codes([new])):
        return explain(TIE_BREAKS_UNKNOWN.error(tie_break=new))
    if barred_rule(read_codes([new]), section.system):
        return explain(TIE_BREAKS_BARRED.error(tie_break=new, system=section.system))
    return ""


@dataclass(frozen=True, slots=True)
class SeenList:
    """The list with which the arbiter began, for components/seen.html.

    contested: what somebody else has changed while the page was open. by, at: who, and when.
    """

    shown: Mapping[str, Any]
    contested: Sequence[Contest] = ()
    by: str = ""
    at: datetime | None = None
    left: tuple[str, ...] = ()

    @property
    def shown_text(self) -> str:
        return json.dumps(self.shown)


def seen_from(data: QueryDict) -> SeenList:
    """Return the list with which the arbiter began. One that the form did not send differs from every list."""
    sent = read_seen(data.get("seen", ""))
    return SeenList({name: sent.get(name) for name in list_as_seen((), unrated_left_out=False)})


def contested_list(section: Section, work: WorkingList, by: str, at: datetime | None) -> SeenList:
    """Return the list that the section has now, with what differs from that of the arbiter."""
    theirs = list_as_seen(section.tie_break_list, section.unrated_left_out)
    mine = list_as_seen(work.rules, work.left_out)
    labels = {
        "tie_breaks": _("Tie-breaks"),
        "unrated_left_out": _("Rating tie-breaks and opponents without an official rating"),
    }
    contested = [
        Contest((name,), labels[name], _in_words(value), _in_words(mine[name]))
        for name, value in theirs.items()
        if value != mine[name]
    ]
    return SeenList(theirs, contested, by, at)


def _in_words(value: str | bool) -> str:
    if isinstance(value, str):
        return names_of_list(read_codes(value.split(",")))
    return _("games against them are left out") if value else _("their tournament rating counts")


def _code_of(typed: str) -> str:
    """Return a code as the section keeps it, also for the short form of one that FIDE does not have."""
    text = one_line(typed)[:LONGEST_CODE]
    rules = read_list(text)
    return rules[0].code if len(rules) == 1 else text


def ready_made(system: str) -> dict[str, tuple[TieBreak, ...]]:
    """Return the ready-made lists by their words: two of the pairing system, then those for all."""
    known = system_named(system)
    lists = {"own": read_list(known.tie_breaks), "suggested": read_list(known.suggested_tie_breaks)}
    lists |= {key: read_codes(codes) for key, codes in PRESETS.items()}
    return {
        key: tuple(rule for rule in rules if rule.name)
        for key, rules in lists.items()
        if rules and not any(rule.name in known.barred_tie_breaks for rule in rules)
    }


def choices(taken: Sequence[str], system: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what can be added, in groups: code and name. system: the code of the pairing system."""
    barred = system_named(system).barred_tie_breaks
    grouped = []
    for title, names in GROUPS:
        codes = [code for code in (*MANDATORY, *MORE) if code.split("/")[0] in names and code not in taken]
        rules = [rule for rule in read_codes(codes) if rule.name and rule.name not in barred]
        if found := [(rule.text, _label(rule)) for rule in rules]:
            grouped.append((_(title), found))
    return grouped


def _label(rule: TieBreak) -> str:
    name = tie_break_name(rule, READER)
    if name.endswith(f"({rule.text})"):
        return name
    return _("%(name)s (%(code)s)") % {"name": name, "code": rule.text}


def names_of_list(rules: Sequence[TieBreak]) -> str:
    """Return the names of the tie-breaks of a list; where only the pairing number decides, what this means."""
    if [rule.text for rule in rules] == [NUMBER]:
        return _("none: players with the same points are in the order of their pairing numbers")
    return READER.listed([tie_break_name(rule, READER, inside=True) for rule in rules], "comma")


def presets(system: str) -> list[tuple[str, str, str]]:
    """Return the ready-made lists: word, name, names of the tie-breaks."""
    own = _(words_of(system).name)
    names = {
        "own": _("%(system)s: its own list") % {"system": own},
        "suggested": _("%(system)s: with more tie-breaks") % {"system": own},
        **{key: _(name) for key, name in PRESET_NAMES.items()},
    }
    lists = ready_made(system).items()
    return [(key, names[key], names_of_list(rules)) for key, rules in lists]


def glossary() -> list[TieBreakItem]:
    """Return each tie-break without modifiers, for the explanation of all of them."""
    names = [name for _title, group in GROUPS for name in group]
    return [item_of(rule) for rule in read_codes(names) if rule.name]
