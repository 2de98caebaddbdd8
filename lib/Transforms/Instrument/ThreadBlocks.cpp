//===- ThreadBlocks.cpp - Access to a thread's block ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeCode.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

/// Weights of a branch that is rarely taken.
static constexpr int32_t kTaken = 1;
static constexpr int32_t kNotTaken = 2000;

bool transforms::canBranch(Operation *op) {
  Operation *parent = op->getParentOp();
  return isa<FunctionOpInterface>(parent) ||
         isa<omp::OpenMPDialect>(parent->getDialect());
}

Block *transforms::branchTo(OpBuilder &builder, Location location,
                            Value condition) {
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *aside = builder.createBlock(after);
  LLVM::BrOp::create(builder, location, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, location, condition, aside, ValueRange{},
                         after, ValueRange{},
                         std::pair<int32_t, int32_t>(kTaken, kNotTaken));
  builder.setInsertionPointToStart(after);
  return aside;
}

Value BlockWords::getAddress(int64_t word) {
  return LLVM::GEPOp::create(
      builder, location, base.getType(), builder.getI64Type(), base,
      ArrayRef<LLVM::GEPArg>{int32_t(word)}, LLVM::GEPNoWrapFlags::inbounds);
}

Value BlockWords::load(int64_t word) {
  return LLVM::LoadOp::create(builder, location, builder.getI64Type(),
                              getAddress(word), sizeof(int64_t));
}

void BlockWords::store(int64_t word, Value value) {
  LLVM::StoreOp::create(builder, location, value, getAddress(word),
                        sizeof(int64_t));
}

Value BlockWords::add(int64_t word, Value value) {
  Value old = load(word);
  store(word, LLVM::AddOp::create(builder, location, old, value));
  return old;
}

Value BlockWords::constant(int64_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value BlockWords::isSome(Value value) {
  return LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ne, value,
                              constant(0));
}

Value BlockWords::onlyIf(Value condition, Value value) {
  return LLVM::SelectOp::create(builder, location, condition, value,
                                constant(0));
}

Value BlockWords::subtract(Value a, Value b) {
  return LLVM::SubOp::create(builder, location, a, b);
}

/// Whether another thread may run the regions of `op`.
static bool startsThread(Operation *op) {
  return isa<FunctionOpInterface, omp::ParallelOp, omp::TeamsOp, omp::TaskOp,
             omp::TaskloopOp, async::ExecuteOp>(op);
}

BlockAddresses ThreadBlocks::get(Operation *op) {
  Region *region = op->getParentRegion();
  while (!startsThread(region->getParentOp()))
    region = region->getParentRegion();
  BlockAddresses &found = known[region];
  if (found.header)
    return found;
  OpBuilder builder = OpBuilder::atBlockBegin(&region->front());
  Location location = op->getLoc();
  Type pointer = LLVM::LLVMPointerType::get(op->getContext());
  Value base = runtime
                   .call(builder, location, "prof_rt_base", pointer,
                         {runtime.getAddress(builder, location, op)})
                   .getResult();
  found = {base, base, base, base};
  if (!findPart(op))
    return found;
  PartReader part(builder, location, op);
  auto add = [&](Value words) -> Value {
    return LLVM::GEPOp::create(builder, location, pointer, builder.getI64Type(),
                               base, ArrayRef<LLVM::GEPArg>{words},
                               LLVM::GEPNoWrapFlags::inbounds);
  };
  found.slots = add(part.getSlots());
  found.cells = add(part.getCells());
  found.open = add(part.getOpen());
  return found;
}
