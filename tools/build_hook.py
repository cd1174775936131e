"""Hatchling's hook: with BRAIDED_KERNELS=1 the wheel has compiled kernels (see ``kernels.py``)."""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):  # type: ignore[misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        wanted = os.environ.get("BRAIDED_KERNELS", "0")
        if wanted == "0" or version == "editable":
            return
        sys.path.insert(0, self.root)
        from tools.kernels import compile_into

        self.folder = tempfile.TemporaryDirectory()
        names = [] if wanted == "1" else wanted.split(",")  # of learners: a smaller wheel
        compile_into(Path(self.folder.name), names)
        build_data["force_include"][self.folder.name] = "braided/compiled/shipped_kernels"
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"{python}-{python}-{machine}"
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()
