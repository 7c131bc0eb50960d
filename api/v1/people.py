"""The people of an event: roles, and invitations by login name. Links for invitations are secrets: pages make them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from tournaments.actions.people import change_boards, end_role, invite_by_name, revoke_invitation
from tournaments.models import EventRole, Invitation, Scope
from tournaments.models.events import HIGHEST_BOARD, boards_between
from tournaments.queries.people import invitations_of
from tournaments.who_may_appoint import EVERYTHING, MayAppoint, may_appoint, may_appoint_with_token

from .bodies import LARGEST, BodySerializer, names
from .operations import NAME, SEE_PEOPLE, reads, writes
from .shapes import ModelShape, Shape
from .view import View

ROLES = EventRole.Role.values


class RoleShape(ModelShape):
    """section: the only one in which the role counts, null for the whole event. until: its last day. first_board,
    last_board: the boards of a result clerk in each section of the role, null for all.
    """

    class Meta:
        model = EventRole
        fields = ("id", "username", "role", "section", "until", "first_board", "last_board")
        extra_kwargs = {"username": {"source": "user.username"}}


class InvitationShape(ModelShape):
    """username: "" for an invitation by link. first_board, last_board: as in `RoleShape`."""

    class Meta:
        model = Invitation
        fields = names(
            "id role username note until first_board last_board made_at opened_at expires_at state"
        )


class BoardsBody(BodySerializer):
    """first_board, last_board: of a result clerk; null for all boards."""

    first_board = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_BOARD, required=False, allow_null=True, default=None
    )
    last_board = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_BOARD, required=False, allow_null=True, default=None
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        first, last = attrs.pop("first_board", None), attrs.pop("last_board", None)
        if (first is None) != (last is None):
            missing = "first_board" if first is None else "last_board"
            wrong = serializers.ErrorDetail(_("A range of boards has a first and a last board."), "half")
            raise serializers.ValidationError({missing: [wrong]})
        return {**attrs, "boards": boards_between(first, last)}


class InviteBody(BoardsBody):
    """sections: in which the role will count, none for the whole event. until: its last day. The boards are those
    of `BoardsBody`.
    """

    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=ROLES)
    sections = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=100,
        required=False,
        default=list,
    )
    until = serializers.DateField(required=False, allow_null=True, default=None)


class InvitedShape(Shape):
    """given: the person works on the event already and has the role now. Otherwise the person accepts it first."""

    given = serializers.BooleanField()


class OfStaff(View):
    @property
    def naming(self) -> MayAppoint:
        """Return what the token may decide about roles now: what its maker may, but nothing about owners."""
        return may_appoint_with_token(self.token.made_by, self.event)

    @property
    def looked_at(self) -> MayAppoint:
        """Return whose roles the maker sees: those who may only look see the whole event."""
        maker = self.token.made_by
        return may_appoint(maker, self.event) if maker.has_perm(NAME, self.event) else EVERYTHING


class RolesView(OfStaff):
    shape = RoleShape

    @reads("List who has which role in an event", Scope.PEOPLE_READ, SEE_PEOPLE, RoleShape, many=True)
    def get(self) -> QuerySet[EventRole]:
        rows, own = self.event.roles.select_related("user"), self.looked_at.sections
        return rows if own is None else rows.filter(Q(section=None) | Q(section__in=own))


class RoleView(OfStaff):
    @writes("Give a result clerk other boards", Scope.PEOPLE_WRITE, NAME, BoardsBody, RoleShape)
    def put(self) -> Any:
        role = self.kwargs["role"]
        found = change_boards(
            actor=self.actor, event=self.event, role_id=role, naming=self.naming, **self.sent
        )
        return RoleShape(found).data

    @writes("End a role", Scope.PEOPLE_WRITE, NAME, status=204)
    def delete(self) -> None:
        role = self.kwargs["role"]
        end_role(actor=self.actor, event=self.event, role_id=role, naming=self.naming)


class InvitationsView(OfStaff):
    shape = InvitationShape

    @reads("List the invitations of an event", Scope.PEOPLE_READ, NAME, InvitationShape, many=True)
    def get(self) -> QuerySet[Invitation]:
        naming = may_appoint(self.token.made_by, self.event)
        if naming.roles == EVERYTHING.roles:
            return self.event.invitations.all()
        keys = [sent.invitation.pk for sent in invitations_of(self.event, naming)]
        return self.event.invitations.filter(pk__in=keys)

    @writes("Invite a person by login name", Scope.PEOPLE_WRITE, NAME, InviteBody, InvitedShape)
    def post(self) -> Any:
        made = invite_by_name(actor=self.actor, event=self.event, naming=self.naming, **self.sent)
        return {"given": isinstance(made, EventRole)}


class InvitationView(OfStaff):
    @writes("Revoke an invitation", Scope.PEOPLE_WRITE, NAME, status=204)
    def delete(self) -> None:
        revoke_invitation(
            actor=self.actor, event=self.event, invitation_id=self.kwargs["invitation"], naming=self.naming
        )
