//===- RecordSorter.cpp - Sorting with bounded memory ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordSorter.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::importer;

static llvm::Error scratchError(llvm::StringRef doing) {
  return inputError("temporary file",
                    "cannot be " + doing + ": " + std::strerror(errno),
                    "Events that are not in order go through it; set TMPDIR to "
                    "a folder with more room.");
}

ScratchFile::~ScratchFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

llvm::Error ScratchFile::append(const void *bytes, size_t size) {
  if (descriptor < 0) {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile(
            "mlir-prof", "events", descriptor, path))
      return inputError("temporary file", "cannot be made: " + error.message(),
                        "Set TMPDIR to a folder that can be written to.");
    // Without a name, the file disappears even if this process crashes.
    llvm::sys::fs::remove(path);
  }
  const char *at = static_cast<const char *>(bytes);
  for (size_t left = size; left != 0;) {
    ssize_t done = ::write(descriptor, at, left);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return scratchError("written");
    at += done;
    left -= size_t(done);
  }
  written += size;
  return llvm::Error::success();
}

llvm::Error ScratchFile::read(void *bytes, size_t size, uint64_t offset) const {
  char *at = static_cast<char *>(bytes);
  for (size_t left = size; left != 0;) {
    ssize_t done = ::pread(descriptor, at, left, off_t(offset));
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return scratchError("read");
    at += done;
    offset += uint64_t(done);
    left -= size_t(done);
  }
  return llvm::Error::success();
}
