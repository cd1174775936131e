"""The container: safetensors, with a checksum, and strict."""

import json
import os

import numpy as np
import pytest

from braided import InputError
from braided.model_files import safetensors as atomic
from braided.model_files import safetensors as tensors

TEXTS = {"b": "1", "a": "2 \u00e9"}
ARRAYS = {
    "small": np.array([1, 2, 3], np.uint8),
    "empty": np.zeros((0, 4)),
    "matrix": np.arange(6.0).reshape(2, 3),
    "cube": np.arange(24, dtype=np.float32).reshape(2, 3, 4),
    "flags": np.array([True, False]),
    "whole": np.array([-1], np.int64),
    "wide": np.array([2**63], np.uint64),
    "narrow": np.array([7, -7], np.int32),
    "single": np.array([0.5], np.float32),
}


@pytest.fixture
def path(tmp_path):
    tensors.write(tmp_path / "a", TEXTS, ARRAYS)
    return tmp_path / "a"


def checked(path):
    with tensors.opened(path) as file:
        file.verify()
        for name, array in ARRAYS.items():
            file.read_into(name, np.empty_like(array))
        return file.texts, file.names


def with_header(path, change):
    """The file with its header changed, and nothing else."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = change(data[8 : 8 + length])
    path.write_bytes(len(header).to_bytes(8, "little") + header + data[8 + length :])


def with_fields(path, change):
    def changed(header):
        fields = json.loads(header)
        change(fields)
        text = json.dumps(fields, separators=(",", ":")).encode()
        return text + b" " * (-len(text) % 8)

    with_header(path, changed)


def test_arrays_and_texts_come_back(path):
    with tensors.opened(path) as file:
        file.verify()
        assert file.texts == TEXTS
        assert file.names == set(ARRAYS)
        for name, array in ARRAYS.items():
            found = np.empty_like(array)
            file.read_into(name, found)
            assert found.tobytes() == array.tobytes()
        assert file.read("narrow", np.int32).tolist() == [7, -7]


def test_other_readers_of_safetensors_can_open_it(path):
    safetensors = pytest.importorskip("safetensors.numpy")
    found = safetensors.load_file(path)
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()


def test_numbers_lie_at_multiples_of_their_width(path):
    with tensors.opened(path) as file:
        assert file.data_start % 8 == 0
        for place in file.places.values():
            assert place.start % place.dtype.itemsize == 0


def test_arrays_need_not_be_contiguous(tmp_path):
    array = np.arange(12.0).reshape(3, 4)[:, ::2]
    tensors.write(tmp_path / "a", {}, {"x": array})
    found = np.empty((3, 2))
    with tensors.opened(tmp_path / "a") as file:
        file.read_into("x", found)
    assert found.tolist() == array.tolist()


@pytest.mark.parametrize("where", [0, 3, 9, 20, 300, -1, -40])
def test_every_flipped_bit_is_found(path, where):
    data = bytearray(path.read_bytes())
    data[where] ^= 4
    path.write_bytes(data)
    with pytest.raises(InputError):
        checked(path)


def test_every_truncation_and_addition_is_found(path):
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(InputError):
            checked(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(InputError, match="added to"):
        checked(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields["matrix"].update(shape=[3, 2**62]),
        lambda fields: fields["matrix"].update(shape=[-2, -3]),
        lambda fields: fields["matrix"].update(shape=[2, 3.0]),
        lambda fields: fields["matrix"].update(shape=[1, 1, 2, 3]),
        lambda fields: fields["matrix"].update(shape=6),
        lambda fields: fields["matrix"].update(dtype="F16"),
        lambda fields: fields["matrix"].update(dtype=["F64"]),
        lambda fields: fields["matrix"].update(data_offsets=[8, 56]),
        lambda fields: fields["matrix"].update(more=1),
        lambda fields: fields["matrix"].pop("dtype"),
        lambda fields: fields.update(matrix=None),
        lambda fields: fields.pop("matrix"),
        lambda fields: fields.update(__metadata__={"a": 1}),
        lambda fields: fields.pop("__metadata__"),
        lambda fields: fields["__metadata__"].pop("sha256"),
        lambda fields: fields["__metadata__"].update(sha256="\u00e9"),
    ],
)
def test_impossible_headers_are_refused(path, change):
    with_fields(path, change)
    with pytest.raises(InputError):
        checked(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda header: b" " + header,
        lambda header: header.rstrip() + b" " * 64,
        lambda header: header.replace(b'"b":"1"', b'"b":"0","b":"1"'),
        lambda header: header.replace(b'"b"', b'"\\u0062"'),
        lambda header: b"[]      ",
        lambda header: b"null    ",
        lambda header: b"[" * 100_000,
        lambda header: header.decode().encode("utf-16"),
    ],
)
def test_headers_in_another_notation_are_refused(path, change):
    with_header(path, change)
    with pytest.raises(InputError):
        checked(path)


def test_headers_that_are_too_long_are_refused(tmp_path):
    with pytest.raises(InputError, match="more than 16777216 bytes"):
        tensors.write(tmp_path / "a", {"a": "x" * 2**24}, {})
    assert os.listdir(tmp_path) == []


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(InputError, match="not a file"), tensors.opened(path):
            pass
    with pytest.raises(FileNotFoundError), tensors.opened(tmp_path / "nothing"):
        pass


def test_flags_that_are_neither_true_nor_false_are_refused(path):
    with tensors.opened(path) as file:
        place = file.data_start + file.places["flags"].start
    data = bytearray(path.read_bytes())
    data[place] = 2
    path.write_bytes(data)
    with tensors.opened(path) as file, pytest.raises(InputError, match="neither true nor false"):
        file.read_into("flags", np.empty(2, np.bool_))


def test_a_write_that_fails_leaves_everything_as_it_was(path):
    before = path.read_bytes()

    def parts():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atomic.replace_file(path, parts())
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["a"]


def test_a_link_stays_a_link(path, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(path)
    atomic.replace_file(link, [b"new"])
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_leftovers_are_removed_and_nothing_else(tmp_path):
    for name in (".m.braided.0a.partial", "m.braided", ".other.0a.partial", ".m.braided.0a"):
        (tmp_path / name).write_text("")
    atomic.remove_leftovers(tmp_path / "m.braided")
    assert sorted(os.listdir(tmp_path)) == [".m.braided.0a", ".other.0a.partial", "m.braided"]
