# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The TensorFlow models that are recorded.

MODELS[name](options) -> (tf.function, arguments); `options` go to tf.function.
"""

import numpy as np
import tensorflow as tf


class Random:
    """Weights and inputs, the same in every recording."""

    def __init__(self):
        self.generator = np.random.default_rng(0)

    def weight(self, *shape):
        values = self.generator.standard_normal(shape) * 0.05
        return tf.Variable(values.astype("float32"))

    def input(self, *shape):
        values = self.generator.standard_normal(shape)
        return tf.constant(values.astype("float32"))


def mlp(options):
    random = Random()
    w1, b1 = random.weight(1024, 1024), random.weight(1024)
    w2, b2 = random.weight(1024, 512), random.weight(512)

    @tf.function(**options)
    def f(x):
        with tf.name_scope("layer1"):
            h = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w1), b1))
        with tf.name_scope("layer2"):
            h = tf.tanh(tf.nn.bias_add(tf.matmul(h, w2), b2))
        return tf.nn.softmax(h)

    return f, (random.input(256, 1024),)


def cnn(options):
    random = Random()
    k1, g1, a1 = random.weight(3, 3, 16, 32), random.weight(32), random.weight(32)
    k2, g2, a2 = random.weight(3, 3, 32, 64), random.weight(64), random.weight(64)
    w, b = random.weight(64, 10), random.weight(10)

    @tf.function(**options)
    def f(x):
        with tf.name_scope("block1"):
            h = tf.nn.conv2d(x, k1, 1, "SAME")
            h = tf.nn.relu(h * g1 + a1)
            h = tf.nn.max_pool2d(h, 2, 2, "VALID")
        with tf.name_scope("block2"):
            h = tf.nn.conv2d(h, k2, 1, "SAME")
            h = tf.nn.relu(h * g2 + a2)
            h = tf.nn.avg_pool2d(h, 2, 2, "VALID")
        with tf.name_scope("head"):
            h = tf.reduce_mean(h, axis=[1, 2])
            return tf.nn.softmax(tf.matmul(h, w) + b)

    return f, (random.input(32, 32, 32, 16),)


def enc(options):
    """An encoder block; `ffn` is a PartitionedCall that TensorFlow inlines."""
    batch, length, width, heads, hidden = 4, 128, 256, 4, 1024
    depth = width // heads
    random = Random()
    wq, wk, wv, wo = (random.weight(width, width) for _ in range(4))
    w1, c1 = random.weight(width, hidden), random.weight(hidden)
    w2, c2 = random.weight(hidden, width), random.weight(width)
    g1, e1, g2, e2 = (random.weight(width) for _ in range(4))

    def ln(x, scale, offset):
        with tf.name_scope("layernorm"):
            mean = tf.reduce_mean(x, -1, keepdims=True)
            variance = tf.reduce_mean(tf.math.squared_difference(x, mean), -1,
                                      keepdims=True)
            return (x - mean) * tf.math.rsqrt(variance + 1e-5) * scale + offset

    def split(x):
        x = tf.reshape(x, [batch, length, heads, depth])
        return tf.transpose(x, [0, 2, 1, 3])

    @tf.function
    def ffn(x):
        with tf.name_scope("ffn"):
            h = tf.nn.gelu(tf.matmul(x, w1) + c1, approximate=False)
            return tf.matmul(h, w2) + c2

    @tf.function(**options)
    def f(x):
        with tf.name_scope("attn"):
            y = ln(x, g1, e1)
            q = split(tf.matmul(y, wq))
            k = split(tf.matmul(y, wk))
            v = split(tf.matmul(y, wv))
            scores = tf.matmul(q, k, transpose_b=True) * (1.0 / depth ** 0.5)
            o = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
            x = x + tf.matmul(tf.reshape(o, [batch, length, width]), wo)
        with tf.name_scope("mlp"):
            return x + ffn(ln(x, g2, e2))

    return f, (random.input(batch, length, width),)


def train(options):
    random = Random()
    w1, b1 = random.weight(512, 512), random.weight(512)
    w2, b2 = random.weight(512, 256), random.weight(256)

    @tf.function(**options)
    def f(x, y):
        with tf.GradientTape() as tape:
            with tf.name_scope("layer1"):
                h = tf.tanh(tf.matmul(x, w1) + b1)
            with tf.name_scope("layer2"):
                z = tf.matmul(h, w2) + b2
            with tf.name_scope("loss"):
                loss = -tf.reduce_mean(
                    tf.reduce_sum(y * tf.nn.log_softmax(z), -1))
        variables = [w1, b1, w2, b2]
        with tf.name_scope("sgd"):
            gradients = tape.gradient(loss, variables)
            for variable, gradient in zip(variables, gradients):
                variable.assign_sub(0.01 * gradient)
        return loss

    return f, (random.input(128, 512), random.input(128, 256))


def mixed(options):
    """Two XLA clusters called from a function in graph mode."""
    random = Random()
    w1, w2 = random.weight(512, 512), random.weight(512, 512)

    @tf.function(jit_compile=True)
    def first(x):
        with tf.name_scope("first"):
            return tf.tanh(tf.matmul(x, w1))

    @tf.function(jit_compile=True)
    def second(x):
        with tf.name_scope("second"):
            return tf.nn.relu(tf.matmul(tf.matmul(x, w2), w1))

    @tf.function(**options)
    def f(x):
        with tf.name_scope("outer"):
            y = first(x) * 2.0 + x
            return tf.reduce_sum(tf.nn.softmax(second(y)), -1)

    return f, (random.input(128, 512),)


def loop(options):
    random = Random()
    weights = random.weight(6, 512, 512)

    @tf.function(**options)
    def f(x):
        for i in tf.range(6):
            with tf.name_scope("cell"):
                x = tf.tanh(tf.matmul(x, weights[i]))
        return x

    return f, (random.input(128, 512),)


def calls(options):
    """Calls in calls, of which one stays a kernel that completes later, If,
    and a while loop whose trip count depends on data."""
    random = Random()
    w1, w2 = random.weight(128, 128), random.weight(128, 128)

    @tf.function
    def inner(x):
        with tf.name_scope("inner"):
            return tf.tanh(tf.matmul(x, w1))

    @tf.function
    def outer(x):
        with tf.name_scope("outer"):
            return inner(inner(x) * 0.5)

    @tf.function(experimental_attributes={"_noinline": True})
    def kept(x):
        with tf.name_scope("kept"):
            return tf.nn.softmax(tf.matmul(x, w2))

    @tf.function(**options)
    def f(x):
        with tf.name_scope("call"):
            y = outer(x)
        with tf.name_scope("choice"):
            if tf.reduce_sum(y) > -1e9:
                y = tf.matmul(y, w2)
            else:
                y = tf.matmul(y, w1)
        with tf.name_scope("settle"):
            count = 0
            while tf.reduce_max(tf.abs(y)) > 1e-3 and count < 4:
                y = tf.matmul(y, w1) * 0.5
                count += 1
        return kept(y)

    return f, (random.input(64, 128),)


def names(options):
    """Scopes with every character that TensorFlow allows in a name."""
    scopes = ["a.b-c>d", "0_digit", "While.body/cond", "long_" * 100]
    random = Random()
    w = random.weight(128, 128)

    @tf.function(**options)
    def f(x):
        for scope in scopes:
            with tf.name_scope(scope):
                x = tf.tanh(tf.matmul(x, w))
        return tf.nn.softmax(x)

    return f, (random.input(64, 128),)


MODELS = dict(mlp=mlp, cnn=cnn, enc=enc, train=train, mixed=mixed, loop=loop,
              calls=calls, names=names)
