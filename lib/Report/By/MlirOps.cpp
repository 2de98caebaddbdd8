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
               {"heat_ps", "heat", ColumnKind::Time, ColumnUse::TextOnly},
               getProgramColumn(input.ownership->hasSeveralPrograms())});
  table.defaultOrder = {{7, true}, {2, false}, {0, false}};
  table.weightColumn = 7;
  table.weightTotal = getOpTimePs(merged);
  for (uint32_t i = 0; i < input.ownership->ops.size(); ++i) {
    const MlirOp &op = input.ownership->ops[i];
    const OpTime &time = input.attribution->ops[i];
    OpNumber number = input.ownership->getNumber(i);
    int64_t heatPs = time.exclusivePs;
    addSaturating(heatPs, time.modelledPs);
    if (time.count || selection == RowSelection::All)
      table.addRow({getIndexCell(number), op.op, getPlace(op), time.count,
                    time.exclusivePs, time.sharedPs, time.modelledPs, heatPs,
                    number.program});
  }
  return table;
}

ReportKind report::MlirOps() {
  return {"mlir-op", "ops of the module", Needs::Ownership, build};
}
