# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of PyTorch, JAX and ONNX Runtime that are recorded while they run."""

import os
import subprocess
import sys
import textwrap
import unittest
import warnings

import jax
import jax.numpy as jnp
import numpy
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper

from common import mlir_prof
from control_common import ControlTest

warnings.simplefilter("ignore")

#: A program that works under JAX's server.
SERVER = """
    import sys, jax, jax.numpy as jnp
    function = jax.jit(lambda x: jnp.tanh(x @ x).sum())
    x = jnp.ones((200, 200))
    function(x)
    jax.profiler.start_server(int(sys.argv[1]))
    print("ready", flush=True)
    while True:
        function(x).block_until_ready()
"""


def train(model, steps, capture):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(32, 64)).sum().backward()
        optimizer.step()
        capture.step()


class Torch(ControlTest):
    def setUp(self):
        super().setUp()
        self.model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(),
                                         torch.nn.Linear(128, 8))

    def test_training(self):
        with self.make("torch", rotate_steps=2) as capture:
            train(self.model, 5, capture)
        record = self.get_record(capture)
        self.assertEqual([window["steps"] for window in record["windows"]],
                         [[0, 1], [2, 3], [4]])
        self.assertEqual(record["frameworks"][0]["version"], torch.__version__)
        analysis = capture.analyze()
        self.assertEqual(analysis.notes, [])
        self.check_steps(analysis, 5)
        # Two layers forward, and their gradients.
        self.assertEqual(self.count(analysis, op="aten::addmm", phase="forward"),
                         10)
        self.assertEqual(self.count(analysis, op="aten::tanh_backward",
                                    phase="backward"), 5)
        self.assertTrue(self.count(analysis, phase="optimizer"))
        keys = {row["key"]: row["count"] for row in analysis.op_type}
        self.assertEqual(keys["aten::tanh"], 5)

    def test_shapes_and_modules_by_level(self):
        for levels, has_shapes, has_modules in (
                (dict(host_tracer_level=1, python_tracer_level=0), False, False),
                (dict(host_tracer_level=2, python_tracer_level=1), True, True)):
            with self.subTest(levels):
                with self.make("torch", **levels) as capture:
                    train(self.model, 1, capture)
                rows = [row for row in capture.analyze().op_detail
                        if row["op"] == "aten::addmm"]
                self.assertEqual([bool(row["shapes"]) for row in rows],
                                 [has_shapes] * 2)
                self.assertEqual(["Linear" in (row["path"] or "") for row in rows],
                                 [has_modules] * 2)

    def test_named_ops_bound_the_phases(self):
        with self.make("torch") as capture:
            train(self.model, 2, capture)
        analysis = capture.analyze()
        rows = analysis.report("step-trace", first_op="aten::tanh",
                               last_op="aten::tanh_backward")
        self.assertEqual(len(rows), 2)
        for named, whole in zip(rows, analysis.step_trace):
            self.assertGreater(named["interval_ps"], whole["interval_ps"])
            self.assertGreater(named["tail_ps"], whole["tail_ps"])
            self.assertEqual(named["total_ps"], whole["total_ps"])

    def test_other_threads(self):
        import threading
        with self.make("torch") as capture:
            thread = threading.Thread(target=lambda: torch.ones(8).erfinv())
            thread.start()
            thread.join()
        self.assertEqual(self.count(capture.analyze(), op="aten::erfinv"), 1)

    def test_ranks(self):
        """Two processes of one job, by the rank that torch.distributed has."""
        program = textwrap.dedent("""
            import os, sys, torch, mlir_prof
            rank = int(sys.argv[1])
            torch.distributed.init_process_group(
                "gloo", init_method=f"file://{os.getcwd()}/store", rank=rank,
                world_size=2)
            with mlir_prof.Capture("runs", job="j", listen=False,
                                   frameworks="torch") as capture:
                for _ in range(3):
                    x = torch.ones(8, 8).tanh()
                    torch.distributed.all_reduce(x)
                    capture.step()
            torch.distributed.destroy_process_group()
        """)
        children = [subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", program, str(rank)],
            cwd=self.scratch, stderr=subprocess.PIPE) for rank in range(2)]
        for child in children:
            error = child.communicate(timeout=300)[1]
            self.assertEqual(child.returncode, 0, error)
        analysis = mlir_prof.analyze(self.scratch / "runs")
        self.assertEqual([rank["rank"] for rank in analysis.ranks], [0, 1])
        self.assertEqual(analysis.notes, [])
        self.assertEqual(self.count(analysis, op="aten::tanh"), 6)
        self.assertEqual([row["step"] for row in analysis.step_trace],
                         [0, 0, 1, 1, 2, 2])

    def test_fast_path_of_attention(self):
        model = torch.nn.TransformerEncoderLayer(64, 4, 128,
                                                 batch_first=True).eval()
        captured = mlir_prof.capture(model, torch.randn(4, 32, 64), steps=3,
                                     folder=self.scratch / "out")
        self.assertIn("fast path", captured.notes[0])
        self.assertTrue(torch.backends.mha.get_fastpath_enabled())
        self.check(captured, 0.99)

    def test_document(self):
        self.run_blocks("import torch")


class Jax(ControlTest):
    def test_training(self):
        @jax.jit
        def update(weights, x):
            gradient = jax.grad(lambda w: jnp.tanh(x @ w).sum())(weights)
            return weights - 0.1 * gradient

        weights, x = jnp.ones((128, 128)), jnp.ones((32, 128))
        update(weights, x)
        with self.make("jax", rotate_steps=3) as capture:
            for _ in range(5):
                weights = update(weights, x).block_until_ready()
                capture.step()
        analysis = capture.analyze()
        self.check_steps(analysis, 5)
        # x @ w, and its transpose.
        self.assertEqual({row["key"]: row["count"] for row in analysis.op_type}
                         ["dot"], 5)
        self.assertEqual(self.get_record(capture)["frameworks"][0]["devices"],
                         [str(device) for device in jax.local_devices()])

    def test_capture_chooses(self):
        captured = mlir_prof.capture(lambda x: jnp.tanh(x @ x), jnp.ones((64, 64)),
                                     steps=2, folder=self.scratch / "out")
        self.assertIn("stablehlo.tanh", captured.mlir.read_text())

    def test_several_devices(self):
        program = textwrap.dedent("""
            import jax, jax.numpy as jnp, mlir_prof
            from jax.sharding import Mesh, NamedSharding, PartitionSpec
            mesh = Mesh(jax.devices(), "d")
            x = jax.device_put(jnp.ones((64, 64)),
                               NamedSharding(mesh, PartitionSpec("d")))
            captured = mlir_prof.capture(jax.jit(jnp.tanh), x, folder="out",
                                         steps=3)
            captured.import_profile("out.mlprof")
        """)
        subprocess.run([sys.executable, "-c", program], cwd=self.scratch, check=True,
                       env=dict(os.environ, XLA_FLAGS="--xla_force_host_platform_"
                                "device_count=2"))
        import json
        report = json.loads(mlir_prof.run("report", self.scratch / "out.mlprof",
                                          "--by=op", "--format=json"))
        # Each device works on its half in each step.
        self.assertEqual(self.counts(report, "stablehlo.tanh"), [6])

    def test_two_servers_are_one_profile(self):
        with self.serving(SERVER, SERVER) as addresses:
            captured = mlir_prof.capture(addresses, duration=0.5,
                                         folder=self.scratch / "out")
        self.assertEqual(len(captured.profiles), 2)
        profile = captured.import_profile(self.scratch / "out.mlprof")
        runs = mlir_prof.run("query", profile, "SELECT count(*) AS n FROM ops "
                             "WHERE count > 0 GROUP BY run", "--format=csv")
        self.assertEqual(len(runs.split()), 3, runs)

    def test_document(self):
        self.run_blocks("import jax")


class OnnxRuntime(ControlTest):
    def setUp(self):
        super().setUp()

        def value(name, *shape):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        graph = helper.make_graph(
            [helper.make_node("Tanh", ["x"], ["y"], name="tanh")], "model",
            [value("x", 64, 64)], [value("y", 64, 64)])
        self.model = helper.make_model(
            graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
        self.x = numpy.ones((64, 64), "float32")

    def test_sessions(self):
        old = onnxruntime.InferenceSession(self.model.SerializeToString())
        with self.make("onnxruntime", rotate_steps=2) as capture:
            session = onnxruntime.InferenceSession(self.model.SerializeToString())
            for _ in range(5):
                session.run(None, {"x": self.x})
                old.run(None, {"x": self.x})
                capture.step()
        self.assertEqual({row["key"]: row["count"] for row in
                          capture.analyze().op_type}, {"Tanh": 5})
        # Recording again needs a new session.
        with self.make("onnxruntime") as capture:
            session.run(None, {"x": self.x})
        self.assertIn("1 sessions are older", self.get_record(capture)["notes"][0])

    def test_capture_chooses(self):
        path = self.scratch / "model.onnx"
        onnx.save(self.model, path)
        for number, model in enumerate((self.model, path)):
            captured = mlir_prof.capture(model, self.x, steps=2,
                                         folder=self.scratch / f"out{number}")
            self.assertIn("onnx.Tanh", captured.mlir.read_text())


if __name__ == "__main__":
    unittest.main()
