# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of known architectures with random weights.

MODELS[name]() returns (module, arguments): classes of the transformers package
in small configurations, and modules of torch.nn. zoo.py sets the seed.
"""

import torch
import transformers as tf
from torch import nn

MODELS = {}
#: Not part of a run without --only.
SPECIAL = {}

VOCABULARY = 1000


def model(function):
    MODELS[function.__name__] = function
    return function


def special(function):
    SPECIAL[function.__name__] = function
    return function


class Pick(nn.Module):
    """One tensor of the results of a transformers model."""

    def __init__(self, model, result="last_hidden_state", **options):
        super().__init__()
        self.model, self.result, self.options = model, result, options

    def forward(self, *arguments):
        return self.model(*arguments, **self.options)[self.result]


def tokens(*shape, high=VOCABULARY):
    return torch.randint(0, high, shape)


def image(size=224):
    return torch.randn(1, 3, size, size)


def vary_norms(model):
    """Batch normalizations that are not the identity."""
    for layer in model.modules():
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.uniform_(layer.weight, 0.5, 1.5)
            nn.init.normal_(layer.bias, 0, 0.1)
            nn.init.normal_(layer.running_mean, 0, 0.1)
            nn.init.uniform_(layer.running_var, 0.5, 1.5)
    return model


# Images.


@model
def resnet18():
    config = tf.ResNetConfig(
        embedding_size=64, hidden_sizes=[64, 128, 256, 512],
        depths=[2, 2, 2, 2], layer_type="basic", num_labels=100)
    net = vary_norms(tf.ResNetForImageClassification(config))
    return Pick(net, "logits"), (image(),)


@model
def mobilenetv2():
    net = tf.MobileNetV2ForImageClassification(
        tf.MobileNetV2Config(num_labels=100))
    return Pick(vary_norms(net), "logits"), (image(),)


class ResidualBlock(nn.Module):
    """Two convolutions, normalized by groups, with a time step between."""

    def __init__(self, inputs, outputs, step):
        super().__init__()
        self.norm1 = nn.GroupNorm(8, inputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.step = nn.Linear(step, outputs)
        self.norm2 = nn.GroupNorm(8, outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.skip = (nn.Conv2d(inputs, outputs, 1) if inputs != outputs
                     else nn.Identity())

    def forward(self, x, step):
        silu = nn.functional.silu
        y = self.conv1(silu(self.norm1(x)))
        y = y + self.step(silu(step))[:, :, None, None]
        return self.skip(x) + self.conv2(silu(self.norm2(y)))


class UNet(nn.Module):
    """One level of a diffusion model, with attention at the bottom."""

    def __init__(self, width=32, step=64):
        super().__init__()
        wide = 2 * width
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.top = ResidualBlock(width, width, step)
        self.down = nn.Conv2d(width, width, 3, 2, 1)
        self.bottom = ResidualBlock(width, wide, step)
        self.attention = nn.MultiheadAttention(wide, 4, batch_first=True)
        self.middle = ResidualBlock(wide, wide, step)
        self.up = nn.ConvTranspose2d(wide, width, 2, 2)
        self.joined = ResidualBlock(wide, width, step)
        self.last = nn.Conv2d(width, 3, 3, padding=1)
        self.step = nn.Sequential(nn.Linear(32, step), nn.SiLU(),
                                  nn.Linear(step, step))

    def embed(self, time):
        angles = time[:, None] * torch.exp(-torch.arange(16) / 16 * 9.2)
        return self.step(torch.cat([angles.sin(), angles.cos()], 1))

    def forward(self, x, time):
        step = self.embed(time)
        top = self.top(self.first(x), step)
        y = self.bottom(self.down(top), step)
        rows = y.flatten(2).transpose(1, 2)
        rows = rows + self.attention(rows, rows, rows, need_weights=False)[0]
        y = self.middle(rows.transpose(1, 2).reshape(y.shape), step)
        y = self.joined(torch.cat([self.up(y), top], 1), step)
        return self.last(nn.functional.silu(y))


@model
def unet():
    return UNet(), (image(32), torch.tensor([10.0]))


@model
def vit():
    config = tf.ViTConfig(hidden_size=192, num_hidden_layers=4,
                          num_attention_heads=3, intermediate_size=768)
    return Pick(tf.ViTModel(config, add_pooling_layer=False)), (image(),)


@model
def conv3d():
    net = nn.Sequential(
        nn.Conv3d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2),
        nn.Conv3d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool3d(1),
        nn.Flatten(), nn.Linear(32, 10))
    return net, (torch.randn(1, 3, 8, 32, 32),)


# Texts and sounds.


def encoder(layers, width=256):
    config = tf.BertConfig(
        vocab_size=VOCABULARY, hidden_size=width, num_hidden_layers=layers,
        num_attention_heads=4, intermediate_size=4 * width)
    return Pick(tf.BertModel(config, add_pooling_layer=False)), (
        tokens(1, 128),)


@model
def bert():
    return encoder(2)


@special
def encoder_48():
    """Build time must grow more slowly than the number of alike layers."""
    return encoder(48)


@special
def encoder_2_narrow():
    """With encoder_48_narrow: the time of layers without much of weights."""
    return encoder(2, width=64)


@special
def encoder_48_narrow():
    """As many ops as encoder_48, with a sixteenth of the weights."""
    return encoder(48, width=64)


@model
def t5_encoder():
    config = tf.T5Config(vocab_size=VOCABULARY, d_model=256, d_kv=64,
                         d_ff=1024, num_layers=2, num_heads=4)
    return Pick(tf.T5EncoderModel(config)), (tokens(1, 128),)


@model
def whisper_encoder():
    config = tf.WhisperConfig(
        d_model=256, encoder_layers=2, encoder_attention_heads=4,
        encoder_ffn_dim=1024, max_source_positions=250, decoder_layers=1,
        vocab_size=VOCABULARY, pad_token_id=0)
    net = tf.models.whisper.modeling_whisper.WhisperEncoder(config)
    return Pick(net), (torch.randn(1, 80, 500),)


class Decode(nn.Module):
    """One token, with keys and values of earlier ones as arguments and, with
    those of the token, as results."""

    def __init__(self, model, layers):
        super().__init__()
        self.model, self.layers = model, layers

    def forward(self, token, *past):
        cache = tf.DynamicCache()
        for i in range(self.layers):
            cache.update(past[2 * i], past[2 * i + 1], i)
        position = torch.full((1, 1), past[0].shape[2], dtype=torch.int64)
        result = self.model(input_ids=token, past_key_values=cache,
                            position_ids=position, use_cache=True)
        layers = result.past_key_values.layers[:self.layers]
        kept = [value for layer in layers
                for value in (layer.keys, layer.values)]
        return (result.logits, *kept)


@model
def gpt2_kv():
    layers = 3
    config = tf.GPT2Config(vocab_size=VOCABULARY, n_embd=256, n_layer=layers,
                           n_head=4, n_positions=128)
    past = [torch.randn(1, 4, 63, 64) for _ in range(2 * layers)]
    return Decode(tf.GPT2LMHeadModel(config), layers), (tokens(1, 1), *past)


class Masked(nn.Module):
    """With an attention mask, as tokenizers make it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        return self.model(input_ids=ids, attention_mask=mask,
                          use_cache=False).logits


@model
def llama():
    config = tf.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=256, num_hidden_layers=2,
        num_attention_heads=8, num_key_value_heads=2, intermediate_size=688,
        max_position_embeddings=256)
    mask = torch.ones(1, 64, dtype=torch.int64)
    return Masked(tf.LlamaForCausalLM(config)), (tokens(1, 64), mask)


@model
def mamba():
    config = tf.MambaConfig(vocab_size=VOCABULARY, hidden_size=128,
                            num_hidden_layers=1, state_size=16)
    return Pick(tf.MambaModel(config), use_cache=False), (tokens(1, 32),)


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cells = kind(128, 256, batch_first=True)
        self.head = nn.Linear(256, 10)

    def forward(self, x):
        return self.head(self.cells(x)[0])


@model
def lstm():
    return Recurrent(nn.LSTM), (torch.randn(1, 32, 128),)


@model
def gru():
    return Recurrent(nn.GRU), (torch.randn(1, 32, 128),)


# Recommendation.


@model
def embedding_bag():
    class Bag(nn.Module):
        def __init__(self):
            super().__init__()
            self.bag = nn.EmbeddingBag(10000, 64, mode="sum")
            self.top = nn.Sequential(nn.Linear(64, 64), nn.ReLU(),
                                     nn.Linear(64, 1))

        def forward(self, indices):
            return self.top(self.bag(indices))
    return Bag(), (tokens(64, 20, high=10000),)


class Interactions(nn.Module):
    """Dense features, embeddings, and the products of all pairs of them."""

    def __init__(self, tables=8, rows=10000, width=32):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width)
                                    for _ in range(tables))
        self.dense = nn.Sequential(nn.Linear(13, 256), nn.ReLU(),
                                   nn.Linear(256, width), nn.ReLU())
        self.top = nn.Sequential(
            nn.Linear(width + tables * (tables + 1) // 2, 256), nn.ReLU(),
            nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid())
        pairs = torch.tril_indices(tables + 1, tables + 1, -1)
        self.register_buffer("first", pairs[0])
        self.register_buffer("second", pairs[1])

    def forward(self, dense, sparse):
        x = self.dense(dense)
        rows = torch.stack([x] + [table(sparse[:, i]) for i, table
                                  in enumerate(self.tables)], 1)
        products = torch.bmm(rows, rows.transpose(1, 2))
        return self.top(torch.cat(
            [x, products[:, self.first, self.second]], 1))


@model
def dlrm():
    return Interactions(), (torch.randn(64, 13), tokens(64, 8, high=10000))
