//===- Tvm.h - Importers of TVM's reports -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_TVM_TVM_H
#define MLIR_PROF_LIB_IMPORT_TVM_TVM_H

#include "../Common/Table/Totals.h"
#include "mlir-prof/Import/Importer.h"

namespace mlirprof::importer::tvm {

/// A call of an operator, as the formats of TVM tell it.
struct Call {
  std::string name;
  std::string device;
  /// As FrameworkCall::shapes.
  std::string shapes;
  uint64_t count = 1;
  int64_t durationPs = 0;
};

/// The op key of a call: equal functions on equal shapes are one.
profile::OpKey makeOpKey(const Call &call);

/// "float32[1, 3, 224], int64" as FrameworkCall::shapes: "[[1,3,224],[]]". Text
/// of another form gives "".
std::string parseArgumentShapes(llvm::StringRef text);

/// The columns that both forms of a report share.
inline constexpr llvm::StringLiteral kName = "Name";
inline constexpr llvm::StringLiteral kDuration = "Duration (us)";
inline constexpr llvm::StringLiteral kCount = "Count";
inline constexpr llvm::StringLiteral kDevice = "Device";
inline constexpr llvm::StringLiteral kShapes = "Argument Shapes";

/// Adds a call whose number of executions and duration are still text. False
/// when one of them is no number; `count` may be empty.
bool addCall(table::Totals &totals, Call call, llvm::StringRef count,
             llvm::StringRef microseconds);

} // namespace mlirprof::importer::tvm

#endif // MLIR_PROF_LIB_IMPORT_TVM_TVM_H
