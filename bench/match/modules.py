# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models, each written once, as linalg text or exported by JAX.

Each op's location contains a tag between << and >> that identifies its
computation, regardless of edits. `split` removes the tags from the text; they
are the ground truth.
"""

import dataclasses
import math
import random
import re
import shutil
import struct
import subprocess


@dataclasses.dataclass(frozen=True)
class Edit:
    """An edit of a model. `layers` lists the layers' identities in order; 9 is
    new. `names`: "place" numbers layers by position, as frameworks do, "kept"
    by identity, "bare" leaves out layers, "none" leaves out all names."""
    layers: tuple = (0, 1, 2)
    wide: int = -1
    width: int = 32
    reordered: bool = False
    seed: int = 1
    names: str = "place"


class Linalg:
    """Writes linalg on tensors. A value is a name and a shape."""

    def __init__(self, edit, constants):
        self.edit, self.constants, self.count = edit, constants, 0
        self.inputs, self.lines = [], []

    @staticmethod
    def type(shape):
        return f"tensor<{''.join(f'{d}x' for d in shape)}f32>"

    def emit(self, tag, text):
        self.count += 1
        self.lines.append(f'%v{self.count} = {text} loc("<<{tag}>>/op")')
        return f"%v{self.count}"

    def input(self, tag, *shape):
        self.inputs.append(f'%a{len(self.inputs)}: {self.type(shape)}'
                           f' loc("<<{tag}>>/arg")')
        return f"%a{len(self.inputs) - 1}", shape

    def weight(self, tag, *shape):
        if not self.constants:
            return self.input(tag, *shape)
        rng = random.Random(f"{tag} {shape} {self.edit.seed}")
        data = b"".join(struct.pack("<f", rng.uniform(-.3, .3))
                        for _ in range(math.prod(shape)))
        return self.emit(tag, f'arith.constant dense<"0x{data.hex()}"> : '
                              f"{self.type(shape)}"), shape

    def filled(self, tag, shape, value=0.0):
        kind = self.type(shape)
        zero = self.emit(tag + ".c", f"arith.constant {value:e} : f32")
        empty = self.emit(tag + ".e", f"tensor.empty() : {kind}")
        return self.emit(tag + ".f", f"linalg.fill ins({zero} : f32) "
                                     f"outs({empty} : {kind}) -> {kind}")

    def named(self, tag, op, a, b, shape, attributes=""):
        out, kind = self.filled(tag, shape), self.type(shape)
        return self.emit(
            tag, f"linalg.{op} {attributes} ins({a[0]}, {b[0]} : "
                 f"{self.type(a[1])}, {self.type(b[1])}) outs({out} : {kind})"
                 f" -> {kind}"), shape

    def dot(self, tag, a, b):
        op = "matmul" if len(a[1]) == 2 else "batch_matmul"
        return self.named(tag, op, a, b, (*a[1][:-1], b[1][-1]))

    def conv(self, tag, a, k):
        n, h, w, _ = a[1]
        shape = (n, h - k[1][0] + 1, w - k[1][1] + 1, k[1][3])
        return self.named(tag, "conv_2d_nhwc_hwcf", a, k, shape)

    def binary(self, tag, op, a, b):
        return self.emit(tag, f"arith.{op}f {a[0]}, {b[0]} : "
                              f"{self.type(a[1])}"), a[1]

    def unary(self, tag, op, a):
        op = {"rsqrt": "math.rsqrt", "exp": "math.exp", "tanh": "math.tanh",
              "abs": "math.absf"}[op]
        return self.emit(tag, f"{op} {a[0]} : {self.type(a[1])}"), a[1]

    def scale(self, tag, a, value):
        c = self.emit(tag + ".c", f"arith.constant dense<{value:e}> : "
                                  f"{self.type(a[1])}")
        return self.binary(tag, "mul", a, (c, a[1]))

    def sum(self, tag, a):
        out, kind = self.filled(tag, a[1][:-1]), self.type(a[1][:-1])
        return self.emit(
            tag, f"linalg.reduce {{arith.addf}} ins({a[0]} : "
                 f"{self.type(a[1])}) outs({out} : {kind}) dimensions = "
                 f"[{len(a[1]) - 1}]"), a[1][:-1]

    def moved(self, tag, op, a, shape, how):
        kind = self.type(shape)
        empty = self.emit(tag + ".e", f"tensor.empty() : {kind}")
        return self.emit(
            tag, f"linalg.{op} ins({a[0]} : {self.type(a[1])}) "
                 f"outs({empty} : {kind}) {how}"), shape

    def spread(self, tag, a, shape, axis):
        return self.moved(tag, "broadcast", a, shape, f"dimensions = {axis}")

    def reshape(self, tag, a, shape):
        sizes = ", ".join(map(str, shape))
        n = self.emit(tag + ".s", f"arith.constant dense<[{sizes}]> : "
                                  f"tensor<{len(shape)}xi64>")
        return self.emit(
            tag, f"tensor.reshape {a[0]}({n}) : ({self.type(a[1])}, tensor<"
                 f"{len(shape)}xi64>) -> {self.type(shape)}"), shape

    def transpose(self, tag, a, order):
        shape = tuple(a[1][i] for i in order)
        return self.moved(tag, "transpose", a, shape,
                          f"permutation = {list(order)}")

    def join(self, tag, a, b):
        shape = (a[1][0], a[1][1] + b[1][1], a[1][2])
        return self.emit(
            tag, f"tensor.concat dim(1) {a[0]}, {b[0]} : ({self.type(a[1])}, "
                 f"{self.type(b[1])}) -> {self.type(shape)}"), shape

    def text(self, results):
        kinds = ", ".join(self.type(r[1]) for r in results)
        return (f"func.func @main({', '.join(self.inputs)}) -> ({kinds}) {{\n"
                + "\n".join(self.lines) + "\nreturn "
                + ", ".join(r[0] for r in results) + f" : {kinds}\n}}\n")


class Jax:
    """Calls JAX's lax, and exports the traced function by JAX."""

    def __init__(self, edit, constants):
        import jax
        import numpy
        self.jax, self.lax, self.numpy = jax, jax.lax, numpy
        self.edit, self.constants = edit, constants
        self.shapes, self.values = [], None

    def input(self, tag, *shape):
        if self.values is not None:
            return next(self.values)
        self.shapes.append(shape)
        return self.jax.numpy.zeros(shape, "float32")

    def weight(self, tag, *shape):
        if not self.constants:
            return self.input(tag, *shape)
        seed = abs(random.Random(f"{tag} {shape} {self.edit.seed}")
                   .getrandbits(32))
        return self.numpy.random.default_rng(seed).standard_normal(
            shape, "float32")

    def scoped(self, tag, function, *arguments):
        with self.jax.named_scope("<<" + tag + ">>"):
            return function(*arguments)

    def dot(self, tag, a, b):
        rank = a.ndim
        batch = tuple(range(rank - 2))
        return self.scoped(tag, lambda: self.lax.dot_general(
            a, b, (((rank - 1,), (rank - 2,)), (batch, batch))))

    def conv(self, tag, a, k):
        return self.scoped(tag, lambda: self.lax.conv_general_dilated(
            a, k, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")))

    def binary(self, tag, op, a, b):
        return self.scoped(tag, getattr(self.lax, op), a, b)

    def unary(self, tag, op, a):
        return self.scoped(tag, getattr(self.lax, op), a)

    def scale(self, tag, a, value):
        return self.scoped(tag, lambda: self.lax.mul(
            a, self.lax.full_like(a, value)))

    def sum(self, tag, a):
        return self.scoped(tag, lambda: self.lax.reduce(
            a, self.numpy.float32(0), self.lax.add, (a.ndim - 1,)))

    def moved(self, tag, op, a, shape, how):
        kind = self.type(shape)
        empty = self.emit(tag + ".e", f"tensor.empty() : {kind}")
        return self.emit(
            tag, f"linalg.{op} ins({a[0]} : {self.type(a[1])}) "
                 f"outs({empty} : {kind}) {how}"), shape

    def spread(self, tag, a, shape, axis):
        kept = [i for i in range(len(shape)) if i not in axis]
        return self.scoped(tag, self.lax.broadcast_in_dim, a, shape, kept)

    def reshape(self, tag, a, shape):
        return self.scoped(tag, self.lax.reshape, a, shape)

    def transpose(self, tag, a, order):
        return self.scoped(tag, self.lax.transpose, a, order)

    def join(self, tag, a, b):
        return self.scoped(tag, self.lax.concatenate, [a, b], 1)

    def export(self, build):
        build(self)

        def model(values):
            self.values = iter(values)
            return build(self)
        arguments = [self.jax.ShapeDtypeStruct(shape, "float32")
                     for shape in self.shapes]
        lowered = self.jax.jit(model).lower(arguments)
        return lowered.compiler_ir("stablehlo").operation.get_asm(
            enable_debug_info=True, print_generic_op_form=True,
            use_local_scope=True)


def norm(g, tag, x, mean):
    shape = tuple(getattr(x, "shape", None) or x[1])
    axis = [len(shape) - 1]
    if mean:
        m = g.scale(tag + "mean", g.sum(tag + "sum", x), -1 / shape[-1])
        x = g.binary(tag + "center", "add", x,
                     g.spread(tag + "spread0", m, shape, axis))
    s = g.sum(tag + "squares", g.binary(tag + "square", "mul", x, x))
    r = g.unary(tag + "rsqrt", "rsqrt", g.scale(tag + "var", s, 1 / shape[-1]))
    r = g.spread(tag + "spread1", r, shape, axis)
    gain = g.weight(tag + "gain", shape[-1])
    gain = g.spread(tag + "spread2", gain, shape, [0])
    return g.binary(tag + "gained", "mul",
                    g.binary(tag + "normed", "mul", x, r), gain)


def softmax(g, tag, x):
    shape = tuple(getattr(x, "shape", None) or x[1])
    e = g.unary(tag + "exp", "exp", x)
    s = g.spread(tag + "spread", g.sum(tag + "sum", e), shape,
                 [len(shape) - 1])
    return g.binary(tag + "div", "div", e, s)


def attention(g, tag, x, rows, width, cache):
    heads, deep = 2, width // 2

    def project(name):
        y = g.dot(tag + name, x, g.weight(tag + name + ".w", width, width))
        y = g.reshape(tag + name + "split", y, (rows, heads, deep))
        return g.transpose(tag + name + "turn", y, (1, 0, 2))
    order = "vkq" if g.edit.reordered else "qkv"
    got = {name: project(name) for name in order}
    kept = []
    if cache:
        for name in "vk" if g.edit.reordered else "kv":
            past = g.input(tag + name + "past", heads, cache, deep)
            got[name] = g.join(tag + name + "join", past, got[name])
        kept = [got["k"], got["v"]]
    turned = g.transpose(tag + "kt", got["k"], (0, 2, 1))
    s = g.scale(tag + "scale", g.dot(tag + "scores", got["q"], turned),
                deep ** -.5)
    y = g.dot(tag + "mix", softmax(g, tag + "soft", s), got["v"])
    y = g.transpose(tag + "back", y, (1, 0, 2))
    y = g.reshape(tag + "merge", y, (rows, width))
    return g.dot(tag + "out", y, g.weight(tag + "out.w", width, width)), kept


def feed_forward(g, tag, layer, x, rows, width, curve):
    inner = width * (3 if layer == g.edit.wide else 2)
    y = g.dot(tag + "up", x, g.weight(tag + "up.w", width, inner))
    y = g.unary(tag + "curve", curve, y)
    return g.dot(tag + "down", y, g.weight(tag + "down.w", inner, width))


def transformer(g, x, rows, mean, curve, cache=0):
    width, kept = g.edit.width, []
    for layer in g.edit.layers:
        tag = f"L{layer}."
        y, more = attention(g, tag, norm(g, tag + "n1", x, mean), rows, width,
                            cache)
        kept += more
        x = g.binary(tag + "r1", "add", x, y)
        y = feed_forward(g, tag, layer, norm(g, tag + "n2", x, mean), rows,
                         width, curve)
        x = g.binary(tag + "r2", "add", x, y)
    return [norm(g, "Z.", x, mean), *kept]


def t5(g):
    return transformer(g, g.input("x", 16, g.edit.width), 16, False, "abs")


def vit(g):
    x = g.dot("P.patch", g.input("x", 16, 48),
              g.weight("P.patch.w", 48, g.edit.width))
    x = g.binary("P.position", "add", x,
                 g.weight("P.position.w", 16, g.edit.width))
    x, *_ = transformer(g, x, 16, True, "tanh")
    return [g.dot("Z.head", x, g.weight("Z.head.w", g.edit.width, 10))]


def gpt2(g):
    x, *kept = transformer(g, g.input("x", 1, g.edit.width), 1, True, "tanh",
                           cache=15)
    return [g.dot("Z.head", x, g.weight("Z.head.w", g.edit.width, 50)), *kept]


def cnn(g):
    """Blocks of 1x1 convolutions around a sum, of two branches."""
    width = g.edit.width
    x = g.conv("P.stem", g.input("x", 1, 12, 12, 3),
               g.weight("P.stem.w", 3, 3, 3, width))
    for layer in g.edit.layers:
        tag = f"L{layer}."
        inner = width * 3 // 2 if layer == g.edit.wide else width

        def branch(name):
            y = g.conv(tag + name + "1", x,
                       g.weight(tag + name + "1.w", 1, 1, width, inner))
            y = g.unary(tag + name + "curve", "abs" if name == "a" else "tanh",
                        y)
            return g.conv(tag + name + "2", y,
                          g.weight(tag + name + "2.w", 1, 1, inner, width))
        got = {n: branch(n) for n in ("ba" if g.edit.reordered else "ab")}
        y = g.binary(tag + "sum", "add", got["a"], got["b"])
        x = g.binary(tag + "r", "add", x, y)
    return [g.unary("Z.", "tanh", x)]


def mixer(g):
    """Products over positions, then over channels, as in an MLP-Mixer."""
    width, rows = g.edit.width, 16
    x = g.input("x", rows, width)
    for layer in g.edit.layers:
        tag = f"L{layer}."
        y = g.transpose(tag + "turn", norm(g, tag + "n1", x, True), (1, 0))
        y = g.dot(tag + "mix1", y, g.weight(tag + "mix1.w", rows, 24))
        y = g.unary(tag + "mixed", "tanh", y)
        y = g.dot(tag + "mix2", y, g.weight(tag + "mix2.w", 24, rows))
        x = g.binary(tag + "r1", "add", x,
                     g.transpose(tag + "back", y, (1, 0)))
        y = feed_forward(g, tag, layer, norm(g, tag + "n2", x, True), rows,
                         width, "tanh")
        x = g.binary(tag + "r2", "add", x, y)
    return [g.dot("Z.head", x, g.weight("Z.head.w", width, 10))]


def lstm(g):
    """Stacked cells: two time steps that share weights."""
    width = g.edit.width
    steps = [g.input(f"x{t}", 4, width) for t in range(2)]
    for layer in g.edit.layers:
        tag = f"L{layer}."
        h, c = (g.input(tag + n, 4, width) for n in "hc")
        order = "ogfi" if g.edit.reordered else "ifgo"
        weights = {n: [g.weight(tag + n + m, width, width) for m in "wu"]
                   for n in order}
        for t, x in enumerate(steps):
            def gate(name):
                at = f"{tag}t{t}{name}"
                w, u = weights[name]
                y = g.binary(at + "s", "add", g.dot(at + "w", x, w),
                             g.dot(at + "u", h, u))
                return g.unary(at, "tanh", y)
            got = {n: gate(n) for n in order}
            c = g.binary(f"{tag}t{t}c", "add",
                         g.binary(f"{tag}t{t}keep", "mul", got["f"], c),
                         g.binary(f"{tag}t{t}new", "mul", got["i"], got["g"]))
            h = g.binary(f"{tag}t{t}h", "mul", got["o"],
                         g.unary(f"{tag}t{t}ct", "tanh", c))
            steps[t] = h
    return [g.dot("Z.head", steps[1], g.weight("Z.head.w", width, 10))]


def unet(g):
    """Convolutions on the way down, and on the way up with skip connections."""
    width, skips = g.edit.width, []
    x = g.conv("P.stem", g.input("x", 1, 12, 12, 3),
               g.weight("P.stem.w", 3, 3, 3, width))
    for layer in g.edit.layers:
        tag = f"L{layer}."
        x = g.conv(tag + "down", x, g.weight(tag + "down.w", 1, 1, width,
                                             width))
        x = g.unary(tag + "curve", "tanh", x)
        skips.append(x)
    x = g.unary("M.curve", "abs",
                g.conv("M.conv", x, g.weight("M.w", 1, 1, width, width)))
    for layer, skip in reversed(list(zip(g.edit.layers, skips))):
        tag = f"L{layer}."
        inner = width * 3 // 2 if layer == g.edit.wide else width
        x = g.binary(tag + "skip", "add", x, skip)
        x = g.conv(tag + "up1", x, g.weight(tag + "up1.w", 1, 1, width, inner))
        x = g.conv(tag + "up2", x, g.weight(tag + "up2.w", 1, 1, inner, width))
    return [g.unary("Z.", "tanh", x)]


def cells(g, seed, alike):
    """Layers of one random graph each: the same for all, or different ones."""
    width = g.edit.width
    x = g.input("x", 8, width)
    for layer in g.edit.layers:
        tag, ops = f"L{layer}.", []
        rng = random.Random(seed if alike else f"{seed} {layer}")
        while len(ops) < 10:
            op = rng.choice(("dot", "dot", "tanh", "abs", "add", "mul"))
            a, b = sorted(rng.choices(range(len(ops) + 1), k=2))
            if op not in ("add", "mul"):
                a = b
            # Ops that compute the same are equivalent.
            if op == "dot" or (op, a, b) not in ops:
                ops.append((op, a, b))
        values = {0: x}

        def compute(i):
            if i in values:
                return values[i]
            op, a, b = ops[i - 1]
            t = f"{tag}{chr(97 + i)}"
            # The operands are computed in another order.
            first, second = (b, a) if g.edit.reordered else (a, b)
            got = {n: compute(n) for n in (first, second)}
            if op == "dot":
                y = g.dot(t, got[a], g.weight(t + ".w", width, width))
            elif op in ("add", "mul"):
                y = g.binary(t, op, got[a], got[b])
            else:
                y = g.unary(t, op, got[a])
            values[i] = y
            return y
        used = {n for _, a, b in ops for n in (a, b)}
        ends = [i for i in range(len(ops) + 1) if i not in used]
        got = {i: compute(i)
               for i in (reversed(ends) if g.edit.reordered else ends)}
        x = got[ends[0]]
        for i in ends[1:]:
            x = g.binary(f"{tag}end{chr(97 + i)}", "add", x, got[i])
    return [g.dot("Z.head", x, g.weight("Z.head.w", width, 10))]


class Models(dict):
    """Also alike-N and distinct-N: random layers from seed N."""

    def __missing__(self, name):
        kind, _, seed = name.partition("-")
        if kind not in ("alike", "distinct"):
            raise KeyError(name)
        return lambda g: cells(g, int(seed), kind == "alike")


# The alignment's rules were developed with these.
KNOWN = {"t5": t5, "vit": vit, "gpt2-cache": gpt2, "cnn": cnn}
MODELS = Models(KNOWN, mixer=mixer, lstm=lstm, unet=unet)

OP = re.compile(r'\s*(?:%[^=]*= )?"([\w.]+)"\(')
TAG = re.compile("<<([^>]*)>>/?")


def generic(text, passes=()):
    """`text` printed by mlir-opt, in generic form with all locations."""
    tool = shutil.which("mlir-opt-22") or "mlir-opt"
    return subprocess.run(
        [tool, "--allow-unregistered-dialect",
         "--mlir-print-op-generic", "--mlir-print-debuginfo",
         "--mlir-print-local-scope", *passes], input=text, text=True,
        check=True, capture_output=True).stdout


def make(model, writer, edit, constants, passes=()):
    """The module's text, with tags."""
    g = writer(edit, constants)
    if writer is Jax:
        return g.export(MODELS[model])
    return generic(g.text(MODELS[model](g)), passes)


def rename(tag, edit):
    """The replacement for `tag` in the names of the edited model's ops."""
    layer, _, rest = tag.partition(".")
    if edit.names == "bare":
        return ""
    if layer[:1] == "L" and edit.names == "place":
        layer = f"L{edit.layers.index(int(layer[1:]))}"
    return layer.replace("L", "layer_") + "/" + (rest and f"{rest}/")


def split(text, edit, line_file=None):
    """The text without tags, and the tags of its ops in pre-order. The source
    position of an op of `line_file` is its number there."""
    def write(found):
        return rename(found[1], edit)
    tags, parents, lines, open_ops, seen = [], [], [], [], {}

    def place(line, op):
        head, _, location = line.rpartition(" loc(")
        name = re.match(r'"([^"]*)"(?!:)', location)
        name = name[1] if name else ""
        tag = TAG.search(name)
        if tag and len(open_ops) <= 2:
            key = f"{tag[1]} {ops[op]}"
            seen[key] = seen.get(key, 0) + 1
            tags[op] = f"{key} {seen[key]}"
        name = "" if edit.names == "none" else TAG.sub(write, name)
        inner = (f'"{line_file}":{op + 1}:1' if line_file else "")
        if name:
            return f'{head} loc("{name}"' + (f"({inner}))" if inner else ")")
        return f"{head} loc({inner or 'unknown'})"

    ops = []
    for line in text.splitlines():
        if found := OP.match(line):
            ops.append(found[1])
            tags.append("")
            parents.append(open_ops[-1] if open_ops else 0)
            if line.endswith("({"):
                open_ops.append(len(ops) - 1)
                lines.append(line)
            else:
                lines.append(place(line, len(ops) - 1))
        elif line.lstrip().startswith("})"):
            lines.append(place(line, open_ops.pop()))
        else:
            lines.append(re.sub(
                r'loc\("[^"]*"(\([^()]*\))?\)',
                lambda m: "loc(unknown)" if edit.names == "none"
                else TAG.sub(write, m[0]), line))
    for op, parent in enumerate(parents):
        # Nested ops are part of it.
        if ops[op] in ("builtin.module", "func.func", "func.return"):
            tags[op] = ops[op] + "/"
        elif not tags[op] and tags[parent]:
            tags[op] = f"{tags[parent]}/{op - parent}"
    return "\n".join(lines) + "\n", tags
