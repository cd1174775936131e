"""Errors of the library name arguments; on the command line they name flags."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import streams
from braided.cli.errors import in_flags, one_line
from braided.errors import InputError, argument
from braided.parameters import check_choice, check_share, check_whole
from braided.targets import Labels

FLAGS = {"null": "--null", "many_classes": "--many-classes", "chunks": "--chunks"}


def test_an_argument_inside_a_message_becomes_its_flag():
    error = InputError(f"say so ({argument('null')}), or not ({argument('other')})")
    assert str(error) == "say so (argument 'null'), or not (argument 'other')"
    assert in_flags(error, FLAGS) == "say so (--null), or not (argument 'other')"


@pytest.mark.parametrize(
    ("value", "in_library", "on_command_line"),
    [
        ("rest", "argument many_classes='rest'", "--many-classes rest"),
        ("?", "argument many_classes='?'", "--many-classes '?'"),
        ("a b", "argument many_classes='a b'", "--many-classes 'a b'"),
        ("it's", 'argument many_classes="it\'s"', '--many-classes "it\'s"'),
    ],
)
def test_a_value_stays_with_its_argument(value, in_library, on_command_line):
    error = InputError(f"use {argument('many_classes', value)} then")
    assert str(error) == f"use {in_library} then"
    assert in_flags(error, FLAGS) == f"use {on_command_line} then"


def test_a_refused_value_is_named_by_its_flag():
    with pytest.raises(InputError) as refused:
        check_whole("chunks", 0, 1)
    assert str(refused.value).startswith("chunks=0 is not allowed: an int from 1")
    assert in_flags(refused.value, FLAGS).startswith("--chunks=0 is not allowed: an int from 1")
    for check in (lambda: check_share("x", 2), lambda: check_choice("x", 1, (2,))):
        with pytest.raises(InputError) as refused:
            check()
        assert refused.value.argument == "x"
        assert in_flags(refused.value, FLAGS) == str(refused.value)


def test_words_that_only_look_like_an_argument_stay():
    error = InputError("chunks=3.csv, line 4: null=? and argument null")
    assert in_flags(error, FLAGS) == str(error)


def test_an_error_from_another_process_names_flags_too():
    error = pickle.loads(pickle.dumps(InputError("chunks=0 is not allowed", argument="chunks")))
    assert in_flags(error, FLAGS) == "--chunks=0 is not allowed"


@given(st.text(), st.sampled_from([None, *FLAGS]))
def test_any_message_is_one_line(text, name):
    shown = one_line(InputError(text, argument=name), FLAGS)
    assert len(shown.splitlines()) <= 1


CSV = "age,pet,label\n1,cat,yes\n2,dog,no\nold,cat,yes\n"


@pytest.mark.parametrize(
    ("options", "flags", "in_library", "on_command_line"),
    [
        ({"label": "lable"}, ["--label", "lable"], "(argument 'label')", "(--label)"),
        ({"strict": True}, ["--strict"], "argument 'null' tells which", "--null tells which"),
        (
            {"label": "pet", "category": "pet"},
            ["--label", "pet", "--category", "pet"],
            "can not be both: argument 'label' and argument 'category'",
            "can not be both: --label and --category",
        ),
        (
            {"format": "svmlight", "null": ["?"]},
            ["--format", "svmlight", "--null", "?"],
            "argument 'null': not for the format svmlight",
            "--null: not for the format svmlight",
        ),
        ({"on_error": "stop"}, ["--on-error", "stop"], "on_error='stop'", "--on-error='stop'"),
        (
            {"on_error": "quarantine"},
            ["--on-error", "quarantine"],
            "argument on_error='quarantine' and",
            "--on-error quarantine and",
        ),
    ],
)
def test_the_same_error_on_both_sides(
    refused, tmp_path, options, flags, in_library, on_command_line
):
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    with pytest.raises(InputError) as error:
        streams.read(path, **options).rows()
    assert in_library in str(error.value)
    assert "--" not in str(error.value)
    shown = refused("evaluate", path, *flags)
    assert on_command_line in shown
    assert "argument" not in shown


def test_a_label_that_stands_for_none(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("age,label\n1,yes\n2,no\n3,unknown\n4,?\n")
    with pytest.raises(InputError, match=r"argument null='unknown'.*allow_any_labels"):
        Labels().check(streams.read(path).rows().labels)
    Labels().check(streams.read(path, null="unknown").rows().labels)


def test_parameters_of_learners_are_those_of_their_flag(refused):
    told = refused("evaluate", "german", "--learner", "olsf", "--set", "seed=-1")
    assert told.startswith("--set seed=-1 is not allowed")
    told = refused("compare", "german", "--learners", "olsf:seed=-1")
    assert told.startswith("--learners olsf:seed=-1: seed=-1 is not allowed")
    told = refused("compare", "german", "--learners", "olsf:budget")
    assert told.startswith("--learners olsf:budget: 'budget' is not allowed: write name=value")
    told = refused("tune", "german", "--set", "seed=-1", "--grid", "budget=1,2")
    assert told.startswith("--set seed=-1 is not allowed")
    told = refused("tune", "german", "--grid", "budget=0,2")
    assert told.startswith("--grid budget=0 is not allowed")
