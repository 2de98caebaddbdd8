//===- PrintHotPass.cpp - prof-print-hot ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir-prof/Transforms/Arrival.h"
#include "mlir-prof/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Format.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFPRINTHOT
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;
using prof::DataAttr;

/// The shortest text that identifies `location` for a reader: the outermost
/// name, else the first file position.
static std::string toShortText(Location location) {
  llvm::DenseSet<Attribute> seen;
  SmallVector<Location> pending = {location};
  while (!pending.empty()) {
    Location part = pending.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    if (auto name = dyn_cast<NameLoc>(part)) {
      if (!name.getName().empty())
        return name.getName().str();
      pending.push_back(name.getChildLoc());
    } else if (auto file = dyn_cast<FileLineColLoc>(part)) {
      return (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
              ":" + Twine(file.getColumn()))
          .str();
    } else if (auto call = dyn_cast<CallSiteLoc>(part)) {
      pending.append({call.getCaller(), call.getCallee()});
    } else if (auto fused = dyn_cast<FusedLoc>(part)) {
      llvm::append_range(pending, llvm::reverse(fused.getLocations()));
    }
  }
  return "-";
}

namespace {

struct Row {
  Operation *op;
  DataAttr data;
  size_t index;
};

struct PrintHotPass : transforms::impl::ProfPrintHotBase<PrintHotPass> {
  using ProfPrintHotBase::ProfPrintHotBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SmallVector<Row> rows = collect(getOperation());
    // Ops with the same total time stay in module order.
    llvm::sort(rows, [](const Row &left, const Row &right) {
      int64_t leftTotal = left.data.getTotalPs();
      int64_t rightTotal = right.data.getTotalPs();
      return leftTotal != rightTotal ? leftTotal > rightTotal
                                     : left.index < right.index;
    });
    print(rows, llvm::errs());
  }

private:
  static SmallVector<Row> collect(Operation *root) {
    SmallVector<Row> rows;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (DataAttr data = prof::getProfileData(op))
        rows.push_back({op, data, rows.size()});
    });
    if (rows.empty())
      for (auto [op, data] : collectArrival(root).owners)
        rows.push_back({op, data, rows.size()});
    return rows;
  }

  void print(ArrayRef<Row> rows, raw_ostream &os) {
    double sum = 0;
    for (const Row &row : rows)
      sum += double(row.data.getTotalPs());
    ArrayRef<Row> shown = top == 0 ? rows : rows.take_front(top);
    os << "hottest ops: " << shown.size() << " of " << rows.size()
       << " with a profile\n";
    if (rows.empty())
      return;
    os << llvm::format("%20s %6s %20s %20s %20s %10s  %s\n", "total_ps",
                       "share", "sole_ps", "estimated_ps", "shared_ps", "count",
                       "op");
    for (const Row &row : shown)
      print(row, sum, os);
  }

  static void print(const Row &row, double sum, raw_ostream &os) {
    DataAttr data = row.data;
    double share = sum > 0 ? 100 * double(data.getTotalPs()) / sum : 0;
    os << llvm::format(
              "%20lld %5.1f%% %20lld %20lld %20lld %10llu  ",
              (long long)data.getTotalPs(), share, (long long)data.getSolePs(),
              (long long)data.getEstimatedPs(), (long long)data.getSharedPs(),
              (unsigned long long)data.getCount())
       << row.op->getName() << " @ " << toShortText(row.op->getLoc()) << "\n";
  }
};

} // namespace
