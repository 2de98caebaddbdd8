//===- Files.cpp - Files of a store ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <fcntl.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::serve;

std::string serve::joinPath(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

llvm::Error serve::fileError(llvm::StringRef path, std::error_code error) {
  if (error == std::errc::no_space_on_device)
    return llvm::errorCodeToError(error);
  return inputError(path, error.message());
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

llvm::Error serve::moveFile(const std::string &from, const std::string &to) {
  if (llvm::Error error = flush(from))
    return error;
  if (std::error_code error = llvm::sys::fs::rename(from, to))
    return fileError(to, error);
  return flush(llvm::sys::path::parent_path(to));
}

static int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

static int64_t toNs(const llvm::sys::fs::file_status &status) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             status.getLastModificationTime().time_since_epoch())
      .count();
}

std::optional<int64_t> serve::getModified(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return std::nullopt;
  return toNs(status);
}

llvm::Error serve::readFileFacts(const std::string &path,
                                 StoredProfile &profile) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fileError(path, error);
  profile.bytes = status.getSize();
  profile.modifiedNs = toNs(status);
  if (profile.uploadedNs == 0)
    profile.uploadedNs = now();
  return llvm::Error::success();
}

std::vector<std::string> serve::listFiles(llvm::StringRef folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (it->type() == llvm::sys::fs::file_type::regular_file)
      names.push_back(llvm::sys::path::filename(it->path()).str());
  llvm::sort(names);
  return names;
}
