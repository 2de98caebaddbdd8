//===- HostGraph.h - The host side of a model as data -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the host side is a list of dispatches on memory of known places,
// whoever runs the model needs this list only, not the code of the host side.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_HOSTGRAPH_H
#define MLIR_PROF_CODEGEN_HOSTGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::codegen {

/// Memory of which a place is a part.
enum class PlaceKind : uint8_t { Argument, Result, Arena, Constant };

/// Bytes that a dispatch reads or writes.
struct HostPlace {
  PlaceKind kind = PlaceKind::Argument;
  /// The number of the argument, result or constant; 0 for the arena.
  uint32_t index = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool isWritten = false;
  /// "4x8xf32", or "i64" for a number.
  std::string type;
};

/// Bytes that are the same in each call.
struct HostConstant {
  std::vector<char> bytes;
  uint64_t alignment = 64;
  /// As in HostPlace.
  std::string type;
};

/// A call of a kernel with a grid of one workgroup, or a copy of the first
/// binding to the second.
struct HostStep {
  /// The symbol of the kernel; empty for a copy.
  std::string kernel;
  std::vector<HostPlace> bindings;
  /// The number of the dispatch, if they are numbered.
  std::optional<uint32_t> instance;
  /// Sizes that the kernel's types do not tell.
  std::vector<int64_t> parameters;
};

struct HostGraph {
  std::vector<HostConstant> constants;
  /// In order: each may read what an earlier one wrote.
  std::vector<HostStep> steps;
  /// The sizes of arguments and results, in order.
  std::vector<uint64_t> argumentBytes, resultBytes;
};

/// The bytes, of which there are `size`, of a constant's value; none if they
/// are not known.
using ConstantReader = llvm::function_ref<std::optional<std::vector<char>>(
    mlir::Attribute value, uint64_t size)>;

/// The steps of `function`, whose buffers have places in memory of its caller
/// (cpu-place-workspace) and whose first `arguments` arguments are those of the
/// model. An op that is not a step, such as a branch, is an error at the op.
mlir::FailureOr<HostGraph> extractHostGraph(mlir::func::FuncOp function,
                                            unsigned arguments,
                                            ConstantReader readConstant);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_HOSTGRAPH_H
