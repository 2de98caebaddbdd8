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

/// A call of an operator, as recorded in TVM's formats.
struct Call {
  std::string name;
  std::string device;
  /// As InputShapes::print().
  std::string shapes;
  uint64_t count = 1;
  int64_t durationPs = 0;
};

/// The op key of a call: equal functions on equal shapes share one.
profile::OpKey makeOpKey(const Call &call);

/// "float32[1, 3, 224], int64" in the form of InputShapes::print():
/// "[[1,3,224],[]]". "" for other texts.
std::string parseArgumentShapes(llvm::StringRef text);

/// The columns common to both forms of a report.
inline constexpr llvm::StringLiteral kName = "Name";
inline constexpr llvm::StringLiteral kDuration = "Duration (us)";
inline constexpr llvm::StringLiteral kCount = "Count";
inline constexpr llvm::StringLiteral kDevice = "Device";
inline constexpr llvm::StringLiteral kShapes = "Argument Shapes";

/// Adds a call whose number of executions and duration are given as text. False
/// if one of them is not a number; `count` may be empty.
bool addCall(table::Totals &totals, Call call, llvm::StringRef count,
             llvm::StringRef microseconds);

} // namespace mlirprof::importer::tvm

#endif // MLIR_PROF_LIB_IMPORT_TVM_TVM_H
