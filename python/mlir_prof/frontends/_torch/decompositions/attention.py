# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and its backward pass as products and a softmax.

PyTorch's own decomposition returns the probabilities in the place of the logarithms of
their sums, and has none of the backward pass.
"""

import math

import torch

from .._decompositions import register

aten = torch.ops.aten


def get_scores(query, key, is_causal, mask, scale):
    """The scaled products, with the mask added."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if is_causal:
        shape = query.shape[-2], key.shape[-2]
        allowed = torch.arange(shape[0])[:, None] >= torch.arange(shape[1])
        scores = torch.where(allowed, scores, float("-inf"))
    return scores if mask is None else scores + mask


@register(aten._scaled_dot_product_flash_attention_for_cpu.default)
def attention(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None,
              scale=None):
    if dropout_p:
        return NotImplemented
    scores = get_scores(query, key, is_causal, attn_mask, scale)
    result = torch.softmax(scores, -1) @ value
    # The result in memory is that of the transposed heads, as in PyTorch.
    return result, torch.logsumexp(scores, -1)


@register(aten._scaled_dot_product_flash_attention_for_cpu_backward.default)
def attention_backward(grad, query, key, value, out, logsumexp, dropout_p, is_causal, *,
                       attn_mask=None, scale=None):
    if dropout_p:
        return NotImplemented
    scores = get_scores(query, key, is_causal, attn_mask, scale)
    probability = torch.exp(scores - logsumexp[..., None])
    grad_probability = grad @ value.transpose(-2, -1)
    mean = (grad * out).sum(-1, keepdim=True)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    grad_scores = probability * (grad_probability - mean) * scale
    return (grad_scores @ key, grad_scores.transpose(-2, -1) @ query,
            probability.transpose(-2, -1) @ grad)
