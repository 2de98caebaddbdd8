# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from peers.base import Peer


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
        self.outputs = [one.name for one in self.session.get_outputs()]

    def prepare(self, request):
        # Passing values by name costs tens of microseconds of Python per call.
        binding = self.session.io_binding()
        for name, value in self.problem.inputs(request).items():
            binding.bind_ortvalue_input(
                name, self.value(self.problem.to_onnx(value)))
        for name in self.outputs:
            binding.bind_output(name, "cpu")

        def call():
            self.session.run_with_iobinding(binding)
            return binding
        return call

    def results(self, value):
        return [self.problem.from_onnx(one)
                for one in value.copy_outputs_to_cpu()]
