//===- Versions.cpp - Function versions for common calls ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with the choice
//
//   versions = {"1" = "arg0.dim0=8", "2" = "arg0.dim0=1 arg2=4"}
//
// becomes a dispatcher that calls the first version, in numeric order, that
// fits the call, or the original function if none does. The versions and the
// original are separate private functions that are not inlined: each is
// compiled as if it were the model, its results pass through the branches
// unchanged, and rules and register allocation see each one alone.
//
// Other choices for ops with dynamic sizes were made for the sizes of most
// calls. If versions are for sizes, these choices apply in the versions only,
// and the original function does not keep them, since it is called with other
// sizes.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"
#include "../SizeCasts.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_VERSIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::transforms;

namespace {

/// The branches of one function.
class Dispatch {
public:
  Dispatch(func::FuncOp function, ArrayRef<Version> versions,
           ArrayRef<func::FuncOp> callees, func::FuncOp generic)
      : function(function), versions(versions), callees(callees),
        generic(generic) {}

  /// Builds the dispatch as the body of the function, which must be empty.
  void build();

private:
  bool isOneValue() const;
  void buildSwitch(OpBuilder &builder);
  void buildChain(OpBuilder &builder);
  Value createCondition(OpBuilder &builder, const Version &version);
  Value getNumber(const EntryValue &value);
  SmallVector<Value> createCall(OpBuilder &builder, func::FuncOp callee);
  void yieldCall(OpBuilder &builder, func::FuncOp callee);

  func::FuncOp function;
  ArrayRef<Version> versions;
  ArrayRef<func::FuncOp> callees;
  func::FuncOp generic;
  /// The numbers that conditions test, each read once.
  SmallVector<std::pair<EntryValue, Value>> numbers;
};

} // namespace

Value Dispatch::getNumber(const EntryValue &value) {
  for (const auto &[known, number] : numbers)
    if (known == value)
      return number;
  // All of them are read before the branches.
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Value number = readEntryValue(builder, function, value);
  numbers.push_back({value, number});
  return number;
}

Value Dispatch::createCondition(OpBuilder &builder, const Version &version) {
  Location location = function.getLoc();
  Value all;
  for (const VersionCondition &condition : version) {
    Value number = getNumber(condition.value);
    Value wanted = arith::ConstantOp::create(
        builder, location,
        builder.getIntegerAttr(number.getType(), condition.number));
    Value holds = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::eq, number, wanted);
    all = all ? arith::AndIOp::create(builder, location, all, holds) : holds;
  }
  return all;
}

SmallVector<Value> Dispatch::createCall(OpBuilder &builder,
                                        func::FuncOp callee) {
  Location location = function.getLoc();
  SmallVector<Value> operands;
  for (auto [argument, type] :
       llvm::zip_equal(function.getArguments(), callee.getArgumentTypes()))
    operands.push_back(castSizes(builder, location, type, argument));
  return SmallVector<Value>(
      func::CallOp::create(builder, location, callee, operands).getResults());
}

void Dispatch::yieldCall(OpBuilder &builder, func::FuncOp callee) {
  SmallVector<Value> results = createCall(builder, callee);
  scf::YieldOp::create(builder, function.getLoc(), results);
}

/// Whether a single number decides.
bool Dispatch::isOneValue() const {
  return versions.size() > 1 &&
         llvm::all_of(versions, [&](const Version &version) {
           return version.size() == 1 &&
                  version.front().value == versions.front().front().value;
         });
}

void Dispatch::buildSwitch(OpBuilder &builder) {
  Location location = function.getLoc();
  Value number = getNumber(versions.front().front().value);
  if (number.getType().isInteger(1))
    number = arith::IndexCastUIOp::create(builder, location,
                                          builder.getIndexType(), number);
  else if (!number.getType().isIndex())
    number = arith::IndexCastOp::create(builder, location,
                                        builder.getIndexType(), number);
  SmallVector<int64_t> cases;
  for (const Version &version : versions)
    cases.push_back(version.front().number);
  auto choice =
      scf::IndexSwitchOp::create(builder, location, function.getResultTypes(),
                                 number, cases, cases.size());
  auto fill = [&](Region &region, func::FuncOp callee) {
    OpBuilder inner = OpBuilder::atBlockBegin(&region.emplaceBlock());
    yieldCall(inner, callee);
  };
  for (auto [region, callee] :
       llvm::zip_equal(choice.getCaseRegions(), callees))
    fill(region, callee);
  fill(choice.getDefaultRegion(), generic);
  func::ReturnOp::create(builder, location, choice.getResults());
}

void Dispatch::buildChain(OpBuilder &builder) {
  Location location = function.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Operation *outermost = nullptr;
  for (auto [version, callee] : llvm::zip_equal(versions, callees)) {
    Value condition = createCondition(builder, version);
    auto branch =
        scf::IfOp::create(builder, location, function.getResultTypes(),
                          condition, /*addThenBlock=*/true,
                          /*addElseBlock=*/true);
    OpBuilder inner = OpBuilder::atBlockBegin(branch.thenBlock());
    yieldCall(inner, callee);
    if (outermost)
      scf::YieldOp::create(builder, location, branch.getResults());
    else
      outermost = branch;
    builder.setInsertionPointToStart(branch.elseBlock());
  }
  yieldCall(builder, generic);
  builder.setInsertionPointAfter(outermost);
  func::ReturnOp::create(builder, location, outermost->getResults());
}

void Dispatch::build() {
  OpBuilder builder = OpBuilder::atBlockEnd(&function.front());
  // Read numbers first, including those that only a later version tests.
  for (const Version &version : versions)
    for (const VersionCondition &condition : version)
      getNumber(condition.value);
  if (isOneValue())
    buildSwitch(builder);
  else
    buildChain(builder);
}

/// The text of a version in a choice.
static std::string getText(const Version &version) {
  std::string text;
  for (const VersionCondition &condition : version)
    text += (text.empty() ? "" : " ") + condition.value.getText() + "=" +
            std::to_string(condition.number);
  return text;
}

/// Inlines `function` in the back end where it is called: passing results
/// through one more call takes longer than the dispatch.
static void inlineInBackend(func::FuncOp function) {
  constexpr StringLiteral kAttributes = "passthrough";
  Builder builder(function.getContext());
  SmallVector<Attribute> attributes;
  if (auto known = function->getAttrOfType<ArrayAttr>(kAttributes))
    llvm::append_range(attributes, known);
  attributes.push_back(builder.getStringAttr("alwaysinline"));
  function->setAttr(kAttributes, builder.getArrayAttr(attributes));
}

/// Empties `function` except for an entry block.
static void dropBody(func::FuncOp function) {
  SmallVector<Location> locations;
  for (BlockArgument argument : function.getArguments())
    locations.push_back(argument.getLoc());
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.getBody().emplaceBlock().addArguments(function.getArgumentTypes(),
                                                 locations);
}

namespace {

/// A function and its versions, during construction.
class VersionedFunction {
public:
  VersionedFunction(func::FuncOp function, std::vector<Version> versions,
                    SymbolTable &symbols);

  /// Propagates the facts of versions to all their ops; versions for which that
  /// fails are dropped.
  void refineVersions();
  /// Turns the function into a dispatcher.
  void addDispatch();

private:
  /// A copy, not called yet, at `place` or at the end of the module.
  func::FuncOp copy(const Twine &suffix, Block::iterator place = {});

  func::FuncOp function;
  SymbolTable &symbols;
  bool isInlined;
  std::vector<Version> versions;
  SmallVector<func::FuncOp> callees;
};

} // namespace

func::FuncOp VersionedFunction::copy(const Twine &suffix,
                                     Block::iterator place) {
  func::FuncOp inner = function.clone();
  inner.setSymName((function.getSymName() + suffix).str());
  inner->removeDiscardableAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  inner.setNoInline(true);
  symbols.insert(inner, place);
  return inner;
}

VersionedFunction::VersionedFunction(func::FuncOp function,
                                     std::vector<Version> versions,
                                     SymbolTable &symbols)
    : function(function), symbols(symbols), isInlined(!function.getNoInline()),
      versions(std::move(versions)) {
  for (auto [index, version] : llvm::enumerate(this->versions)) {
    callees.push_back(copy(".version" + Twine(index + 1)));
    // The inliner erases private functions that are not called.
    callees.back().setPublic();
    specialize(callees.back(), version);
  }
  // Recursive calls should use the versions too.
  function.setNoInline(true);
}

void VersionedFunction::refineVersions() {
  std::vector<Version> kept;
  SmallVector<func::FuncOp> keptCallees;
  for (auto [version, callee] : llvm::zip_equal(versions, callees)) {
    if (succeeded(refine(callee))) {
      kept.push_back(version);
      keptCallees.push_back(callee);
      continue;
    }
    emitWarning(function.getLoc())
        << "a version of '" << function.getSymName() << "' ("
        << getText(version)
        << ") is left out: a loop may change a size that it fixes";
    symbols.erase(callee);
  }
  versions = std::move(kept);
  callees = std::move(keptCallees);
}

/// Whether some version is for a size rather than for a number.
static bool areForSizes(ArrayRef<Version> versions) {
  return llvm::any_of(versions, [](const Version &version) {
    return llvm::any_of(version, [](const VersionCondition &condition) {
      return condition.value.dimension.has_value();
    });
  });
}

/// Whether `op` works on arrays, and all their sizes are static.
static bool isStatic(Operation *op) {
  bool hasArray = false;
  auto isKnown = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    hasArray |= bool(shaped);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown) && hasArray;
}

void VersionedFunction::addDispatch() {
  function.setNoInline(!isInlined);
  if (versions.empty())
    return;
  func::FuncOp generic =
      copy(".generic", std::next(callees.back()->getIterator()));
  generic.setPrivate();
  if (areForSizes(versions))
    generic.getBody().walk([](Operation *op) {
      if (!isStatic(op))
        op->removeAttr(kChoiceAttribute);
    });
  for (func::FuncOp callee : callees)
    callee.setPrivate();
  dropBody(function);
  if (isInlined)
    inlineInBackend(function);
  Dispatch(function, versions, callees, generic).build();
}

namespace {

struct VersionsPass : mlirprof::codegen::impl::VersionsPassBase<VersionsPass> {
  using VersionsPassBase::VersionsPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    SymbolTable symbols(getOperation());
    std::vector<VersionedFunction> versioned;
    for (func::FuncOp function : functions) {
      std::vector<Version> versions;
      if (!function.isExternal())
        versions = readVersions(function);
      setChoice(function, choice::kVersions, {});
      if (!versions.empty())
        versioned.emplace_back(function, std::move(versions), symbols);
    }
    if (versioned.empty())
      return;
    // Static sizes reach callees only by inlining. The inliner must not
    // canonicalize in between, which would fold casts: refine decides about
    // these.
    OpPassManager inliner(ModuleOp::getOperationName());
    inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    if (failed(runPipeline(inliner, getOperation())))
      return signalPassFailure();
    for (VersionedFunction &function : versioned)
      function.refineVersions();
    for (VersionedFunction &function : versioned)
      function.addDispatch();
  }
};

} // namespace
