# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JAX models that are recorded: MODELS[name]() -> (function, arguments)."""

import jax
import jax.numpy as jnp
import numpy as np


class Random:
    """Weights and inputs, the same in every recording."""

    def __init__(self):
        self.generator = np.random.default_rng(0)

    def weight(self, *shape):
        return self.input(*shape) * 0.05

    def input(self, *shape):
        values = self.generator.standard_normal(shape)
        return jnp.asarray(values.astype("float32"))


def mlp():
    random = Random()
    params = dict(W1=random.weight(1024, 1024), b1=random.weight(1024),
                  W2=random.weight(1024, 512), b2=random.weight(512))

    def f(params, x):
        with jax.named_scope("layer1"):
            h = jax.nn.relu(x @ params["W1"] + params["b1"])
        with jax.named_scope("layer2"):
            h = jnp.tanh(h @ params["W2"] + params["b2"])
        return jax.nn.softmax(h)

    return f, (params, random.input(256, 1024))


def cnn():
    random = Random()
    params = dict(K1=random.weight(3, 3, 16, 32), g1=random.weight(32),
                  a1=random.weight(32), K2=random.weight(3, 3, 32, 64),
                  g2=random.weight(64), a2=random.weight(64),
                  W=random.weight(64, 10), b=random.weight(10))

    def convolve(x, kernel):
        return jax.lax.conv_general_dilated(
            x, kernel, (1, 1), "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def pool(x, initial, reduce):
        window = (1, 2, 2, 1)
        return jax.lax.reduce_window(x, initial, reduce, window, window,
                                     "VALID")

    def f(params, x):
        with jax.named_scope("block1"):
            h = convolve(x, params["K1"]) * params["g1"] + params["a1"]
            h = pool(jax.nn.relu(h), -jnp.inf, jax.lax.max)
        with jax.named_scope("block2"):
            h = convolve(h, params["K2"]) * params["g2"] + params["a2"]
            h = pool(jax.nn.relu(h), 0.0, jax.lax.add) * 0.25
        with jax.named_scope("head"):
            h = h.mean((1, 2)) @ params["W"] + params["b"]
            return jax.nn.softmax(h)

    return f, (params, random.input(32, 32, 32, 16))


def enc():
    """An encoder block; `ln` is one private function with two call sites."""
    batch, length, width, heads, hidden = 4, 128, 256, 4, 1024
    depth = width // heads
    random = Random()
    params = {name: random.weight(width, width)
              for name in ("Wq", "Wk", "Wv", "Wo")}
    params.update(
        W1=random.weight(width, hidden), c1=random.weight(hidden),
        W2=random.weight(hidden, width), c2=random.weight(width),
        g1=random.weight(width), e1=random.weight(width),
        g2=random.weight(width), e2=random.weight(width))

    @jax.jit
    def ln(x, scale, offset):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset

    def split(x):
        return x.reshape(batch, length, heads, depth).transpose(0, 2, 1, 3)

    def f(params, x):
        with jax.named_scope("attn"):
            y = ln(x, params["g1"], params["e1"])
            q = split(y @ params["Wq"])
            k = split(y @ params["Wk"])
            v = split(y @ params["Wv"])
            p = jnp.einsum("bhqd,bhkd->bhqk", q, k) * depth ** -0.5
            o = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(p), v)
            o = o.transpose(0, 2, 1, 3).reshape(batch, length, width)
            x = x + o @ params["Wo"]
        with jax.named_scope("mlp"):
            h = ln(x, params["g2"], params["e2"]) @ params["W1"] + params["c1"]
            h = jax.nn.gelu(h, approximate=False)
            return x + h @ params["W2"] + params["c2"]

    return f, (params, random.input(batch, length, width))


def train():
    random = Random()
    params = dict(W1=random.weight(512, 512), b1=random.weight(512),
                  W2=random.weight(512, 256), b2=random.weight(256))

    def loss(params, x, y):
        with jax.named_scope("layer1"):
            h = jnp.tanh(x @ params["W1"] + params["b1"])
        with jax.named_scope("layer2"):
            z = h @ params["W2"] + params["b2"]
        with jax.named_scope("loss"):
            return -(y * jax.nn.log_softmax(z)).sum(-1).mean()

    def step(params, x, y):
        value, gradients = jax.value_and_grad(loss)(params, x, y)
        with jax.named_scope("sgd"):
            update = lambda p, g: p - 0.01 * g
            return jax.tree.map(update, params, gradients), value

    return step, (params, random.input(128, 512), random.input(128, 256))


def data_parallel():
    """`train` over all devices: all-reduce, one hlo_op on several devices."""
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    step, (params, x, y) = train()
    mesh = Mesh(np.array(jax.devices()), ("d",))
    rows = NamedSharding(mesh, PartitionSpec("d"))
    params = jax.device_put(params, NamedSharding(mesh, PartitionSpec()))
    return step, (params, jax.device_put(x, rows), jax.device_put(y, rows))


def loop():
    random = Random()

    def f(weights, x):
        def cell(carry, weight):
            with jax.named_scope("cell"):
                return jnp.tanh(carry @ weight), ()
        return jax.lax.scan(cell, x, weights)[0]

    return f, (random.weight(6, 512, 512), random.input(128, 512))


def calls():
    """Functions in functions, a while loop whose trip count depends on data,
    softmax and gather."""
    random = Random()
    table, weight = random.weight(512, 128), random.weight(128, 128)
    tokens = jnp.asarray(random.generator.integers(0, 512, (16, 32)))

    @jax.jit
    def norm(x):
        return x / jnp.sqrt((x * x).sum(-1, keepdims=True) + 1e-6)

    @jax.jit
    def mix(x, weight):
        return norm(jnp.tanh(norm(x) @ weight))

    def f(table, weight, tokens):
        with jax.named_scope("embed"):
            x = jnp.take(table, tokens, axis=0)
        with jax.named_scope("settle"):
            def unsettled(state):
                count, x, change = state
                return (count < 5) & (change > 1e-9)

            def body(state):
                count, x, _ = state
                y = mix(x, weight)
                return count + 1, y, jnp.abs(y - x).max()

            state = (jnp.int32(0), x, jnp.float32(1))
            _, x, _ = jax.lax.while_loop(unsettled, body, state)
        with jax.named_scope("pick"):
            p = jax.nn.softmax(mix(x, weight) @ table.T)
            best = p.argmax(-1)
            return jnp.take_along_axis(p, best[..., None], -1), table[best]

    return f, (table, weight, tokens)


def names():
    """Scopes with what breaks parsers of names."""
    scopes = ["a \"quoted\" 'name'", "grüße/層/🔥", "#shape=(2,3);k=v#",
              "back\\slash", "user@host",
              "per%cent {brace} [bracket] <angle>", "long_" * 100]
    random = Random()

    def f(weight, x):
        for scope in scopes:
            with jax.named_scope(scope):
                x = jnp.tanh(x @ weight)
        return jax.nn.softmax(x)

    return f, (random.weight(128, 128), random.input(64, 128))


MODELS = dict(mlp=mlp, cnn=cnn, enc=enc, train=train, dp=data_parallel,
              loop=loop, calls=calls, names=names)

# Names of host annotations around a step of "names".
ODD_ANNOTATIONS = ['say "hi"', "grüße 層 🔥", "key#a=1,b=\"x,y\"#",
                   "a:B", "tab\tand\nnewline", "x" * 2000]
