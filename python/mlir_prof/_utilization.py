# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How busy the processors were."""

from __future__ import annotations

import os
import time
import typing


def _read_system() -> typing.Tuple[int, int]:
    """Busy and all ticks of all processors; zeros where nothing tells them."""
    try:
        with open("/proc/stat", "rb") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
    except (OSError, ValueError):
        return 0, 0
    return sum(ticks) - sum(ticks[3:5]), sum(ticks)


class Utilization:
    """The use of the processors between start() and stop()."""

    def __init__(self) -> None:
        #: Parts of the time of all processors, 1 for all of it; or None.
        self.process: typing.Optional[float] = None
        self.system: typing.Optional[float] = None

    def start(self) -> None:
        self._process = time.process_time()
        self._wall = time.perf_counter()
        self._system = _read_system()

    def stop(self) -> None:
        wall = (time.perf_counter() - self._wall) * (os.cpu_count() or 1)
        if wall > 0:
            self.process = (time.process_time() - self._process) / wall
        busy, every = (now - then for now, then in
                       zip(_read_system(), self._system))
        if every > 0:
            self.system = busy / every
