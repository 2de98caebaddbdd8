//===- Rows.cpp - Profiles in the index of a store ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::serve;

const char *const serve::kProfileColumns =
    "id, file, name, label, producer, model, commit_id, machine, recorded_ns, "
    "uploaded_ns, bytes, events, time_ps, coverage_ppm, median_ps, low_ps, "
    "high_ps, state, error, modified_ns";

static constexpr const char *kCreate =
    "CREATE TABLE IF NOT EXISTS profiles (id TEXT PRIMARY KEY, file TEXT, "
    "name TEXT, label TEXT, producer TEXT, model TEXT, commit_id TEXT, machine "
    "TEXT, recorded_ns INTEGER, uploaded_ns INTEGER, bytes INTEGER, events "
    "INTEGER, time_ps INTEGER, coverage_ppm INTEGER, median_ps INTEGER, low_ps "
    "INTEGER, high_ps INTEGER, state INTEGER, error TEXT, modified_ns INTEGER)";

/// Columns of the API by which profiles are sorted, and those of the index.
static constexpr std::pair<llvm::StringLiteral, const char *> kSorts[] = {
    {"name", "name"},          {"label", "label"},
    {"producer", "producer"},  {"model", "model"},
    {"commit", "commit_id"},   {"machine", "machine"},
    {"bytes", "bytes"},        {"recorded_at", "recorded_ns"},
    {"events", "events"},      {"uploaded_at", "uploaded_ns"},
    {"time_ps", "time_ps"},    {"coverage", "coverage_ppm"},
    {"median_ps", "median_ps"}};

llvm::Error serve::createTable(sqlite3 *database) {
  return execute(database, kCreate);
}

StoredProfile serve::readRow(Statement &row) {
  StoredProfile profile;
  for (std::string *text :
       {&profile.id, &profile.file, &profile.name, &profile.label,
        &profile.producer, &profile.model, &profile.commit, &profile.machine})
    *text = row.text();
  profile.recordedNs = row.integer();
  profile.uploadedNs = row.integer();
  profile.bytes = uint64_t(row.integer());
  profile.events = uint64_t(row.integer());
  for (int64_t *value : {&profile.timePs, &profile.coveragePpm,
                         &profile.medianPs, &profile.lowPs, &profile.highPs})
    *value = row.integer();
  profile.state = ProfileState(row.integer());
  profile.error = row.text();
  profile.modifiedNs = row.integer();
  return profile;
}

llvm::Error serve::insertRow(sqlite3 *database, const StoredProfile &profile) {
  std::string sql = std::string("INSERT OR REPLACE INTO profiles (") +
                    kProfileColumns +
                    ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
                    "?,?)";
  Statement statement(database, sql);
  for (const std::string *text :
       {&profile.id, &profile.file, &profile.name, &profile.label,
        &profile.producer, &profile.model, &profile.commit, &profile.machine})
    statement.bind(*text);
  for (int64_t value : {profile.recordedNs, profile.uploadedNs,
                        int64_t(profile.bytes), int64_t(profile.events),
                        profile.timePs, profile.coveragePpm, profile.medianPs,
                        profile.lowPs, profile.highPs, int64_t(profile.state)})
    statement.bind(value);
  statement.bind(profile.error).bind(profile.modifiedNs);
  return statement.run();
}

llvm::Error serve::deleteRow(sqlite3 *database, llvm::StringRef id) {
  Statement statement(database, "DELETE FROM profiles WHERE id = ?");
  return statement.bind(id).run();
}

llvm::Expected<std::vector<StoredProfile>> serve::readRows(sqlite3 *database) {
  std::vector<StoredProfile> profiles;
  Statement rows(database,
                 std::string("SELECT ") + kProfileColumns + " FROM profiles");
  while (true) {
    auto row = rows.step();
    if (!row)
      return row.takeError();
    if (!*row)
      return profiles;
    profiles.push_back(readRow(rows));
  }
}

llvm::Expected<std::optional<StoredProfile>>
serve::findRow(sqlite3 *database, llvm::StringRef id) {
  Statement statement(database, std::string("SELECT ") + kProfileColumns +
                                    " FROM profiles WHERE id = ?");
  auto row = statement.bind(id).step();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  return readRow(statement);
}

llvm::Expected<std::string> serve::getOrder(llvm::StringRef sort) {
  bool isDescending = sort.consume_front("-");
  for (const auto &[name, column] : kSorts)
    if (name == sort)
      return std::string(column) + (isDescending ? " DESC" : " ASC") + ", id";
  std::string names;
  for (const auto &[name, column] : kSorts)
    names += (names.empty() ? "" : ", ") + name.str();
  return inputError("sort", "'" + sort + "' is not a column of profiles",
                    "There are " + names + "; a leading '-' reverses.");
}
