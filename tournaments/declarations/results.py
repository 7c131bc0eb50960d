"""Results: entered, verified and corrected."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models.log import Integrity

from .declaration import (
    UNAFFECTED,
    Action,
    ActionKind,
    Form,
    Row,
    Sentence,
    Undo,
    always,
    never_undone,
    now,
    of_row,
    reverted,
    text,
    value_at,
    was,
)

GAME = of_row("subject", form=Form.GAME)
BEFORE = was("result", form=Form.RESULT)
AFTER = now("result", form=Form.RESULT)


def _recorded(row: Row) -> str:
    if not value_at(row, ("after", "result")):
        return "cleared"
    return "changed" if value_at(row, ("before", "result")) else "entered"


RECORD_RESULT = Action(
    name="record_result",
    title=_("result entered"),
    sentence=Sentence(
        {
            "cleared": text(
                _("Round %(round)s, board %(game)s: %(before)s cleared"), game=GAME, before=BEFORE
            ),
            "changed": text(
                _("Round %(round)s, board %(game)s: %(before)s changed to %(after)s"),
                game=GAME,
                before=BEFORE,
                after=AFTER,
            ),
            "entered": text(_("Round %(round)s, board %(game)s: %(after)s"), game=GAME, after=AFTER),
        },
        _recorded,
    ),
    undo=Undo.REVERTS,
    integrity=frozenset({Integrity.ADJOURNMENT}),
    silent=True,
    kind=ActionKind.RESULT,
)


def _confirmed(row: Row) -> str:
    typed = value_at(row, ("after", "second_result"))
    if not typed:
        return "removed"
    return "same" if typed == value_at(row, ("after", "result")) else "different"


CONFIRM_RESULT = Action(
    name="confirm_result",
    title=_("result verified"),
    sentence=Sentence(
        {
            "removed": text(_("Round %(round)s, board %(game)s: second result removed"), game=GAME),
            "same": text(_("Round %(round)s, board %(game)s: %(stands)s verified"), game=GAME, stands=AFTER),
            "different": text(
                _(
                    "Round %(round)s, board %(game)s: typed again as %(read)s, but %(stands)s had been entered"
                ),
                game=GAME,
                read=now("second_result", form=Form.RESULT),
                stands=AFTER,
            ),
        },
        _confirmed,
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=ActionKind.RESULT,
)

MARK_OVER = Action(
    name="mark_over",
    title=_("mark “ended, no slip yet” changed"),
    sentence=Sentence(
        {
            "set": text(_("Round %(round)s, board %(game)s: ended, no slip yet"), game=GAME),
            "removed": text(
                _("Round %(round)s, board %(game)s: mark “ended, no slip yet” removed"), game=GAME
            ),
        },
        lambda row: "set" if value_at(row, ("after", "over")) else "removed",
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=ActionKind.RESULT,
)

PRESSED = now("pressed", form=Form.RESULT)
THEIRS = now("theirs", form=Form.RESULT)


def _pressed(row: Row) -> str:
    theirs = value_at(row, ("after", "theirs"))
    same = theirs == value_at(row, ("after", "pressed"))
    return f"{value_at(row, ('after', 'colour'))}{' same' if same else ' differs' if theirs else ''}"


PRESS_RESULT = Action(
    name="press_result",
    title=_("result pressed by a player"),
    sentence=Sentence(
        {
            case: text(words, game=GAME, pressed=PRESSED, **({"theirs": THEIRS} if "differs" in case else {}))
            for case, words in {
                "w": _("Round %(round)s, board %(game)s: White pressed %(pressed)s on a phone"),
                "b": _("Round %(round)s, board %(game)s: Black pressed %(pressed)s on a phone"),
                "w same": _(
                    "Round %(round)s, board %(game)s: White pressed %(pressed)s on a phone, as Black had done"
                ),
                "b same": _(
                    "Round %(round)s, board %(game)s: Black pressed %(pressed)s on a phone, as White had done"
                ),
                "w differs": _(
                    "Round %(round)s, board %(game)s: White pressed %(pressed)s on a phone, but Black had pressed "
                    "%(theirs)s"
                ),
                "b differs": _(
                    "Round %(round)s, board %(game)s: Black pressed %(pressed)s on a phone, but White had pressed "
                    "%(theirs)s"
                ),
            }.items()
        },
        _pressed,
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
)

AGREE_RESULT = Action(
    name="agree_result",
    title=_("result pressed by both players"),
    sentence=Sentence(
        {
            case: text(words, game=GAME, pressed=PRESSED)
            for case, words in {
                "w": _(
                    "Round %(round)s, board %(game)s: %(pressed)s, because White pressed the same result as Black "
                    "on a phone"
                ),
                "b": _(
                    "Round %(round)s, board %(game)s: %(pressed)s, because Black pressed the same result as White "
                    "on a phone"
                ),
            }.items()
        },
        lambda row: str(value_at(row, ("after", "colour"))),
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=ActionKind.RESULT,
)

RENEW_PLAYER_LINK = Action(
    name="renew_player_link",
    title=_("new link for a player’s phone"),
    sentence=Sentence(
        {
            "w": text(
                _("Round %(round)s, board %(game)s: new link for White; the former link is worthless"),
                game=GAME,
            ),
            "b": text(
                _("Round %(round)s, board %(game)s: new link for Black; the former link is worthless"),
                game=GAME,
            ),
        },
        lambda row: str(value_at(row, ("after", "colour"))),
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
)

FORGET_DEVICE = never_undone(
    "forget_device",
    _("device no longer expected"),
    Sentence(
        {
            what: text(words, count=now("count", form=Form.COUNT), who=now("who", form=Form.PERSON))
            for what, words in {
                "": ngettext_lazy(
                    "Round %(round)s: %(count)s result on a device of %(who)s is no longer expected",
                    "Round %(round)s: %(count)s results on a device of %(who)s are no longer expected",
                    "count",
                ),
                "marks": ngettext_lazy(
                    "Round %(round)s: %(count)s mark on a device of %(who)s is no longer expected",
                    "Round %(round)s: %(count)s marks on a device of %(who)s are no longer expected",
                    "count",
                ),
                "both": ngettext_lazy(
                    "%(count)s result or mark on a device of %(who)s is no longer expected",
                    "%(count)s results and marks on a device of %(who)s are no longer expected",
                    "count",
                ),
            }.items()
        },
        lambda row: found if (found := value_at(row, ("after", "what"))) in ("marks", "both") else "",
    ),
)

CORRECT_RESULT = reverted(
    "correct_result",
    _("result corrected"),
    Sentence(
        {
            "turned": text(
                _("Round %(round)s, board %(game)s: colours turned, %(before)s corrected to %(after)s"),
                game=GAME,
                before=BEFORE,
                after=AFTER,
            ),
            "result": text(
                _("Round %(round)s, board %(game)s: %(before)s corrected to %(after)s"),
                game=GAME,
                before=BEFORE,
                after=AFTER,
            ),
        },
        lambda row: "turned" if value_at(row, ("after", "turned")) else "result",
    ),
    integrity=frozenset({Integrity.CORRECTION}),
    kind=ActionKind.CORRECTION,
)

CORRECT_FOR_RATING = reverted(
    "correct_for_rating",
    _("result corrected for rating only"),
    always(
        _("Round %(round)s, board %(game)s: %(before)s corrected to %(after)s, for rating only"),
        game=GAME,
        before=BEFORE,
        after=AFTER,
    ),
    integrity=frozenset({Integrity.RATING_CORRECTION}),
)
