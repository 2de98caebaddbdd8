//===- DecisionDatabase.h - Decisions that outlive a build ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is JSON: {"format": "mlir-prof.decisions/2", "decisions": [...],
// "observations": [...]}, both lists in the order of their keys, so that equal
// databases are equal files. Any change of the format changes its number; older
// ones are read. Since 2 observations have "sizes", where there are any.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONDATABASE_H
#define MLIR_PROF_TUNING_DECISIONDATABASE_H

#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Tuning/Decision.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mlirprof::tuning {

/// How sure it is that a decision is about the op that asks. A wrong match
/// costs time and never correctness: techniques check what they need by
/// themselves.
enum class Confidence : uint8_t {
  /// The same op with the same shapes.
  Exact,
  /// The same op, measured on dynamic sizes that are very different.
  OtherSizes,
  /// The same op with other static sizes.
  ShapeErased,
  /// An op of that name between the same neighbors.
  Neighborhood,
};
llvm::StringRef getName(Confidence confidence);

struct DecisionMatch {
  /// Valid until the database changes.
  const Decision *decision = nullptr;
  Confidence confidence = Confidence::Exact;
};

/// The database may be read, but not written. For a caller that goes on without
/// and says so.
class ReadOnlyError : public llvm::ErrorInfo<ReadOnlyError, InputError> {
public:
  static char ID;
  using Base = llvm::ErrorInfo<ReadOnlyError, InputError>;
  using Base::Base;
};

struct SaveOptions {
  /// How long to wait for another process that saves.
  double lockSeconds = 10;
};

/// What save() did.
struct SaveReport {
  /// Decisions and observations that another process had added meanwhile.
  uint64_t merged = 0;
  /// Observations left out: all but the newest kMaxObservations of a choice.
  uint64_t folded = 0;
};

class DecisionDatabase {
public:
  DecisionDatabase() = default;
  DecisionDatabase(DecisionDatabase &&) = default;
  DecisionDatabase &operator=(DecisionDatabase &&) = default;

  static constexpr llvm::StringLiteral kFormat = "mlir-prof.decisions/3";
  static constexpr llvm::StringLiteral kFormats[] = {
      "mlir-prof.decisions/1", "mlir-prof.decisions/2", kFormat};
  /// Observations of one choice that a file keeps.
  static constexpr unsigned kMaxObservations = 16;
  static constexpr size_t kMaxEntries = size_t(1) << 20;
  static constexpr size_t kMaxStringBytes = 4096;
  static constexpr size_t kMaxChoiceEntries = 64;
  /// Combinations of sizes of an observation, and sizes of each.
  static constexpr size_t kMaxSizes = 64;
  static constexpr uint64_t kMaxFileBytes = uint64_t(1) << 30;

  /// Reads the file `path`; a missing one is an empty database. Fails on one
  /// that is damaged, empty, or of a newer format.
  static llvm::Expected<DecisionDatabase> load(llvm::StringRef path);
  /// Reads `text`, which errors call `where`.
  static llvm::Expected<DecisionDatabase> parse(llvm::StringRef text,
                                                llvm::StringRef where);
  void write(llvm::raw_ostream &os) const;

  /// Adds a decision; it takes the place of an older one with the same key.
  /// Fails on malformed hashes, too many parameters or entries; long texts are
  /// cut.
  llvm::Error decide(Decision decision);
  /// Adds an observation, with the same checks.
  llvm::Error observe(Observation observation);

  /// The best decision of each technique for an op on a machine, ordered by
  /// technique. Of equally sure ones that with the same neighborhood wins,
  /// then the newest, then the first by key. What a similar op decided and this
  /// op was measured not to gain by is left out. `sizes` are those that the op
  /// has here, where they are known.
  std::vector<DecisionMatch> find(const OpSignature &signature,
                                  llvm::StringRef machine,
                                  const MeasuredSizes &sizes = {}) const;
  /// That of one technique.
  std::optional<DecisionMatch> find(const OpSignature &signature,
                                    llvm::StringRef machine,
                                    llvm::StringRef technique) const;
  /// What was seen with `key`, all choices, oldest first.
  std::vector<const Observation *>
  findObservations(const DecisionKey &key) const;
  /// The newest observation of `choice` under `key`, or null: whether it was
  /// tried before, and how that ended. Not those that are far from `sizes`.
  const Observation *findObservation(const DecisionKey &key,
                                     const Choice &choice,
                                     const MeasuredSizes &sizes = {}) const;

  /// Adds what `other` holds: of two decisions with one key the newer stays.
  /// Commutative, associative, and a second time changes nothing. Returns how
  /// many entries were new. Fails when there would be too many.
  llvm::Expected<uint64_t> merge(const DecisionDatabase &other);

  /// Saves to `path` whole or not at all, after merging with what is there by
  /// now; this database gets it, too. Writers take turns by a lock on the file
  /// `path`.lock, which stays; the system frees it when its holder dies. A
  /// damaged file is never written over. ReadOnlyError when it, or its folder,
  /// cannot be written.
  llvm::Expected<SaveReport> save(llvm::StringRef path,
                                  const SaveOptions &options = {});

  /// Lists all for people.
  void print(llvm::raw_ostream &os) const;

  const std::map<DecisionKey, Decision> &getDecisions() const {
    return decisions;
  }
  const std::set<Observation> &getObservations() const { return observations; }

private:
  using HashIndex = llvm::StringMap<std::vector<const Decision *>>;

  /// Puts `decision` in unless a newer one is there; whether it did.
  bool insert(const Decision &decision);
  /// Whether all that was seen of `decision` was far from `sizes`.
  bool isFarFrom(const Decision &decision, const MeasuredSizes &sizes) const;
  /// Whether an op that `decision` may be about was itself seen to gain nothing
  /// by it.
  bool wasRefused(const Decision &decision, const OpSignature &signature,
                  const MeasuredSizes &sizes) const;
  uint64_t foldObservations();
  size_t size() const { return decisions.size() + observations.size(); }

  /// Nodes of a map stay where they are, so the indices point to them.
  std::map<DecisionKey, Decision> decisions;
  HashIndex byExact, byShapeErased, byNeighborhood;
  std::set<Observation> observations;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONDATABASE_H
