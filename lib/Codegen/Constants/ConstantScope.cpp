//===- ConstantScope.cpp - Memory of constants that passes make -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Support/Pages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/ErrorHandling.h"

#include <utility>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A walk through the module is worth more bytes.
static constexpr uint64_t kFewBytes = uint64_t(16) << 20;
/// More users count as alive: what replaces a constant leaves a reshape or a
/// transpose of it behind.
static constexpr unsigned kMostDeadUsers = 8;

static thread_local ConstantScope *innermost = nullptr;

ConstantScope::ConstantScope(MLIRContext *context, BackgroundThread *background)
    : context(context), background(background),
      outer(std::exchange(innermost, this)) {}

ConstantScope::~ConstantScope() {
  awaitValues();
  innermost = outer;
}

ConstantScope *ConstantScope::find(MLIRContext *context) {
  return innermost && innermost->context == context ? innermost : nullptr;
}

void ConstantScope::add(DenseResourceElementsAttr constant) {
  Entry *entry = constant.getRawHandle().getResource();
  uint64_t size = entry->getBlob() ? entry->getBlob()->getData().size() : 0;
  if (!constants.insert({entry, size}).second)
    return;
  bytes += size;
  newBytes += size;
  made.insert(entry);
  peakBytes = std::max(peakBytes, bytes);
}

void ConstantScope::addRecipe(DenseResourceElementsAttr constant,
                              std::shared_ptr<const ConstantRecipe> recipe) {
  recipes[constant.getRawHandle().getResource()] = std::move(recipe);
}

const ConstantRecipe *ConstantScope::findRecipe(Entry *entry) const {
  auto found = recipes.find(entry);
  return found == recipes.end() ? nullptr : found->second.get();
}

void ConstantScope::fillLater(std::function<void()> fill) {
  if (background)
    lastFill = background->add(std::move(fill));
  else
    fill();
}

void ConstantScope::awaitValues() {
  if (lastFill)
    background->wait(*lastFill);
  lastFill.reset();
}

/// Whether `op` does nothing but make values that only such ops use; at most
/// `left` ops are looked at.
static bool isDead(Operation *op, unsigned &left) {
  return left != 0 && left-- != 0 && wouldOpBeTriviallyDead(op) &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return isDead(user, left); });
}

/// Attributes of different types may have the same memory.
static DialectResourceBlobManager::BlobEntry *getEntry(Attribute value) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  return resource ? resource.getRawHandle().getResource() : nullptr;
}

/// Adds the constants that `op` has, unless it is dead. Passes put what they
/// make into constants; bufferization makes these symbols.
void ConstantScope::addUsed(Operation *op, DenseSet<Entry *> &used) const {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Entry *entry = getEntry(constant.getValue());
    unsigned left = kMostDeadUsers;
    // Whether an op is dead takes longer to find out.
    if (entry && constants.count(entry) && !used.contains(entry) &&
        !isDead(op, left))
      used.insert(entry);
  } else if (isa<SymbolOpInterface>(op)) {
    for (NamedAttribute attribute : op->getAttrs())
      if (Entry *entry = getEntry(attribute.getValue()))
        used.insert(entry);
  }
}

void ConstantScope::freeUnused(Operation *root, uint64_t fewBytes) {
  if (newBytes <= fewBytes)
    return;
  newBytes = 0;
  DenseSet<Entry *> used;
  root->walk([&](Operation *op) { addUsed(op, used); });
  bool isAwaited = false;
  constants.remove_if([&](auto &constant) {
    auto [entry, size] = constant;
    if (used.contains(entry))
      return false;
    // The background thread may read it, for copies of it and for levels.
    if (background && !std::exchange(isAwaited, true))
      background->wait();
    entry->setBlob(AsmResourceBlob());
    bytes -= size;
    return true;
  });
}

void ConstantScope::freeAll() {
  if (background)
    background->wait();
  for (auto [entry, size] : constants)
    entry->setBlob(AsmResourceBlob());
  constants.clear();
  bytes = 0;
}

std::optional<AsmResourceBlob>
ConstantScope::take(DenseResourceElementsAttr constant) {
  auto found = constants.find(constant.getRawHandle().getResource());
  if (found == constants.end())
    return std::nullopt;
  if (background)
    background->wait();
  auto [entry, size] = *found;
  AsmResourceBlob blob = std::move(*entry->getBlob());
  // Whoever still has the attribute reads what the caller owns.
  entry->setBlob(AsmResourceBlob(blob.getData(), blob.getDataAlignment(),
                                 /*deleter=*/{}, /*dataIsMutable=*/true));
  constants.erase(found);
  bytes -= size;
  return std::optional(std::move(blob));
}

/// Blocks that are not small are the system's again when they are freed:
/// constants are large, and most of them live for a pass or two.
AsmResourceBlob codegen::allocateConstant(size_t bytes) {
  constexpr size_t kSmall = size_t(64) << 10;
  if (bytes < kSmall) {
    AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
        bytes, /*align=*/64, /*dataIsMutable=*/true);
    std::memset(blob.getMutableData().data(), 0, bytes);
    return blob;
  }
  auto *begin = static_cast<char *>(mapPages(bytes));
  if (!begin)
    llvm::report_bad_alloc_error("no memory for constants");
  return AsmResourceBlob(
      ArrayRef<char>(begin, bytes), /*dataAlignment=*/64,
      [](void *data, size_t size, size_t) { unmapPages(data, size); },
      /*dataIsMutable=*/true);
}

AsmResourceBlob codegen::copyConstant(ArrayRef<char> bytes) {
  AsmResourceBlob blob = allocateConstant(bytes.size());
  llvm::copy(bytes, blob.getMutableData().data());
  return blob;
}

static Operation *getRoot(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

void codegen::freeUnusedConstants(Operation *op) {
  if (ConstantScope *scope = ConstantScope::find(op->getContext()))
    scope->freeUnused(getRoot(op), kFewBytes);
}

namespace {
/// Frees constants after each pass that makes some.
class ConstantSweeper : public PassInstrumentation {
  void runAfterPass(Pass *, Operation *op) override {
    if (ConstantScope *scope = ConstantScope::find(op->getContext()))
      scope->freeUnused(getRoot(op));
  }
};
} // namespace

std::unique_ptr<PassInstrumentation> codegen::createConstantSweeper() {
  return std::make_unique<ConstantSweeper>();
}
