"""Addresses of registrations below /api/v1/. The settings name them (`API_OPERATIONS`)."""

from __future__ import annotations

from django.urls import path

from . import list_files, queue, registrations, settings

MANY = "events/<int:event>/registrations/"
ONE = "registrations/<int:registration>/"

SETTINGS = "events/<int:event>/registration/"

operations = [
    path(SETTINGS, settings.SettingsView.as_view(), name="registration-settings"),
    path(f"{SETTINGS}places/", settings.PlacesView.as_view(), name="registration-places"),
    path(f"{SETTINGS}mails/", settings.MailTextsView.as_view(), name="registration-mail-texts"),
    path(f"{SETTINGS}mails/<slug:kind>/", settings.MailTextView.as_view(), name="registration-mail-text"),
    path(MANY, registrations.RegistrationsView.as_view(), name="registrations"),
    path(f"{MANY}import-list/", list_files.ImportRegistrationsView.as_view(), name="import-registrations"),
    path(
        f"{MANY}import-list/preview/",
        list_files.PreviewRegistrationsView.as_view(),
        name="preview-registrations",
    ),
    path(f"{MANY}decide/", queue.DecideView.as_view(), name="decide-registrations"),
    path(f"{MANY}order/", queue.OrderView.as_view(), name="order-registrations"),
    path(f"{MANY}mails/", queue.MailsView.as_view(), name="registration-mails"),
    path("sections/<int:section>/late-players/", queue.LatePlayersView.as_view(), name="late-players"),
    path(ONE, registrations.RegistrationView.as_view(), name="registration"),
    path(f"{ONE}state/", registrations.RegistrationStateView.as_view(), name="registration-state"),
    path(f"{ONE}section/", registrations.MoveView.as_view(), name="registration-section"),
    path(f"{ONE}undo/", registrations.UndoDecisionView.as_view(), name="registration-undo"),
    path(f"{ONE}changes/", registrations.ChangesView.as_view(), name="registration-changes"),
    path(f"{ONE}byes/", registrations.WishView.as_view(), name="registration-byes"),
    path(f"{ONE}charges/", registrations.ChargesView.as_view(), name="registration-charges"),
    path(f"{ONE}payment/", registrations.PaidView.as_view(), name="registration-payment"),
    path(f"{ONE}link/", registrations.LinkView.as_view(), name="registration-link"),
    path(f"{ONE}presence/", registrations.DeskView.as_view(), name="registration-presence"),
    path(f"{ONE}label/", registrations.LabelView.as_view(), name="registration-label"),
    path(f"{ONE}notes/", registrations.NotesView.as_view(), name="registration-notes"),
]
