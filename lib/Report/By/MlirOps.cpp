//===- MlirOps.cpp - The report of the ops of the module ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numbers.h"
#include "../OpNames.h"
#include "../RollUp.h"
#include "Reports.h"

using namespace mlirprof;

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  Table table({{"index", "#", ColumnKind::Number},
               {"op", "op", ColumnKind::Text},
               {"location", "location", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"exclusive_ps", "exclusive", ColumnKind::Time},
               {"shared_ps", "shared", ColumnKind::Time},
               {"modelled_ps", "modelled", ColumnKind::Time},
               {"heat_ps", "heat", ColumnKind::Time, ColumnUse::TextOnly}});
  table.defaultOrder = {{7, true}, {2, false}, {0, false}};
  table.weightColumn = 7;
  table.weightTotal = getOpTimePs(merged);
  for (uint32_t index = 0; index < input.ownership->ops.size(); ++index) {
    const MlirOp &op = input.ownership->ops[index];
    const OpTime &time = input.attribution->ops[index];
    int64_t heatPs = time.exclusivePs;
    addSaturating(heatPs, time.modelledPs);
    if (time.count || selection == RowSelection::All)
      table.addRow({index, op.op, getPlace(op), time.count, time.exclusivePs,
                    time.sharedPs, time.modelledPs, heatPs});
  }
  return table;
}

ReportKind report::MlirOps() {
  return {"mlir-op", "ops of the module", Needs::Ownership, build};
}
