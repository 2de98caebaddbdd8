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
  if (!key.kernel.empty())
    return key.kernel;
  HloFinder::Found found = findInstruction(op);
  return found ? llvm::StringRef(found.getInstruction().opcode) : "";
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

bool report::hasInstances(const Profile &profile) {
  return llvm::any_of(profile.programs, [](const Program &program) {
    return !program.instances.empty();
  });
}
