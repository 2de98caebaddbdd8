//===- Database.h - Statements of SQLite ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_STORE_DATABASE_H
#define MLIR_PROF_LIB_SERVE_STORE_DATABASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <sqlite3.h>

namespace mlirprof::serve {

/// The last error of the database; a full disk is named as such.
/// An llvm::ECError if the disk is full.
llvm::Error databaseError(sqlite3 *database);
llvm::Error execute(sqlite3 *database, const char *sql);

/// A prepared statement. Values are bound in order, and columns read in order.
class Statement {
public:
  Statement(sqlite3 *database, llvm::StringRef sql);
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;
  ~Statement() { sqlite3_finalize(statement); }

  Statement &bind(llvm::StringRef text);
  Statement &bind(int64_t value);

  /// Whether there is a row.
  llvm::Expected<bool> step();
  /// Runs a statement without rows.
  llvm::Error run();
  std::string text();
  int64_t integer();

private:
  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
  int bound = 0;
  int read = 0;
};

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_STORE_DATABASE_H
