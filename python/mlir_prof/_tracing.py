# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of Python functions as scopes: sys.monitoring where there is one, else
the hook of profilers."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
import typing

from . import _scopes

_lock = threading.Lock()
_users = 0
_tool = None
_hook_of_threads = None


def _begin_monitoring():
    monitoring = sys.monitoring
    # The number of profilers first, then those that nobody else has.
    for number in (monitoring.PROFILER_ID, 3, 4, 0, 1, 5):
        if monitoring.get_tool(number) is None:
            break
    else:
        raise RuntimeError("all tools of sys.monitoring are in use, so that "
                           "calls of functions cannot be recorded")
    monitoring.use_tool_id(number, "mlir-prof")
    events = monitoring.events
    begins = (events.PY_START, events.PY_RESUME, events.PY_THROW)
    ends = (events.PY_RETURN, events.PY_YIELD, events.PY_UNWIND)
    for event in begins:
        monitoring.register_callback(number, event, _scopes.trace_begin)
    for event in ends:
        monitoring.register_callback(number, event, _scopes.trace_end)
    monitoring.set_events(number, sum(begins + ends))
    return number


def _end_monitoring(number):
    monitoring = sys.monitoring
    monitoring.set_events(number, 0)
    events = monitoring.events
    for event in (events.PY_START, events.PY_RESUME, events.PY_THROW,
                  events.PY_RETURN, events.PY_YIELD, events.PY_UNWIND):
        monitoring.register_callback(number, event, None)
    monitoring.free_tool_id(number)


def _trace_new_thread(*unused):
    """The first call in a new thread."""
    if _users:
        _scopes.trace_thread()


def begin() -> None:
    """Records calls from now on; begins nest."""
    global _users, _tool, _hook_of_threads
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("calls of functions cannot be recorded in a "
                           "free-threaded build")
    with _lock:
        if _users:
            _users += 1
            return
        if hasattr(sys, "monitoring"):
            _tool = _begin_monitoring()
        elif sys.getprofile() is not None:
            raise RuntimeError("another profiler has Python's hook, so that "
                               "calls of functions cannot be recorded")
        _users = 1
        _scopes.trace_leave_out(os.path.dirname(__file__) + os.sep)
        if _tool is None:
            _hook_of_threads = threading._profile_hook
            threading.setprofile(_trace_new_thread)
            _scopes.trace_thread()


def end() -> None:
    global _users, _tool
    with _lock:
        _users -= 1
        if _users:
            return
        if _tool is not None:
            _end_monitoring(_tool)
            _tool = None
        else:
            _scopes.untrace_thread()
            threading.setprofile(_hook_of_threads)
        _scopes.trace_finish()
