//===- Rows.h - Profiles in the index of a store ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SERVE_STORE_ROWS_H
#define MLIR_PROF_LIB_SERVE_STORE_ROWS_H

#include "Database.h"
#include "mlir-prof/Serve/Store.h"

namespace mlirprof::serve {

/// The columns of the table `profiles`, in the order of readRow().
extern const char *const kProfileColumns;

/// Creates the table `profiles` if there is none.
llvm::Error createTable(sqlite3 *database);
/// The profile of a row with kProfileColumns.
StoredProfile readRow(Statement &row);
/// Adds a profile, or replaces that of its id.
llvm::Error insertRow(sqlite3 *database, const StoredProfile &profile);
llvm::Error deleteRow(sqlite3 *database, llvm::StringRef id);
/// All profiles.
llvm::Expected<std::vector<StoredProfile>> readRows(sqlite3 *database);
llvm::Expected<std::optional<StoredProfile>> findRow(sqlite3 *database,
                                                     llvm::StringRef id);
/// The order that ProfileFilter::sort names, as SQL.
llvm::Expected<std::string> getOrder(llvm::StringRef sort);

} // namespace mlirprof::serve

#endif // MLIR_PROF_LIB_SERVE_STORE_ROWS_H
