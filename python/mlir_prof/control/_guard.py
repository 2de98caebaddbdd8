# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends a recording when the process ends."""

import atexit
import os
import signal
import sys
import threading

#: Signals that ask a process to end, and are not exceptions in Python.
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP")
           if hasattr(signal, name)]


class Guard:
    """Calls finish(reason) at the end of the process, and when a signal ends it.
    Handlers of the program's own run afterwards."""

    def __init__(self, finish):
        self._finish = finish
        self._before = {}
        self._pid = os.getpid()

    def install(self):
        atexit.register(self._at_exit)
        # Only the main thread may set handlers.
        if threading.current_thread() is not threading.main_thread():
            return
        for number in SIGNALS:
            before = signal.getsignal(number)
            # None: another language's handler. Ignored ones end nothing.
            if before is not None and before != signal.SIG_IGN:
                self._before[number] = before
                signal.signal(number, self._on_signal)

    def remove(self):
        atexit.unregister(self._at_exit)
        if threading.current_thread() is not threading.main_thread():
            return
        while self._before:
            number, before = self._before.popitem()
            # The program may have set its own meanwhile, which may call this one.
            if signal.getsignal(number) == self._on_signal:
                signal.signal(number, before)

    def _at_exit(self):
        if os.getpid() == self._pid:
            error = getattr(sys, "last_value", None)
            self._finish("" if error is None else
                         f"{type(error).__name__}: {error}")

    def _on_signal(self, number, frame):
        before = self._before.get(number, signal.SIG_DFL)
        if os.getpid() == self._pid:
            self._finish(signal.Signals(number).name,
                         lambda: self._pass_on(number, frame, before))
        else:
            self._pass_on(number, frame, before)

    def _pass_on(self, number, frame, before):
        if callable(before):
            before(number, frame)
        elif before == signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
