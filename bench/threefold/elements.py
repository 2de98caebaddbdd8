# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops other than products: elements, rows, layouts."""

import dataclasses

import numpy as np

from threefold.core import Tensor, identity, to_bf16


class Elements:
    def reshape(self, x, shape, groups, onnx=None):
        grows = len(shape) > x.value.ndim
        value = x.value.reshape(shape)
        target = Tensor("", value, x.type, None)
        sizes = (f" output_shape [{', '.join(map(str, shape))}]" if grows
                 else "")
        return self.emit(
            f"tensor.{'expand' if grows else 'collapse'}_shape {x.name} "
            f"{groups}{sizes} : {x.mlir} into {target.mlir}", value, x.type,
            onnx)

    def onnx_reshape(self, x, shape):
        return self.onnx("Reshape", [x, self.number(shape, np.int64)])

    def transpose(self, x, order):
        value = np.ascontiguousarray(x.value.transpose(order))
        out = self.emit("tensor.empty() : ", value, x.type)
        self.lines[-1] += out.mlir
        return self.emit(
            f"linalg.transpose ins({x.name} : {x.mlir}) outs({out.name} : "
            f"{out.mlir}) permutation = {list(order)}", value, x.type,
            self.onnx("Transpose", [x], perm=list(order)))

    def cast(self, x, kind, scale=None):
        """i32 to f32, times a scale; or f32 to bf16."""
        rank = x.value.ndim
        if kind == "bf16":
            return self.generic(
                [x], [identity(rank)] * 2, to_bf16(x.value).astype(np.float64),
                kind, lambda b, a: b(f"arith.truncf {a[0]} : f32 to bf16"))
        factor = self.scalar(f"{scale:.9e}", "f32")
        onnx = self.onnx("Cast", [x], to=1)
        onnx = self.onnx("Mul", [onnx, self.number(scale)])
        return self.generic(
            [x], [identity(rank)] * 2, x.value * float(np.float32(scale)),
            "f32", lambda b, a: b(
                f"arith.mulf {b(f'arith.sitofp {a[0]} : i32 to f32')}, "
                f"{factor} : f32"), onnx)

    def bias(self, x, bias, activation=None):
        rank = x.value.ndim
        value, offset = x.value + bias.value, bias
        if rank == 4:
            offset = self.number(bias.value.reshape(1, -1, 1, 1))
        onnx, zero = self.onnx("Add", [x, offset]), self.scalar("0.0", "f32")
        if activation == "relu":
            value = np.maximum(value, 0)
            onnx = self.onnx("Relu", [onnx])
        elif activation == "gelu":
            value = 0.5 * value * (1 + np.tanh(
                0.7978845608028654 * (value + 0.044715 * value ** 3)))
            onnx = self.onnx("Gelu", [onnx], approximate="tanh")
        if activation == "gelu":
            gelu = {k: self.scalar(f"{v:.9e}", "f32") for k, v in dict(
                cube=0.044715, root=0.7978845608028654, one=1,
                half=0.5).items()}

        def body(b, a):
            y = b(f"arith.addf {a[0]}, {a[1]} : f32")
            if activation == "relu":
                return b(f"arith.maximumf {y}, {zero} : f32")
            if activation != "gelu":
                return y
            t = b(f"arith.mulf {y}, {y} : f32")
            t = b(f"arith.mulf {t}, {y} : f32")
            t = b(f"arith.mulf {t}, {gelu['cube']} : f32")
            t = b(f"arith.addf {t}, {y} : f32")
            t = b(f"arith.mulf {t}, {gelu['root']} : f32")
            t = b(f"math.tanh {t} : f32")
            t = b(f"arith.addf {t}, {gelu['one']} : f32")
            half = b(f"arith.mulf {y}, {gelu['half']} : f32")
            return b(f"arith.mulf {half}, {t} : f32")
        return self.generic([x, bias], [identity(rank), identity(
            rank, [rank - 1]), identity(rank)], value, "f32", body, onnx)

    def add(self, x, y):
        rank = x.value.ndim
        return self.generic(
            [x, y], [identity(rank)] * 3, x.value + y.value, "f32",
            lambda b, a: b(f"arith.addf {a[0]}, {a[1]} : f32"),
            self.onnx("Add", [x, y]))

    def reduce_rows(self, x, op, value, initial):
        """Over the last dimension."""
        rank = x.value.ndim
        return self.generic(
            [x], [identity(rank), identity(rank, range(rank - 1))], value,
            "f32", lambda b, a: b(f"{op} {a[0]}, {a[1]} : f32"),
            out=self.fill(value.shape, "f32", initial),
            iterators=["parallel"] * (rank - 1) + ["reduction"])

    def with_rows(self, x, rows, value, body):
        """Elementwise with one value per row."""
        rank = x.value.ndim
        return self.generic([x, rows], [identity(rank), identity(
            rank, range(rank - 1)), identity(rank)], value, "f32", body)

    def softmax(self, x, scale=1.0):
        rank, factor = x.value.ndim, self.scalar(f"{scale:.9e}", "f32")
        onnx = self.onnx("Softmax", [self.onnx(
            "Mul", [x, self.number(scale)])], axis=-1)
        scaled = self.generic(
            [x], [identity(rank)] * 2, x.value * float(np.float32(scale)),
            "f32", lambda b, a: b(f"arith.mulf {a[0]}, {factor} : f32"))
        top = self.reduce_rows(scaled, "arith.maximumf", scaled.value.max(-1),
                               "0xFF800000")
        powers = np.exp(scaled.value - top.value[..., None])

        def exponential(b, a):
            return b(f"math.exp {b(f'arith.subf {a[0]}, {a[1]} : f32')} : f32")
        exps = self.with_rows(scaled, top, powers, exponential)
        total = self.reduce_rows(exps, "arith.addf", powers.sum(-1), "0.0")
        result = self.with_rows(
            exps, total, powers / total.value[..., None],
            lambda b, a: b(f"arith.divf {a[0]}, {a[1]} : f32"))
        return dataclasses.replace(result, onnx=onnx)

    def layer_norm(self, x, gain, offset):
        rank, width = x.value.ndim, x.shape[-1]
        inverse = self.scalar(f"{1 / width:.9e}", "f32")
        small = self.scalar("1.0e-5", "f32")
        onnx = self.onnx("LayerNormalization", [x, gain, offset], axis=-1,
                         epsilon=1e-5)
        total = self.reduce_rows(x, "arith.addf", x.value.sum(-1), "0.0")
        mean = x.value.mean(-1, keepdims=True)

        def center(b, a):
            part = b(f"arith.mulf {a[1]}, {inverse} : f32")
            return b(f"arith.subf {a[0]}, {part} : f32")
        centered = self.with_rows(x, total, x.value - mean, center)
        square = self.generic(
            [centered], [identity(rank)] * 2, centered.value ** 2, "f32",
            lambda b, a: b(f"arith.mulf {a[0]}, {a[0]} : f32"))
        squares = self.reduce_rows(square, "arith.addf", square.value.sum(-1),
                                   "0.0")
        root = np.sqrt(squares.value[..., None] / width + 1e-5)
        value = centered.value / root * gain.value + offset.value
        last = identity(rank, [rank - 1])

        def scale(b, a):
            t = b(f"arith.mulf {a[1]}, {inverse} : f32")
            t = b(f"arith.addf {t}, {small} : f32")
            t = b(f"arith.mulf {a[0]}, {b(f'math.rsqrt {t} : f32')} : f32")
            t = b(f"arith.mulf {t}, {a[2]} : f32")
            return b(f"arith.addf {t}, {a[3]} : f32")
        return self.generic(
            [centered, squares, gain, offset],
            [identity(rank), identity(rank, range(rank - 1)), last, last,
             identity(rank)], value, "f32", scale, onnx)
