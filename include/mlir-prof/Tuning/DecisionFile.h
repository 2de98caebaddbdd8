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

/// The database can be read, but not written. A caller can continue without
/// saving, and say so.
class ReadOnlyError : public llvm::ErrorInfo<ReadOnlyError, InputError> {
public:
  static char ID;
  using Base = llvm::ErrorInfo<ReadOnlyError, InputError>;
  using Base::Base;
};

struct SaveOptions {
  /// Seconds to wait while another process saves.
  double lockSeconds = 10;
};

/// The changes that save() made to the database.
struct SaveReport {
  /// Decisions and observations that another process had added in the meantime.
  uint64_t merged = 0;
  /// Old observations left out.
  uint64_t dropped = 0;
};

/// A file that several processes save their decisions to.
class DecisionFile {
public:
  explicit DecisionFile(llvm::StringRef path) : path(path) {}

  /// Reads the file; a missing one is an empty database. Fails if it is
  /// damaged, empty, or of a newer format.
  llvm::Expected<DecisionDatabase> load() const;
  /// ReadOnlyError when the file, or its folder, cannot be written: what
  /// save() would say, before there is anything to save.
  llvm::Error checkWritable() const;
  /// Saves `database` completely or not at all, after merging it with the
  /// current content of the file and dropping old observations. Writers are
  /// serialized by a lock on the file PATH.lock, which is not removed; the
  /// system releases the lock when its holder ends. A damaged file is never
  /// overwritten. ReadOnlyError when the file, or its folder, cannot be
  /// written.
  llvm::Expected<SaveReport> save(DecisionDatabase &database,
                                  const SaveOptions &options = {}) const;

private:
  std::string path;
};

} // namespace mlirprof::tuning

#endif // MLIR_PROF_TUNING_DECISIONFILE_H
