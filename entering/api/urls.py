"""Addresses of registrations below /api/v1/. The settings name them (`API_OPERATIONS`)."""

from __future__ import annotations

from django.urls import path

from . import registrations

MANY = "events/<int:event>/registrations/"
ONE = "registrations/<int:registration>/"

operations = [
    path(MANY, registrations.RegistrationsView.as_view(), name="registrations"),
    path(f"{MANY}decide/", registrations.DecideView.as_view(), name="decide-registrations"),
    path(ONE, registrations.RegistrationView.as_view(), name="registration"),
    path(f"{ONE}state/", registrations.StateView.as_view(), name="registration-state"),
    path(f"{ONE}section/", registrations.MoveView.as_view(), name="registration-section"),
    path(f"{ONE}undo/", registrations.UndoDecisionView.as_view(), name="registration-undo"),
    path(f"{ONE}changes/", registrations.ChangesView.as_view(), name="registration-changes"),
    path(f"{ONE}byes/", registrations.WishView.as_view(), name="registration-byes"),
    path(f"{ONE}charges/", registrations.ChargesView.as_view(), name="registration-charges"),
    path(f"{ONE}presence/", registrations.DeskView.as_view(), name="registration-presence"),
    path(f"{ONE}label/", registrations.LabelView.as_view(), name="registration-label"),
    path(f"{ONE}notes/", registrations.NotesView.as_view(), name="registration-notes"),
]
