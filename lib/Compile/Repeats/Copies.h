//===- Copies.h - Differences of copies of code --------------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_REPEATS_COPIES_H
#define MLIR_PROF_LIB_COMPILE_REPEATS_COPIES_H

#include "Sequence.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Location.h"

namespace mlirprof::compile {

/// Copies that stay in a shortened function: the first three and the last.
inline constexpr unsigned kKeptCopies = 4;

/// The place of something in the copies that stay.
struct CopyLabel {
  /// The number among those that stay.
  unsigned copy = 0;
  /// Which one it is of those in a copy.
  unsigned slot = 0;
};

/// The differences of copies of a piece of code: weights, and locations with
/// the identities in them.
class Copies {
public:
  using Entry = mlir::DialectResourceBlobManager::BlobEntry;

  /// Reads the pieces of `run`. None if they differ in more, or if some of them
  /// use the same weights and others do not.
  static std::optional<Copies> read(const Sequence &sequence, const Run &run);

  unsigned getCount() const { return count; }
  /// The copies that a shortened function does not have.
  unsigned getRemoved() const { return count - kKeptCopies; }
  /// The number, among all copies, of the one that is `shift` after the copy
  /// `kept` of those that stay. The last one stays what it is.
  unsigned getNumber(unsigned kept, unsigned shift) const {
    return kept + 1 == kKeptCopies ? count - 1 : kept + shift;
  }

  /// The place of a weight of which each copy has its own.
  std::optional<CopyLabel> findWeight(Entry *entry) const;
  std::optional<CopyLabel> findIdentity(uint32_t id) const;
  /// The place of a location of which each copy has its own. Fails if there are
  /// several.
  llvm::FailureOr<std::optional<CopyLabel>>
  findLocation(mlir::LocationAttr location) const;

  mlir::DenseResourceElementsAttr getWeight(unsigned number,
                                            unsigned slot) const {
    return all[number].weights[slot].value;
  }
  /// The position of the constant with a weight among the ops of its block.
  size_t getPlace(unsigned number, unsigned slot) const {
    return all[number].weights[slot].place;
  }
  mlir::LocationAttr getLocation(unsigned number, unsigned slot) const {
    return all[number].locations[slot];
  }
  uint32_t getIdentity(unsigned number, unsigned slot) const;

private:
  struct Weight {
    mlir::DenseResourceElementsAttr value;
    size_t place = 0;
  };
  struct Copy {
    std::vector<Weight> weights;
    /// With identities, then the same without them.
    std::vector<mlir::LocationAttr> locations;
  };

  static Copy readCopy(llvm::ArrayRef<mlir::Operation *> ops,
                       const llvm::DenseMap<mlir::Operation *, size_t> &places);
  bool labelWeights(const llvm::DenseSet<Entry *> &elsewhere);
  void labelLocations();
  void labelLocation(unsigned kept, unsigned slot);

  unsigned count = 0;
  std::vector<Copy> all;
  llvm::DenseMap<Entry *, CopyLabel> weights;
  llvm::DenseMap<uint32_t, CopyLabel> identities;
  /// None for those that have several places.
  llvm::DenseMap<mlir::Attribute, std::optional<CopyLabel>> locations;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_REPEATS_COPIES_H
