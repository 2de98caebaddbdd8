//===- OpNames.cpp - Names of measured ops --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Attribution/Ownership.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

llvm::StringRef OpNames::getKernel(uint32_t op) {
  const OpKey &key = profile.opKeys[op];
  if (!key.kernel.empty() || key.kind != OpKeyKind::HloInstruction)
    return key.kernel;
  HloFinder::Found found = findInstruction(op);
  return found ? llvm::StringRef(found.getInstruction().opcode) : "";
}

std::string OpNames::getModule(const OpKey &key) {
  if (!key.hasModule)
    return "";
  return key.hasProgramId
             ? key.module + "(" + std::to_string(key.programId) + ")"
             : key.module;
}

/// "MLP_0/Linear_1/aten::linear/aten::addmm #4": anything less does not
/// distinguish calls.
static std::string getCall(const OpKey &key) {
  std::string text;
  for (const auto *around : {&key.call.scope, &key.call.callers})
    for (const std::string &name : *around)
      text += name + "/";
  text += key.op.empty() ? key.kernel : key.op;
  if (!key.kernel.empty() && !key.op.empty())
    text += ":" + key.kernel;
  if (key.call.ordinal != kNone)
    text += " #" + std::to_string(key.call.ordinal);
  return text;
}

std::string OpNames::getEventName(const OpKey &key) {
  switch (key.kind) {
  case OpKeyKind::HloInstruction:
    return key.op;
  case OpKeyKind::FrameworkCall:
    return key.kernel.empty() ? key.op : key.kernel;
  default:
    return getKey(key);
  }
}

std::string OpNames::getKey(const OpKey &key) {
  if (key.kind == OpKeyKind::FrameworkCall)
    return getCall(key);
  if (key.kind == OpKeyKind::HloInstruction)
    return key.hasModule ? getModule(key) + "/" + key.op : key.op;
  return key.kernel.empty() ? key.op : key.op + ":" + key.kernel;
}

llvm::StringRef report::getPlace(const MlirOp &op) {
  return op.path.empty() ? op.location : op.path;
}

std::string report::describeOp(const MlirOp &op) {
  llvm::StringRef place = getPlace(op);
  return place.empty() ? op.op : op.op + " (" + place.str() + ")";
}

std::string report::formatNumber(const Ownership &ownership, uint32_t op) {
  OpNumber number = ownership.getNumber(op);
  std::string index =
      number.index == kNone ? "#?" : "#" + std::to_string(number.index);
  return ownership.hasSeveralPrograms()
             ? std::to_string(number.program) + ":" + index
             : index;
}

Cell report::getIndexCell(OpNumber number) {
  return number.index == kNone ? Cell() : Cell(number.index);
}

Column report::getProgramColumn(bool hasSeveralPrograms) {
  return {"program", "program", ColumnKind::Number,
          hasSeveralPrograms ? ColumnUse::Data : ColumnUse::DataOnly};
}
