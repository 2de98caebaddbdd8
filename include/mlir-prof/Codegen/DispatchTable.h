//===- DispatchTable.h - Programs of dispatches -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With several threads, the host side gives its dispatches to the executor of
// the runtime as programs (docs/executor.md). The pass cpu-lower-dispatches
// makes one for each run of consecutive dispatches, in which each dispatch is
// one call of its kernel. After the kernels were compiled, each becomes a chain
// of their phases.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_DISPATCHTABLE_H
#define MLIR_PROF_CODEGEN_DISPATCHTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlirprof::codegen {

/// On a function that is a phase of a kernel: the sizes of its grid, and the
/// estimated time of one workgroup in ns, 0 if unknown.
inline constexpr llvm::StringLiteral kPhaseGrid = "mlirprof.grid";
inline constexpr llvm::StringLiteral kPhaseCost = "mlirprof.cost";
/// On a kernel of a GPU: the threads of a workgroup by dimension, x first.
inline constexpr llvm::StringLiteral kPhaseBlock = "mlirprof.block";
/// On an argument of a phase: it is memory that phases of one dispatch share,
/// at this offset of the dispatch's workspace.
inline constexpr llvm::StringLiteral kWorkspace = "mlirprof.workspace";

/// The variable of a model's code with the executor; null for a list of calls.
inline constexpr llvm::StringLiteral kExecutorVariable = "mlirprof_executor";
/// The variable of a model's code with the error of a program that failed, or
/// 0.
inline constexpr llvm::StringLiteral kStatusVariable = "mlirprof_status";
/// The function of the runtime that runs programs.
inline constexpr llvm::StringLiteral kRunFunction = "prof_executor_run";
/// Symbols of program N: its table ("mlirprof_table_N"), and the bytes of its
/// workspace, 64 bits.
inline constexpr llvm::StringLiteral kTablePrefix = "mlirprof_table_";
inline constexpr llvm::StringLiteral kWorkspacePrefix = "mlirprof_workspace_";
/// On the declaration of a table: its words, and the kernels of its dispatches.
inline constexpr llvm::StringLiteral kTableWords = "mlirprof.words";
inline constexpr llvm::StringLiteral kTableKernels = "mlirprof.kernels";

/// A binding (an address of the caller and a number of bytes) or an argument (a
/// parameter of the caller and a number).
struct TableValue {
  /// Not an index: the constant alone.
  static constexpr uint32_t kNoBase = UINT32_MAX;

  uint32_t base = kNoBase;
  int64_t constant = 0;
};

struct TableDispatch {
  uint32_t kernel = 0;
  uint32_t instance = 0;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  uint32_t costNs = 0;
  std::vector<TableValue> bindings;
  std::vector<TableValue> arguments;
  /// Earlier dispatches that this one waits for, each once.
  std::vector<uint32_t> dependencies;
};

/// A table of prof_executor.h.
struct DispatchTable {
  /// The most bindings, and the most arguments, of a dispatch.
  static constexpr size_t kMostValues = 1024;

  std::vector<TableDispatch> dispatches;
  /// Lengths of the arrays that the program and the caller give.
  uint32_t kernels = 0, addresses = 0, parameters = 0;
};

/// The words of `table`.
std::vector<uint32_t> encodeTable(const DispatchTable &table);

/// The table with these words, or none if they are not those of one.
std::optional<DispatchTable> decodeTable(llvm::ArrayRef<uint32_t> words);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_DISPATCHTABLE_H
