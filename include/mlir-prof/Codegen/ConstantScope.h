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
#include "llvm/ADT/MapVector.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlirprof::codegen {

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

  void add(mlir::DenseResourceElementsAttr constant);
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
  using Entry = mlir::DialectResourceBlobManager::BlobEntry;

  void addUsed(mlir::Operation *op, llvm::DenseSet<Entry *> &used) const;

  mlir::MLIRContext *context;
  BackgroundThread *background;
  /// The last values that the background thread stores.
  std::optional<BackgroundThread::Ticket> lastFill;
  ConstantScope *outer;
  /// The constants, and their sizes.
  llvm::MapVector<Entry *, uint64_t> constants;
  uint64_t bytes = 0;
  uint64_t peakBytes = 0;
  /// Bytes of the constants made since the last freeUnused().
  uint64_t newBytes = 0;
};

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
