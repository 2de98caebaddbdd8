//===- LowerPrograms.cpp - Programs of the executor -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

/// Buffers that a program may keep longer than a list of calls would.
static constexpr unsigned kMostKept = 16;

bool codegen::fitsTable(TypeRange types) {
  size_t sizes = 1;
  for (Type type : types)
    if (auto buffer = dyn_cast<MemRefType>(type))
      sizes += size_t(buffer.getNumDynamicDims());
  // A kernel with phases gets one more argument.
  return std::max<size_t>(types.size(), sizes) < DispatchTable::kMostValues;
}

/// Finds the programs of `block`, but not those of blocks in it.
static void findPrograms(Block &block, SmallVectorImpl<HostSteps> &programs) {
  HostSteps current;
  SmallVector<Operation *> deallocs;
  auto end = [&] {
    // Copies alone do not need an executor.
    if (llvm::any_of(current.steps, llvm::IsaPred<RunOp>))
      programs.push_back(std::move(current));
    current = {};
    deallocs.clear();
  };
  for (Operation &op : block) {
    if (isa<RunOp>(op) || isPlainCopy(&op)) {
      if (!fitsTable(op.getOperandTypes())) {
        end();
        continue;
      }
      current.steps.push_back(&op);
      current.deallocs.append(std::exchange(deallocs, {}));
      continue;
    }
    if (isa<memref::DeallocOp>(op))
      deallocs.push_back(&op);
    bool isBetween = isa<memref::AllocOp, memref::DeallocOp>(op) ||
                     (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    if (!isBetween || current.deallocs.size() + deallocs.size() > kMostKept)
      end();
  }
  end();
}

void RunLowering::lowerToPrograms() {
  SmallVector<HostSteps> programs;
  module.walk([&](Block *block) { findPrograms(*block, programs); });
  for (auto [number, program] : llvm::enumerate(programs))
    ProgramLowering(*this, unsigned(number)).lower(program);
  SmallVector<RunOp> rest;
  module.walk([&](RunOp run) { rest.push_back(run); });
  for (RunOp run : rest)
    lowerToCall(run);
}
