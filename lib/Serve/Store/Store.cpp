//===- Store.cpp - A folder of profiles -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Serve/Store.h"
#include "Files.h"
#include "Rows.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

llvm::Expected<std::unique_ptr<Store>> Store::open(llvm::StringRef folder) {
  llvm::SmallString<128> absolute(folder);
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return fileError(folder, error);
  std::unique_ptr<Store> store(new Store(absolute.str().str()));
  for (const char *name : {"objects", "quarantine", "incoming"})
    if (std::error_code error =
            llvm::sys::fs::create_directories(joinPath(folder, name)))
      return fileError(folder, error);
  store->lock = ::open(joinPath(folder, "lock").c_str(),
                       O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (store->lock < 0 || ::flock(store->lock, LOCK_EX | LOCK_NB) != 0)
    return inputError(folder, "is served by another process",
                      "Use its address, or end it first.");
  // Nobody waits for the uploads of an earlier process.
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it(joinPath(folder, "incoming"), error),
       end;
       it != end && !error; it.increment(error))
    llvm::sys::fs::remove_directories(it->path());
  if (llvm::Error failed = store->openDatabase())
    return std::move(failed);
  if (llvm::Error failed = store->sweep())
    return std::move(failed);
  return store;
}

Store::~Store() {
  sqlite3_close_v2(database);
  if (lock >= 0)
    ::close(lock);
}

llvm::Error Store::openDatabase() {
  std::string path = joinPath(folder, "store.sqlite");
  int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2(path.c_str(), &database, flags, nullptr) != SQLITE_OK)
    return databaseError(database);
  sqlite3_busy_timeout(database, 5000);
  if (llvm::Error error = execute(
          database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"))
    return error;
  int64_t version = 0;
  {
    Statement statement(database, "PRAGMA user_version");
    auto row = statement.step();
    if (!row)
      return row.takeError();
    version = statement.integer();
  }
  if (version > kSchema)
    return inputError(path,
                      "was written by a later version of mlir-prof (schema " +
                          llvm::Twine(version) + ")",
                      "Serve the folder with that version.");
  if (llvm::Error error = createTable(database))
    return error;
  std::string set = "PRAGMA user_version = " + std::to_string(kSchema);
  return execute(database, set.c_str());
}

llvm::Expected<ProfileList> Store::list(const ProfileFilter &filter) {
  auto order = getOrder(filter.sort);
  if (!order)
    return order.takeError();
  std::string where =
      " FROM profiles WHERE (?1 = '' OR instr(lower(name || char(10) || label "
      "|| char(10) || model || char(10) || producer || char(10) || commit_id), "
      "lower(?1)) > 0) AND (?2 = '' OR model = ?2) AND (?3 = '' OR commit_id = "
      "?3) AND (?4 = '' OR machine = ?4) AND (?5 = '' OR label = ?5)";
  auto bind = [&](Statement &statement) {
    for (const std::string *text :
         {&filter.search, &filter.model, &filter.commit, &filter.machine,
          &filter.label})
      statement.bind(*text);
  };
  std::lock_guard<std::mutex> guard(mutex);
  ProfileList list;
  Statement count(database, "SELECT count(*)" + where);
  bind(count);
  auto counted = count.step();
  if (!counted)
    return counted.takeError();
  list.total = uint64_t(count.integer());
  Statement rows(database, std::string("SELECT ") + kProfileColumns + where +
                               " ORDER BY " + *order + " LIMIT ?6 OFFSET ?7");
  bind(rows);
  rows.bind(int64_t(filter.limit)).bind(int64_t(filter.offset));
  while (true) {
    auto row = rows.step();
    if (!row)
      return row.takeError();
    if (!*row)
      return list;
    list.profiles.push_back(readRow(rows));
  }
}

llvm::Expected<std::optional<StoredProfile>> Store::find(llvm::StringRef id) {
  std::lock_guard<std::mutex> guard(mutex);
  return findRow(database, id);
}

llvm::Error Store::change(llvm::StringRef id, const ProfileChange &change) {
  std::lock_guard<std::mutex> guard(mutex);
  Statement statement(database,
                      "UPDATE profiles SET label = ?, name = ?, commit_id = ?, "
                      "machine = ? WHERE id = ?");
  Statement old(database,
                "SELECT label, name, commit_id, machine FROM profiles WHERE id "
                "= ?");
  auto row = old.bind(id).step();
  if (!row)
    return row.takeError();
  for (const auto *text :
       {&change.label, &change.name, &change.commit, &change.machine}) {
    std::string before = old.text();
    statement.bind(*text ? **text : before);
  }
  return statement.bind(id).run();
}

llvm::Error Store::remove(const StoredProfile &profile) {
  std::lock_guard<std::mutex> guard(mutex);
  // It would be made of the profile again.
  llvm::sys::fs::remove(getTimelinePath(profile.id));
  std::string path = getPath(profile);
  // First the entry: a file without one is listed again, an entry without its
  // file would be an error.
  llvm::Error error = deleteRow(database, profile.id);
  if (error && !error.isA<llvm::ECError>())
    return error;
  bool isFull = bool(error);
  llvm::consumeError(std::move(error));
  if (std::error_code failed = llvm::sys::fs::remove(path))
    return fileError(path, failed);
  // On a full disk, the space of the file is that of the change.
  return isFull ? deleteRow(database, profile.id) : llvm::Error::success();
}

std::string Store::getPath(const StoredProfile &profile) const {
  return joinPath(folder, profile.file);
}

std::string Store::getTimelinePath(llvm::StringRef id) const {
  return joinPath(folder, "objects/" + id + ".timeline");
}
