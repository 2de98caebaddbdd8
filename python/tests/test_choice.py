# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The choice of mlir_prof.capture, and its requests to profiler servers, without any
framework."""

import json
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import mlir_prof
from mlir_prof.capture import CaptureError, MissingPackage
from mlir_prof.capture import _choice, _protobuf, _servers


def make_package(name, *classes):
    """A module with empty classes, as that of a framework."""
    module = types.ModuleType(name)
    for kind in classes:
        setattr(module, kind, type(kind, (), {}))
    return module


class Choice(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.dict(sys.modules)
        patch.start()
        self.addCleanup(patch.stop)
        for name in ("jax", "keras", "onnx", "tensorflow", "torch", "torch.nn"):
            sys.modules.pop(name, None)

    def choose(self, model, *arguments):
        return _choice.choose(model, arguments)

    def test_models(self):
        nn = sys.modules["torch.nn"] = make_package("torch.nn", "Module")
        keras = sys.modules["keras"] = make_package("keras", "Model")
        onnx = sys.modules["onnx"] = make_package("onnx", "ModelProto")
        tf = sys.modules["tensorflow"] = make_package("tensorflow", "Tensor")
        sys.modules["jax"] = make_package("jax")
        graph = types.SimpleNamespace(get_concrete_function=len,
                                      __call__=len)

        class Function:
            get_concrete_function = __call__ = len

        class Module(nn.Module):
            __call__ = len

        class Layer(keras.Model):
            __call__ = len

        self.assertEqual(self.choose(Module()), "torch")
        self.assertEqual(self.choose(Layer()), "tensorflow")
        self.assertEqual(self.choose(Function()), "tensorflow")
        self.assertEqual(self.choose(len, tf.Tensor()), "tensorflow")
        self.assertEqual(self.choose(len), "jax")
        self.assertEqual(self.choose(onnx.ModelProto()), "onnx")
        self.assertEqual(self.choose(pathlib.Path("m.onnx")), "onnx")
        self.assertEqual(self.choose("grpc://a:1"), "servers")
        self.assertEqual(self.choose(["grpc://a:1", "grpc://b:2"]), "servers")
        with self.assertRaises(TypeError):
            self.choose(graph)

    def test_what_is_no_model(self):
        for model in (1, "model.pt", [], ["grpc://a:1", 2], len):
            with self.assertRaisesRegex(TypeError, "hint: import the framework"):
                self.choose(model)
        sys.modules["torch"] = torch = make_package("torch", "Tensor")
        with self.assertRaisesRegex(CaptureError, "hint: wrap it"):
            self.choose(len, torch.Tensor())

    def test_the_module_is_a_function(self):
        with mock.patch.object(mlir_prof.capture, "jax") as jax:
            sys.modules["jax"] = make_package("jax")
            result = mlir_prof.capture(len, 1, 2, folder="f", steps=5)
        jax.assert_called_once_with(len, 1, 2, folder="f", steps=5)
        self.assertIs(result, jax.return_value)

    def test_inputs_of_onnx_models(self):
        def name(*names):
            return [types.SimpleNamespace(name=name) for name in names]

        model = types.SimpleNamespace(graph=types.SimpleNamespace(
            initializer=name("w"), input=name("x", "w", "y")))
        sys.modules["onnx"] = make_package("onnx")
        self.assertEqual(_choice.name_inputs(model, (1, 2)), {"x": 1, "y": 2})
        self.assertEqual(_choice.name_inputs(model, ({"y": 3},)), {"y": 3})
        with self.assertRaisesRegex(TypeError, r"2 inputs \(x, y\), and 1"):
            _choice.name_inputs(model, (1,))


class Messages(unittest.TestCase):
    def test_bytes(self):
        """As protoc --encode writes them."""
        self.assertEqual(_protobuf.encode([(1, 1500), (7, "ab"), (16, 0)]),
                         b"\x08\xdc\x0b\x3a\x02ab\x80\x01\x00")
        self.assertEqual([(number, bytes(value) if isinstance(value, memoryview)
                           else value) for number, value in
                          _protobuf.decode(b"\x08\xdc\x0b\x3a\x02ab"
                                           b"\x11\1\2\3\4\5\6\7\x08\x25\1\2\3\4")],
                         [(1, 1500), (7, b"ab"), (2, bytes(range(1, 9))),
                          (4, b"\1\2\3\4")])

    def test_damaged_bytes(self):
        for data in (b"\x08", b"\x3a\x05ab", b"\x0b", b"\x11\1", b"\xff" * 12):
            with self.assertRaisesRegex(ValueError, "cut off"):
                list(_protobuf.decode(data))


class RpcError(Exception):
    def __init__(self, name):
        self.name = name

    def code(self):
        return types.SimpleNamespace(name=self.name)

    def details(self):
        return "the reason"


class Servers(unittest.TestCase):
    """Against a module with the calls of grpcio."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "out"
        self.requests = {}
        self.answer = lambda place, request: _protobuf.encode(
            [(_servers.XSPACE, f"space of {place}".encode())])
        grpc = types.ModuleType("grpc")
        grpc.RpcError = RpcError
        grpc.insecure_channel = self.open
        patch = mock.patch.dict(sys.modules, grpc=grpc)
        patch.start()
        self.addCleanup(patch.stop)

    def open(self, place, options):
        def future(request, timeout):
            fields = dict(_protobuf.decode(request))
            self.requests[place] = fields

            def result():
                return self.answer(place, fields)
            return types.SimpleNamespace(result=result)

        def unary_unary(method):
            self.assertEqual(method, "/tensorflow.ProfilerService/Profile")
            return types.SimpleNamespace(future=future)
        return types.SimpleNamespace(unary_unary=unary_unary, close=lambda: None)

    def test_several(self):
        result = mlir_prof.capture(
            ["grpc://a:1", "grpc://[::1]:2"], folder=self.folder, duration=0.25,
            python_tracer_level=1)
        self.assertEqual([path.read_bytes() for path in result.profiles],
                         [b"space of a:1", b"space of [::1]:2"])
        self.assertIsNone(result.mlir)
        request = self.requests["a:1"]
        self.assertEqual((request[1], request[9]), (250, 1))
        self.assertEqual(dict(_protobuf.decode(request[4])),
                         {2: 2, 3: 1, 4: 1, 5: 1, 7: 1, 9: 250})
        record = json.loads((self.folder / "capture.json").read_text())
        self.assertEqual(record["addresses"], ["grpc://a:1", "grpc://[::1]:2"])

    def test_servers_that_write_a_file(self):
        def answer(place, request):
            folder = pathlib.Path(bytes(request[5]).decode()) / "plugins"
            folder.mkdir()
            (folder / "w.xplane.pb").write_bytes(b"space")
            return b""
        self.answer = answer
        result = mlir_prof.capture("grpc://a:1", folder=self.folder)
        self.assertEqual(result.profiles[0].read_bytes(), b"space")

    def check_error(self, text, *addresses, kind=CaptureError):
        with self.assertRaisesRegex(kind, text):
            mlir_prof.capture.servers(*(addresses or ["grpc://a:1"]),
                                      folder=self.folder)
        self.assertFalse(self.folder.exists())

    def test_errors(self):
        self.answer = lambda place, request: b"\x38\x01"
        self.check_error("recorded nothing; hint")
        self.answer = lambda place, request: b""
        self.check_error("on its own machine")
        for code, text in (("UNAVAILABLE", "grpc://a:1 cannot be reached; hint"),
                           ("DEADLINE_EXCEEDED", "did not answer"),
                           ("ALREADY_EXISTS", "grpc://a:1: the reason")):
            self.answer = mock.Mock(side_effect=RpcError(code))
            self.check_error(text)
        for address in ("grpc://a", "grpc://:1", "grpc://a:b"):
            self.check_error("HOST:PORT", address, kind=ValueError)
        with self.assertRaisesRegex(ValueError, "duration"):
            mlir_prof.capture("grpc://a:1", folder=self.folder, duration=0)

    def test_without_grpc(self):
        with mock.patch.dict(sys.modules, grpc=None):
            with self.assertRaisesRegex(MissingPackage, "hint: pip install grpcio"):
                mlir_prof.capture("grpc://a:1", folder=self.folder)


if __name__ == "__main__":
    unittest.main()
