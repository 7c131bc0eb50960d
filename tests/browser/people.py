"""Twenty-five people whose names are hard for programs, and ways to enter them."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.factories import ParticipantFactory, PlayerFactory, SectionFactory
from tournaments.models import Section

PEOPLE = [
    ("Hrubeš, Vojtěch", "GM", "CZE", 2584),
    ("Szűcs-Baranyai, Örs", "GM", "HUN", 2561),
    ("Đorđević, Miloš", "GM", "SRB", 2549),
    ("Kjærgaard, Søren", "IM", "DEN", 2498),
    ("Villaseñor, Íñigo", "GM", "ESP", 2491),
    ("Żmijewski, Łukasz", "IM", "POL", 2476),
    ("Þorvaldsson, Ægir", "IM", "ISL", 2455),
    ("Çetinkaya, Ömer", "IM", "TUR", 2448),
    ("Șerbănescu, Ștefania", "WGM", "ROU", 2431),
    ("Lindqvist, Åke", "FM", "SWE", 2417),
    ("Nguyễn Phương Thảo", "IM", "VIE", 2409),
    ("Müller-Grünwald, Jörg", "IM", "GER", 2398),
    ("Kõivumägi, Rünno", "FM", "EST", 2382),
    ("Bērziņš-Kalniņš, Mārtiņš", "FM", "LAT", 2371),
    ("Žvirblytė, Ieva", "FM", "LTU", 2352),
    ("Krajňáková, Ľubica", "WIM", "SVK", 2341),
    ("D’Ambrosio, Niccolò", "FM", "ITA", 2333),
    ("Van der Wouden, Daniël", "FM", "NED", 2320),
    ("Hämäläinen, Väinö", "FM", "FIN", 2311),
    ("Gonçalves, João", "FM", "POR", 2288),
    ("Fernández Núñez, Ángel", "", "MEX", 1930),
    ("Ó Súilleabháin, Cian", "", "IRL", 2230),
    ("Weiß, Götz", "", "AUT", 1970),
    ("Peeters, Noëlle", "", "BEL", 2059),
    ("Tamm, Külli", "", "EST", 2140),
]


def entries_csv(folder: Path) -> Path:
    """Write the people as a spreadsheet writes a CSV file, and return its path."""
    file = folder / "entries.csv"
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, delimiter=";")
        writer.writerow(["Name", "Title", "Federation", "Rating"])
        writer.writerows(PEOPLE)
    return file


def section_of_people(count: int = len(PEOPLE), **settings: object) -> Section:
    """Return a section of `count` entries, highest rating first: the people, then the same names with "I" added."""
    section = SectionFactory(name="Open", event__name="Herfsttoernooi", **settings)
    people = sorted(PEOPLE, key=lambda person: -person[3])
    for number in range(count):
        name, title, federation, rating = people[number % len(people)]
        again = number // len(people)
        player = PlayerFactory(
            event=section.event,
            name=f"{name} {'I' * again}".strip(),
            title="" if again else title,
            federation=federation,
        )
        ParticipantFactory(section=section, player=player, tpn=number + 1, rating=rating - 600 * again)
    return section
