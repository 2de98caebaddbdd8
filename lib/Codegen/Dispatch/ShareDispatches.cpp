//===- ShareDispatches.cpp - One kernel for alike dispatches --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that differ only in locations and names become the first of them. An
// op of the shared kernel stands for one op of each dispatch: its location is
// the fusion of theirs, and each run keeps which identities its own had.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SHAREDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::dispatch;

using Flags = OperationEquivalence::Flags;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// The attributes of a kernel without its name, in the order of their names.
static SmallVector<NamedAttribute>
getStructuralAttributes(func::FuncOp kernel) {
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : kernel->getAttrDictionary())
    if (attribute.getName() != SymbolTable::getSymbolAttrName())
      attributes.push_back(attribute);
  return attributes;
}

/// Equal for kernels of equal structure. Values count by the order of their
/// definitions.
static llvm::hash_code hashKernel(func::FuncOp kernel) {
  DenseMap<Value, unsigned> numbers;
  auto number = [&](Value value) {
    return llvm::hash_code(
        numbers.try_emplace(value, numbers.size()).first->second);
  };
  llvm::hash_code hash = 0;
  for (NamedAttribute attribute : getStructuralAttributes(kernel))
    hash = llvm::hash_combine(hash, attribute.getName(), attribute.getValue());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          hash = llvm::hash_combine(hash, argument.getType());
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(op, number, number,
                                                Flags::IgnoreLocations));
  });
  return hash;
}

static bool areAlike(func::FuncOp a, func::FuncOp b) {
  return getStructuralAttributes(a) == getStructuralAttributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    Flags::IgnoreLocations);
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// The identities of the ops in the body of a kernel; null if they do not have
/// any.
static ArrayAttr getOrigins(func::FuncOp kernel, prof::IdentityTable &table) {
  SmallVector<Attribute> origins;
  bool isEmpty = true;
  prof::IdentityNeed needsIdentity;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!needsIdentity(op))
      return;
    prof::Identities identities = table.get(op->getLoc());
    isEmpty &= identities.owners.empty();
    SmallVector<int32_t> numbers(identities.owners.begin(),
                                 identities.owners.end());
    origins.push_back(DenseI32ArrayAttr::get(op->getContext(), numbers));
  });
  return isEmpty ? ArrayAttr() : ArrayAttr::get(kernel.getContext(), origins);
}

/// Gives the ops of the first kernel of `alike` the locations of all.
static void fuseLocations(ArrayRef<func::FuncOp> alike) {
  SmallVector<SmallVector<Operation *>> ops(alike.size());
  for (auto [kernel, list] : llvm::zip_equal(alike, ops))
    kernel->walk<WalkOrder::PreOrder>(
        [&, &list = list](Operation *op) { list.push_back(op); });
  for (size_t i = 0; i < ops.front().size(); ++i) {
    llvm::SmallSetVector<Location, 4> locations;
    for (ArrayRef<Operation *> list : ops)
      locations.insert(list[i]->getLoc());
    Operation *op = ops.front()[i];
    op->setLoc(FusedLoc::get(op->getContext(), locations.getArrayRef()));
  }
}

namespace {

struct ShareDispatchesPass
    : mlirprof::codegen::impl::ShareDispatchesPassBase<ShareDispatchesPass> {
  using ShareDispatchesPassBase::ShareDispatchesPassBase;

  void runOnOperation() override {
    findAlike();
    redirectRuns();
    for (ArrayRef<func::FuncOp> alike : classes) {
      if (alike.size() == 1)
        continue;
      fuseLocations(alike);
      for (func::FuncOp other : alike.drop_front())
        other.erase();
    }
    classes.clear();
  }

private:
  void findAlike();
  void redirectRuns();

  /// Kernels of equal structure; the first of each stays.
  std::vector<SmallVector<func::FuncOp, 1>> classes;
};

} // namespace

void ShareDispatchesPass::findAlike() {
  // Positions in `classes` by hash.
  DenseMap<size_t, SmallVector<size_t, 1>> byHash;
  for (auto kernel : getOperation().getOps<func::FuncOp>()) {
    if (!isKernel(kernel) || kernel.isDeclaration())
      continue;
    SmallVector<size_t, 1> &candidates = byHash[hashKernel(kernel)];
    auto *found = llvm::find_if(candidates, [&](size_t candidate) {
      return areAlike(classes[candidate].front(), kernel);
    });
    if (found != candidates.end()) {
      classes[*found].push_back(kernel);
      continue;
    }
    candidates.push_back(classes.size());
    classes.push_back({kernel});
  }
}

/// Numbers all runs, and lets them run the first kernel of their class.
void ShareDispatchesPass::redirectRuns() {
  struct Target {
    FlatSymbolRefAttr kernel;
    ArrayAttr origins;
  };
  DenseMap<StringAttr, Target> targets;
  prof::IdentityTable table;
  for (ArrayRef<func::FuncOp> alike : classes) {
    func::FuncOp first = alike.front();
    auto name = FlatSymbolRefAttr::get(first.getSymNameAttr());
    for (func::FuncOp kernel : alike)
      targets[kernel.getSymNameAttr()] = {name, getOrigins(kernel, table)};
  }
  Builder builder(&getContext());
  int32_t instance = 0;
  getOperation().walk([&](RunOp run) {
    run.setInstanceAttr(builder.getI32IntegerAttr(instance++));
    auto found = targets.find(run.getKernelAttr().getAttr());
    if (found == targets.end())
      return;
    run.setKernelAttr(found->second.kernel);
    // A kernel that was shared before stands for several ops.
    if (!run.getOriginsAttr() && found->second.origins)
      run.setOriginsAttr(found->second.origins);
  });
}
