"""check_learner finds each mistake, names the promise, and shows the rows."""

from __future__ import annotations

import subprocess
import sys

import pytest

from braided import OCO, OLSF, InputError, OneVsRest, Scaled
from braided.checks import LEARNER_CHECKS, check_learner, learner_checks
from braided.registry import LearnerEntry
from tests.support import broken_learners
from tests.support.broken_learners import BROKEN
from tests.support.failing_checks import failing
from tests.support.registered import registered

pytest_plugins = ("pytester",)

NAMES = [check.__name__ for check in LEARNER_CHECKS]


@pytest.mark.parametrize(("learner", "check"), BROKEN)
def test_a_mistake_is_found_by_the_check_for_it_and_by_no_other(learner, check):
    files = check == "check_resuming_from_a_file"  # which hold only learners that are registered
    entries = [LearnerEntry("broken", learner, "a learner that is broken")] if files else []
    with registered(*entries):
        found = failing(learner_checks(learner()))
    assert list(found) == [check]
    assert found[check].startswith(f"{learner()!r} breaks a promise: ")
    assert f"check: {check}" in found[check]


def test_every_check_can_fail():
    assert {check for _, check in BROKEN} == set(NAMES)


def test_all_checks_run_up_to_the_first_that_fails():
    with pytest.raises(AssertionError, match="check_any_two_labels") as raised:
        check_learner(broken_learners.PredictsSigns())
    assert "predict_one of row" in str(raised.value)
    assert "with labels 'mail' and 'spam'" in str(raised.value)
    outcome = check_learner(broken_learners.PredictsSigns(), skip=["check_any_two_labels"])
    assert list(outcome) == NAMES
    assert outcome["check_any_two_labels"] == "left out: in skip"
    assert outcome["check_memory_is_reported_honestly"] == "held"


def test_the_fewest_rows_that_show_the_mistake_are_shown():
    with pytest.raises(AssertionError) as raised:
        check_learner(broken_learners.IgnoresItsBudget())
    told = str(raised.value)
    assert "features kept of 4 seen after row 0, with budget=1\n  expected: at most 1\n" in told
    assert told.endswith("rows:\n    0: {'f3': 2.0, 'f0': 1.0, 'f7': 0.0, 'f11': -0.5}, 1")
    with pytest.raises(AssertionError) as raised:
        check_learner(broken_learners.LearnsALargeBlockTwice())
    assert "rows (the last 8 of 21):" in str(raised.value)
    assert "partial_fit of all rows after learn_one: " in str(raised.value)


def test_any_error_breaks_a_promise():
    class Divides(OCO):
        def learn_one(self, x, y):
            super().learn_one(x, 1 / len(x))

    with pytest.raises(AssertionError, match="it raised ZeroDivisionError: ") as raised:
        check_learner(Divides())
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_the_model_itself_is_not_changed():
    model = OLSF(budget=3).partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0])
    outcome = check_learner(model)
    assert outcome["check_a_budget_is_never_exceeded"] == "held"
    assert (model.rounds, model.budget) == (2, 3)


def test_files_are_checked_once_the_learner_is_registered():
    class Mine(OCO):
        """Registered under a name of its own."""

    left_out = "left out: Mine is not registered, so model files can not hold it"
    skip = [name for name in NAMES if name != "check_resuming_from_a_file"]
    assert check_learner(Mine(), skip=skip)["check_resuming_from_a_file"] == left_out
    with registered(LearnerEntry("mine", Mine, "a learner of mine")):
        assert check_learner(Mine(), skip=skip)["check_resuming_from_a_file"] == "held"


def test_learners_made_of_learners_keep_the_same_promises():
    outcome = check_learner(Scaled(OCO(), intercept=True))
    assert {name for name, told in outcome.items() if told == "held"} == set(NAMES) - {
        "check_a_budget_is_never_exceeded"
    }


def test_what_can_not_be_checked_is_refused():
    for wrong in (OCO, None, "oco"):
        with pytest.raises(InputError, match="a learner is checked, as in"):
            check_learner(wrong)
    with pytest.raises(InputError, match="promises of learners for two labels"):
        check_learner(OneVsRest(OCO()))
    with pytest.raises(InputError, match=r"skip='check_memry' is not allowed: choose one of"):
        check_learner(OCO(), skip=["check_memry"])


def test_a_check_is_a_pair_that_pytest_shows_by_its_name(pytester):
    name, run = learner_checks(OCO())[1]
    assert name == "check_before_anything_was_learned"
    assert run() is None
    pytester.makepyfile(
        """
        import pytest
        from braided import OCO
        from braided.checks import learner_checks

        @pytest.mark.parametrize("check", learner_checks(OCO()))
        def test_oco(check):
            check()
        """
    )
    done = pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider")
    done.assert_outcomes(passed=len(NAMES) - 1, skipped=1)
    done.stdout.fnmatch_lines(["*test_oco?check_any_two_labels? PASSED*"])


def test_neither_pytest_nor_hypothesis_is_needed():
    code = (
        "import sys; sys.modules['pytest'] = sys.modules['hypothesis'] = None\n"
        "from braided import OCO\n"
        "from braided.checks import check_learner\n"
        "print(set(check_learner(OCO()).values()) >= {'held'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
