//===- NodeDescription.h - What a program says of an op ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_IDENTITY_NODEDESCRIPTION_H
#define MLIR_PROF_LIB_TRANSFORMS_IDENTITY_NODEDESCRIPTION_H

#include "../Annotate/StaticWeight.h"
#include "../Program/ProgramAttribute.h"
#include "mlir-prof/Module/LocationTable.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::transforms {

profile::NodeKind getNodeKind(mlir::Operation *op);

/// Iterations of the loop `op` each time it is entered, when its bounds are
/// constant, the product over its dimensions; else -1.
int64_t getConstantTrips(mlir::Operation *op);

/// Describes the ops of one module, which must not change meanwhile.
class NodeDescriber {
public:
  explicit NodeDescriber(ProgramAppender &program) : program(program) {}

  /// What can be told from `op` and `location`, its location without
  /// identities. Sets neither level, container and position nor origins.
  profile::ProgramNode describe(mlir::Operation *op, mlir::Location location);

private:
  /// Number of `text`, cut to `limit` bytes.
  uint32_t intern(mlir::MLIRContext *context, llvm::StringRef text,
                  size_t limit);
  uint64_t getCost(mlir::Operation *op);

  ProgramAppender &program;
  module::LocationTable locations;
  StaticWeight weights;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_IDENTITY_NODEDESCRIPTION_H
