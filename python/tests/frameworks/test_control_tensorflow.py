# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of TensorFlow that are recorded while they run."""

import os
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

from common import mlir_prof
from control_common import ControlTest

#: A program that works under TensorFlow's server.
SERVER = """
    import sys, tensorflow as tf
    function = tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ x)))
    x = tf.ones((200, 200))
    function(x)
    tf.profiler.experimental.server.start(int(sys.argv[1]))
    print("ready", flush=True)
    while True:
        function(x).numpy()
"""


class TensorFlow(ControlTest):
    def test_keras(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"),
                                     tf.keras.layers.Dense(8)])
        model.compile("sgd", "mse")
        x, y = tf.ones((256, 128)), tf.ones((256, 8))
        model.fit(x, y, batch_size=64, verbose=0)
        capture = self.make("tensorflow", rotate_steps=3)
        model.fit(x, y, batch_size=64, verbose=0,
                  callbacks=[capture.keras_callback()])
        self.assertEqual([window["steps"] for window in
                          self.get_record(capture)["windows"]], [[0, 1, 2], [3]])
        analysis = capture.analyze()
        self.check_steps(analysis, 4)
        self.assertEqual(self.count(analysis, path=".*", op=".*dense_?[0-9]*/Relu"),
                         4)

    def test_capture_chooses(self):
        captured = mlir_prof.capture(tf.function(tf.tanh), tf.ones((64, 64)),
                                     steps=2, folder=self.scratch / "out")
        self.assertIn("tf.Tanh", captured.mlir.read_text())

    def test_two_servers_are_one_profile(self):
        with self.serving(SERVER, SERVER) as addresses:
            captured = mlir_prof.capture(addresses, duration=0.5,
                                         folder=self.scratch / "out")
        profile = captured.import_profile(self.scratch / "out.mlprof")
        runs = mlir_prof.run("query", profile, "SELECT count(*) AS n FROM ops "
                             "WHERE name = 'Tanh' GROUP BY run", "--format=csv")
        self.assertEqual(runs.split(), ["n", "1", "1"])

    def test_document(self):
        self.run_blocks("import tensorflow")


if __name__ == "__main__":
    unittest.main()
