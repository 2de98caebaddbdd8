//===- Database.cpp - Statements of SQLite --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::serve;

llvm::Error serve::databaseError(sqlite3 *database) {
  if (sqlite3_errcode(database) == SQLITE_FULL)
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::no_space_on_device));
  return inputError("index of the store", sqlite3_errmsg(database));
}

llvm::Error serve::execute(sqlite3 *database, const char *sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return databaseError(database);
  return llvm::Error::success();
}

Statement::Statement(sqlite3 *database, llvm::StringRef sql)
    : database(database) {
  sqlite3_prepare_v2(database, sql.data(), int(sql.size()), &statement,
                     nullptr);
}

Statement &Statement::bind(llvm::StringRef text) {
  sqlite3_bind_text64(statement, ++bound, text.data() ? text.data() : "",
                      text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bind(int64_t value) {
  sqlite3_bind_int64(statement, ++bound, value);
  return *this;
}

llvm::Expected<bool> Statement::step() {
  read = 0;
  switch (sqlite3_step(statement)) {
  case SQLITE_ROW:
    return true;
  case SQLITE_DONE:
    return false;
  default:
    return databaseError(database);
  }
}

llvm::Error Statement::run() {
  auto row = step();
  return row ? llvm::Error::success() : row.takeError();
}

std::string Statement::text() {
  int bytes = sqlite3_column_bytes(statement, read);
  const unsigned char *text = sqlite3_column_text(statement, read++);
  return text ? std::string(reinterpret_cast<const char *>(text), size_t(bytes))
              : std::string();
}

int64_t Statement::integer() { return sqlite3_column_int64(statement, read++); }
