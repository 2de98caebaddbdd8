//===- ProfOps.cpp - Probes -----------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/ProfOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof::prof;

#define GET_TYPEDEF_CLASSES
#include "mlir-prof/Dialect/Prof/ProfTypes.cpp.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Prof/ProfOps.cpp.inc"

namespace {
/// Probes must not change the compiled code, so they never prevent inlining. An
/// inlined probe measures the same code: prof-lower-probes uses its new
/// position.
struct ProbeInlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void ProfDialect::registerProbes() {
  addInterfaces<ProbeInlining>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "mlir-prof/Dialect/Prof/ProfTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mlir-prof/Dialect/Prof/ProfOps.cpp.inc"
      >();
}

LogicalResult BeginOp::verify() {
  for (Operation *user : getToken().getUsers())
    if (!isa<EndOp>(user))
      return emitOpError() << "token may be used by 'prof.end' only, not by '"
                           << user->getName() << "'";
  return success();
}

LogicalResult EndOp::verify() {
  auto begin = getToken().getDefiningOp<BeginOp>();
  if (!begin)
    return emitOpError("token must come from a 'prof.begin'");
  if (begin.getProbe() != getProbe())
    return emitOpError() << "ends probe " << getProbe()
                         << ", but its token is of probe " << begin.getProbe();
  return success();
}

LogicalResult ValueOp::verify() {
  if (getValues().empty())
    return emitOpError("needs at least one value");
  return success();
}
