# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from peers.base import Peer


def to_layer(value):
    """A weight in the layout of PyTorch's own layers."""
    import torch
    tensor = torch.from_numpy(value.copy())
    if tensor.dim() == 4:
        return tensor.permute(3, 2, 0, 1).contiguous(
            memory_format=torch.channels_last)
    return tensor.t().contiguous() if tensor.dim() == 2 else tensor


class Eager(Peer):
    packages = ["torch"]

    def __init__(self, *arguments):
        super().__init__(*arguments)
        import torch
        self.torch, self.f = torch, torch.nn.functional
        torch.set_num_threads(self.threads)
        torch.set_float32_matmul_precision("highest")
        module = self.problem.module() or self.make_module()
        self.module = self.compile(module)

    def make_module(self):
        layers = {name: self.torch.nn.Parameter(to_layer(value), False)
                  for name, value in self.problem.model.weights.items()}
        forward = getattr(self, self.problem.name)

        class Module(self.torch.nn.Module):
            def __init__(self):
                super().__init__()
                for name, value in layers.items():
                    self.register_parameter(name, value)

            def forward(self, x):
                return forward(x, self)
        return Module().eval()

    def compile(self, module):
        return module

    def prepare(self, request):
        inputs = [self.torch.from_numpy(self.problem.to_onnx(value))
                  for value in self.problem.inputs(request).values()]
        if self.problem.channels_last:
            inputs = [x.contiguous(memory_format=self.torch.channels_last)
                      if x.dim() == 4 else x for x in inputs]
        mode = self.mode()

        def call():
            with mode():
                return self.module(*inputs)
        return call

    def results(self, value):
        return [self.problem.from_onnx(one) for one in super().results(value)]

    def mode(self):
        return self.torch.inference_mode

    def mlp(self, x, w):
        hidden = self.f.gelu(self.f.linear(x, w.w1, w.b1), approximate="tanh")
        return self.f.linear(hidden, w.w2, w.b2)

    def mlp_dyn(self, x, w):
        x = self.f.relu(self.f.linear(x, w.w1, w.b1))
        x = self.f.relu(self.f.linear(x, w.w2, w.b2))
        return self.f.linear(x, w.w3, w.b3)

    def cnn(self, x, w):
        x = self.f.relu(self.f.conv2d(x, w.k1, w.kb1, padding=1))
        x = self.f.max_pool2d(x, 2)
        x = self.f.relu(self.f.conv2d(x, w.k2, w.kb2, stride=2, padding=1))
        return self.f.linear(x.mean((2, 3)), w.wd, w.bd)

    def transformer(self, x, w):
        f = self.f
        s, d, heads, _ = self.problem.model.sizes

        def split(weight, bias):
            y = f.linear(x, weight, bias).view(1, s, heads, -1)
            return y.transpose(1, 2)
        o = f.scaled_dot_product_attention(
            split(w.wq, w.bq), split(w.wk, w.bk), split(w.wv, w.bv))
        o = f.linear(o.transpose(1, 2).reshape(s, d), w.wo, w.bo)
        y = f.layer_norm(x + o, (d,), w.g1, w.be1)
        hidden = f.gelu(f.linear(y, w.wf1, w.bf1), approximate="tanh")
        return f.layer_norm(y + f.linear(hidden, w.wf2, w.bf2), (d,), w.g2,
                            w.be2)
