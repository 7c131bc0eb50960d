"""What must be done before the next step of a section, and what an arbiter should know before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db.models import Exists, OuterRef

from base.spelling import in_latin
from evenboard_engine import RESULTS, Result, system_named
from evenboard_engine.trf import NAME_COLUMNS
from tournaments.declarations import entries, names_of, presence, results, rounds, sections
from tournaments.hooks import waits_for_arbiter
from tournaments.models import ActionLog, Game, Participant, RatingSource, Round, Section

from .copies import copies_elsewhere, failed_proofs
from .entries import is_outside, rating_limit
from .field import PlayerCell, SectionField
from .forbidden_pairs import forbidden_in, kept_groups
from .pairing_numbers import lots_missing
from .presence import Presence
from .rounds import Floor, RoundPairings

SHOWN_FORMS = 6


@dataclass(frozen=True, slots=True)
class NextStepCheck:
    """A thing that blocks the next step, or that an arbiter should know before taking it.

    code: one of BLOCKERS or NOTICES. round_number, boards, sides (players), number (a count), text: what the matter is
    about, if the code has it.
    """

    code: str
    round_number: int | None = None
    boards: tuple[int, ...] = ()
    sides: tuple[PlayerCell, ...] = ()
    number: int = 0
    text: str = ""

    @property
    def key(self) -> str:
        """Return what names a notice with its facts: with other facts it has another key."""
        facts = (self.boards, [side.participant_id for side in self.sides], self.number, self.text)
        return f"{self.code}.{self.round_number or 0}.{sha256(repr(facts).encode()).hexdigest()[:12]}"

    @property
    def can_be_left(self) -> bool:
        """Return whether an arbiter may leave it alone: it neither blocks the next step nor asks to check a draft."""
        return self.code not in WARNINGS | {"all_met"}

    @property
    def ends_with_round(self) -> bool:
        """Return whether it is about one round only. Any other notice stays until the section is closed."""
        return self.round_number is not None and self.code != "adjourned"


@dataclass(frozen=True, slots=True)
class LeftBy:
    """Who left a notice alone, and when."""

    who: str
    at: datetime


WARNINGS = frozenset(
    {"left_out", "check_differs", "check_differs_offer", "check_differs_nothing", "draft_outdated"}
)
"""Notices that the arbiter must look at before a draft is published."""
BLOCKERS = {
    "too_few_players": "fewer than two players without a bye; number: how many there are",
    "no_initial_colour": "the initial-colour has not been drawn",
    "lots_missing": "players have no number drawn by lot",
    "draft_unpublished": "the round is paired and not published",
    "manual_phase_open": "pairing by hand of the round has not ended",
    "results_missing": "boards of the round without a result",
    "results_in_conflict": "boards of the round whose slips were read twice, with two results",
    "check_in_missing": "players who are not checked in for the round; number: how many",
    "adjourned_open": "adjourned games of a round, when nothing but closing the section is left",
}
ADVICE = {
    "adjourned": "games of a round to be finished later; they count as draws (GHR 3.1) and block no round",
    "too_many_rounds": "more rounds than this field can play without a second meeting; number: the most",
    "all_met": "the players of the next round have all met each other; number: how many",
    "rounds_differ": "another number of rounds than the table for this field has; number: of the table",
    "outside_limit": "players whose ratings the section does not take; number: how many (only before round 1)",
    "no_fide_id": "players of the report without a FIDE ID; number: how many",
    "no_official_rating": "players of the report with a provisional rating; number: how many",
    "no_estimate": "unrated players without the estimate that the rules of the pairing system ask for",
    "ratings_differ": "players whose official rating is not the tournament rating (only for the report)",
    "lists_differ": "entries whose ratings differ from the rating lists in force; number: how many",
    "names_not_latin": "names that the report has in other letters (only for the report); text: how it has them",
    "names_without_latin": "names in other letters for which the program has no Latin form (only for the report)",
    "names_cut": "players whose names are too long for the report (only for the report)",
    "not_fide_ratings": "the ratings of the section are not FIDE's (only for the report)",
    "forfeited": "players who lost their game of the last round by forfeit and would be paired again",
    "not_checked_in": "players whom the check-in has not seen, which is closed; number: how many",
    "late_registrations": "registrations that wait for the arbiter, because round 1 is paired; number: how many",
    "late_entries": "players who come in with the next round",
    "left_out": "players who take part and have neither a board nor a bye in the round",
    "draft_outdated": "an entry, a result or a setting was changed after the draft was paired",
    "check_differs": "boards of the draft that the rules pair differently; number: how many",
    "check_differs_offer": "boards of the draft that the offer, where the rules cannot finish, pairs differently",
    "check_differs_nothing": "boards of the draft, for which the rules give no round and none is offered",
    "copies_not_restored": "stored copies of the section whose test restore failed; number: how many",
    "copies_elsewhere": "the copies in another place failed, or are too old; text: why",
    "nothing_paired": "no round is paired (only before closing)",
    "departures": "what the report names in its comment lines; number: how many (only before closing)",
    "undated": "paired rounds without a date, which the report should have; number: how many (only before closing)",
    "dates_differ": "rounds outside the dates of the event; number: how many (only before closing)",
    "forbidden_pairs": "players kept apart in the draft or the next round, which no rule of FIDE asks for",
    "not_kept_apart": "groups of players (text) who should not meet in the draft, but no round exists without it",
}


APART_FROM_A_DRAFT = names_of(
    (
        presence.CHECK_IN,
        presence.TAKE_BACK_CHECK_IN,
        presence.LATE_CHECK_IN,
        presence.CHECK_IN_ALL,
        presence.OPEN_CHECK_IN,
        presence.CLOSE_CHECK_IN,
        entries.REQUEST_BYE,
        entries.CANCEL_BYE,
        entries.RENEW_PERSONS_LINK,
        presence.SETTLE_ABSENCES,
        results.CONFIRM_RESULT,
        results.MARK_OVER,
        results.PRESS_RESULT,
        results.RENEW_PLAYER_LINK,
        results.CORRECT_FOR_RATING,
        sections.SET_ROUND_STARTS,
        sections.SET_HALL_MESSAGE,
        sections.SET_COUNTDOWN,
        rounds.BACKUP_FAILED,
        rounds.PAIR_AHEAD,
        rounds.STOP_AHEAD,
        rounds.LEAVE_NOTICE,
        rounds.TAKE_NOTICE_BACK,
    )
)
"""Actions that cannot change how the rules pair a draft: byes and check-in are about the round after it."""
ON_A_DRAFT = names_of(
    (
        rounds.PAIR_NEXT_ROUND,
        rounds.TAKE_OFFER,
        rounds.CHECK_ROUND,
        rounds.START_BY_HAND,
        rounds.BEGIN_MANUAL_PHASE,
        rounds.CHANGE_BY_HAND,
        rounds.END_MANUAL_PHASE,
        rounds.PUBLISH_ROUND,
        rounds.UNPUBLISH_ROUND,
    )
)
"""Actions that make a draft, or change its pairs or its state."""
FORFEITS = {
    Result.BLACK_WINS_BY_FORFEIT.value: slice(0, 1),
    Result.WHITE_WINS_BY_FORFEIT.value: slice(1, 2),
    Result.DOUBLE_FORFEIT.value: slice(0, 2),
}
"""Who was absent, by the result: a slice of (White, Black)."""


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """The draft was compared with the pairing by the rules, or with the offer where they cannot finish the round.

    boards: those that the rules, or the offer, pair differently. nothing: the rules give no round, and none is
    offered.
    """

    at: datetime
    who: str
    same: bool
    boards: tuple[int, ...]
    offer: bool = False
    nothing: bool = False


def last_step(section: Section, view: RoundPairings) -> ActionLog | None:
    """Return the last action that made or could change the pairing of a draft; of a published round, its last check.
    An undo of an action that cannot change how the rules pair the draft does not count either. One query.
    """
    rows = section.log.defer("changes").order_by("-pk")
    if view.is_draft:
        undone = section.log.filter(revision=OuterRef("undoes"))
        apart = undone.filter(action__in=APART_FROM_A_DRAFT | ON_A_DRAFT - {rounds.CHECK_ROUND.name})
        return rows.exclude(action__in=APART_FROM_A_DRAFT).exclude(Exists(apart)).first()
    return rows.filter(action=rounds.CHECK_ROUND.name, round_number=view.number).first()


def checked_by(row: ActionLog | None, view: RoundPairings) -> DraftCheck | None:
    """Return the check of the draft as it is now, or as it was when it was published; None without one.

    row: as `last_step` returns it. If an entry or a result was changed after the check, the check no longer counts.
    """
    if row is None or row.action != rounds.CHECK_ROUND.name or row.round_number != view.number:
        return None
    if row.at < view.paired_at or (view.is_draft and row.after.get("version") != view.version):
        return None
    return DraftCheck(
        row.at,
        row.who,
        same=bool(row.after.get("same")),
        boards=tuple(row.after.get("boards", ())),
        offer=bool(row.after.get("offer")),
        nothing=bool(row.after.get("nothing")),
    )


def draft_check_outdated(row: ActionLog | None, view: RoundPairings) -> bool:
    """Return whether something was changed after the draft was paired. row: as `last_step` returns it."""
    return view.is_draft and row is not None and row.at > view.paired_at and row.action not in ON_A_DRAFT


def blockers_of(
    field: SectionField, current: RoundPairings | None, presence: Presence | None
) -> tuple[NextStepCheck, ...]:
    """What the arbiter must decide before the next round can be paired, or the section closed."""
    out = []
    upcoming = field.latest_number + 1
    more = upcoming <= field.section.rounds
    away = {bye.participant_id for bye in field.byes if bye.round_number == upcoming}
    to_pair = sum(
        entry.is_active and entry.first_round <= upcoming and key not in away
        for key, entry in field.participants.items()
    )
    if more and to_pair < 2:
        out.append(NextStepCheck("too_few_players", number=to_pair))
    if more and field.section.fixed_rounds:
        if to_pair >= 2 and lots_missing(field.participants.values()):
            out.append(NextStepCheck("lots_missing"))
    elif more and not field.section.initial_colour:
        out.append(NextStepCheck("no_initial_colour"))
    if current is not None and current.is_draft:
        if field.round(current.number).manual_phase:
            out.append(NextStepCheck("manual_phase_open", round_number=current.number))
        out.append(NextStepCheck("draft_unpublished", round_number=current.number))
    elif field.open_games:
        number = min(game.round.number for game in field.open_games)
        boards = tuple(game.board for game in field.open_games if game.round.number == number)
        out.append(NextStepCheck("results_missing", round_number=number, boards=boards, number=len(boards)))
    elif current is not None and (disputed := tuple(row.board for row in current.boards if row.in_conflict)):
        out.append(
            NextStepCheck(
                "results_in_conflict", round_number=current.number, boards=disputed, number=len(disputed)
            )
        )
    if presence is not None and presence.missing:
        out.append(
            NextStepCheck(
                "check_in_missing",
                round_number=presence.round_number,
                sides=presence.missing,
                number=len(presence.missing),
            )
        )
    if not more:
        out.extend(_adjourned(field, "adjourned_open"))
    return tuple(out)


def advice_of(
    field: SectionField,
    next_round: int | None,
    floor: Floor | None,
    checked: DraftCheck | None,
    *,
    changed: bool,
) -> tuple[NextStepCheck, ...]:
    """changed: something was changed after the draft was paired."""
    out = _adjourned(field, "adjourned") if field.latest_number < field.section.rounds else []
    if checked is not None and not checked.same and field.latest is not None and field.latest.is_draft:
        out.append(
            NextStepCheck(
                "check_differs_nothing"
                if checked.nothing
                else "check_differs_offer"
                if checked.offer
                else "check_differs",
                round_number=field.latest_number,
                boards=checked.boards,
                number=len(checked.boards),
            )
        )
    if changed:
        out.append(NextStepCheck("draft_outdated", round_number=field.latest_number))
    if floor is not None and floor.left_out:
        out.append(
            NextStepCheck(
                "left_out",
                round_number=field.latest_number,
                sides=floor.left_out,
                number=len(floor.left_out),
            )
        )
    active = [entry for entry in field.participants.values() if entry.is_active]
    if field.latest is None and len(active) >= 2:
        out.extend(_wrong_rounds(field, len(active)))
    if field.latest is None:
        out.extend(_outside_limit(field, active))
    if next_round is not None and _all_have_met(field, next_round):
        out.append(NextStepCheck("all_met", round_number=next_round))
    out.extend(_of_entries(field, active))
    if next_round is not None and next_round > 1:
        coming = tuple(field.side(entry.pk) for entry in active if entry.first_round == next_round)
        if waiting := late_players(field.section):
            out.append(waiting)
        if coming:
            out.append(
                NextStepCheck("late_entries", round_number=next_round, sides=coming, number=len(coming))
            )
    absent = () if next_round is None or field.section.fixed_rounds else _forfeited(field, next_round)
    if absent:
        out.append(
            NextStepCheck("forfeited", round_number=field.latest_number, sides=absent, number=len(absent))
        )
    # While a round is a draft, the desk shows its pairs.
    about = field.latest_number if field.latest is not None and field.latest.is_draft else next_round
    if about is not None:
        out.extend(_kept_apart(field, about))
    return tuple(out)


def left_notices(section: Section) -> dict[str, LeftBy]:
    """Return the notices that an arbiter left alone, by `NextStepCheck.key`. One query, none without any."""
    if not section.left_notices:
        return {}
    by_revision = {int(revision): key for key, revision in map(str.split, section.left_notices)}
    rows = section.log.filter(revision__in=by_revision).order_by("pk").values_list("revision", "who", "at")
    return {by_revision[revision]: LeftBy(who, at) for revision, who, at in rows}


def _kept_apart(field: SectionField, number: int) -> Iterator[NextStepCheck]:
    if forbidden := len(forbidden_in(field, number)):
        yield NextStepCheck("forbidden_pairs", round_number=number, number=forbidden)
    if left_out := [group.value for group in kept_groups(field, number) if group.left_out]:
        yield NextStepCheck("not_kept_apart", round_number=number, text="; ".join(left_out))


def late_players(section: Section) -> NextStepCheck | None:
    """Return how many players wait for an arbiter, because round 1 is paired; None if nobody does. One query."""
    waiting = sum(count(section) for count in waits_for_arbiter)
    return NextStepCheck("late_registrations", number=waiting) if waiting else None


def late_mark(waiting: NextStepCheck | None) -> str:
    """Return what changes with the number of players who wait for an arbiter: a registration leaves its section as it
    is, so the revision of the section does not tell.
    """
    return f"-{waiting.number}" if waiting else ""


def not_checked_in(presence: Presence, next_round: int | None) -> Iterator[NextStepCheck]:
    """Yield who would be paired although nobody has seen them: the check-in was closed without a decision."""
    if presence.unmarked and presence.round_number == next_round:
        sides = presence.unmarked
        yield NextStepCheck("not_checked_in", round_number=next_round, sides=sides, number=len(sides))


def _of_entries(field: SectionField, active: Sequence[Participant]) -> Iterator[NextStepCheck]:
    """Yield what the rules of the pairing system ask of the entries. Only FIDE's ask for IDs and official ratings."""
    if field.section.of_fide:
        yield from _unidentified(field)
    if field.section.wants_estimates:
        unrated = tuple(field.side(entry.pk) for entry in active if not entry.rating)
        if unrated:
            yield NextStepCheck("no_estimate", sides=unrated, number=len(unrated))


def _outside_limit(field: SectionField, active: Sequence[Participant]) -> Iterator[NextStepCheck]:
    lowest, highest = rating_limit(field.section)
    outside = tuple(field.side(entry.pk) for entry in active if is_outside(entry.rating, lowest, highest))
    if outside:
        yield NextStepCheck("outside_limit", sides=outside, number=len(outside))


def _wrong_rounds(field: SectionField, active: int) -> Iterator[NextStepCheck]:
    """Yield that the set-up cannot be finished within the rules (VCL4THP.13 Q62). active: how many play."""
    section = field.section
    table = system_named(section.system).rounds_for(len(field.participants), section.all_options)
    most = active - 1 if active % 2 == 0 else active
    if table is not None:
        if table != section.rounds:
            yield NextStepCheck("rounds_differ", number=table)
    elif section.rounds > most:
        yield NextStepCheck("too_many_rounds", number=most)


def _all_have_met(field: SectionField, next_round: int) -> bool:
    """Return whether the players who would be paired have all met each other. Forfeited games do not count (C1)."""
    if field.latest is None or field.latest.is_draft or field.section.fixed_rounds:
        return False
    resting = {bye.participant_id for bye in field.byes if bye.round_number == next_round}
    playing = {
        key
        for key, entry in field.participants.items()
        if entry.is_active and entry.first_round <= next_round and key not in resting
    }
    met = {
        frozenset((game.white, game.black))
        for game in field.engine.games
        if RESULTS[game.result].played and playing.issuperset((game.white, game.black))
    }
    return len(playing) >= 2 and len(met) == len(playing) * (len(playing) - 1) // 2


def rating_advice(field: SectionField) -> Iterator[NextStepCheck]:
    """Yield what the report for rating lacks, and ratings that differ. The report also has withdrawn players."""
    entries = tuple(field.participants.values())
    if _is_for_fide(field.section, entries):
        yield from _unidentified(field)
    elif any(entry.rating for entry in entries):
        yield NextStepCheck("not_fide_ratings")
    differ = tuple(
        field.side(key)
        for key, entry in field.participants.items()
        if entry.official_rating not in (None, entry.rating)
    )
    if differ:
        yield NextStepCheck("ratings_differ", sides=differ, number=len(differ))
    cut = tuple(field.side(entry.pk) for entry in entries if len(entry.player.report_name) > NAME_COLUMNS)
    if cut:
        yield NextStepCheck("names_cut", sides=cut, number=len(cut))
    yield from _other_letters(field, entries)


def _other_letters(field: SectionField, entries: Sequence[Participant]) -> Iterator[NextStepCheck]:
    """Yield the names in other letters for which nobody has typed a Latin form, with the proposals of the program."""
    people = [entry for entry in entries if not entry.player.latin_name and not in_latin(entry.player.name)]
    if unknown := [entry for entry in people if not in_latin(entry.player.report_name)]:
        people = [entry for entry in people if entry not in unknown]
        sides = tuple(field.side(entry.pk) for entry in unknown)
        yield NextStepCheck("names_without_latin", sides=sides, number=len(unknown))
    if people:
        forms = "; ".join(entry.player.report_name for entry in people[:SHOWN_FORMS])
        sides = tuple(field.side(entry.pk) for entry in people)
        yield NextStepCheck("names_not_latin", sides=sides, number=len(people), text=forms)


def _unidentified(field: SectionField) -> Iterator[NextStepCheck]:
    """Yield a matter for the entries without a FIDE ID, and one for those with nothing but a rating of the arbiter."""
    entries = field.participants.items()
    without = tuple(field.side(key) for key, entry in entries if entry.player.fide_id is None)
    if without:
        yield NextStepCheck("no_fide_id", sides=without, number=len(without))
    without = tuple(
        field.side(key) for key, entry in entries if entry.official_rating is None and entry.rating > 0
    )
    if without:
        yield NextStepCheck("no_official_rating", sides=without, number=len(without))


def _is_for_fide(section: Section, entries: Iterable[Participant]) -> bool:
    return section.of_fide or any(_is_rated_by_fide(entry) for entry in entries)


def _is_rated_by_fide(entry: Participant) -> bool:
    lists = (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ)
    return entry.official_rating is not None or entry.rating_source in lists


def copy_advice(section: Section) -> Iterator[NextStepCheck]:
    """Yield what is wrong with the copies of the section, and with those in another place."""
    if failed := failed_proofs(section):
        yield NextStepCheck("copies_not_restored", number=failed)
    there = copies_elsewhere()
    if there.error or there.late:
        yield NextStepCheck("copies_elsewhere", text=there.error)


def _forfeited(field: SectionField, next_round: int) -> tuple[PlayerCell, ...]:
    """Who did not come to the last round, has not left, and has no bye in the next one (GHR 3.2)."""
    if field.latest is None or field.latest.is_draft:
        return ()
    resting = {bye.participant_id for bye in field.byes if bye.round_number == next_round}
    absent = {
        key
        for game in field.games
        if game.round_id == field.latest.pk and game.result in FORFEITS
        for key in [game.white_id, game.black_id][FORFEITS[game.result]]
    }
    return tuple(
        field.side(key)
        for key, entry in field.participants.items()
        if key in absent - resting and entry.is_active
    )


def _adjourned(field: SectionField, code: str) -> list[NextStepCheck]:
    """A matter for each round that has adjourned games."""
    return [
        NextStepCheck(code, round_number=row.number, boards=boards, number=len(boards))
        for row in field.rounds
        if (boards := _adjourned_boards(field, row))
    ]


def _adjourned_boards(field: SectionField, row: Round) -> tuple[int, ...]:
    games: tuple[Game, ...] = field.adjourned_games
    return tuple(game.board for game in games if game.round_id == row.pk)
