# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls in the main thread, between two of its instructions.

Recorders may belong to a thread: PyTorch's starts in the one that it records first.
"""

import ctypes
import threading

#: Seconds until the caller's thread does without the main thread, which waits or
#: runs other code than Python's.
PATIENCE = 2

#: Calls that wait, which must live until they ran.
_waiting = []


def run_in_main_thread(function):
    """Calls it there, or here if the main thread is busy; returns when it did, and
    raises what it raises."""
    if threading.current_thread() is threading.main_thread():
        function()
        return
    # Whoever takes it makes the call.
    turn = threading.Lock()
    done = threading.Event()
    errors = []

    def call(_=None):
        if turn.acquire(blocking=False):
            try:
                function()
            except Exception as error:
                errors.append(error)
            finally:
                done.set()
        return 0

    def call_from_main(_):
        _waiting.remove(pending)
        return call()

    pending = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(call_from_main)
    _waiting.append(pending)
    # Nonzero if too many wait already.
    if ctypes.pythonapi.Py_AddPendingCall(pending, None):
        _waiting.remove(pending)
    else:
        done.wait(PATIENCE)
    call()
    done.wait()
    if errors:
        raise errors[0]
