//===- StepLoop.cpp - Calls of kernels by a table -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoop.h"
#include "BufferPlaces.h"
#include "GlobalAddresses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// Whether the address of `buffer` is another one's plus a constant.
static bool hasKnownPlace(Value buffer) {
  auto isPlain = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && type.getLayout().isIdentity();
  };
  BufferPlace place = findPlace(buffer);
  return isPlain(buffer) && isPlain(place.base) && place.offset >= 0 &&
         place.offset <= INT32_MAX;
}

bool StepLoop::isKnown(RunOp run) {
  if (run.getInstance() || run->getNumOperands() > UINT8_MAX)
    return false;
  return llvm::all_of(run->getOperands(), [&](Value operand) {
    if (!isa<MemRefType>(operand.getType()))
      return matchPattern(operand, m_Constant());
    SmallVector<int64_t> sizes;
    return RunLowering::findSizes(operand, sizes) &&
           (lowering.findConstant(operand) || hasKnownPlace(operand));
  });
}

std::vector<SmallVector<RunOp>>
StepLoop::findSequences(FunctionOpInterface function) {
  // The loop itself is as much code as a few calls.
  constexpr size_t fewSteps = 4;
  std::vector<SmallVector<RunOp>> sequences;
  SmallVector<RunOp> current;
  llvm::SmallDenseSet<Value> bases;
  auto finish = [&] {
    if (current.size() > fewSteps)
      sequences.push_back(current);
    current.clear();
    bases.clear();
  };
  auto addBases = [&](RunOp run) {
    for (Value operand : run->getOperands())
      if (isa<MemRefType>(operand.getType()) && !lowering.findConstant(operand))
        bases.insert(findPlace(operand).base);
  };
  function->walk([&](Block *block) {
    for (Operation &op : *block) {
      auto run = dyn_cast<RunOp>(op);
      if (run && isKnown(run)) {
        addBases(run);
        // The number of a base is a byte, and 0 is none.
        if (bases.size() > UINT8_MAX) {
          finish();
          addBases(run);
        }
        current.push_back(run);
      } else if (run || !isMemoryEffectFree(&op))
        finish();
    }
    finish();
  });
  return sequences;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The number of `base`; 0 is that of no base.
uint8_t StepLoop::getBase(Value base) {
  auto *found = llvm::find(places, base);
  if (found == places.end()) {
    places.push_back(base);
    found = &places.back();
  }
  return uint8_t(found - places.begin() + 1);
}

void StepLoop::addBinding(Value operand, Operation *at) {
  LLVM::GlobalOp constant;
  if (auto type = dyn_cast<MemRefType>(operand.getType()))
    constant = lowering.findConstant(operand);
  else
    constant = lowering.findNumbers(
        lowering.converter.convertType(operand.getType()), operand);
  if (constant) {
    pointers.push_back(constant.getSymName());
    bases.push_back(0);
    return;
  }
  BufferPlace place = findPlace(operand);
  bases.push_back(getBase(place.base));
  offsets.push_back(int32_t(place.offset));
}

void StepLoop::addRow(RunOp run, Operation *at) {
  SmallVector<int64_t> sizes;
  for (Value operand : run->getOperands())
    RunLowering::findSizes(operand, sizes);
  pointers.push_back(run.getKernel());
  LLVM::GlobalOp parameters = lowering.findNumbers(
      lowering.builder.getI64Type(), ArrayRef<int64_t>(sizes));
  pointers.push_back(parameters ? parameters.getSymName() : StringRef());
  bases.push_back(uint8_t(run->getNumOperands()));
  for (Value operand : run->getOperands())
    addBinding(operand, at);
  mostBindings = std::max(mostBindings, run->getNumOperands());
}

/// A table of `count` elements, which is defined later without `values`.
LLVM::GlobalOp StepLoop::makeTable(Type element, int64_t count,
                                   Attribute values) {
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(lowering.module.getBody());
  return LLVM::GlobalOp::create(
      builder, lowering.module.getLoc(),
      LLVM::LLVMArrayType::get(element, unsigned(count)), /*isConstant=*/true,
      LLVM::Linkage::Private, "mlirprof_steps_" + std::to_string(tables++),
      values);
}

Value StepLoop::getAddress(LLVM::GlobalOp table) {
  return LLVM::AddressOfOp::create(lowering.builder, lowering.module.getLoc(),
                                   table);
}

Value StepLoop::makeConstant(DenseElementsAttr values) {
  return getAddress(
      makeTable(values.getElementType(), values.getNumElements(), values));
}

Value StepLoop::makePointers() {
  LLVM::GlobalOp table =
      makeTable(lowering.pointer, int64_t(pointers.size()), Attribute());
  defineAddresses(table, pointers);
  return getAddress(table);
}

void StepLoop::lower(ArrayRef<RunOp> runs) {
  OpBuilder &builder = lowering.builder;
  Operation *at = runs.back();
  Location location = at->getLoc();
  pointers.clear();
  offsets.clear();
  bases.clear();
  places.clear();
  for (RunOp run : runs)
    addRow(run, at);
  builder.setInsertionPoint(at);
  // An empty array is not one of LLVM.
  offsets.push_back(0);
  auto getType = [&](size_t size, Type element) {
    return RankedTensorType::get({int64_t(size)}, element);
  };
  Value memory = lowering.reserve(at, lowering.pointer, places.size() + 1);
  for (auto [index, base] : llvm::enumerate(places))
    lowering.store(location, extractAddress(builder, location, base),
                   lowering.pointer, memory, unsigned(index) + 1);
  Value count =
      arith::ConstantIndexOp::create(builder, location, int64_t(runs.size()));
  SmallVector<Value> arguments = {
      count, makePointers(),
      makeConstant(
          DenseElementsAttr::get(getType(offsets.size(), builder.getI32Type()),
                                 ArrayRef<int32_t>(offsets))),
      makeConstant(
          DenseElementsAttr::get(getType(bases.size(), builder.getI8Type()),
                                 ArrayRef<uint8_t>(bases))),
      memory};
  func::CallOp::create(builder, location, getLoop(), arguments);
  room.setValueAttr(builder.getI64IntegerAttr(mostBindings));
  for (RunOp run : runs)
    run->erase();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

func::FuncOp StepLoop::getLoop() {
  if (loop)
    return loop;
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(lowering.module.getBody());
  Type pointer = lowering.pointer;
  loop = func::FuncOp::create(
      builder, lowering.module.getLoc(), "mlirprof_run_steps",
      builder.getFunctionType(
          {builder.getIndexType(), pointer, pointer, pointer, pointer}, {}));
  loop.setPrivate();
  buildLoop(loop);
  return loop;
}

/// Reads an element of `type` at `place`, which moves behind it.
static Value take(ImplicitLocOpBuilder &builder, Type type, Value &place) {
  Value value = LLVM::LoadOp::create(builder, type, place);
  place = LLVM::GEPOp::create(builder, place.getType(), type, place,
                              ArrayRef<LLVM::GEPArg>{1});
  return value;
}

/// The binding that the columns tell next.
static Value takeBinding(ImplicitLocOpBuilder &builder, Value base,
                         Value memory, Value &pointers, Value &offsets) {
  Type pointer = memory.getType();
  Value zero = LLVM::ZeroOp::create(builder, base.getType());
  Value hasBase =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, base, zero);
  auto choice =
      scf::IfOp::create(builder, TypeRange{pointer, pointer, pointer}, hasBase,
                        /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    Value next = offsets;
    Value offset = take(builder, builder.getI32Type(), next);
    Value number = LLVM::ZExtOp::create(builder, builder.getI32Type(), base);
    Value place = LLVM::GEPOp::create(builder, pointer, pointer, memory,
                                      ArrayRef<LLVM::GEPArg>{number});
    Value begin = LLVM::LoadOp::create(builder, pointer, place);
    Value address = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(),
                                        begin, ArrayRef<LLVM::GEPArg>{offset});
    scf::YieldOp::create(builder, ValueRange{address, pointers, next});
    builder.setInsertionPointToStart(choice.elseBlock());
    next = pointers;
    Value constant = take(builder, pointer, next);
    scf::YieldOp::create(builder, ValueRange{constant, next, offsets});
  }
  pointers = choice.getResult(1);
  offsets = choice.getResult(2);
  return choice.getResult(0);
}

void StepLoop::buildLoop(func::FuncOp function) {
  auto builder = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(),
                                                    function.addEntryBlock());
  Type pointer = lowering.pointer, number = builder.getI32Type();
  Value memory = function.getArgument(4);
  room = LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(1));
  Value bindings = LLVM::AllocaOp::create(builder, pointer, pointer, room);
  Value zero = arith::ConstantIndexOp::create(builder, 0),
        one = arith::ConstantIndexOp::create(builder, 1);
  auto steps = scf::ForOp::create(builder, zero, function.getArgument(0), one,
                                  function.getArguments().slice(1, 3));
  func::ReturnOp::create(builder);
  builder.setInsertionPointToStart(steps.getBody());
  Value pointers = steps.getRegionIterArg(0),
        offsets = steps.getRegionIterArg(1), bases = steps.getRegionIterArg(2);
  Value kernel = take(builder, pointer, pointers),
        parameters = take(builder, pointer, pointers);
  Value count =
      arith::IndexCastUIOp::create(builder, builder.getIndexType(),
                                   take(builder, builder.getI8Type(), bases));
  auto each =
      scf::ForOp::create(builder, zero, count, one,
                         ValueRange{pointers, offsets, bases, bindings});
  Value none =
      LLVM::ConstantOp::create(builder, number, builder.getI32IntegerAttr(0));
  LLVM::CallOp::create(
      builder, getKernelType(builder.getContext()),
      ValueRange{kernel, bindings, parameters, none, none, none});
  scf::YieldOp::create(builder, each.getResults().take_front(3));
  builder.setInsertionPointToStart(each.getBody());
  SmallVector<Value> places =
      llvm::to_vector_of<Value>(each.getRegionIterArgs());
  Value base = take(builder, builder.getI8Type(), places[2]);
  Value binding = takeBinding(builder, base, memory, places[0], places[1]);
  LLVM::StoreOp::create(builder, binding, places[3]);
  places[3] = LLVM::GEPOp::create(builder, pointer, pointer, places[3],
                                  ArrayRef<LLVM::GEPArg>{1});
  scf::YieldOp::create(builder, places);
}
