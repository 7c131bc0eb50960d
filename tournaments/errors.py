"""The errors of actions, as codes and parameters. `web` makes the sentences that people read.

Parameters are plain values: numbers, texts, lists of them. Points are in tenths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class DomainError(Exception):
    """An action was refused and nothing was written.

    refusal: why. code: of the refusal. params: exactly the names that the refusal lists. status: of the HTTP answer.
    system: the code of the section's pairing system, "" outside a section. Sentences cite FIDE's rules only where they
    apply. `act` sets it.
    answer: of a question, the text that a yes sends back (`tournaments.questions`). time: 2 if it is asked again.
    """

    status = 422
    system = ""
    answer = ""
    time = 1

    def __init__(self, refusal: Refusal, **params: Any) -> None:
        if set(params) != set(refusal.params):
            raise TypeError(f"{refusal.code} takes {refusal.params}, not {tuple(params)}")
        self.refusal = refusal
        self.code = refusal.code
        self.params = params
        super().__init__(refusal.code, params)

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.code}({details})"


class Stale(DomainError):
    """Somebody changed the data after the form was loaded."""

    status = 409


class NotSaved(DomainError):
    """Devices hold what is not saved yet, so it must be asked first."""

    status = 409


class NotFound(DomainError):
    """The row does not exist, or it was deleted."""

    status = 404


class Busy(DomainError):
    """Another transaction held the database for too long. The same request can be sent again."""

    status = 503


class Wait(DomainError):
    """There were too many failed attempts. params: how many seconds to wait."""

    status = 429


PLACEHOLDER = re.compile(r"%\((\w+)\)s")
REFUSALS: dict[str, Refusal] = {}
"""All refusals, by code."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is refused. It stands beside the action: `raise ROUND_FINISHED.error(round=3)`.

    code: programs read it. sentence: what happened and what to do, with `%(name)s` for a parameter, to be translated;
    "" if `web.words.refusals` puts it together. params: the names of the parameters; they begin with those that the
    sentence has, unless it depends on a number. raises: the exception, which has the status of the HTTP answer.
    article: the rule of FIDE behind it, which the sentence has as `%(article)s` where it applies.
    """

    code: str
    sentence: StrOrPromise = ""
    params: tuple[str, ...] = ()
    raises: type[DomainError] = DomainError
    article: str = ""

    def __post_init__(self) -> None:
        if self.code in REFUSALS:
            raise ValueError(f"there are two refusals {self.code}")
        REFUSALS[self.code] = self
        if isinstance(self.sentence, str):
            named = dict.fromkeys(name for name in PLACEHOLDER.findall(self.sentence) if name != "article")
            object.__setattr__(self, "params", (*named, *self.params))

    def error(self, **params: Any) -> DomainError:
        """Return the exception to raise. Raises TypeError if these are not its parameters."""
        return self.raises(self, **params)


# Refusals that more than one action raises
# `kind`: one of NOT_THERE in web/words/refusals
NOT_FOUND = Refusal("not_found", params=("kind", "id"), raises=NotFound)
STALE = Refusal(
    "stale",
    _(
        "Somebody changed the section after this page was loaded. Nothing was done. Look at the section "
        "as it is now."
    ),
    params=("seen", "revision"),
    raises=Stale,
)
# `limit`: in MB
ARCHIVE_TOO_LARGE = Refusal(
    "archive_too_large",
    _(
        "The archive would be larger than %(limit)s MB. Nothing was downloaded. Download the lists, the reports and "
        "the copy of the section one by one."
    ),
)
# `problems`: {field: [sentences]}, from the models' own validators
INVALID_VALUES = Refusal("invalid_values", params=("problems",))
REASON_REQUIRED = Refusal("reason_required", _("Give a reason. It goes into the log."))
ERASE_NOT_CONFIRMED = Refusal(
    "erase_not_confirmed", _("Nothing is erased. Type the name exactly as it is shown.")
)
SECTION_NAME_TAKEN = Refusal("section_name_taken", _("This event already has a section %(name)s."))
ROUNDS_OUT_OF_RANGE = Refusal(
    "rounds_out_of_range",
    ngettext_lazy(
        "A section cannot have %(rounds)s round. Choose %(minimum)s to %(maximum)s.",
        "A section cannot have %(rounds)s rounds. Choose %(minimum)s to %(maximum)s.",
        "rounds",
    ),
    ("rounds", "minimum", "maximum"),
)
SETTINGS_LOCKED = Refusal("settings_locked", _("Round 1 is paired, so you can no longer change: %(fields)s."))
TIE_BREAKS_BARRED = Refusal(
    "tie_breaks_barred",
    _("%(system)s does not allow %(tie_break)s in the standings (C.07, 8). Choose another tie-break."),
)
TIE_BREAKS_UNKNOWN = Refusal(
    "tie_breaks_unknown",
    _(
        "%(tie_break)s is not a tie-break that the program knows. The code of a tie-break of your own begins with "
        "OTHER_."
    ),
)
PERIOD_RUNNING = Refusal(
    "period_running", _("Period %(period)s ends with round %(last)s, which is not published yet.")
)
PERIOD_UNKNOWN = Refusal("period_unknown", _("The section has no rating period %(period)s."))
USER_UNKNOWN = Refusal("user_unknown", _("There is no login with the name %(username)s."))
# `paired`: how many rounds
FIDE_MODE_TO_CONFIRM = Refusal(
    "fide_mode_to_confirm",
    _(
        "Without FIDE mode, a section allows what FIDE forbids. This cannot be undone, and the report file says so."
    ),
    params=("paired",),
)
WAIT = Refusal("wait", params=("seconds",), raises=Wait)
NAME_REQUIRED = Refusal("name_required", _("A player needs a name."))
ALREADY_ENTERED = Refusal("already_entered", _("%(name)s is already entered."))
FIDE_ID_TAKEN = Refusal(
    "fide_id_taken", _("FIDE ID %(fide_id)s belongs to %(name)s, who is already entered.")
)
ALREADY_WITHDRAWN = Refusal("already_withdrawn", _("%(name)s has already withdrawn."))
ALREADY_PAIRED = Refusal(
    "already_paired",
    _("%(name)s has been paired, so the entry cannot be deleted. Withdraw the player instead."),
)
# `problems`: [{row, name, code, params}], codes of this table
IMPORT_REFUSED = Refusal("import_refused", _("The file was not imported. %(problems)s"))
SECTION_NOT_EMPTY = Refusal(
    "section_not_empty",
    ngettext_lazy(
        "The section already has %(participants)s entry. Import a report file into an empty section.",
        "The section already has %(participants)s entries. Import a report file into an empty section.",
        "participants",
    ),
    ("participants",),
)
RATINGS_MISSING = Refusal(
    "ratings_missing",
    _(
        "No rating: %(names)s. The %(system)s needs a rating for every player. Type a provisional "
        "rating for them."
    ),
)
# `seen`: what the page shows of rounds that do not follow the rules, as one text
REPORT_TO_CONFIRM = Refusal(
    "report_to_confirm",
    _(
        "Some rounds of the file do not follow the rules, or could not be checked. The preview names them. To take the "
        "file as it is, confirm this."
    ),
    params=("seen",),
)
ROUND_OUT_OF_RANGE = Refusal(
    "round_out_of_range", _("There is no round %(round)s; the section has %(rounds)s.")
)
ROUND_ALREADY_PAIRED = Refusal("round_already_paired", _("Round %(round)s is already paired."))
BYE_KIND = Refusal("bye_kind", _("%(kind)s is not a bye that can be requested."))
HALF_BYE_NOT_ALLOWED = Refusal("half_bye_not_allowed", _("%(name)s may not ask for half-point byes."))
NOT_ACTIVE = Refusal("not_active", _("%(name)s has withdrawn and is not paired."))
SAME_SECTION = Refusal("same_section", _("%(name)s is already in %(section)s."))
# `rounds`: of the byes; count: half-point byes that the player would have
BYE_TO_CONFIRM = Refusal(
    "bye_to_confirm", params=("name", "rounds", "count", "warnings", "limit", "last_round")
)
SAME_PERSON = Refusal(
    "same_person",
    _(
        "%(other)s, born %(birth_date)s, is already entered. Is %(name)s another player with the same birth date?"
    ),
)
# `born`: year or None. question: what a yes answers
LISTED_OTHERWISE = Refusal(
    "listed_otherwise",
    params=("fide_id", "listed", "born", "name", "birth_date", "rating", "list", "question"),
)
UNKNOWN_RESULT = Refusal("unknown_result", _("%(result)s is not a result."))
ROUND_FINISHED = Refusal(
    "round_finished",
    _(
        "Round %(round)s is finished: the next round is paired, or the section is closed. Use Corrections "
        "to change its results."
    ),
)
STALE_ROUND = Refusal("stale_round", params=("after_round", "last_round"), raises=Stale)
STALE_VERSION = Refusal(
    "stale_version",
    _(
        "Somebody changed round %(round)s after this page was loaded. Nothing was done. Look at the round "
        "as it is now."
    ),
    params=("version",),
    raises=Stale,
)
RESULTS_MISSING = Refusal("results_missing", params=("round", "boards"))
# `games`: [[round, board]]
ADJOURNED_OPEN = Refusal("adjourned_open", params=("games",))
ROUND_IS_DRAFT = Refusal("round_is_draft", _("Round %(round)s is a draft. Publish or unpair it first."))
ROUNDS_NOT_FIXED = Refusal(
    "rounds_not_fixed", _("In this pairing system each round depends on the results of the rounds before.")
)
NO_BYES_HERE = Refusal(
    "no_byes_here",
    _(
        "All rounds are fixed by the table, so nobody can have a bye. A game that is not played is forfeited or played "
        "on another day."
    ),
)
ALL_ROUNDS_PAIRED = Refusal("all_rounds_paired", _("Round %(rounds)s, the last one, is already paired."))
MOVE_WAITS = Refusal(
    "move_waits",
    _(
        "Round 1 of %(section)s is paired, so the move of %(name)s waits for an arbiter there. Until then, nothing "
        "changes."
    ),
)
TOO_FEW_PLAYERS = Refusal(
    "too_few_players", _("Players who can be paired: %(present)s. A round needs at least two.")
)
# pairing by hand. concerns: [{code, players: [[tpn, name]], articles, rounds, colour, points, count}]
MANUAL_PHASE_OPEN = Refusal(
    "manual_phase_open", _("Round %(round)s is being paired by hand. End pairing by hand first.")
)
PAIRS_ARE_PUBLIC = Refusal(
    "pairs_are_public",
    _(
        "The pairs of round %(round)s are published. You can change them only if the rules of the competition allow "
        "it%(article)s, after a confirmation."
    ),
    article="GHR 4.4",
)
UNDONE_ALREADY = Refusal("undone_already", _("Action %(revision)s is already undone."))
UNDO_BEGINNING = Refusal("undo_beginning", _("This action made the section, so it cannot be undone."))
UNDO_ELSEWHERE = Refusal(
    "undo_elsewhere",
    _("This change was made in another section of the event. Undo it in the log of that section."),
)
UNDO_NOT_KEPT = Refusal("undo_not_kept", _("The log does not hold the data to undo this action."))
UNDO_FOR_GOOD = Refusal("undo_for_good", _("A section that has left FIDE mode cannot return to it."))
UNDO_ERASED = Refusal("undo_erased", _("Erased personal data cannot be brought back."))
RESTORE_UNKNOWN = Refusal(
    "restore_unknown",
    _(
        "The log does not hold the pairing of round %(round)s, so the section cannot go back to before that round."
    ),
)
COPY_UNKNOWN = Refusal("copy_unknown", _("This file is not a copy of a section or an event."))
COPY_DAMAGED = Refusal(
    "copy_damaged",
    _("This copy is damaged or was changed after it was made. Nothing was loaded. Use another copy."),
)
