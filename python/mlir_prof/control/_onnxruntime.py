# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime, by the profiling of its sessions.

A session records from its creation on, if its options say so. So sessions that are
created while the recording runs are recorded; others are counted.
"""

import pathlib
import shutil
import weakref

from ._controller import Controller

#: Sessions that were created since the first controller.
_sessions = weakref.WeakSet()


class Recorder(Controller):
    name = package = "onnxruntime"
    files = ["session_*.json"]
    takes_numbers = False
    # A session stops recording for good.
    has_windows = False

    def __init__(self, settings):
        super().__init__(settings)
        self._original = None
        self._recorded = []

    def start(self, folder):
        import onnxruntime
        self._recorded = []
        kind = onnxruntime.InferenceSession
        original = self._original = kind.__init__
        earlier = len(_sessions)
        if earlier:
            self.notes.append(f"onnxruntime: {earlier} sessions are older than the "
                              "recording and are not in it; hint: start() before "
                              "they are created")

        def create(session, model, sess_options=None, *arguments, **named):
            options = sess_options or onnxruntime.SessionOptions()
            is_ours = not options.enable_profiling
            if is_ours:
                options.enable_profiling = True
                options.profile_file_prefix = str(
                    folder / f".session_{len(self._recorded)}")
            original(session, model, options, *arguments, **named)
            _sessions.add(session)
            if is_ours:
                # Else the user's next session would write the same file.
                options.enable_profiling = False
                self._recorded.append(session)

        kind.__init__ = create

    def stop(self, folder):
        import onnxruntime
        onnxruntime.InferenceSession.__init__ = self._original
        for number, session in enumerate(self._recorded):
            written = pathlib.Path(session.end_profiling())
            shutil.move(written, folder / f"session_{number}.json")
        self._recorded = []

    def get_devices(self):
        import onnxruntime
        return [onnxruntime.get_device()]
