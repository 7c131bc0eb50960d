"""Webhooks and tokens of an event: which there are, what was sent, and their end. Pages make their secrets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from tournaments.actions.programs import (
    choose_kinds,
    end_token,
    remove_webhook,
    send_message_again,
    send_test,
)
from tournaments.models import AccessToken, Scope, Webhook, WebhookMessage
from tournaments.models.programs import all_kinds
from tournaments.queries.programs import ended_webhooks, webhooks_of

from .bodies import BodySerializer, names
from .operations import MANAGE, reads, writes
from .shapes import ModelShape
from .view import View


class WebhookShape(ModelShape):
    """kinds: of the messages that it gets. ended: why it ended by itself, "" while it works."""

    kinds = serializers.ListField(child=serializers.ChoiceField(choices=all_kinds()))

    class Meta:
        model = Webhook
        fields = ("id", "address", "kinds", "made_at", "ended", "ended_at")
        extra_kwargs = {"ended_at": {"source": "off_at"}}


class KindsBody(BodySerializer):
    """kinds: of the messages that the webhook gets from now on."""

    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=all_kinds()), max_length=len(all_kinds())
    )


class MessageShape(ModelShape):
    """type: as it is sent, such as `entry.added`. subject: the entry or the registration, null for several. status: of
    the last answer, 0 without one. next_at: when it is sent again, while it waits.
    """

    type = serializers.CharField()

    class Meta:
        model = WebhookMessage
        fields = names(
            "id webhook section subject type kind revision round made_at state attempts status next_at"
        )
        extra_kwargs = {"round": {"source": "round_number"}}


class ListedTokenShape(ModelShape):
    """A token of the event, without its text. prefix: its beginning."""

    scopes = serializers.ListField(child=serializers.CharField())
    made_by = serializers.CharField(source="made_by.label")

    class Meta:
        model = AccessToken
        fields = ("id", "name", "prefix", "scopes", "made_by", "expires_at", "seen_at", "ended_at")


class WebhooksView(View):
    shape = WebhookShape

    @reads("List the webhooks of an event", Scope.PROGRAMS_READ, MANAGE, WebhookShape, many=True)
    def get(self) -> QuerySet[Webhook]:
        return webhooks_of(self.event) | ended_webhooks(self.event)


class WebhookView(View):
    @writes(
        "Choose the kinds of messages of a webhook", Scope.PROGRAMS_WRITE, MANAGE, KindsBody, WebhookShape
    )
    def put(self) -> Any:
        found = choose_kinds(
            actor=self.actor, event=self.event, webhook_id=self.kwargs["webhook"], **self.sent
        )
        return WebhookShape(found).data

    @writes("End a webhook", Scope.PROGRAMS_WRITE, MANAGE, status=204)
    def delete(self) -> None:
        remove_webhook(actor=self.actor, event=self.event, webhook_id=self.kwargs["webhook"])


class TestView(View):
    @writes("Send a test message to a webhook", Scope.PROGRAMS_WRITE, MANAGE, answer=MessageShape)
    def post(self) -> Any:
        return MessageShape(send_test(event=self.event, webhook_id=self.kwargs["webhook"])).data


class MessagesView(View):
    order = "-pk"

    shape = MessageShape

    @reads(
        "List what was sent to webhooks, newest first", Scope.PROGRAMS_READ, MANAGE, MessageShape, many=True
    )
    def get(self) -> QuerySet[WebhookMessage]:
        return WebhookMessage.objects.filter(webhook__event=self.event)


class SendAgainView(View):
    @writes("Send a message again", Scope.PROGRAMS_WRITE, MANAGE, answer=MessageShape)
    def post(self) -> Any:
        return MessageShape(send_message_again(event=self.event, message_id=self.kwargs["message"])).data


class TokensView(View):
    shape = ListedTokenShape

    @reads("List the tokens of an event", Scope.PROGRAMS_READ, MANAGE, ListedTokenShape, many=True)
    def get(self) -> QuerySet[AccessToken]:
        return self.event.access_tokens.select_related("made_by")


class EndTokenView(View):
    @writes("End a token of the event", Scope.PROGRAMS_WRITE, MANAGE, status=204)
    def delete(self) -> None:
        end_token(actor=self.actor, event=self.event, token_id=self.kwargs["token"])
