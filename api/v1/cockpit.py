"""How a section stands: the next step, what is missing, what is checked at its end, and why a round is as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404
from rest_framework import serializers

from pairing.ahead import pair_ahead, stop_ahead
from tournaments.actions.cockpit import leave_notice
from tournaments.files.fairness import fairness_values
from tournaments.files.report_writing import entries_as_paired
from tournaments.hash_chain import LogCheck, check_event, check_section
from tournaments.models import Round, Scope, Section
from tournaments.queries.ahead import PARTS, SETTINGS
from tournaments.queries.cockpit import CockpitPhase, NextStep, cockpit
from tournaments.queries.fairness import fairness
from tournaments.queries.last_steps import closing
from tournaments.queries.next_step_checks import NextStepCheck
from tournaments.queries.why import explain_round
from tournaments.rights import Right
from web.words.next_step_checks import next_step_words

from .bodies import BodySerializer
from .operations import RUN, reads, writes
from .shapes import Shape
from .view import View
from .why import FairnessShape, RoundWhyShape, explained_boards


class MatterShape(Shape):
    """What must be done first, or what an arbiter should know. boards, number: what it is about, if the code has it."""

    code = serializers.CharField()
    round = serializers.IntegerField(allow_null=True)
    boards = serializers.ListField(child=serializers.IntegerField())
    number = serializers.IntegerField()
    sentence = serializers.CharField()


class LeftShape(Shape):
    who = serializers.CharField()
    at = serializers.DateTimeField()


class NoticeShape(MatterShape):
    """What an arbiter should know. key: names it with its facts; `PUT notices/` takes it. left: who left it alone, and
    when; null for all others.
    """

    key = serializers.CharField()
    left = LeftShape(allow_null=True)


class SureBoardShape(Shape):
    board = serializers.IntegerField()
    white = serializers.IntegerField(source="white.participant_id")
    black = serializers.IntegerField(source="black.participant_id")


class AheadShape(Shape):
    """The next round, as far as it is prepared. open: boards without a result. asked: somebody wants it to be prepared.
    changed: what is different since then, so that nothing is prepared any more. combinations: of results that are still
    possible. prepared: how many of them are paired. impossible: for how many of these the rules give no round. boards:
    of the round. sure: those that are the same for all combinations, with the entries.
    """

    number = serializers.IntegerField()
    open = serializers.ListField(child=serializers.IntegerField())
    asked = serializers.BooleanField()
    forfeits = serializers.BooleanField()
    changed = serializers.ListField(child=serializers.ChoiceField(choices=[*PARTS, SETTINGS]))
    combinations = serializers.IntegerField()
    prepared = serializers.IntegerField()
    impossible = serializers.IntegerField()
    boards = serializers.IntegerField()
    sure = SureBoardShape(many=True)


class StateShape(Shape):
    """step: the next one. next_round: to be paired next, null if there is none. missing: boards without a result.
    blockers: what must be done before the step. notices: what an arbiter should know. ahead: the next round, if it can
    be prepared or is; otherwise null.
    """

    revision = serializers.IntegerField()
    phase = serializers.ChoiceField(choices=[phase.value for phase in CockpitPhase])
    step = serializers.ChoiceField(choices=[step.value for step in NextStep])
    round = serializers.IntegerField(allow_null=True)
    next_round = serializers.IntegerField(allow_null=True)
    missing = serializers.ListField(child=serializers.IntegerField())
    blockers = MatterShape(many=True)
    notices = NoticeShape(many=True)
    ahead = AheadShape(allow_null=True)


class ClosingShape(Shape):
    """What is checked before a section is closed. `close/` asks about the warnings."""

    revision = serializers.IntegerField()
    paired = serializers.IntegerField()
    rounds = serializers.IntegerField()
    games = serializers.IntegerField()
    finished = serializers.IntegerField()
    blockers = MatterShape(many=True)
    warnings = MatterShape(many=True)


class SealShape(Shape):
    """holds: every row of the log is as it was written. head: the seal of the newest row."""

    holds = serializers.BooleanField()
    rows = serializers.IntegerField()
    head = serializers.CharField(allow_blank=True)


class SealsShape(Shape):
    """The log of the section, and that of the event itself."""

    section = SealShape()
    event = SealShape()


def matters(found: Iterable[NextStepCheck], section: Section, *, runs: bool) -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "round": one.round_number,
            "boards": one.boards,
            "number": one.number,
            "sentence": next_step_words(one, section, runs=runs).sentence,
        }
        for one in found
    ]


def section_state(view: View) -> Any:
    section, found = view.section, cockpit(view.section)
    runs = Right.RUN in view.held
    return StateShape(
        {
            "revision": found.revision,
            "phase": found.phase.value,
            "step": found.step.value,
            "round": found.current.number if found.current else None,
            "next_round": found.next_round,
            "missing": [row.board for row in found.missing],
            "blockers": matters(found.blockers, section, runs=runs),
            "notices": [
                {**said, "key": one.key, "left": found.left.get(one.key)}
                for one, said in zip(found.notices, matters(found.notices, section, runs=runs), strict=True)
            ],
            "ahead": found.ahead,
        }
    ).data


class SectionStateView(View):
    @reads("Read what comes next, and what is missing for it", answer=StateShape)
    def get(self) -> Any:
        return section_state(self)


class LeaveNoticeBody(BodySerializer):
    """notice: the key of a notice. left: false takes it back."""

    notice = serializers.CharField(max_length=80)
    left = serializers.BooleanField()


class NoticesView(View):
    @writes("Leave a notice alone, or take it back", Scope.ROUNDS_WRITE, RUN, LeaveNoticeBody, StateShape)
    def put(self) -> Any:
        leave_notice(actor=self.actor, section_id=self.section.pk, **self.sent)
        self.section.refresh_from_db()
        return section_state(self)


class AheadBody(BodySerializer):
    """after_round: the last round that you know of. forfeits: the open games may end by forfeit too."""

    after_round = serializers.IntegerField(min_value=0, max_value=1_000)
    forfeits = serializers.BooleanField(default=False)


class AheadView(View):
    @writes(
        "Prepare the next round while its last games are open", Scope.ROUNDS_WRITE, RUN, AheadBody, StateShape
    )
    def post(self) -> Any:
        pair_ahead(actor=self.actor, section_id=self.section.pk, **self.sent)
        self.section.refresh_from_db()
        return section_state(self)

    @writes("Stop preparing the next round", Scope.ROUNDS_WRITE, RUN, status=204)
    def delete(self) -> None:
        stop_ahead(actor=self.actor, section_id=self.section.pk)


class ClosingView(View):
    @reads("Read what is checked before a section is closed", answer=ClosingShape)
    def get(self) -> Any:
        section, found = self.section, closing(self.section)
        runs = Right.RUN in self.held
        shown = {name: getattr(found, name) for name in ("paired", "rounds", "games", "finished")}
        return ClosingShape(
            {
                **shown,
                "revision": section.revision,
                "blockers": matters(found.blockers, section, runs=runs),
                "warnings": matters(found.warnings, section, runs=runs),
            }
        ).data


class ExplainedView(View):
    @reads("Read why a round was paired in this way, also a draft", answer=RoundWhyShape)
    def get(self) -> Any:
        section, number = self.section, self.kwargs["number"]
        try:
            found = explain_round(section, number, entries_as_paired(section, number))
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        return {"revision": section.revision, "number": number, **explained_boards(found)}


class FairnessView(View):
    @reads("Read how fair the pairings of a section were", answer=FairnessShape)
    def get(self) -> Any:
        if self.section.fixed_rounds:
            raise Http404
        return {"revision": self.section.revision, **fairness_values(fairness(self.section))}


class SealsView(View):
    @reads("Check the seals of the log", answer=SealsShape, apart=True)
    def get(self) -> Any:
        section, event = _seal(check_section(self.section)), _seal(check_event(self.event))
        return SealsShape({"section": section, "event": event}).data


def _seal(found: LogCheck) -> dict[str, Any]:
    return {"holds": found.fault is None, "rows": found.rows, "head": found.head}
