#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Four f32 models with seeded weights and float64 references, for benchmarks.

  python bench/models.py FOLDER

writes FOLDER/NAME-const.mlir (weights as dense_resource), FOLDER/NAME-args.mlir
(weights as arguments), and FOLDER/NAME/{x,expected,WEIGHT...}.npy for mlp, cnn,
transformer and mlp_dyn (a dynamic batch). Needs numpy.
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent
                       / "examples" / "transformer"))
import model as block  # noqa: E402
from model import Module  # noqa: E402


def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))


def layer_norm(x, gain, offset):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + offset


def convolve(x, w, stride):
    """NHWC by HWCF, 3x3, padding 1."""
    n, h, width, c = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    rows, columns = h // stride, width // stride
    out = np.zeros((n, rows, columns, w.shape[3]), x.dtype)
    for i in range(3):
        for j in range(3):
            out += padded[:, i:i + stride * (rows - 1) + 1:stride,
                          j:j + stride * (columns - 1) + 1:stride, :] @ w[i, j]
    return out


class Model:
    """A model: `weights`, an input `x`, `reference(x, w)` and `build(module)`,
    which returns MLIR."""

    #: Shape of x in the MLIR, if it differs from that of `x`.
    input_shape = None

    def __init__(self, name, seed):
        self.name = name
        self.rng = np.random.default_rng(seed)
        self.weights = {}

    def random(self, *shape, scale=None):
        if scale is None:
            scale = 1 / np.sqrt(np.prod(shape[:-1]))
        return (self.rng.standard_normal(shape) * scale).astype(np.float32)

    def mlir(self, constant_weights):
        shape = self.input_shape or self.x.shape
        return self.build(Module(self.name, {"x": shape}, self.weights,
                                 constant_weights))

    def expected(self):
        weights = {k: v.astype(np.float64) for k, v in self.weights.items()}
        return self.reference(self.x.astype(np.float64), weights)


class Mlp(Model):
    def __init__(self, m=128, k=768, h=3072, n=768):
        super().__init__("mlp", 1)
        self.sizes = m, k, h, n
        self.weights = dict(w1=self.random(k, h), b1=self.random(h, scale=.1),
                            w2=self.random(h, n), b2=self.random(n, scale=.1))
        self.x = self.random(m, k, scale=1)
        self.flops = 2 * m * k * h + 2 * m * h * n

    def reference(self, x, w):
        return gelu(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]

    def build(self, g):
        m, k, h, n = self.sizes
        a, s = g.matmul("%x", [m, k], "%w1", [k, h], "mlp/fc1/matmul")
        a = g.bias(a, s, "%b1", "gelu", "mlp/fc1/bias_gelu")
        a, s = g.matmul(a, s, "%w2", [h, n], "mlp/fc2/matmul")
        return g.text(g.bias(a, s, "%b2", None, "mlp/fc2/bias"), s)


class Cnn(Model):
    def __init__(self, size=56, c=64, c2=128, classes=10):
        super().__init__("cnn", 2)
        self.sizes = size, c, c2, classes
        self.weights = dict(
            k1=self.random(3, 3, c, c), kb1=self.random(c, scale=.1),
            k2=self.random(3, 3, c, c2), kb2=self.random(c2, scale=.1),
            wd=self.random(c2, classes), bd=self.random(classes, scale=.1))
        self.x = self.random(1, size, size, c, scale=1)
        q = size // 4
        self.flops = (2 * size * size * c * c * 9 + 2 * q * q * c * c2 * 9
                      + 2 * c2 * classes)

    def reference(self, x, w):
        y = np.maximum(convolve(x, w["k1"], 1) + w["kb1"], 0)
        n, h, width, c = y.shape
        y = y.reshape(n, h // 2, 2, width // 2, 2, c).max(axis=(2, 4))
        y = np.maximum(convolve(y, w["k2"], 2) + w["kb2"], 0)
        return y.mean(axis=(1, 2)) @ w["wd"] + w["bd"]

    @staticmethod
    def conv(g, x, h, c_in, kernel, c_out, stride, loc):
        t = g.type
        plain, padded = [1, h, h, c_in], [1, h + 2, h + 2, c_in]
        arguments = ", ".join(f"%p{i}: index" for i in range(4))
        p = g.op(f"tensor.pad {x} low[0, 1, 1, 0] high[0, 1, 1, 0] {{\n"
                 f"    ^bb0({arguments}):\n"
                 f"      tensor.yield {g.constant(0.0)} : f32\n"
                 f"    }} : {t(plain)} to {t(padded)}", loc + "/pad")
        out = [1, h // stride, h // stride, c_out]
        zero = g.fill(out, 0.0, loc + "/init")
        return g.op(
            "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, "
            f"strides = dense<{stride}> : tensor<2xi64>}} ins({p}, {kernel} : "
            f"{t(padded)}, {t([3, 3, c_in, c_out])}) outs({zero} : {t(out)}) -> "
            f"{t(out)}", loc), out

    def build(self, g):
        size, c, c2, classes = self.sizes
        t = g.type
        a, s = self.conv(g, "%x", size, c, "%k1", c, 1, "cnn/conv1")
        a = g.bias(a, s, "%kb1", "relu", "cnn/conv1/bias_relu")
        pooled = [1, size // 2, size // 2, c]
        low = g.fill(pooled, -3.4e38, "cnn/pool/init")
        window = g.empty([2, 2])
        a = g.op("linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, "
                 f"strides = dense<2> : tensor<2xi64>}} ins({a}, {window} : {t(s)}, "
                 f"{t([2, 2])}) outs({low} : {t(pooled)}) -> {t(pooled)}",
                 "cnn/pool")
        a, s = self.conv(g, a, size // 2, c, "%k2", c2, 2, "cnn/conv2")
        a = g.bias(a, s, "%kb2", "relu", "cnn/conv2/bias_relu")
        zero = g.fill([1, c2], 0.0, "cnn/mean/init")
        a = g.generic([(a, s)], [1, c2],
                      ["(d0, d1, d2, d3) -> (d0, d1, d2, d3)",
                       "(d0, d1, d2, d3) -> (d0, d3)"],
                      lambda b, x: b(f"arith.addf {x[0]}, {x[1]} : f32"),
                      "cnn/mean/sum",
                      ["parallel", "reduction", "reduction", "parallel"], zero)
        inverse = g.constant(1.0 / (s[1] * s[2]))
        a = g.generic([(a, [1, c2])], [1, c2], ["(d0, d1) -> (d0, d1)"] * 2,
                      lambda b, x: b(f"arith.mulf {x[0]}, {inverse} : f32"),
                      "cnn/mean/scale")
        a, s = g.matmul(a, [1, c2], "%wd", [c2, classes], "cnn/dense/matmul")
        return g.text(g.bias(a, s, "%bd", None, "cnn/dense/bias"), s)


class Transformer(Model):
    def __init__(self, s=128, d=256, heads=4, ff=1024):
        super().__init__("transformer", 3)
        self.sizes = s, d, heads, ff
        for name, shape in block.shapes(d, ff).items():
            value = self.random(*shape, scale=None if len(shape) > 1 else .1)
            self.weights[name] = value + np.float32(name.startswith("g"))
        self.x = self.random(s, d, scale=1)
        width = d // heads
        self.flops = (8 * s * d * d + 4 * heads * s * s * width + 4 * s * d * ff)

    def reference(self, x, w):
        s, d = x.shape
        heads = self.sizes[2]
        width = d // heads
        q, k, v = ((x @ w["w" + n] + w["b" + n]).reshape(s, heads, width)
                   .transpose(1, 0, 2) for n in "qkv")
        a = q @ k.transpose(0, 2, 1) / np.sqrt(width)
        a = np.exp(a - a.max(-1, keepdims=True))
        a /= a.sum(-1, keepdims=True)
        o = (a @ v).transpose(1, 0, 2).reshape(s, d)
        y = layer_norm(x + o @ w["wo"] + w["bo"], w["g1"], w["be1"])
        f = gelu(y @ w["wf1"] + w["bf1"]) @ w["wf2"] + w["bf2"]
        return layer_norm(y + f, w["g2"], w["be2"])

    def build(self, g):
        return block.transformer(g, *self.sizes)


class DynamicMlp(Model):
    """Requests of 1 (60 %), 8 (20 %), 32 and 128 rows (10 % each)."""
    MIX = [(1, 60), (8, 20), (32, 10), (128, 10)]

    def __init__(self, k=1024, h=1024, n=256):
        super().__init__("mlp_dyn", 4)
        self.widths = [k, h, h, n]
        for i in (1, 2, 3):
            self.weights[f"w{i}"] = self.random(*self.widths[i - 1:i + 1])
            self.weights[f"b{i}"] = self.random(self.widths[i], scale=.1)
        self.x = self.random(128, k, scale=1)
        self.input_shape = (None, k)
        self.trace = [rows for rows, count in self.MIX for _ in range(count)]
        self.rng.shuffle(self.trace)

    def reference(self, x, w):
        y = np.maximum(x @ w["w1"] + w["b1"], 0)
        y = np.maximum(y @ w["w2"] + w["b2"], 0)
        return y @ w["w3"] + w["b3"]

    def build(self, g):
        g.emit("%zero = arith.constant 0 : index")
        g.emit(f"%rows = tensor.dim %x, %zero : {g.type(self.input_shape)}")
        a, s = "%x", list(self.input_shape)
        for i, activation in ((1, "relu"), (2, "relu"), (3, None)):
            loc = f"mlp_dyn/fc{i}"
            a, s = g.matmul(a, s, f"%w{i}", self.widths[i - 1:i + 1],
                            loc + "/matmul", "%rows")
            a = g.bias(a, s, f"%b{i}", activation, loc + "/bias", "%rows")
        return g.text(a, s)


def all_models():
    return [Mlp(), Cnn(), Transformer(), DynamicMlp()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for model in all_models():
        data = folder / model.name
        data.mkdir(parents=True, exist_ok=True)
        for kind in ("const", "args"):
            (folder / f"{model.name}-{kind}.mlir").write_text(
                model.mlir(kind == "const"))
        for name, value in {"x": model.x, "expected": model.expected(),
                            **model.weights}.items():
            np.save(data / f"{name}.npy", value)


if __name__ == "__main__":
    main()
