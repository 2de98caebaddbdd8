//===- RollUp.h - Times of groups of ops ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_ROLLUP_H
#define MLIR_PROF_REPORT_ROLLUP_H

#include "mlir-prof/Report/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace mlirprof::report {

/// Groups of the ops of a module, possibly nested.
class OpGroups {
public:
  /// Finds or adds the group `key` below `parent` (kNone for a root). Keys are
  /// unique across all levels.
  uint32_t add(llvm::StringRef key, uint32_t parent = trace::kNone);

  size_t size() const { return keys.size(); }
  llvm::StringRef getKey(uint32_t group) const { return keys[group]; }
  uint32_t getParent(uint32_t group) const { return parents[group]; }

  /// The innermost group of each op of the module.
  std::vector<uint32_t> groupOfOp;

private:
  llvm::StringMap<uint32_t> ids;
  std::vector<llvm::StringRef> keys;
  std::vector<uint32_t> parents;
};

struct GroupTime {
  uint64_t count = 0;
  int64_t solePs = 0;
  int64_t sharedPs = 0;
  int64_t estimatedPs = 0;
};

/// Times of the groups by the rule at getReports(). A measured op costs time
/// proportional to its owners times their depth.
std::vector<GroupTime> rollUp(const ReportInput &input,
                              llvm::ArrayRef<profile::OpSummary> merged,
                              const OpGroups &groups);

/// The columns of rolled-up reports: key, count, sole_ps, shared_ps,
/// estimated_ps, total_ps; for trees depth (roots have 0). Sorted by total_ps.
enum class Shape : uint8_t { Flat, Tree };
Table makeRollUpTable(llvm::ArrayRef<profile::OpSummary> merged,
                      llvm::StringRef keyTitle, Shape shape = Shape::Flat,
                      llvm::ArrayRef<Column> parts = {});
void addRollUpRow(Table &table, llvm::StringRef key, const GroupTime &time,
                  std::optional<int64_t> depth = std::nullopt,
                  llvm::ArrayRef<Cell> parts = {});

/// Columns with the components of a composite key, such as file and line; as
/// one text, the key sorts and compares by bytes.
struct KeyParts {
  std::vector<Column> columns;
  /// The cells of a group, from one of its ops.
  std::function<std::vector<Cell>(uint32_t op)> cells;

  std::vector<Cell> get(uint32_t op) const {
    return cells ? cells(op) : std::vector<Cell>();
  }
};

/// The report of groups that are not nested: `keyOf` returns the group of an
/// op.
Table buildFlatRollUp(
    const ReportInput &input, llvm::ArrayRef<profile::OpSummary> merged,
    RowSelection selection, llvm::StringRef keyTitle,
    llvm::function_ref<std::string(const attribution::MlirOp &)> keyOf,
    const KeyParts &parts = {});

/// The report of groups of measured ops, all of whose time is sole: `keyOf`
/// returns the group of an op key, given by its index.
Table buildMeasuredRollUp(llvm::ArrayRef<profile::OpSummary> merged,
                          llvm::StringRef keyTitle,
                          llvm::function_ref<std::string(uint32_t)> keyOf,
                          const KeyParts &parts = {});

/// Whether some op of the module owns the time.
bool hasOwners(const attribution::Match &match);
/// The weights of all owners; 0 for owners without a weight.
std::vector<uint64_t> getWeights(const attribution::Match &match);

/// Sum of OpSummary::getTimePs: the total to which shares refer.
int64_t getOpTimePs(llvm::ArrayRef<profile::OpSummary> merged);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_ROLLUP_H
