//===- Alignment.h - Which ops of two modules are the same ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile lives longer than the module that it was recorded on. An alignment
// finds, for each op of the old module, its counterpart in the new one. It is
// the only place that knows how: reports, annotations, searches and diffs ask
// it. docs/matching.md tells how it works and what it was measured to do.
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

/// What a counterpart was found by, the strongest first.
enum class PairEvidence : uint8_t {
  /// The modules have the same ops in the same order.
  Identical,
  /// The values of its constants, which one other op has.
  Constants,
  /// All that it is computed from, or all that is computed from it.
  Structure,
  /// Its name, where both modules have the same names.
  Name,
  /// It computes what another op of its module does, which has a counterpart.
  Merged,
  /// What stands around it.
  Surroundings,
  /// Its place between counterparts; its sizes differ.
  OtherSizes,
  /// Its order among ops that nothing else tells apart.
  Order,
  /// Several ops are equally good.
  Ambiguous,
  /// None is known: of ops that look alike fewer are left, and nothing tells
  /// which.
  Contested,
  /// None is.
  None,
};
llvm::StringRef toString(PairEvidence evidence);

/// What an op of the old module is in the new one.
struct Counterpart {
  /// Positions in pre-order, the module being 0, ascending. None, one, or where
  /// nothing tells them apart several.
  llvm::SmallVector<uint32_t, 1> ops;
  PairEvidence evidence = PairEvidence::None;
};

/// The constants of a stored module whose values it does not hold, by position.
using KnownValues = llvm::ArrayRef<profile::ElidedValues>;

struct Alignment {
  /// One for each op of the old module, in pre-order.
  std::vector<Counterpart> ops;

  /// Whether the modules are the same but for names, locations and the values
  /// of constants.
  bool isIdentical = false;
};

/// Finds the counterparts of the ops of `before` in `after`. The modules may be
/// of different contexts. Takes time and memory in proportion to their sizes.
Alignment alignModules(mlir::Operation *before, mlir::Operation *after,
                       KnownValues valuesBefore = {},
                       KnownValues valuesAfter = {});

/// Aligns the modules that a profile was recorded on with one that it meets.
class StoredAlignments {
public:
  /// `shown` is the fingerprint of the stored module that `root` was loaded
  /// from, or "". All must outlive this.
  StoredAlignments(const profile::Profile &profile, mlir::Operation *root,
                   llvm::StringRef shown);
  ~StoredAlignments();

  /// What the ops of the module of `level` that was compiled to `program` (""
  /// for imported recordings) are in the module. Null where that is the same,
  /// where the profile does not hold it, and where the two are of so different
  /// ops that they are not one level of one model.
  const Alignment *find(llvm::StringRef level, llvm::StringRef program);

  /// That module itself; null where find() is. In a context of this.
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

/// Hands on to their counterparts what the ops of the old module own. A part of
/// the time whose op has none is without an owner.
void transfer(attribution::Match &match, const Alignment &alignment);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_ALIGNMENT_H
