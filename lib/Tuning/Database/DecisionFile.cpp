//===- DecisionFile.cpp - The file of a database --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionFile.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Tuning/DecisionReader.h"
#include "mlir-prof/Tuning/DecisionWriter.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::tuning;

char ReadOnlyError::ID = 0;

static llvm::Error readOnly(llvm::StringRef path, llvm::StringRef why) {
  return llvm::make_error<ReadOnlyError>(
      path.str(), ("cannot be written: " + why).str(),
      "New decisions are not kept. Name a database that may be written to keep "
      "them.");
}

/// Whether nobody is meant to write the file: the superuser could, though.
static bool isWriteProtected(llvm::StringRef path) {
  auto permissions = llvm::sys::fs::getPermissions(path);
  return permissions && !(*permissions & llvm::sys::fs::all_write);
}

/// Whether files may be created in the folder of `path`. Checked beforehand:
/// the lock's file may already exist.
static bool isInWritableFolder(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return access(folder.empty() ? "." : folder.str().c_str(), W_OK) == 0;
}

static bool isRefusal(int code) {
  return code == EACCES || code == EPERM || code == EROFS;
}

/// Takes the lock of the database `path`; the descriptor that holds it. The
/// system frees it with the process, so no lock is ever stale.
static llvm::Expected<int> lock(llvm::StringRef path, double seconds) {
  std::string lockPath = (path + ".lock").str();
  int file = open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 && isRefusal(errno))
    return readOnly(path, llvm::sys::StrError(errno));
  if (file < 0)
    return inputError(lockPath,
                      "cannot be written: " + llvm::sys::StrError(errno),
                      "Check that the database's folder exists and that the "
                      "disk has room.");
  double begin = getMonotonicSeconds();
  while (flock(file, LOCK_EX | LOCK_NB)) {
    int code = errno;
    bool isTaken = code == EWOULDBLOCK || code == EINTR;
    if (isTaken && getMonotonicSeconds() - begin < seconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    close(file);
    return inputError(path,
                      isTaken
                          ? std::string("another process is saving to it")
                          : "cannot be locked: " + llvm::sys::StrError(code),
                      isTaken ? "Wait for it, or name another database."
                              : "Keep the database on a local disk.");
  }
  return file;
}

static std::string toText(const DecisionDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDecisions(database, os);
  return text;
}

llvm::Expected<DecisionDatabase> DecisionFile::load() const {
  if (!llvm::sys::fs::exists(path))
    return DecisionDatabase();
  uint64_t size = 0;
  if (!llvm::sys::fs::is_directory(path) &&
      !llvm::sys::fs::file_size(path, size) && size == 0)
    return parseDecisions("", path);
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return unlessChanged(**buffer, parseDecisions((*buffer)->getBuffer(), path));
}

llvm::Error DecisionFile::checkWritable() const {
  if (isWriteProtected(path))
    return readOnly(path, "it is read-only");
  if (!isInWritableFolder(followLinks(path)) && isRefusal(errno))
    return readOnly(path, llvm::sys::StrError(errno));
  return llvm::Error::success();
}

llvm::Expected<SaveReport>
DecisionFile::save(DecisionDatabase &database,
                   const SaveOptions &options) const {
  // Step 1: take one lock for all processes that save to one file, whatever
  // their paths.
  if (llvm::Error error = checkWritable())
    return error;
  llvm::Expected<int> held = lock(followLinks(path), options.lockSeconds);
  if (!held)
    return held.takeError();
  auto release = llvm::scope_exit([&] { close(*held); });
  // Step 2: merge the decisions that others have saved meanwhile.
  llvm::Expected<DecisionDatabase> present = load();
  if (!present)
    return present.takeError();
  std::string old = toText(*present);
  bool isMissing = !llvm::sys::fs::exists(path);
  SaveReport report;
  llvm::Expected<uint64_t> merged = database.merge(*present);
  if (!merged)
    return merged.takeError();
  report.merged = *merged;
  report.dropped = database.dropOldObservations();
  // Step 3: write the file only if that changes it.
  std::string text = toText(database);
  if (text == old && !isMissing)
    return report;
  llvm::Error error = writeOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
  if (error)
    return error;
  return report;
}
