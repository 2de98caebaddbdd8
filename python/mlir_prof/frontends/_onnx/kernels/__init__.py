# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators as loops on tensors, for what operators of torch-mlir cannot express.

A kernel is a function `make(name, inputs, results, ...)` that returns the text of a
private function `name` of builtin dialects.
"""
