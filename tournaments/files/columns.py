"""The columns of lists of players: what a column can mean, and how headings name it in many languages."""

from __future__ import annotations

import re
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from base.text import folded
from tournaments.player_fields import PLAIN


class ListColumn(StrEnum):
    """What a column can be: the plain fields of `player_fields`, and those with a reader of their own. A NAME can be in
    parts: PREFIX, LAST, SECOND_LAST, GIVEN, MIDDLE.
    """

    NAME = "name"
    LAST = "last name"
    GIVEN = "first name"
    MIDDLE = "middle name"
    SECOND_LAST = "second last name"
    PREFIX = "prefix of the last name"
    SEX = "sex"
    TITLE = "title"
    FEDERATION = "federation"
    FIDE_ID = "FIDE ID"
    NATIONAL_ID = "national ID"
    RATING = "rating"
    FIDE_RATING = "FIDE rating"
    NATIONAL_RATING = "national rating"
    BIRTH_DATE = "birth date"
    _ignore_ = "field"
    for field in PLAIN:
        vars()[field.name.upper()] = field.name
    TEAM = "team"
    FLAGS = "for the pairing"
    BYES = "half-point byes"
    NOTE = "note"
    EMAIL = "e-mail address"
    PHONE = "telephone"
    SECTION = "section"


RATINGS = (ListColumn.RATING, ListColumn.FIDE_RATING, ListColumn.NATIONAL_RATING)
"""The tournament rating is the first of these that a row has."""
OF_NAMES = (ListColumn.PREFIX, ListColumn.LAST, ListColumn.SECOND_LAST, ListColumn.GIVEN, ListColumn.MIDDLE)
OF_ENTRIES = frozenset(ListColumn) - {ListColumn.EMAIL, ListColumn.PHONE, ListColumn.SECTION}
OF_REGISTRATIONS = frozenset(ListColumn) - {
    *(ListColumn.TEAM, ListColumn.FLAGS, ListColumn.NATIONAL_ID),
    *(ListColumn(field.name) for field in PLAIN if not field.registered),
}

MEANINGS = {
    ListColumn.NAME: _("Name"),
    ListColumn.LAST: _("Surname"),
    ListColumn.GIVEN: _("First name"),
    ListColumn.MIDDLE: _("Second first name or patronymic"),
    ListColumn.SECOND_LAST: _("Second surname"),
    ListColumn.PREFIX: _("Word before the surname (van, de)"),
    ListColumn.SEX: _("Sex"),
    ListColumn.TITLE: _("Title"),
    ListColumn.FEDERATION: _("Federation"),
    ListColumn.FIDE_ID: _("FIDE ID"),
    ListColumn.NATIONAL_ID: _("National ID"),
    ListColumn.RATING: _("Rating"),
    ListColumn.FIDE_RATING: _("FIDE rating"),
    ListColumn.NATIONAL_RATING: _("National rating"),
    ListColumn.BIRTH_DATE: _("Birth date"),
    **{ListColumn(field.name): field.label for field in PLAIN},
    ListColumn.TEAM: _("Team"),
    ListColumn.FLAGS: _("For the pairing"),
    ListColumn.BYES: _("Half-point byes"),
    ListColumn.NOTE: _("Note"),
    ListColumn.EMAIL: _("E-mail address"),
    ListColumn.PHONE: _("Telephone"),
    ListColumn.SECTION: _("Section"),
}
"""What the arbiter can choose for a column, in this order."""

EXPECTED = (
    "Name, Rating, Title, Sex, Federation, FIDE ID, Birth date, Club, Team, Half-point bye in round, Note"
)

# The words of the eight languages of the program and of Italian, some of other languages, and those of the lists of
# Swiss-Manager, chess-results, Vega, Swiss-Chess, the FFE (Papi), the FEDA, the RCF and questionnaires.
# They are compared without case, accents, spaces, signs and what is in brackets.
SPELLINGS: dict[ListColumn, str] = {
    ListColumn.NAME: (
        "name, full name, player, players, player name, players name, name of player, name of the player, participant, "
        "spieler, spielername, teilnehmer, teilnehmerin, teilnehmername, name vorname, nachname vorname, "
        "familienname vorname, name und vorname, vor und nachname, vorname und nachname, vorname nachname, "
        "vorname name, vollstandiger name, "
        "naam, speler, volledige naam, naam speler, deelnemer, achternaam voornaam, voor en achternaam, "
        "nom complet, joueur, nom et prenom, nom prenom, prenom et nom, prenom nom, nom du joueur, nom joueur, "
        "nombre, nombre completo, jugador, jugadora, apellidos y nombre, apellidos nombre, nombre y apellidos, "
        "nombre apellidos, apellido y nombre, apellido nombre, nombre y apellido, nombre del jugador, participante, "
        "nome, giocatore, nome completo, cognome e nome, cognome nome, nome e cognome, nome cognome, nominativo, "
        "nazwisko i imie, nazwisko imie, imie i nazwisko, imie nazwisko, zawodnik, zawodniczka, uczestnik, "
        "jogador, jmeno, jmeno a prijmeni, prijmeni a jmeno, surname and name, name and surname, surname given name, "
        "surname name, surname first name, first name and surname, surname name patronymic, "
        "last name first name, last first name, first and last name, "
        "фио, ф и о, имя, полное имя, фамилия имя отчество, фамилия имя, фамилия и имя, имя и фамилия, имя фамилия, "
        "игрок, участник, шахматист, спортсмен, "
        "піб, п і б, ім'я, повне ім'я, прізвище ім'я по батькові, прізвище ім'я, прізвище та ім'я, ім'я та прізвище, "
        "ім'я прізвище, гравець, учасник, шахіст"
    ),
    ListColumn.LAST: (
        "last name, surname, family name, lastname, last, nachname, familienname, zuname, nom, nom de famille, "
        "apellido, apellidos, primer apellido, apellido 1, apellido paterno, achternaam, familienaam, cognome, "
        "nazwisko, sobrenome, apelido, prijmeni, фамилия, прізвище"
    ),
    ListColumn.GIVEN: (
        "first name, given name, given names, forename, forenames, firstname, first, vorname, vornamen, rufname, "
        "prenom, prenoms, nombre de pila, nombres, voornaam, voornamen, roepnaam, nome di battesimo, imie, imiona, "
        "nome proprio, krestni jmeno"
    ),
    ListColumn.MIDDLE: (
        "middle name, middle names, patronymic, patronym, vatersname, zweiter vorname, deuxieme prenom, "
        "patronyme, segundo nombre, patronimico, secondo nome, tweede voornaam, drugie imie, otczestwo, patronimik, "
        "отчество, по батькові"
    ),
    ListColumn.SECOND_LAST: "segundo apellido, apellido 2, apellido materno, second surname, second last name",
    ListColumn.PREFIX: "tussenvoegsel, tussenvoegsels, voorvoegsel, voorvoegsels, namenszusatz",
    ListColumn.SEX: (
        "sex, gender, geschlecht, geschl, sexe, genre, sexo, genero, geslacht, sesso, genere, plec, m/w, m/f, w/m, "
        "f/m, h/f, f/h, h/m, m/v, k/m, m/k, пол, стать, м/ж, ж/м, ч/ж, ж/ч"
    ),
    ListColumn.TITLE: (
        "title, fide title, chess title, fide titel, tit, titel, schachtitel, titre, titulo, titulo fide, titolo, "
        "titolo fide, tytul, titul, titre fide, tytul szachowy, tytul kategoria, kategoria szachowa, schaaktitel, "
        "звание, спортивное звание, шахматное звание, звание разряд, разряд, разряд звание, титул, титул фиде, "
        "звання, розряд, звання розряд, розряд звання, титул фіде"
    ),
    ListColumn.FEDERATION: (
        "federation, fed, fede, feder, country, country code, nation, nationality, fide federation, foderation, "
        "verband, land, landescode, staat, nationalitat, pays, nationalite, federacion, pais, nacionalidad, federatie, "
        "bond, nationaliteit, federazione, paese, nazione, nazionalita, federacja, kraj, narodowosc, federacao, "
        "federace, федерация, фед, страна, государство, гражданство, федерація, країна, громадянство"
    ),
    ListColumn.FIDE_ID: (
        "fide id, fideid, fide-id, fide no, fide number, fide id number, fide id no, id fide, id-fide, idfide, "
        "fide-nr, fide nr, fide id nr, fide nummer, fide-identnummer, fide ident, fide kennung, fidekenn, "
        "fide kennziffer, fide code, code fide, codefide, numero fide, no fide, n fide, identifiant fide, "
        "matricule fide, codigo fide, cod fide, numero de fide, codice fide, id n fide, numer fide, nr fide, "
        "id fide nr, kod fide, fin, "
        "fide identification number, "
        "id фиде, ид фиде, фиде id, фиде ид, код фиде, номер фиде, ид fide, код fide, номер fide, код fide id, "
        "id фіде, ід фіде, фіде id, код фіде, номер фіде, ід fide"
    ),
    ListColumn.NATIONAL_ID: (
        "national id, nat id, id nat, idnat, national number, n ffe, nr ffe, no ffe, numero ffe, code ffe, "
        "licence ffe, n licence, numero de licence, pkz, dsb id, id nazionale, id fsi, tessera fsi, n tessera, "
        "tessera, id feda, feda id, codigo feda, n federado, id nacional, knsb nummer, knsb id, knsb nr, "
        "relatienummer, id pzszach, cr id, id cr, numer licencji, "
        "id фшр, ид фшр, код фшр, фшр id, id фшу, ід фшу, код фшу, фшу id"
    ),
    ListColumn.RATING: (
        "rating, elo, rtg, rat, elo rating, rating elo, wertungszahl, wertung, elozahl, elo-zahl, twz, ratingzahl, "
        "turnierwertungszahl, turnierwertung, "
        "classement, classement elo, elo actuel, clasificacion, punteggio elo, punteggio, ranking elo, ocena, rnkg, "
        "tournament rating, start rating, current rating, "
        "рейтинг, рейт, эло, рейтинг эло, эло рейтинг, стартовый рейтинг, турнирный рейтинг, "
        "ело, рейтинг ело, стартовий рейтинг"
    ),
    ListColumn.FIDE_RATING: (
        "fide rating, fide elo, elo fide, fide-elo, rating fide, fide rtg, rtg fide, rtgi, rtg int, elo int, eloi, "
        "rating int, int rating, irtg, international rating, elo international, elo internacional, elo internazionale, "
        "internationale elo, internationale wertungszahl, fide wertung, fide wertungszahl, classement fide, "
        "standard rating, fide standard, std rating, fide classical, classical rating, elo fide standard, "
        "elo fide classico, elo fide clasico, ranking fide, ranking miedzynarodowy, official rating, "
        "offizielle elo, offizielle wertungszahl, elo officiel, elo oficial, officiele rating, oficjalny ranking, "
        "ranking oficjalny, официальный рейтинг, офіційний рейтинг, "
        "рейтинг фиде, рейт фиде, фиде рейтинг, эло фиде, рейтинг fide, рейт fide, elo фиде, рейтм, рейт м, рейт межд, "
        "рейтинг международный, международный рейтинг, "
        "рейтинг фіде, рейт фіде, фіде рейтинг, ело фіде, міжнародний рейтинг, рейтинг міжнародний"
    ),
    ListColumn.NATIONAL_RATING: (
        "national rating, nat rating, rtgn, rtg nat, elo nat, elon, elonat, rating nat, rating national, nrtg, dwz, "
        "nwz, nwz dwz, dwz nwz, nationale wertungszahl, nationale elo, nationale rating, elo national, elo nacional, "
        "elo nazionale, elo feda, rating feda, elo ffe, elo fsi, knsb rating, ranking krajowy, ranking pzszach, "
        "ranking polski, local rating, elo italia, elo ita, ncfp, uscf rating, ecf rating, "
        "рейтинг фшр, рейт фшр, фшр рейтинг, рейтн, рейт н, рейт нац, национальный рейтинг, рейтинг национальный, "
        "российский рейтинг, рейтинг рф, "
        "рейтинг фшу, рейт фшу, національний рейтинг, рейтинг національний, український рейтинг"
    ),
    ListColumn.BIRTH_DATE: (
        "birth date, birthdate, date of birth, dob, birthday, born, year of birth, birth year, year, "
        "geburtsdatum, geburtstag, geburtsjahr, geboren, geboren am, geb, jahrgang, jg, gebdatum, geb datum, "
        "geb jahr, gebjahr, "
        "date de naissance, naissance, ne le, nee le, ne e le, date naissance, annee de naissance, annee naissance, "
        "annee, fecha de nacimiento, fecha nacimiento, fecha nac, fecha de nac, "
        "fec nac, fec nacimiento, fch nac, nacimiento, f nac, f nacimiento, fnac, "
        "nacido, ano de nacimiento, ano nacimiento, ano nac, "
        "geboortedatum, geboorte datum, geboortejaar, gebdat, geb dat, geboren op, "
        "data di nascita, data nascita, nascita, anno di nascita, anno nascita, anno, nato il, nata il, nato a il, "
        "data urodzenia, data ur, rok urodzenia, rok ur, urodzony, urodzona, rocznik, rok, "
        "data de nascimento, nascimento, datum narozeni, rok narozeni, b-day, bday, b year, yob, "
        "дата рождения, дата рожд, рождение, день рождения, год рождения, год рожд, год, д р, др, "
        "дата народження, народження, день народження, рік народження, рік, д н"
    ),
    **{ListColumn(field.name): field.headings for field in PLAIN},
    ListColumn.TEAM: (
        "team, team name, mannschaft, mannschaftsname, equipe, equipo, squadra, druzyna, ploeg, team naam, druzstvo, "
        "команда"
    ),
    ListColumn.FLAGS: "for the pairing, pairing flags, keep new late",
    ListColumn.BYES: (
        "half-point bye in round, half-point byes in round, freilose mit halbem punkt in runde, "
        "byes de medio punto en la ronda, byes a un demi-point a la ronde, halvepuntsbyes in ronde, "
        "pauzy za ½ punktu w rundzie, bye ½ очка в туре, пропуски туру за ½ очка в турі, "
        "half-point byes in rounds, half-point bye, half-point byes, half point bye, "
        "half point byes, bye, byes, bye in round, bye round, bye rounds, byes in rounds, requested bye, "
        "requested byes, hpb, h-bye, bye request, freilos, freilose, freilos in runde, halbes freilos, "
        "bye demi-point, bye ronde, demande de bye, bye demandes, bye en la ronda, descanso, descansos, "
        "bye in ronde, halve-punts-bye, halfpuntsbye, bye nel turno, bye richiesti, turno di riposo, "
        "pauza, wolne rundy, bye w rundzie, бай, баи, бай в туре, баи в турах, пропуск тура, пропуск туров, "
        "бай у турі, байи, пропуск туру, пропуск турів"
    ),
    ListColumn.NOTE: (
        "note, notes, notitie, notities, uwaga, "
        "remark, remarks, comment, comments, message, anything else, bemerkung, bemerkungen, anmerkung, "
        "anmerkungen, kommentar, nachricht, mitteilung, remarque, remarques, commentaire, commentaires, message, "
        "observacion, observaciones, observation, observations, comentario, comentarios, mensaje, nota, notas, "
        "opmerking, opmerkingen, osservazioni, "
        "note arbitro, commenti, uwagi, komentarz, poznamka, "
        "примечание, примечания, комментарий, комментарии, сообщение, примітка, примітки, коментар, коментарі, "
        "повідомлення"
    ),
    ListColumn.EMAIL: (
        "e-mail, email, mail, e-mail address, email address, mail address, your email, e-mail-adresse, mailadresse, "
        "courriel, adresse e-mail, adresse mail, adresse electronique, adresse courriel, correo, correo electronico, "
        "direccion de correo electronico, direccion de correo, e-mailadres, mailadres, indirizzo e-mail, "
        "indirizzo email, posta elettronica, adres e-mail, adres email, adres mailowy, "
        "почта, электронная почта, эл почта, адрес электронной почты, e-mail адрес, "
        "пошта, електронна пошта, ел пошта, адреса електронної пошти"
    ),
    ListColumn.PHONE: (
        "phone, telephone, phone number, telephone number, mobile, mobile phone, mobile number, cell phone, tel, "
        "telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, mobiltelefon, "
        "numero de telephone, portable, telephone portable, telefono, telefono movil, numero de telefono, movil, "
        "celular, telefoon, telefoonnummer, mobiel, mobiel nummer, cellulare, numero di telefono, "
        "nr telefonu, numer telefonu, komorka, telefon komorkowy, "
        "телефон, номер телефона, моб телефон, мобильный телефон, тел, номер телефону, мобільний телефон"
    ),
    ListColumn.SECTION: (
        "section, group, tournament, gruppe, turnier, turniergruppe, groupe, tournoi, seccion, grupo, torneo, sectie, "
        "groep, toernooi, gruppo, sezione, grupa, turniej, sekcja, turnaj, "
        "турнир, группа, секция, турнір, група, секція, grupie, turnieju, sekcji, группе, турнире, секции, "
        "групі, турнірі, секції"
    ),
}
# Used only when no other column has the value, and if the cells can be such values: an "ID" can be of the club.
WEAK: dict[ListColumn, str] = {
    ListColumn.FIDE_ID: "id, id no, id number, ident, identnumber, identnr, id-number, id nr, player id, idcode",
    ListColumn.BIRTH_DATE: "birth, geburt, data, nac, ur",
    ListColumn.TITLE: "t, ttl, ti",
    ListColumn.SEX: "s, g",
    ListColumn.RATING: "ranking",
    ListColumn.FIDE_RATING: "fide, int, фиде, фіде",
    ListColumn.NATIONAL_RATING: "nat, feda, ffe, fsi, pzszach, knsb, uscf, ecf, фшр, фшу",
}
ENGLISH_BIRTH = frozenset({
    "birthdate", "dateofbirth", "dob", "birthday", "born", "birth", "bday", "yearofbirth", "birthyear",
    "year", "byear", "yob",
})  # fmt: skip
"""Headings of birth dates in English."""
# Words of questions in questionnaires, beside which a heading keeps its meaning: "What is your rating?"
_QUESTIONS = (
    "what whats which is are do does you have your the please enter write give type in if any "
    "wie lautet ist was dein deine deinen ihr ihre ihren bitte angeben falls vorhanden der die das "
    "quel quelle est votre ton ta indiquez le la vos su tu cual es indique el het je jouw uw wat welke vul "
    "il tuo tua suo sua qual e twoj twoja twoje podaj jaki jaka "
    "ваш ваша ваше ваши твой твоя твое укажите вкажіть"
)
_OF_QUESTIONS = frozenset(map(folded, _QUESTIONS.split()))
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def plain_heading(text: str) -> str:
    """The text for comparing: without case, accents, spaces and signs. "Élő-Zahl" becomes "elozahl"."""
    return folded(text).replace(" ", "")


def _table(spellings: dict[ListColumn, str]) -> dict[str, ListColumn]:
    return {plain_heading(word): column for column, words in spellings.items() for word in words.split(", ")}


_BOTH_NAMES = (
    "name vorname, name und vorname, nachname vorname, nachname und vorname, familienname vorname, "
    "achternaam voornaam, nom prenom, nom et prenom, apellido nombre, apellido y nombre, apellidos nombre, "
    "apellidos y nombre, nominativo, cognome nome, cognome e nome, nazwisko imie, nazwisko i imie, prijmeni a jmeno, "
    "surname name, surname and name, surname first name, surname given name, surname name patronymic, "
    "last name first name, last first name, фио, ф и о, фамилия имя, фамилия и имя, фамилия имя отчество, "
    "піб, п і б, прізвище ім'я, прізвище та ім'я, прізвище ім'я по батькові"
)
_SURNAME_FIRST = frozenset(map(plain_heading, _BOTH_NAMES.split(", ")))
STRONG_TABLE = _table(SPELLINGS)
WEAK_TABLE = _table(WEAK)
PHRASES = {
    f" {phrase} ": column
    for column, words in SPELLINGS.items()
    for phrase in map(folded, words.split(", "))
    if len(phrase) > 3
}
"""Spellings that a longer heading may contain."""


def spellings_of(heading: str) -> tuple[str, ...]:
    """Return the heading as it can be compared: whole, without what is in brackets, and without words of questions."""
    bare = _IN_BRACKETS.sub("", heading) or heading
    words = [word for word in folded(bare).split() if word not in _OF_QUESTIONS]
    return (
        plain_heading(heading),
        plain_heading(bare),
        plain_heading(_IN_BRACKETS.sub(" ", heading)),
        "".join(words),
    )


def strong(heading: str) -> ListColumn | None:
    """Return what a heading names without doubt."""
    return next((STRONG_TABLE[word] for word in spellings_of(heading) if word in STRONG_TABLE), None)


def weak(heading: str) -> ListColumn | None:
    """Return what a heading names if no other column does."""
    return next((WEAK_TABLE[word] for word in spellings_of(heading) if word in WEAK_TABLE), None)


def recognise(heading: str) -> ListColumn | None:
    """Return the column that a heading names, or None."""
    return strong(heading) or weak(heading)


def surname_first(heading: str) -> bool:
    """Return whether a heading of whole names says that the surname stands first: "ФИО", "Cognome e nome"."""
    return any(word in _SURNAME_FIRST for word in spellings_of(heading))


def contained(heading: str) -> list[ListColumn]:
    """Return the columns whose names a heading contains, the longest name first: "Which section will you play?" """
    text = f" {folded(heading)} "
    found = sorted((phrase for phrase in PHRASES if phrase in text), key=len, reverse=True)
    return list(dict.fromkeys(PHRASES[phrase] for phrase in found))
