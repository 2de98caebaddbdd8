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
// that any tool parses it, and lowering preserves it along with the location. A
// module that stays in memory may have identities in another form, which takes
// a third of the time to make.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_IDENTITY_H
#define MLIR_PROF_DIALECT_PROF_IDENTITY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::prof {

/// How a location holds an identity. All functions read both.
enum class IdentityForm : uint8_t {
  /// As attributes, which text and bytecode keep.
  Attribute,
  /// As a number in an opaque location, which text and bytecode leave out.
  Number,
};

/// Limit on the identities read per location.
inline constexpr size_t kMaxIdentities = 128;

/// The identities in a location.
struct Identities {
  /// Owners of the op's time: several after a fusion. Ascending, no repeats.
  llvm::SmallVector<uint32_t, 2> owners;
  /// The calls through which it was inlined, innermost first. For a fusion of
  /// code from several calls: the outer calls that all parts have in common.
  llvm::SmallVector<uint32_t, 2> callers;
  /// The number of owners and callers dropped beyond kMaxIdentities; one that
  /// several parts have may count for each.
  uint64_t cut = 0;
};

/// `location` wrapped with the identity `id`, at most INT32_MAX.
mlir::Location addIdentity(mlir::Location location, uint32_t id);
/// The outermost identities of `location`. For a call site, the callee's
/// identities are owners and the caller's are callers; if the callee does not
/// have any, the caller is the owner. A negative number is not an identity.
Identities getIdentities(mlir::Location location);
/// Whether `location` holds an identity.
bool hasIdentity(mlir::Location location);
/// `location` with all identities removed.
mlir::Location removeIdentities(mlir::Location location);

/// Versions of the functions above for many locations of one context that share
/// parts: each part is read once.
class IdentityTable {
public:
  Identities get(mlir::Location location);
  bool has(mlir::Location location);
  mlir::Location remove(mlir::Location location);

private:
  Identities read(mlir::Location location) const;

  llvm::DenseMap<mlir::Attribute, Identities> known;
  /// Answers of `has`.
  llvm::DenseMap<mlir::Attribute, bool> holders;
  llvm::DenseMap<mlir::Attribute, mlir::LocationAttr> clean;
};

/// addIdentity for many locations of one context.
class IdentityWriter {
public:
  explicit IdentityWriter(mlir::MLIRContext *context,
                          IdentityForm form = IdentityForm::Attribute);

  mlir::Location add(mlir::Location location, uint32_t id) const;

private:
  IdentityForm form;
  mlir::StringAttr key;
  mlir::IntegerType type;
};

/// Whether `op` should have an identity: ops in function bodies, but not
/// constants (upstream's vectorization gives stores the location of the
/// constant that they store) and not ops of the transform dialect. In a
/// snapshot, functions also have an identity, but it is never repaired.
bool needsIdentity(mlir::Operation *op);

/// needsIdentity for ops in the order of a walk: the ops around an op are
/// looked at once for neighbors in a region.
class IdentityNeed {
public:
  bool operator()(mlir::Operation *op);

private:
  mlir::Operation *parent = nullptr;
  bool isNeeded = false;
};

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_IDENTITY_H
