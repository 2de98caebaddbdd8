# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The problems that all contestants compute, and checks of their results."""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "record")]

import models  # noqa: E402

#: Largest error, relative to the largest element, that counts as correct.
BOUND = 1e-5


def to_channels_first(value):
    """Images of ONNX and PyTorch are NCHW, those of the MLIR NHWC."""
    return np.ascontiguousarray(
        value.transpose(0, 3, 1, 2) if value.ndim == 4 else value)


def to_channels_last(value):
    return value.transpose(0, 2, 3, 1) if value.ndim == 4 else value


def relative_error(result, expected):
    """Largest difference, relative to the largest element; infinite for
    results that are not finite, since comparisons with NaN would let them
    pass."""
    result, expected = (np.asarray(v, np.float64) for v in (result, expected))
    if result.shape != expected.shape or not np.isfinite(result).all():
        return float("inf")
    largest = np.abs(expected).max(initial=0)
    difference = np.abs(result - expected).max(initial=0)
    return float(difference / largest) if largest else float(difference)


def load(path):
    """Reads the array of a file; bf16, which NumPy reads as two opaque bytes,
    as f32."""
    value = np.load(path)
    if value.dtype.kind == "V":
        bits = value.view(np.uint16).astype(np.uint32) << 16
        return bits.view(np.float32)
    return value


class Checked:
    """A problem with known results."""

    #: Largest allowed relative error.
    bound = BOUND
    trace = requests = [None]
    #: Whether images of the MLIR are NHWC.
    channels_last = True

    def to_onnx(self, value):
        """An argument in the layout of ONNX and PyTorch."""
        return to_channels_first(value) if self.channels_last else value

    def from_onnx(self, value):
        return to_channels_last(value) if self.channels_last else value

    def module(self):
        """The module of PyTorch that computes it, or None."""
        return None

    def error(self, results, request):
        """Relative error of {name: array}, which must have exactly one entry.
        """
        if len(results) != 1:
            return float("inf")
        (result,) = results.values()
        return relative_error(result, self.expected(request))


class Problem(Checked):
    """A model of bench/models.py. A request is a number of rows, or None if
    the model's shapes are static; `trace` lists the requests of one pass."""

    def __init__(self, name):
        self.name = self.key = name
        self.model = next(m for m in models.all_models() if m.name == name)
        self.trace = getattr(self.model, "trace", [None])
        self.requests = sorted(set(self.trace), key=str)
        self._expected = self.model.expected()

    def inputs(self, request):
        return {"x": np.ascontiguousarray(self.model.x[:request])}

    def expected(self, request):
        return self._expected[:request]

    def onnx(self, folder):
        """Path of the model as ONNX, written to `folder`."""
        import onnx_models
        path = f"{folder}/{self.name}.onnx"
        onnx_models.save(self.model, path)
        return path

    def mlir(self, folder):
        """Path of the model as MLIR with constant weights."""
        path = pathlib.Path(folder, f"{self.name}.mlir")
        path.write_text(self.model.mlir(constant_weights=True))
        return str(path)

    def steps(self, request):
        """The matrix products and convolutions, as the bound computes them:
        ("gemm", type, batch, m, n, k, whether the right operand is constant)
        or ("conv", type, batch, height, width, channels in, out, kernel,
        stride, groups)."""
        return STEPS[self.name](self.model, request)


def _transformer(model, _):
    s, d, heads, hidden = model.sizes
    width = d // heads
    return ([("gemm", "f32", 1, s, d, d, 1)] * 4
            + [("gemm", "f32", heads, s, s, width, 0),
               ("gemm", "f32", heads, s, width, s, 0),
               ("gemm", "f32", 1, s, hidden, d, 1),
               ("gemm", "f32", 1, s, d, hidden, 1)])


def _cnn(model, _):
    size, c, c2, classes = model.sizes
    half = size // 2
    return [("conv", "f32", 1, size, size, c, c, 3, 1, 1),
            ("conv", "f32", 1, half, half, c, c2, 3, 2, 1),
            ("gemm", "f32", 1, 1, classes, c2, 1)]


def _mlp(model, _):
    m, k, h, n = model.sizes
    return [("gemm", "f32", 1, m, h, k, 1), ("gemm", "f32", 1, m, n, h, 1)]


def _mlp_dyn(model, rows):
    return [("gemm", "f32", 1, rows, n, k, 1)
            for k, n in zip(model.widths, model.widths[1:])]


STEPS = {"transformer": _transformer, "cnn": _cnn, "mlp": _mlp,
         "mlp_dyn": _mlp_dyn}


class GeneratedProblem(Checked):
    """A model that bench/generated.py wrote: FOLDER/NAME.json and others."""

    def __init__(self, path):
        self.key, path = str(path), pathlib.Path(path)
        self.folder, self.name = path.parent, path.stem
        self.facts = json.loads(path.read_text())
        self.bound = self.facts["bound"]

    def path(self, suffix):
        return str(self.folder / f"{self.name}{suffix}")

    def input_paths(self):
        return {name: self.path(f".{name}.npy")
                for name in self.facts["inputs"]}

    def inputs(self, _):
        return {name: np.load(path)
                for name, path in self.input_paths().items()}

    def expected(self, _):
        return np.load(self.path(".expected.npy"))

    def onnx(self, _):
        return self.path(".onnx")

    def steps(self, _):
        return self.facts["steps"]


class ZooProblem(Checked):
    """A model that bench/zoo/zoo.py wrote: FOLDER/NAME/model.json and others.
    """

    def __init__(self, path):
        self.key, self.folder = str(path), pathlib.Path(path).parent
        self.name = self.folder.name
        self.facts = json.loads(pathlib.Path(path).read_text())
        self.channels_last = self.facts["channels_last"]

    def input_paths(self):
        return [str(self.folder / f"input{i}.npy")
                for i in range(len(self.facts["inputs"]))]

    def result_paths(self):
        return [str(self.folder / f"expected{i}.npy")
                for i in range(self.facts["results"])]

    def inputs(self, _):
        return dict(zip(self.facts["inputs"], map(np.load, self.input_paths())))

    def result_types(self):
        """(shape, type) of each result."""
        headers = [np.load(path, mmap_mode="r") for path in self.result_paths()]
        return [(header.shape, header.dtype) for header in headers]

    def error(self, results, _):
        expected = {f"result{i}": path
                    for i, path in enumerate(self.result_paths())}
        if set(results) != set(expected):
            return float("inf")
        return max(relative_error(results[name], np.load(path))
                   for name, path in expected.items())

    def onnx(self, _):
        return str(self.folder / "model.onnx")

    def mlir(self, _):
        return str(self.folder / "model.mlir")

    def module(self):
        sys.path.insert(0, str(HERE.parent / "zoo"))
        import zoo
        return zoo.make(self.name, self.facts["source"])[0]


class UnknownProblem(Checked):
    """A model without known results: the first results are the reference of
    all others."""

    def __init__(self, path):
        self.key, self.name = str(path), pathlib.Path(path).stem
        self.reference = None

    def error(self, results, _):
        if self.reference is None:
            self.reference = results
        if set(results) != set(self.reference):
            return float("inf")
        return max((relative_error(results[name], self.reference[name])
                    for name in results), default=float("inf"))


def find(key):
    """The problem of a name of bench/models.py, or of a file."""
    if not key.endswith(".json"):
        return Problem(key)
    is_of_zoo = pathlib.Path(key).name == "model.json"
    return ZooProblem(key) if is_of_zoo else GeneratedProblem(key)
