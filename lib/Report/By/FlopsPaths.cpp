//===- FlopsPaths.cpp - The report of operations by path ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FlopsTable.h"
#include "Reports.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Limit on the depth of scopes, as in the report by module path.
static constexpr unsigned kMaxDepth = 64;

namespace {
/// A scope, and all that is in it.
struct ScopeSum {
  int64_t depth = 0;
  FlopsSum sum;
};
} // namespace

/// Adds to a group for each prefix of `path` that ends before a '/', and for
/// the complete path.
static void addPath(llvm::StringRef path, const FlopsSum &sum, OpGroups &groups,
                    std::vector<ScopeSum> &scopes) {
  uint32_t group = kNone;
  size_t end = 0;
  for (unsigned depth = 0; end < path.size(); ++depth) {
    end = depth < kMaxDepth ? path.find('/', end + 1) : llvm::StringRef::npos;
    end = std::min(end, path.size());
    group = groups.add(path.take_front(end), group);
    if (group == scopes.size())
      scopes.push_back({depth, FlopsSum()});
    scopes[group].sum.add(sum);
  }
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  std::vector<Column> columns = {
      {"key", "path", ColumnKind::Text},
      {"depth", "depth", ColumnKind::Number, ColumnUse::TextOnly}};
  addFlopsColumns(columns);
  Table table(columns);
  table.defaultOrder = {{3, true}, {0, false}};
  table.weightColumn = 3;
  OpGroups groups;
  std::vector<ScopeSum> scopes;
  for (const FlopsOp &op : getFlops(input.profile, merged)) {
    const OpKey &key = input.profile.opKeys[op.op];
    std::string scope = getKeyScope(key);
    addPath(scope.empty() ? key.op : scope + "/" + key.op, op.sum, groups,
            scopes);
    addSaturating(table.weightTotal, op.sum.flops);
  }
  // Parents come before their children.
  for (uint32_t group = 0; group != groups.size(); ++group) {
    llvm::SmallVector<Cell> cells = {groups.getKey(group), scopes[group].depth};
    addFlopsCells(cells, scopes[group].sum, table.weightTotal);
    table.addRow(cells);
    table.parents.push_back(groups.getParent(group));
  }
  return table;
}

ReportKind report::FlopsPaths() {
  return {"flops-path",
          "floating point operations that were counted, by the tree of scopes",
          Needs::Profile, build};
}
