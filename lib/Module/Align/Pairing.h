//===- Pairing.h - Pairs of the nodes of two modules ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of an alignment, and what its steps ask of it. Steps.h has the
// steps, ModuleAligner.cpp their order.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_ALIGN_PAIRING_H
#define MLIR_PROF_LIB_MODULE_ALIGN_PAIRING_H

#include "Colors.h"
#include "Kin.h"
#include "Names.h"
#include "mlir-prof/Module/Alignment.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::module::align {

/// Limit on the ops that share the time of one whose counterpart is not known.
inline constexpr size_t kMostShared = 64;

/// How far ops look that share the time of one.
inline constexpr unsigned kSharedRadius = 2;

/// One of the two modules while it is aligned: the graph of its ops, and how
/// far each node of it is settled. A node is open until a step pairs it, or
/// decides that it is not to be paired; later steps see open nodes only.
struct Side {
  explicit Side(mlir::Operation *root, KnownValues values)
      : root(root), features(root, values),
        partner(features.size(), trace::kNone), isOpen(features.size(), true),
        anchors(features.size()), constants(colorConstants(features)),
        kin(features) {}

  /// `kin` refers to the features.
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;

  mlir::Operation *root;
  Features features;
  /// The node of the other side, or kNone.
  std::vector<uint32_t> partner;
  /// Whether it may still find one.
  std::vector<bool> isOpen;
  /// Equal for the two nodes of a pair, 0 without a partner.
  Colors anchors;
  /// Hashes of the values of constants; 0 for other nodes and unknown values.
  Colors constants;
  Kin kin;
};

/// Hashes of the nodes of both sides that are to be compared, as a function; 0
/// is not compared.
struct BothColors {
  Hash operator()(const Side &side, uint32_t node) const {
    return (&side == old ? before : after)[node];
  }

  /// The side to which `before` belongs.
  const Side *old;
  Colors before, after;
};

/// Open nodes of both sides whose key, mostly a color, is the same.
struct ColorClass {
  llvm::SmallVector<uint32_t, 2> before;
  llvm::SmallVector<uint32_t, 2> after;
};

/// Whether the modules have the same ops in the same order, and neither values
/// nor names tell that some changed places.
bool areIdentical(const Side &before, const Side &after);

/// The pairs of the nodes of two modules that the steps have found so far.
/// Nodes are numbers: `from` and those without a word are of `before`, `to` is
/// of `after`.
struct Pairing {
  using KeyOf = llvm::function_ref<Hash(const Side &, uint32_t)>;
  /// The two nodes that alone have a key, from `before` to `after`.
  using Unique = std::vector<uint32_t>;

  /// Both sides must outlive it.
  Pairing(Side &before, Side &after)
      : before(before), after(after), names(before.features, after.features),
        evidence(before.features.size(), PairEvidence::None),
        shared(before.features.size()) {}

  BothColors color(llvm::function_ref<Colors(const Side &)> see) const {
    return {&before, see(before), see(after)};
  }
  /// `base` with the name where that tells; else 0.
  Hash getNamed(const Side &side, llvm::ArrayRef<Hash> base,
                uint32_t node) const;

  /// The open nodes by key, but those whose key is 0.
  std::vector<ColorClass> group(KeyOf getKey) const;
  Unique findUnique(KeyOf getKey) const;
  /// Calls `visit` for what the counterparts of the users of `node` use in its
  /// place.
  void forEachUserNow(uint32_t node,
                      llvm::function_ref<void(uint32_t)> visit) const;

  /// Whether the two belong to other weights, or compute with other values.
  bool areContrary(uint32_t from, uint32_t to) const;
  /// Whether weights tell that what uses `from` uses something like it now, but
  /// not `to`.
  bool haveOtherUsers(uint32_t from, uint32_t to) const;

  /// Makes the two counterparts. Neither is open any more.
  void pair(uint32_t from, uint32_t to, PairEvidence by);
  /// Pairs what alone has its key on both sides; returns the number of pairs.
  size_t pairUnique(KeyOf getKey, PairEvidence by);
  /// Settles `from` without a counterpart: it shares the time of `ops`, which
  /// may be empty.
  void share(uint32_t from, llvm::ArrayRef<uint32_t> ops, PairEvidence by);

  Side &before;
  Side &after;
  /// Whether ops may use other values than before: where layers changed places
  /// some do, but only those that are left when all others are paired.
  bool mayBeContrary = false;
  /// Whether values of constants are those of before, as far as was seen.
  bool haveSameValues = false;
  /// Whether values tell that names went from one op to another.
  bool areNumberedAnew = false;
  TellingNames names;
  /// By node of `before`: how its counterpart was found, and the ops that share
  /// its time if it does not have one.
  std::vector<PairEvidence> evidence;
  std::vector<llvm::SmallVector<uint32_t, 1>> shared;
};

} // namespace mlirprof::module::align

#endif // MLIR_PROF_LIB_MODULE_ALIGN_PAIRING_H
