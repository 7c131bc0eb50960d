"""Many seeds to a test case: pytest spends more time on a case than a short test does."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps

import pytest

Test = Callable[..., None]


def for_seeds(count: int, in_a_case: int = 50) -> Callable[[Test], Test]:
    """Run `test(seed, ...)` for the seeds 0 to `count` - 1, `in_a_case` of them in one test case.

    A failure names its seed. Other arguments of the test are fixtures, as usual.
    """

    def decorate(test: Test) -> Test:
        @wraps(test)
        def case(first: int, **fixtures: object) -> None:
            for seed in range(first, min(first + in_a_case, count)):
                try:
                    test(seed, **fixtures)
                except BaseException as failure:
                    failure.add_note(f"seed {seed}")
                    raise

        signature = inspect.signature(test)
        seed, *fixtures = signature.parameters.values()
        case.__signature__ = signature.replace(parameters=[seed.replace(name="first"), *fixtures])  # type: ignore[attr-defined]
        del case.__wrapped__  # type: ignore[attr-defined]  # pytest would read the arguments of the test itself
        return pytest.mark.parametrize("first", range(0, count, in_a_case))(case)

    return decorate
