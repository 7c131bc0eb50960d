"""Make, change, close, reopen and hide the sections of an event. Sections are never deleted.

A setting that stands since round 1 changes only as a deviation: a question, a reason, and which rounds become wrong.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_noop as _

from base.text import numbered, one_line
from evenboard_engine import SYSTEMS, Colour, InvalidTournament, system_named
from evenboard_engine.acceleration import suits_baku
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.systems.system import PairingSystem
from evenboard_engine.tiebreaks import read_list
from tournaments.declarations.sections import (
    BRING_SECTION_BACK,
    CLOSE_SECTION,
    CREATE_SECTION,
    EDIT_SECTION,
    LEAVE_FIDE_MODE,
    REOPEN_SECTION,
    TAKE_SECTION_AWAY,
    StandsSince,
    deviating,
    lock_of,
    locked,
    stands_of,
)
from tournaments.errors import (
    ADJOURNED_OPEN,
    FIDE_MODE_TO_CONFIRM,
    INVALID_VALUES,
    NAME_REQUIRED,
    RATINGS_MISSING,
    REASON_REQUIRED,
    ROUND_IS_DRAFT,
    ROUND_OUT_OF_RANGE,
    ROUNDS_OUT_OF_RANGE,
    SECTION_NAME_TAKEN,
    SETTINGS_LOCKED,
    TIE_BREAKS_BARRED,
    DomainError,
    Refusal,
)
from tournaments.files.report_check import check_rounds
from tournaments.files.report_writing import section_report
from tournaments.hooks import keeps_in_sight, keeps_rating_limit
from tournaments.models import Event, Game, Integrity, Round, RoundStart, Section
from tournaments.models.hall_map import rooms_of
from tournaments.queries.field import load_field
from tournaments.queries.next_step_checks import NextStepCheck
from tournaments.queries.sections import closing_warnings
from tournaments.questions import Answer, ask

from .entry_lists import ask_about_all
from .ledger import Actor, EventEntry, SectionEntry, act, act_on_event, assign_values, refuse_overtaken
from .roster import follow_table
from .rounds import finish_round, refuse_disorder, refuse_unfinished, unfinish_round
from .tie_breaks import barred_rule, checked_list

# Refusals
WARNINGS_NOT_SEEN = Refusal(
    "warnings_not_seen",
    ngettext_lazy(
        "The section has a warning now. Read it, then close the section. Nothing is closed yet.",
        "The section has %(count)s warnings now. Read them, then close the section. Nothing is closed yet.",
        "count",
    ),
    ("count", "warnings", "rounds_left"),
)
LAST_BYE_ROUND_TOO_HIGH = Refusal(
    "last_bye_round_too_high",
    ngettext_lazy(
        "The section has %(rounds)s round, so the last round for a bye cannot be %(last)s.",
        "The section has %(rounds)s rounds, so the last round for a bye cannot be %(last)s.",
        "rounds",
    ),
    ("last", "rounds"),
)
HALL_ROOMS_UNREADABLE = Refusal(
    "hall_rooms_unreadable",
    _(
        "This line of the hall map cannot be read, or its boards stand in another room too: %(line)s. Write one room "
        "in a line, such as 1-40/8 Main hall: the boards, how many stand in a row, and the room."
    ),
)
POINTS_UNSOUND = Refusal(
    "points_unsound",
    _(
        "%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss is not possible. A win must be worth more than a "
        "loss, a draw at least as much as a loss, and two draws at most as much as a win and a loss."
    ),
)
BYE_POINTS_TOO_HIGH = Refusal(
    "bye_points_too_high", _("A bye cannot be worth more than a win: %(bye)s is more than %(win)s.")
)
BYE_POINTS_NOT_STANDARD = Refusal(
    "bye_points_not_standard",
    _("A bye cannot be worth %(bye)s. With the scoring 1, ½, 0 it is worth 1, ½ or 0."),
)
BYE_POINTS_UNREACHABLE = Refusal(
    "bye_points_unreachable",
    _(
        "A bye cannot be worth %(bye)s: no results add up to it. The nearest values are %(lower)s and %(higher)s."
    ),
)
ACCELERATION_POINTS = Refusal(
    "acceleration_points",
    _(
        "%(win)s for a win, %(draw)s for a draw is not possible with Baku Acceleration: a win must be worth two draws, "
        "and a loss nothing."
    ),
)
ACCELERATION_UNKNOWN = Refusal("acceleration_unknown", _("%(system)s has no acceleration. Choose “none”."))
OPTION_ABOVE = Refusal(
    "option_above", _("%(value)s is too much for “%(option)s”: “%(limit_option)s” is only %(limit)s.")
)
# `wrong`: rounds that the rules would then pair differently
DEPARTURE_TO_CONFIRM = Refusal("departure_to_confirm", params=("fields", "wrong"))
ROUNDS_PLAYED = Refusal(
    "rounds_played", _("Round %(paired)s is paired, so the section cannot have only %(rounds)s rounds.")
)
NOT_CLOSED = Refusal("not_closed", _("The section is already open."))
ROUNDS_LEFT = Refusal(
    "rounds_left",
    ngettext_lazy(
        "Only %(paired)s of %(rounds)s round is paired. Give a reason for closing the section early. It goes "
        "into the log.",
        "Only %(paired)s of %(rounds)s rounds are paired. Give a reason for closing the section early. It goes "
        "into the log.",
        "rounds",
    ),
    ("paired", "rounds"),
)
NOTHING_TO_CLOSE = Refusal("nothing_to_close", _("No round is paired yet, so the section cannot be closed."))
FIDE_MODE_LEFT = Refusal("fide_mode_left", _("The section has left FIDE mode and cannot return to it."))
FIDE_MODE_NONE = Refusal(
    "fide_mode_none", _("The rules of %(system)s are not FIDE's, so there is no FIDE mode to leave.")
)


BY_LOT = "lot"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSettings:
    """What a new section begins with.

    initial_colour: w or b as it was drawn elsewhere, BY_LOT to draw it now, "" to draw it later. tie_breaks: codes;
    None for those of the pairing system. rating_lists: codes; () for those of FIDE. starts: when rounds begin.
    fide_mode: False begins outside FIDE mode for good, which needs a reason. rating_from, rating_to: the rating limit,
    of which entries are warned; None for no limit.
    """

    initial_colour: str = ""
    tie_breaks: Sequence[str] | None = None
    rating_method: str = Section.RatingMethod.OTHER.value
    rating_federation: str = ""
    equals_by: str = Section.EqualsBy.NAME.value
    rating_lists: Sequence[str] = ()
    starts: Mapping[int, RoundStart] = field(default_factory=dict)
    fide_mode: bool = True
    reason: str = ""
    rating_from: int | None = None
    rating_to: int | None = None


def begin_with(entry: EventEntry, section: Section, first: FirstSettings) -> None:
    """Set and check everything; the log has what is not the default. The caller saves the section.

    Raises DomainError: tie_breaks_unknown, tie_breaks_barred, tie_breaks_twice, tie_breaks_too_many, invalid_values,
    rounds_out_of_order, round_out_of_range, reason_required.
    """
    colour, by_lot = first.initial_colour, first.initial_colour == BY_LOT
    if by_lot:
        colour = secrets.choice(list(Colour)).value
    values = {
        "initial_colour": "" if section.fixed_rounds else colour,
        "rating_method": first.rating_method,
        "rating_federation": first.rating_federation.upper(),
        "equals_by": first.equals_by,
    }
    _, found = assign_values(section, values)
    entry.after |= found
    if by_lot and "initial_colour" in found:
        entry.after["by_lot"] = True
    if first.tie_breaks is not None:
        rules = checked_list(first.tie_breaks, (), section.system)
        section.tie_breaks = [rule.code for rule in rules] or ["PTS"]
        entry.after["tie_breaks"] = ",".join(section.tie_breaks)
    if first.rating_lists:
        section.rating_lists = list(first.rating_lists)
        entry.after["rating_lists"] = list(first.rating_lists)
    if first.starts:
        _begin_rounds(entry, section, first.starts)
    if not first.fide_mode and section.of_fide:
        if not one_line(first.reason):
            raise REASON_REQUIRED.error()
        section.fide_mode, section.fide_mode_left_in_round = False, 0
        entry.reason, entry.round_number = one_line(first.reason), 0
        entry.integrity = Integrity.FIDE_MODE
        entry.after["fide_mode"] = False


def _begin_rounds(entry: EventEntry, section: Section, starts: Mapping[int, RoundStart]) -> None:
    for number in starts:
        if not 1 <= number <= section.rounds:
            raise ROUND_OUT_OF_RANGE.error(round=number, rounds=section.rounds)
    refuse_disorder(sorted(starts.items()))
    section.schedule = [str(starts.get(number) or "") for number in range(1, section.rounds + 1)]
    entry.after["schedule"] = {str(number): str(start) for number, start in sorted(starts.items())}


def right_rounds(
    section: Section, changes: Mapping[str, Any], stands: frozenset[StandsSince]
) -> frozenset[int] | None:
    """Return the published rounds that follow the rules before the change; None if the change affects no pairing."""
    wanted = {name for name, value in changes.items() if value != getattr(section, name)}
    names = deviating(section, wanted, stands)
    if not any(lock is not None and lock.checked for lock in (lock_of(name, section) for name in names)):
        return None
    return _by_the_rules(section)


def deviate(
    entry: SectionEntry, fields: list[str], right: frozenset[int] | None, *, asked: Answer, reason: str
) -> None:
    """Ask, or note in the log that settings change which stand. right: as `right_rounds` returned it.

    Raises DomainError: round_is_draft, rounds_played, departure_to_confirm, reason_required.
    """
    section = entry.section
    paired = section.played_rounds.order_by("-number")
    latest = paired.first()
    published = paired.exclude(state=Round.State.DRAFT).first()
    wrong: list[int] = []
    if right is not None:
        if latest is not None and latest.is_draft:
            raise ROUND_IS_DRAFT.error(round=latest.number)
        if latest is not None and latest.number > section.rounds:
            raise ROUNDS_PLAYED.error(rounds=section.rounds, paired=latest.number)
        wrong = sorted(right - _by_the_rules(section))
    ask(DEPARTURE_TO_CONFIRM.error(fields=fields, wrong=wrong), asked, times=2)
    if not reason:
        raise REASON_REQUIRED.error()
    entry.reason = reason
    entry.round_number = published.number if published is not None else 0
    entry.integrity = Integrity.CONFIGURATION
    if wrong:
        entry.after["wrong_rounds"] = wrong


def _by_the_rules(section: Section) -> frozenset[int]:
    """Return the published rounds that the rules would pair as they are, with the settings that `section` has now."""
    found = section_report(section, measured=False)
    checked = check_rounds(found, system=section.system, options=section.all_options)
    return frozenset(range(1, checked.rounds + 1)) - {one.round for one in checked.departures}


RESERVED_SLUGS = frozenset({
    "new", "edit", "settings", "people", "roles", "log", "import", "print", "section", "sections",
})  # fmt: skip
"""Second parts of addresses that belong to other pages, so no section may use them."""

_POINTS = ("win_points", "draw_points", "loss_points", "bye_points")
EDITABLE = frozenset({
    "rounds", *_POINTS, "system", "options", "acceleration", "chess960",
    "name", "longer_than_30_days", "half_bye_limit", "last_bye_round", "explained_to",
    "lists_by_hand", "players_confirm", "time_control", "rules_text", "prizes_public",
    "hall_rooms",
})  # fmt: skip


def create_section(
    *,
    actor: Actor,
    event: Event,
    name: str,
    rounds: int,
    win_points: int = 10,
    draw_points: int = 5,
    loss_points: int = 0,
    bye_points: int | None = None,
    acceleration: str = Section.Acceleration.NONE.value,
    system: str = DEFAULT_SYSTEM,
    options: Mapping[str, str] | None = None,
    half_bye_limit: int | None = None,
    last_bye_round: int | None = None,
    explained_to: str = Section.ExplainedTo.PLAYERS.value,
    lists_by_hand: bool = False,
    players_confirm: str = Section.PlayersConfirm.OFF.value,
    chess960: bool = False,
    time_control: str = "",
    rules_text: str = "",
    prizes_public: bool = False,
    hall_rooms: str = "",
    first: FirstSettings | None = None,
) -> Section:
    """Create a section. Points are in tenths. options: of the pairing system, see `assign_settings`.

    bye_points: by default those of a win (C.04.1, 3). half_bye_limit: half-point byes that a player may ask for.
    last_bye_round: the last round for byes with points.
    lists_by_hand, players_confirm, chess960, time_control, rules_text, prizes_public, hall_rooms: as in `Section`.
    first: more to begin with.

    Raises DomainError: name_required, section_name_taken, rounds_out_of_range, last_bye_round_too_high, points_unsound,
    bye_points_too_high, bye_points_not_standard, bye_points_unreachable, acceleration_points, acceleration_unknown,
    hall_rooms_unreadable, option_above, invalid_values, and what `begin_with` raises.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=CREATE_SECTION) as entry:
        section = new_section(entry.event, name)
        values = {
            "name": name,
            "rounds": rounds,
            "win_points": win_points,
            "draw_points": draw_points,
            "loss_points": loss_points,
            "bye_points": win_points if bye_points is None else bye_points,
            "acceleration": acceleration,
            "system": system,
            "options": options or {},
            "half_bye_limit": half_bye_limit,
            "last_bye_round": last_bye_round,
            "explained_to": explained_to,
            "lists_by_hand": lists_by_hand,
            "players_confirm": players_confirm,
            "chess960": chess960,
            "time_control": time_control,
            "rules_text": rules_text,
            "prizes_public": prizes_public,
            "hall_rooms": hall_rooms,
        }
        _, entry.after = assign_settings(section, values)
        section.tie_breaks = _first_tie_breaks(section)
        first = first or FirstSettings()
        begin_with(entry, section, first)
        entry.subject = section.name
        section.save()
        limit = {"rating_from": first.rating_from, "rating_to": first.rating_to}
        if found := {name: rating for name, rating in limit.items() if rating is not None}:
            entry.after |= found
            for keep in keeps_rating_limit:
                keep(section, first.rating_from, first.rating_to)
        entry.section = section
    return section


def new_section(event: Event, name: str) -> Section:
    """Return a section without settings, not saved, with an address that is free. The event must be locked."""
    taken = set(event.sections.values_list("slug", flat=True)) | RESERVED_SLUGS
    return Section(event=event, slug=numbered(slugify(name)[:50] or "group", taken))


def edit_section(
    *,
    actor: Actor,
    section_id: int,
    seen: Mapping[str, Any] | None = None,
    asked: Answer = False,
    reason: str = "",
    **changes: Any,
) -> Section:
    """Change settings of a section. `declarations.locks` says from when on a setting stands.

    seen: what the form showed, by field. asked: the arbiter has confirmed that settings change which stand. This needs
    a reason, and the report names it (VCL4THP.13 Q58, Q59). Rounds that are paired are checked again with the new
    settings (Q60, Q76, Q86); the log names those that the rules would pair differently.
    Raises Stale("overtaken"); DomainError: settings_locked, departure_to_confirm, reason_required, round_is_draft,
    rounds_played, tie_breaks_barred, and what `create_section` raises.
    """
    if unknown := set(changes) - EDITABLE:
        raise TypeError(f"not to be changed: {sorted(unknown)}")
    with act(section_id=section_id, actor=actor, action=EDIT_SECTION) as entry:
        section = entry.section
        stands = {name: getattr(section, name) for name in changes} | section.all_options
        refuse_overtaken(stands, _by_field(changes), seen)
        happened = stands_of(section)
        right = right_rounds(section, changes, happened)
        ready = _first_tie_breaks(section)
        entry.before, entry.after = assign_settings(section, changes)
        if "system" in entry.after and section.tie_breaks == ready:
            section.tie_breaks = _first_tie_breaks(section)
        if "system" in entry.after and (barred := barred_rule(section.tie_break_list, section.system)):
            raise TIE_BREAKS_BARRED.error(tie_break=barred.text, system=section.system)
        follow_table(entry)
        if "system" in entry.after:
            _refuse_unrated(section)
        if fields := locked(section, entry.after, happened):
            raise SETTINGS_LOCKED.error(fields=fields)
        if fields := deviating(section, entry.after, happened):
            deviate(entry, fields, right, asked=asked, reason=one_line(reason))
        entry.subject = section.name
        entry.unchanged = not entry.after
        section.save(update_fields=sorted({*EDITABLE, "tie_breaks"}))
    return section


def _first_tie_breaks(section: Section) -> list[str]:
    """Return the codes that a new section of this pairing system has, until somebody chooses others."""
    return [rule.code for rule in read_list(system_named(section.system).first_tie_breaks)]


def assign_settings(section: Section, values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set and check settings; return what changed, before and after, each option by its name. Nothing is saved.

    options: those of the pairing system that change. For "", and in a new section for a missing option, the first day
    of the event decides, or the option has its default.
    """
    values = dict(values)
    options = values.pop("options", None)
    if "name" in values and not one_line(values["name"]):
        raise NAME_REQUIRED.error()
    if wrong := rooms_of(values.get("hall_rooms", ""))[1]:
        raise HALL_ROOMS_UNREADABLE.error(line=wrong)
    _check_points(**{key: values.get(key, getattr(section, key)) for key in _POINTS})
    system = _known(values.get("system", section.system))
    rounds = values.get("rounds", section.rounds)
    if not 1 <= rounds <= system.most_rounds:
        raise ROUNDS_OUT_OF_RANGE.error(rounds=rounds, minimum=1, maximum=system.most_rounds)
    last = values.get("last_bye_round", section.last_bye_round)
    if (
        last is not None
        and last > rounds
        and not system.fixed_rounds
        and {"last_bye_round", "rounds"} & set(values)
    ):
        raise LAST_BYE_ROUND_TOO_HIGH.error(last=last, rounds=rounds)
    stood = {} if section.pk is None or system.code != section.system else section.all_options
    before, after = changed = assign_values(section, {**values, "system": system.code})
    if options is not None or not stood:
        section.options = _options(section, stood, options or {})
        was = system.checked(stood)
        written = [name for name in was if was[name] != section.options[name]]
        before |= {name: was[name] for name in written}
        after |= {name: section.options[name] for name in written}
    if section.acceleration and not system.accelerated_code:
        raise ACCELERATION_UNKNOWN.error(system=system.code)
    by_rule = section.acceleration == Section.Acceleration.BAKU
    if by_rule and not suits_baku(section.point_system):
        raise ACCELERATION_POINTS.error(win=section.win_points, draw=section.draw_points)
    if "name" in changed[1]:
        refuse_name_taken(section)
    return changed


def _refuse_unrated(section: Section) -> None:
    """Raise DomainError("ratings_missing") if the pairing system of the section takes no unrated players."""
    if not system_named(section.system).takes_unrated:
        unrated = section.participants.filter(rating=0).order_by("tpn", "pk")
        if names := list(unrated.values_list("player__name", flat=True)):
            raise RATINGS_MISSING.error(names=names, system=section.system)


def _known(code: str) -> PairingSystem:
    if code not in SYSTEMS:
        raise _not_offered("system", code)
    return system_named(code)


def _options(section: Section, stood: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """Return all options of the pairing system. stood: those until now. asked: see `assign_settings`."""
    system = system_named(section.system)
    by_day = system.options_on(section.event.start.isoformat())
    wanted = {option.name: asked.get(option.name, stood.get(option.name, "")) for option in system.options}
    wanted |= asked
    chosen = {name: value or by_day.get(name, "") for name, value in wanted.items()}
    try:
        return system.checked({name: value for name, value in chosen.items() if value})
    except InvalidTournament as error:
        raise refused_option(error) from error


def refused_option(error: InvalidTournament) -> DomainError:
    """Return the refusal for options that a system does not allow."""
    params = error.params
    if error.code == "option_above":
        return OPTION_ABOVE.error(
            option=params["option"],
            value=params["value"],
            limit_option=params["other"],
            limit=params["most"],
        )
    return _not_offered(params["option"], params.get("value", ""))


def _not_offered(field: str, value: str) -> DomainError:
    return INVALID_VALUES.error(
        problems={field: [gettext("Value %(value)r is not a valid choice.") % {"value": value}]},
    )


def _by_field(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes by the fields of the form: each option has its own."""
    return {
        **{name: value for name, value in changes.items() if name != "options"},
        **changes.get("options", {}),
    }


def refuse_name_taken(section: Section) -> None:
    others = section.event.sections.exclude(pk=section.pk).filter(taken_away=False)
    if others.filter(name=section.name).exists():
        raise SECTION_NAME_TAKEN.error(name=section.name)


def _check_points(*, win_points: int, draw_points: int, loss_points: int, bye_points: int) -> None:
    """Check the points as VCL4THP.13 Q74, Q81, Q83 and Q84 ask. Raises DomainError."""
    win, draw, loss, bye = win_points, draw_points, loss_points, bye_points
    if not (0 <= loss <= draw <= win <= 1000 and loss < win and 2 * draw <= win + loss):
        raise POINTS_UNSOUND.error(win=win, draw=draw, loss=loss)
    if not 0 <= bye <= win:
        raise BYE_POINTS_TOO_HIGH.error(bye=bye, win=win)
    if (win, draw, loss) == (10, 5, 0) and bye not in (0, 5, 10):
        raise BYE_POINTS_NOT_STANDARD.error(bye=bye)
    made = _made_by_results((win, draw, loss), most=win)
    if bye not in made:
        lower, higher = max(x for x in made if x < bye), min(x for x in made if x > bye)
        raise BYE_POINTS_UNREACHABLE.error(bye=bye, lower=lower, higher=higher)


def _made_by_results(worth: tuple[int, ...], *, most: int) -> set[int]:
    """Return all sums of points of several results, up to `most`. worth: the points of each result."""
    made = {0}
    for points in range(1, most + 1):
        if any(points - one in made for one in worth if one):
            made.add(points)
    return made


def closing_question(warnings: Iterable[NextStepCheck], rounds_left: int) -> DomainError:
    """Return what is asked before a section with warnings is closed (`queries.closing`)."""
    found = [
        [
            one.code,
            one.round_number,
            list(one.boards),
            [side.name for side in one.sides],
            one.number,
            one.text,
        ]
        for one in warnings
    ]
    return WARNINGS_NOT_SEEN.error(count=len(found), warnings=found, rounds_left=rounds_left)


def close_section(
    *, actor: Actor, section_id: int, early: bool = False, reason: str = "", proceed: Answer = True
) -> Section:
    """Close a section: its last round is finished, and nothing can change any more. If all rounds are fixed, none was
    finished before, so all are.

    early: close it although rounds are left; this needs a reason. proceed: somebody has read the warnings.
    Raises DomainError: nothing_to_close, round_is_draft, results_missing, adjourned_open (VCL4THP.13 Q169),
    rounds_left, reason_required, warnings_not_seen.
    """
    with act(section_id=section_id, actor=actor, action=CLOSE_SECTION) as entry:
        section = entry.section
        last = section.played_rounds.order_by("-number").first()
        if last is None:
            raise NOTHING_TO_CLOSE.error()
        ending = list(section.played_rounds.order_by("number")) if section.fixed_rounds else [last]
        for row in ending:
            refuse_unfinished(row)
        adjourned = Game.objects.filter(round__section=section, result="adj")
        if games := list(adjourned.order_by("round__number", "board").values_list("round__number", "board")):
            raise ADJOURNED_OPEN.error(games=[list(game) for game in games])
        if last.number < section.rounds:
            if not early:
                raise ROUNDS_LEFT.error(paired=last.number, rounds=section.rounds)
            if not one_line(reason):
                raise REASON_REQUIRED.error()
        if proceed is not True:
            warnings = closing_warnings(load_field(section, include_drafts=True))
            if warnings:
                ask(closing_question(warnings, section.rounds - last.number), proceed)
        for row in ending:
            finish_round(row)
        section.status = Section.Status.CLOSED
        section.left_notices = []
        section.save(update_fields=["status", "left_notices"])
        entry.reason = one_line(reason)
        entry.round_number = last.number
        entry.before, entry.after = {"status": "open"}, {"status": "closed"}
    return section


def reopen_section(*, actor: Actor, section_id: int, reason: str, both: Answer = False) -> Section:
    """Open a closed section again: the results of its last round can change; if all rounds are fixed, those of all.
    The report names it with the reason. both: the arbiter has agreed that players of another section play here too.

    Raises DomainError: not_closed, reason_required; unless `both`, two_sections_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action=REOPEN_SECTION, allow_closed=True) as entry:
        section = entry.section
        if not section.is_closed:
            raise NOT_CLOSED.error()
        if not one_line(reason):
            raise REASON_REQUIRED.error()
        last = section.played_rounds.latest("number")
        for row in section.played_rounds.order_by("number") if section.fixed_rounds else [last]:
            unfinish_round(row)
        section.status = Section.Status.OPEN
        section.save(update_fields=["status"])
        entry.reason = one_line(reason)
        entry.round_number = last.number
        entry.before, entry.after = {"status": "closed"}, {"status": "open"}
        ask_about_all(entry, section, both=both)
    return section


def leave_fide_mode(*, actor: Actor, section_id: int, reason: str, asked: Answer = False) -> Section:
    """Leave FIDE mode permanently (VCL4THP.13 Q43 to Q45); the report file will name the round.

    asked: the arbiter was asked twice (level 4).
    Raises DomainError: fide_mode_left, fide_mode_none, reason_required, fide_mode_to_confirm.
    """
    with act(section_id=section_id, actor=actor, action=LEAVE_FIDE_MODE) as entry:
        section = entry.section
        if not section.fide_mode:
            raise FIDE_MODE_LEFT.error()
        if not section.of_fide:
            raise FIDE_MODE_NONE.error(system=section.system)
        paired = section.played_rounds.count()
        ask(FIDE_MODE_TO_CONFIRM.error(paired=paired), asked, times=2)
        if not one_line(reason):
            raise REASON_REQUIRED.error()
        section.fide_mode = False
        section.fide_mode_left_in_round = paired
        section.save(update_fields=["fide_mode", "fide_mode_left_in_round"])
        entry.reason = one_line(reason)
        entry.round_number = paired
        entry.integrity = Integrity.FIDE_MODE
        entry.before, entry.after = {"fide_mode": True}, {"fide_mode": False}
    return section


def take_section_away(*, actor: Actor, section_id: int, away: bool = True, both: Answer = False) -> Section:
    """Hide a section from everybody except the people who work on the event, or show it again (away=False).

    Nothing in the section changes. both: as for `reopen_section`. Raises DomainError: section_has_registrations if
    people have registered for it, who would get no word; section_name_taken (by another section now); unless `both`,
    two_sections_to_confirm.
    """
    action = TAKE_SECTION_AWAY if away else BRING_SECTION_BACK
    with act(section_id=section_id, actor=actor, action=action, allow_closed=True) as entry:
        section = entry.section
        entry.subject, entry.unchanged = section.name, section.taken_away == away
        if not away:
            refuse_name_taken(section)
        elif not entry.unchanged:
            for refuse in keeps_in_sight:
                refuse(section)
        entry.before, entry.after = {"taken_away": section.taken_away}, {"taken_away": away}
        section.taken_away = away
        section.save(update_fields=["taken_away"])
        if not (away or entry.unchanged):
            ask_about_all(entry, section, both=both)
    return section
