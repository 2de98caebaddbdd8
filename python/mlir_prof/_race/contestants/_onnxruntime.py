# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime."""

from ._contestant import Base, Recording

FORMS = ("onnx",)


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import onnxruntime
        self.version = onnxruntime.__version__
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"])
        self.feed = {value.name: array
                     for value, array in zip(self.session.get_inputs(), inputs)}

    def call(self):
        return self.session.run(None, self.feed)

    def record(self, folder, calls):
        from ...capture import onnx as capture
        captured = capture(self.path, self.feed, folder / "capture",
                           threads=self.threads, weights=False, steps=calls)
        return Recording(calls, captured.import_profile(folder / "ort.mlprof"))
