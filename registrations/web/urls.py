"""The pages of registrations, for players and for organisers. They are under `-`, which cannot be a slug."""

from __future__ import annotations

from django.urls import path

from registrations.web.public import own, persons_page, public_page, register
from registrations.web.staff import desk, list_files, queue, registration, settings

EVENT = "<slug:event>/-/"
OWN = f"{EVENT}entry/"
app_name = "registrations"

urlpatterns = [
    path(f"{EVENT}register/", register.register_page, name="register"),
    path(f"{EVENT}register/sent/", register.sent, name="registration-sent"),
    path(f"{EVENT}register/again/", own.again, name="registration-again"),
    path(f"{EVENT}entry-list/", public_page.entry_list, name="entry-list"),
    path(f"{EVENT}entry-list/file.csv", public_page.entry_list_file, name="entry-list-file"),
    path(
        f"{EVENT}entry-list/file.xlsx",
        public_page.entry_list_file,
        {"kind": "xlsx"},
        name="entry-list-workbook",
    ),
    path(OWN, own.own, name="own-registration"),
    path(f"{OWN}<secret>/", own.open_link, name="open-registration"),
    path(f"{EVENT}entry-address/<proof>/", own.new_address, name="new-address"),
    path(f"{EVENT}joined/<consent>/", persons_page.persons_page_choice, name="persons-page-choice"),
    path(f"{EVENT}registration/", queue.registrations, name="registrations"),
    path(f"{EVENT}registration/late/<slug:section>/", queue.late_players, name="late-players"),
    path(f"{EVENT}registration/decide/", queue.decide, name="decide-registrations"),
    path(f"{EVENT}registration/file.csv", list_files.registrations_file, name="registrations-file"),
    path(
        f"{EVENT}registration/file.xlsx",
        list_files.registrations_file,
        {"kind": "xlsx"},
        name="registrations-workbook",
    ),
    path(f"{EVENT}registration/upload/", list_files.upload, name="upload-registrations"),
    path(f"{EVENT}registration/<int:registration>/erase/", registration.erase, name="erase-registration"),
    path(f"{EVENT}registration/desk/", desk.desk, name="registration-desk"),
    path(f"{EVENT}registration/desk/people/", desk.people, name="desk-people"),
    path(f"{EVENT}registration/paid/<slug:section>/", desk.pay_chosen, name="pay-chosen"),
    path(f"{EVENT}registration/missing/", desk.missing, name="not-ready"),
    path(f"{EVENT}registration/missing/file.csv", desk.missing_file, name="not-ready-file"),
    path(
        f"{EVENT}registration/missing/file.xlsx",
        desk.missing_file,
        {"kind": "xlsx"},
        name="not-ready-workbook",
    ),
    path(f"{EVENT}registration/desk/<int:registration>/", desk.mark, name="mark-at-desk"),
    path(f"{EVENT}registration/<int:registration>/", registration.registration_page, name="registration"),
    path(f"{EVENT}registration/settings/", settings.settings, name="registration-settings"),
    path(f"{EVENT}registration/mail/<slug:mail>/", settings.mail_text, name="registration-mail"),
]
