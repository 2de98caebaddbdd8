//===- ConstantScope.h - Memory of constants that passes make ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_CONSTANTSCOPE_H
#define MLIR_PROF_CODEGEN_CONSTANTSCOPE_H

#include "mlir-prof/Support/BackgroundThread.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mlirprof::codegen {

/// How a pass made a constant from others.
struct ConstantRecipe {
  mlir::RankedTensorType type;
  /// The name in printed IR.
  std::string name;
  /// The constants whose values were read, without those that are part of an
  /// op's text.
  llvm::SmallVector<mlir::DenseResourceElementsAttr, 1> sources;
  /// Writes the elements to `target`, which is zeroed, given the elements of
  /// the sources. Constants with the same types as the sources may be in their
  /// place.
  std::function<void(llvm::ArrayRef<llvm::ArrayRef<char>> sources,
                     char *target)>
      store;
};

/// Owns the constants that passes of this thread make in one context during the
/// scope. Otherwise their memory would be that of the context: several copies
/// of all weights, one after each pass that changes them.
class ConstantScope {
public:
  /// Without a `background` thread, fillLater() does the work at once.
  explicit ConstantScope(mlir::MLIRContext *context,
                         BackgroundThread *background = nullptr);
  ConstantScope(const ConstantScope &) = delete;
  ConstantScope &operator=(const ConstantScope &) = delete;
  /// Leaves the constants to the context.
  ~ConstantScope();

  /// The innermost scope of this thread, if it is one of `context`, else null.
  static ConstantScope *find(mlir::MLIRContext *context);

  using Entry = mlir::DialectResourceBlobManager::BlobEntry;

  void add(mlir::DenseResourceElementsAttr constant);
  /// Remembers how `constant`, which was added, was made.
  void addRecipe(mlir::DenseResourceElementsAttr constant,
                 std::shared_ptr<const ConstantRecipe> recipe);
  /// The recipe of the constant with this memory, which may be freed; null if
  /// there is none.
  const ConstantRecipe *findRecipe(Entry *entry) const;
  /// Whether a pass of the scope made the constant with this memory, which may
  /// be freed.
  bool hasMade(Entry *entry) const { return made.contains(entry); }
  /// Remembers that a pass decided something by the values of the constant with
  /// this memory.
  void noteRead(Entry *entry) { read.insert(entry); }
  /// The constants whose values passes decided by.
  const llvm::DenseSet<Entry *> &getRead() const { return read; }
  /// Lets the background thread store the values of constants that were added.
  /// `fill` may read constants of the scope, which are not freed before.
  void fillLater(std::function<void()> fill);
  /// Returns when the values of all constants are there.
  void awaitValues();
  /// Frees constants that no op in `root`, the outermost op, uses, other than
  /// ops that are dead. Does nothing if at most `fewBytes` were made since the
  /// last time.
  void freeUnused(mlir::Operation *root, uint64_t fewBytes = 0);
  /// Frees all constants. Nothing may read them any more.
  void freeAll();
  /// Moves the memory of `constant`, which keeps its address, to the caller;
  /// none if it does not belong to the scope.
  std::optional<mlir::AsmResourceBlob>
  take(mlir::DenseResourceElementsAttr constant);

  /// Bytes of the constants that are neither freed nor taken, and the most so
  /// far.
  uint64_t getBytes() const { return bytes; }
  uint64_t getPeakBytes() const { return peakBytes; }

private:
  void addUsed(mlir::Operation *op, llvm::DenseSet<Entry *> &used) const;

  mlir::MLIRContext *context;
  BackgroundThread *background;
  /// The last values that the background thread stores.
  std::optional<BackgroundThread::Ticket> lastFill;
  ConstantScope *outer;
  /// The constants, and their sizes.
  llvm::MapVector<Entry *, uint64_t> constants;
  /// All constants that were added, also those freed since.
  llvm::DenseSet<Entry *> made;
  llvm::DenseMap<Entry *, std::shared_ptr<const ConstantRecipe>> recipes;
  llvm::DenseSet<Entry *> read;
  uint64_t bytes = 0;
  uint64_t peakBytes = 0;
  /// Bytes of the constants made since the last freeUnused().
  uint64_t newBytes = 0;
};

/// The constant that `recipe` describes, in the scope if there is one. The
/// scope knows how it was made, may store its elements later, and may make
/// others alike.
mlir::DenseResourceElementsAttr makeConstant(ConstantRecipe recipe);

/// ConstantScope::freeUnused() for the module around `op`, if there is a scope
/// and many were made: for passes that make many constants, at a place where
/// all of them are in the module.
void freeUnusedConstants(mlir::Operation *op);

/// Zeroed memory for a constant of `bytes`, aligned to 64 bytes.
mlir::AsmResourceBlob allocateConstant(size_t bytes);

/// `bytes` in memory of their own, aligned to 64 bytes.
mlir::AsmResourceBlob copyConstant(llvm::ArrayRef<char> bytes);

/// Frees unused constants after each pass that makes some, for pass managers of
/// one thread.
std::unique_ptr<mlir::PassInstrumentation> createConstantSweeper();

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_CONSTANTSCOPE_H
