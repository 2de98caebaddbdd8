# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir-prof from Python.

`compile` makes a callable of a model, `record` a profile of its run, and `optimize` a
faster one; `open` reads a profile, and `load` a compiled model. `capture` records a
model in its framework, and `Capture` a program while it runs. `scope` names intervals
of a program and `Profiler` records them. `run` runs the tool itself.

Everything is loaded when it is first used.
"""

from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from . import capture as capture
    from . import torch_backend as torch_backend
    from ._compile import compile as compile
    from ._compiled import Model as Model, ModelError as ModelError
    from ._explanation import Explanation as Explanation
    from ._global import (
        profiler as profiler, reset_profiler as reset_profiler,
        start_profiler as start_profiler, stop_profiler as stop_profiler)
    from ._handlers import (
        export_chrome as export_chrome, export_mlprof as export_mlprof,
        export_paddle_pb as export_paddle_pb,
        export_perfetto as export_perfetto)
    from ._hooks import (
        RecordEvent as RecordEvent, wrap_loader as wrap_loader,
        wrap_optimizers as wrap_optimizers)
    from ._jit import Jit as Jit, jit as jit
    from ._load import load as load
    from ._onnx_session import (
        InferenceSession as InferenceSession, NodeArg as NodeArg)
    from ._optimize import optimize as optimize
    from ._page import Page as Page
    from ._picture import Picture as Picture
    from ._profile import Coverage as Coverage, Profile as Profile, open as open
    from ._profiler import Profiler as Profiler, timeit as timeit
    from ._record import record as record
    from ._race import Race as Race, race as race
    from ._schedule import schedule as schedule
    from ._scopes import (
        Context as Context, begin as begin, end as end, here as here,
        interval as interval, is_on as is_on, scope as scope)
    from ._table import Column as Column, Table as Table
    from ._tasks import (
        bind as bind, follow as follow, task_factory as task_factory)
    from ._types import (
        Event as Event, Role as Role, Row as Row, State as State,
        Thread as Thread, Type as Type)
    from .control import Capture as Capture, analyze as analyze
    from .frontends import FrontEndError as FrontEndError
    from .tool import ToolError as ToolError, find_tool as find_tool, run as run

#: Everything that needs the extension of scopes, by the module that has it.
_SCOPES = {
    "_scopes": ["Context", "begin", "end", "here", "interval", "is_on", "scope"],
    "_types": ["Event", "Role", "Row", "State", "Thread", "Type"],
    "_schedule": ["schedule"],
    "_handlers": ["export_chrome", "export_mlprof", "export_paddle_pb",
                  "export_perfetto"],
    "_profiler": ["Profiler", "timeit"],
    "_global": ["profiler", "reset_profiler", "start_profiler",
                "stop_profiler"],
    "_hooks": ["RecordEvent", "wrap_loader", "wrap_optimizers"],
    "_tasks": ["bind", "follow", "task_factory"],
}

#: Everything else, by its module.
_PUBLIC = {
    "_compile": ["compile"],
    "_compiled": ["Model", "ModelError"],
    "_explanation": ["Explanation"],
    "_jit": ["Jit", "jit"],
    "_load": ["load"],
    "_onnx_session": ["InferenceSession", "NodeArg"],
    "_optimize": ["optimize"],
    "_page": ["Page"],
    "_picture": ["Picture"],
    "_profile": ["Coverage", "Profile", "open"],
    "_record": ["record"],
    "_table": ["Column", "Table"],
    "control": ["Capture", "analyze"],
    "frontends": ["FrontEndError"],
    "_race": ["Race", "race"],
    "tool": ["ToolError", "find_tool", "run"],
}

#: Packages that are names themselves.
_PACKAGES = ("capture", "torch_backend")

_MODULES = {name: module for group in (_SCOPES, _PUBLIC)
            for module, names in group.items() for name in names}

__all__ = [*_PACKAGES, *_MODULES]


def _load_scopes(name: str) -> None:
    try:
        importlib.import_module("._scopes", __name__)
    except ImportError as error:
        raise ImportError(
            f"{__name__}.{name} needs the extension mlir_prof._scopes, which cannot "
            f"be loaded ({error}); hint: install the wheel or build it with pip install "
            "./python in a checkout of mlir-prof, or build the CMake target "
            "mlirprof_python and put <build>/python into PYTHONPATH") from error


def __getattr__(name: str) -> typing.Any:
    if name in _PACKAGES:
        return importlib.import_module(f".{name}", __name__)
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if module in _SCOPES:
        _load_scopes(name)
    value = getattr(importlib.import_module(f".{module}", __name__), name)
    # The next access does not come here.
    globals()[name] = value
    return value


def __dir__() -> typing.List[str]:
    return sorted({*globals(), *__all__})
