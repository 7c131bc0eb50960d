"""The field of the demo event: sixty invented players and their results, the same on every machine."""

from __future__ import annotations

from random import Random

from evenboard_engine import Result
from tournaments.entry_data import EntryData
from tournaments.models import RatingSource

SEED = 20260201
FIRST_FIDE_ID = 990_400_017

# Surname, given name, sex, federation; from the strongest to the weakest.
_PEOPLE = """
Vâlcoveanu, Răzvan m ROU
Ormsund, Håkon m NOR
Käärmann, Tõnis m EST
Brezovský, Ľubomír m SVK
Villacorta, Íñigo m ESP
Przybyszek, Łucja w POL
Achterveld, Joost m NED
Žalgirienė, Rūta w LTU
Szentiványi, Ákos m HUN
Dujmovac, Đurđica w CRO
Marchandeau, Théo m FRA
Hallgrímsen, Þóra w ISL
Grünfelder, Björn m GER
Çamlıbel, Gökçe w TUR
Quintanilha, Antônio m BRA
Nováčková, Bětka w CZE
Lindqvister, Åsa w SWE
O'Flaherty, Ciarán m IRL
Petrauskis, Jānis m LAT
Schönthaler, Jörg m AUT
D'Ascanio, Niccolò m ITA
Rautalahti, Päivi w FIN
Stojčevski, Žarko m MKD
Nguyễn Thị Hồng Ánh w VIE
Van Steenhuyse, Zoë w BEL
Gonçalinho, Inês w POR
Kjærsgård, Søren m DEN
Zubčić, Živa w SLO
Mac Giolla, Seán m IRL
Ibarguren, Begoña w ESP
Wąsowski, Błażej m POL
Þorvarðsson, Ægir m ISL
Dvořáček, Jiří m CZE
Ramanujapuram, Kavya w IND
Bîrlădeanu, Ștefan m ROU
El Khatibi, Yasmine w MAR
Hofstätter, Käthe w AUT
Çelikbaş, Ümit m TUR
Lefebvrier, Noémie w FRA
Üksvärav, Liis w EST
Tanigashira, Haruko w JPN
Abernethy-Cole, Rowan m SCO
Krástevski, Iván m BUL
Österbergh, Märta w SWE
Fjeldhus, Øystein m NOR
Nagyhegyi, Zsófia w HUN
Bourgogne, Anaïs w SUI
Mkhitarov, Davit m GEO
Sørlie, Gjøril w NOR
Castellà, Núria w AND
Weißenborn, Günther m GER
Okonjo-Adé, Tolúwani m NGR
Ó Súilleabháin, Pádraig m IRL
Lautenschläger, Änne w GER
Farrugiotti, Ġużè m MLT
Dąbkowska, Małgorzata w POL
Van der Weijde, Sjoerd m NED
Peñaranda, Sofía w COL
Müllerová, Žofie w CZE
Haapasaari, Väinö m FIN
"""
_CLUBS = (
    "SC Noordkade",
    "Schachfreunde Lindental",
    "Cercle de la Tour",
    "Ajedrez El Alfil",
    "Hartwell Knights",
    "",
    "",
)
_TITLES = (("GM", 2500), ("IM", 2400), ("FM", 2300), ("CM", 2200))
_WOMENS_TITLES = (("WGM", 2300), ("WIM", 2200), ("WFM", 2100), ("WCM", 2000))


def field() -> tuple[EntryData, ...]:
    """Return sixty entries rated from about 2550 to 1300; three have only a provisional rating."""
    dice = Random(SEED)  # noqa: S311
    lines = [line for line in _PEOPLE.splitlines() if line]
    return tuple(_entry(place, line, dice) for place, line in enumerate(lines))


def result(white: int, black: int, dice: Random) -> Result:
    """Return a random result by Elo's expected score; players with similar ratings draw more often."""
    difference = white + 35 - black
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = 0.42 * (1 - abs(2 * expected - 1))
    throw = dice.random()
    if throw < draw:
        return Result.DRAW
    return Result.WHITE_WINS if throw < draw + expected - draw / 2 else Result.BLACK_WINS


def _entry(place: int, line: str, dice: Random) -> EntryData:
    name, sex, federation = line.rsplit(" ", 2)
    rating = 2548 - 21 * place + dice.randrange(-12, 13)
    unrated = place in (41, 51, 57)
    year = dice.randrange(1948, 2014)
    day = f"{year}/{dice.randrange(1, 13):02d}/{dice.randrange(1, 29):02d}"
    return EntryData(
        name=name,
        sex=sex,
        title="" if unrated else _title(rating, sex),
        federation=federation,
        fide_id=None if unrated else FIRST_FIDE_ID + 1013 * place,
        birth_date=str(year) if place % 9 == 4 else day,
        rating=1400 if unrated else rating,
        rating_source=RatingSource.PROVISIONAL if unrated else RatingSource.FILE,
        official_rating=None if unrated else rating,
        club=dice.choice(_CLUBS),
    )


def _title(rating: int, sex: str) -> str:
    """Return the title for a rating; in this field, women below 2400 have women's titles."""
    titles = _WOMENS_TITLES if sex == "w" and rating < 2400 else _TITLES
    return next((title for title, least in titles if rating >= least), "")
