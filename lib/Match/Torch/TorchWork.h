//===- TorchWork.h - What work PyTorch's ops become -------------*- C++ -*-===//
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

/// What an op of PyTorch is taken apart into when it is decomposed or lowered,
/// in XLA's opcodes (isKind).
struct TorchWork {
  /// Of the op, as getPlainName() has it.
  llvm::StringRef name;
  /// Of these at least one is there: what the op is known by. Empty when
  /// nothing is known of the op.
  llvm::ArrayRef<llvm::StringRef> own;
  /// What may stand before and after that; "*" is anything.
  llvm::ArrayRef<llvm::StringRef> before, after;
};

/// The work of `name`, with or without namespace and marks of variants; it
/// refers to the name.
TorchWork getTorchWork(llvm::StringRef name);

/// Whether an op mostly only looks at memory in another way, or fills it with a
/// value that the kernel which reads it knows.
bool isTorchView(llvm::StringRef name);

/// What an op of a module can be of a recorded op.
enum class WorkPart : uint8_t {
  /// Nothing of it.
  None,
  /// What any op may need before its work: copies, fills, broadcasts.
  Any,
  Before,
  After,
  /// Before or after.
  Around,
  Own,
  /// An op of the same name, in PyTorch's own dialect.
  Same,
};

/// What an op of any dialect does, as far as getWorkPart() asks.
struct OpWords {
  /// Of an op of PyTorch's own dialect, as getPlainName() has it; else empty.
  std::string torchName;
  /// As getTorchWork().own has them, else getOpcodes().
  llvm::SmallVector<llvm::StringRef, 4> opcodes;
};
OpWords getOpWords(mlir::Operation *op);

/// What such an op can be of a recorded op that does `work`.
WorkPart getWorkPart(const TorchWork &work, const OpWords &op);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_TORCHWORK_H
