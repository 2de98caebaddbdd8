//===- TorchWork.h - The work of PyTorch's ops ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_TORCHWORK_H
#define MLIR_PROF_LIB_MATCH_TORCH_TORCHWORK_H

#include "mlir/IR/Operation.h"

#include <string>

namespace mlirprof::match {

/// The ops into which an op of PyTorch is decomposed or lowered, as XLA's
/// opcodes (isKind).
struct TorchWork {
  /// The op, as returned by getPlainName().
  llvm::StringRef name;
  /// At least one of these is present and identifies the op. Empty if the op is
  /// unknown.
  llvm::ArrayRef<llvm::StringRef> own;
  /// Ops that may come before and after that; "*" is any.
  llvm::ArrayRef<llvm::StringRef> before, after;
};

/// The work of `name`, with or without namespace and marks of variants; it
/// refers to the name.
TorchWork getTorchWork(llvm::StringRef name);

/// Whether an op mostly only views memory differently, or fills it with a value
/// that the reading kernel knows.
bool isTorchView(llvm::StringRef name);

/// The part of an op of a module in a recorded op.
enum class WorkPart : uint8_t {
  /// None.
  None,
  /// Ops that any op may need before its work: copies, fills, broadcasts.
  Any,
  Before,
  After,
  /// Before or after.
  Around,
  Own,
  /// An op of the same name, in PyTorch's own dialect.
  Same,
};

/// The function of an op of any dialect, as far as getWorkPart() needs it.
struct OpWords {
  /// Name of an op of PyTorch's own dialect, as returned by getPlainName();
  /// else empty.
  std::string torchName;
  /// From getTorchWork().own, else getOpcodes().
  llvm::SmallVector<llvm::StringRef, 4> opcodes;
};
OpWords getOpWords(mlir::Operation *op);

/// The possible part of such an op in a recorded op that does `work`.
WorkPart getWorkPart(const TorchWork &work, const OpWords &op);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_TORCHWORK_H
