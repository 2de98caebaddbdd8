//===- HostPlaces.h - Places of operands in memory of callers ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTPLACES_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTPLACES_H

#include "HostNumbers.h"

namespace mlirprof::codegen {

/// Finds the places of a function's operands, and collects its constants.
class HostPlaces {
public:
  HostPlaces(mlir::func::FuncOp function, unsigned arguments,
             const mlir::DataLayout &layout, ConstantReader readConstant,
             HostNumbers &numbers, HostGraph &graph)
      : function(function), arguments(arguments), layout(layout),
        readConstant(readConstant), numbers(numbers), graph(graph) {}

  /// The bytes of a buffer or a number; none if they are not known.
  std::optional<uint64_t> getBytes(mlir::Type type);

  /// Adds the place of an operand of `op` to `step`, and the sizes that its
  /// type does not tell.
  mlir::LogicalResult addBinding(mlir::Operation *op, mlir::Value operand,
                                 bool isWritten, HostStep &step);

  /// The place of one element of `buffer`, which `op` accesses.
  mlir::FailureOr<HostPlace> getElement(mlir::Operation *op, mlir::Value buffer,
                                        mlir::ValueRange indices);

private:
  mlir::LogicalResult findMemory(mlir::Operation *op, mlir::Value base,
                                 HostPlace &place);
  mlir::LogicalResult addConstant(mlir::Operation *op, mlir::Attribute value,
                                  mlir::Type type, uint64_t alignment,
                                  HostPlace &place);

  mlir::func::FuncOp function;
  unsigned arguments;
  const mlir::DataLayout &layout;
  ConstantReader readConstant;
  HostNumbers &numbers;
  HostGraph &graph;
  /// By global or op.
  llvm::DenseMap<mlir::Operation *, uint32_t> constants;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_HOSTPLACES_H
