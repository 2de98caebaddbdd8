//===- LinkObjects.cpp - Joining objects ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/LinkObjects.h"
#include "lld/Common/Driver.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
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

/// Writes each of `contents` to a file in memory.
static Error writeFiles(ArrayRef<StringRef> contents,
                        std::vector<MemoryFile> &files) {
  for (StringRef content : contents) {
    MemoryFile &file = files.emplace_back();
    if (!file.isOpen() || !file.write(content))
      return fail("another copy of the code cannot be kept in memory: " +
                  std::error_code(errno, std::generic_category()).message());
  }
  return Error::success();
}

/// The output of the linker with `options` on `files`.
static Expected<std::string>
runLinker(ArrayRef<std::string> options, ArrayRef<MemoryFile> files,
          function_ref<Error(const Twine &)> onProblem = fail) {
  // The linker replaces its output, so that cannot be in memory.
  SmallString<128> output;
  if (std::error_code error =
          sys::fs::createTemporaryFile("mlir-prof", "o", output))
    return fail("a temporary file cannot be created: " + error.message());
  FileRemover remover(output);
  std::vector<std::string> words = {"ld.lld", "--threads=1", "-o",
                                    output.str().str()};
  append_range(words, options);
  for (const MemoryFile &file : files)
    words.push_back(file.getPath());
  SmallVector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());
  std::string problems;
  raw_string_ostream os(problems);
  // The linker keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result =
      lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return onProblem(StringRef(problems).trim());
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<std::string> compile::linkObjects(ArrayRef<StringRef> objects) {
  PROF_SCOPE("link");
  std::vector<MemoryFile> files;
  if (Error error = writeFiles(objects, files))
    return std::move(error);
  return runLinker({"-r"}, files);
}

/// A library without symbols. Linked with another one, it makes the loader open
/// the library `name` with that one, whose development files need not be
/// installed here.
static Expected<std::string> makeStub(StringRef name, StringRef empty) {
  std::vector<MemoryFile> files;
  if (Error error = writeFiles({empty}, files))
    return std::move(error);
  return runLinker({"-shared", ("-soname=" + name).str()}, files);
}

Expected<std::string> compile::linkLibrary(ArrayRef<StringRef> objects,
                                           ArrayRef<StringRef> exported,
                                           ArrayRef<StringRef> needed,
                                           StringRef empty) {
  PROF_SCOPE("link");
  std::vector<std::string> stubs;
  for (StringRef name : needed) {
    auto stub = makeStub(name, empty);
    if (!stub)
      return stub.takeError();
    stubs.push_back(std::move(*stub));
  }
  std::vector<StringRef> contents(objects);
  append_range(contents, stubs);
  std::string versions = "{ global: " + join(exported, "; ") + "; local: *; };";
  std::vector<MemoryFile> files, scripts;
  if (Error error = writeFiles(contents, files))
    return std::move(error);
  if (Error error = writeFiles({versions}, scripts))
    return std::move(error);
  // A model need not have all that a model may export. Without relaxation, code
  // loads addresses of constants, which whoever loads the library can replace.
  return runLinker({"-shared", "--undefined-version", "-Bsymbolic",
                    "--no-relax", "--strip-debug", "-z", "now",
                    "--hash-style=gnu",
                    "--version-script=" + scripts.front().getPath()},
                   files);
}

Expected<std::string> compile::linkEmbedded(ArrayRef<StringRef> objects,
                                            ArrayRef<std::string> options) {
  PROF_SCOPE("link");
  std::vector<MemoryFile> files, scripts;
  if (Error error = writeFiles(objects, files))
    return std::move(error);
  if (Error error = writeFiles({"{ local: *; };"}, scripts))
    return std::move(error);
  std::vector<std::string> all = {"-shared",
                                  "-Bsymbolic",
                                  "--strip-all",
                                  "-z",
                                  "now",
                                  "--build-id=none",
                                  "--version-script=" +
                                      scripts.front().getPath()};
  append_range(all, options);
  return runLinker(all, files);
}

Expected<std::string> compile::linkProgram(ArrayRef<StringRef> objects,
                                           StringRef entry, StringRef script) {
  PROF_SCOPE("link");
  std::vector<MemoryFile> files, scripts;
  if (Error error = writeFiles(objects, files))
    return std::move(error);
  std::vector<std::string> options = {"-static", "--strip-debug",
                                      "--build-id=none", "--gc-sections",
                                      ("--entry=" + entry).str()};
  if (!script.empty()) {
    if (Error error = writeFiles({script}, scripts))
      return std::move(error);
    options.push_back("--script=" + scripts.front().getPath());
  }
  return runLinker(options, files, [](const Twine &problem) {
    return inputError("the program that runs the model",
                      "cannot be linked: " + problem,
                      "It does not have functions of the compiler's runtime, "
                      "nor of the library of mathematics.");
  });
}
