//===- HostGraph.cpp - The host side of a model as data -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/HostGraph.h"
#include "HostNumbers.h"
#include "HostPlaces.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::dispatch;

namespace {
/// Reads the steps of one function.
class GraphExtractor {
public:
  GraphExtractor(func::FuncOp function, unsigned arguments,
                 ConstantReader readConstant)
      : function(function), arguments(arguments),
        layout(function->getParentOfType<ModuleOp>()), numbers(layout, graph),
        places(function, arguments, layout, readConstant, numbers, graph) {}

  LogicalResult extract();

  HostGraph graph;

private:
  using Steps = std::vector<HostStep>;

  LogicalResult addSteps(Block &block, Steps &steps);
  LogicalResult addStep(Operation *op, Steps &steps);
  LogicalResult addRun(RunOp run, Steps &steps);
  /// The number of a device.
  uint32_t addDevice(StringRef name);
  /// Adds the steps that take the numbers of a dispatch to its device.
  void addTransfersOfNumbers(RunOp run, const HostStep &step, Steps &steps);
  LogicalResult addTransfer(TransferOp transfer, Steps &steps);
  LogicalResult addWait(WaitOp wait, Steps &steps);
  LogicalResult addCopy(memref::CopyOp copy, Steps &steps);
  LogicalResult addLoad(memref::LoadOp load, Steps &steps);
  LogicalResult addStore(memref::StoreOp store, Steps &steps);
  LogicalResult addBranch(scf::IfOp branch, Steps &steps);
  LogicalResult addLoop(scf::ForOp loop, Steps &steps);
  LogicalResult addLoop(scf::WhileOp loop, Steps &steps);
  /// Sets the numbers `targets` to those of `values` that are not buffers.
  LogicalResult pass(Operation *op, ValueRange values,
                     ArrayRef<uint32_t> targets, Steps &steps);
  /// Numbers for those of `values` that are not buffers.
  FailureOr<SmallVector<uint32_t>> addNumbers(Operation *op, ValueRange values);

  func::FuncOp function;
  unsigned arguments;
  DataLayout layout;
  HostNumbers numbers;
  HostPlaces places;
};
} // namespace

LogicalResult GraphExtractor::addRun(RunOp run, Steps &steps) {
  HostStep step;
  step.kernel = run.getKernel().str();
  step.instance = run.getInstance();
  for (OpOperand &operand : run->getOpOperands())
    if (failed(places.addBinding(run, operand.get(), run.isDpsInit(&operand),
                                 step)))
      return failure();
  for (size_t index = 0; index != run.getOutputs().size(); ++index)
    step.bindings[run.getInputs().size() + index].isRead = run.isUpdated(index);
  if (run.getDevice()) {
    step.device = addDevice(*run.getDevice());
    addTransfersOfNumbers(run, step, steps);
  }
  steps.push_back(std::move(step));
  return success();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

uint32_t GraphExtractor::addDevice(StringRef name) {
  auto found = llvm::find(graph.devices, name);
  if (found == graph.devices.end())
    found = graph.devices.insert(found, name.str());
  return uint32_t(found - graph.devices.begin());
}

static HostStep makeWait(uint32_t device) {
  HostStep step;
  step.kind = HostStepKind::Wait;
  step.device = device;
  return step;
}

void GraphExtractor::addTransfersOfNumbers(RunOp run, const HostStep &step,
                                           Steps &steps) {
  for (auto [operand, place] :
       llvm::zip_equal(run->getOperands(), step.bindings)) {
    if (isa<MemRefType>(operand.getType()) || place.kind == PlaceKind::Constant)
      continue;
    HostStep transfer;
    transfer.kind = HostStepKind::Transfer;
    transfer.device = step.device;
    transfer.isToDevice = true;
    transfer.bindings.push_back(place);
    steps.push_back(std::move(transfer));
    // The steps may set it anew.
    if (place.kind == PlaceKind::Number)
      steps.push_back(makeWait(*step.device));
  }
}

LogicalResult GraphExtractor::addTransfer(TransferOp transfer, Steps &steps) {
  HostStep step;
  step.kind = HostStepKind::Transfer;
  step.device = addDevice(transfer.getDevice());
  step.isToDevice = transfer.isToDevice();
  if (failed(places.addBinding(transfer, transfer.getBuffer(), !step.isToDevice,
                               step)))
    return failure();
  step.parameters.clear();
  HostPlace &place = step.bindings.front();
  place.isRead = step.isToDevice;
  if (std::optional<ArrayRef<int64_t>> range = transfer.getRange()) {
    auto begin = uint64_t(range->front()), bytes = uint64_t(range->back());
    if (begin > place.bytes || bytes > place.bytes - begin)
      return transfer.emitOpError("has a range outside of its buffer of ")
             << place.bytes << " bytes";
    place.offset += begin;
    place.bytes = bytes;
    place.type = std::to_string(bytes) + "xi8";
  }
  steps.push_back(std::move(step));
  return success();
}

LogicalResult GraphExtractor::addWait(WaitOp wait, Steps &steps) {
  steps.push_back(makeWait(addDevice(wait.getDevice())));
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult GraphExtractor::addCopy(memref::CopyOp copy, Steps &steps) {
  HostStep step;
  step.kind = HostStepKind::Copy;
  if (failed(places.addBinding(copy, copy.getSource(), false, step)) ||
      failed(places.addBinding(copy, copy.getTarget(), true, step)))
    return failure();
  step.parameters.clear();
  steps.push_back(std::move(step));
  return success();
}

//===----------------------------------------------------------------------===//
// Numbers in memory
//===----------------------------------------------------------------------===//

LogicalResult GraphExtractor::addLoad(memref::LoadOp load, Steps &steps) {
  FailureOr<HostPlace> place =
      places.getElement(load, load.getMemRef(), load.getIndices());
  if (failed(place))
    return failure();
  HostStep step;
  step.kind = HostStepKind::Load;
  step.bits = numbers.getBits(load.getType());
  if (step.bits == 0)
    return load.emitOpError("loads a number of type ")
           << load.getType() << ", which the steps of a host side cannot";
  step.bindings.push_back(std::move(*place));
  step.result = numbers.add(load);
  steps.push_back(std::move(step));
  return success();
}

/// A copy of the number.
LogicalResult GraphExtractor::addStore(memref::StoreOp store, Steps &steps) {
  HostStep step;
  step.kind = HostStepKind::Copy;
  FailureOr<HostPlace> place =
      places.getElement(store, store.getMemRef(), store.getIndices());
  if (failed(place) ||
      failed(places.addBinding(store, store.getValueToStore(), false, step)))
    return failure();
  step.bindings.push_back(std::move(*place));
  steps.push_back(std::move(step));
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<uint32_t>> GraphExtractor::addNumbers(Operation *op,
                                                            ValueRange values) {
  SmallVector<uint32_t> added;
  for (Value value : values) {
    if (isa<MemRefType>(value.getType()))
      continue;
    if (numbers.getBits(value.getType()) == 0)
      return op->emitOpError("passes a value of type ")
             << value.getType() << ", which the steps of a host side cannot";
    added.push_back(numbers.add(value));
  }
  return added;
}

LogicalResult GraphExtractor::pass(Operation *op, ValueRange values,
                                   ArrayRef<uint32_t> targets, Steps &steps) {
  SmallVector<HostNumber> sources;
  for (Value value : values) {
    // Those have one place each (cpu-settle-buffers).
    if (isa<MemRefType>(value.getType()))
      continue;
    FailureOr<HostNumber> number = numbers.get(op, value);
    if (failed(number))
      return failure();
    sources.push_back(*number);
  }
  numbers.assign(sources, targets, steps);
  return success();
}

LogicalResult GraphExtractor::addBranch(scf::IfOp branch, Steps &steps) {
  HostStep step;
  step.kind = HostStepKind::If;
  FailureOr<HostNumber> condition = numbers.get(branch, branch.getCondition());
  FailureOr<SmallVector<uint32_t>> results =
      addNumbers(branch, branch.getResults());
  if (failed(condition) || failed(results))
    return failure();
  step.operands.push_back(*condition);
  for (auto [region, block] :
       llvm::zip_equal(branch->getRegions(), step.blocks)) {
    if (region.empty())
      continue;
    Operation *end = region.front().getTerminator();
    if (failed(addSteps(region.front(), block)) ||
        failed(pass(end, end->getOperands(), *results, block)))
      return failure();
  }
  steps.push_back(std::move(step));
  return success();
}

/// As a loop with a condition.
LogicalResult GraphExtractor::addLoop(scf::ForOp loop, Steps &steps) {
  uint32_t index = numbers.add(loop.getInductionVar());
  unsigned bits = numbers.getBits(loop.getInductionVar().getType());
  FailureOr<HostNumber> lower = numbers.get(loop, loop.getLowerBound()),
                        upper = numbers.get(loop, loop.getUpperBound()),
                        distance = numbers.get(loop, loop.getStep());
  FailureOr<SmallVector<uint32_t>> passed =
      addNumbers(loop, loop.getRegionIterArgs());
  if (failed(lower) || failed(upper) || failed(distance) || failed(passed) ||
      failed(pass(loop, loop.getInitArgs(), *passed, steps)))
    return failure();
  steps.push_back(makeComputation(HostOperation::Assign, bits, *lower, index));
  HostNumber current{false, index};
  HostStep step;
  step.kind = HostStepKind::While;
  uint32_t isInside = numbers.add();
  step.operands.push_back({false, isInside});
  step.blocks[0].push_back(makeComputation(loop.getUnsignedCmp()
                                               ? HostOperation::LessUnsigned
                                               : HostOperation::LessSigned,
                                           1, {current, *upper}, isInside));
  Steps &body = step.blocks[1];
  if (failed(addSteps(*loop.getBody(), body)) ||
      failed(pass(loop, loop.getYieldedValues(), *passed, body)))
    return failure();
  body.push_back(
      makeComputation(HostOperation::Add, bits, {current, *distance}, index));
  steps.push_back(std::move(step));
  // Later steps read the numbers of the last iteration.
  FailureOr<SmallVector<uint32_t>> results =
      addNumbers(loop, loop.getResults());
  if (failed(results))
    return failure();
  for (auto [source, target] : llvm::zip_equal(*passed, *results))
    steps.push_back(makeComputation(HostOperation::Assign, 64,
                                    HostNumber{false, source}, target));
  return success();
}

LogicalResult GraphExtractor::addLoop(scf::WhileOp loop, Steps &steps) {
  HostStep step;
  step.kind = HostStepKind::While;
  FailureOr<SmallVector<uint32_t>> before = addNumbers(
                                       loop, loop.getBeforeArguments()),
                                   after = addNumbers(loop,
                                                      loop.getAfterArguments()),
                                   results =
                                       addNumbers(loop, loop.getResults());
  if (failed(before) || failed(after) || failed(results) ||
      failed(pass(loop, loop.getInits(), *before, steps)))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  Steps &test = step.blocks[0], &body = step.blocks[1];
  if (failed(addSteps(*loop.getBeforeBody(), test)))
    return failure();
  FailureOr<HostNumber> isInside =
      numbers.get(condition, condition.getCondition());
  if (failed(isInside) ||
      failed(pass(condition, condition.getArgs(), *after, test)) ||
      failed(pass(condition, condition.getArgs(), *results, test)) ||
      failed(addSteps(*loop.getAfterBody(), body)) ||
      failed(pass(loop.getYieldOp(), loop.getYieldOp().getResults(), *before,
                  body)))
    return failure();
  step.operands.push_back(*isInside);
  steps.push_back(std::move(step));
  return success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Whether `op` is not a step: memory has its place, and dispatches that use a
/// view look at it.
static bool isPassive(Operation *op) {
  return isMemoryEffectFree(op) ||
         isa<ViewLikeOpInterface, memref::DeallocOp, func::ReturnOp,
             scf::YieldOp, scf::ConditionOp>(op);
}

LogicalResult GraphExtractor::addStep(Operation *op, Steps &steps) {
  if (auto run = dyn_cast<RunOp>(op))
    return addRun(run, steps);
  if (auto transfer = dyn_cast<TransferOp>(op))
    return addTransfer(transfer, steps);
  if (auto wait = dyn_cast<WaitOp>(op))
    return addWait(wait, steps);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return addCopy(copy, steps);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return addLoad(load, steps);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return addStore(store, steps);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return addBranch(branch, steps);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop, steps);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return addLoop(loop, steps);
  FailureOr<bool> isComputed =
      isOpTriviallyDead(op) ? true : numbers.compute(op, steps);
  if (failed(isComputed))
    return failure();
  if (*isComputed || isPassive(op))
    return success();
  return op->emitOpError(
      "is not a dispatch; the steps of a host side do not have others");
}

LogicalResult GraphExtractor::addSteps(Block &block, Steps &steps) {
  for (Operation &op : block)
    if (failed(addStep(&op, steps)))
      return failure();
  return success();
}

LogicalResult GraphExtractor::extract() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has branches without structure, which the steps of a host side do not "
        "have");
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (function.getArgAttr(unsigned(number), kWorkspace) ||
        function.getArgAttr(unsigned(number), kState))
      continue;
    std::optional<uint64_t> bytes = places.getBytes(type);
    if (!bytes)
      return function.emitOpError("has an argument of unknown size");
    auto &sizes = number < arguments ? graph.argumentBytes : graph.resultBytes;
    sizes.push_back(*bytes);
  }
  // Numbers are passed in memory too.
  for (BlockArgument argument : function.getArguments()) {
    bool isRead = llvm::any_of(
        argument.getUsers(), [](Operation *user) { return !isa<RunOp>(user); });
    if (isRead && numbers.getBits(argument.getType()) != 0) {
      HostStep step;
      step.kind = HostStepKind::Load;
      step.bits = numbers.getBits(argument.getType());
      if (failed(places.addBinding(function, argument, false, step)))
        return failure();
      step.result = numbers.add(argument);
      graph.steps.push_back(std::move(step));
    }
  }
  return addSteps(function.getBody().front(), graph.steps);
}

void codegen::walkSteps(ArrayRef<HostStep> steps,
                        llvm::function_ref<void(const HostStep &)> visit) {
  for (const HostStep &step : steps) {
    visit(step);
    for (const std::vector<HostStep> &block : step.blocks)
      walkSteps(block, visit);
  }
}

FailureOr<HostGraph> codegen::extractHostGraph(func::FuncOp function,
                                               unsigned arguments,
                                               ConstantReader readConstant) {
  GraphExtractor extractor(function, arguments, readConstant);
  if (failed(extractor.extract()))
    return failure();
  return std::move(extractor.graph);
}
