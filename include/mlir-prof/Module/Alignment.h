//===- Alignment.h - Aligning the ops of two modules ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile lives longer than the module on which it was recorded. An alignment
// finds, for each op of the old module, its counterpart in the new one.
// Reports, annotations, searches and diffs all use it. docs/matching.md
// describes the method and its measured results.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_ALIGNMENT_H
#define MLIR_PROF_MODULE_ALIGNMENT_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <memory>
#include <vector>

namespace mlirprof::module {

/// The evidence for a counterpart, strongest first.
enum class PairEvidence : uint8_t {
  /// The modules have the same ops in the same order.
  Identical,
  /// The values of its constants, which one other op has.
  Constants,
  /// Everything from which it is computed, or everything computed from it.
  Structure,
  /// Its name, if both modules have the same names.
  Name,
  /// It computes the same as another op of its module, which has a counterpart.
  Merged,
  /// The ops around it.
  Surroundings,
  /// Its place between counterparts; its sizes differ.
  OtherSizes,
  /// Its order among ops that nothing else distinguishes.
  Order,
  /// Several ops are equally good.
  Ambiguous,
  /// None is known: fewer of several similar ops are left, and nothing tells
  /// which.
  Contested,
  /// There is none.
  None,
};
llvm::StringRef toString(PairEvidence evidence);

/// The counterpart of an op of the old module in the new one.
struct Counterpart {
  /// Positions in pre-order, the module being 0, ascending. None, one, or
  /// several if nothing distinguishes them.
  llvm::SmallVector<uint32_t, 1> ops;
  PairEvidence evidence = PairEvidence::None;
};

/// The constants of a stored module that lacks their values, by position.
using KnownValues = llvm::ArrayRef<profile::ElidedValues>;

struct Alignment {
  /// One for each op of the old module, in pre-order.
  std::vector<Counterpart> ops;

  /// Whether the modules are equal except for names, locations and the values
  /// of constants.
  bool isIdentical = false;
};

/// Finds the counterparts of the ops of `before` in `after`. The modules may
/// belong to different contexts. Memory is in proportion to their sizes, and so
/// is time for identical modules; others take up to a hundred rounds over the
/// ops that do not have a counterpart yet, each of which compares at most 64
/// candidates for an op.
Alignment alignModules(mlir::Operation *before, mlir::Operation *after,
                       KnownValues valuesBefore = {},
                       KnownValues valuesAfter = {});

/// Aligns the modules on which a profile was recorded with a given one.
class StoredAlignments {
public:
  /// `shown` is the fingerprint of the stored module that `root` was loaded
  /// from, or "". All must outlive this.
  StoredAlignments(const profile::Profile &profile, mlir::Operation *root,
                   llvm::StringRef shown);
  ~StoredAlignments();

  /// The counterparts in the module of the ops of the module of `level` that
  /// was compiled to `program` ("" for imported recordings). Null if both are
  /// the same, if the profile does not contain that module, or if their ops are
  /// so different that they are not one level of one model.
  const Alignment *find(llvm::StringRef level, llvm::StringRef program);

  /// That module itself; null if find() is. It belongs to a context of this
  /// object.
  mlir::Operation *getModule(llvm::StringRef level, llvm::StringRef program);

private:
  struct Stored;
  Stored &load(llvm::StringRef level, llvm::StringRef program);

  const profile::Profile &profile;
  mlir::Operation *root;
  llvm::StringRef shown;
  std::unique_ptr<mlir::MLIRContext> context;
  std::map<const profile::IrModule *, std::unique_ptr<Stored>> modules;
};

/// Transfers the ownership of ops of the old module to their counterparts. A
/// part of the time whose op does not have one becomes unowned.
void transfer(attribution::Match &match, const Alignment &alignment);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_ALIGNMENT_H
