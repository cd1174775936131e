"""``braided evaluate``."""

import gzip
import json
import statistics

import numpy as np
import pytest

from braided import OLSF, datasets, streams
from braided.cli import options
from braided.evaluate import prequential
from braided.registry import SHAPES
from braided.streams.offline_scaling import scaled

KEYS = {
    "data",
    "learner",
    "params",
    "stream",
    "rounds",
    "repeats",
    "mistakes_mean",
    "mistakes_std",
    "error_rate_mean",
}
REPEAT = {
    "seed",
    "mistakes",
    "error_rate",
    "features_seen",
    "features_kept",
    "seconds",
    "unlabelled",
    "diverged",
}


@pytest.fixture
def evaluated(braided):
    """The JSON object of a run that succeeds, of OLSF if no learner is named."""

    def run(*args):
        chosen = () if "--learner" in args else ("--learner", "olsf")
        code, out, err = braided("evaluate", *args, *chosen, "--json")
        assert (code, err) == (0, "")
        return json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))

    return run


@pytest.fixture
def rows(tmp_path):
    """An svmlight file with two labels and some noise."""
    draws = np.random.default_rng(1)
    path = tmp_path / "rows.svm"
    with path.open("w") as file:
        for _ in range(200):
            x = draws.normal(size=4).round(3)
            label = 3 if x[0] + x[1] + draws.normal() / 2 > 0 else 2
            file.write(f"{label} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(x)) + "\n")
    return path


def mistakes(found):
    return [repeat["mistakes"] for repeat in found["repeats"]]


# --- what comes out -----------------------------------------------------------------------------


def test_json_has_the_promised_keys_and_figures(evaluated):
    found = evaluated("german", "--stream", "trapezoidal", "--repeats", 3, "--seed", 7)
    assert found.keys() >= KEYS
    assert found["data"] == "german"
    assert found["learner"] == "olsf"
    assert found["stream"] == "trapezoidal"
    assert found["stream_parameters"] == {"chunks": 10}
    assert found["rounds"] == 1000
    assert [repeat["seed"] for repeat in found["repeats"]] == [7, 8, 9]
    for repeat in found["repeats"]:
        assert repeat.keys() == REPEAT
        assert repeat["error_rate"] == repeat["mistakes"] / 1000
        assert 55 <= repeat["features_seen"] <= 61
    assert found["mistakes_mean"] == statistics.mean(mistakes(found))
    assert found["mistakes_std"] == pytest.approx(statistics.stdev(mistakes(found)))
    assert found["error_rate_mean"] == pytest.approx(found["mistakes_mean"] / 1000)


def test_same_as_the_library(evaluated):
    german = datasets.load("german")
    X = scaled(german.X, "zscore+unit")
    expected = [
        prequential(
            OLSF(variant="II", budget=0.2, radius=30, selection="random", seed=seed),
            streams.capricious(X, german.y, missing=0.3, seed=seed),
        )
        for seed in (4, 5)
    ]
    found = evaluated(
        *("german", "--learner", "olsf-ii", "--set", "budget=0.2", "--set", "radius=30"),
        *("--set", "selection=random", "--stream", "capricious", "--missing", "0.3"),
        *("--scale", "zscore+unit", "--repeats", 2, "--seed", 4),
    )
    assert mistakes(found) == [result.mistakes for result in expected]
    assert found["repeats"][1]["features_kept"] == expected[1].features_kept


@pytest.mark.parametrize("stream", SHAPES.names())
def test_every_stream_repeats_as_often_as_it_makes_sense(evaluated, rows, stream):
    found = evaluated(rows, "--stream", stream)
    assert len(found["repeats"]) == (1 if stream == "given" else 20)
    assert mistakes(found) == mistakes(evaluated(rows, "--stream", stream))
    if stream == "given":
        assert found["mistakes_std"] == 0.0


@pytest.mark.parametrize("stream", ["given", "capricious", "evolvable"])
def test_block_size_changes_nothing(evaluated, rows, stream):
    found = [
        mistakes(evaluated(rows, "--stream", stream, "--repeats", 2, "--block", block))
        for block in (1, 7, 64, 1024)
    ]
    assert found.count(found[0]) == len(found)


def test_aliases(evaluated, rows):
    for alias, variant in [("olsf-i", "I"), ("olsf-ii", "II"), ("stsd", "hard"), ("stsd-i", "I")]:
        found = evaluated(rows, "--learner", alias)
        assert found["learner"] == alias
        assert found["params"]["variant"] == variant
        assert mistakes(found) == mistakes(evaluated(rows, "--set", f"variant={variant}"))


def test_budget_as_a_number_and_as_a_share(evaluated, rows):
    one, share = evaluated(rows, "--set", "budget=1"), evaluated(rows, "--set", "budget=1.0")
    assert one["repeats"][0]["features_kept"] == 1
    assert share["repeats"][0]["features_kept"] == 4
    assert evaluated(rows, "--set", "radius=inf")["params"]["radius"] == "inf"


def test_seed_of_the_learner(evaluated, rows):
    def run(*more):
        random = ("--set", "selection=random", "--set", "budget=2")
        return evaluated(rows, *random, "--stream", "given", "--repeats", 4, *more)

    found = run()
    assert len(set(mistakes(found))) > 1
    assert "seed" not in found["params"]
    assert mistakes(run("--seed", 1))[:3] == mistakes(found)[1:]
    fixed = run("--set", "seed=2")
    assert fixed["params"]["seed"] == 2
    assert mistakes(fixed) == [mistakes(found)[2]] * 4


def test_options_of_streams_reach_them(evaluated, rows):
    trapezoidal = evaluated(rows, "--stream", "trapezoidal", "--chunks", 4, "--repeats", 1)
    assert trapezoidal["stream_parameters"] == {"chunks": 4}
    options = ("--generations", 4, "--overlap", 5, "--vanish", "gradual")
    evolvable = evaluated(rows, "--stream", "evolvable", *options, "--repeats", 1)
    expected = {"generations": 4, "overlap": 5, "vanish": "gradual"}
    assert evolvable["stream_parameters"] == expected
    share = evaluated(rows, "--stream", "evolvable", "--overlap", "0.5", "--repeats", 1)
    assert share["stream_parameters"]["overlap"] == 0.5


def test_absent_values(evaluated, tmp_path):
    path = tmp_path / "gaps.svm"
    path.write_text("1 1:1 9:1\n-1 1:-1\n" * 5)
    assert evaluated(path)["absent"] == "unobserved"
    assert evaluated(path)["repeats"][0]["features_seen"] == 2
    assert evaluated(path, "--absent", "zero")["repeats"][0]["features_seen"] == 9
    # A z-score takes absent values as zero, whatever was asked; the record says so.
    assert evaluated(path, "--scale", "zscore")["absent"] == "zero"


@pytest.mark.usefixtures("rows")
def test_people_see_a_table(braided):
    code, out, err = braided("evaluate", "rows.svm", "--stream", "fixed", "--repeats", 2)
    assert (code, err) == (0, "")
    for expected in ("rows.svm", "200 rounds", "fixed", "braid: ", "mistakes", " ± "):
        assert expected in out
    assert "variant=I" in braided("evaluate", "rows.svm", "--learner", "olsf").out
    late = braided("evaluate", "rows.svm", "--delay", 5).out
    assert "label_memory=false" in late
    assert "label_memory=true" in braided("evaluate", "rows.svm").out
    assert " ± " not in braided("evaluate", "rows.svm").out


def test_reader_and_learner_are_made_once_for_each_run(evaluated, rows, monkeypatch):
    made = []

    def count(what, owner, name):
        make = getattr(owner, name)

        def counted(*args, **options):
            made.append(what)
            return make(*args, **options)

        monkeypatch.setattr(owner, name, counted)

    count("reader", streams, "read")
    count("learner", options.learner, "create")
    evaluated(rows)
    assert sorted(made) == ["learner", "reader"]
    made.clear()
    evaluated(rows, "--stream", "fixed", "--repeats", 3, "--many-classes", "rest")
    assert sorted(made) == ["learner", "learner", "learner", "reader"]


# --- data ---------------------------------------------------------------------------------------


def test_packed_file_and_relative_path(evaluated, rows, tmp_path):
    packed = tmp_path / "rows.svm.gz"
    packed.write_bytes(gzip.compress(rows.read_bytes()))
    assert mistakes(evaluated("rows.svm.gz")) == mistakes(evaluated(rows))


def test_known_name_goes_before_a_file_of_that_name(evaluated, rows, tmp_path):
    rows.rename(tmp_path / "german")
    assert evaluated("german")["rounds"] == 1000
    assert evaluated("./german")["rounds"] == 200


def test_file_with_unobserved_values_and_bare_labels(evaluated, tmp_path):
    path = tmp_path / "gaps.svm"
    path.write_text("1 1:nan 2:3\n-1 1:4\n1\n")
    (repeat,) = evaluated(path)["repeats"]
    assert repeat["features_seen"] == 2


def test_file_with_one_label(evaluated, tmp_path):
    for label in (-1, 0, 1, 7):
        path = tmp_path / "one.svm"
        path.write_text(f"{label} 1:1\n" * 5)
        # The first score is 0, a mistake; all others are on the right side.
        assert mistakes(evaluated(path)) == [1]


@pytest.mark.parametrize("shape", [(), ("--stream", "trapezoidal", "--repeats", "1")])
def test_rows_without_a_label_are_predicted_only(evaluated, refused, tmp_path, shape):
    path, none = tmp_path / "a.csv", tmp_path / "none.csv"
    rows = ["1,2,x", "2,1,y", "3,,", "4,5,gone", "5,1,y", "6,1,x"]
    path.write_text("\n".join(["a,b,label", *rows]))
    found = evaluated(path, "--null", "gone", *shape)
    assert (found["rounds"], found["repeats"][0]["unlabelled"]) == (6, 2)
    assert found["repeats"][0]["error_rate"] == found["repeats"][0]["mistakes"] / 4
    none.write_text("a,b,label\n1,2,\n2,1,NA\n")
    assert "no row has a label" in refused("evaluate", none, *shape)
    none.write_text("a,b\n1,2\n2,1\n")
    assert "has no column 'label'" in refused("evaluate", none, *shape)


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "holds no rows"),
        ("1 1:1\n-1 2:inf\n", "line 2: the value in '2:inf' is not a finite number"),
        ("1 1:1\nnan 2:1\n", "line 2: the label 'nan' is not a finite number"),
        ("1 1:1\n-1 x:1\n", "line 2: the index in 'x:1' is not a whole number"),
        ("1 1:1\n2 1:1\n3.5 1:1\n", "3.5 can not be a class (Unknown label type: continuous)"),
    ],
)
def test_faulty_files(refused, tmp_path, content, fault):
    path = tmp_path / "faulty.svm"
    path.write_text(content)
    assert fault in refused("evaluate", path)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--learner", "ollsf"], "no learner 'ollsf' (did you mean 'olsf'?): choose one of braid"),
        (["--set", "budget"], "--set 'budget' is not allowed: write name=value"),
        (
            ["--learner", "olsf", "--set", "budgt=1"],
            "olsf: no parameter 'budgt' (did you mean 'budget'?): choose",
        ),
        (
            ["--learner", "olsf", "--set", "budget=0"],
            "budget=0 is not allowed: an int of at least 1",
        ),
        (["--learner", "olsf", "--set", "budget=nan"], "budget=nan is not allowed"),
        (
            ["--learner", "olsf", "--set", "variant=3"],
            "variant=3 is not allowed: choose one of 'hard', 'I', 'II'",
        ),
        (["--learner", "olsf", "--set", "seed=-1"], "seed=-1 is not allowed"),
        (["--learner", "stsd", "--set", "variant=I"], "stsd means variant='hard'"),
        (
            ["--stream", "fixd"],
            "no stream shape 'fixd' (did you mean 'fixed'?): choose one of given",
        ),
        (["--chunks", "3"], "--chunks is not for --stream given, which takes no options"),
        (
            ["--stream", "evolvable", "--missing", "0.1"],
            "--missing is not for --stream evolvable, which takes --generations, --overlap, --van",
        ),
        (["--stream", "trapezoidal", "--chunks", "0"], "--chunks=0 is not allowed: an int from 1"),
        (["--stream", "capricious", "--missing", "2"], "--missing=2.0 is not allowed: a number fr"),
        (["--stream", "evolvable", "--overlap", "x"], "--overlap='x' is not allowed"),
        (["--stream", "evolvable", "--vanish", "x"], "--vanish='x' is not allowed: choose one of"),
        (["--stream", "evolvable", "--generations", "99"], "--generations=99 is not allowed"),
        (["--scale", "log"], "--scale='log' is not allowed: choose one of 'none', 'zscore',"),
        (["--absent", "nan"], "--absent='nan' is not allowed: choose one of 'unobserved', 'zero'"),
        (["--repeats", "0"], "'--repeats'"),
        (["--repeats", "many"], "'--repeats'"),
        (["--seed", "-1"], "'--seed'"),
        (["--block", "0"], "'--block'"),
        (["--frob"], "No such option: --frob; see 'braided evaluate --help'"),
        (["--learner"], "--learner"),
        (["more"], "more"),
    ],
)
def test_wrong_names_and_values(refused, args, message):
    assert message in refused("evaluate", "german", *args)


def test_missing_data(refused, tmp_path):
    assert "DATA" in refused("evaluate")
    for path in ("gone.svm", "./gone", str(tmp_path / "gone")):
        message = refused("evaluate", path)
        assert f"{path}: no such file; DATA is the path of a file (svmlight, csv," in message
        assert "german" in message
    assert "is a folder, not a file" in refused("evaluate", tmp_path)


def test_unknown_dataset(refused, monkeypatch):
    def fail(*args, **options):
        raise OSError("no route to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fail)
    assert "german" in refused("evaluate", "germany")


def test_holdout_counts_the_rest_only(evaluated):
    whole = evaluated("splice", "--stream", "fixed", "--repeats", "1")
    tested = evaluated("splice", "--stream", "fixed", "--repeats", "1", "--holdout", "0.8")
    assert (whole["rounds"], tested["rounds"]) == (3190, 638)
    assert tested["repeats"][0]["error_rate"] < whole["repeats"][0]["error_rate"]


def test_delay_metrics_and_curve(evaluated):
    german = datasets.load("german")
    expected = prequential(OLSF(), streams.given(german.X, german.y), delay=30, every=400)
    found = evaluated("german", "--delay", 30, "--metrics", "auc,f1", "--every", 400)
    (repeat,) = found["repeats"]
    assert found["delay"] == 30
    assert repeat["mistakes"] == expected.mistakes
    assert repeat["auc"] == expected.metric("auc")
    assert [point["round"] for point in repeat["curve"]] == [400, 800, 1000]
    at = [400, 800, 1000]
    for name in ("error_rate", "auc", "f1"):
        curve, recent = expected.curve(name, at=at), expected.curve(name, 400, at)
        assert [point[name] for point in repeat["curve"]] == curve.tolist()
        assert [point[f"recent_{name}"] for point in repeat["curve"]] == recent.tolist()
    assert repeat["curve"][0]["features_kept"] == expected.snapshots[0].features_kept
    for name, baseline in expected.baselines.items():
        assert found["baselines"][name]["error_rate_mean"] == baseline.error_rate


def test_all_metrics(evaluated, rows):
    (repeat,) = evaluated(rows, "--metrics", "all", "--learner", "oco")["repeats"]
    assert {"log_loss", "auc", "kappa", "sparsity", "memory_bytes"} <= repeat.keys()


def test_table_has_baselines_and_metrics(braided, rows):
    code, out, _ = braided("evaluate", rows, "--metrics", "kappa", "--delay", 5)
    assert code == 0
    for words in ("majority class", "last label", "kappa", "5 rounds late"):
        assert words in out
    assert "diverged" not in out


def test_a_diverged_learner_is_named(braided, rows, monkeypatch):
    learn = OLSF.prequential
    monkeypatch.setattr(OLSF, "prequential", lambda self, X: learn(self, X) * np.nan)
    code, out, err = braided("evaluate", rows, "--learner", "olsf", "--repeats", 3)
    assert code == 0
    assert err.startswith("warning: olsf diverged on")
    assert "(--learner scaled+...)" in err
    assert "diverged" in out
    assert "3 of 3 repeats" in out
    assert "1.0000" in out
    code, out, err = braided("compare", rows, "--learners", "olsf", "--repeats", 2)
    assert code == 0
    assert err.startswith("warning: olsf diverged on")


def test_wrong_delay_metrics_and_every(refused):
    assert "--delay" in refused("evaluate", "german", "--delay", "-1")
    assert "no metric 'accuracy'" in refused("evaluate", "german", "--metrics", "auc,accuracy")
    assert "--holdout freezes" in refused("evaluate", "german", "--holdout", "0.5", "--delay", "2")
    assert "--every" in refused("evaluate", "german", "--every", "0")
