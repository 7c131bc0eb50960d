"""Addresses for what an organiser does besides the settings: rating lists, roles, webhooks and tokens."""

from __future__ import annotations

from django.urls import path

from . import programs, ratings, staff

EVENT = "events/<int:event>/"
LISTS = "sections/<int:section>/rating-lists/"

organiser_operations = [
    path(LISTS, ratings.RatingListsView.as_view(), name="rating-lists"),
    path(f"{LISTS}players/", ratings.ListedPlayersView.as_view(), name="listed-players"),
    path(f"{LISTS}comparison/", ratings.ComparisonView.as_view(), name="comparison"),
    path(f"{EVENT}roles/", staff.RolesView.as_view(), name="roles"),
    path(f"{EVENT}roles/<int:role>/", staff.RoleView.as_view(), name="end-role"),
    path(f"{EVENT}open-pages/", staff.SeatsView.as_view(), name="open-pages"),
    path(f"{EVENT}invitations/", staff.InvitationsView.as_view(), name="invitations"),
    path(f"{EVENT}invitations/<int:invitation>/", staff.InvitationView.as_view(), name="invitation"),
    path(f"{EVENT}webhooks/", programs.WebhooksView.as_view(), name="webhooks"),
    path(f"{EVENT}webhook-messages/", programs.MessagesView.as_view(), name="webhook-messages"),
    path(
        f"{EVENT}webhook-messages/<int:message>/send-again/",
        programs.SendAgainView.as_view(),
        name="send-again",
    ),
    path(f"{EVENT}webhooks/<int:webhook>/", programs.WebhookView.as_view(), name="webhook"),
    path(f"{EVENT}webhooks/<int:webhook>/test/", programs.TestView.as_view(), name="test-webhook"),
    path(f"{EVENT}tokens/", programs.TokensView.as_view(), name="tokens"),
    path(f"{EVENT}tokens/<int:token>/", programs.EndTokenView.as_view(), name="end-token"),
]
