"""Count which branches of the pairing engine its tests reach: of the Dubov and Dutch Systems and the matching.

If MEASURED names a directory, coverage is on while pytest runs a test of this folder that reaches more there than
others, and each process writes what it has seen into this directory. So CI measures in its run of the suite, and
`python -m evenboard_engine.tests.branches` only reports. Without MEASURED, this command first runs these tests. It
fails if a branch was not reached.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

from coverage import Coverage

PACKAGES = (
    "evenboard_engine.matching",
    "evenboard_engine.systems.dubov.explaining",
    "evenboard_engine.systems.dubov.pairing",
    "evenboard_engine.systems.dutch.explaining",
    "evenboard_engine.systems.dutch.pairing",
    "evenboard_engine.systems.relaxing",
)
REACH_NO_MORE = {
    "regulations",
    "rules/test_concerns.py",
    "rules/test_variants.py",
    "systems/dubov1997",
    "systems/dutch/test_against_literal_search.py",
    "systems/dutch/test_checking.py::test_own_rounds_agree_and_others_differ",
    "systems/dutch/test_floats.py",
    "systems/dutch/test_literal_search.py",
    "systems/dutch/test_quick.py::test_both_methods_pair_alike",
    "systems/dutch/test_quick.py::test_counting_gives_the_least_misses_and_the_pairs_that_reach_them",
    "systems/dutch/test_quick.py::test_first_transposition_by_kinds_is_the_first_legal_one",
    "systems/dutch/test_truth.py::test_everything_that_is_said_is_true",
    "systems/round_robin",
    "systems/test_toy_engine.py",
    "systems/uschess",
    "test_against_brute_force.py",
    "test_brute_force.py",
    "test_check_command.py",
    "test_checker.py::test_any_report_is_checked_or_refused",
    "test_checker.py::test_generated_rounds_have_no_difference",
    "test_checker.py::test_wrong_pairs_of_a_bracket_are_reported_with_the_oracle_s_pairs",
    "test_checker.py::test_wrong_upfloaters_are_reported_with_the_oracle_s_criterion",
    "test_command_line.py",
    "test_contradictions.py",
    "test_explain_command.py",
    "test_explanation_truth.py",
    "test_explanation_words.py",
    "test_fairness.py",
    "test_generate_command.py",
    "test_generator.py",
    "test_groups_apart.py",
    "test_matching.py::test_cheapest_matching_may_leave_optional_vertices_single",
    "test_matching.py::test_cheapest_perfect_matching_is_the_cheapest",
    "test_matching.py::test_matching_has_maximum_size",
    "test_matching_by_kind.py::test_both_solvers_find_the_same_cost",
    "test_matching_by_kind.py::test_first_set_across_with_odd_sets_of_positive_weight",
    "test_matching_by_kind.py::test_lower_ends_of_a_cheapest_matching_are_worth_least",
    "test_matching_by_kind.py::test_starting_prices_do_not_change_the_cost",
    "test_pairing_tiebreaker.py",
    "test_prizes.py",
    "test_properties.py",
    "test_quick.py",
    "test_relax.py",
    "test_set_verdicts.py::test_large_set_of_upfloaters_has_verdicts_for_the_players_not_chosen",
    "test_set_verdicts.py::test_trace_names_some_players_and_counts_the_others",
    "test_shifters.py::test_shifts_are_the_first_ones_that_can_be_paired",
    "test_sparse.py",
    "test_standings_check.py",
    "test_standings_command.py",
    "test_tiebreak_changes.py",
    "test_tiebreak_definitions.py",
    "test_tiebreak_sum_words.py",
    "test_tiebreak_sums.py",
    "test_tiebreaks.py",
    "test_trace.py::test_trace_has_the_pairs_and_colours_of_the_round",
    "test_us_chess_tiebreaks.py",
    "test_why_not.py::test_best_round_with_the_two_loses_by_the_named_article",
    "trf",
}
"""Folders, files and tests of what is not pairing, of the other systems, and long comparisons, which reach only what
others reach too: coverage would only make them slower. The others are measured. A test that fills a cache which others
of its file use is measured if they are.
"""

HERE = Path(__file__).parent


def of_this_run() -> Coverage | None:
    """Return what measures this process, None if MEASURED names no directory."""
    directory = os.environ.get("MEASURED")
    return _coverage(Path(directory), of_process=True) if directory else None


def reaches_more(test: Path, function: str = "") -> bool:
    """Return whether a test is measured; without `function`, whether a test of this file is."""
    if not test.is_relative_to(HERE):
        return False
    name = test.relative_to(HERE)
    parts = (f"{name.as_posix()}::{function}", *map(str, (name, *name.parents)))
    return not REACH_NO_MORE.intersection(parts)


@contextmanager
def measured(coverage: Coverage) -> Iterator[None]:
    coverage.start()
    try:
        yield
    finally:
        coverage.stop()


def _coverage(directory: Path, *, of_process: bool) -> Coverage:
    file = directory / "branches"
    coverage = Coverage(
        data_file=file, data_suffix=of_process, branch=True, source_pkgs=list(PACKAGES), config_file=False
    )
    # a process of the suite may get no test that reaches one of the packages
    coverage.set_option(
        "run:disable_warnings", ["module-not-imported", "module-not-measured", "no-data-collected"]
    )
    return coverage


def run_tests(directory: Path) -> int:
    """Run the measured tests alone, on all cores, and return the exit status of pytest."""
    tests = [str(test) for test in sorted(HERE.rglob("test_*.py")) if reaches_more(test)]
    command = [sys.executable, "-m", "pytest", "--numprocesses=auto", "--dist=worksteal", *tests]
    return subprocess.run(command, env={**os.environ, "MEASURED": str(directory)}, check=False).returncode


def report(directory: Path) -> int:
    """Print what the processes have not reached. Return 1 if this is a line or a branch."""
    seen = _coverage(directory, of_process=False)
    with measured(seen):  # the lines that an import runs: in the suite, that is before any test
        for package in PACKAGES:
            for found in walk_packages(getattr(import_module(package), "__path__", []), prefix=f"{package}."):
                import_module(found.name)
    seen.combine([str(directory)], keep=True)
    return 0 if seen.report(show_missing=True, skip_covered=True) == 100 else 1


def main() -> int:
    if directory := os.environ.get("MEASURED"):
        return report(Path(directory))
    with TemporaryDirectory() as alone:
        return run_tests(Path(alone)) or report(Path(alone))


if __name__ == "__main__":
    sys.exit(main())
