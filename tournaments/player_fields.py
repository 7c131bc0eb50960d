"""The fields of a player, one row for each. What only passes a field on loops over this table.

A plain field is a text that no rule reads. Its row is enough for the form of an entry, the columns of lists that are
read and written, the preview, the API, the log, the file for the person, and erasing. The length comes from the model.
A new one is a column of the model with its migration, a row here and a line in the manual. A field with rules of its
own also has its input, its reader and its place on pages where these rules are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from tournaments.models import Participant, Player

if TYPE_CHECKING:
    from django.db.models import Field
    from django_stubs_ext import StrOrPromise


class SeenBy(Enum):
    """Who sees a field: everybody, those who work on the event, or only those who may change entries."""

    EVERYBODY = 1
    STAFF = 2
    ENTERING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerField:
    """name: of the column, and of the value in `EntryData`.

    of: `Player` for what is the same in all sections of the event, `Participant` for what belongs to one entry.
    label: in forms and at the head of columns. word: inside a sentence, if it is not the name of the column.
    logged: the log shows the value under its sentence. in_files: an entry list may have it.
    names_person: it says who the player is, so erasing empties it.
    plain: see the module. headings: of a plain field in files of many languages, with a comma between them.
    registered: of a plain field, `Registration` has the same column, and the public form asks for it.
    at_desk: of such a field, the desk of the first morning shows it, and everybody there may correct it.
    """

    name: str
    of: type[Player] | type[Participant]
    label: StrOrPromise
    word: StrOrPromise = ""
    seen_by: SeenBy = SeenBy.EVERYBODY
    logged: bool = True
    in_files: bool = True
    names_person: bool = False
    plain: bool = False
    headings: str = ""
    registered: bool = False
    at_desk: bool = False

    @property
    def column(self) -> Field[Any, Any]:
        return self.of._meta.get_field(self.name)  # type: ignore[return-value]  # noqa: SLF001  # a column

    @property
    def longest(self) -> int:
        """Return the most letters of a text."""
        return self.column.max_length or 0

    @property
    def nothing(self) -> str | None:
        """Return what the column holds without a value."""
        return None if self.column.null else ""

    @property
    def english_head(self) -> str:
        """Return the head of a column in files that are English in every language."""
        return self.name.replace("_", " ").capitalize()

    @property
    def in_sentence(self) -> StrOrPromise:
        return self.word or self.column.verbose_name

    def value(self, entry: Participant) -> Any:
        return getattr(entry.player if self.of is Player else entry, self.name)

    def shown(self, entry: Participant) -> Any:
        """Return the value for the reader of what is made now: nothing of a player who is shown under initials."""
        return self.nothing if entry.by_initials else self.value(entry)


FIELDS = (
    PlayerField(name="name", of=Player, label=_("Name"), names_person=True),
    PlayerField(name="sex", of=Player, label=_("Sex"), seen_by=SeenBy.STAFF, names_person=True),
    PlayerField(name="title", of=Player, label=_("Title"), names_person=True),
    PlayerField(name="federation", of=Player, label=_("Federation"), names_person=True),
    PlayerField(name="fide_id", of=Player, label=_("FIDE ID"), seen_by=SeenBy.STAFF, names_person=True),
    PlayerField(
        name="birth_date", of=Player, label=_("Birth date"), seen_by=SeenBy.ENTERING, names_person=True
    ),
    PlayerField(name="rating", of=Participant, label=_("Rating")),
    PlayerField(name="rating_source", of=Participant, label=_("Source of the rating"), in_files=False),
    PlayerField(
        name="rating_list", of=Participant, label=_("Rating list"), in_files=False, names_person=True
    ),
    PlayerField(name="official_rating", of=Participant, label=_("Official rating")),
    PlayerField(name="national_rating", of=Participant, label=_("National rating")),
    PlayerField(
        name="national_id", of=Player, label=_("National ID"), seen_by=SeenBy.STAFF, names_person=True
    ),
    PlayerField(
        name="club",
        of=Participant,
        label=_("Club"),
        names_person=True,
        plain=True,
        headings=(
            "club, chess club, club name, name of club, club/city, clubcity, club city, club or city, club/ort, "
            "verein, verein/ort, club/ciudad, club/ville, club/citta, club/plaats, klub/miasto, "
            "schachverein, schachclub, schachklub, "
            "vereinsname, club d echecs, nom du club, club de ajedrez, vereniging, schaakclub, schaakvereniging, "
            "naam vereniging, "
            "circolo, circolo scacchistico, societa, associazione, klub, klub sportowy, klub szachowy, nazwa klubu, "
            "clube, oddil, "
            "клуб, шахматный клуб, клуб город, город клуб, клуб школа, спортивная школа, организация, "
            "шаховий клуб, клуб місто, місто клуб, організація"
        ),
        registered=True,
        at_desk=True,
    ),
    PlayerField(name="team", of=Participant, label=_("Team"), logged=False),
    PlayerField(name="pairing_flags", of=Participant, label=_("For the pairing"), logged=False),
    PlayerField(name="note", of=Participant, label=_("Note"), seen_by=SeenBy.ENTERING, names_person=True),
    PlayerField(
        name="latin_name",
        of=Player,
        label=_("Name in Latin letters"),
        seen_by=SeenBy.STAFF,
        in_files=False,
        names_person=True,
    ),
    PlayerField(
        name="by_initials",
        of=Player,
        label=_("Visitors see initials only"),
        word=_("visitors see initials only"),
        seen_by=SeenBy.STAFF,
        in_files=False,
    ),
    PlayerField(name="first_round", of=Participant, label=_("First round"), in_files=False),
)
"""In the order in which the log and previews show changes."""
PLAIN = tuple(field for field in FIELDS if field.plain)
REGISTERED = tuple(field for field in PLAIN if field.registered)
AT_DESK = tuple(field for field in REGISTERED if field.at_desk)
PUBLIC_PLAIN = tuple(field for field in PLAIN if field.seen_by is SeenBy.EVERYBODY)
