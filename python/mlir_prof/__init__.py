# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mlir-prof from Python.

`mlir_prof.scope` names intervals and `mlir_prof.Profiler` records them;
`mlir_prof.capture` records a model in its framework and writes the MLIR to
which the profile belongs; `mlir_prof.run` runs the tool itself.
"""

from . import capture
from .tool import ToolError, find_tool, run

#: Everything that needs the extension, by the module that has it.
_SCOPES = {
    "_scopes": ["Context", "begin", "end", "here", "is_on", "record", "scope"],
    "_types": ["Event", "Role", "Row", "State", "Thread", "Type"],
    "_schedule": ["schedule"],
    "_handlers": ["export_chrome", "export_mlprof", "export_paddle_pb",
                  "export_perfetto"],
    "_profiler": ["Profiler", "timeit"],
    "_results": ["Profile"],
    "_global": ["profiler", "reset_profiler", "start_profiler",
                "stop_profiler"],
    "_hooks": ["RecordEvent", "wrap_loader", "wrap_optimizers"],
    "_tasks": ["bind", "follow", "task_factory"],
}

__all__ = ["ToolError", "capture", "find_tool", "run",
           *(name for names in _SCOPES.values() for name in names)]

try:
    from . import _scopes
except ImportError as error:
    _reason = str(error)

    def __getattr__(name):
        if any(name in names for names in _SCOPES.values()):
            raise ImportError(
                f"mlir_prof.{name} needs the extension mlir_prof._scopes, which "
                f"cannot be loaded ({_reason}); hint: build it with pip install "
                "./python in a checkout of mlir-prof, or build the CMake target "
                "mlirprof_python and put <build>/python into PYTHONPATH")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
else:
    from ._global import (profiler, reset_profiler, start_profiler,
                          stop_profiler)
    from ._handlers import (export_chrome, export_mlprof, export_paddle_pb,
                            export_perfetto)
    from ._hooks import RecordEvent, wrap_loader, wrap_optimizers
    from ._profiler import Profiler, timeit
    from ._results import Profile
    from ._schedule import schedule
    from ._scopes import Context, begin, end, here, is_on, record, scope
    from ._tasks import bind, follow, task_factory
    from ._types import Event, Role, Row, State, Thread, Type
