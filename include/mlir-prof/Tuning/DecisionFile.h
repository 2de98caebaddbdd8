//===- DecisionFile.h - The file of a database ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TUNING_DECISIONFILE_H
#define MLIR_PROF_TUNING_DECISIONFILE_H

#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"

#include <string>

namespace mlirprof::tuning {

/// The database may be read, but not written. For a caller that goes on without
/// and says so.
class ReadOnlyError : public llvm::ErrorInfo<ReadOnlyError, InputError> {
public:
  static char ID;
  using Base = llvm::ErrorInfo<ReadOnlyError, InputError>;
  using Base::Base;
};

struct SaveOptions {
  /// Seconds to wait for another process that saves.
  double lockSeconds = 10;
};

/// The changes that save() made to the database.
struct SaveReport {
  /// Decisions and observations that another process had added meanwhile.
  uint64_t merged = 0;
  /// Old observations left out.
  uint64_t dropped = 0;
};

/// A file that several processes save their decisions to.
class DecisionFile {
public:
  explicit DecisionFile(llvm::StringRef path) : path(path) {}

  /// Reads the file; a missing one is an empty database. Fails on one that is
  /// damaged, empty, or of a newer format.
  llvm::Expected<DecisionDatabase> load() const;
  /// Saves `database` whole or not at all, after merging it with what is there
  /// by now and dropping old observations. Writers take turns by a lock on the
  /// file PATH.lock, which stays; the system frees it when its holder dies. A
  /// damaged file is never written over. ReadOnlyError when the file, or its
  /// folder, cannot be written.
  llvm::Expected<SaveReport> save(DecisionDatabase &database,
                                  const SaveOptions &options = {}) const;

private:
  std::string path;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONFILE_H
