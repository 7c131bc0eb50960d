"""Who is in the hall before a round: check-in, opened and closed for the round to be paired next (GHR 4.1)."""

from __future__ import annotations

from tournaments.errors import DomainError, NotFound, Stale
from tournaments.models import CheckIn, Participant, Tournament

from .ledger import Actor, act
from .roster import label, rounds_paired


def open_check_in(*, actor: Actor, tournament_id: int, after_round: int) -> Tournament:
    """Ask who is there for the round after `after_round`, the last one that the arbiter saw.

    Whoever has been seen for that round before stays seen.
    Raises Stale("stale_round"); DomainError("all_rounds_paired").
    """
    with act(tournament_id=tournament_id, actor=actor, action="open_check_in") as entry:
        tournament = entry.tournament
        paired = rounds_paired(tournament)
        if after_round != paired:
            raise Stale("stale_round", after_round=after_round, last_round=paired)
        if paired >= tournament.rounds:
            raise DomainError("all_rounds_paired", rounds=tournament.rounds)
        entry.round_number = paired + 1
        entry.before = {"check_in_round": tournament.check_in_round}
        entry.after = {"check_in_round": paired + 1}
        entry.unchanged = tournament.check_in_round == paired + 1
        tournament.check_in_round = paired + 1
        tournament.save(update_fields=["check_in_round"])
    return tournament


def close_check_in(*, actor: Actor, tournament_id: int) -> Tournament:
    """Ask no longer. Who was not seen is paired all the same, unless settled before; the log names their number."""
    with act(tournament_id=tournament_id, actor=actor, action="close_check_in") as entry:
        tournament = entry.tournament
        if tournament.check_in_round is None:
            entry.unchanged = True
            return tournament
        entry.round_number = tournament.check_in_round
        entry.before = {"check_in_round": tournament.check_in_round}
        missing = missing_players(tournament, tournament.check_in_round)
        entry.after = {"check_in_round": None, "missing": [player.tpn for player in missing]}
        tournament.check_in_round = None
        tournament.save(update_fields=["check_in_round"])
    return tournament


def check_in(*, actor: Actor, participant_id: int, round_number: int) -> Participant:
    """A player has been seen for the round. Seen already is no error, whoever says it.

    Raises NotFound; DomainError: check_in_closed, not_active.
    """
    with act(tournament_id=_section_of(participant_id), actor=actor, action="check_in") as entry:
        participant = _expected(entry.tournament, participant_id, round_number)
        if not participant.is_active:
            raise DomainError("not_active", name=participant.player.name)
        _row, entry.unchanged = _seen(participant, round_number, actor)
        entry.subject, entry.round_number = label(participant), round_number
        entry.before = {"here": False}
        entry.after = {"here": True, "participant": participant.pk}
    return participant


def check_in_all(*, actor: Actor, tournament_id: int, round_number: int) -> int:
    """Everybody who was not seen yet is here, in one step: after round 1 the few who are absent are what one notes.

    Returns how many. Raises DomainError("check_in_closed").
    """
    with act(tournament_id=tournament_id, actor=actor, action="check_in_all") as entry:
        if entry.tournament.check_in_round != round_number:
            raise DomainError("check_in_closed", round=round_number)
        missing = missing_players(entry.tournament, round_number)
        CheckIn.objects.bulk_create(
            CheckIn(participant=player, round_number=round_number, by=actor.user) for player in missing
        )
        entry.unchanged = not missing
        entry.round_number = round_number
        entry.after = {"here": len(missing), "changed": [player.pk for player in missing]}
    return len(missing)


def take_back_check_in(*, actor: Actor, participant_id: int, round_number: int) -> Participant:
    """The player was not there after all. Raises NotFound; DomainError("check_in_closed")."""
    with act(tournament_id=_section_of(participant_id), actor=actor, action="take_back_check_in") as entry:
        participant = _expected(entry.tournament, participant_id, round_number)
        row = CheckIn.objects.filter(participant=participant, round_number=round_number).first()
        entry.unchanged = row is None
        entry.subject, entry.round_number = label(participant), round_number
        entry.before = {"here": True}
        entry.after = {"here": False, "participant": participant.pk}
        if row is not None:
            row.delete()
    return participant


def missing_players(tournament: Tournament, round_number: int) -> list[Participant]:
    """Who would be paired in the round and has not been seen for it, by pairing number. One SQL query."""
    seen = CheckIn.objects.filter(participant__tournament=tournament, round_number=round_number)
    expected = tournament.participants.filter(
        status=Participant.Status.ACTIVE, first_round__lte=round_number
    ).exclude(byes__round_number=round_number)
    return list(
        expected.exclude(pk__in=seen.values("participant")).select_related("player").order_by("tpn", "pk")
    )


def _seen(participant: Participant, round_number: int, actor: Actor) -> tuple[CheckIn, bool]:
    """The row, and whether it was there already."""
    row = CheckIn.objects.filter(participant=participant, round_number=round_number).first()
    if row is not None:
        return row, True
    return CheckIn.objects.create(participant=participant, round_number=round_number, by=actor.user), False


def _section_of(participant_id: int) -> int:
    found = Participant.objects.filter(pk=participant_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise NotFound("not_found", kind="participant", id=participant_id)
    return found


def _expected(tournament: Tournament, participant_id: int, round_number: int) -> Participant:
    """The entry, now that its section is locked. Raises NotFound; DomainError("check_in_closed")."""
    if tournament.check_in_round != round_number:
        raise DomainError("check_in_closed", round=round_number)
    participant = tournament.participants.select_related("player").filter(pk=participant_id).first()
    if participant is None:
        raise NotFound("not_found", kind="participant", id=participant_id)
    return participant
