//===- Objects.cpp - Source lines of code in objects ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "Object.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using llvm::StringRef;

bool perfscript::isModelSource(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".py");
}

Objects::Objects(std::string folder, ObjectPlaces places)
    : folder(std::move(folder)), places(places) {}
Objects::~Objects() = default;

/// The object in the user's folder of objects, or null.
std::unique_ptr<Object> Objects::openMoved(StringRef path) const {
  if (folder.empty())
    return nullptr;
  llvm::SmallString<128> beside(folder);
  llvm::sys::path::append(beside, llvm::sys::path::filename(path));
  return Object::open(beside, folder);
}

Object *Objects::open(StringRef path) {
  auto [it, isNew] = objects.try_emplace(path);
  if (!isNew)
    return it->second.get();
  it->second = openMoved(path);
  if (!it->second && places == ObjectPlaces::FolderAndPaths)
    it->second = Object::open(path, folder);
  return it->second.get();
}

namespace {
/// Whether two builds are the same, as far as both have a build id.
enum class SameBuild : uint8_t { Unknown, No, Yes };
} // namespace

static SameBuild compareBuilds(const Object &object,
                               const std::optional<Mappings::Place> &place) {
  if (!place || place->buildId.empty())
    return SameBuild::Unknown;
  std::string buildId = object.getFile().getBuildId();
  if (buildId.empty())
    return SameBuild::Unknown;
  return place->buildId == buildId ? SameBuild::Yes : SameBuild::No;
}

/// The file at the path of a deleted one is different, unless it has the same
/// build id: it was moved away and back, or rebuilt identically.
Object *Objects::openDeleted(const Frame &frame, const Mappings &mappings,
                             int64_t thread) {
  auto [it, isNew] = movedObjects.try_emplace(frame.object);
  if (isNew)
    it->second = openMoved(frame.object);
  if (it->second)
    return it->second.get();
  Object *object = open(frame.object);
  bool isSame =
      object &&
      compareBuilds(*object, mappings.find(frame, thread)) == SameBuild::Yes;
  return isSame ? object : nullptr;
}

llvm::Error Objects::checkUnchanged() const {
  for (const auto *map : {&objects, &movedObjects})
    for (const auto &entry : *map)
      if (const Object *object = entry.second.get())
        if (llvm::Error error = object->checkUnchanged())
          return error;
  return llvm::Error::success();
}

uint64_t Objects::countUnspelled() const {
  uint64_t count = 0;
  for (const auto *map : {&objects, &movedObjects})
    for (const auto &entry : *map)
      if (const Object *object = entry.second.get())
        count += object->getSymbols().countUnspelled();
  return count;
}

/// Objects are loaded at whole pages.
static bool agrees(uint64_t address, uint64_t runtimeAddress) {
  constexpr uint64_t kSmallestPage = 4096;
  return (address - runtimeAddress) % kSmallestPage == 0;
}

/// Finds the address by the function that `frame` names: one with at least as
/// many bytes as its offset, since a call may be the last of it. If several
/// have that name, the only one that agrees with the frame's address.
static LineResult findInFunction(Object &object, const Frame &frame,
                                 std::optional<uint64_t> &address) {
  llvm::ArrayRef<Symbols::Function> alike =
      object.getSymbols().findPrinted(frame.symbol);
  uint64_t offset = *frame.symbolOffset;
  unsigned fitting = 0, agreeing = 0;
  for (const Symbols::Function &function : alike) {
    if (offset > function.size)
      continue;
    ++fitting;
    if (!agrees(function.address + offset, frame.address))
      continue;
    ++agreeing;
    address = function.address + offset;
  }
  bool areAllKnown = alike.size() < Symbols::kMostAlike;
  if (areAllKnown && agreeing == 1)
    return LineResult::Found;
  if (areAllKnown && agreeing == 0 && fitting != 0)
    return LineResult::Changed;
  if (object.isFixed()) {
    address = frame.address;
    return LineResult::Found;
  }
  // perf names stubs that are not in any table of symbols.
  return alike.size() > 1 ? LineResult::Ambiguous : LineResult::Unplaced;
}

/// The address in `object` of the code of `frame`, by the best known evidence.
static LineResult findAddress(Object &object, const Frame &frame,
                              const Mappings &mappings, int64_t thread,
                              uint64_t &result) {
  std::optional<uint64_t> address;
  std::optional<Mappings::Place> place = mappings.find(frame, thread);
  if (compareBuilds(object, place) == SameBuild::No)
    return LineResult::Changed;
  if (frame.fileOffset) {
    address = object.getFile().getAddress(*frame.fileOffset);
  } else if (place) {
    address = object.getFile().getAddress(place->fileOffset);
  } else if (frame.symbolOffset) {
    LineResult found = findInFunction(object, frame, address);
    if (found != LineResult::Found)
      return found;
  } else if (object.isFixed()) {
    address = frame.address;
  } else {
    return LineResult::Unplaced;
  }
  // Code that is missing, or at another place in its page, was in another build
  // of the object.
  if (!address || !agrees(*address, frame.address))
    return LineResult::Changed;
  result = *address;
  return LineResult::Found;
}

/// The reason why an object does not have lines.
static LineResult getLackOfLines(const Object &object) {
  switch (object.getDebugFileState()) {
  case DebugFileState::None:
  case DebugFileState::Found:
    return LineResult::Foreign;
  case DebugFileState::Missing:
    return LineResult::DebugMissing;
  case DebugFileState::OtherBuildId:
    return LineResult::DebugBuildId;
  case DebugFileState::OtherChecksum:
    return LineResult::DebugChecksum;
  case DebugFileState::Damaged:
    return LineResult::DebugDamaged;
  }
  llvm_unreachable("unknown state of a debug file");
}

LineResult Objects::find(const Frame &frame, const Mappings &mappings,
                         int64_t thread, AddressUse use,
                         llvm::ArrayRef<SourcePosition> &chain,
                         ProgramPlace &place) {
  // "[kernel.kallsyms]", "//anon", "/memfd:jit", "" are not files, and a map of
  // names is not an object.
  if (!llvm::sys::path::is_absolute(frame.object) ||
      frame.object.starts_with("//") || frame.object.starts_with("/memfd:") ||
      frame.object.starts_with("/dev/") || frame.object.ends_with(".map") ||
      frame.object.starts_with("/proc/") || frame.object.starts_with("/sys/"))
    return LineResult::Foreign;
  Object *object = frame.isDeleted ? openDeleted(frame, mappings, thread)
                                   : open(frame.object);
  if (!object)
    return LineResult::Missing;
  if (!object->hasLines())
    return getLackOfLines(*object);
  uint64_t address;
  LineResult result = findAddress(*object, frame, mappings, thread, address);
  if (result != LineResult::Found)
    return result;
  // A call is the instruction before its return address.
  bool isReturn =
      use == AddressUse::ReturnAddress ||
      (use == AddressUse::Unsure && object->getFile().isBehindCall(address));
  address -= isReturn ? 1 : 0;
  if (auto known = object->findInstruction(address)) {
    place = *known;
    return LineResult::Found;
  }
  const auto *lines = object->getChain(address);
  chain = *lines;
  return chain.empty() ? LineResult::NoLine : LineResult::Found;
}
