//===- FileOptions.cpp - The files named on a command line ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileOptions.h"
#include "Options.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

//===----------------------------------------------------------------------===//
// Files named on the command line
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kInput = "the input";

static bool isStandardInput(llvm::StringRef path) {
  return llvm::is_contained({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"},
                            path);
}

static bool isStandardOutput(llvm::StringRef path) {
  return llvm::is_contained(
      {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}, path);
}

static FileUse makeUse(llvm::StringRef name, llvm::StringRef path,
                       unsigned access) {
  bool isStandard =
      access & FileUse::Reads ? isStandardInput(path) : isStandardOutput(path);
  return {name.str(), isStandard ? "-" : path.str(), access};
}

/// The file named by the value of an option with `flags`, if any.
static std::optional<std::string> getPath(const llvm::opt::Option &option,
                                          llvm::StringRef value) {
  if (option.hasFlag(ReadsSchedule))
    return value.ends_with(".mlir") ? std::optional(value.str()) : std::nullopt;
  if (!option.hasFlag(ReadsArray))
    return value.str();
  auto input = parseInputSpec(value);
  if (!input) {
    llvm::consumeError(input.takeError());
    return std::nullopt;
  }
  return input->kind == InputKind::File ? std::optional(input->path)
                                        : std::nullopt;
}

static unsigned getAccess(const llvm::opt::Option &option, const Verb &verb) {
  unsigned access = 0;
  if (option.hasFlag(ReadsFile) || option.hasFlag(ReadsArray) ||
      option.hasFlag(ReadsSchedule) || option.hasFlag(ReadsFolder))
    access |= FileUse::Reads;
  if (option.hasFlag(WritesFile) || option.hasFlag(WritesFolder) ||
      (option.hasFlag(OptimizeWritesFile) && verb.name == "optimize"))
    access |= FileUse::Writes;
  if (option.hasFlag(ReadsFolder) || option.hasFlag(WritesFolder) ||
      (option.hasFlag(DeployWritesFolder) && verb.name == "deploy"))
    access |= FileUse::Folder;
  return access;
}

static void addInputs(Positionals kind, const InputArgList &arguments,
                      std::vector<FileUse> &uses) {
  if (kind == Positionals::None)
    return;
  std::vector<std::string> inputs = arguments.getAllArgValues(OPT_INPUT);
  if (kind == Positionals::FirstIsFile && inputs.size() > 1)
    inputs.resize(1);
  unsigned access = FileUse::Reads;
  if (kind == Positionals::FilesInPlace)
    access |= FileUse::InPlace;
  for (const std::string &path : inputs) {
    struct stat status;
    bool isFolder = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    uses.push_back(
        makeUse(kInput, path, access | (isFolder ? FileUse::Folder : 0)));
  }
}

std::vector<FileUse> mlirprof::getFileUses(const Verb &verb,
                                           const InputArgList &arguments) {
  std::vector<FileUse> uses;
  addInputs(verb.positionals, arguments, uses);
  bool usesOutput = false;
  for (const Arg *argument : arguments) {
    const llvm::opt::Option &option = argument->getOption();
    unsigned access = getAccess(option, verb);
    // If an option is given twice, the last one takes effect, except for
    // repeatable options, all of which read.
    if (!access || (access & FileUse::Writes &&
                    arguments.getLastArg(option.getID()) != argument))
      continue;
    if (auto path = getPath(option, argument->getValue())) {
      uses.push_back(
          makeUse(argument->getSpelling().rtrim('='), *path, access));
      usesOutput |= access == FileUse::Writes && uses.back().path == "-";
    }
  }
  struct stat status;
  if (!usesOutput && fstat(STDOUT_FILENO, &status) == 0 &&
      S_ISREG(status.st_mode))
    uses.push_back({"standard output", "-", FileUse::Writes});
  return uses;
}

//===----------------------------------------------------------------------===//
// Finding names of the same file
//===----------------------------------------------------------------------===//

namespace {
/// A file by its inode number; a missing one by its folder's number and its
/// name.
using FileIdentity = std::tuple<dev_t, ino_t, std::string>;
} // namespace

/// None for a device, which is not replaced, and for unreachable files.
static std::optional<FileIdentity> identify(const FileUse &use) {
  struct stat status;
  if (use.path == "-") {
    int descriptor = use.access & FileUse::Reads ? STDIN_FILENO : STDOUT_FILENO;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
      return std::nullopt;
    return FileIdentity(status.st_dev, status.st_ino, "");
  }
  std::string target = followLinks(use.path);
  if (stat(target.c_str(), &status) == 0) {
    if (S_ISCHR(status.st_mode))
      return std::nullopt;
    return FileIdentity(status.st_dev, status.st_ino, "");
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(target);
  if (stat(folder.empty() ? "." : folder.str().c_str(), &status) != 0)
    return std::nullopt;
  return FileIdentity(status.st_dev, status.st_ino,
                      llvm::sys::path::filename(target).str());
}

/// Whether `file`, which exists, may be one of those read from the folder
/// `use`.
static bool isReadFrom(const FileUse &use, llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileSlice(file, /*MapSize=*/4096, 0);
  if (!buffer)
    return false;
  llvm::StringRef bytes = (*buffer)->getBuffer();
  llvm::StringRef name = llvm::sys::path::filename(file);
  // A folder of objects, or else of a profiler's tables.
  if (use.name != kInput)
    return bytes.starts_with("\x7f"
                             "ELF") ||
           (name.starts_with("jit-") && name.ends_with(".dump")) ||
           (name.starts_with("perf-") && name.ends_with(".map"));
  return (name.ends_with(".csv") || name.ends_with(".json")) &&
         !isProfileJson(bytes);
}

/// Whether the written file is in the folder that `read` names, and is one of
/// the files read there.
static bool isWrittenInto(const FileUse &read, const FileUse &written) {
  struct stat folder, parent;
  if (!(read.access & FileUse::Folder) || !(read.access & FileUse::Reads) ||
      written.access & FileUse::Folder || written.path == "-" ||
      stat(read.path.c_str(), &folder) != 0)
    return false;
  std::string file = followLinks(written.path);
  for (llvm::StringRef at = llvm::sys::path::parent_path(file);;
       at = llvm::sys::path::parent_path(at)) {
    if (stat(at.empty() ? "." : at.str().c_str(), &parent) == 0 &&
        parent.st_dev == folder.st_dev && parent.st_ino == folder.st_ino)
      return isReadFrom(read, file);
    if (at.empty() || at == llvm::sys::path::root_path(at))
      return false;
  }
}

static llvm::Error overwrites(const FileUse &written, const FileUse &other) {
  auto describe = [](const FileUse &use) {
    return use.path == "-" ? use.name : (use.name + " '" + use.path + "'");
  };
  return usageError(describe(written) + " would be written over " +
                    describe(other) +
                    (other.access & FileUse::Reads ? ", which is read"
                                                   : ", which is written too") +
                    "\n  hint: Name another file.");
}

namespace {
struct KnownUse {
  const FileUse &use;
  std::optional<FileIdentity> identity;
};
} // namespace

/// Fails if two uses name the same file and one of them writes to it.
static llvm::Error checkPair(const KnownUse &first, const KnownUse &second) {
  const FileUse &a = first.use, &b = second.use;
  bool aWrites = a.access & FileUse::Writes;
  bool bWrites = b.access & FileUse::Writes;
  bool isBoth = a.path == "-" && b.path == "-" &&
                (a.access & FileUse::Reads) == (b.access & FileUse::Reads);
  if (isBoth && a.access & FileUse::Reads)
    return usageError(a.name + " and " + b.name +
                      " would both be read from standard input"
                      "\n  hint: Name a file for one of them.");
  if ((!aWrites && !bWrites) || (a.access | b.access) & FileUse::InPlace)
    return llvm::Error::success();
  const FileUse &written = bWrites ? b : a, &other = bWrites ? a : b;
  if (isWrittenInto(other, written))
    return overwrites(written, other);
  if (a.access & b.access & FileUse::Folder)
    return llvm::Error::success();
  if (isBoth)
    return overwrites(written, other);
  return first.identity && first.identity == second.identity
             ? overwrites(written, other)
             : llvm::Error::success();
}

llvm::Error mlirprof::checkFileUses(const std::vector<FileUse> &uses) {
  for (const FileUse &use : uses)
    if (use.path.empty())
      return usageError("'" + use.name + "' does not name a file");
  std::vector<KnownUse> known;
  for (const FileUse &use : uses) {
    known.push_back({use, identify(use)});
    for (const KnownUse &before : llvm::ArrayRef(known).drop_back())
      if (llvm::Error error = checkPair(before, known.back()))
        return error;
  }
  return llvm::Error::success();
}
