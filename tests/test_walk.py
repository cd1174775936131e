"""Through how many files a call walks, and that the docs tell what is so today."""

from __future__ import annotations

import subprocess
import sys

from tools.walk import ROOT


def test_calls_stay_within_their_limits_and_the_docs_tell_them():
    # In a process of its own: what was imported or called before would not be seen again.
    command = [sys.executable, "-m", "tools.walk", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
