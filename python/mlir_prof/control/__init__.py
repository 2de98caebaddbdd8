# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a program that runs, by the recorders of its frameworks.

`Capture` starts and stops them; `analyze` makes one profile of what all ranks
recorded. A controller is a module of this package with a class `Recorder`, a
subclass of Controller, for one framework. To add one, add a file and its name in
_controller.py.
"""

from ._analysis import Analysis, analyze
from ._capture import Capture
from ._controller import CONTROLLERS, Controller, ControlError, Settings

__all__ = ["Analysis", "CONTROLLERS", "Capture", "ControlError", "Controller",
           "Settings", "analyze"]
