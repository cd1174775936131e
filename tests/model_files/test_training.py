"""Training with checkpoints: each row is learned once, whatever happens."""

import pytest

import braided
from braided import OLSF, InputError, ModelFileError, registry
from braided.model_files import Position, Training
from braided.model_files.fingerprint import fingerprint
from tests.support.every_learner import EVERY_IN_FILES, new
from tests.support.forge import contents, forge
from tests.support.kill import kill_and_resume
from tests.support.streams_of_rows import long_stream

STREAM = long_stream(seed=9, rounds=200)
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.braided"


def trained(model, path, every=None):
    training = Training(model, path, every=every)
    training.learn(ROWS, LABELS)
    training.finish()
    return path.read_bytes()


@EVERY_IN_FILES
@pytest.mark.parametrize("stop", [0, 1, 64, 199, 200])
def test_a_resumed_training_ends_with_the_same_file(name, stop, path):
    whole = trained(new(name), path)
    path.unlink()
    training = Training(new(name), path, every=10)
    training.learn(ROWS[:stop], LABELS[:stop])
    if path.exists():  # what was learned since the last checkpoint is lost, and learned again
        training = Training.resume(path, every=7)
        assert training.position.rows == stop - stop % 10
    else:
        training = Training(new(name), path, every=7)
    for start in range(0, len(ROWS), 33):
        training.learn(ROWS[start : start + 33], LABELS[start : start + 33], start=start)
    training.finish()
    assert path.read_bytes() == whole


def test_checkpoints_are_written_after_every_so_many_rows(path, monkeypatch):
    saved = []
    training = Training(OLSF(), path, every=64)
    original = training.save
    monkeypatch.setattr(
        training, "save", lambda: (saved.append(training.position.rows), original())
    )
    training.learn(ROWS[:150], LABELS[:150])
    training.learn(ROWS[150:], LABELS[150:])
    training.finish()
    assert saved == [64, 128, 192, 200]
    with pytest.raises(InputError, match="every=0 is not allowed"):
        Training(OLSF(), path, every=0)


def test_repeated_and_delayed_blocks_are_not_learned_twice(path):
    whole = trained(OLSF(), path)
    training = Training(OLSF(), path)
    blocks = [(0, 50), (0, 50), (20, 80), (80, 90), (10, 60), (90, 200), (0, 200)]
    for start, stop in blocks:
        training.learn(ROWS[start:stop], LABELS[start:stop], start=start)
    assert training.model.rounds == 200
    training.finish()
    assert path.read_bytes() == whole


def test_rows_that_come_too_early_are_refused(path):
    training = Training(OLSF(), path)
    training.learn(ROWS[:10], LABELS[:10])
    with pytest.raises(
        InputError, match="row 12 of the stream comes too early: the next one is 10"
    ):
        training.learn(ROWS[12:], LABELS[12:], start=12)
    assert training.model.rounds == 10


@pytest.mark.parametrize(
    "change",
    [
        lambda rows, labels: rows[3].update(f0=0.125),
        lambda rows, labels: rows[3].update(new=1.0),
        lambda rows, labels: rows[90].popitem(),
        lambda rows, labels: labels.__setitem__(3, -labels[3]),
        lambda rows, labels: (rows.insert(0, rows.pop(50)), labels.insert(0, labels.pop(50))),
    ],
)
def test_resuming_with_other_data_is_refused(change, path):
    trained(OLSF(), path)
    before = path.read_bytes()
    rows, labels = [dict(x) for x in ROWS], list(LABELS)
    change(rows, labels)
    training = Training.resume(path)
    with pytest.raises(InputError, match=r"the first 200 rows .* it is another stream"):
        training.learn(rows, labels, start=0)
    assert path.read_bytes() == before


def test_a_shorter_stream_is_refused_and_a_longer_one_learned(path):
    training = Training(OLSF(), path)
    training.learn(ROWS[:150], LABELS[:150])
    training.finish()
    short = Training.resume(path)
    short.learn(ROWS[:100], LABELS[:100], start=0)
    with pytest.raises(InputError, match=r"ends after 100 rows, but .* has learned 150"):
        short.finish()
    longer = Training.resume(path)
    longer.learn(ROWS, LABELS, start=0)
    longer.finish()
    assert longer.model.weights() == OLSF().partial_fit(ROWS, LABELS).weights()


def test_bad_rows_leave_the_last_checkpoint(path):
    training = Training(OLSF(), path, every=10)
    labels = [*LABELS[:25], "third", *LABELS[26:]]
    labels = [str(y) for y in labels]
    with pytest.raises(InputError, match="among rows 20 to 29: row 5: a third label"):
        training.learn(ROWS, labels)
    assert Training.resume(path).position.rows == training.position.rows == 20


def test_files_without_a_position_or_with_an_impossible_one_are_refused(path):
    OLSF().save(path)
    with pytest.raises(ModelFileError, match="has no position"):
        Training.resume(path)
    trained(OLSF(), path)
    assert braided.load(path).rounds == 200
    texts, told, arrays = contents(path)
    for position in (
        "",
        "[]",
        "[1]",
        "[-1,0]",
        "[1,-1]",
        f"[1,{2**64}]",
        "[true,1]",
        "{}",
        "[1,2,3]",
    ):
        forge(path, {**texts, "position": position}, told, arrays)
        with pytest.raises(InputError):
            Training.resume(path)


def test_the_fingerprint_does_not_depend_on_blocks_or_names_of_columns():
    model = OLSF().partial_fit(ROWS, LABELS)
    rows = braided.as_rows(ROWS, LABELS)
    columns = model.engine.space.place(rows, grow=False).indices
    whole = fingerprint(0, rows, columns)
    in_blocks = 0
    for start in range(0, 200, 17):
        piece = braided.as_rows(ROWS[start : start + 17], LABELS[start : start + 17])
        columns = model.engine.space.place(piece, grow=False).indices
        in_blocks = fingerprint(in_blocks, piece, columns)
    assert whole == in_blocks
    assert Position() == (0, 0)


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="processes are forked")
def test_a_training_that_is_killed_and_resumed_ends_with_the_same_file(tmp_path):
    learners = (("olsf", "budget=0.3"), ("ada-rda",))
    assert all(registry.LEARNERS.find(learner[0]) for learner in learners)
    done, _ = kill_and_resume(tmp_path, kills=5, learners=learners, rounds=400)
    assert done == 5
