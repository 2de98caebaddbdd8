//===- DataGraph.h - Dependences of data ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_DATAGRAPH_H
#define MLIR_PROF_LIB_MATCH_HLO_DATAGRAPH_H

#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::match {

/// Ops or instructions, each after its inputs, in an order determined by data
/// alone: inputs of the first operand come first. Two programs with the same
/// computation have the same order, however they were scheduled.
struct DataGraph {
  /// Numbers of the ops or instructions by place in the order.
  std::vector<uint32_t> items;
  /// Places of the operands, by place.
  std::vector<llvm::SmallVector<uint32_t, 2>> operands;
  /// Place by number; kNone for items that no result needs.
  std::vector<uint32_t> places;
};

/// Appends the numbers of the inputs of `item`.
using GetInputs =
    llvm::function_ref<void(uint32_t item, llvm::SmallVectorImpl<uint32_t> &)>;

/// The items, out of `size`, that the `roots` need. Inputs that would close a
/// cycle are left out.
DataGraph makeDataGraph(llvm::ArrayRef<uint32_t> roots, size_t size,
                        GetInputs getInputs);
/// The ops that the module's results need, through calls, loops and branches.
DataGraph makeDataGraph(const module::ModuleIndex &index);

/// The nearest marked items before and after each place.
struct NearestMarks {
  /// By place; bits are positions in `marks`.
  std::vector<llvm::BitVector> before, behind;
};
/// `marks` are places, ascending. Items beyond a mark for which `isPassed` (by
/// mark) holds are near too.
NearestMarks findNearestMarks(const DataGraph &graph,
                              llvm::ArrayRef<uint32_t> marks,
                              const llvm::BitVector &isPassed);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_DATAGRAPH_H
