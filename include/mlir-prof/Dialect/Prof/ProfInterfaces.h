//===- ProfInterfaces.h - Interface of ops with a profile -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFINTERFACES_H
#define MLIR_PROF_DIALECT_PROF_PROFINTERFACES_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir/IR/OpDefinition.h"

#include "mlir-prof/Dialect/Prof/ProfInterfaces.h.inc"

namespace mlirprof::prof {

/// Gives an op of any dialect the implementation of ProfiledOpInterface
/// (ProfileAnnotation in ProfInterfaces.td).
template <typename ConcreteOp>
class ProfileAnnotation
    : public mlir::OpTrait::TraitBase<ConcreteOp, ProfileAnnotation> {
public:
  void attachProfile(DataAttr data) {
    this->getOperation()->setDiscardableAttr(ProfDialect::getDataAttrName(),
                                             data);
  }
  DataAttr getProfile() {
    return llvm::dyn_cast_or_null<DataAttr>(
        this->getOperation()->getDiscardableAttr(
            ProfDialect::getDataAttrName()));
  }
  bool hasProfile() { return getProfile() != nullptr; }
  void stripProfile() {
    this->getOperation()->removeDiscardableAttr(ProfDialect::getDataAttrName());
  }
};

/// Attaches ProfiledOpInterface to those of `ops` that do not have it. Contexts
/// whose registry went through registerProfDialect do not need this call.
void attachProfiledOpInterface(
    llvm::ArrayRef<mlir::RegisteredOperationName> ops);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_PROFINTERFACES_H
