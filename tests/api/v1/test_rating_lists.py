"""A program chooses rating lists, finds players in them, and takes the new ratings that it wants."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.api.v1.program import Program
from tests.factories import ParticipantFactory, PlayerFactory
from tests.rating_lists.made import combined_line, imported, text
from tournaments.models import Section

pytestmark = pytest.mark.one_database


def test_lists_of_a_section_search_and_new_ratings(
    program: Program, section: Section, settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    ada_in_list = combined_line(77, "Lovelace, Ada", 1815, 1700, fed="ENG", sex="F", women="WGM")
    imported(text(ada_in_list), period="2026-10")
    ada = PlayerFactory(event=section.event, name="Lovelace, Ada", fide_id=77)
    entry = ParticipantFactory(section=section, player=ada, rating=1500)
    path = f"sections/{section.pk}/rating-lists/"
    made = program.done("PUT", path, {"codes": ["FIDE:standard", "FIDE:rapid"]}, seen=program.tag(path))
    assert [one["code"] for one in made["lists"]] == ["FIDE:standard", "FIDE:rapid"]
    assert made["lists"][0]["list"]
    assert program.send("PUT", path, {"codes": ["FIDE:rapid"]}, seen='"old"').status_code == 412
    wrong = program.send("PUT", path, {"codes": ["XYZ:none"]}, seen=program.tag(path)).json()
    assert wrong["code"] == "rating_lists_wrong"
    assert (
        program.done("PATCH", path, {"minimum_rating": 1000}, seen=program.tag(path))["minimum_rating"]
        == 1000
    )
    [found] = program.get(f"{path}players/?search=lovel")["results"]
    assert (found["fide_id"], [one["rating"] for one in found["ratings"]]) == (77, [1815, 1700])
    comparison = program.get(f"{path}comparison/")
    [one] = [each for each in comparison["differences"] if each["entry"] == entry.pk]
    assert (one["rating_now"], one["rating"]) == (1500, 1815)
    taken = {"entries": [entry.pk], "revision": comparison["revision"]}
    assert program.done("POST", f"{path}comparison/", taken) == {"changed": 1}
    entry.refresh_from_db()
    assert entry.rating == 1815
    assert program.send("POST", f"{path}comparison/", taken).status_code == 409
    label = made["lists"][0]["list"]
    sent = {"name": "Lovelace, Ada", "fide_id": 78, "rating_source": "standard", "rating_list": label}
    new = program.done("POST", f"sections/{section.pk}/entries/", {**sent, "rating": 1999})
    assert new["rating_source"] == "typed"  # the list has no such player (VCL4THP.13 Q134)
