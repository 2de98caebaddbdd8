//===- Identity.h - Identities in locations ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op's identity is an integer in its location,
// `fused<{prof = N : i32}>[original location]`: builtin attributes only, so
// that any tool parses it and lowering keeps it as it keeps locations.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_IDENTITY_H
#define MLIR_PROF_DIALECT_PROF_IDENTITY_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::prof {

/// Of the identities in a location this many are read.
inline constexpr size_t kMaxIdentities = 128;

/// The identities in a location.
struct Identities {
  /// Who owns the op's time: several after a fusion. Ascending, no repeats.
  llvm::SmallVector<uint32_t, 2> owners;
  /// The calls that it was inlined through, innermost first. Of a fusion of
  /// code from several calls: the outer calls that all parts have in common.
  llvm::SmallVector<uint32_t, 2> callers;
  /// Owners and callers beyond kMaxIdentities, which were left out; one that
  /// several parts have may count for each.
  uint64_t cut = 0;
};

/// `location` with the identity `id`, at most INT32_MAX, around it.
mlir::Location addIdentity(mlir::Location location, uint32_t id);
/// The outermost identities of `location`. Of a call site the callee's are
/// owners and the caller's are callers; when the callee has none, the caller
/// owns. A negative number is no identity.
Identities getIdentities(mlir::Location location);
/// Whether `location` holds an identity.
bool hasIdentity(mlir::Location location);
/// `location` with all identities taken off.
mlir::Location removeIdentities(mlir::Location location);

/// The functions above for many locations of one context, which share their
/// parts: each part is read once.
class IdentityTable {
public:
  Identities get(mlir::Location location);
  bool has(mlir::Location location);
  mlir::Location remove(mlir::Location location);

private:
  Identities read(mlir::Location location) const;

  llvm::DenseMap<mlir::Attribute, Identities> known;
  llvm::DenseMap<mlir::Attribute, mlir::LocationAttr> clean;
};

/// Whether `op` should have an identity: ops in function bodies, but no
/// constants (upstream's vectorization gives stores the location of the
/// constant that they store) and nothing of the transform dialect. Functions
/// themselves have one, too, in a snapshot, but are never repaired.
bool needsIdentity(mlir::Operation *op);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_IDENTITY_H
