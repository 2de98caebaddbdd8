//===- KernelCache.cpp - Compiled kernels on disk -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCache.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

#include <elf.h>
#include <link.h>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

// A file is the header (magic, whether OpenMP is used, the lengths of the
// object and of the rest, the hash of all that follows), the object, and a
// profile with the program and its levels.
static constexpr StringLiteral kMagic = "MLPKRNL1";
static constexpr size_t kHeaderBytes = 8 + 4 * 8;

std::string compile::serializeKernel(const CompiledKernel &kernel) {
  Profile holder;
  holder.programs.push_back(kernel.program);
  holder.irModules = kernel.levels;
  std::string body = kernel.object;
  raw_string_ostream os(body);
  cantFail(writeProfile(holder, os));
  std::string bytes = kMagic.str();
  auto put = [&](uint64_t value) {
    char raw[8];
    support::endian::write64le(raw, value);
    bytes.append(raw, sizeof raw);
  };
  put(kernel.usesOpenMP);
  put(kernel.object.size());
  put(body.size() - kernel.object.size());
  put(xxh3_64bits(body));
  return bytes + body;
}

std::optional<CompiledKernel> compile::parseKernel(StringRef bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic))
    return std::nullopt;
  auto get = [&](size_t index) {
    return support::endian::read64le(bytes.data() + 8 + 8 * index);
  };
  uint64_t object = get(1), rest = get(2);
  StringRef body = bytes.drop_front(kHeaderBytes);
  if (object > body.size() || rest != body.size() - object ||
      get(3) != xxh3_64bits(body))
    return std::nullopt;
  Expected<Profile> holder =
      readProfile(body.drop_front(object), "a compiled kernel");
  if (!holder) {
    consumeError(holder.takeError());
    return std::nullopt;
  }
  if (holder->programs.size() != 1)
    return std::nullopt;
  CompiledKernel kernel;
  kernel.object = body.take_front(object).str();
  kernel.usesOpenMP = get(0) != 0;
  kernel.program = std::move(holder->programs.front());
  kernel.levels = std::move(holder->irModules);
  return std::move(kernel);
}

//===----------------------------------------------------------------------===//
// The compiler's identity
//===----------------------------------------------------------------------===//

namespace {
/// The builds of the loaded programs, as text.
struct BuildIds {
  std::string text;
  bool isFirst = true;
};
} // namespace

/// The note that linkers write of a build, as hexadecimal digits.
static std::string readBuildId(const dl_phdr_info &info) {
  for (unsigned i = 0; i != info.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    StringRef notes(
        reinterpret_cast<const char *>(info.dlpi_addr + segment.p_vaddr),
        segment.p_memsz);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      memcpy(&note, notes.data(), sizeof note);
      size_t name = alignTo(note.n_namesz, 4), length = note.n_descsz;
      notes = notes.drop_front(sizeof note);
      if (name > notes.size() || length > notes.size() - name)
        break;
      if (note.n_type == NT_GNU_BUILD_ID)
        return toHex(notes.substr(name, length), /*LowerCase=*/true);
      notes =
          notes.drop_front(std::min(notes.size(), name + alignTo(length, 4)));
    }
  }
  return "";
}

/// Without a note, the file's size and time tell its builds apart.
static std::string describeFile(StringRef path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status))
    return path.str();
  return std::to_string(status.getSize()) + "@" +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

static int addBuildId(dl_phdr_info *info, size_t, void *data) {
  auto &ids = *static_cast<BuildIds *>(data);
  StringRef path = info->dlpi_name;
  bool isProgram = std::exchange(ids.isFirst, false);
  StringRef name = sys::path::filename(path);
  bool counts = isProgram || name.contains("LLVM") || name.contains("MLIR") ||
                name.contains("mlir");
  if (!counts)
    return 0;
  std::string id = readBuildId(*info);
  ids.text +=
      (id.empty() ? describeFile(isProgram ? "/proc/self/exe" : path) : id) +
      " ";
  return 0;
}

const std::string &compile::getCompilerIdentity() {
  static const std::string identity = [] {
    BuildIds ids;
    dl_iterate_phdr(addBuildId, &ids);
    return (getVersion() + " " + ids.text).str();
  }();
  return identity;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

/// The prefix that LLVM's pruning of caches looks for.
static constexpr StringLiteral kPrefix = "llvmcache-";

/// Empty if there is no cache.
static std::string findFolder() {
  if (std::optional<std::string> named =
          sys::Process::GetEnv("MLIR_PROF_CACHE"))
    return *named == "off" ? "" : *named;
  SmallString<128> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "mlir-prof");
  return std::string(folder);
}

static std::string getPath(StringRef folder, const KernelSource &source) {
  SmallString<128> path(folder);
  sys::path::append(path, kPrefix + source.hash);
  return std::string(path);
}

std::optional<CompiledKernel> compile::findInCache(const KernelSource &source) {
  std::string folder = findFolder();
  if (folder.empty())
    return std::nullopt;
  PROF_SCOPE("read cached kernel");
  auto buffer = MemoryBuffer::getFile(getPath(folder, source),
                                      /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return buffer ? parseKernel((*buffer)->getBuffer()) : std::nullopt;
}

/// Removes the oldest files, at most once every few minutes.
static void prune(StringRef folder) {
  uint64_t megabytes = 1024;
  if (std::optional<std::string> text =
          sys::Process::GetEnv("MLIR_PROF_CACHE_SIZE"))
    (void)to_integer(*text, megabytes, 10);
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(300);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizeBytes = megabytes << 20;
  policy.MaxSizePercentageOfAvailableSpace = 50;
  (void)pruneCache(folder, policy, {});
}

void compile::storeInCache(const KernelSource &source,
                           const CompiledKernel &kernel) {
  std::string folder = findFolder();
  if (folder.empty() || sys::fs::create_directories(folder))
    return;
  PROF_SCOPE("cache kernel");
  // A cache that cannot be written to only costs time.
  consumeError(
      writeOutput(getPath(folder, source), [&](raw_ostream &os) -> Error {
        os << serializeKernel(kernel);
        return Error::success();
      }));
  prune(folder);
}
