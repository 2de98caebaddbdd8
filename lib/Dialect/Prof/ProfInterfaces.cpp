//===- ProfInterfaces.cpp - Interface of ops with a profile ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/ProfInterfaces.h"

#include "mlir-prof/Dialect/Prof/ProfileData.h"

using namespace mlir;
using namespace mlirprof::prof;

#include "mlir-prof/Dialect/Prof/ProfInterfaces.cpp.inc"

namespace {

void setDiscardable(Operation *op, DataAttr data) {
  op->setDiscardableAttr(ProfDialect::getDataAttrName(), data);
}
DataAttr getDiscardable(Operation *op) {
  return dyn_cast_or_null<DataAttr>(
      op->getDiscardableAttr(ProfDialect::getDataAttrName()));
}
bool removeDiscardable(Operation *op) {
  return op->removeDiscardableAttr(ProfDialect::getDataAttrName()) != nullptr;
}

/// The model of every op that does not bring an implementation. A fallback
/// model, because an external model would need the op's C++ class.
struct DiscardableModel : ProfiledOpInterface::FallbackModel<DiscardableModel> {
  void attachProfile(Operation *op, DataAttr data) const {
    setDiscardable(op, data);
  }
  DataAttr getProfile(Operation *op) const { return getDiscardable(op); }
  bool hasProfile(Operation *op) const { return getDiscardable(op) != nullptr; }
  void stripProfile(Operation *op) const { removeDiscardable(op); }
};

} // namespace

void mlirprof::prof::attachProfiledOpInterface(
    ArrayRef<RegisteredOperationName> ops) {
  for (RegisteredOperationName name : ops)
    if (!name.hasInterface<ProfiledOpInterface>())
      name.attachInterface<DiscardableModel>();
}

void mlirprof::prof::setProfileData(Operation *op, DataAttr data) {
  if (auto profiled = dyn_cast<ProfiledOpInterface>(op))
    return profiled.attachProfile(data);
  setDiscardable(op, data);
}

DataAttr mlirprof::prof::getProfileData(Operation *op) {
  if (auto profiled = dyn_cast<ProfiledOpInterface>(op))
    return profiled.getProfile();
  return getDiscardable(op);
}

bool mlirprof::prof::hasProfileData(Operation *op) {
  return getProfileData(op) != nullptr;
}

bool mlirprof::prof::removeProfileData(Operation *op) {
  auto profiled = dyn_cast<ProfiledOpInterface>(op);
  if (!profiled)
    return removeDiscardable(op);
  bool had = profiled.hasProfile();
  profiled.stripProfile();
  return had;
}

CoverageAttr mlirprof::prof::getCoverage(Operation *module) {
  return dyn_cast_or_null<CoverageAttr>(
      module->getDiscardableAttr(ProfDialect::getCoverageAttrName()));
}
