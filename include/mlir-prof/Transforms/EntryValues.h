//===- EntryValues.h - Numbers that a call brings along ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_ENTRYVALUES_H
#define MLIR_PROF_TRANSFORMS_ENTRYVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mlirprof::transforms {

/// A number that a call of a function brings along: a dimension of an argument,
/// or its value.
struct EntryValue {
  unsigned argument = 0;
  /// None: the argument's value.
  std::optional<unsigned> dimension;

  /// "arg0.dim1" or "arg2".
  std::string getText() const;
};
bool operator==(const EntryValue &a, const EntryValue &b);

/// What EntryValue::getText says; none for other texts.
std::optional<EntryValue> parseEntryValue(llvm::StringRef text);

/// All dynamic dimensions of arguments that have a rank, in their order.
llvm::SmallVector<EntryValue> getEntryDimensions(mlir::func::FuncOp function);

/// The arguments that are one integer: integers without a sign of at most 64
/// bits and indices, also as the only element of a tensor or memref of static
/// shape. No floats: those that decide what is executed do so by comparisons,
/// which no equal value is needed for, and hardly one comes twice.
llvm::SmallVector<EntryValue> getEntryNumbers(mlir::func::FuncOp function);

/// The same number in `function`'s body, an integer or index. `value` must be
/// one that the functions above list.
mlir::Value readEntryValue(mlir::OpBuilder &builder,
                           mlir::func::FuncOp function,
                           const EntryValue &value);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_ENTRYVALUES_H
