//===- TorchOps.h - What PyTorch's ops are in a module ----------*- C++ -*-===//
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

/// A function of the source and a line in it; of a recording the line of its
/// `def`, of a module the line of the call.
struct SourceCall {
  std::string file;
  uint32_t line = 0;
};

/// Whether the functions around a recorded call can be those of the module's
/// location: same files, and no call before the `def` that it stands in.
bool mayBeAround(llvm::ArrayRef<SourceCall> recorded,
                 llvm::ArrayRef<SourceCall> module);

/// What one call of the framework became in the module: one op of the torch
/// dialect, or in other dialects the neighboring ops of one location.
struct ModuleCall {
  /// "aten::linear"; empty when ops of other dialects do not tell.
  std::string name;
  std::vector<uint32_t> ops;
  /// Shapes of its operands, of those that have dimensions; -1 is unknown.
  std::vector<std::vector<int64_t>> shapes;
  /// Where it is called, outermost first; file names without folders.
  std::vector<SourceCall> frames;
};

/// The calls of a module in order, of all functions.
std::vector<ModuleCall> findTorchCalls(const module::ModuleIndex &index);
/// The same where each call became several ops, of the torch dialect
/// (`torchCalls`, as found above) or, when there are none, of others. These
/// have no names, and the shapes of all operands.
std::vector<ModuleCall> findLoweredCalls(const module::ModuleIndex &index,
                                         llvm::ArrayRef<ModuleCall> torchCalls);

/// "torch.aten.add.Tensor" is "aten::add"; empty for what is no call.
std::string getTorchName(mlir::Operation *op);

/// The name that ops have before torch.export or a compiler takes them apart:
/// "addmm" may be of "linear". Without namespace, and without what marks
/// variants ("_softmax", "relu_", "native_layer_norm").
llvm::StringRef getPlainName(llvm::StringRef name);
/// Whether a recorded op `recorded` can be what became of a module's
/// `exported`.
bool mayBecome(llvm::StringRef exported, llvm::StringRef recorded);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_TORCHOPS_H
