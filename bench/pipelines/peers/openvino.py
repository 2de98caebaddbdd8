# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from peers.base import Peer


class OpenVino(Peer):
    packages = ["openvino"]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        import openvino
        self.tensor = openvino.Tensor
        # Its default may be bf16.
        settings = {"INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": 1,
                    "INFERENCE_NUM_THREADS": self.threads,
                    "PERFORMANCE_HINT": "LATENCY"}
        core = openvino.Core()
        model = core.read_model(self.problem.onnx(self.folder))
        self.compiled = core.compile_model(model, "CPU", settings)
        self.inference = self.compiled.create_infer_request()

    def prepare(self, request):
        inputs = {name: self.tensor(self.problem.to_onnx(value))
                  for name, value in self.problem.inputs(request).items()}

        def call():
            for name, value in inputs.items():
                self.inference.set_tensor(name, value)
            self.inference.infer()
            return self.inference
        return call

    def results(self, value):
        return [self.problem.from_onnx(value.get_output_tensor(i).data.copy())
                for i in range(len(self.compiled.outputs))]
