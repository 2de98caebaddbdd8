# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TensorFlow."""

from ._contestant import Base, Recording

FORMS = ("saved_model",)


class Contestant(Base):
    def __init__(self, path, inputs, threads):
        super().__init__(path, inputs, threads)
        import tensorflow
        self.version = tensorflow.__version__
        tensorflow.config.threading.set_intra_op_parallelism_threads(threads)
        tensorflow.config.threading.set_inter_op_parallelism_threads(1)
        self.tensorflow = tensorflow
        self.loaded = tensorflow.saved_model.load(str(path))
        self.function = self.loaded.signatures["serving_default"]
        names = self.function.structured_input_signature[1]
        self.feed = {name: tensorflow.constant(array)
                     for name, array in zip(sorted(names), inputs)}

    def call(self):
        return self.tensorflow.nest.flatten(self.function(**self.feed))

    def record(self, folder, calls):
        from ...capture import tensorflow as capture
        function = self.tensorflow.function(lambda: self.function(**self.feed))
        captured = capture(function, folder=folder / "capture", steps=calls)
        return Recording(calls, captured.import_profile(folder / "tf.mlprof"))
