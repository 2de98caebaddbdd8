//===- RepeatedCode.cpp - Compiling alike layers once ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatedCode.h"
#include "Expansion.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Fewer layers, or ops in layers to leave out, do not pay off.
static constexpr size_t kFewestLayers = kKeptCopies + 2;
static constexpr size_t kFewestRemoved = 64;

/// Whether one of the ops in `op` uses a value for which `isSuch` holds.
static bool uses(Operation *op, llvm::function_ref<bool(Value)> isSuch) {
  WalkResult result = op->walk([&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), isSuch) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether no op behind the layers uses values of any but the first and the
/// last.
static bool isClosed(const Sequence &sequence, const Run &run) {
  auto isInside = [&](Value value) {
    std::optional<size_t> place = sequence.find(value);
    return place && *place >= run.begin + run.length &&
           *place < run.getEnd() - run.length;
  };
  return !uses(sequence.getOps().front()->getBlock()->getTerminator(),
               isInside) &&
         llvm::none_of(sequence.getOps().drop_front(run.getEnd()),
                       [&](Operation *op) { return uses(op, isInside); });
}

namespace {
/// Makes the short function.
class Shortening {
public:
  Shortening(func::FuncOp whole, const Sequence &sequence, const Run &run)
      : whole(whole), sequence(sequence), run(run),
        made(cast<func::FuncOp>(whole->cloneWithoutRegions())) {}

  /// Null if the last layer needs values of layers that are not there.
  OwningOpRef<func::FuncOp> make();

private:
  size_t getRemovedBegin() const {
    return run.begin + (kKeptCopies - 1) * run.length;
  }
  size_t getRemovedEnd() const { return run.getEnd() - run.length; }
  DenseSet<Operation *> findUsedConstants();
  void connectLast();
  bool isWhole();

  func::FuncOp whole;
  const Sequence &sequence;
  const Run &run;
  OwningOpRef<func::FuncOp> made;
  IRMapping mapping;
};
} // namespace

/// The constants that the ops that stay use.
DenseSet<Operation *> Shortening::findUsedConstants() {
  DenseSet<Operation *> constants;
  auto add = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *definer = operand.getDefiningOp())
          constants.insert(definer);
    });
  };
  for (auto [place, op] : llvm::enumerate(sequence.getOps()))
    if (place < getRemovedBegin() || place >= getRemovedEnd())
      add(op);
  add(whole.front().getTerminator());
  return constants;
}

/// The last layer uses the values of the layers before it that stay.
void Shortening::connectLast() {
  for (size_t back = 1; back < kKeptCopies; ++back)
    for (size_t i = 0; i < run.length; ++i) {
      size_t from = run.begin + (kKeptCopies - 1 - back) * run.length + i;
      size_t to = run.begin + (run.count - 1 - back) * run.length + i;
      for (auto [value, stays] :
           llvm::zip_equal(sequence.getOps()[to]->getResults(),
                           sequence.getOps()[from]->getResults()))
        mapping.map(value, mapping.lookup(stays));
    }
}

bool Shortening::isWhole() {
  return !uses(*made, [&](Value value) {
    return value.getParentBlock() == &whole.front();
  });
}

OwningOpRef<func::FuncOp> Shortening::make() {
  Block *block = new Block();
  made->getBody().push_back(block);
  for (BlockArgument argument : whole.getArguments())
    mapping.map(argument,
                block->addArgument(argument.getType(), argument.getLoc()));
  DenseSet<Operation *> constants = findUsedConstants();
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  size_t place = 0;
  for (Operation &op : whole.front()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      if (constants.contains(&op))
        builder.clone(op, mapping);
      continue;
    }
    if (place == getRemovedEnd())
      connectLast();
    if (place < getRemovedBegin() || place >= getRemovedEnd())
      builder.clone(op, mapping);
    ++place;
  }
  return isWhole() ? std::move(made) : OwningOpRef<func::FuncOp>();
}

RepeatedCode::RepeatedCode(ModuleOp module, func::FuncOp whole, Copies copies)
    : module(module), name(whole.getSymName().str()), whole(whole),
      copies(std::move(copies)) {}

std::unique_ptr<RepeatedCode> RepeatedCode::shorten(ModuleOp module,
                                                    StringRef name) {
  PROF_SCOPE("find repeats");
  auto whole = module.lookupSymbol<func::FuncOp>(name);
  if (!whole || !whole.getBody().hasOneBlock())
    return nullptr;
  Sequence sequence(whole.front());
  std::optional<Run> run =
      findRun(sequence, kFewestLayers, [](Attribute a, Attribute b) {
        return isa<DenseResourceElementsAttr>(a) &&
               isa<DenseResourceElementsAttr>(b);
      });
  if (!run || (run->count - kKeptCopies) * run->length < kFewestRemoved ||
      !isClosed(sequence, *run))
    return nullptr;
  std::optional<Copies> copies = Copies::read(sequence, *run);
  if (!copies)
    return nullptr;
  OwningOpRef<func::FuncOp> made = Shortening(whole, sequence, *run).make();
  if (!made)
    return nullptr;
  module.insert(whole, made.release());
  whole->remove();
  return std::unique_ptr<RepeatedCode>(
      new RepeatedCode(module, whole, std::move(*copies)));
}

LogicalResult RepeatedCode::expand(codegen::ConstantScope &constants) {
  PROF_SCOPE("expand repeats");
  auto made = module.lookupSymbol<func::FuncOp>(name);
  return made && made.getBody().hasOneBlock()
             ? expandCopies(made.front(), copies, constants)
             : failure();
}

void RepeatedCode::restore() {
  auto made = module.lookupSymbol<func::FuncOp>(name);
  module.insert(made, whole.release());
  made.erase();
}
