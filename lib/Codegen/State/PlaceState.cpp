//===- PlaceState.cpp - Variables as parts of one buffer ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows where a model keeps its variables: getState. Their
// first values are constants, from which a function of the model resets them.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_INSERTSTORESPASS
#define GEN_PASS_DEF_PLACESTATEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The alignment of each variable in the state: a cache line, so that no two
/// share one.
static constexpr uint64_t kVariableAlignment = 64;

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// As an insertion of the whole value. Bufferization computes that value in the
/// buffer of the variable, or copies it there; unlike the original op, it may
/// take another buffer if the old value is still needed.
static void insertStore(bufferization::MaterializeInDestinationOp op) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getDest().getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
  Value inserted =
      tensor::InsertSliceOp::create(builder, op.getLoc(), op.getSource(),
                                    op.getDest(), offsets, sizes, strides);
  op.getResult().replaceAllUsesWith(inserted);
  op.erase();
}

namespace {
struct InsertStoresPass
    : mlirprof::codegen::impl::InsertStoresPassBase<InsertStoresPass> {
  using InsertStoresPassBase::InsertStoresPassBase;

  void runOnOperation() override {
    getOperation().walk([](bufferization::MaterializeInDestinationOp op) {
      if (op->hasAttr(kStoresVariable) && op->getNumResults() == 1)
        insertStore(op);
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

namespace {
/// Places the variables of a module.
class StatePlacement {
public:
  StatePlacement(ModuleOp module, MutableArrayRef<memref::GlobalOp> variables)
      : module(module), variables(variables), symbols(module),
        builder(module.getContext()) {}

  void run();

private:
  void assignOffsets();
  Value getState(OpBuilder &builder, Location location);
  Value getVariable(OpBuilder &builder, memref::GlobalOp variable,
                    Location location);
  void placeArguments(func::FuncOp function);
  void storeResults(func::ReturnOp op, ArrayRef<unsigned> results);
  void addReset();
  void reset(OpBuilder &builder, memref::GlobalOp variable);

  ModuleOp module;
  MutableArrayRef<memref::GlobalOp> variables;
  SymbolTable symbols;
  OpBuilder builder;
  llvm::DenseMap<Operation *, uint64_t> offsets;
  memref::GlobalOp state;
};
} // namespace

void StatePlacement::assignOffsets() {
  DataLayout layout(module);
  uint64_t bytes = 0;
  for (memref::GlobalOp variable : variables) {
    offsets[variable] = bytes;
    MemRefType type = variable.getType();
    uint64_t size = layout.getTypeSize(type.getElementType());
    bytes += llvm::alignTo(size * uint64_t(type.getNumElements()),
                           kVariableAlignment);
  }
  builder.setInsertionPointToStart(module.getBody());
  auto type = MemRefType::get({int64_t(bytes)}, builder.getI8Type());
  auto zeros = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(bytes)}, builder.getI8Type()),
      builder.getI8IntegerAttr(0));
  state = memref::GlobalOp::create(
      builder, variables.front().getLoc(), kStateSymbol,
      builder.getStringAttr("public"), type, zeros, /*constant=*/false,
      builder.getI64IntegerAttr(kVariableAlignment));
}

/// The buffer of all variables.
Value StatePlacement::getState(OpBuilder &builder, Location location) {
  return memref::GetGlobalOp::create(builder, location, state.getType(),
                                     state.getSymName());
}

Value StatePlacement::getVariable(OpBuilder &builder, memref::GlobalOp variable,
                                  Location location) {
  Value offset = arith::ConstantIndexOp::create(
      builder, location, int64_t(offsets.lookup(variable)));
  return memref::ViewOp::create(builder, location, variable.getType(),
                                getState(builder, location), offset,
                                ValueRange());
}

static bool isCast(Operation *op) {
  return isa_and_nonnull<memref::CastOp>(op);
}

static Value skipCasts(Value value) {
  while (isCast(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Copies to their variables the values that were computed elsewhere. Before, a
/// returned value in the buffer of such a variable, its old one, is saved.
void StatePlacement::storeResults(func::ReturnOp op,
                                  ArrayRef<unsigned> results) {
  auto function = op->getParentOfType<func::FuncOp>();
  BufferViewFlowAnalysis views(function);
  llvm::SmallDenseMap<unsigned, Value> moved;
  for (unsigned result : results) {
    auto name =
        function.getResultAttrOfType<FlatSymbolRefAttr>(result, kVariable);
    for (BlockArgument argument : function.getArguments())
      if (function.getArgAttr(argument.getArgNumber(), kVariable) == name &&
          skipCasts(op.getOperand(result)) != argument)
        moved[result] = argument;
  }
  OpBuilder builder(op);
  for (auto [result, argument] : moved) {
    auto aliases = views.resolve(argument);
    for (OpOperand &operand : op->getOpOperands())
      if (operand.getOperandNumber() != result &&
          aliases.contains(operand.get()))
        operand.set(bufferization::CloneOp::create(builder, op.getLoc(),
                                                   operand.get()));
  }
  for (unsigned result : results)
    if (Value argument = moved.lookup(result))
      memref::CopyOp::create(builder, op.getLoc(), op.getOperand(result),
                             argument);
  llvm::BitVector all(op.getNumOperands());
  for (unsigned result : results)
    all.set(result);
  op->eraseOperands(all);
}

/// Lets a function that is called from outside find its variables itself.
void StatePlacement::placeArguments(func::FuncOp function) {
  llvm::BitVector arguments(function.getNumArguments()),
      results(function.getNumResults());
  SmallVector<unsigned> resultList;
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, kVariable)) {
      results.set(i);
      resultList.push_back(i);
    }
  function.walk([&](func::ReturnOp op) {
    if (!resultList.empty())
      storeResults(op, resultList);
  });
  OpBuilder builder(&function.getBody().front(),
                    function.getBody().front().begin());
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<FlatSymbolRefAttr>(
        argument.getArgNumber(), kVariable);
    if (!name)
      continue;
    arguments.set(argument.getArgNumber());
    auto variable = symbols.lookup<memref::GlobalOp>(name.getValue());
    Value place = getVariable(builder, variable, function.getLoc());
    if (place.getType() != argument.getType())
      place = memref::CastOp::create(builder, function.getLoc(),
                                     argument.getType(), place);
    argument.replaceAllUsesWith(place);
  }
  (void)function.eraseArguments(arguments);
  (void)function.eraseResults(results);
}

/// Zero, in an array for the parts of a complex number.
static Attribute getZero(Type type) {
  Builder builder(type.getContext());
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return builder.getZeroAttr(type);
  Attribute part = builder.getZeroAttr(complex.getElementType());
  return builder.getArrayAttr({part, part});
}

/// Gives `variable` its first value.
void StatePlacement::reset(OpBuilder &builder, memref::GlobalOp variable) {
  Location location = variable.getLoc();
  Value place = getVariable(builder, variable, location);
  Type element = variable.getType().getElementType();
  auto value = dyn_cast<ElementsAttr>(*variable.getInitialValue());
  if (!value || (value.isSplat() && !isa<ComplexType>(element))) {
    Attribute number =
        value ? value.getSplatValue<Attribute>() : getZero(element);
    Value first = isa<ComplexType>(element)
                      ? complex::ConstantOp::create(builder, location, element,
                                                    cast<ArrayAttr>(number))
                            .getResult()
                      : arith::ConstantOp::create(builder, location,
                                                  cast<TypedAttr>(number))
                            .getResult();
    linalg::FillOp::create(builder, location, first, place);
    return;
  }
  OpBuilder outer(variable);
  auto first = memref::GlobalOp::create(
      outer, location, (variable.getSymName() + ".first").str(),
      outer.getStringAttr("private"), variable.getType(), value,
      /*constant=*/true, outer.getI64IntegerAttr(kVariableAlignment));
  symbols.insert(first);
  Value source = memref::GetGlobalOp::create(builder, location, first.getType(),
                                             first.getSymName());
  memref::CopyOp::create(builder, location, source, place);
}

void StatePlacement::addReset() {
  Location location = variables.front().getLoc();
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, location, kResetSymbol,
                                       builder.getFunctionType({}, {}));
  OpBuilder inner = OpBuilder::atBlockBegin(function.addEntryBlock());
  for (memref::GlobalOp variable : variables)
    reset(inner, variable);
  func::ReturnOp::create(inner, location);
}

void StatePlacement::run() {
  assignOffsets();
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPublic() && !function.isExternal())
      placeArguments(function);
  // Models on buffers.
  SmallVector<memref::GetGlobalOp> accesses;
  module.walk([&](memref::GetGlobalOp op) { accesses.push_back(op); });
  for (memref::GetGlobalOp op : accesses) {
    auto variable = symbols.lookup<memref::GlobalOp>(op.getName());
    if (!offsets.contains(variable))
      continue;
    OpBuilder inner(op);
    op.replaceAllUsesWith(getVariable(inner, variable, op.getLoc()));
    op.erase();
  }
  addReset();
  for (memref::GlobalOp variable : variables)
    symbols.erase(variable);
}

namespace {
struct PlaceStatePass
    : mlirprof::codegen::impl::PlaceStatePassBase<PlaceStatePass> {
  using PlaceStatePassBase::PlaceStatePassBase;

  void runOnOperation() override {
    SmallVector<memref::GlobalOp> variables;
    for (auto global : getOperation().getOps<memref::GlobalOp>())
      if (!global.getConstant() && !global.isExternal() &&
          global.getType().getLayout().isIdentity() &&
          global.getSymName() != kStateSymbol)
        variables.push_back(global);
    if (variables.empty())
      return;
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(bufferization::createDropEquivalentBufferResultsPass());
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    StatePlacement(getOperation(), variables).run();
  }
};
} // namespace
