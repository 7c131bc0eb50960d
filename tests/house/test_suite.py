"""How the suite runs: as the README says, with no second try, in a random order (docs/decisions/0005)."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest
from django.db import DatabaseError, connection, transaction

from evenboard_engine.tests.branches import HERE, REACH_NO_MORE, measured, of_this_run, report
from tests.costs import A_LONG_RUN, EVERY, MOST, SLOW, Ends, Progress, few_reports, slow_first, slowest_files
from tests.factories import EventFactory, PlayerFactory, SectionFactory, UserFactory
from tests.statements import Recorder, Sent, few_that_send_all, read_sent, shortened
from tests.web.conftest import ON_BOTH
from tournaments.models import Event

pytestmark = pytest.mark.one_database

FACTORIES = (EventFactory, PlayerFactory, SectionFactory, UserFactory)
STARTING = (".ci/run", "Makefile", "run.py", "pyproject.toml")
"""The files that decide with which options pytest starts."""

WITH_A_REASON = {
    ("waiting.py", "time.sleep(0.01)"): "between two looks at the fact",
    (
        "waiting.py",
        'assert time.monotonic() < end, f"did not come: {what}"',
    ): "ends a hang, after ten minutes",
    ("house/test_lanes.py", "def sleep(self, seconds: float) -> None:"): "moves the stopped clock on",
    ("house/test_lanes.py", "time.sleep(seconds)"): "the same: the lanes look again and again while they end",
    (
        "actions/test_chores.py",
        'script.write_text("import time; time.sleep(3600)")',
    ): "a command that is ended",
    (
        "bench/test_peers.py",
        r'script.write_text("import time\ntime.sleep(60)\n", encoding="utf-8")',
    ): "a peer that is ended",
    ("actions/test_webhook_messages.py", "while not over.wait(0.05):"): "drips until it is given up",
    ("web/public/test_shared_caches.py", "over.wait(0.02)"): "lets the others ask; nothing is expected of it",
}


def texts(root: Path, *names: str) -> str:
    return "\n".join((root / name).read_text() for name in names)


@pytest.fixture(scope="class")
def ten_thousand_names() -> None:
    """Count on from 10,000, as after many tests. A fixture of a class runs before those of a test."""
    for factory in FACTORIES:
        factory.reset_sequence(10_000)


@pytest.mark.usefixtures("ten_thousand_names")
def test_names_do_not_depend_on_how_many_were_made_before() -> None:
    made = EventFactory.build(), SectionFactory.build(), PlayerFactory.build()
    assert [one.name for one in made] == ["Event 0", "Section 0", "Surname0000, Given"]
    assert UserFactory.build().username == "user0"


def test_ci_runs_exactly_the_command_of_the_readme_on_sqlite(root: Path) -> None:
    [command] = re.findall(
        r"^    (python3 run\.py test\b.*?) {2,}Windows:", texts(root, "README.md"), re.MULTILINE
    )
    steps = re.findall(r"^step 'suite on SQLite' (.*)$", texts(root, ".ci/run"), re.MULTILINE)
    assert steps == [command] == ["python3 run.py test"]
    assert "PYTEST_ADDOPTS" not in texts(root, *STARTING)


def test_ci_measures_the_branches_of_the_engine_in_its_run_of_the_suite(root: Path) -> None:
    words = r"^(?!#).*(?:MEASURED|step 'suite on SQLite'|every branch').*$"
    assert re.findall(words, texts(root, ".ci/run"), re.MULTILINE) == [
        "export MEASURED=$scratch/measured",
        'mkdir "$MEASURED"',
        "step 'suite on SQLite' python3 run.py test",
        "step 'engine, every branch' .venv/bin/python -m evenboard_engine.tests.branches",
        "step 'suite on PostgreSQL' env -u MEASURED SENT=\"$MEASURED\" .venv/bin/python -m tests.machine \\",
    ]


def test_statements_differ_only_by_what_they_do() -> None:
    one = shortened('SELECT "a" FROM "b" WHERE "b"."c" IN (%s, %s) AND "d" = 7')
    assert one == shortened('SELECT "a" FROM "b" WHERE "b"."c" IN (%s, %s, %s) AND "d" = 12')
    assert one != shortened('SELECT "a" FROM "b" WHERE "b"."c" IN (%s, %s) AND "e" = 7')
    assert shortened("INSERT INTO t VALUES (%s, %s), (%s, %s)") == shortened("INSERT INTO t VALUES (%s, %s)")


def test_few_tests_send_every_statement() -> None:
    sent = {
        "dear": Sent(frozenset("abc"), 9),
        "cheap": Sent(frozenset("ab"), 1),
        "same": Sent(frozenset("ab"), 2),
        "last": Sent(frozenset("cd"), 1),
        "none": Sent(frozenset(), 1),
    }
    assert few_that_send_all(sent) == {"cheap", "last"}
    assert few_that_send_all(sent, already="cd") == {"cheap"}


@pytest.mark.django_db
def test_statements_of_a_test_are_written_down(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "statements-1.jsonl")
    with connection.execute_wrapper(recorder.note):
        recorder.begin()
        Event.objects.filter(slug="open").count()
        recorder.end("first")
        recorder.begin()
        Event.objects.filter(slug="rapid").count()
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM missing")
        recorder.end("second")
    first, second = (one.statements for one in read_sent(tmp_path).values())
    assert len(first) == 1
    assert first < second


def test_branches_that_no_test_reaches_fail_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEASURED", str(tmp_path))
    coverage = of_this_run()
    assert coverage is not None
    with measured(coverage):
        pass
    coverage.save()
    assert report(tmp_path) == 1


def test_tests_that_are_not_measured_exist() -> None:
    """Nor is one of them named beside its file or folder."""
    for name in REACH_NO_MORE:
        file, _, function = name.partition("::")
        assert (HERE / file).exists(), name
        assert not function or f"\ndef {function}(" in (HERE / file).read_text("utf-8"), name
        assert not REACH_NO_MORE & {*map(str, Path(name).parents), file if function else ""}, name


def test_modules_of_pages_that_run_on_both_databases_exist(root: Path) -> None:
    assert [pattern for pattern in ON_BOTH if not list((root / "tests" / "web").glob(pattern))] == []


def test_no_test_has_a_second_try(root: Path) -> None:
    """Neither a plugin that repeats a test, nor an option or a mark for one."""
    starting = texts(
        root, *STARTING, "requirements-dev.txt", "tests/conftest.py", "tests/browser/conftest.py"
    )
    assert re.findall("rerun|flaky|pytest-retry|--lf|--last-failed", starting) == []


def test_order_of_the_tests_is_random(root: Path) -> None:
    assert len(re.findall("^pytest-randomly==", texts(root, "requirements-dev.txt"), re.MULTILINE)) == 1
    assert re.findall("no:randomly|randomly-dont|randomly-seed|no:xdist", texts(root, *STARTING)) == []


def test_files_that_take_longest_are_named_with_the_seconds_of_their_tests() -> None:
    def spent(file: str, when: str, seconds: float) -> pytest.TestReport:
        return pytest.TestReport(
            f"tests/{file}.py::test_it[1::2]", ("", 0, ""), {}, "passed", None, when, duration=seconds
        )

    many = [spent(f"test_{number:02}", "call", number) for number in range(MOST + 2)]
    fixtures = [spent("test_01", "setup", 20.5), spent("test_01", "teardown", 1), spent("test_01", "call", 2)]
    found = slowest_files([*many, *fixtures])
    assert found[:2] == [(24.5, 2, "tests/test_01.py"), (11, 1, "tests/test_11.py")]
    assert [file for _seconds, _tests, file in found[2:]] == [
        f"tests/test_{number:02}.py" for number in range(10, 2, -1)
    ]


def test_a_long_run_says_how_far_it_is_and_how_long_it_still_takes() -> None:
    def ended(*, slow: bool = False, when: str = "teardown", outcome: str = "passed") -> pytest.TestReport:
        found = pytest.TestReport("t.py::t", ("", 0, ""), {"slow": 1} if slow else {}, outcome, None, when)
        found.slow_tests = 2
        return found

    progress = Progress(1000, began=100)
    assert progress.line_after(ended(slow=True), 100 + EVERY - 1) == ""
    assert progress.line_after(ended(when="call", outcome="failed"), 100 + EVERY) == ""
    share = (SLOW + 1) / (998 + 2 * SLOW)
    line = progress.line_after(ended(), 100 + 120)
    assert line == f"{share:4.0%}  2 of 1,000 tests, 1 failed, about {2 * (1 - share) / share:.0f} min left"
    assert progress.line_after(ended(), 100 + 120 + EVERY - 1) == ""
    assert not Progress(A_LONG_RUN - 1, began=0).is_long


@pytest.mark.parametrize("failing", [None, "setup", "call", "teardown"])
def test_a_test_that_passes_sends_one_report_and_another_one_all(failing: str | None) -> None:
    """Each counts once in the progress of the run."""
    reports = [
        pytest.TestReport(
            "t.py::t",
            ("", 0, ""),
            {},
            "failed" if when == failing else "passed",
            None,
            when,
            duration=seconds,
        )
        for when, seconds in (("setup", 1), ("call", 2), ("teardown", 4))
    ]
    sent = few_reports(reports)
    assert [(report.when, report.duration) for report in sent] == (
        [("setup", 1), ("call", 2), ("teardown", 4)] if failing else [("call", 7)]
    )
    progress = Progress(1000, began=0)
    lines = [progress.line_after(report, EVERY) for report in sent]
    assert [line.partition(", about")[0] for line in lines if line] == [
        f"{1 / 1000:4.0%}  1 of 1,000 tests, {int(failing is not None)} failed"
    ]


def test_slow_tests_count_as_slow_after_a_report_that_does_not_say_how_many_there_are() -> None:
    def ended(slow_tests: int | None) -> pytest.TestReport:
        found = pytest.TestReport("t.py::t", ("", 0, ""), {}, "passed", None, "teardown")
        if slow_tests is not None:
            found.slow_tests = slow_tests
        return found

    progress = Progress(1000, began=0)
    assert progress.line_after(ended(10), 1) == ""
    assert progress.line_after(ended(None), EVERY).startswith(f"{2 / (990 + 10 * SLOW):4.0%}  2 of 1,000")


def test_a_run_says_how_long_each_process_was_idle_at_its_end() -> None:
    ends = Ends()
    ends.note("gw0", 1)
    assert ends.line() == ""
    ends.note("gw1", 9)
    ends.note("gw0", 6.5)
    assert ends.line() == "idle at the end, process by process: 2.5 s, 0.0 s"


def test_slow_tests_begin_first_in_the_order_that_was_drawn() -> None:
    def test(name: str) -> mock.Mock:
        return mock.Mock(get_closest_marker={"slow": True if name.startswith("slow") else None}.get)

    items = {name: test(name) for name in ("quick 2", "slow 2", "quick 1", "slow 1")}
    order = list(items.values())
    slow_first(order)
    assert order == [items[name] for name in ("slow 2", "slow 1", "quick 2", "quick 1")]


def test_tests_wait_for_no_fixed_time_and_measure_none(root: Path) -> None:
    """A slow machine must not change what a test finds. `tests/waiting.py` waits for a fact."""
    timed = re.compile(
        r"\bsleep\(|wait_for_timeout|\.wait\([\d.]+\)|\.join\((?:timeout=)?[\d.]+\)|\bwait\(.*timeout=\d"
        r"|(?:monotonic|perf_counter|process_time|time)\(\) - \w+(?:\.\w+)* *[<>]|monotonic\(\) *[<>]|\.result\(\d"
        r"|[<>]=? *(?:time\.)?(?:monotonic|perf_counter|process_time|time)\(\)"
    )
    found = {
        (str(file.relative_to(root / "tests")), line.strip())
        for file in (root / "tests").rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if timed.search(line) and file.name != "test_suite.py"
    }
    assert found == set(WITH_A_REASON)
