//===- KernelGoals.cpp - Which kernels are fast, and which small ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGoals.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using codegen::CodeGoal;

/// The iterations of a call; those of unknown number count as one.
static uint64_t countIterations(func::FuncOp kernel) {
  uint64_t all = 0;
  kernel.walk([&](linalg::LinalgOp op) {
    uint64_t iterations = 1;
    for (int64_t range : op.getStaticLoopRanges())
      if (!ShapedType::isDynamic(range))
        iterations = llvm::SaturatingMultiply(iterations, uint64_t(range));
    all = llvm::SaturatingAdd(all, iterations);
  });
  return all;
}

llvm::DenseMap<Operation *, CodeGoal>
compile::chooseGoals(ArrayRef<func::FuncOp> kernels, const SymbolUserMap &users,
                     CodeGoal goal) {
  llvm::DenseMap<Operation *, CodeGoal> goals;
  if (goal != CodeGoal::Balance) {
    for (func::FuncOp kernel : kernels)
      goals[kernel] = goal;
    return goals;
  }
  SmallVector<std::pair<uint64_t, func::FuncOp>> order;
  double all = 0;
  for (func::FuncOp kernel : kernels) {
    uint64_t work = llvm::SaturatingMultiply(
        countIterations(kernel), uint64_t(users.getUsers(kernel).size()));
    order.push_back({work, kernel});
    all += double(work);
  }
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  double done = 0;
  for (auto [work, kernel] : order) {
    goals[kernel] = done < 0.9 * all ? CodeGoal::Speed : CodeGoal::Size;
    done += double(work);
  }
  return goals;
}
