//===- Variables.cpp - The variables of a function as values --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using ml_program::GlobalOp;

namespace {

/// A variable at one point of a function.
struct Current {
  /// The value that a load returns.
  Value value;
  /// The same in the variable's buffer: what the function returns.
  Value inPlace;
};

using State = llvm::MapVector<Operation *, Current>;
using Uses = llvm::DenseMap<Operation *, VariableUses>;

/// Goes through one function in the order of its execution.
class Threader {
public:
  Threader(func::FuncOp function, SymbolTable &symbols, const Uses &uses)
      : function(function), symbols(symbols), uses(uses),
        own(uses.find(function)->second), builder(function.getContext()) {}

  LogicalResult run();

private:
  State addArguments();
  void addBlockArguments();
  LogicalResult thread(Block &block, State &state);
  LogicalResult thread(Operation *op, State &state);
  void load(Operation *op, GlobalOp variable, State &state);
  void store(ml_program::GlobalStoreOp op, State &state);
  void call(func::CallOp op, const VariableUses &callee, State &state);
  LogicalResult threadRegions(Operation *op, State &state);
  LogicalResult threadLoop(Operation *op, ArrayRef<GlobalOp> written,
                           State &state);
  LogicalResult threadBranches(Operation *op, ArrayRef<GlobalOp> written,
                               State &state);
  SmallVector<GlobalOp> getWritten(Operation *op);

  func::FuncOp function;
  SymbolTable &symbols;
  const Uses &uses;
  const VariableUses &own;
  OpBuilder builder;
};

} // namespace

static GlobalOp lookUp(SymbolTable &symbols, SymbolRefAttr name) {
  return symbols.lookup<GlobalOp>(name.getLeafReference());
}

LogicalResult codegen::addOwnUses(func::FuncOp function, SymbolTable &symbols,
                                  VariableUses &uses) {
  WalkResult result = function.walk([&](Operation *op) {
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
      uses.used.insert(lookUp(symbols, load.getGlobal()));
    if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      uses.used.insert(lookUp(symbols, load.getGlobal()));
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) {
      uses.used.insert(lookUp(symbols, store.getGlobal()));
      uses.written.insert(lookUp(symbols, store.getGlobal()));
    }
    if (isa<ml_program::GlobalLoadGraphOp, ml_program::GlobalStoreGraphOp>(
            op)) {
      op->emitOpError("orders its accesses by tokens, which is not supported");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted() || uses.used.contains(GlobalOp()))
    return failure();
  return success();
}

/// `op` with more operands at the end, and more results.
static Operation *extend(Operation *op, ValueRange operands,
                         TypeRange results) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addTypes(results);
  state.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *extended = builder.create(state);
  op->replaceAllUsesWith(
      extended->getResults().take_front(op->getNumResults()));
  op->erase();
  return extended;
}

/// The variables in `values`, which are in the order of `written`, from now on.
static void assign(ArrayRef<GlobalOp> written, ValueRange values,
                   State &state) {
  for (auto [variable, value] : llvm::zip_equal(written, values))
    state[variable] = {value, value};
}

static SmallVector<Value> getInPlace(ArrayRef<GlobalOp> written,
                                     const State &state) {
  return llvm::map_to_vector(written, [&](GlobalOp variable) {
    return state.find(variable)->second.inPlace;
  });
}

static SmallVector<Type> getTypes(ArrayRef<GlobalOp> variables) {
  return llvm::map_to_vector(variables, [](GlobalOp variable) {
    return Type(getTensorType(variable));
  });
}

SmallVector<GlobalOp> Threader::getWritten(Operation *op) {
  llvm::SmallSetVector<GlobalOp, 4> found;
  op->walk([&](Operation *nested) {
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(nested))
      found.insert(lookUp(symbols, store.getGlobal()));
    if (auto call = dyn_cast<func::CallOp>(nested))
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        found.insert_range(uses.find(callee)->second.written);
  });
  return found.takeVector();
}

void Threader::load(Operation *op, GlobalOp variable, State &state) {
  builder.setInsertionPoint(op);
  Value value = state.find(variable)->second.value;
  if (!isa<TensorType>(variable.getType()))
    value = tensor::ExtractOp::create(builder, op->getLoc(), value);
  op->replaceAllUsesWith(ValueRange(value));
  op->erase();
}

void Threader::store(ml_program::GlobalStoreOp op, State &state) {
  builder.setInsertionPoint(op);
  Current &current = state[lookUp(symbols, op.getGlobal())];
  if (!isa<TensorType>(op.getValue().getType())) {
    current.inPlace = tensor::InsertOp::create(
        builder, op.getLoc(), op.getValue(), current.inPlace, ValueRange());
    current.value = current.inPlace;
  } else {
    auto stored = bufferization::MaterializeInDestinationOp::create(
        builder, op.getLoc(), op.getValue(), current.inPlace);
    stored->setAttr(kStoresVariable, builder.getUnitAttr());
    current = {op.getValue(), stored.getResult()};
  }
  op.erase();
}

void Threader::call(func::CallOp op, const VariableUses &callee, State &state) {
  if (callee.used.empty())
    return;
  SmallVector<Value> values = getInPlace(callee.used.getArrayRef(), state);
  ArrayRef<GlobalOp> written = callee.written.getArrayRef();
  Operation *extended = extend(op, values, getTypes(written));
  assign(written, extended->getResults().take_back(written.size()), state);
}

/// Loops whose regions pass the variables on to each other.
LogicalResult Threader::threadLoop(Operation *op, ArrayRef<GlobalOp> written,
                                   State &state) {
  Operation *loop = extend(op, getInPlace(written, state), getTypes(written));
  for (Region &region : loop->getRegions()) {
    Block &block = region.front();
    State inside = state;
    for (GlobalOp variable : written) {
      Value value = block.addArgument(getTensorType(variable), loop->getLoc());
      inside[variable] = {value, value};
    }
    if (failed(thread(block, inside)))
      return failure();
    Operation *end = block.getTerminator();
    end->insertOperands(end->getNumOperands(), getInPlace(written, inside));
  }
  assign(written, loop->getResults().take_back(written.size()), state);
  return success();
}

/// Ops of which one region runs, once.
LogicalResult Threader::threadBranches(Operation *op,
                                       ArrayRef<GlobalOp> written,
                                       State &state) {
  Operation *extended = extend(op, {}, getTypes(written));
  for (Region &region : extended->getRegions()) {
    if (region.empty()) {
      OpBuilder inner(extended->getContext());
      inner.createBlock(&region);
      scf::YieldOp::create(inner, extended->getLoc());
    }
    State inside = state;
    if (failed(thread(region.front(), inside)))
      return failure();
    Operation *yield = region.front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), getInPlace(written, inside));
  }
  assign(written, extended->getResults().take_back(written.size()), state);
  return success();
}

/// Threads the variables that regions of `op` write; others they only read.
LogicalResult Threader::threadRegions(Operation *op, State &state) {
  SmallVector<GlobalOp> written = getWritten(op);
  bool hasBlocks = llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() && !region.hasOneBlock();
  });
  if (written.empty()) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(thread(block, state)))
          return failure();
    return success();
  }
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return threadLoop(op, written, state);
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op) &&
      !hasBlocks)
    return threadBranches(op, written, state);
  return op->emitOpError("stores the variable '" +
                         written.front().getSymName() +
                         "' in a region that may not run in order");
}

LogicalResult Threader::thread(Operation *op, State &state) {
  if (auto constant = dyn_cast<ml_program::GlobalLoadConstOp>(op)) {
    load(op, lookUp(symbols, constant.getGlobal()), state);
    return success();
  }
  if (auto loaded = dyn_cast<ml_program::GlobalLoadOp>(op)) {
    load(op, lookUp(symbols, loaded.getGlobal()), state);
    return success();
  }
  if (auto stored = dyn_cast<ml_program::GlobalStoreOp>(op)) {
    store(stored, state);
    return success();
  }
  if (auto called = dyn_cast<func::CallOp>(op)) {
    if (auto callee = symbols.lookup<func::FuncOp>(called.getCallee()))
      call(called, uses.find(callee)->second, state);
    return success();
  }
  if (op->getNumRegions() != 0)
    return threadRegions(op, state);
  // A terminator hands the variables on, if it leaves to a block.
  for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i) {
    auto branch = dyn_cast<BranchOpInterface>(op);
    if (!branch)
      return op->emitOpError("is not supported in a function that stores "
                             "variables");
    branch.getSuccessorOperands(i).append(
        getInPlace(own.written.getArrayRef(), state));
  }
  if (isa<func::ReturnOp>(op))
    op->insertOperands(op->getNumOperands(),
                       getInPlace(own.written.getArrayRef(), state));
  return success();
}

LogicalResult Threader::thread(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(thread(&op, state)))
      return failure();
  return success();
}

/// Arguments and results of the function.
State Threader::addArguments() {
  State state;
  MLIRContext *context = function.getContext();
  for (GlobalOp variable : own.used) {
    unsigned index = function.getNumArguments();
    NamedAttrList attributes;
    attributes.set(kVariable, FlatSymbolRefAttr::get(variable));
    // Nothing else sees the buffer during a call.
    attributes.set(bufferization::BufferizationDialect::kWritableAttrName,
                   BoolAttr::get(context, true));
    (void)function.insertArgument(index, getTensorType(variable),
                                  attributes.getDictionary(context),
                                  variable.getLoc());
    Value value = function.getArgument(index);
    state[variable] = {value, value};
  }
  for (GlobalOp variable : own.written) {
    NamedAttrList attributes;
    attributes.set(kVariable, FlatSymbolRefAttr::get(variable));
    (void)function.insertResult(function.getNumResults(),
                                getTensorType(variable),
                                attributes.getDictionary(context));
  }
  return state;
}

/// Any block may be reached with any values.
void Threader::addBlockArguments() {
  for (Block &block : llvm::drop_begin(function.getBody()))
    for (GlobalOp variable : own.written)
      block.addArgument(getTensorType(variable), function.getLoc());
}

LogicalResult Threader::run() {
  State atEntry = addArguments();
  addBlockArguments();
  for (Block &block : function.getBody()) {
    State state = atEntry;
    if (!block.isEntryBlock())
      assign(own.written.getArrayRef(),
             block.getArguments().take_back(own.written.size()), state);
    if (failed(thread(block, state)))
      return failure();
  }
  return success();
}

LogicalResult codegen::threadVariables(func::FuncOp function,
                                       SymbolTable &symbols, const Uses &uses) {
  return Threader(function, symbols, uses).run();
}
