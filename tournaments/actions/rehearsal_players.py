"""Invented players: the field of the demo event, and names for the players of a rehearsal."""

from __future__ import annotations

from itertools import islice
from random import Random

from tournaments.entry_data import EntryData
from tournaments.models import RatingSource

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


def field(seed: int) -> tuple[EntryData, ...]:
    """Return sixty entries rated from about 2550 to 1300; three have only a provisional rating."""
    dice = Random(seed)  # noqa: S311
    lines = [line for line in _PEOPLE.splitlines() if line]
    return tuple(_entry(place, line, dice) for place, line in enumerate(lines))


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


class InventedNames:
    """Names of nobody, in an order that follows from the seed. Each is given once."""

    def __init__(self, seed: int, count: int) -> None:
        """count: how many are needed. There are about 1,800 names for men and as many for women with one surname."""
        people = [line.rsplit(" ", 2) for line in _PEOPLE.splitlines() if line]
        self.federations = [federation for _name, _sex, federation in people]
        surnames = [name.partition(", ")[0] for name, _sex, _federation in people]
        given = [(name.partition(", ")[2], sex) for name, sex, _federation in people]
        if count > ENOUGH:
            surnames += [f"{one}-{other}" for one in surnames for other in surnames if one != other]
        self._free = [(f"{surname}, {name}", sex) for surname in surnames for name, sex in given]
        Random(seed).shuffle(self._free)  # noqa: S311

    def next(self, sex: str = "", length: int = 0) -> tuple[str, str]:
        """Return a name and its sex. length: of the name that it stands for: lists are as wide as on the day."""
        fits = (at for at, (_name, of) in enumerate(self._free) if not sex or of == sex)
        found = min(islice(fits, NEAR), key=lambda at: abs(len(self._free[at][0]) - length) if length else 0)
        return self._free.pop(found)


NEAR = 40
"""Names of which the one with the nearest length is taken."""
ENOUGH = 1_200
"""Players for whom the names with one surname are enough, even if all are of one sex."""


def invented_field(count: int, names: InventedNames, dice: Random) -> list[EntryData]:
    """Return entries rated from about 2500 to 1200, without FIDE IDs and birth dates."""
    found = []
    for place in range(count):
        name, sex = names.next()
        rating = 2500 - 1300 * place // max(count, 2) + dice.randrange(-15, 16)
        found.append(
            EntryData(
                name=name,
                sex=sex,
                title=_title(rating, sex),
                federation=dice.choice(names.federations),
                rating=rating,
                rating_source=RatingSource.FILE,
                official_rating=rating,
                club=dice.choice(_CLUBS),
            )
        )
    return found
