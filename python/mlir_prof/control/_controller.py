# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Controllers: each starts and stops the recorder of one framework."""

import dataclasses
import importlib
import pathlib
import sys
import typing

#: The names of controllers, in the order in which they start. Each has a module.
CONTROLLERS = ["torch", "jax", "tensorflow", "onnxruntime", "paddle", "mindspore",
               "scopes"]


class ControlError(RuntimeError):
    """A recorder cannot be started or stopped, or there is nothing to analyze; the
    text says what to do."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How much is recorded. 0 is nothing, and higher levels are more detail."""

    #: Ops and functions of the framework; from 2 on, also shapes where the
    #: framework has them.
    host_tracer_level: int = 2
    #: Calls of Python functions, and the modules of the model with them.
    python_tracer_level: int = 1
    #: Kernels and copies of devices.
    device_tracer_level: int = 1

    def __post_init__(self):
        for field in dataclasses.fields(self):
            level = getattr(self, field.name)
            if not isinstance(level, int) or level < 0:
                raise ValueError(f"{field.name} is {level!r}; it is a number "
                                 "from 0")


class Controller:
    """Starts and stops the recorder of one framework. It records windows: each has
    a start(), steps, and a stop(), and a folder of its own."""

    #: As in the registry.
    name = ""
    #: The package whose import tells that the program uses the framework.
    package = ""
    #: Whether it records calls of Python functions by Python's hook.
    has_python = False
    #: Whether windows may be written while the program goes on. Else it is started
    #: once, and what it recorded is in the last window.
    has_windows = True
    #: Whether steps in its recording have the numbers that begin_step() gets.
    takes_numbers = True
    #: Patterns of the files that a window leaves, relative to its folder. Files that
    #: match are complete, also if the process was killed.
    files: typing.Sequence[str] = ()

    def __init__(self, settings):
        self.settings = settings
        #: Sentences about what is not recorded as asked.
        self.notes: typing.List[str] = []

    @classmethod
    def is_used(cls):
        """Whether the program has imported the framework."""
        return cls.package in sys.modules

    @classmethod
    def is_substitute(cls):
        """Whether it takes part only where the program uses no other framework."""
        return False

    def start(self, folder):
        """Starts recording; `folder` exists and is empty."""
        raise NotImplementedError

    def begin_step(self, number):
        """Marks the begin of a step in the recording."""

    def end_step(self):
        """Marks the end of the step that was begun."""

    def stop(self, folder):
        """Stops recording, and writes the window into `folder`."""
        raise NotImplementedError

    def get_version(self):
        """The version of the framework, or ""."""
        return str(getattr(sys.modules.get(self.package), "__version__", ""))

    def get_devices(self):
        """The names of the devices of this process. Called after start()."""
        return []

    def get_rank(self):
        """This process and the number of processes of the job, or None if the
        framework does not know them."""
        return None

    @classmethod
    def find_files(cls, folder):
        """The files of a window, sorted."""
        return sorted(path for pattern in cls.files
                      for path in pathlib.Path(folder).glob(pattern))


def load(name):
    """The class of the controller `name`."""
    if name not in CONTROLLERS:
        raise ControlError(f"{name!r} is no controller; hint: one of "
                           f"{', '.join(CONTROLLERS)}")
    return importlib.import_module(f"._{name}", __package__).Recorder


def make_controllers(frameworks, settings):
    """The controllers of `frameworks`, which are names or controllers; None is
    those of all frameworks that the program has imported."""
    if frameworks is None:
        used = [name for name in CONTROLLERS if load(name).is_used()]
        frameworks = [name for name in used
                      if not load(name).is_substitute()] or used
    elif isinstance(frameworks, str):
        frameworks = [frameworks]
    made = []
    without_python = dataclasses.replace(settings, python_tracer_level=0)
    for framework in frameworks:
        if not isinstance(framework, Controller):
            kind = load(framework)
            # Python's hook serves one recorder only.
            hooked = kind.has_python and any(
                other.has_python and other.settings.python_tracer_level
                for other in made)
            framework = kind(without_python if hooked else settings)
        made.append(framework)
    return made
