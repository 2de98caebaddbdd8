//===- DebugFile.cpp - Debug information next to an object ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

/// The folder in which systems keep the debug information of installed files.
static constexpr llvm::StringLiteral kSystemFolder = "/usr/lib/debug";

namespace {

/// The contents of .gnu_debuglink.
struct DebugLink {
  StringRef name;
  uint32_t checksum;
};

class Search {
public:
  Search(const ElfFile &object, StringRef path, StringRef folder)
      : object(object), path(path), folder(folder) {}
  DebugFile run();

private:
  using Check = llvm::function_ref<DebugFileState(const ElfFile &)>;
  bool take(const llvm::Twine &candidate, Check check);
  bool takeByBuildId();
  void takeByLink();

  const ElfFile &object;
  StringRef path;
  StringRef folder;
  /// Files that were examined.
  std::vector<std::string> seen;
  DebugFile result;
};

} // namespace

/// The name, its terminator, zeros up to a multiple of four, and the checksum.
static std::optional<DebugLink> readLink(StringRef section,
                                         bool isLittleEndian) {
  size_t end = section.find('\0');
  uint64_t at = llvm::alignTo(end == StringRef::npos ? 0 : end + 1, 4);
  llvm::DataExtractor data(section, isLittleEndian, /*AddressSize=*/8);
  // A name with folders would lead out of the searched ones.
  StringRef name = section.take_front(end);
  if (at == 0 || !data.isValidOffsetForDataOfSize(at, 4) || name.empty() ||
      name == "." || name == ".." || name.contains('/'))
    return std::nullopt;
  return DebugLink{name, data.getU32(&at)};
}

/// Examines a file; whether it is the right one.
bool Search::take(const llvm::Twine &candidate, Check check) {
  std::string text = candidate.str();
  if (llvm::is_contained(seen, text) || !llvm::sys::fs::exists(text) ||
      llvm::sys::fs::equivalent(text, path))
    return false;
  std::optional<ElfFile> elf = ElfFile::open(text);
  DebugFileState state = elf ? check(*elf) : DebugFileState::Damaged;
  seen.push_back(std::move(text));
  if (state == DebugFileState::Found)
    result.elf = std::move(*elf);
  if (state == DebugFileState::Found || result.state == DebugFileState::None ||
      result.state == DebugFileState::Missing)
    result.state = state;
  return state == DebugFileState::Found;
}

/// ".build-id/ab/cdef.debug", in each folder.
bool Search::takeByBuildId() {
  llvm::object::BuildIDRef wanted = llvm::object::getBuildID(object.file.get());
  if (wanted.size() < 2)
    return false;
  // LLVM's lookup by file name may find any file.
  auto check = [&](const ElfFile &elf) {
    return llvm::object::getBuildID(elf.file.get()) == wanted
               ? DebugFileState::Found
               : DebugFileState::OtherBuildId;
  };
  for (StringRef place : {folder, StringRef(kSystemFolder)}) {
    if (place.empty())
      continue;
    auto found = llvm::object::BuildIDFetcher({place.str()}).fetch(wanted);
    if (found && take(*found, check))
      return true;
  }
  return false;
}

/// Searches next to the object, in ".debug" there, and below the system's
/// folder, where the object's place is the requested one or the real one.
void Search::takeByLink() {
  std::optional<StringRef> section = object.getSection(".gnu_debuglink");
  if (!section)
    return;
  auto link = readLink(*section, object.file->isLittleEndian());
  if (result.state == DebugFileState::None)
    result.state = link ? DebugFileState::Missing : DebugFileState::Damaged;
  if (!link)
    return;
  auto check = [&](const ElfFile &elf) {
    uint32_t checksum =
        llvm::crc32(llvm::arrayRefFromStringRef(elf.buffer->getBuffer()));
    return checksum == link->checksum ? DebugFileState::Found
                                      : DebugFileState::OtherChecksum;
  };
  llvm::SmallString<128> real;
  if (llvm::sys::fs::real_path(path, real))
    real = path;
  StringRef asked = llvm::sys::path::parent_path(path);
  StringRef parent = llvm::sys::path::parent_path(real);
  for (const std::string &place :
       {folder.str(), folder.empty() ? "" : (folder + "/.debug").str(),
        asked.str(), (asked + "/.debug").str(), parent.str(),
        (parent + "/.debug").str(), (kSystemFolder + parent).str()})
    if (!place.empty() && take(place + "/" + link->name, check))
      return;
}

DebugFile Search::run() {
  if (!takeByBuildId())
    takeByLink();
  return std::move(result);
}

DebugFile perfscript::findDebugFile(const ElfFile &object, StringRef path,
                                    StringRef folder) {
  return Search(object, path, folder).run();
}
