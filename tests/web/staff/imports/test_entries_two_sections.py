"""Pages that bring players into a section ask if they play in another section of the event."""

from __future__ import annotations

from html import unescape

from django.test import Client

from pairing.rounds import pair_next_round
from tests.answers import agreed, answers_in
from tests.factories import ParticipantFactory, SectionFactory
from tests.web.staff.conftest import address
from tests.web.staff.imports.conftest import confirm, token, upload
from tournaments.actions.entries import readmit_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import Event, Section

ASKED = "Already entered in another section (Section A"
BOX = 'type="checkbox" name="answer"'


def asked(html: str) -> bool:
    text = unescape(html)
    assert (ASKED in text) == (BOX in text)
    return ASKED in text


def test_report_file_and_copy_ask(owners_page: Client, event: Event, section: Section) -> None:
    for entry in section.participants.select_related("player"):
        entry.player.fide_id = 4100000 + entry.tpn
        entry.player.save()
    report, copy = tournament_report(section), copy_file(section)
    empty = SectionFactory(event=event, name="Youth", initial_colour="")
    there, new = address(empty, "entries/import/"), f"/{event.slug}/-/report/"
    for upload_at, check, named in (
        (there, address(empty, "entries/import/check/"), {}),
        (new, f"{new}?preview", {"name": "Third"}),
    ):
        assert not asked(upload(owners_page, upload_at, report, "a.trf")[1])
        answer = confirm(owners_page, check, **named)
        assert (answer.status_code, asked(answer.content.decode())) == (422, True)
        assert confirm(owners_page, check, **named, answer=answers_in(answer)).status_code == 302
    html = upload(owners_page, "/new/-/load/", copy, "copy.json.gz")[1]
    sent = {"upload": token(html), "into": event.slug}
    answer = owners_page.post("/new/-/load/check/", sent)
    assert (answer.status_code, BOX in answer.content.decode()) == (422, True)
    assert agreed(owners_page, "/new/-/load/check/", sent).status_code == 302
    entries = sorted(event.sections.values_list("participants__player__fide_id", flat=True))
    assert entries == sorted([4100001, 4100002] * 4)


def test_undo_of_a_withdrawal_asks(page: Client, event: Event, section: Section) -> None:
    ada = ParticipantFactory(section=section, player__fide_id=4100001, player__event=event)
    youth = SectionFactory(event=event, name="Youth")
    there = ParticipantFactory(section=youth, player=ada.player)
    withdraw_participant(actor=Actor.command(), participant_id=there.pk)
    step = youth.log.latest("revision").revision
    path = address(youth, f"log/{step}/undo/")
    assert not asked(page.get(path).content.decode())
    answer = page.post(path)
    assert (answer.status_code, asked(answer.content.decode())) == (422, True)
    assert page.post(path, {"answer": answers_in(answer)}).status_code == 302
    there.refresh_from_db()
    assert there.is_active
    assert page.post(address(youth, f"log/{step + 1}/undo/")).status_code == 302, "leaves again"
    ParticipantFactory(section=youth)
    for path in ("log/{}/undo-since/", "restore/1/"):
        about = {"actor": Actor.command(), "participant_id": there.pk, "both": True}
        there.refresh_from_db()
        if not there.is_active:
            readmit_participant(**about)
        if not youth.played_rounds.exists():
            pair_next_round(actor=Actor.command(), section_id=youth.pk, after_round=0)
        withdraw_participant(actor=Actor.command(), participant_id=there.pk)
        last = youth.log.latest("revision").revision
        sent, path = {"seen": str(last), "reason": "wrong"}, path.format(last)
        answer = page.post(address(youth, path), sent)
        assert (answer.status_code, asked(answer.content.decode())) == (422, True)
        assert page.post(address(youth, path), {**sent, "answer": answers_in(answer)}).status_code == 302
