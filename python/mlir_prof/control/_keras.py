# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of Keras."""

import sys


def make_callback(capture):
    """A keras.callbacks.Callback that controls `capture`."""
    keras = sys.modules.get("keras")
    if keras is None:
        from tensorflow import keras

    class Steps(keras.callbacks.Callback):
        """Records while the model trains; each batch is a step."""

        def on_train_begin(self, logs=None):
            capture.start()

        def on_train_batch_end(self, batch, logs=None):
            capture.step()

        def on_train_end(self, logs=None):
            capture.stop()

    return Steps()
