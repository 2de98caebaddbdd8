//===- SplitWorkgroups.cpp - Kernels as phases of workgroups --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Loops/LoopWork.h"
#include "BufferPlaces.h"
#include "PhasePlan.h"
#include "ProgramLowering.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SPLITWORKGROUPSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Operations that a processor does in a ns, with vectors and several at once.
static constexpr uint64_t kWorkPerNs = 3;

/// The attributes of a phase; `work` of a workgroup is 0 if it is unknown.
static void describe(func::FuncOp phase, uint32_t x, uint32_t y,
                     uint64_t work) {
  Builder builder(phase.getContext());
  auto cost = int64_t(std::min<uint64_t>(work / kWorkPerNs, UINT32_MAX));
  phase->setAttr(kPhaseGrid,
                 builder.getDenseI32ArrayAttr({int32_t(x), int32_t(y), 1}));
  phase->setAttr(kPhaseCost, builder.getI64IntegerAttr(cost));
}

static uint64_t getWork(ArrayRef<Operation *> ops) {
  uint64_t work = 0;
  for (Operation *op : ops) {
    if (!hasKnownWork(op))
      return 0;
    work = llvm::SaturatingAdd(work, estimateWork(op));
  }
  return work;
}

namespace {
/// Makes a function of each phase.
class PhaseBuilder {
public:
  PhaseBuilder(func::FuncOp kernel, const PhasePlan &plan)
      : kernel(kernel), plan(plan), builder(kernel.getContext()),
        converter(kernel.getContext()) {}

  func::FuncOp build(unsigned phase, StringRef name);

private:
  void addArguments(func::FuncOp function);
  void compute(Value value);
  Value load(Value value);
  void store(Value value);
  void copy(Operation *op);

  func::FuncOp kernel;
  const PhasePlan &plan;
  OpBuilder builder;
  LLVMTypeConverter converter;
  /// From the kernel to the phase.
  IRMapping mapping;
  /// The arguments that hold values.
  llvm::DenseMap<Value, Value> places;
};
} // namespace

void PhaseBuilder::addArguments(func::FuncOp function) {
  Block *block = function.addEntryBlock();
  unsigned next = 0;
  for (BlockArgument argument : kernel.getArguments())
    mapping.map(argument, block->getArgument(next++));
  auto place = [&](const WorkspacePlace &part) -> Value {
    function.setArgAttr(next, kWorkspace,
                        builder.getI64IntegerAttr(part.offset));
    return block->getArgument(next++);
  };
  for (const auto &[buffer, part] : plan.buffers)
    mapping.map(buffer, place(part));
  for (const auto &[value, part] : plan.values)
    places[value] = place(part);
}

Value PhaseBuilder::load(Value value) {
  Location location = value.getLoc();
  Value place = places.lookup(value);
  if (!isa<MemRefType>(value.getType())) {
    Value zero = arith::ConstantIndexOp::create(builder, location, 0);
    return memref::LoadOp::create(builder, location, place, zero);
  }
  Value descriptor = LLVM::LoadOp::create(
      builder, location, converter.convertType(value.getType()),
      extractAddress(builder, location, place));
  return UnrealizedConversionCastOp::create(builder, location, value.getType(),
                                            descriptor)
      .getResult(0);
}

void PhaseBuilder::store(Value value) {
  Location location = value.getLoc();
  Value place = places.lookup(value), computed = mapping.lookup(value);
  if (!isa<MemRefType>(value.getType())) {
    Value zero = arith::ConstantIndexOp::create(builder, location, 0);
    memref::StoreOp::create(builder, location, computed, place, zero);
    return;
  }
  Value descriptor =
      UnrealizedConversionCastOp::create(
          builder, location, converter.convertType(value.getType()), computed)
          .getResult(0);
  LLVM::StoreOp::create(builder, location, descriptor,
                        extractAddress(builder, location, place));
}

/// Makes a value of the kernel's block available.
void PhaseBuilder::compute(Value value) {
  if (mapping.contains(value))
    return;
  if (places.count(value)) {
    mapping.map(value, load(value));
    return;
  }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    compute(operand);
  builder.clone(*op, mapping);
}

void PhaseBuilder::copy(Operation *op) {
  for (Value operand : PhasePlan::getOperands(op))
    compute(operand);
  builder.clone(*op, mapping);
  for (Value result : op->getResults())
    if (places.count(result))
      store(result);
}

func::FuncOp PhaseBuilder::build(unsigned phase, StringRef name) {
  SmallVector<Type> types(kernel.getArgumentTypes());
  for (const auto &[buffer, part] : plan.buffers)
    types.push_back(part.type);
  for (const auto &[value, part] : plan.values)
    types.push_back(part.type);
  builder.setInsertionPoint(kernel);
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), name,
                           builder.getFunctionType(types, TypeRange()));
  function.setPrivate();
  function->setAttr(dispatch::DispatchDialect::getKernelAttrName(),
                    builder.getUnitAttr());
  function->setAttr(kWorkspace, builder.getI64IntegerAttr(plan.workspaceBytes));
  addArguments(function);
  builder.setInsertionPointToStart(&function.getBody().front());
  for (Operation *op : plan.phases[phase])
    copy(op);
  func::ReturnOp::create(builder, kernel.getLoc());
  if (phase % 2 == 0) {
    describe(function, 1, 1, getWork(plan.phases[phase]));
    return function;
  }
  const LoopShares &shares = plan.shares[phase / 2];
  describe(function, shares.x, shares.y, shares.work);
  Operation *loop = &*std::prev(function.getBody().front().end(), 2);
  takeShare(cast<scf::ForOp>(loop), shares);
  return function;
}

/// The work of a kernel that stays one phase.
static uint64_t getWork(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      ops.push_back(&op);
  return getWork(ops);
}

static void split(func::FuncOp kernel, SymbolTable &symbols, unsigned threads) {
  PhasePlan plan(kernel, threads);
  if (!plan.make()) {
    describe(kernel, 1, 1, getWork(kernel));
    return;
  }
  std::string name = kernel.getSymName().str();
  for (unsigned i = 0, next = 0; i != plan.phases.size(); ++i)
    if (!plan.phases[i].empty())
      symbols.insert(PhaseBuilder(kernel, plan)
                         .build(i, name + "_" + std::to_string(next++)));
  symbols.erase(kernel);
}

namespace {
struct SplitWorkgroupsPass
    : mlirprof::codegen::impl::SplitWorkgroupsPassBase<SplitWorkgroupsPass> {
  using SplitWorkgroupsPassBase::SplitWorkgroupsPassBase;

  void runOnOperation() override {
    if (failed(checkThreads(*this, getOperation(), threads)))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (dispatch::isKernel(function) && !function.isExternal() &&
          fitsTable(function.getArgumentTypes()))
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels)
      split(kernel, symbols, threads);
  }
};
} // namespace
