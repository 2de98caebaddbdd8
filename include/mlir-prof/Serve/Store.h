//===- Store.h - A folder of profiles ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SERVE_STORE_H
#define MLIR_PROF_SERVE_STORE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace mlirprof::serve {

enum class ProfileState : uint8_t { Ready, Quarantined };

/// A profile as the index of the store describes it. Times of day are ns
/// since the epoch, 0 if unknown.
struct StoredProfile {
  /// The contentHash() of its file.
  std::string id;
  /// Relative to the folder of the store.
  std::string file;
  std::string name;
  std::string label;
  std::string producer;
  std::string model;
  std::string commit;
  std::string machine;
  int64_t recordedNs = 0;
  int64_t uploadedNs = 0;
  uint64_t bytes = 0;
  uint64_t events = 0;
  int64_t timePs = 0;
  /// The share of the time of ops with an owner in the model, in millionths;
  /// -1 without a model.
  int64_t coveragePpm = -1;
  /// Wall time of an iteration: median and quartiles; 0 if not recorded.
  int64_t medianPs = 0;
  int64_t lowPs = 0;
  int64_t highPs = 0;
  ProfileState state = ProfileState::Ready;
  /// Why it is quarantined.
  std::string error;
  /// Modification time of `file`, by which a replaced file is noticed.
  int64_t modifiedNs = 0;
};

/// Which profiles are listed. Empty texts match all.
struct ProfileFilter {
  /// Part of the name, label, model, producer or commit, in any case.
  std::string search;
  std::string model;
  std::string commit;
  std::string machine;
  std::string label;
  /// A column of StoredProfile, descending if it begins with '-'.
  std::string sort = "-uploaded_at";
  uint64_t limit = 50;
  uint64_t offset = 0;
};

struct ProfileList {
  std::vector<StoredProfile> profiles;
  /// Their number without limit and offset.
  uint64_t total = 0;
};

/// The texts of a profile that users may change; none: unchanged.
struct ProfileChange {
  std::optional<std::string> label;
  std::optional<std::string> name;
  std::optional<std::string> commit;
  std::optional<std::string> machine;
};

/// Removes a folder and its content when it is destroyed.
class ScratchFolder {
public:
  explicit ScratchFolder(std::string path) : path(std::move(path)) {}
  ScratchFolder(ScratchFolder &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ScratchFolder &operator=(ScratchFolder &&) = delete;
  ~ScratchFolder();

  const std::string &getPath() const { return path; }

private:
  std::string path;
};

/// Profiles in a folder: a file for each, and an index in SQLite. A profile is
/// in the store as a whole or not at all, whenever the process ends. May be
/// used by several threads.
class Store {
public:
  static constexpr int kSchema = 1;

  /// Opens or creates the store in `folder`, and removes what an earlier
  /// process left unfinished. Fails if another process serves the folder, and
  /// for an index of a later version.
  static llvm::Expected<std::unique_ptr<Store>> open(llvm::StringRef folder);
  ~Store();

  llvm::Expected<ProfileList> list(const ProfileFilter &filter);
  /// None if there is no such profile.
  llvm::Expected<std::optional<StoredProfile>> find(llvm::StringRef id);
  llvm::Error change(llvm::StringRef id, const ProfileChange &change);
  /// Removes a profile with its files.
  llvm::Error remove(const StoredProfile &profile);

  /// A new folder for an upload.
  llvm::Expected<ScratchFolder> makeScratch();
  /// Moves what prepareProfile() wrote to `prepared` into the store, with the
  /// texts of `profile` that are set. Whether the profile is new; the other one
  /// stays as it is.
  llvm::Expected<bool> add(llvm::StringRef prepared, StoredProfile &profile);
  /// Keeps a file that could not be read, with StoredProfile::error.
  llvm::Error quarantine(llvm::StringRef path, StoredProfile &profile);

  /// Paths of *.mlprof files of the folder that are not in the index, or
  /// changed since; drops entries of files that are gone. Each is to be given
  /// to addInPlace() or drop().
  llvm::Expected<std::vector<std::string>> findUnlisted();
  /// Registers such a file, which stays in its place. If the index knows its
  /// content, the texts that users changed stay.
  llvm::Error addInPlace(llvm::StringRef file, llvm::StringRef prepared,
                         StoredProfile &profile);
  /// Drops the entry of a file that cannot be read any more.
  llvm::Error drop(llvm::StringRef file);

  std::string getPath(const StoredProfile &profile) const;
  /// The file for the timeline of a profile, which need not exist.
  std::string getTimelinePath(llvm::StringRef id) const;

private:
  Store(std::string folder) : folder(std::move(folder)) {}
  llvm::Error openDatabase();
  /// Removes files without an entry: the process ended between the two.
  llvm::Error sweep();
  /// Moves a file to its place, and adds its entry.
  llvm::Error addFile(const std::string &from, StoredProfile &profile);
  llvm::Error addTimeline(llvm::StringRef prepared, llvm::StringRef id);
  /// Drops the entries of `file` apart from `id`.
  llvm::Error forget(llvm::StringRef file, llvm::StringRef id);

  std::string folder;
  sqlite3 *database = nullptr;
  int lock = -1;
  std::mutex mutex;
};

/// Reads facts.json of a prepared profile into `profile`; texts that are set
/// stay.
llvm::Error readFacts(llvm::StringRef prepared, StoredProfile &profile);

} // namespace mlirprof::serve

#endif // MLIR_PROF_SERVE_STORE_H
