# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from peers.base import Peer
from problems import to_channels_first, to_channels_last


class OnnxRuntime(Peer):
    packages = ["onnxruntime"]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        import onnxruntime
        self.value = onnxruntime.OrtValue.ortvalue_from_numpy
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            self.problem.onnx(self.folder), options, ["CPUExecutionProvider"])
        self.outputs = [self.session.get_outputs()[0].name]

    def prepare(self, request):
        inputs = {name: self.value(to_channels_first(value)) for name, value
                  in self.problem.inputs(request).items()}
        return lambda: self.session.run_with_ort_values(self.outputs, inputs)

    def to_numpy(self, value):
        return to_channels_last(value[0].numpy())
