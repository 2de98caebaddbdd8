# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO."""

import collections

from ._contestant import Base, Recording

FORMS = ("onnx",)

#: The key of the names of the nodes that became one.
ORIGINS = "originalLayersNames"


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import openvino
        self.openvino = openvino
        self.version = openvino.__version__.split("-")[0]
        self.model = self.compile(False)
        self.request = self.model.create_infer_request()

    def compile(self, counts):
        """The model, with the times of its nodes if `counts`."""
        return self.openvino.Core().compile_model(str(self.path), "CPU", {
            "INFERENCE_NUM_THREADS": self.threads, "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32", "PERF_COUNT": counts})

    def call(self):
        return self.request.infer(list(self.inputs))

    def results(self):
        return list(self.call().values())

    def record(self, folder, calls):
        model = self.compile(True)
        request = model.create_infer_request()
        origins = {node.get_friendly_name(): str(node.get_rt_info()[ORIGINS].astype(str))
                   for node in model.get_runtime_model().get_ops()
                   if ORIGINS in node.get_rt_info()}
        times = collections.Counter()
        request.infer(list(self.inputs))
        for _ in range(calls):
            request.infer(list(self.inputs))
            for info in request.get_profiling_info():
                # Microseconds, as a timedelta.
                picoseconds = round(info.real_time.total_seconds() * 1e12)
                times[info.node_name] += picoseconds
        return Recording(calls, sets=[
            (list(filter(None, origins.get(name, name).split(","))) or [name], time)
            for name, time in times.items() if time])
