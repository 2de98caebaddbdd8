//===- ModulePaths.cpp - The report of module paths -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/RollUp.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Limit on the depth of scopes: a hostile path of n components would otherwise
/// produce rows of n * n bytes.
static constexpr unsigned kMaxDepth = 64;

/// Adds a group for each prefix of `path` that ends before a '/', and for the
/// complete path.
static uint32_t addPath(OpGroups &groups, std::vector<int64_t> &depths,
                        llvm::StringRef path) {
  uint32_t group = kNone;
  size_t end = 0;
  for (unsigned depth = 0; end < path.size(); ++depth) {
    // A leading '/' is part of the first component.
    end = depth < kMaxDepth ? path.find('/', end + 1) : llvm::StringRef::npos;
    end = std::min(end, path.size());
    group = groups.add(path.take_front(end), group);
    if (group == depths.size())
      depths.push_back(depth);
  }
  return group;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  OpGroups groups;
  std::vector<int64_t> depths;
  for (const MlirOp &op : input.ownership->ops)
    groups.groupOfOp.push_back(
        addPath(groups, depths, op.path.empty() ? "(unnamed)" : op.path));
  std::vector<GroupTime> times = rollUp(input, merged, groups);

  Table table = makeRollUpTable(merged, "module path", Shape::Tree);
  // Parents come before their children, and include all their measurements.
  std::vector<uint32_t> rows(groups.size(), kNone);
  for (uint32_t group = 0; group < groups.size(); ++group) {
    if (!times[group].count && selection == RowSelection::Measured)
      continue;
    rows[group] = table.size();
    addRollUpRow(table, groups.getKey(group), times[group], depths[group]);
    uint32_t parent = groups.getParent(group);
    table.parents.push_back(parent == kNone ? kNone : rows[parent]);
  }
  return table;
}

ReportKind report::ModulePaths() {
  return {"module-path",
          "ops of the module by the tree of their location paths",
          Needs::Ownership, build};
}
