//===- ScheduleTags.cpp - Names for the ops that a script looks for -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleOp.h"
#include "ScheduleWriter.h"
#include "mlir-prof/Optimize/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using linalg::LinalgOp;

/// Lets LLVM make one instruction of a product and a sum, as the default
/// pipeline does: flags of ops on tensors outlive vectorization.
static void allowContraction(ModuleOp module) {
  module.walk([](arith::ArithFastMathInterface op) {
    if (!isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op.getOperation()))
      return;
    arith::FastMathFlags flags =
        op.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op.getContext(), flags));
  });
}

/// Named ops whose products upstream's vectorizer does not make contractions
/// of: as generic ones they can have flags.
static void generalizeChannelwise(ModuleOp module) {
  SmallVector<LinalgOp> ops;
  module.walk([&](LinalgOp op) {
    if (isa<linalg::DepthwiseConv1DNwcWcOp, linalg::DepthwiseConv2DNhwcHwcOp,
            linalg::DepthwiseConv2DNchwChwOp,
            linalg::DepthwiseConv3DNdhwcDhwcOp>(op.getOperation()))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// Gives each user of a fill its own, which can move into the user's loops.
static void splitFills(ModuleOp module) {
  SmallVector<linalg::FillOp> fills;
  module.walk([&](linalg::FillOp fill) {
    if (fill->getNumResults() == 1 && !fill->use_empty())
      fills.push_back(fill);
  });
  OpBuilder builder(module.getContext());
  for (linalg::FillOp fill : fills)
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(fill->getUses()))) {
      builder.setInsertionPoint(fill);
      use.set(builder.clone(*fill.getOperation())->getResult(0));
    }
}

ScheduleReport optimize::tagForSchedule(ModuleOp prepared,
                                        const codegen::TargetModel &target) {
  ScheduleReport report;
  generalizeChannelwise(prepared);
  (void)expandPanels(prepared);
  splitFills(prepared);
  allowContraction(prepared);
  llvm::StringMap<std::string> names;
  std::map<std::string, unsigned> reasons;
  prepared.walk([&](LinalgOp op) {
    std::string reason;
    std::optional<OpSchedule> schedule = planSchedule(op, target, reason);
    if (!schedule && !reason.empty()) {
      ++report.left;
      ++reasons[(op->getName().getStringRef() + ": " + reason).str()];
      return;
    }
    ++report.scheduled;
    if (!schedule)
      return;
    auto [name, isNew] =
        names.try_emplace(getScheduleSteps(*schedule), std::string());
    if (isNew)
      name->second = "s" + std::to_string(names.size() - 1);
    op->setAttr(kScheduleAttribute,
                StringAttr::get(op->getContext(), name->second));
  });
  for (auto &[reason, count] : reasons)
    report.reasons.push_back(std::to_string(count) + " x " + reason);
  return report;
}
