//===- NodeDescription.h - A program's description of an op -----*- C++ -*-===//
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
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::transforms {

profile::NodeKind getNodeKind(mlir::Operation *op);

/// Iterations of the loop `op` per entry if its bounds are constant: the
/// product over its dimensions; else -1.
int64_t getConstantTrips(mlir::Operation *op);

struct LocationTexts {
  /// The properties of a location alone.
  struct Texts {
    mlir::StringAttr name, location, file;
    uint32_t line = 0;
  };

  const Texts &get(mlir::Location location);

private:
  module::LocationTable locations;
  llvm::DenseMap<mlir::Attribute, Texts> known;
};

/// Describes the ops of one module, which must not change in the meantime.
class NodeDescriber {
public:
  NodeDescriber(ProgramAppender &program, LocationTexts &texts)
      : program(program), texts(texts) {}

  /// The properties that follow from `op` and `location`, its location without
  /// identities. Does not set level, container, position and origins.
  profile::ProgramNode describe(mlir::Operation *op, mlir::Location location);

private:
  /// The same with the texts' numbers in the program.
  struct Origin {
    uint32_t name, location, file, line;
  };

  /// Ops often share a location.
  const Origin &getOrigin(mlir::Location location);
  uint64_t getCost(mlir::Operation *op);

  ProgramAppender &program;
  LocationTexts &texts;
  llvm::DenseMap<mlir::Attribute, Origin> origins;
  StaticWeight weights;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_IDENTITY_NODEDESCRIPTION_H
