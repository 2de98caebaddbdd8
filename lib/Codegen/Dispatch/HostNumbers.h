//===- HostNumbers.h - Numbers that a host side computes --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTNUMBERS_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTNUMBERS_H

#include "mlir-prof/Codegen/HostGraph.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlirprof::codegen {

/// The integers of a function as numbers of its host graph.
class HostNumbers {
public:
  HostNumbers(const mlir::DataLayout &layout, HostGraph &graph)
      : layout(layout), graph(graph) {}

  /// The bits of an integer or index, if they are 1, 8, 16, 32 or 64; 0 for
  /// another type.
  unsigned getBits(mlir::Type type) const;

  /// A new number, that of `value` if it is not null.
  uint32_t add(mlir::Value value = {});

  /// The number of an integer; an error at `user` if steps do not compute it.
  mlir::FailureOr<HostNumber> get(mlir::Operation *user, mlir::Value value);

  /// Adds the steps for `op` if it computes an integer from integers. Returns
  /// whether it does.
  mlir::FailureOr<bool> compute(mlir::Operation *op,
                                std::vector<HostStep> &steps);

  /// Adds the steps that set `targets` to `sources`, all at the same time.
  void assign(llvm::ArrayRef<HostNumber> sources,
              llvm::ArrayRef<uint32_t> targets, std::vector<HostStep> &steps);

private:
  mlir::LogicalResult compare(mlir::Operation *op,
                              std::vector<HostStep> &steps);
  mlir::LogicalResult addOperation(mlir::Operation *op, HostOperation operation,
                                   unsigned bits, std::vector<HostStep> &steps);

  const mlir::DataLayout &layout;
  HostGraph &graph;
  llvm::DenseMap<mlir::Value, uint32_t> numbers;
};

/// The step that sets `result`.
HostStep makeComputation(HostOperation operation, unsigned bits,
                         llvm::ArrayRef<HostNumber> operands, uint32_t result);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTNUMBERS_H
