//===- DecisionFile.cpp - Saving decisions beside other writers -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
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
      "What is learned now is not kept. Name a database that may be written "
      "to keep it.");
}

/// Whether nobody is meant to write the file: the superuser could, though.
static bool isWriteProtected(llvm::StringRef path) {
  auto permissions = llvm::sys::fs::getPermissions(path);
  return permissions && !(*permissions & llvm::sys::fs::all_write);
}

/// Whether files beside `path` may be made. Asked beforehand: the lock's file
/// may be there already.
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
  database.write(os);
  return text;
}

llvm::Expected<SaveReport> DecisionDatabase::save(llvm::StringRef path,
                                                  const SaveOptions &options) {
  // All that save to one file shall use one lock.
  std::string target = followLinks(path);
  if (isWriteProtected(path))
    return readOnly(path, "it is read-only");
  if (!isInWritableFolder(target) && isRefusal(errno))
    return readOnly(path, llvm::sys::StrError(errno));
  llvm::Expected<int> held = lock(target, options.lockSeconds);
  if (!held)
    return held.takeError();
  auto release = llvm::scope_exit([&] { close(*held); });
  llvm::Expected<DecisionDatabase> present = load(path);
  if (!present)
    return present.takeError();
  std::string old = toText(*present);
  bool isMissing = !llvm::sys::fs::exists(path);
  SaveReport report;
  llvm::Expected<uint64_t> merged = merge(*present);
  if (!merged)
    return merged.takeError();
  report.merged = *merged;
  report.folded = foldObservations();
  std::string text = toText(*this);
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
