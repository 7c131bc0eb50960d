"""Add, change, withdraw, re-admit and remove entries. Lists are imported in `entry_lists`.

The games of a player who leaves a section whose rounds are fixed follow FIDE Handbook C.05, 6.6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import lacks_comma, name_ways, one_line
from evenboard_engine import RESULTS, ByeKind, Result
from ratings.names import same_name
from tournaments.declarations.entries import (
    ADD_PARTICIPANT,
    ALLOW_HALF_BYES,
    EDIT_PARTICIPANT,
    EXPEL_PARTICIPANT,
    READMIT_PARTICIPANT,
    REMOVE_PARTICIPANT,
    REMOVE_PARTICIPANTS,
    WITHDRAW_PARTICIPANT,
)
from tournaments.entry_data import EntryData
from tournaments.errors import (
    ALREADY_PAIRED,
    ALREADY_WITHDRAWN,
    BYE_KIND,
    LISTED_OTHERWISE,
    SAME_PERSON,
    DomainError,
    Refusal,
)
from tournaments.models import Bye, Game, Participant, RatingSource, Section
from tournaments.models.rounds import rounds_paired
from tournaments.queries.byes import ASK_FIRST, bye_warnings
from tournaments.queries.entries import also_entered
from tournaments.queries.rating_lists import values_of_pick
from tournaments.questions import Answer, ask

from .entry_lists import import_entries, refuse_two_sections
from .ledger import Actor, act, locked_participant, merged_values, section_of
from .reports import import_report
from .roster import Roster, entry_summary, follow_table, label_of_entry

# Refusals
ALREADY_EXPELLED = Refusal("already_expelled", _("%(name)s is already expelled."))
NOT_WITHDRAWN = Refusal("not_withdrawn", _("%(name)s has not withdrawn."))
NAME_ORDER = Refusal("name_order", _("Which part is the surname? %(proposed)s?"), params=("name",))
MISSED_BYES_TO_CONFIRM = Refusal(
    "missed_byes_to_confirm", params=("name", "count", "warnings", "limit", "last_round")
)


# The games of a player who leaves a section whose rounds are fixed (FIDE Handbook C.05, 6.6).

_WON_ABSENT = {True: Result.WHITE_WINS_BY_FORFEIT, False: Result.BLACK_WINS_BY_FORFEIT}
"""The result that a player who did not leave got against one who had, by whether the player has White."""


def last_round_played(participant: Participant) -> int:
    """Return the number of the last round in which the player played a game; 0 for none."""
    rows = _games(participant).order_by("-round__number").values_list("round__number", "result")
    return next((number for number, result in rows if result and RESULTS[Result(result)].played), 0)


def forfeit_games(participant: Participant, actor: Actor) -> list[list[int]]:
    """Forfeit the games without a result, and return them as [round, board]. The participant has already left.

    A game that the player had won against somebody who left earlier, in a round of which no game has been played yet,
    is lost by both.
    """
    changed = []
    begun = _rounds_begun(participant)
    games = _games(participant).select_related("round", "white", "black").order_by("round__number", "board")
    for game in games:
        white = game.white_id == participant.pk
        other = game.black if white else game.white
        later = game.round.number not in begun
        if not game.result:
            result = _WON_ABSENT[not white] if other.is_active else Result.DOUBLE_FORFEIT
        elif later and not other.is_active and game.result == _WON_ABSENT[white]:
            result = Result.DOUBLE_FORFEIT
        else:
            continue
        game.result, game.version = result.value, game.version + 1
        game.entered_by, game.entered_at = actor.user, timezone.now()
        game.over_at, game.over_by = None, None
        game.save(update_fields=["result", "version", "entered_by", "entered_at", "over_at", "over_by"])
        changed.append([game.round.number, game.board])
    return changed


def _rounds_begun(participant: Participant) -> frozenset[int]:
    rows = Game.objects.filter(round__section=participant.section_id).exclude(result="")
    results = rows.values_list("round__number", "result")
    return frozenset(number for number, result in results if RESULTS[Result(result)].played)


def _games(participant: Participant) -> QuerySet[Game]:
    return Game.objects.filter(Q(white=participant) | Q(black=participant))


# Add, change, withdraw, re-admit and remove entries. Lists are imported in `entry_lists.py`.

__all__ = [
    "EntryData",
    "add_participant",
    "allow_half_byes",
    "edit_participant",
    "from_list",
    "import_entries",
    "import_report",
    "leave",
    "rated_by_typed",
    "readmit_participant",
    "remove_participant",
    "remove_participants",
    "withdraw_participant",
]


def add_participant(
    *,
    actor: Actor,
    section_id: int,
    entry: EntryData,
    seen_revision: int | None = None,
    missed: ByeKind | str = "",
    proceed: Answer = False,
    asked: Answer = False,
    both: Answer = False,
    person: Answer = True,
    order: Answer = True,
    listed: Answer | None = None,
    by_typed: bool = False,
) -> Participant:
    """Enter a player. Once round 1 is paired it is a late entry, who plays from the next round on (GHR 2.4).

    missed: the kind of bye for the rounds before that, "" for none. A late entry gets no points for these rounds unless
    the rules of the tournament say so. proceed: as for `request_bye`. asked: as for `Roster.renumber`. both: the
    arbiter has agreed that a player of another section plays here too.
    person: an entry with the same name and birth date is another person. order: a name without a comma is right as it
    is. listed: what the rating list has under the FIDE ID is taken where nothing was typed, also if its name or year of
    birth differ; None asks no list. by_typed: as for `rated_by_typed`, if the list gives no rating.
    Raises DomainError as `Roster.enter` does; bye_kind; listed_otherwise; name_order; same_person; unless `proceed`,
    missed_byes_to_confirm; unless `asked`,
    numbers_to_confirm; unless `both`, two_sections_to_confirm.
    """
    if missed not in {"", ByeKind.HALF, ByeKind.ZERO}:
        raise BYE_KIND.error(kind=str(missed))
    with act(
        section_id=section_id,
        actor=actor,
        action=ADD_PARTICIPANT,
        seen_revision=seen_revision,
        with_event=True,
    ) as log:
        entry = from_list(log.section, entry, listed)
        entry = rated_by_typed(entry) if by_typed else entry
        _ask_order(entry.name, order)
        roster = Roster.load(log.section)
        participant = roster.enter(entry)
        ask_person(roster, participant, person)
        elsewhere = also_entered(log.section, [participant.player])
        refuse_two_sections(elsewhere, both=both)
        if question := _about_missed(participant, missed):
            ask(question, proceed)
        roster.save(log, actor, asked=asked)
        log.subject = label_of_entry(participant)
        log.after = {**entry_summary(participant), **log.after}
        if elsewhere:
            log.after["also_in"] = [section for _name, section in elsewhere]
        if missed and participant.first_round > 1:
            log.after["byes"] = _missed_rounds(participant, ByeKind(missed))
    return participant


def from_list(section: Section, entry: EntryData, answer: Answer | None) -> EntryData:
    """Return the entry with what the list has under its FIDE ID: the order of the name, and if no rating was typed, the
    rating and all that was not typed.

    Raises DomainError("listed_otherwise") if name or year of birth are others there.
    """
    if answer is None or entry.fide_id is None or (entry.rating and not lacks_comma(entry.name)):
        return entry
    found = values_of_pick(section, str(entry.fide_id), f"0-{entry.fide_id}")
    if found and lacks_comma(entry.name) and same_name(found["name"], entry.name):
        entry = replace(entry, name=found["name"])
    if entry.rating or not found.get("rating_list"):
        return entry
    born = found["birth_date"][:4]
    differs = bool(born and entry.birth_date and born != entry.birth_date[:4])
    if differs or not same_name(found["name"], entry.name):
        about = {"listed": found["name"], "born": born or None, "list": found["rating_list"], "question": ""}
        typed = {"fide_id": entry.fide_id, "name": entry.name, "birth_date": entry.birth_date}
        ask(LISTED_OTHERWISE.error(**about, **typed, rating=found["rating"]), answer)
    blank = {key: value for key, value in found.items() if value and not getattr(entry, key)}
    sourced = {key: found[key] for key in ("rating", "rating_source", "rating_list")}
    return replace(entry, **{**blank, **sourced})


def rated_by_typed(entry: EntryData) -> EntryData:
    """Return the entry; without a rating for the pairing, its FIDE rating counts, or else its national one."""
    typed = entry.official_rating or entry.national_rating
    if entry.rating or not typed:
        return entry
    source = RatingSource.OFFICIAL if entry.official_rating else RatingSource.NATIONAL
    return replace(entry, rating=typed, rating_source=source, rating_list="")


def _ask_order(name: str, answer: Answer) -> None:
    """Raise DomainError("name_order") for a name without a comma, unless it is right as it is."""
    if lacks_comma(name):
        ask(NAME_ORDER.error(name=name, proposed=name_ways(name)[0]), answer)


def ask_person(roster: Roster, participant: Participant, answer: Answer) -> None:
    """Raise DomainError("same_person") if another entry seems to be this person, unless it is somebody else."""
    other = roster.same_person(participant) if answer is not True else None
    if other is not None:
        player = participant.player
        about = {"name": player.name, "other": other.player.name, "birth_date": player.birth_date}
        ask(SAME_PERSON.error(**about), answer)


def _about_missed(participant: Participant, kind: ByeKind | str) -> DomainError | None:
    """Return "missed_byes_to_confirm" if the byes for the missed rounds are more than the rules give."""
    count = participant.first_round - 1
    if not kind or not count:
        return None
    warnings = [code for code in bye_warnings(participant, kind, count, had=count - 1) if code in ASK_FIRST]
    if not warnings:
        return None
    return MISSED_BYES_TO_CONFIRM.error(
        name=participant.player.name,
        count=count,
        warnings=warnings,
        limit=participant.section.half_bye_limit,
        last_round=participant.section.last_bye_round,
    )


def _missed_rounds(participant: Participant, kind: ByeKind) -> list[list[int | str]]:
    """Give byes for every round before the first round of a late entry."""
    rounds = range(1, participant.first_round)
    Bye.objects.bulk_create(
        Bye(participant=participant, round_number=number, kind=kind.value, source=Bye.Source.ABSENT)
        for number in rounds
    )
    return [[number, kind.value] for number in rounds]


def edit_participant(
    *,
    actor: Actor,
    participant_id: int,
    entry: EntryData,
    seen: Mapping[str, Any] | None = None,
    asked: Answer = False,
    person: Answer = True,
    order: Answer = True,
    listed: Answer | None = None,
) -> Participant:
    """Change an entry and the person behind it.

    seen: the values that the form showed, by field. Only changed values are written.
    A rating that is changed without its source is no longer that of a list: its source becomes "typed".
    asked: as for `Roster.renumber`. Until round 4 is paired, a changed rating changes numbers (GHR 2.3).
    person, order, listed: as for `add_participant`, about what changes.
    Raises Stale("overtaken"); DomainError as `Roster.change` does; listed_otherwise; name_order; same_person; unless
    `asked`, numbers_to_confirm.
    """
    section_id = section_of(participant_id)
    with act(section_id=section_id, actor=actor, action=EDIT_PARTICIPANT, with_event=True) as log:
        roster = Roster.load(log.section)
        participant = roster.find(participant_id)
        entry = _typed(
            participant, EntryData(**merged_values(entry_summary(participant), asdict(entry), seen))
        )
        if (entry.fide_id, entry.rating) != (participant.player.fide_id, participant.rating):
            entry = from_list(log.section, entry, listed)
        if entry.name != participant.player.name:
            _ask_order(entry.name, order)
        log.before, log.after = roster.change(participant, entry)
        if {"name", "birth_date"} & log.after.keys():
            ask_person(roster, participant, person)
        if not log.after:
            log.unchanged = True
            return participant
        log.subject = label_of_entry(participant)
        roster.save(log, actor, asked=asked)
        log.before["participant"] = log.after["participant"] = participant.pk
    return participant


def _typed(participant: Participant, entry: EntryData) -> EntryData:
    """The entry with the source of a rating that the arbiter typed over (VCL4THP.13 Q134).

    A provisional rating stays provisional: the arbiter assigned it.
    """
    same_source = entry.rating_source == participant.rating_source
    if (
        entry.rating == participant.rating
        or not same_source
        or entry.rating_source == RatingSource.PROVISIONAL
    ):
        return entry
    same_list = entry.rating_list == participant.rating_list
    return replace(
        entry, rating_source=RatingSource.TYPED, rating_list="" if same_list else entry.rating_list
    )


def withdraw_participant(
    *, actor: Actor, participant_id: int, reason: str = "", expelled: bool = False
) -> Participant:
    """Take a player out of the rounds that are not paired yet (GHR 3.2), and remove the requested byes of these rounds.

    If all rounds are fixed, the player stays in the table, and every game without a result is forfeited (C.05, 6.6).
    expelled: the player also leaves the standings, while the results count for the opponents (VCL4THP.13 Q197, Q198).
    A player who has withdrawn can still be expelled. Raises DomainError: already_withdrawn, already_expelled.
    """
    action = EXPEL_PARTICIPANT if expelled else WITHDRAW_PARTICIPANT
    with act(section_id=section_of(participant_id), actor=actor, action=action) as log:
        participant = locked_participant(participant_id)
        paired = rounds_paired(log.section)
        if expelled and participant.status == Participant.Status.EXPELLED:
            raise ALREADY_EXPELLED.error(name=participant.player.name)
        if not participant.is_active and not expelled:
            raise ALREADY_WITHDRAWN.error(name=participant.player.name)
        log.before, log.after = leave(participant, paired, expelled=expelled)
        if log.section.fixed_rounds:
            log.after["forfeited"] = forfeit_games(participant, actor)
        log.subject, log.reason = label_of_entry(participant), one_line(reason)
    return participant


def leave(participant: Participant, paired: int, *, expelled: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take a player of a locked section out after round `paired`, and remove later byes. Return before and after.

    A player who has already withdrawn keeps the round of leaving when expelled. If all rounds are fixed, the player
    left after the last round with a game that was played.
    """
    byes = participant.byes.filter(round_number__gt=paired)
    before = {
        "status": participant.status,
        "left_after": participant.left_after,
        "byes": [[bye.round_number, bye.kind] for bye in byes],
    }
    byes.delete()
    participant.status = Participant.Status.EXPELLED if expelled else Participant.Status.WITHDRAWN
    if participant.left_after is None:
        fixed = participant.section.fixed_rounds
        participant.left_after = last_round_played(participant) if fixed else paired
    participant.save(update_fields=["status", "left_after"])
    after = {
        "status": str(participant.status),
        "left_after": participant.left_after,
        "byes": [],
        "participant": participant.pk,
    }
    return before, after


def readmit_participant(
    *, actor: Actor, participant_id: int, reason: str = "", both: Answer = False
) -> Participant:
    """Let a player play again from the next round on. both: as for `add_participant`.

    Raises DomainError: not_withdrawn; unless `both`, two_sections_to_confirm.
    """
    with act(section_id=section_of(participant_id), actor=actor, action=READMIT_PARTICIPANT) as log:
        participant = locked_participant(participant_id)
        if participant.is_active:
            raise NOT_WITHDRAWN.error(name=participant.player.name)
        elsewhere = also_entered(log.section, [participant.player])
        refuse_two_sections(elsewhere, both=both)
        log.before = {"status": participant.status, "left_after": participant.left_after}
        participant.status = Participant.Status.ACTIVE
        participant.left_after = None
        participant.save(update_fields=["status", "left_after"])
        log.after = {"status": participant.status, "left_after": None, "participant": participant.pk}
        if elsewhere:
            log.after["also_in"] = [section for _name, section in elsewhere]
        log.subject, log.reason = label_of_entry(participant), one_line(reason)
    return participant


def remove_participant(*, actor: Actor, participant_id: int, asked: Answer = False) -> None:
    """Delete an entry that has not been paired.

    asked: as for `Roster.renumber`. Raises DomainError: already_paired (withdraw it instead); unless `asked`,
    numbers_to_confirm.
    """
    with act(
        section_id=section_of(participant_id), actor=actor, action=REMOVE_PARTICIPANT, with_event=True
    ) as log:
        roster = Roster.load(log.section)
        participant = roster.find(participant_id)
        refuse_paired(participant, roster)
        byes = [[b.round_number, b.kind] for b in participant.byes.all()]
        log.subject = label_of_entry(participant)
        log.before = {**entry_summary(participant), "byes": byes}
        roster.discard(participant)
        roster.renumber(log, asked=asked)
        follow_table(log)


def refuse_paired(participant: Participant, roster: Roster) -> None:
    """Raises DomainError("already_paired") if a round has the player in a game or with a bye."""
    paired = Game.objects.filter(Q(white=participant) | Q(black=participant)).exists()
    if paired or participant.byes.filter(round_number__lte=roster.rounds_paired).exists():
        raise ALREADY_PAIRED.error(name=participant.player.name)


def paired_of(asked: Sequence[Participant], roster: Roster) -> set[int]:
    """Return the keys of those whom `refuse_paired` refuses. Two queries for any number."""
    games = Game.objects.filter(Q(white__in=asked) | Q(black__in=asked)).values_list("white", "black")
    byes = Bye.objects.filter(participant__in=asked, round_number__lte=roster.rounds_paired)
    players = {player for pair in games for player in pair} | set(
        byes.values_list("participant_id", flat=True)
    )
    return {each.pk for each in asked if each.pk in players}


def remove_participants(*, actor: Actor, section_id: int, participant_ids: Collection[int]) -> set[int]:
    """Delete those of these entries that have not been paired, in one step. Return which; the others stay."""
    with act(section_id=section_id, actor=actor, action=REMOVE_PARTICIPANTS, with_event=True) as log:
        roster = Roster.load(log.section)
        asked = [each for each in roster.participants if each.pk in participant_ids]
        stay = paired_of(asked, roster)
        leaving = [each for each in asked if each.pk not in stay]
        byes: dict[int, list[list[int | str]]] = {each.pk: [] for each in leaving}
        for bye in Bye.objects.filter(participant__in=leaving):
            byes[bye.participant_id].append([bye.round_number, bye.kind])
        log.unchanged = not leaving
        log.before = {
            "entries": [[each.pk, {**entry_summary(each), "byes": byes[each.pk]}] for each in leaving]
        }
        roster.discard_many(leaving)
        roster.renumber(log)
        follow_table(log)
    return {key for key, _summary in log.before["entries"]}


def allow_half_byes(*, actor: Actor, participant_id: int, allowed: bool) -> Participant:
    """Set whether a player may request half-point byes (VCL4THP.13 Q175). Existing byes stay."""
    with act(section_id=section_of(participant_id), actor=actor, action=ALLOW_HALF_BYES) as log:
        participant = locked_participant(participant_id)
        log.unchanged = participant.half_bye_allowed == allowed
        log.before = {"half_bye_allowed": participant.half_bye_allowed}
        log.after = {"half_bye_allowed": allowed, "participant": participant.pk}
        log.subject = label_of_entry(participant)
        participant.half_bye_allowed = allowed
        participant.save(update_fields=["half_bye_allowed"])
    return participant
