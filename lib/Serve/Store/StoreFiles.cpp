//===- StoreFiles.cpp - Adding the files of profiles ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "Rows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::serve;

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}

llvm::Expected<ScratchFolder> Store::makeScratch() {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory(
          joinPath(folder, "incoming/upload"), path))
    return fileError(folder, error);
  return ScratchFolder(path.str().str());
}

llvm::Error Store::addFile(const std::string &from, StoredProfile &profile) {
  if (llvm::Error error = moveFile(from, getPath(profile)))
    return error;
  if (llvm::Error error = readFileFacts(getPath(profile), profile))
    return error;
  return insertRow(database, profile);
}

llvm::Error Store::addTimeline(llvm::StringRef prepared, llvm::StringRef id) {
  std::string timeline = joinPath(prepared, "profile.timeline");
  if (!llvm::sys::fs::exists(timeline))
    return llvm::Error::success();
  // Made of the profile again if it is broken: it need not be on disk yet.
  std::string to = getTimelinePath(id);
  if (std::error_code error = llvm::sys::fs::rename(timeline, to))
    return fileError(to, error);
  return llvm::Error::success();
}

llvm::Expected<bool> Store::add(llvm::StringRef prepared,
                                StoredProfile &profile) {
  if (llvm::Error error = readFacts(prepared, profile))
    return std::move(error);
  std::lock_guard<std::mutex> guard(mutex);
  auto known = findRow(database, profile.id);
  if (!known)
    return known.takeError();
  if (*known && (*known)->state == ProfileState::Ready) {
    profile = **known;
    return false;
  }
  profile.file = "objects/" + profile.id + ".mlprof";
  if (llvm::Error error = addTimeline(prepared, profile.id))
    return std::move(error);
  if (llvm::Error error =
          addFile(joinPath(prepared, "profile.mlprof"), profile))
    return std::move(error);
  // An earlier version could not read it.
  if (*known)
    llvm::sys::fs::remove(getPath(**known));
  return true;
}

llvm::Error Store::quarantine(llvm::StringRef path, StoredProfile &profile) {
  std::lock_guard<std::mutex> guard(mutex);
  auto known = findRow(database, profile.id);
  if (!known)
    return known.takeError();
  // A bad upload must not take the place of a profile: a good file with a model
  // of another one has the id of the profile.
  if (*known && (*known)->state == ProfileState::Ready)
    return llvm::Error::success();
  profile.file = "quarantine/" + profile.id;
  profile.state = ProfileState::Quarantined;
  return addFile(path.str(), profile);
}

llvm::Error Store::sweep() {
  auto profiles = readRows(database);
  if (!profiles)
    return profiles.takeError();
  llvm::StringSet<> files;
  for (const StoredProfile &profile : *profiles) {
    files.insert(profile.file);
    files.insert("objects/" + profile.id + ".timeline");
  }
  for (llvm::StringRef place : {"quarantine/", "objects/"})
    for (const std::string &name : listFiles(joinPath(folder, place))) {
      std::string file = (place + name).str();
      // findUnlisted() lists profiles.
      if (!files.contains(file) && !llvm::StringRef(file).ends_with(".mlprof"))
        llvm::sys::fs::remove(joinPath(folder, file));
    }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> Store::findUnlisted() {
  std::lock_guard<std::mutex> guard(mutex);
  auto profiles = readRows(database);
  if (!profiles)
    return profiles.takeError();
  llvm::StringSet<> listed;
  for (const StoredProfile &profile : *profiles) {
    std::optional<int64_t> modified = getModified(getPath(profile));
    if (modified == profile.modifiedNs)
      listed.insert(profile.file);
    else if (!modified)
      if (llvm::Error error = deleteRow(database, profile.id))
        return std::move(error);
  }
  std::vector<std::string> files;
  for (llvm::StringRef place : {"", "objects/"})
    for (const std::string &name : listFiles(joinPath(folder, place))) {
      std::string file = (place + name).str();
      if (llvm::StringRef(file).ends_with(".mlprof") && !listed.contains(file))
        files.push_back(file);
    }
  return files;
}

llvm::Error Store::forget(llvm::StringRef file, llvm::StringRef id) {
  auto profiles = readRows(database);
  if (!profiles)
    return profiles.takeError();
  for (const StoredProfile &profile : *profiles)
    if (profile.file == file && profile.id != id) {
      llvm::sys::fs::remove(getTimelinePath(profile.id));
      if (llvm::Error error = deleteRow(database, profile.id))
        return error;
    }
  return llvm::Error::success();
}

llvm::Error Store::drop(llvm::StringRef file) {
  std::lock_guard<std::mutex> guard(mutex);
  return forget(file, "");
}

llvm::Error Store::addInPlace(llvm::StringRef file, llvm::StringRef prepared,
                              StoredProfile &profile) {
  if (llvm::Error error = readFacts(prepared, profile))
    return error;
  std::lock_guard<std::mutex> guard(mutex);
  auto known = findRow(database, profile.id);
  if (!known)
    return known.takeError();
  // A file that was copied or touched keeps the texts of its user.
  if (*known) {
    const StoredProfile &before = **known;
    profile.name = before.name;
    profile.label = before.label;
    profile.commit = before.commit;
    profile.machine = before.machine;
    profile.uploadedNs = before.uploadedNs;
  }
  profile.file = file.str();
  if (llvm::Error error = readFileFacts(getPath(profile), profile))
    return error;
  if (llvm::Error error = addTimeline(prepared, profile.id))
    return error;
  if (llvm::Error error = insertRow(database, profile))
    return error;
  return forget(file, profile.id);
}
