//===- EntryValues.h - Numbers among the arguments of a call ----*- C++ -*-===//
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

/// A number that a call passes to a function: a dimension of an argument, or
/// its value.
struct EntryValue {
  unsigned argument = 0;
  /// None stands for the argument's value.
  std::optional<unsigned> dimension;

  /// "arg0.dim1" or "arg2".
  std::string getText() const;
};
bool operator==(const EntryValue &a, const EntryValue &b);

/// Parses the output of EntryValue::getText; none for other texts.
std::optional<EntryValue> parseEntryValue(llvm::StringRef text);

/// All dynamic dimensions of ranked arguments, in order.
llvm::SmallVector<EntryValue> getEntryDimensions(mlir::func::FuncOp function);

/// The arguments that are a single integer: signless integers of at most 64
/// bits and indices, also as the only element of a tensor or memref of static
/// shape. Floats are left out: if they control execution, they do so by
/// comparisons rather than equality, and they rarely repeat.
llvm::SmallVector<EntryValue> getEntryNumbers(mlir::func::FuncOp function);

/// Reads this number in the body of `function`, as an integer or index. `value`
/// must be one that the functions above list.
mlir::Value readEntryValue(mlir::OpBuilder &builder,
                           mlir::func::FuncOp function,
                           const EntryValue &value);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_ENTRYVALUES_H
