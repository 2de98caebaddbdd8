//===- TorchOps.h - PyTorch's ops in a module -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_TORCHOPS_H
#define MLIR_PROF_LIB_MATCH_TORCH_TORCHOPS_H

#include "mlir-prof/Module/ModuleIndex.h"

#include <string>
#include <vector>

namespace mlirprof::match {

/// A function of the source and a line in it: in a recording the line of its
/// `def`, in a module the line of the call.
struct SourceCall {
  std::string file;
  uint32_t line = 0;
};

/// Whether the functions around a recorded call can be those of the module's
/// location: same files, and no call before the `def` that contains it.
bool mayBeAround(llvm::ArrayRef<SourceCall> recorded,
                 llvm::ArrayRef<SourceCall> module);

/// The ops in the module for one call of the framework: one op of the torch
/// dialect, or in other dialects the neighboring ops of one location.
struct ModuleCall {
  /// "aten::linear"; empty if ops of other dialects do not tell.
  std::string name;
  std::vector<uint32_t> ops;
  /// Shapes of its operands with dimensions; -1 is unknown.
  std::vector<std::vector<int64_t>> shapes;
  /// The place of the call, outermost first; file names without folders.
  std::vector<SourceCall> frames;
};

/// The calls of a module in order, of all functions.
std::vector<ModuleCall> findTorchCalls(const module::ModuleIndex &index);
/// The same if each call became several ops, of the torch dialect
/// (`torchCalls`, as found above) or, if there are none, of others. These do
/// not have names, but the shapes of all operands.
std::vector<ModuleCall> findLoweredCalls(const module::ModuleIndex &index,
                                         llvm::ArrayRef<ModuleCall> torchCalls);

/// "torch.aten.add.Tensor" is "aten::add"; empty for ops that are not calls.
std::string getTorchName(mlir::Operation *op);

/// The name of ops before torch.export or a compiler decomposes them: "addmm"
/// may belong to "linear". Without namespace, and without marks of variants
/// ("_softmax", "relu_", "native_layer_norm").
llvm::StringRef getPlainName(llvm::StringRef name);
/// Whether a recorded op `recorded` can come from a module's `exported`.
bool mayBecome(llvm::StringRef exported, llvm::StringRef recorded);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_TORCHOPS_H
