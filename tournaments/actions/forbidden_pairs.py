"""Forbidden pairs, and players kept apart by a rule: outside the rules of FIDE, and fixed when round 1 is paired (Q195,
Q196; docs/decisions/0091).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import system_named
from tournaments.declarations.entries import (
    ALLOW_PAIR,
    CHANGE_FORBIDDEN_PAIR,
    CHANGE_RULE,
    END_RULE,
    FORBID_PAIR,
    KEEP_APART,
)
from tournaments.errors import NOT_FOUND, REASON_REQUIRED, Refusal
from tournaments.files.report_reading import MAX_FORBIDDEN_PAIRS
from tournaments.models import ForbiddenPair, Participant, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.forbidden_pairs import rule_preview

from .ledger import Actor, SectionEntry, act, found_row, merged_values, section_found
from .roster import label_of_entry

# Refusals
FORBIDDEN_PAIRS_LOCKED = Refusal(
    "forbidden_pairs_locked", _("Round 1 is paired. In FIDE mode, forbidden pairs can no longer change.")
)
FORBIDDEN_PAIR_SAME = Refusal("forbidden_pair_same", _("You chose %(name)s twice. Choose two players."))
FORBIDDEN_PAIR_TWICE = Refusal(
    "forbidden_pair_twice",
    _("%(first)s and %(second)s are already a forbidden pair. Change the rounds of that pair."),
)
FORBIDDEN_PAIR_ROUNDS = Refusal(
    "forbidden_pair_rounds",
    _(
        "Rounds %(first_round)s to %(last_round)s is not possible. Choose rounds from %(next_round)s to "
        "%(rounds)s, the earlier round first."
    ),
)
NOBODY_APART = Refusal(
    "nobody_apart", _("Everybody meets everybody in this pairing system, so nobody can be kept apart.")
)
APART_PLAYERS = Refusal(
    "apart_players", _("Choose at least two players, and write a name for them, such as a family.")
)
APART_BY_SYSTEM = Refusal(
    "apart_by_system",
    _(
        "The pairing system already avoids such pairs by an option. Keep the players apart always, or change the "
        "option."
    ),
)
TOO_MANY_APART = Refusal(
    "too_many_apart", _("This would keep more than %(limit)s pairs apart. Choose fewer players.")
)
APART_TWICE = Refusal("apart_twice", _("These players are already kept apart in these rounds."))


def forbid_pair(
    *,
    actor: Actor,
    section_id: int,
    players: tuple[int, int],
    first_round: int = 1,
    last_round: int | None = None,
    reason: str,
) -> ForbiddenPair:
    """Forbid a pair from `first_round` to `last_round`; None: to the end of the section.

    After round 1 is paired, this is possible only outside FIDE mode, and for later rounds.
    Raises NotFound; DomainError: nobody_apart, forbidden_pairs_locked, forbidden_pair_same, forbidden_pair_twice,
    forbidden_pair_rounds, reason_required.
    """
    with act(section_id=section_id, actor=actor, action=FORBID_PAIR) as log:
        paired = _refuse_locked(log.section)
        first, second = (_entry(log.section, key) for key in sorted(players))
        if first == second:
            raise FORBIDDEN_PAIR_SAME.error(name=first.player.name)
        _refuse_twice(log.section, first, second)
        _refuse_rounds(log.section, first_round, last_round, paired)
        pair = ForbiddenPair(
            section=log.section,
            first=first,
            second=second,
            first_round=first_round,
            last_round=last_round,
            reason=_reason(reason),
        )
        pair.save()
        _name_pair(log, pair)
        log.after = _values(pair)
    return pair


def change_forbidden_pair(
    *,
    actor: Actor,
    pair_id: int,
    first_round: int,
    last_round: int | None,
    reason: str,
    seen: Mapping[str, Any] | None = None,
) -> ForbiddenPair:
    """Change the rounds of a forbidden pair, or its reason. Rounds that are already paired are not affected.

    seen: the values that the form showed, by field.
    Raises NotFound; Stale("overtaken"); DomainError: nobody_apart, forbidden_pairs_locked, forbidden_pair_rounds,
    reason_required.
    """
    with act(section_id=_section_of(pair_id), actor=actor, action=CHANGE_FORBIDDEN_PAIR) as log:
        paired = _refuse_locked(log.section)
        pair = _locked(pair_id)
        asked: dict[str, Any] = {"first_round": first_round, "last_round": last_round, "reason": reason}
        asked = merged_values({name: getattr(pair, name) for name in asked}, asked, seen)
        log.before = _values(pair)
        pair.first_round = _refuse_new_rounds(log.section, pair.first_round, asked, paired)
        pair.last_round, pair.reason = asked["last_round"], _reason(asked["reason"])
        log.after = _values(pair)
        log.unchanged = log.before == log.after
        _name_pair(log, pair)
        pair.save()
    return pair


def allow_pair(*, actor: Actor, pair_id: int) -> None:
    """Allow a forbidden pair again, from the next round on.

    Raises NotFound; DomainError: nobody_apart, forbidden_pairs_locked.
    """
    with act(section_id=_section_of(pair_id), actor=actor, action=ALLOW_PAIR) as log:
        paired = _refuse_locked(log.section)
        pair = _locked(pair_id)
        _name_pair(log, pair)
        log.before = _values(pair)
        if pair.first_round <= paired:  # it was in force for rounds that are paired
            pair.last_round = min(paired, pair.last_round or paired)
            log.after = _values(pair)
            pair.save()
        else:
            pair.delete()


# Players who are kept apart by a rule.

LONGEST_NAME = 80


def keep_apart(
    *,
    actor: Actor,
    section_id: int,
    kind: str,
    value: str = "",
    players: Iterable[int] = (),
    strict: bool = True,
    first_round: int = 1,
    last_round: int | None = None,
    reason: str,
) -> dict[str, Any]:
    """Keep players apart from `first_round` to `last_round`, also those who come later. Return the rule.

    kind: of `Section.ApartKind`. value: a club, team or federation; "" for each of them; a name for chosen players.
    players: the chosen ones. strict: no round is paired without the rule; else it is kept as far as possible.
    Raises NotFound; DomainError: nobody_apart, forbidden_pairs_locked, forbidden_pair_rounds, apart_players,
    apart_by_system, apart_twice, too_many_apart, reason_required.
    """
    with act(section_id=section_id, actor=actor, action=KEEP_APART) as log:
        section = log.section
        _refuse_rounds(section, first_round, last_round, _refuse_locked(section))
        chosen = kind == Section.ApartKind.PLAYERS
        entries = [_entry(section, key) for key in sorted(set(players))] if chosen else []
        rule = {
            "kind": Section.ApartKind(kind).value,
            "value": one_line(value)[:LONGEST_NAME],
            "players": [entry.pk for entry in entries],
            "first_round": first_round,
            "last_round": last_round,
            "strict": strict,
        }
        if chosen and (len(entries) < 2 or not rule["value"]):
            raise APART_PLAYERS.error()
        _refuse_rule(section, rule, section.apart_rules)
        if rule_preview(section, rule).pairs > MAX_FORBIDDEN_PAIRS:
            raise TOO_MANY_APART.error(limit=MAX_FORBIDDEN_PAIRS)
        rule |= {
            "number": max((known["number"] for known in section.apart_rules), default=0) + 1,
            "reason": _reason(reason),
        }
        section.apart_rules = [*section.apart_rules, rule]
        section.save(update_fields=["apart_rules"])
        log.after = _name_rule(log, rule, entries)
    return rule


def change_rule(
    *,
    actor: Actor,
    section_id: int,
    number: int,
    first_round: int,
    last_round: int | None,
    strict: bool,
    reason: str,
    seen: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Change the rounds of a rule, how strict it is, or its reason. Rounds that are already paired are not affected.

    seen: the values that the form showed, by field.
    Raises NotFound; Stale("overtaken"); DomainError: nobody_apart, forbidden_pairs_locked, forbidden_pair_rounds,
    apart_by_system, apart_twice, reason_required.
    """
    with act(section_id=section_id, actor=actor, action=CHANGE_RULE) as log:
        section = log.section
        paired = _refuse_locked(section)
        rule = _rule(section, number)
        asked: dict[str, Any] = {
            "first_round": first_round,
            "last_round": last_round,
            "strict": strict,
            "reason": _reason(reason),
        }
        asked = merged_values({name: rule[name] for name in asked}, asked, seen)
        asked["first_round"] = _refuse_new_rounds(section, rule["first_round"], asked, paired)
        others = [known for known in section.apart_rules if known is not rule]
        changed = {**rule, **asked}
        _refuse_rule(
            section, {name: changed[name] for name in changed if name not in ("number", "reason")}, others
        )
        section.apart_rules = [changed if known is rule else known for known in section.apart_rules]
        section.save(update_fields=["apart_rules"])
        entries = list(section.participants.filter(pk__in=rule["players"]).select_related("player"))
        log.before, log.after = _name_rule(log, rule, entries), _name_rule(log, changed, entries)
        log.unchanged = log.before == log.after
    return changed


def end_rule(*, actor: Actor, section_id: int, number: int) -> None:
    """End a rule by its number, from the next round on. What paired a round stays with the round.

    Raises NotFound; DomainError: nobody_apart, forbidden_pairs_locked.
    """
    with act(section_id=section_id, actor=actor, action=END_RULE) as log:
        section = log.section
        _refuse_locked(section)
        rule = _rule(section, number)
        section.apart_rules = [known for known in section.apart_rules if known is not rule]
        section.save(update_fields=["apart_rules"])
        entries = section.participants.filter(pk__in=rule["players"]).select_related("player")
        log.before = _name_rule(log, rule, entries)


def _rule(section: Section, number: int) -> dict[str, Any]:
    rules: list[dict[str, Any]] = section.apart_rules
    for rule in rules:
        if rule["number"] == number:
            return rule
    raise NOT_FOUND.error(kind="apart_rule", id=number)


def _refuse_rule(section: Section, rule: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> None:
    if not rule["strict"] and rule["kind"] in system_named(section.system).keeps_apart(section.all_options):
        raise APART_BY_SYSTEM.error()
    if any(rule.items() <= known.items() for known in others):
        raise APART_TWICE.error()


def _name_rule(log: SectionEntry, rule: dict[str, Any], entries: Iterable[Participant]) -> dict[str, Any]:
    """Write whom the rule is about into the log, and return its other values. Players are named by their numbers."""
    log.subject, log.reason = rule["value"], rule["reason"]
    shown = {name: rule[name] for name in ("first_round", "last_round", "strict", "reason")}
    return {**shown, "apart": rule["kind"], "players": [entry.tpn for entry in entries]}


def _refuse_locked(section: Section) -> int:
    """The number of paired rounds. Raises DomainError: nobody_apart where rounds are fixed; forbidden_pairs_locked in
    FIDE mode if there is one.
    """
    if section.fixed_rounds:
        raise NOBODY_APART.error()
    paired = rounds_paired(section)
    if paired and section.in_fide_mode:
        raise FORBIDDEN_PAIRS_LOCKED.error()
    return paired


def _refuse_twice(section: Section, first: Participant, second: Participant) -> None:
    if section.forbidden_pairs.filter(Q(first=first, second=second)).exists():
        raise FORBIDDEN_PAIR_TWICE.error(first=first.player.name, second=second.player.name)


def _refuse_new_rounds(section: Section, former: int, asked: Mapping[str, Any], paired: int) -> int:
    """Return the first round. Of what is already in force, only the end can change, and not to before the last paired
    round.
    """
    if former > paired:
        _refuse_rounds(section, asked["first_round"], asked["last_round"], paired)
        return int(asked["first_round"])
    _refuse_rounds(section, paired, asked["last_round"], paired - 1)
    return former


def _refuse_rounds(section: Section, first_round: int, last_round: int | None, paired: int) -> None:
    last = section.rounds if last_round is None else last_round
    if not paired < first_round <= last <= section.rounds:
        raise FORBIDDEN_PAIR_ROUNDS.error(
            first_round=first_round,
            last_round=last,
            next_round=paired + 1,
            rounds=section.rounds,
        )


def _entry(section: Section, key: int) -> Participant:
    return found_row(section.participants.select_related("player"), "participant", key)


def _section_of(pair_id: int) -> int:
    return section_found(ForbiddenPair.objects, "forbidden_pair", pair_id)


def _locked(pair_id: int) -> ForbiddenPair:
    pairs = ForbiddenPair.objects.select_related("first__player", "second__player")
    return found_row(pairs, "forbidden_pair", pair_id)


def _reason(text: str) -> str:
    reason = one_line(text)[:120]
    if not reason:
        raise REASON_REQUIRED.error()
    return reason


def _values(pair: ForbiddenPair) -> dict[str, Any]:
    return {
        "players": [pair.first.tpn, pair.second.tpn],
        "first_round": pair.first_round,
        "last_round": pair.last_round,
        "reason": pair.reason,
    }


def _name_pair(log: SectionEntry, pair: ForbiddenPair) -> None:
    log.subject = f"{label_of_entry(pair.first)} / {label_of_entry(pair.second)}"
    log.reason = pair.reason
