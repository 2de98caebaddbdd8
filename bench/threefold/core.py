# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The common part of all ops: see __init__.py."""

import dataclasses

import numpy as np

#: NumPy's type for each MLIR type; bf16 is kept as rounded f32.
NUMPY = {"f32": np.float32, "bf16": np.float32, "i8": np.int8, "i32": np.int32}
ZERO = {"f32": "0.0", "bf16": "0.0", "i8": "0", "i32": "0"}


@dataclasses.dataclass
class Tensor:
    name: str
    value: np.ndarray
    type: str
    onnx: str | None

    @property
    def shape(self):
        return self.value.shape

    @property
    def mlir(self):
        sizes = "".join(f"{size}x" for size in self.shape)
        return f"tensor<{sizes}{self.type}>"


def to_bf16(value):
    """Rounded to nearest, ties to even; still f32."""
    bits = np.asarray(value, np.float32).view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)


def to_bytes(value, kind):
    """The array's bytes in memory."""
    value = np.ascontiguousarray(value.astype(NUMPY[kind]))
    if kind != "bf16":
        return value
    return (value.view(np.uint32) >> 16).astype(np.uint16).view("V2")


def channels_first(value):
    return value.transpose(0, 3, 1, 2) if value.ndim == 4 else value


def identity(rank, keep=None):
    """An affine map of `rank` dimensions to those in `keep`, or all."""
    names = [f"d{i}" for i in range(rank)]
    kept = names if keep is None else [names[i] for i in keep]
    return f"affine_map<({', '.join(names)}) -> ({', '.join(kept)})>"


class Core:
    """Names, lines of MLIR, nodes of ONNX, and files of them."""

    def __init__(self, name):
        self.name, self.lines, self.count = name, [], 0
        self.arguments, self.weights = {}, {}
        self.nodes, self.initializers = [], {}
        #: Matrix products and convolutions: (kind, type, sizes...), as the
        #: oneDNN bound of bench/pipelines computes them, and their operations.
        self.steps, self.flops = [], 0

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, name, value, kind="f32"):
        self.arguments[name] = self.narrow(name, value, kind)
        return self.wide(self.arguments[name])

    def weight(self, name, value, kind="f32", onnx=None):
        """`onnx`: the array in the layout of ONNX, if it differs."""
        self.weights[name] = self.narrow(name, value, kind)
        self.initializers[name] = np.ascontiguousarray(
            value if onnx is None else onnx, NUMPY[kind])
        return self.wide(self.weights[name])

    @staticmethod
    def narrow(name, value, kind):
        """The values in files. ONNX Runtime does not multiply bf16 on CPUs."""
        value = to_bf16(value) if kind == "bf16" else value.astype(NUMPY[kind])
        return Tensor(f"%{name}", value, kind, None if kind == "bf16" else name)

    @staticmethod
    def wide(tensor):
        """The same with values with which references are computed."""
        exact = np.float64 if tensor.type in ("f32", "bf16") else np.int64
        return dataclasses.replace(tensor, value=tensor.value.astype(exact))

    def onnx(self, kind, inputs, **attributes):
        names = [i.onnx if isinstance(i, Tensor) else i for i in inputs]
        if None in names:
            return None
        result = f"n{len(self.nodes)}"
        self.nodes.append((kind, names, result, attributes))
        return result

    def number(self, value, kind=np.float32):
        """An initializer that is not in the MLIR."""
        name = f"c{len(self.initializers)}"
        self.initializers[name] = np.asarray(value, kind)
        return name

    def emit(self, text, value, kind, onnx=None):
        """Adds `NAME = text`."""
        result = Tensor(self.fresh(), value, kind, onnx)
        self.lines.append(f"    {result.name} = {text}")
        return result

    def scalar(self, value, kind):
        name = self.fresh()
        self.lines.append(f"    {name} = arith.constant {value} : {kind}")
        return name

    def fill(self, shape, kind, value=None):
        text = ZERO[kind] if value is None else value
        number = self.scalar(text, kind)
        empty = self.emit("tensor.empty() : ", np.empty(shape), kind)
        self.lines[-1] += empty.mlir
        return self.emit(
            f"linalg.fill ins({number} : {kind}) outs({empty.name} : "
            f"{empty.mlir}) -> {empty.mlir}", np.empty(shape), kind)

    def named(self, op, ins, value, kind, attributes="", onnx=None):
        """A named linalg op that accumulates onto zeros."""
        out = self.fill(value.shape, kind)
        return self.emit(
            f"{op} {attributes}ins({', '.join(i.name for i in ins)} : "
            f"{', '.join(i.mlir for i in ins)}) outs({out.name} : {out.mlir}) "
            f"-> {out.mlir}", value, kind, onnx)

    def generic(self, ins, maps, value, kind, body, onnx=None, out=None,
                iterators=None):
        """`body(emit, arguments)` returns the name of what is yielded."""
        rank = max(i.value.ndim for i in ins)
        iterators = iterators or ["parallel"] * rank
        if out is None:
            out = self.emit("tensor.empty() : ", value, kind)
            self.lines[-1] += out.mlir
        result = self.fresh()
        arguments = [f"{result}_{i}" for i in range(len(ins) + 1)]
        inner = []

        def emit(text):
            inner.append(f"      {result}_b{len(inner)} = {text}")
            return f"{result}_b{len(inner) - 1}"
        last = body(emit, arguments)
        kinds = [i.type for i in ins] + [kind]
        self.lines += [
            f"    {result} = linalg.generic {{indexing_maps = "
            f"[{', '.join(maps)}], iterator_types = ["
            + ", ".join(f'"{i}"' for i in iterators) + "]} ins("
            + ", ".join(i.name for i in ins) + " : "
            + ", ".join(i.mlir for i in ins)
            + f") outs({out.name} : {out.mlir}) {{",
            "    ^bb0(" + ", ".join(f"{a}: {t}" for a, t
                                    in zip(arguments, kinds)) + "):",
            *inner, f"      linalg.yield {last} : {kind}",
            f"    }} -> {out.mlir}"]
        return Tensor(result, value, kind, onnx)

    def text(self, result):
        arguments = ", ".join(f"{t.name}: {t.mlir}"
                              for t in self.arguments.values())
        constants = [f"    {t.name} = arith.constant dense_resource<{name}> : "
                     f"{t.mlir}" for name, t in self.weights.items()]
        # The first four bytes are the alignment: 64.
        blobs = ",\n".join(
            f'      {name}: "0x40000000'
            f'{to_bytes(t.value, t.type).tobytes().hex().upper()}"'
            for name, t in self.weights.items())
        body = "\n".join(constants + self.lines)
        resources = ("\n{-#\n  dialect_resources: {\n    builtin: {\n" + blobs
                     + "\n    }\n  }\n#-}\n") if blobs else ""
        return (f'module @"{self.name}" {{\n  func.func @main({arguments}) -> '
                f"{result.mlir} {{\n{body}\n    return {result.name} : "
                f"{result.mlir}\n  }}\n}}\n{resources}")

    def save_onnx(self, result, path):
        """Writes ONNX if the model has it; returns whether it does."""
        if result.onnx is None:
            return False
        import onnx
        from onnx import helper, numpy_helper
        types = {kind: helper.np_dtype_to_tensor_dtype(np.dtype(NUMPY[kind]))
                 for kind in NUMPY}
        inputs = [helper.make_tensor_value_info(
            name, types[t.type], channels_first(t.value).shape)
            for name, t in self.arguments.items()]
        output = helper.make_tensor_value_info(result.onnx, types[result.type],
                                               None)
        nodes = [helper.make_node(kind, names, [out], name=out, **attributes)
                 for kind, names, out, attributes in self.nodes]
        used = {name for node in self.nodes for name in node[1]}
        constants = [numpy_helper.from_array(value, name) for name, value
                     in self.initializers.items() if name in used]
        graph = helper.make_graph(nodes, self.name, inputs, [output], constants)
        onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[
            helper.make_opsetid("", 20)]), path)
        return True
