"""What is said while compiling."""

import os
import subprocess
import sys
import time

import pytest

from braided.compiled import notice

LEARN = """
from braided import OCO
OCO().learn_one({"a": 1.0}, 1)
"""

SLOWLY = "from braided.compiled import notice; notice.PATIENCE = 0.05" + LEARN


def learn(code, cache, **settings):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), notice.QUIET: "0", **settings}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stderr


def test_a_line_only_when_something_is_compiled(tmp_path):
    line = "braided: compiling OCO for this machine, once ...\n"
    assert line in learn(SLOWLY, tmp_path)
    assert learn(SLOWLY, tmp_path) == ""


def test_what_is_compiled_is_said_in_plain_words(tmp_path):
    path = tmp_path / "rows.vw"
    path.write_text("1 |a b\n")
    code = f"{SLOWLY}\nfrom braided.streams import read\nread({str(path)!r}).rows()"
    said = learn(code, tmp_path)
    assert "compiling the reader of files for" in said
    assert "Arrays" not in said


def test_no_line_if_it_should_be_quiet(tmp_path):
    assert learn(SLOWLY, tmp_path, **{notice.QUIET: "1"}) == ""


def test_where_nothing_can_be_kept_it_is_said_once(tmp_path):
    no_locator = """
from numba.core.caching import CacheImpl
CacheImpl._locator_classes = []
"""
    said = learn(no_locator + LEARN, tmp_path)
    assert said.count(notice.NO_FOLDER) == 1
    assert "once" not in said


def test_a_disk_that_is_full_is_no_error(tmp_path):
    full = """
from numba.core.caching import IndexDataCacheFile
def save(self, key, data):
    raise OSError(28, "No space left on device")
IndexDataCacheFile.save = save
"""
    assert notice.NO_FOLDER in learn(full + LEARN, tmp_path)


@pytest.fixture
def spoken(monkeypatch, capsys):
    monkeypatch.delenv(notice.QUIET, raising=False)
    monkeypatch.setattr(notice, "PATIENCE", 0.02)
    return lambda: capsys.readouterr().err


def busy(seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


def test_what_is_quick_is_not_said(spoken, monkeypatch):
    monkeypatch.setattr(notice, "PATIENCE", 5.0)
    with notice.compiling("Toy"):
        busy(0.01)
    assert spoken() == ""


def test_what_is_compiled_within_something_is_not_said(spoken):
    before = len(notice.COMPILED)
    with notice.compiling("Toy"), notice.compiling("inner"):
        busy(0.3)
    said = spoken()
    assert "compiling Toy" in said
    assert "inner" not in said
    assert [what for what, _ in notice.COMPILED[before:]] == ["Toy"]
    assert notice.COMPILED.pop()[1] >= 0.3


def test_waiting_is_not_compiling(spoken):
    with notice.compiling("Toy"):
        time.sleep(0.2)
    notice.COMPILED.pop()
    assert "Toy" not in spoken()
