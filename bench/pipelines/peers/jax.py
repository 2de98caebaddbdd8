# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np

from peers.base import Peer


class Jax(Peer):
    """XLA, with weights as arguments."""

    packages = ["jax", "jaxlib"]

    @classmethod
    def environment(cls, threads):
        flags = "--xla_cpu_multi_thread_eigen=false" if threads == 1 else ""
        return {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}

    def __init__(self, *arguments):
        super().__init__(*arguments)
        import jax
        self.jax = jax
        self.weights = {name: jax.numpy.asarray(value) for name, value
                        in self.problem.model.weights.items()}
        function = getattr(self, self.problem.name)
        self.function = self.compile(function)

    def compile(self, function):
        compiled = self.jax.jit(function)
        return lambda x: compiled(x, self.weights)

    def prepare(self, request):
        x = self.jax.numpy.asarray(self.problem.inputs(request)["x"])
        return lambda: self.function(x).block_until_ready()

    def gelu(self, x):
        return self.jax.nn.gelu(x, approximate=True)

    def mlp(self, x, w):
        return self.gelu(x @ w["w1"] + w["b1"]) @ w["w2"] + w["b2"]

    def mlp_dyn(self, x, w):
        for i in "12":
            x = self.jax.nn.relu(x @ w["w" + i] + w["b" + i])
        return x @ w["w3"] + w["b3"]

    def cnn(self, x, w):
        lax = self.jax.lax

        def convolve(x, i, stride):
            y = lax.conv_general_dilated(
                x, w["k" + i], (stride,) * 2, ((1, 1),) * 2,
                dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return self.jax.nn.relu(y + w["kb" + i])
        window = (1, 2, 2, 1)
        y = lax.reduce_window(convolve(x, "1", 1), -np.inf, lax.max, window,
                              window, "VALID")
        return convolve(y, "2", 2).mean((1, 2)) @ w["wd"] + w["bd"]

    def norm(self, x, w, i):
        centered = x - x.mean(-1, keepdims=True)
        variance = (centered * centered).mean(-1, keepdims=True)
        return (centered * self.jax.lax.rsqrt(variance + 1e-5) * w["g" + i]
                + w["be" + i])

    def transformer(self, x, w):
        s, d, heads, _ = self.problem.model.sizes
        q, k, v = ((x @ w["w" + n] + w["b" + n]).reshape(s, heads, -1)
                   .transpose(1, 0, 2) for n in "qkv")
        scores = q @ k.transpose(0, 2, 1) * np.float32(1 / np.sqrt(d // heads))
        o = (self.jax.nn.softmax(scores, -1) @ v).transpose(1, 0, 2)
        y = self.norm(x + o.reshape(s, d) @ w["wo"] + w["bo"], w, "1")
        hidden = self.gelu(y @ w["wf1"] + w["bf1"])
        return self.norm(y + hidden @ w["wf2"] + w["bf2"], w, "2")


class JaxConstant(Jax):
    """XLA, with weights as constants."""

    def compile(self, function):
        return self.jax.jit(lambda x: function(x, self.weights))
