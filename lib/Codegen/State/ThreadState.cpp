//===- ThreadState.cpp - Variables as values ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of variables become uses and definitions of tensors, which
// every pass and the analysis of bufferization understand.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_THREADSTATEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using ml_program::GlobalOp;

namespace {
class StateThreading {
public:
  explicit StateThreading(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult run();

private:
  LogicalResult check(GlobalOp variable);
  LogicalResult gatherUses();
  void addUsesOfCallees();
  llvm::DenseMap<StringAttr, SmallVector<Operation *>> findLoads();
  LogicalResult replaceConstants();
  void separateRoots();
  void place(GlobalOp variable);

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, VariableUses> uses;
};
} // namespace

RankedTensorType codegen::getTensorType(GlobalOp variable) {
  if (auto type = dyn_cast<RankedTensorType>(variable.getType()))
    return type;
  return RankedTensorType::get({}, variable.getType());
}

/// The value with which `variable` begins, as that of a tensor; null if it does
/// not have one.
static ElementsAttr getInitialValue(GlobalOp variable) {
  Attribute value = variable.getValueAttr();
  if (!value || isa<ElementsAttr>(value))
    return cast_or_null<ElementsAttr>(value);
  return DenseElementsAttr::get(getTensorType(variable), value);
}

LogicalResult StateThreading::check(GlobalOp variable) {
  Type type = variable.getType();
  auto fail = [&](const Twine &problem) {
    return variable.emitError("variable '" + variable.getSymName() + "' " +
                              problem);
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (isa<TensorType>(type) && (!tensor || !tensor.hasStaticShape()))
    return fail("has a size that is not known: the memory for what a model "
                "keeps between its calls must be");
  Type element = tensor ? tensor.getElementType() : type;
  if (!element.isIntOrIndexOrFloat() && !isa<ComplexType>(element))
    return fail("has a type that cannot be kept between calls");
  Attribute value = variable.getValueAttr();
  if (isa_and_nonnull<ml_program::ExternAttr>(value))
    return fail("has its value in another file, which is not supported");
  auto typed = dyn_cast_or_null<TypedAttr>(value);
  bool fits = typed && typed.getType() == type &&
              (isa<ElementsAttr>(value) == bool(tensor));
  if (value && !fits)
    return fail("begins with a value of another type");
  if (!value && !variable.getIsMutable())
    return fail("does not have a value");
  return success();
}

/// Which variables each function uses, its callees included.
LogicalResult StateThreading::gatherUses() {
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(addOwnUses(function, symbols, uses[function])))
      return failure();
  addUsesOfCallees();
  return success();
}

void StateThreading::addUsesOfCallees() {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      VariableUses own = uses[function];
      size_t before = own.used.size() + own.written.size();
      function.walk([&](func::CallOp call) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        if (!callee)
          return;
        const VariableUses &other = uses[callee];
        own.used.insert_range(other.used);
        own.written.insert_range(other.written);
      });
      hasChanged |= own.used.size() + own.written.size() != before;
      uses[function] = std::move(own);
    }
  }
}

/// The loads of each variable, by its name.
llvm::DenseMap<StringAttr, SmallVector<Operation *>>
StateThreading::findLoads() {
  llvm::DenseMap<StringAttr, SmallVector<Operation *>> loads;
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
      loads[load.getGlobal().getLeafReference()].push_back(op);
    else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      loads[load.getGlobal().getLeafReference()].push_back(op);
  });
  return loads;
}

/// A variable that nothing writes is a constant.
LogicalResult StateThreading::replaceConstants() {
  llvm::SmallSetVector<GlobalOp, 4> written;
  for (auto &[function, own] : uses)
    written.insert_range(own.written);
  for (auto &[function, own] : uses)
    own.used.remove_if(
        [&](GlobalOp variable) { return !written.contains(variable); });
  llvm::DenseMap<StringAttr, SmallVector<Operation *>> loadsOf = findLoads();
  for (auto variable : llvm::make_early_inc_range(module.getOps<GlobalOp>())) {
    if (written.contains(variable))
      continue;
    SmallVector<Operation *> loads = loadsOf.lookup(variable.getSymNameAttr());
    Attribute value = variable.getValueAttr();
    if (!loads.empty() && !value)
      return variable.emitError(
          "variable '" + variable.getSymName() +
          "' is read, but it does not have a value and nothing writes it");
    for (Operation *load : loads) {
      OpBuilder builder(load);
      load->replaceAllUsesWith(arith::ConstantOp::create(
          builder, load->getLoc(), cast<TypedAttr>(value)));
      load->erase();
    }
    symbols.erase(variable);
  }
  return success();
}

/// Functions from outside are called without the values of variables, so calls
/// within the model go to copies of them.
void StateThreading::separateRoots() {
  SmallVector<func::FuncOp> roots;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !uses[function].used.empty())
      roots.push_back(function);
  for (func::FuncOp root : roots) {
    auto calls = SymbolTable::getSymbolUses(root, module);
    if (!calls || calls->empty())
      continue;
    func::FuncOp copy = root.clone();
    copy.setPrivate();
    symbols.insert(copy, std::next(root->getIterator()));
    // By value: the insertion may move the map's entries.
    uses[copy] = uses.lookup(root);
    (void)SymbolTable::replaceAllSymbolUses(root, copy.getSymNameAttr(),
                                            module);
  }
}

/// Memory for `variable`, before all variables become one buffer.
void StateThreading::place(GlobalOp variable) {
  OpBuilder builder(variable);
  RankedTensorType type = getTensorType(variable);
  Attribute value = getInitialValue(variable);
  auto global = memref::GlobalOp::create(
      builder, variable.getLoc(), variable.getSymName(),
      builder.getStringAttr("private"),
      MemRefType::get(type.getShape(), type.getElementType()),
      value ? value : builder.getUnitAttr(), /*constant=*/false,
      /*alignment=*/IntegerAttr());
  symbols.erase(variable);
  symbols.insert(global);
}

LogicalResult StateThreading::run() {
  SmallVector<GlobalOp> variables(module.getOps<GlobalOp>());
  for (GlobalOp variable : variables)
    if (failed(check(variable)))
      return failure();
  if (failed(gatherUses()) || failed(replaceConstants()))
    return failure();
  separateRoots();
  for (auto function : module.getOps<func::FuncOp>())
    if (!uses[function].used.empty() &&
        failed(threadVariables(function, symbols, uses)))
      return failure();
  for (GlobalOp variable : llvm::to_vector(module.getOps<GlobalOp>()))
    place(variable);
  return success();
}

namespace {
struct ThreadStatePass
    : mlirprof::codegen::impl::ThreadStatePassBase<ThreadStatePass> {
  using ThreadStatePassBase::ThreadStatePassBase;

  void runOnOperation() override {
    if (getOperation().getOps<GlobalOp>().empty())
      return;
    if (failed(StateThreading(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
