//===- HloModules.cpp - The report of HLO modules -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  const std::vector<OpKey> &keys = input.profile.opKeys;
  KeyParts parts;
  parts.columns = {
      {"module", "module", ColumnKind::Text, ColumnUse::DataOnly},
      {"program_id", "program", ColumnKind::Number, ColumnUse::DataOnly}};
  parts.cells = [&](uint32_t op) -> std::vector<Cell> {
    KeyTraits traits = getKeyTraits(keys[op]);
    return {traits.module ? Cell(*traits.module) : Cell(),
            traits.programId ? Cell(*traits.programId) : Cell()};
  };
  return buildMeasuredRollUp(
      merged, "HLO module",
      [&](uint32_t op) {
        std::string module = printModule(getKeyTraits(keys[op]));
        return module.empty() ? std::string("(no HLO module)") : module;
      },
      parts);
}

ReportKind report::HloModules() {
  return {"hlo-module", "measured ops by the XLA program that they ran in",
          Needs::Profile, build};
}
