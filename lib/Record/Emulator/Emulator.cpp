//===- Emulator.cpp - Counting instructions in QEMU -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Emulator.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::record;

/// The plugin is in lib, next to the folder of this program.
static Expected<std::string> findPlugin() {
  static int anchor;
  SmallString<128> path(sys::path::parent_path(sys::path::parent_path(
      sys::fs::getMainExecutable("mlir-prof", &anchor))));
  sys::path::append(path, "lib", MLIRPROF_EMULATOR_PLUGIN);
  if (sys::fs::exists(path))
    return path.str().str();
  return inputError(path,
                    "is not there, and QEMU cannot count instructions "
                    "without it",
                    "It is a part of the installation.");
}

namespace {
/// A file that is removed at the end.
class TemporaryFile {
public:
  Error create(StringRef suffix) {
    if (std::error_code error =
            sys::fs::createTemporaryFile("mlir-prof", suffix, path))
      return inputError("a temporary file",
                        "cannot be created: " + error.message());
    remover.setFile(path);
    return Error::success();
  }
  StringRef getPath() const { return path; }
  std::string read() const {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

private:
  SmallString<128> path;
  FileRemover remover;
};
} // namespace

/// Reads what the plugin wrote (runtime/emulator/Counts.c).
static Expected<InstructionCounts> readCounts(StringRef text) {
  InstructionCounts counts;
  while (!text.empty() && text != "end\n") {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    auto [address, executed] = line.split(' ');
    uint64_t number;
    if (address.getAsInteger(16, number) ||
        executed.getAsInteger(10, counts[number]))
      return inputError("QEMU's plugin",
                        "wrote '" + line + "', which is not a count");
  }
  if (text.empty())
    return inputError("QEMU's plugin", "did not write all of its counts");
  return std::move(counts);
}

static Error execute(StringRef program, ArrayRef<std::string> words,
                     const TemporaryFile &log, unsigned seconds) {
  SmallVector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> streams[] = {StringRef(""), log.getPath(),
                                        log.getPath()};
  std::string problem;
  int status = sys::ExecuteAndWait(program, arguments, std::nullopt, streams,
                                   seconds, /*MemoryLimit=*/0, &problem);
  if (status == 0)
    return Error::success();
  std::string text = "ended with status " + std::to_string(status);
  if (!problem.empty())
    text += ": " + problem;
  std::string said = StringRef(log.read()).trim().take_back(1000).str();
  return inputError(words.front(), text + (said.empty() ? "" : "\n" + said));
}

Expected<InstructionCounts>
record::countInstructions(ArrayRef<std::string> command, StringRef elf,
                          unsigned seconds) {
  PROF_SCOPE("run in the emulator");
  auto program = sys::findProgramByName(command.front());
  if (!program)
    return inputError(command.front(), "is not installed",
                      "Install QEMU, for instance the packages "
                      "qemu-system-arm, qemu-system-misc and qemu-user.");
  auto plugin = findPlugin();
  if (!plugin)
    return plugin.takeError();
  TemporaryFile image, counts, log;
  for (auto [file, suffix] :
       {std::pair(&image, "elf"), {&counts, "txt"}, {&log, "log"}})
    if (Error error = file->create(suffix))
      return std::move(error);
  if (Error error = writeOutput(image.getPath(), [&](raw_ostream &os) -> Error {
        os << elf;
        return Error::success();
      }))
    return std::move(error);
  // Programs of user mode must be executable.
  sys::fs::setPermissions(image.getPath(), sys::fs::owner_all);
  std::vector<std::string> words(command);
  words.insert(words.begin() + 1,
               {"-plugin", *plugin + ",counts=" + counts.getPath().str()});
  words.push_back(image.getPath().str());
  if (Error error = execute(*program, words, log, seconds))
    return std::move(error);
  return readCounts(counts.read());
}
