"""What the queue does with many registrations at once: decisions, the order of a waiting list, mails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rest_framework import serializers

from api.v1.bodies import BodySerializer
from api.v1.operations import ENTRIES, RUN, reads, writes
from api.v1.shapes import Shape
from api.v1.view import View
from registrations.actions.edits import label_many
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.list_news import leave_listed, take_listed
from registrations.actions.mails import note_returned, send_failed_again, send_first
from registrations.actions.queue import check_again, enter_again, price_again, put_in_order
from registrations.actions.sections import decide_move, move_many_to
from registrations.actions.transitions import ManyMoved, decide_late, move_many
from registrations.actions.undo import undo_many
from registrations.models import Registration
from registrations.queries.places import late_registrations, moves_for_arbiter
from registrations.states import Hand, RegistrationState
from tournaments.errors import NOT_FOUND, DomainError
from tournaments.models import Section
from tournaments.player_fields import REGISTERED
from web.words.refusals import explain

from .registrations import DECIDE, READ, WRITE, OfRegistration
from .shapes import KEY, MOST, DecideBody, DecideLateBody, DecisionsShape, LatePlayersShape, SeenBody

CHANGED = "registration_changed"
AGAIN = {
    "fee": price_again,
    "problems": check_again,
    "entry": enter_again,
    "take_listed": take_listed,
    "leave_listed": leave_listed,
}


class WaitingOrderBody(BodySerializer):
    """number: in the waiting list, 1 for the next; 0 orders the whole list by the setting of the section again."""

    registrations = serializers.ListField(
        child=serializers.IntegerField(**KEY), min_length=1, max_length=MOST
    )
    number = serializers.IntegerField(min_value=0, max_value=10_000)


class MailsBody(BodySerializer):
    """which: the first mail to players of a file, those that failed, or (returned) the last one that came back."""

    registrations = serializers.ListField(child=SeenBody(), min_length=1, max_length=MOST)
    which = serializers.ChoiceField(choices=["first", "failed", "returned"])


class CountShape(Shape):
    """count: of the registrations that were put in order, or of the mails that are on their way."""

    count = serializers.IntegerField()


class DecideView(OfRegistration):
    @writes(
        "Decide about many registrations, with an answer for each", WRITE, DECIDE, DecideBody, DecisionsShape
    )
    def post(self) -> Any:
        wanted = {one["id"]: one["revision"] for one in self.sent["registrations"]}
        mine = set(Registration.objects.filter(event=self.event, pk__in=wanted).values_list("pk", flat=True))
        refused: dict[int, DomainError] = {
            key: NOT_FOUND.error(kind="registration", id=key) for key in wanted if key not in mine
        }
        known = {key: revision for key, revision in wanted.items() if key in mine}
        by = RegistrationActor(Hand.ORGANISER, self.token.made_by, both=self.answers)
        what: Any = {"event_id": self.event.pk, "wanted": list(known.items()), "by": by}
        if "state" in self.sent:
            outcome = move_many(to=RegistrationState(self.sent["state"]), reason=self.sent["reason"], **what)
        elif "section" in self.sent:
            outcome = move_many_to(section_id=self.sent["section"], sure=self.answers, **what)
        elif "again" in self.sent:
            outcome = AGAIN[self.sent["again"]](**what)
        elif "label" in self.sent:
            label_many(event=self.event, keys=known, by=by, **self.sent["label"])
            outcome = ManyMoved()
        else:
            outcome = undo_many(event_id=self.event.pk, keys=list(known), seen=known, by=by)
        refused |= {one.pk: error for one, error in outcome.left}
        changed = [key for key, error in refused.items() if error.code == CHANGED]
        rows = Registration.objects.filter(pk__in=changed).select_related("event", "section")
        current = {row.pk: self.shown(row) for row in rows.prefetch_related("labels", "byes", "notes__user")}
        answers = [
            {
                "id": key,
                "code": refused[key].code if key in refused else "",
                "detail": str(explain(refused[key])) if key in refused else "",
                "confirm": refused[key].answer if key in refused else "",
                "current": current.get(key),
            }
            for key in wanted
        ]
        return {"decided": len(wanted) - len(refused), "next": None, "previous": None, "results": answers}


class OrderView(OfRegistration):
    @writes(
        "Put registrations at a number of their waiting list", WRITE, DECIDE, WaitingOrderBody, CountShape
    )
    def post(self) -> Any:
        keys, number = self.sent["registrations"], self.sent["number"]
        return {"count": len(put_in_order(event=self.event, keys=keys, number=number, by=self.by))}


class MailsView(OfRegistration):
    @writes(
        "Send the first mail, or mails that failed, to these players, or note that their last mail came back",
        WRITE,
        DECIDE,
        MailsBody,
        CountShape,
    )
    def post(self) -> Any:
        wanted = [(one["id"], one["revision"]) for one in self.sent["registrations"]]
        if self.sent["which"] == "first":
            return {"count": send_first(event=self.event, wanted=wanted)[0]}
        keys = [key for key, _revision in wanted]
        if self.sent["which"] == "returned":
            return {"count": note_returned(event=self.event, keys=keys, by=self.by)}
        return {"count": send_failed_again(event=self.event, keys=keys)}


def late_players(section: Section) -> dict[str, Any]:
    """Return the players who wait for an arbiter of a section, because round 1 is paired."""
    waiting = [
        {
            "registration": one.pk,
            "entry": None,
            "revision": one.revision,
            **{name: getattr(one, name) for name in ("name", "title", "rating", "federation")},
            **{field.name: getattr(one, field.name) for field in REGISTERED},
            "fide_id": one.fide_id,
            "from_section": None,
            "by": next((step.who for step in one.steps.all()), ""),
            "at": one.created_at,
            "problems": one.problem_codes,
        }
        for one in late_registrations(section).prefetch_related("steps")[:MOST]
    ]
    for move in moves_for_arbiter(section)[:MOST]:
        entry, player = move.participant, move.participant.player
        waiting.append(
            {
                "registration": None,
                "entry": entry.pk,
                "revision": None,
                **{name: getattr(player, name) for name in ("name", "title", "federation", "fide_id")},
                "rating": entry.rating,
                **{field.name: field.value(entry) for field in REGISTERED},
                "from_section": entry.section_id,
                "by": move.user.label if move.user else "",
                "at": move.at,
                "problems": [],
            }
        )
    return LatePlayersShape({"next": None, "previous": None, "results": waiting}).data


class LatePlayersView(View):
    @contextmanager
    def locked(self) -> Iterator[None]:
        """Leave the locks to the actions: registrations are locked before the section."""
        yield

    @reads(
        "List the players who wait for an arbiter, because round 1 is paired", READ, ENTRIES, LatePlayersShape
    )
    def get(self) -> Any:
        return late_players(self.section)

    @writes(
        "Accept or refuse a player who waits for an arbiter. The answer has those who still wait",
        WRITE,
        RUN,
        DecideLateBody,
        LatePlayersShape,
    )
    def post(self) -> Any:
        by, accept = (
            RegistrationActor(Hand.ORGANISER, self.token.made_by, both=self.answers),
            self.sent["accept"],
        )
        if "entry" in self.sent:
            decide_move(section=self.section, participant_id=self.sent["entry"], accept=accept, by=by)
        else:
            decide_late(
                section=self.section,
                registration_id=self.sent["registration"],
                accept=accept,
                by=by,
                seen_revision=self.sent["revision"],
                reason=self.sent["reason"],
            )
        return late_players(self.section)
