//===- Store.cpp - A folder of profiles -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Serve/Store.h"
#include "Database.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

static constexpr const char *kColumns =
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

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}

static std::string join(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static llvm::Error fileError(llvm::StringRef path, std::error_code error) {
  return inputError(path, error.message(),
                    error == std::errc::no_space_on_device
                        ? "Free space on the disk of the store."
                        : "");
}

/// Waits until the content of a file, or the names in a folder, are on disk.
static llvm::Error flush(llvm::StringRef path) {
  int descriptor = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  std::error_code error;
  if (descriptor < 0 || ::fsync(descriptor) != 0)
    error = std::error_code(errno, std::generic_category());
  if (descriptor >= 0)
    ::close(descriptor);
  return error ? fileError(path, error) : llvm::Error::success();
}

static llvm::Error moveFile(const std::string &from, const std::string &to) {
  if (llvm::Error error = flush(from))
    return error;
  if (std::error_code error = llvm::sys::fs::rename(from, to))
    return fileError(to, error);
  return flush(llvm::sys::path::parent_path(to));
}

llvm::Expected<std::unique_ptr<Store>> Store::open(llvm::StringRef folder) {
  llvm::SmallString<128> absolute(folder);
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return fileError(folder, error);
  std::unique_ptr<Store> store(new Store(absolute.str().str()));
  for (const char *name : {"objects", "quarantine", "incoming"})
    if (std::error_code error =
            llvm::sys::fs::create_directories(join(folder, name)))
      return fileError(folder, error);
  store->lock =
      ::open(join(folder, "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (store->lock < 0 || ::flock(store->lock, LOCK_EX | LOCK_NB) != 0)
    return inputError(folder, "is served by another process",
                      "Use its address, or end it first.");
  // Nobody waits for the uploads of an earlier process.
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(join(folder, "incoming"), error),
       end;
       it != end && !error; it.increment(error))
    llvm::sys::fs::remove_directories(it->path());
  if (llvm::Error failed = store->openDatabase())
    return std::move(failed);
  return store;
}

Store::~Store() {
  sqlite3_close_v2(database);
  if (lock >= 0)
    ::close(lock);
}

llvm::Error Store::openDatabase() {
  std::string path = join(folder, "store.sqlite");
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
  if (llvm::Error error = execute(database, kCreate))
    return error;
  std::string set = "PRAGMA user_version = " + std::to_string(kSchema);
  return execute(database, set.c_str());
}

static StoredProfile readRow(Statement &row) {
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

llvm::Error Store::insert(const StoredProfile &profile) {
  std::string sql = std::string("INSERT OR REPLACE INTO profiles (") +
                    kColumns +
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

/// The order that a filter asks for, as SQL.
static llvm::Expected<std::string> getOrder(llvm::StringRef sort) {
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
  Statement rows(database, std::string("SELECT ") + kColumns + where +
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
  Statement statement(database, std::string("SELECT ") + kColumns +
                                    " FROM profiles WHERE id = ?");
  auto row = statement.bind(id).step();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  return readRow(statement);
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
  // First the entry: a file without one is listed again, an entry without its
  // file would be an error.
  Statement statement(database, "DELETE FROM profiles WHERE id = ?");
  if (llvm::Error error = statement.bind(profile.id).run())
    return error;
  llvm::sys::fs::remove(getTimelinePath(profile.id));
  std::string path = getPath(profile);
  if (std::error_code error = llvm::sys::fs::remove(path))
    return fileError(path, error);
  return llvm::Error::success();
}

llvm::Expected<ScratchFolder> Store::makeScratch() {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory(
          join(folder, "incoming/upload"), path))
    return fileError(folder, error);
  return ScratchFolder(path.str().str());
}

static int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

static int64_t getModified(const llvm::sys::fs::file_status &status) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             status.getLastModificationTime().time_since_epoch())
      .count();
}

/// Completes the facts that come with the file itself.
static llvm::Error readFile(const std::string &path, StoredProfile &profile) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fileError(path, error);
  profile.bytes = status.getSize();
  profile.modifiedNs = getModified(status);
  profile.uploadedNs = now();
  return llvm::Error::success();
}

llvm::Expected<bool> Store::add(llvm::StringRef prepared,
                                StoredProfile &profile) {
  if (llvm::Error error = readFacts(prepared, profile))
    return std::move(error);
  auto known = find(profile.id);
  if (!known)
    return known.takeError();
  if (*known && (*known)->state == ProfileState::Ready) {
    profile = **known;
    return false;
  }
  profile.file = "objects/" + profile.id + ".mlprof";
  std::string timeline = join(prepared, "profile.timeline");
  std::lock_guard<std::mutex> guard(mutex);
  if (llvm::sys::fs::exists(timeline))
    if (llvm::Error error = moveFile(timeline, getTimelinePath(profile.id)))
      return std::move(error);
  if (llvm::Error error =
          moveFile(join(prepared, "profile.mlprof"), getPath(profile)))
    return std::move(error);
  if (llvm::Error error = readFile(getPath(profile), profile))
    return std::move(error);
  if (llvm::Error error = insert(profile))
    return std::move(error);
  return true;
}

llvm::Error Store::quarantine(llvm::StringRef path, StoredProfile &profile) {
  auto known = find(profile.id);
  if (!known)
    return known.takeError();
  // A bad upload must not take the place of a profile: a good file with a model
  // of another one has the id of the profile.
  if (*known && (*known)->state == ProfileState::Ready)
    return llvm::Error::success();
  profile.file = "quarantine/" + profile.id;
  profile.state = ProfileState::Quarantined;
  std::lock_guard<std::mutex> guard(mutex);
  if (llvm::Error error = moveFile(path.str(), getPath(profile)))
    return error;
  if (llvm::Error error = readFile(getPath(profile), profile))
    return error;
  return insert(profile);
}

llvm::Expected<std::vector<std::string>> Store::findUnlisted() {
  llvm::StringMap<int64_t> modified;
  std::vector<StoredProfile> gone;
  {
    std::lock_guard<std::mutex> guard(mutex);
    Statement rows(database,
                   std::string("SELECT ") + kColumns + " FROM profiles");
    while (true) {
      auto row = rows.step();
      if (!row)
        return row.takeError();
      if (!*row)
        break;
      StoredProfile profile = readRow(rows);
      llvm::sys::fs::file_status status;
      if (llvm::sys::fs::status(getPath(profile), status) ||
          getModified(status) != profile.modifiedNs)
        gone.push_back(profile);
      else
        modified[profile.file] = profile.modifiedNs;
    }
    for (const StoredProfile &profile : gone) {
      Statement statement(database, "DELETE FROM profiles WHERE id = ?");
      if (llvm::Error error = statement.bind(profile.id).run())
        return std::move(error);
    }
  }
  std::vector<std::string> files;
  for (const char *name : {"", "objects/"}) {
    std::string place = name;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(join(folder, place), error), end;
         it != end && !error; it.increment(error)) {
      std::string file = place + llvm::sys::path::filename(it->path()).str();
      if (llvm::StringRef(file).ends_with(".mlprof") && !modified.count(file) &&
          it->type() == llvm::sys::fs::file_type::regular_file)
        files.push_back(file);
    }
  }
  llvm::sort(files);
  return files;
}

llvm::Error Store::addInPlace(llvm::StringRef file, llvm::StringRef prepared,
                              StoredProfile &profile) {
  if (llvm::Error error = readFacts(prepared, profile))
    return error;
  profile.file = file.str();
  if (llvm::Error error = readFile(getPath(profile), profile))
    return error;
  std::string timeline = join(prepared, "profile.timeline");
  std::lock_guard<std::mutex> guard(mutex);
  if (llvm::sys::fs::exists(timeline))
    if (llvm::Error error = moveFile(timeline, getTimelinePath(profile.id)))
      return error;
  return insert(profile);
}

std::string Store::getPath(const StoredProfile &profile) const {
  return join(folder, profile.file);
}

std::string Store::getTimelinePath(llvm::StringRef id) const {
  return join(folder, "objects/" + id + ".timeline");
}
