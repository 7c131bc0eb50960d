"""The steps after the last round in words: of each one its state, one sentence with the fact, and its button."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from base.reader import READER, date_format
from base.text import isolated
from tournaments.models import Section
from tournaments.queries.last_steps import LastStep, LastSteps, NearNorm, StepNote, StepState
from tournaments.rights import Right
from web.context import section_url
from web.words.next_step_checks import next_step_words
from web.words.prizes import money
from web.words.published_lists import published_sentence
from web.words.standings import missing_sentence, order_words
from web.words.values import name_words, points_text

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

SHOWN_NAMES = 4
SHOWN_GROUPS = 3
SHOWN_NEAR = 2

TITLES: Mapping[LastStep, StrPromise] = {
    LastStep.RESULTS: gettext_lazy("Results"),
    LastStep.STANDINGS: gettext_lazy("Final standings"),
    LastStep.TIES: gettext_lazy("Ties for places"),
    LastStep.PRIZES: gettext_lazy("Prizes"),
    LastStep.NORMS: gettext_lazy("Title norms"),
    LastStep.REPORT: gettext_lazy("Report for rating"),
    LastStep.PAPER: gettext_lazy("Final report on paper"),
    LastStep.ARCHIVE: gettext_lazy("Archive"),
    LastStep.CLOSE: gettext_lazy("Close the section"),
}


@dataclass(frozen=True, slots=True)
class StepButton:
    """The button of a step. label: in its row. name: as the black button of the page. posts: it sends a form."""

    label: str
    name: str
    url: str
    posts: bool = False


@dataclass(frozen=True, slots=True)
class LastStepLine:
    """A step on the page. word: its state on a pill. button: None for somebody who may not press it."""

    step: LastStep
    number: int
    title: str
    state: StepState
    is_next: bool
    word: str
    sentence: str
    button: StepButton | None

    @property
    def pill(self) -> str:
        """Return the style of the pill."""
        if self.is_next:
            return "now"
        if self.state is StepState.OPEN:
            return "warn" if self.step is LastStep.REPORT and self.word != _state(self.state) else ""
        return "draft" if self.state is StepState.WAITS else "ok"


def last_step_lines(steps: LastSteps, section: Section, rights: frozenset[Right]) -> list[LastStepLine]:
    """Return the steps in their order, with the buttons that a person with these rights may press."""
    words = _LastStepWords(steps, section, rights)
    words_of: Mapping[LastStep, Callable[[], StepWords]] = {
        LastStep.RESULTS: words.results,
        LastStep.STANDINGS: words.standings,
        LastStep.TIES: words.ties,
        LastStep.PRIZES: words.prizes,
        LastStep.NORMS: words.norms,
        LastStep.REPORT: words.report,
        LastStep.PAPER: words.paper,
        LastStep.ARCHIVE: words.archive,
        LastStep.CLOSE: words.close,
    }
    lines = []
    for number, step in enumerate(LastStep, start=1):
        sentence, button, word = words_of[step]()
        state = steps.states[step]
        is_next = step is steps.next_step
        lines.append(
            LastStepLine(
                step, number, str(TITLES[step]), state, is_next, word or _state(state), sentence, button
            )
        )
    return lines


def open_steps_sentence(steps: LastSteps) -> str:
    """Return which steps are open before the section is closed; "" for none."""
    if not steps.left_open:
        return ""
    names = READER.listed([str(TITLES[step]) for step in steps.left_open], "comma")
    return _("Still open: %(steps)s.") % {"steps": names}


StepWords = tuple[str, StepButton | None, str]
"""The sentence, the button, and the word on the pill, "" for that of the state."""


def _state(state: StepState) -> str:
    words = {
        StepState.DONE: pgettext("of a step", "Done"),
        StepState.OPEN: pgettext("of a step", "Open"),
        StepState.NONE: pgettext("of a step", "Not needed"),
        StepState.WAITS: pgettext("of a step", "Waits"),
    }
    return words[state]


@dataclass(frozen=True, slots=True)
class _LastStepWords:
    steps: LastSteps
    section: Section
    rights: frozenset[Right]

    def results(self) -> StepWords:
        floor = self.steps.floor
        entered = floor.total if floor else 0
        page = (
            section_url("enter-results", self.section, number=self.steps.table.after_round)
            if self.steps.table.after_round
            else ""
        )
        if self.steps.adjourned:
            sentence = missing_sentence(self.steps.table.state)
            first = self.steps.table.state.adjourned[0]
            url = f"{section_url('enter-results', self.section, number=first[0])}#board-{first[1]}"
            return sentence, self._run(_("Add result"), _("Enter results"), url), ""
        read = _("Two people have read %(read)s of %(total)s slips.") % {
            "read": floor.verified if floor else 0,
            "total": entered,
        }
        if not self._is_done(LastStep.RESULTS):
            return read, self._run(_("Verify"), _("Verify the rest"), f"{page}#verify"), ""
        sentence = ngettext(
            "The result of the last round is in, and no game is open.",
            "All %(count)s results of the last round are in, and no game is open.",
            entered,
        ) % {"count": entered}
        sentences = f"{sentence} {read}" if floor and floor.verifying else sentence
        return sentences, self._look(_("Open results"), page), ""

    def standings(self) -> StepWords:
        url = section_url("standings", self.section)
        lists = self.steps.lists
        if not self._is_done(LastStep.STANDINGS) and lists:
            publish = section_url("publish-lists", self.section, number=lists.after_round)
            return (
                _("Visitors do not see the final list yet."),
                self._run(
                    pgettext("a list", "Publish"), _("Publish the final standings"), publish, posts=True
                ),
                "",
            )
        if lists and lists.last and not lists.last.withdrawn:
            return published_sentence(lists.last), self._look(_("Show"), url), ""
        return _("The standings are complete, with every result in them."), self._look(_("Show"), url), ""

    def ties(self) -> StepWords:
        if not self.steps.shared:
            return _("No two players share a place."), None, ""
        if self._is_done(LastStep.TIES):
            return (
                _("%(places)s stay shared. %(note)s")
                % {"places": self._places(), "note": self._noted(LastStep.TIES)},
                self._look(_("Show"), section_url("standings", self.section)),
                "",
            )
        sentence = _("%(places)s are equal after %(order)s.") % {
            "places": self._places(),
            "order": order_words(self.section),
        }
        url = f"{section_url('tie-breaks', self.section)}#shared"
        button = StepButton(_("Decide"), _("Decide about shared places"), url)
        return sentence, button if self._changes(Right.DIRECT) else None, ""

    def prizes(self) -> StepWords:
        if not self.section.prizes:
            button = StepButton(
                _("Announce prizes"), _("Announce prizes"), section_url("edit-prizes", self.section)
            )
            return _("No prizes are announced."), button if self._changes(Right.DIRECT) else None, ""
        plan = self.steps.prizes.plan
        count = sum(len(category.prizes) for category in plan.categories)
        sentences = [
            ngettext("%(count)s prize, %(sum)s.", "%(count)s prizes, %(sum)s.", count)
            % {"count": count, "sum": money(plan.fund, plan.currency)}
        ]
        if plan.best_only:
            sentences.append(_("Nobody wins two prizes."))
        if self.steps.contested and not self._is_done(LastStep.TIES):
            sentences.append(_("Shared places affect them."))
        return self._taken(
            LastStep.PRIZES, " ".join(sentences), _("Look through"), _("Look through the prizes"), "prizes"
        )

    def norms(self) -> StepWords:
        if not self.steps.norms.standard:
            return _("Only tournaments with the standard time control have title norms."), None, ""
        near = [self._short(one) for one in self.steps.near[:SHOWN_NEAR]]
        if not self.steps.reached:
            url = section_url("norms", self.section)
            sentences = " ".join([_("No player has reached a title norm."), *near])
            return sentences, self._look(_("Show"), url) if near else None, ""
        reached = READER.listed(
            [
                _("%(name)s (%(title)s)") % {"name": isolated(row.side.name), "title": row.check.norm.title}
                for row in self.steps.reached[:SHOWN_NAMES]
            ],
            longest=SHOWN_NAMES,
        )
        sentences = " ".join([_("All checked conditions are met: %(names)s.") % {"names": reached}, *near])
        sentence, button, _word = self._taken(
            LastStep.NORMS,
            sentences,
            _("Print IT1"),
            _("Print the certificates (IT1)"),
            "print",
            document="certificates",
        )
        count = len(self.steps.reached)
        word = ngettext("%(count)s reached", "%(count)s reached", count) % {"count": count}
        return sentence, button, "" if self._is_done(LastStep.NORMS) else word

    def _short(self, near: NearNorm) -> str:
        sentence = ngettext(
            "%(name)s: %(points)s point too few for the %(title)s norm.",
            "%(name)s: %(points)s points too few for the %(title)s norm.",
            (near.short + 1) // 2,
        )
        return sentence % {
            "name": isolated(near.row.side.name),
            "points": points_text(5 * near.short),
            "title": near.row.check.norm.title,
        }

    def report(self) -> StepWords:
        url = section_url("rating-report", self.section)
        if self.steps.states[LastStep.REPORT] is StepState.NONE:
            sentences = _("No player has an official rating of FIDE.")
            return sentences, self._look(_("Show"), url), ""
        done = self._is_done(LastStep.REPORT)
        lacks = self._missing()
        count = 0 if done else sum(matter.number for matter in self.steps.missing)
        word = ngettext("%(count)s missing", "%(count)s missing", count) % {"count": count} if count else ""
        sentences = " ".join(
            [
                *(lacks or [_("The report lacks nothing.")]),
                *([_("Reopen the section to fill it in.")] if count and self.section.is_closed else []),
            ]
        )
        if count and not self.section.is_closed:
            label = _("Fill in %(count)s") % {"count": count}
            # Whoever has seen what is missing may leave it so: opening the page counts, until something changes.
            url = section_url("last-step", self.section, taken=LastStep.REPORT.value)
            return sentences, self._run(label, _("Fill in what the report lacks"), url, posts=True), word
        sentence, button, _word = self._taken(
            LastStep.REPORT,
            sentences,
            _("Make the report"),
            _("Make the report for rating"),
            "rating-report",
        )
        return sentence, button, word

    def _missing(self) -> Sequence[str]:
        sentences = []
        for matter in self.steps.missing:
            if matter.code == "undated" and self.steps.undated:
                sentence = ngettext(
                    "Round %(rounds)s has no date.",
                    "Rounds %(rounds)s have no date.",
                    len(self.steps.undated),
                )
                sentences.append(sentence % {"rounds": READER.listed(map(str, self.steps.undated))})
            elif matter.code == "no_fide_id":
                names = (isolated(side.name) for side in matter.sides)
                sentence = _("No FIDE ID: %(names)s.")
                sentences.append(sentence % {"names": READER.listed(names, longest=SHOWN_NAMES)})
            else:
                sentences.append(next_step_words(matter, self.section).sentence)
        return sentences

    def paper(self) -> StepWords:
        sentences = (
            _(
                "Standings, crosstable, prizes and receipts, with a line for the signature of the chief arbiter."
            )
            if self.section.prizes
            else _("Standings and crosstable, with a line for the signature of the chief arbiter.")
        )
        sentence, button, _word = self._taken(
            LastStep.PAPER,
            sentences,
            pgettext("paper", "Print"),
            _("Print the final report"),
            "print",
            document="final-report",
        )
        word = "" if self._is_done(LastStep.PAPER) else pgettext("of a document", "Not printed")
        return sentence, button, word

    def archive(self) -> StepWords:
        note = self.steps.notes.get(LastStep.ARCHIVE)
        sentences = _("All lists, rounds and reports in one file, with a copy of the section.")
        if note and not note.holds:
            sentences = _("Something has changed since the last archive. Download it again.")
        sentence, button, word = self._taken(
            LastStep.ARCHIVE, sentences, _("Download"), _("Download the archive"), "archive"
        )
        if self._is_done(LastStep.ARCHIVE):
            button = self._look(_("Download"), section_url("archive", self.section))
        return sentence, button if Right.COPIES in self.rights else None, word

    def close(self) -> StepWords:
        url = section_url("close", self.section)
        if self.section.is_closed:
            reopen = StepButton(_("Reopen"), _("Reopen"), url)
            sentences = " ".join(
                filter(None, [_("Nothing in the section can change."), self._noted(LastStep.CLOSE)])
            )
            return (
                sentences,
                reopen if Right.DIRECT in self.rights else None,
                pgettext("of a section", "Closed"),
            )
        if self.steps.states[LastStep.CLOSE] is StepState.WAITS:
            return _("Waits for step 1: the adjourned games."), None, ""
        sentences = " ".join(
            filter(
                None,
                [
                    open_steps_sentence(self.steps) or _("Nothing else is open."),
                    _("After closing, a correction needs the section to be reopened."),
                ],
            )
        )
        button = StepButton(pgettext("a section", "Close"), _("Close the section"), url)
        return sentences, button if Right.DIRECT in self.rights else None, ""

    def _taken(
        self, step: LastStep, sentence: str, label: str, name: str, page: str, **where: object
    ) -> StepWords:
        """Return the words of a step that counts as done when its page or its paper was opened."""
        if self._is_done(step):
            url = section_url(page, self.section, **where)
            return f"{sentence} {self._noted(step)}", self._look(_("Show"), url), ""
        url = section_url("last-step", self.section, taken=step.value)
        return sentence, self._run(label, name, url, posts=True), ""

    def _is_done(self, step: LastStep) -> bool:
        return self.steps.states[step] is StepState.DONE

    def _noted(self, step: LastStep) -> str:
        note: StepNote | None = self.steps.notes.get(step)
        if note is None:
            return ""
        about = {"at": date_format(localtime(note.at), "j M H:i"), "who": name_words(note.who)}
        if step is LastStep.ARCHIVE:
            return _("Made %(at)s by %(who)s.") % about
        if step in (LastStep.TIES, LastStep.CLOSE):
            return _("Done %(at)s by %(who)s.") % about
        return _("Opened %(at)s by %(who)s.") % about  # nobody but the person knows what became of the paper

    def _places(self) -> str:
        groups = [
            _("Places %(first)s to %(last)s") % {"first": first, "last": last}
            for first, last in self.steps.shared
        ]
        return READER.listed(groups, longest=SHOWN_GROUPS)

    def _run(self, label: str, name: str, url: str, *, posts: bool = False) -> StepButton | None:
        return StepButton(label, name, url, posts) if Right.RUN in self.rights else None

    def _changes(self, right: Right) -> bool:
        return right in self.rights and not self.section.is_closed

    def _look(self, label: str, url: str) -> StepButton | None:
        return StepButton(label, label, url) if url else None
