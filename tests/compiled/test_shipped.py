"""A wheel with compiled kernels: a quick first start, and the same bits."""

import json
import os
import resource
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from braided.compiled import shipped

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed"),
    pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="not a checkout"),
]

LEARN = """
import hashlib
import numpy as np
from braided import OCO
from braided.compiled.notice import COMPILED

model = OCO(schedule="adaptive")
random = np.random.default_rng(5)
for row in random.normal(size=(300, 9)):
    x = {f"f{number}": float(value) for number, value in enumerate(row) if value > -1}
    model.learn_one(x, int(row[0] > 0.2 * row[1]))
model.save("m.braided")
with open("m.braided", "rb") as file:
    print(hashlib.sha256(file.read()).hexdigest(), len(COMPILED))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder of a package from a wheel with compiled kernels of one learner."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    built = subprocess.run(
        [*command, "--no-index", "--wheel-dir", str(folder), str(ROOT)],
        env={**os.environ, "BRAIDED_KERNELS": "oco"},
        capture_output=True,
        text=True,
    )
    if "No module named pip" in built.stderr:
        pytest.skip("pip is not installed")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    assert "none-any" not in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site, folder, **settings):
    """What the learner's model is, how much was compiled, and the CPU seconds it took."""
    path = os.pathsep.join([str(site), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(folder), **settings}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-c", LEARN], env=environment, cwd=folder, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == 0, ran.stderr
    digest, functions = ran.stdout.split()
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return digest, int(functions), seconds


def test_first_start_compiles_nothing_and_results_are_the_same_bits(installed, tmp_path):
    folders = [tmp_path / name for name in ("shipped", "native")]
    for folder in folders:
        folder.mkdir()
    digest, functions, seconds = run(installed, folders[0])
    of_this_cpu, compiled_here, longer = run(
        installed, folders[1], **{shipped.OFF: "0", "BRAIDED_QUIET": "1"}
    )
    if not functions:  # else the CPU is older than the baseline
        assert seconds < longer
    assert compiled_here > 0
    assert digest == of_this_cpu


@pytest.mark.parametrize(
    "changed", [{"numba": "0.1"}, {"llvmlite": "0.1"}, {"python": "cpython-01"}, {"svml": None}]
)
def test_code_that_was_compiled_otherwise_is_left_alone(installed, tmp_path, changed):
    manifest = installed / "braided/compiled/shipped_kernels" / shipped.MANIFEST
    text = manifest.read_text()
    try:
        manifest.write_text(json.dumps({**json.loads(text), **changed}))
        assert not fits(manifest.parent)
    finally:
        manifest.write_text(text)


def test_code_for_a_better_cpu_is_left_alone(installed):
    manifest = installed / "braided/compiled/shipped_kernels" / shipped.MANIFEST
    text = manifest.read_text()
    try:
        manifest.write_text(json.dumps({**json.loads(text), "needs": ["a feature of tomorrow"]}))
        assert not fits(manifest.parent)
        manifest.write_text(json.dumps({**json.loads(text), "needs": []}))
        assert fits(manifest.parent)
    finally:
        manifest.write_text(text)


def test_a_package_without_kernels_has_none(tmp_path):
    assert not fits(tmp_path)


def fits(folder):
    shipped.can_run.cache_clear()
    try:
        return shipped.can_run(folder)
    finally:
        shipped.can_run.cache_clear()
