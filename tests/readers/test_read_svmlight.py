"""Reading svmlight files, and what is said of the faulty ones."""

import bz2
import gzip

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from braided.errors import InputError
from braided.readers.whole_file import read_svmlight


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="data.svm"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


def test_names_are_the_indices_as_written(write):
    rows = read_svmlight(write("1 1:2 30:4\n-1 2:1\n"))
    assert list(rows.dicts()) == [{1: 2.0, 30: 4.0}, {2: 1.0}]
    rows = read_svmlight(write("1 0:2 30:4\n-1 2:1\n"))
    assert list(rows.dicts()) == [{0: 2.0, 30: 4.0}, {2: 1.0}]


def test_written_zeros_are_observed_and_nan_is_not(write):
    rows = read_svmlight(write("1 1:0 2:nan 3:-0.0\n0 2:NaN\n"))
    assert list(rows.dicts()) == [{1: 0.0, 3: 0.0}, {}]


def test_comments_blank_lines_qid_and_bare_labels(write):
    text = "# by hand\n\n+1 qid:3 2:1e-3 # last\n   \n-1\n\t1\t2:5\r\n"
    rows = read_svmlight(write(text))
    assert list(rows.dicts()) == [{2: 0.001}, {}, {2: 5.0}]
    assert rows.labels.tolist() == [1, -1, 1]


@pytest.mark.parametrize(
    ("text", "labels", "kind"),
    [
        ("+1 1:1\n-1.0\n", [1, -1], "i"),
        ("0.5 1:1\n2\n", [0.5, 2.0], "f"),
        ("1e300\n", [1e300], "f"),
    ],
)
def test_whole_labels_are_ints(write, text, labels, kind):
    found = read_svmlight(write(text)).labels
    assert found.tolist() == labels
    assert found.dtype.kind == kind


@pytest.mark.parametrize(
    ("name", "pack"), [("a.svm.gz", gzip.compress), ("a.bz2", bz2.compress), ("a", bytes)]
)
def test_compressed_files(write, name, pack):
    assert len(read_svmlight(str(write(pack(b"1 1:1\n0 2:2\n"), name)))) == 2


def test_reads_what_scikit_learn_writes(tmp_path):
    draws = np.random.default_rng(3)
    X = draws.integers(-99, 99, size=(50, 8)) / 8 * (draws.random((50, 8)) < 0.4)
    path = tmp_path / "dumped.svm"
    dump_svmlight_file(X, np.arange(50) % 2, str(path), zero_based=False)
    rows = read_svmlight(path)
    np.testing.assert_array_equal(rows.to_csr().toarray(), X)
    assert rows.labels.tolist() == (np.arange(50) % 2).tolist()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("spam 1:2", "the label 'spam' is not a finite number"),
        ("1,2 1:2", "the label '1,2' is not a finite number"),
        ("nan 1:2", "the label 'nan' is not a finite number"),
        ("inf 1:2", "the label 'inf' is not a finite number"),
        ("1:2 2:3", "the label '1:2' is not a finite number"),
        ("1 2:3 word", "'word' is not index:value"),
        ("1 two:3", "the index in 'two:3' is not a whole number"),
        ("1 1.5:3", "the index in '1.5:3' is not a whole number"),
        ("1 -1:3", "the index in '-1:3' is not between 0 and 2147483647"),
        ("1 2147483648:3", "the index in '2147483648:3' is not between 0 and 2147483647"),
        ("1 2:3 2:4", "'2:4' repeats the index 2"),
        ("1 5:3 2:4", "'2:4' comes after index 5"),
        ("1 2:x", "the value in '2:x' is not a number"),
        ("1 2:", "the value in '2:' is not a number"),
        ("1 2:3:4", "the value in '2:3:4' is not a number"),
        ("1 2:inf", "the value in '2:inf' is not a finite number up to 1e+100"),
        ("1 2:-1e999", "the value in '2:-1e999' is not a finite number up to 1e+100"),
        ("1 2:1e101", "the value in '2:1e101' is not a finite number up to 1e+100"),
        ("1 2:" + "9" * 70 + "x", "the value in '2:" + "9" * 58 + "...' is not a number"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_fault_names_file_line_and_text(write, line, fault, packed):
    content = f"# first\n1 1:1\n{line}\n0 1:bad too\n".encode()
    path = write(gzip.compress(content), "data.svm.gz") if packed else write(content)
    with pytest.raises(InputError) as caught:
        read_svmlight(path)
    allowed = "allowed: label index:value index:value ..., indices ascending whole numbers from 0"
    assert str(caught.value) == f"{path}, line 3: {fault}; {allowed}"


@pytest.mark.parametrize("fault", ["inf 1:2", "1 2:inf", "1 2:1e101"])
def test_fault_that_scikit_learn_accepts(write, fault):
    with pytest.raises(InputError, match="line 2: "):
        read_svmlight(write(f"1 1:1\n{fault}\n"))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n# at all\n"])
def test_files_without_rows(write, text):
    with pytest.raises(InputError, match=r"data\.svm holds no rows; allowed: label index:value"):
        read_svmlight(write(text))


def test_text_that_is_not_utf8(write):
    with pytest.raises(InputError, match=r"data\.svm, line 2: b'\\xe9' is not UTF-8 text"):
        read_svmlight(write("1 1:1\n1 caf\xe9:2\n".encode("latin-1")))


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(InputError, match=r"gone\.svm: no such file"):
        read_svmlight(tmp_path / "gone.svm")
    with pytest.raises(InputError, match="is a folder, not a file"):
        read_svmlight(tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"1 1:1\n", gzip.compress(b"1 1:1\n" * 1000)[:-12], gzip.compress(b"1 1:1")[:12]],
    ids=["text", "cut off", "head"],
)
def test_gz_that_is_not_whole(write, content):
    with pytest.raises(InputError, match=r"data\.svm\.gz is not a whole gz file: "):
        read_svmlight(write(content, "data.svm.gz"))


def test_gzip_data_under_another_name(write):
    with pytest.raises(InputError, match=r"data\.svm is gzip data; its name must end in \.gz"):
        read_svmlight(write(gzip.compress(b"1 1:1\n")))
