//===- LinkObjects.cpp - Joining objects ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkObjects.h"
#include "lld/Common/Driver.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace mlirprof;

namespace {
/// A file in memory: the linker reads files only.
class MemoryFile {
public:
  MemoryFile() : descriptor(memfd_create("object", MFD_CLOEXEC)) {}
  MemoryFile(MemoryFile &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }

  bool isOpen() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }
  /// Returns false after an error, which errno names.
  bool write(StringRef bytes) {
    while (!bytes.empty()) {
      ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      // The system does not call that an error.
      if (written == 0)
        errno = ENOSPC;
      if (written <= 0)
        return false;
      bytes = bytes.drop_front(size_t(written));
    }
    return true;
  }

private:
  int descriptor;
};
} // namespace

static Error fail(const Twine &what) {
  return inputError("joining the code of the model's kernels", what,
                    "Try --pipeline=single-function.");
}

Expected<std::string> compile::linkObjects(ArrayRef<StringRef> objects) {
  PROF_SCOPE("link");
  std::vector<MemoryFile> files(objects.size());
  std::vector<std::string> paths;
  for (auto [file, object] : zip_equal(files, objects)) {
    if (!file.isOpen() || !file.write(object))
      return fail("another copy of the code cannot be kept in memory: " +
                  std::error_code(errno, std::generic_category()).message());
    paths.push_back(file.getPath());
  }
  // The linker replaces its output, so that cannot be in memory.
  SmallString<128> output;
  if (std::error_code error =
          sys::fs::createTemporaryFile("mlir-prof", "o", output))
    return fail("a temporary file cannot be created: " + error.message());
  FileRemover remover(output);
  SmallVector<const char *> arguments = {"ld.lld", "-r", "--threads=1", "-o",
                                         output.c_str()};
  for (const std::string &path : paths)
    arguments.push_back(path.c_str());
  std::string problems;
  raw_string_ostream os(problems);
  // The linker keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result =
      lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return fail(StringRef(problems).trim());
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  return (*buffer)->getBuffer().str();
}
