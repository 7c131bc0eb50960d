"""Names of the columns of entry lists, in several languages."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tournaments.reader import READER
from tournaments.text import folded

from .reasons import FileRefused


class Column(StrEnum):
    """The columns that an entry list can have. GIVEN and LAST together make a NAME."""

    NAME = "name"
    LAST = "last name"
    GIVEN = "first name"
    SEX = "sex"
    TITLE = "title"
    FEDERATION = "federation"
    FIDE_ID = "FIDE ID"
    RATING = "rating"
    FIDE_RATING = "FIDE rating"
    NATIONAL_RATING = "national rating"
    BIRTH_DATE = "birth date"
    CLUB = "club"
    TEAM = "team"
    FLAGS = "for the pairing"
    BYES = "half-point byes"
    NOTE = "note"


RATINGS = (Column.RATING, Column.FIDE_RATING, Column.NATIONAL_RATING)
"""The tournament rating is the first of these that a row has."""

EXPECTED = (
    "Name, Rating, Title, Sex, Federation, FIDE ID, Birth date, Club, Team, Half-point bye in round, Note"
)

# English, German, French, Spanish, Dutch, Italian and Polish, and some Portuguese and Czech names.
# They are compared without case, accents, spaces and signs.
SPELLINGS: dict[Column, str] = {
    Column.NAME: (
        "name, full name, player, player name, spieler, spielername, teilnehmer, naam, speler, volledige naam, "
        "nom complet, joueur, nom et prenom, nom prenom, nombre, nombre completo, jugador, apellidos y nombre, "
        "nome, giocatore, nome completo, cognome e nome, nome e cognome, nazwisko i imie, imie i nazwisko, zawodnik, "
        "jogador, jmeno, surname and name, name and surname, surname given name"
    ),
    Column.LAST: (
        "last name, surname, family name, lastname, nachname, familienname, zuname, nom, nom de famille, apellido, "
        "apellidos, primer apellido, achternaam, familienaam, cognome, nazwisko, sobrenome, apelido, prijmeni"
    ),
    Column.GIVEN: (
        "first name, given name, given names, forename, forenames, firstname, vorname, vornamen, rufname, prenom, "
        "prenoms, nombre de pila, nombres, voornaam, voornamen, roepnaam, nome di battesimo, imie, imiona, "
        "nome proprio, krestni jmeno"
    ),
    Column.SEX: "sex, gender, geschlecht, sexe, genre, sexo, genero, geslacht, sesso, genere, plec, m/w, m/f, w/m, f/m",
    Column.TITLE: "title, fide title, fide titel, tit, titel, titre, titulo, titolo, tytul, titul, titre fide",
    Column.FEDERATION: (
        "federation, fed, country, nation, nationality, fide federation, foderation, verband, land, staat, "
        "nationalitat, pays, nationalite, federacion, pais, nacionalidad, federatie, bond, nationaliteit, "
        "federazione, paese, nazione, nazionalita, federacja, kraj, narodowosc, federacao, federace"
    ),
    Column.FIDE_ID: (
        "fide id, fideid, fide-id, fide no, fide number, fide id number, id fide, id-fide, idfide, fide-nr, fide nr, "
        "fide nummer, fide code, code fide, codefide, numero fide, no fide, n fide, codigo fide, codice fide, "
        "numer fide, fin, fide identification number"
    ),
    Column.RATING: (
        "rating, elo, rtg, elo rating, rating elo, wertungszahl, wertung, elozahl, elo-zahl, classement, elo actuel, "
        "clasificacion, ranking elo, punteggio elo, punteggio, ocena, rnkg, tournament rating, start rating, "
        "turnierwertung"
    ),
    Column.FIDE_RATING: (
        "fide rating, fide elo, elo fide, fide-elo, rating fide, fide rtg, rtg fide, rtgi, rtg int, elo int, eloi, "
        "rating int, irtg, international rating, elo international, elo internacional, elo internazionale, "
        "standard rating, fide standard, std rating, ranking fide, official rating"
    ),
    Column.NATIONAL_RATING: (
        "national rating, nat rating, rtgn, rtg nat, elo nat, elon, rating nat, nrtg, dwz, elo national, elo nacional, "
        "elo nazionale, knsb, knsb rating, ranking krajowy, local rating, elo italia, ncfp"
    ),
    Column.BIRTH_DATE: (
        "birth date, birthdate, date of birth, dob, birthday, born, year of birth, birth year, year, "
        "geburtsdatum, geburtstag, geburtsjahr, geboren, geb, jahrgang, jg, gebdatum, "
        "date de naissance, naissance, ne le, annee de naissance, annee, fecha de nacimiento, fecha nac, nacimiento, "
        "f nac, "
        "ano de nacimiento, geboortedatum, geboortejaar, gebdat, data di nascita, nascita, anno di nascita, anno, "
        "nato il, data urodzenia, rok urodzenia, urodzony, rok, data de nascimento, nascimento, datum narozeni, "
        "b-day, bday, b year, yob"
    ),
    Column.CLUB: (
        "club, chess club, club name, club/city, clubcity, club/ort, verein, verein/ort, club/ciudad, club/ville, "
        "schachverein, "
        "vereinsname, club d echecs, club de ajedrez, vereniging, schaakclub, schaakvereniging, "
        "circolo, societa, klub, klub sportowy, clube, oddil"
    ),
    Column.TEAM: "team, team name, mannschaft, equipe, equipo, squadra, druzyna, ploeg, druzstvo",
    Column.FLAGS: "for the pairing, pairing flags, keep new late",
    Column.BYES: (
        "half-point bye in round, half-point byes in rounds, half-point bye, half-point byes, half point bye, "
        "half point byes, bye, byes, bye in round, bye round, bye rounds, byes in rounds, requested bye, "
        "requested byes, hpb, h-bye, bye request, freilos, freilose, freilos in runde, halbes freilos, "
        "bye demi-point, bye ronde, demande de bye, bye demandes, bye en la ronda, descanso, descansos, "
        "bye in ronde, halve-punts-bye, halfpuntsbye, bye nel turno, bye richiesti, turno di riposo, "
        "pauza, wolne rundy, bye w rundzie"
    ),
    Column.NOTE: (
        "note, notes, remark, remarks, comment, comments, bemerkung, bemerkungen, anmerkung, kommentar, remarque, "
        "remarques, commentaire, observaciones, nota, notas, opmerking, opmerkingen, osservazioni, note arbitro, "
        "uwagi, poznamka"
    ),
}
# Used only when no other column has the value: an "ID" can be a number of the club.
WEAK: dict[Column, str] = {
    Column.FIDE_ID: "id, id no, id number, ident, identnumber, id-number, id nr, player id, idcode",
    Column.BIRTH_DATE: "birth, geburt",
    Column.TITLE: "t, ttl",
    Column.SEX: "s, g",
}


def plain(text: str) -> str:
    """The text for comparing: without case, accents, spaces and signs. "Élő-Zahl" becomes "elozahl"."""
    return folded(text).replace(" ", "")


def _table(spellings: dict[Column, str]) -> dict[str, Column]:
    return {plain(word): column for column, words in spellings.items() for word in words.split(", ")}


_STRONG_TABLE = _table(SPELLINGS)
_WEAK_TABLE = _table(WEAK)


def recognise(cell: str) -> Column | None:
    """The column that a header cell names, or None."""
    word = plain(cell)
    return _STRONG_TABLE.get(word) or _WEAK_TABLE.get(word)


def assign(header: Sequence[str]) -> dict[Column, int]:
    """The place of each column that the header names. Raises FileRefused if two columns have the same meaning.

    "Name" means the surname if there is a column of first names, and the first name if there is one of surnames.
    """
    claims: dict[Column, list[int]] = {}
    for place, cell in enumerate(header):
        if (column := _STRONG_TABLE.get(plain(cell))) is not None:
            claims.setdefault(column, []).append(place)
    for place, cell in enumerate(header):
        column = _WEAK_TABLE.get(plain(cell))
        if column is not None and column not in claims:
            claims[column] = [place]
    _settle_names(claims)
    for column, places in claims.items():
        if len(places) > 1:
            found = READER.listed(header[place] for place in places)
            raise FileRefused("column_twice", field=column.value, found=found)
    return {column: places[0] for column, places in claims.items()}


def _settle_names(claims: dict[Column, list[int]]) -> None:
    """Decide what "Name" means, by the other columns of names."""
    if Column.NAME in claims and Column.GIVEN in claims and Column.LAST not in claims:
        claims[Column.LAST] = claims.pop(Column.NAME)
    elif Column.NAME in claims and Column.LAST in claims and Column.GIVEN not in claims:
        claims[Column.GIVEN] = claims.pop(Column.NAME)
    elif Column.NAME in claims and Column.LAST in claims:
        del claims[Column.NAME]
    elif Column.LAST in claims and Column.GIVEN not in claims:
        claims[Column.NAME] = claims.pop(Column.LAST)
