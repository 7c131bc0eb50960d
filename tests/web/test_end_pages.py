"""The pages, sheets and files about the end of a section."""

from __future__ import annotations

import io
import re
import zipfile
from html import unescape

import pytest
from django.http import FileResponse
from django.test import Client

from tests.answers import answers_in
from tests.factories import GameFactory, ParticipantFactory, RoundFactory, SectionFactory, section_of
from tests.web.staff.conftest import address, played
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import close_section, reopen_section
from tournaments.files import archives
from tournaments.models import ActionLog, Event, EventRole, Participant, Player, Section, User
from web.views.staff import reports

pytestmark = pytest.mark.django_db

PUBLIC = ("statistics/", "print/statistics/", "lists/statistics.csv", "lists/federations.xlsx")
FOR_ARBITERS = (
    "print/rating-changes/",
    "print/norms/",
    "print/certificates/",
    "print/final-report/",
    "documents/norms/",
)


@pytest.fixture
def section(client: Client) -> Section:
    """Four players with official ratings; both rounds are played. The client is an arbiter."""
    made = section_of(4, rounds=2)
    entries = made.participants.order_by("tpn")
    for entry, federation in zip(entries, ("NED", "FRA", "GER", "NED"), strict=True):
        Participant.objects.filter(pk=entry.pk).update(official_rating=entry.rating)
        Player.objects.filter(pk=entry.player_id).update(federation=federation)
    played(made)
    played(made)
    return made


@pytest.fixture
def arbiter(section: Section) -> Client:
    user = User.objects.create_user("arbiter", password="x")
    EventRole.objects.create(event=section.event, user=user, role=EventRole.Role.ARBITER)
    client = Client()
    client.force_login(user)
    return client


def text(client: Client, section: Section, rest: str) -> str:
    answer = client.get(address(section, rest))
    assert answer.status_code == 200, rest
    return re.sub(r"\s+", " ", unescape(answer.content.decode()))


def test_statistics_are_public_once_the_section_is_closed(
    client: Client, arbiter: Client, section: Section
) -> None:
    assert [client.get(address(section, rest)).status_code for rest in PUBLIC] == [404] * 4
    assert [arbiter.get(address(section, rest)).status_code for rest in PUBLIC] == [200] * 4
    assert "statistics/" not in text(client, section, "standings/")
    close_section(actor=Actor.command(), section_id=section.pk)
    assert [client.get(address(section, rest)).status_code for rest in PUBLIC] == [200] * 4
    assert f'href="{address(section, "statistics/")}"' in text(client, section, "standings/")
    assert "Results by round" in text(client, section, "statistics/")
    reopen_section(actor=Actor.command(), section_id=section.pk, reason="a slip was misread")
    assert client.get(address(section, "statistics/")).status_code == 404


def test_sheets_of_the_end_are_for_arbiters(client: Client, arbiter: Client, section: Section) -> None:
    assert [client.get(address(section, rest)).status_code for rest in FOR_ARBITERS] == [302] * 5
    assert [arbiter.get(address(section, rest)).status_code for rest in FOR_ARBITERS] == [200] * 5


def test_pages_say_that_they_are_an_estimate_and_a_help(arbiter: Client, section: Section) -> None:
    page = text(arbiter, section, "documents/rating-changes/")
    assert "This is an estimate. FIDE computes the ratings from all tournaments of a month." in page
    assert "There is no rating list of the month, so K is from the rating and the age (star)." in page
    page = text(arbiter, section, "documents/norms/")
    assert "This is a help and not a decision." in page
    assert "Not checked" in page
    assert "conditions not met" in page
    sheet = text(arbiter, section, "print/norms/")  # one row each, so that a large section is a few sheets
    assert sheet.count("<b>2 (≥ 9) ✗</b>") == page.count(' end-norm">') == 8
    rows = arbiter.get(address(section, "csv/norms/")).content.decode("utf-8-sig").splitlines()
    assert rows[0].startswith("No;Name;Title;Federation;Norm;Met;Points;Games;Games (1.4.1);bound;met;")
    assert rows[-1].startswith("A help and not a decision")
    rows = arbiter.get(address(section, "csv/rating-changes/")).content.decode("utf-8-sig").splitlines()
    assert rows[0].endswith("K;K from the list;Change;New rating")
    assert "'" not in rows[1]


@pytest.mark.parametrize(
    ("lists", "article"), [([], "(8.3.1)"), (["FIDE:rapid+"], "(7.3.1)"), (["FIDE:blitz+"], "(7.3.1)")]
)
def test_estimate_names_the_regulations_of_its_rating(
    arbiter: Client, section: Section, lists: list[str], article: str
) -> None:
    """Rapid and blitz chess have regulations of their own (B.02), with 400 points for everybody."""
    Section.objects.filter(pk=section.pk).update(rating_lists=lists)
    page = text(arbiter, section, "documents/rating-changes/")
    assert [one for one in ("(8.3.1)", "(7.3.1)") if one in page] == [article]


def test_final_report_has_the_standings_the_statistics_and_the_departures(
    arbiter: Client, section: Section
) -> None:
    Event.objects.filter(pk=section.event_id).update(
        chief_arbiter="Vos, Anna", deputy_arbiters="Bos, Jan", time_control="90 minutes"
    )
    Section.objects.filter(pk=section.pk).update(
        time_control="15 min + 10 s", schedule=["2026-10-16", "2026-10-27"]
    )
    played = section.played_rounds.get(number=2).games.filter(board=1)
    for result, kind in (("", "Provisional report"), ("1-0", "Final report")):
        played.update(result=result)
        assert kind in text(arbiter, section, "print/final-report/")
    close_section(actor=Actor.command(), section_id=section.pk)
    reopen_section(actor=Actor.command(), section_id=section.pk, reason="board 1 was <b>a draw</b>")
    close_section(actor=Actor.command(), section_id=section.pk)
    answer = arbiter.get(address(section, "print/final-report/")).content.decode()
    assert "### Reopening @ Round 2: board 1 was &lt;b&gt;a draw&lt;/b&gt;" in answer
    page = re.sub(r"\s+", " ", answer)
    assert all(word in page for word in ("Final report", "Vos, Anna", "Bos, Jan", "2 of 2 played"))
    assert all(word in page for word in ("Final standings by", "Results by round", "Federations"))
    assert "No round has been paired" not in page
    assert "15 min + 10 s" in page
    assert "90 minutes" not in page
    assert "16 Oct 2026 – 27 Oct 2026" in page


def test_reopening_asks_about_a_player_of_another_section(client: Client, section: Section) -> None:
    close_section(actor=Actor.command(), section_id=section.pk)
    other = SectionFactory(event=section.event, name="Blitz")
    player = section.participants.get(tpn=2).player
    Player.objects.filter(pk=player.pk).update(fide_id=4100000)
    ParticipantFactory(section=other, player=player)
    client.force_login(User.objects.create_superuser("chief", password="x"))
    page = address(section, "reopen/")
    asked = client.post(page, {"reason": "a slip was misread"})
    text_of = unescape(asked.content.decode())
    assert (asked.status_code, "Already entered in another section (Blitz)" in text_of) == (422, True)
    assert 'value="a slip was misread"' in text_of
    assert client.post(page, {"reason": "a slip was misread", "answer": answers_in(asked)}).status_code == 302
    section.refresh_from_db()
    assert not section.is_closed
    client.post(address(section, "take-away/"))
    asked = client.post(address(section, "bring-back/"))
    assert (asked.status_code, len(answers_in(asked)) == 1) == (422, True)
    assert client.post(address(section, "bring-back/"), {"answer": answers_in(asked)}).status_code == 302
    section.refresh_from_db()
    assert not section.taken_away


def test_archive_is_sent_from_the_disk_and_logged(
    arbiter: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = arbiter.get(address(section, "documents/archive.zip"))
    assert len(whole.content) > 10_000
    monkeypatch.setattr(reports, "IN_MEMORY", 0)
    answer = arbiter.get(address(section, "documents/archive.zip"))
    assert isinstance(answer, FileResponse)
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as file:
        assert {"norms.csv", "rating-changes.csv", "statistics.csv"} <= set(file.namelist())
    row, _again = ActionLog.objects.filter(event=section.event, section=None)
    assert (row.action, row.subject, row.who) == ("take_archive", section.name, "arbiter")
    monkeypatch.setattr(archives, "MB", 10)
    answer = arbiter.get(address(section, "documents/archive.zip"), follow=True)
    assert "The archive would be larger than 200 MB." in answer.content.decode()
    assert ActionLog.objects.filter(action="take_archive").count() == 2


def test_archive_is_for_those_who_may_have_copies(client: Client, section: Section) -> None:
    """A viewer may look at the section, but a copy of it, with notes and birth dates, is in the archive."""
    user = User.objects.create_user("viewer", password="x")
    EventRole.objects.create(event=section.event, user=user, role=EventRole.Role.VIEWER)
    client.force_login(user)
    page = text(client, section, "documents/")
    assert re.findall(r"archive\.zip|copies/now", page) == []
    assert client.get(address(section, "documents/archive.zip")).status_code == 403


def test_archive_of_an_event_has_a_folder_for_each_section(client: Client, section: Section) -> None:
    section_of(0, event=section.event, slug="empty", name="Empty")
    user = User.objects.create_user("owner", password="x")
    EventRole.objects.create(event=section.event, user=user, role=EventRole.Role.OWNER)
    client.force_login(user)
    path = f"/{section.event.slug}/-/archive.zip"
    assert path in client.get(f"/{section.event.slug}/").content.decode()
    with zipfile.ZipFile(io.BytesIO(client.get(path).content)) as file:
        names = set(file.namelist())
        readme = file.read("README.txt").decode()
    assert {"event.json", f"{section.slug}/report.trf", "empty/entries.csv", "empty/README.txt"} <= names
    assert re.findall(r"^(\S+)/ +(.+)$", readme, re.MULTILINE) == [
        (section.slug, section.name),
        ("empty", "Empty"),
    ]
    assert ActionLog.objects.get(action="take_archive").subject == section.event.name


OPPONENTS = (
    *(
        ("FRA", "GM", 2550, "1/2"),
        ("GER", "IM", 2440, "1-0"),
        ("POL", "IM", 2420, "1-0"),
        ("POL", "GM", 2500, "0-1"),
    ),
    *(
        ("GER", "FM", 2350, "1-0"),
        ("GER", "", 2010, "1-0"),
        ("NED", "IM", 2400, "1/2"),
        ("FRA", "FM", 2300, "1-0"),
    ),
    ("NED", "CM", 2250, "1/2"),
)
"""Federation, title, rating and result of each game. 2010 counts as 2050 for IM: the average is 2362, 6 points are
required, 6½ were scored.
"""


def test_certificate_has_what_the_form_of_fide_asks(arbiter: Client, section: Section) -> None:
    other = section_of(10, event=section.event, rounds=9, slug="norm")
    hero, *others = other.participants.order_by("tpn")
    Player.objects.filter(pk=hero.player_id).update(
        name="Weiß, Ida", title="FM", federation="GER", fide_id=4600001, birth_date="2001-02-03", sex="w"
    )
    Participant.objects.filter(pk=hero.pk).update(official_rating=2380)
    for number, (entry, (federation, title, rating, result)) in enumerate(
        zip(others, OPPONENTS, strict=True), 1
    ):
        Player.objects.filter(pk=entry.player_id).update(federation=federation, title=title)
        Participant.objects.filter(pk=entry.pk).update(official_rating=rating)
        GameFactory(round=RoundFactory(section=other, number=number), white=hero, black=entry, result=result)
    page = text(arbiter, other, "print/certificates/")
    sheet = page.split('class="a4 it1"')[1]
    facts = {
        label.strip(): re.sub(r"<.*?>", "", value).strip()
        for label, value in re.findall(r"<dt>(.*?)</dt> ?<dd>(.*?)</dd>", sheet)
    }
    shown = {
        *(("FIDE ID", "4600001"), ("Date of birth", "2001-02-03"), ("Sex", "w"), ("Federation", "GER")),
        *(("Games", "9"), ("Federations of the opponents", "4"), ("Rated opponents", "9")),
        *(
            ("Opponents not of the player’s federation", "6"),
            ("Titled opponents", "7"),
            ("GM", "2"),
            ("IM", "3"),
        ),
        *(
            ("FM", "2"),
            ("Average rating (1.4.6)", "2362"),
            ("Points required", "6"),
            ("Points achieved", "6½"),
        ),
        ("Exceeds the norm by", "½"),
    }
    assert shown <= set(facts.items())
    assert ">2050<" in sheet.replace(" ", "")
    assert "Signature of the chief arbiter" in sheet
    rows = arbiter.get(address(other, "csv/certificates/")).content.decode("utf-8-sig").splitlines()
    assert len([row for row in rows if ";4600001;GER;" in row and row.startswith("IM;")]) == 9
    answer = arbiter.post(address(other, "last-step/norms/"))
    assert answer["Location"] == f"/en{address(other, 'print/certificates/')}"
