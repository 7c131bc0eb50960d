"""The search of the manual answers what people ask, in three languages, on the server and in the browser alike."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import deno
import pytest
from django.test import Client

from manual import views
from manual.book import book, languages, words_of
from manual.search import folded, index, search

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).resolve().parents[2]
SEARCHED = (
    *(
        "API",
        "archive",
        "bar code",
        "blitz",
        "capacity",
        "check-in",
        "Chess960",
        "close",
        "clerk",
        "confirmation",
    ),
    *(
        "consent",
        "CSV",
        "deadline",
        "discount",
        "duplicate",
        "Excel",
        "export",
        "fee",
        "final report",
        "freeze",
    ),
    *(
        "half-point bye",
        "idempotency",
        "invitation",
        "K factor",
        "label",
        "national rating",
        "norm",
        "performance",
    ),
    *(
        "period",
        "personal link",
        "provisional rating",
        "QR",
        "quota",
        "rating change",
        "rating list",
        "record 172",
    ),
    *("refund", "robot", "role", "spreadsheet", "statistics", "title norm", "token", "TRF06", "viewer"),
    *("waiting list", "webhook", "wizard", "XLSX", "zip"),
)
"""What a person types who looks for something that the program can do."""


@pytest.mark.parametrize("typed", SEARCHED)
def test_search_finds_the_words_that_people_have_for_what_the_program_does(typed: str) -> None:
    found = [f"{hit.title} {hit.text}" for hit in search("en", typed)]
    assert found != []


ASKED = {
    "en": {
        "withdraw a player": "withdraw",
        "a player went home": "withdraw",
        "how do I withdraw a player who has gone home?": "withdraw",
        "wifi": "no-network",
        "no network": "no-network",
        "norm certificate": "title-norms",
        "https certificate": "server",
        "certificate": "title-norms",
        "forgot password": "forgotten-password",
        "late entry": "late-entries",
        "bye": "byes",
        "undo": "undo",
        "print": "documents",
        "wrong result": "corrections",
        "tablet": "tablet",
        "phone results": "result-by-phone",
        "pasword forgoten": "forgotten-password",
        "players": "add-a-player",
        "backup usb": "copies",
        "laptop broken": "broken-computer",
        "why this pairing": "why",
        "projector": "screens",
        "excel import": "import-a-list",
        "opponent did not come": "no-show",
        "printer": "documents",
        "pairings are wrong": "wrong-pairing",
        "start the program": "start",
        "how many rounds": "settings-of-a-section|make-a-section",
        "player arrives late": "late-player",
        "rating list download": "rating-lists",
        "send report to fide": "report",
        "pair by hand": "by-hand|by-hand-when",
        "bye for odd player": "left-over",
        "half point bye": "byes",
        "wrong colours entered": "corrections",
        "delete a player": "change-an-entry|erase-a-player",
        "player entered twice": "change-an-entry|entries",
        "two people pair at once": "two-arbiters",
        "entry fee": "desk|open-registration",
        "spectators livestream website": "other-sites",
        "double forfeit": "no-show|results",
        "players from same family": "forbidden-pairs",
        "tournament director rights": "roles|people",
        "gdpr delete data": "erase-a-player|personal-data",
        "clock of round countdown": "countdown",
        "tie at first place": "tie-breaks",
        "2FA phone lost": "second-factor",
        "restore backup": "load-a-copy",
        "postponed game": "adjourned",
        "unpair": "wrong-pairing|check-the-draft|publish|which-way",
        "new password": "forgotten-password|account",
        "crosstable pdf": "documents|files",
        "confirmation e-mail text": "mails",
        "waiting list": "queue",
        "qr code": "result-by-phone|documents|register|public-lists|desk|screens|open-registration|people",
        "api token": "programs",
        "missing player round 1": "absences|not-ready|no-show",
        "change number of rounds": "settings-of-a-section|locked-settings",
        "accept registration": "queue",
        "server is slow": "busy",
        "update the program": "server|start|site",
        "player pairing card": "documents",
        "who sees draft": "publish|check-the-draft",
        "buchholz": "tie-breaks",
        "diploma": "title-norms|prizes",
        "award ceremony": "prizes",
    },
    "de": {
        "Spieler zurückziehen": "withdraw",
        "Spieler ist abgereist": "withdraw",
        "WLAN": "no-network",
        "kein Netz": "no-network",
        "Zertifikat": "title-norms",
        "Urkunde": "title-norms|prizes",
        "Siegerehrung": "prizes",
        "https Zertifikat": "server",
        "Passwort vergessen": "forgotten-password",
        "Nachmeldung": "late-entries",
        "Freilos": "byes",
        "rückgängig": "undo",
        "drucken": "documents",
        "falsches Ergebnis": "corrections",
        "Tablet": "tablet",
        "Ergebnis mit Handy": "result-by-phone",
        "Sicherung USB": "copies",
        "Gegner nicht gekommen": "no-show",
        "Pasword vergessen": "forgotten-password",
        "Drucker": "documents",
        "Paarung ist falsch": "wrong-pairing",
        "Programm starten": "start",
        "Rundenzahl ändern": "settings-of-a-section|locked-settings",
        "Spieler kommt zu spät": "late-player",
        "Eloliste herunterladen": "rating-lists",
        "Auswertung an die FIDE schicken": "report",
        "von Hand auslosen": "by-hand|by-hand-when",
        "ungerade Spielerzahl": "left-over",
        "halber Punkt Freilos": "byes",
        "Farben vertauscht": "corrections",
        "Spieler löschen": "change-an-entry|erase-a-player",
        "Spieler doppelt eingetragen": "change-an-entry|entries",
        "zwei Schiedsrichter gleichzeitig": "two-arbiters",
        "Startgeld": "desk|open-registration",
        "Ergebnisse auf Vereinsseite": "other-sites|public-lists",
        "beide nicht angetreten": "no-show",
        "Geschwister sollen nicht gegeneinander spielen": "forbidden-pairs",
        "Rechte für Helfer": "roles|people",
        "Datenschutz": "personal-data|erase-a-player",
        "Uhr Countdown": "countdown",
        "Punktgleich": "tie-breaks",
        "Handy verloren zweiter Faktor": "second-factor",
        "Sicherung laden": "load-a-copy",
        "Hängepartie": "adjourned",
        "Auslosung zurücknehmen": "wrong-pairing|check-the-draft|publish|which-way",
        "Internet weg": "no-network",
        "Kreuztabelle": "documents|files|public-lists",
        "Bestätigungsmail ändern": "mails",
        "Warteliste": "queue",
        "Preisgeld teilen": "prizes",
        "Buchholz": "tie-breaks",
        "Wertungszahl": "rating-method|rating-lists|rating-changes",
        "DWZ": "rating-list-columns|rating-lists|lists-of-a-section",
        "Laptop kaputt": "broken-computer",
        "Beamer": "screens",
        "Ergebnis korrigieren": "corrections",
        "Rücktritt": "withdraw",
        "Spielerpass Tischkarten": "documents",
        "Mannschaft Verein nicht gegeneinander": "forbidden-pairs",
    },
    "fr": {
        "diplôme": "title-norms|prizes",
        "remise des prix": "prizes",
        "retirer un joueur": "withdraw",
        "un joueur est rentré chez lui": "withdraw",
        "wifi": "no-network",
        "certificat de norme": "title-norms",
        "mot de pase oublié": "forgotten-password",
        "inscription tardive": "late-entries",
        "exempt": "left-over",
        "imprimer": "documents",
        "faux résultat": "corrections",
        "sauvegarde clé usb": "copies",
        "vidéoprojecteur": "screens",
        "adversaire pas venu": "no-show",
        "imprimante": "documents",
        "appariement faux": "wrong-pairing",
        "démarrer le programme": "start",
        "changer le nombre de rondes": "settings-of-a-section|locked-settings",
        "joueur en retard": "late-player",
        "télécharger la liste elo": "rating-lists",
        "envoyer le rapport à la FIDE": "report",
        "apparier à la main": "by-hand|by-hand-when",
        "nombre impair de joueurs": "left-over",
        "bye demi-point": "byes",
        "couleurs inversées": "corrections",
        "supprimer un joueur": "change-an-entry|erase-a-player",
        "joueur inscrit deux fois": "change-an-entry|entries",
        "deux arbitres en même temps": "two-arbiters",
        "frais d'inscription": "desk|open-registration",
        "résultats sur le site du club": "other-sites|public-lists",
        "double forfait": "no-show",
        "frères et sœurs": "forbidden-pairs",
        "droits des arbitres": "roles|people",
        "RGPD": "personal-data|erase-a-player",
        "compte à rebours": "countdown",
        "départage": "tie-breaks",
        "téléphone perdu": "second-factor",
        "restaurer une sauvegarde": "load-a-copy",
        "partie ajournée": "adjourned",
        "annuler l'appariement": "wrong-pairing|check-the-draft|publish|which-way",
        "panne internet": "no-network",
        "grille américaine": "documents|files|public-lists",
        "courriel de confirmation": "mails",
        "liste d'attente": "queue",
        "partager les prix": "prizes",
        "buchholz": "tie-breaks",
        "ordinateur en panne": "broken-computer",
        "norme MI": "title-norms",
        "joueur absent": "absences|no-show",
        "corriger un résultat": "corrections",
        "abandon d'un joueur": "withdraw",
        "pointage": "check-in|desk",
        "wifi coupé": "no-network",
    },
}
"""What people ask, and the passages that answer: one of them is enough."""


@pytest.mark.parametrize(
    ("language", "typed"), [(language, typed) for language, asked in ASKED.items() for typed in asked]
)
def test_the_passage_that_answers_a_question_is_among_the_first_three(language: str, typed: str) -> None:
    first = [hit.at.partition("#")[2] for hit in search(language, typed)[:3]]
    assert set(ASKED[language][typed].split("|")) & set(first) != set()


def test_the_browser_finds_the_same_as_the_server(tmp_path: Path) -> None:
    """The browser searches a kept manual without a network, so both have the rules (manual/search.py)."""
    typed = {
        language: [*SEARCHED, *ASKED.get(language, ()), "", "how", "x", "Übersicht"]
        for language in ("en", *languages())
    }
    for asked in typed.values():
        asked += [word[:-1] + "q" for question in asked for word in question.split()]
    found = {
        language: [[list(hit) for hit in search(language, each)] for each in asked]
        for language, asked in typed.items()
    }
    indexes = {language: index(language) for language in found}
    (tmp_path / "asked.json").write_text(json.dumps([typed, indexes]), "utf-8")
    (tmp_path / "run.js").write_text(
        f"""import {{ search }} from "{(ROOT / "static/js/manual/search.js").as_uri()}";
        const [typed, indexes] = JSON.parse(Deno.readTextFileSync("{tmp_path}/asked.json"));
        const line = (hit) => [hit.at, hit.title, hit.chapter, hit.text, hit.language];
        const all = Object.entries(indexes).map(([language, index]) =>
          [language, typed[language].map((each) => search(index, each).map(line))]);
        console.log(JSON.stringify(Object.fromEntries(all)));""",
        "utf-8",
    )
    run = subprocess.run(
        [
            deno.find_deno_bin(),
            "run",
            "--no-check",
            "--no-remote",
            "--no-npm",
            "--allow-read",
            tmp_path / "run.js",
        ],
        env={**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert json.loads(run.stdout) == found


def test_words_of_the_search_belong_to_passages() -> None:
    for language in ("en", *languages()):
        words = words_of(language)
        assert len(words["parts"]) == 6
        assert words["asked"].keys() - book().chapter_of.keys() == set()
        assert [word for word in words["little"].split() if folded(word) != word] == []


@pytest.mark.django_db
def test_the_search_answers_without_scripts_in_the_language_of_the_address(client: Client) -> None:
    page = client.get("/site/manual/", {"q": "withdraw a player"}).content.decode()
    assert '<a href="/site/manual/byes-and-withdrawals/#withdraw">Withdraw a player</a>' in page
    assert 'value="withdraw a player"' in page
    assert 'href="/de/site/manual/' in client.get("/de/site/manual/", {"q": "Runde"}).content.decode()
    none = client.get("/site/manual/", {"q": "<zzzz>"}).content.decode()
    assert "Nothing found." in none
    assert "&lt;zzzz&gt;" in none
    assert client.get("/site/manual/", {"q": "a" * 100_000}).status_code == 200
    kept = views.made.cache_info().currsize
    client.get("/site/manual/", {"q": "another question"})
    assert views.made.cache_info().currsize == kept
