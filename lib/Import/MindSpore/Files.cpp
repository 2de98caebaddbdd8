//===- Files.cpp - The files of a recording of MindSpore ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

void RankFiles::add(FileKind kind, StringRef path, StringRef content) {
  contents[kind].push_back(content);
  paths[kind].push_back(path.str());
}

llvm::Error RankFiles::open() {
  for (const FoundFile &file : files) {
    uint64_t size = 0;
    if (!llvm::sys::fs::file_size(file.path, size) && size == 0)
      continue;
    auto buffer = openInput(file.path);
    if (!buffer)
      return buffer.takeError();
    add(file.kind, file.path, (*buffer)->getBuffer());
    buffers.push_back(std::move(*buffer));
  }
  return llvm::Error::success();
}

llvm::ArrayRef<StringRef> RankFiles::get(FileKind kind) const {
  auto it = contents.find(kind);
  if (it == contents.end())
    return {};
  return it->second;
}

StringRef RankFiles::getFirst(FileKind kind) const {
  llvm::ArrayRef<StringRef> all = get(kind);
  return all.empty() ? "" : all.front();
}

llvm::ArrayRef<std::string> RankFiles::getPaths(FileKind kind) const {
  auto it = paths.find(kind);
  if (it == paths.end())
    return {};
  return it->second;
}

bool RankFiles::isGe() const {
  return llvm::any_of(files, [](const FoundFile &file) { return file.isGe; });
}

std::string RankFiles::hash() const {
  std::string hashes;
  for (const auto &[kind, all] : contents)
    for (StringRef content : all)
      hashes +=
          std::to_string(unsigned(kind)) + ":" + contentHash(content) + "\n";
  return contentHash(hashes);
}

llvm::Error RankFiles::checkUnchanged() const {
  for (const auto &buffer : buffers)
    if (llvm::Error error = mlirprof::checkUnchanged(*buffer))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

static bool isRaw(FileKind kind) {
  return kind >= FileKind::Hwts && kind <= FileKind::Pmu;
}

/// Whether such a file alone shows that a folder is a recording: tables of one
/// kind are read alone, by their own names.
static bool isSign(FileKind kind) {
  switch (kind) {
  case FileKind::None:
  case FileKind::HostStart:
  case FileKind::DeviceStart:
  case FileKind::DeviceInfo:
  case FileKind::StartTime:
  case FileKind::ProfilerInfo:
    return false;
  default:
    return true;
  }
}

namespace {
/// Walks through a folder, not too deep: a recording has at most hccl_info_N
/// or PROF_N/device_N/data below the folder that holds it.
class Walk {
public:
  static constexpr int kMostDepth = 5;
  static constexpr size_t kMostEntries = 1 << 20;

  explicit Walk(StringRef path) : at(path, error) {}

  /// Goes to the next file of a recording.
  bool next(FoundFile &file);
  /// Folders between the one that is searched and the file.
  int getDepth() const { return depth; }
  bool hasTooMany() const { return entries > kMostEntries; }

private:
  std::error_code error;
  llvm::sys::fs::recursive_directory_iterator at;
  bool isFirst = true;
  size_t entries = 0;
  int depth = 0;
};
} // namespace

bool Walk::next(FoundFile &file) {
  using namespace llvm::sys;
  for (;;) {
    if (!isFirst)
      at.increment(error);
    isFirst = false;
    if (error || at == fs::recursive_directory_iterator() ||
        ++entries > kMostEntries)
      return false;
    if (at.level() >= kMostDepth)
      at.no_push();
    if (at->type() == fs::file_type::directory_file)
      continue;
    StringRef path = at->path(), folder = path::parent_path(path);
    file = classifyFile(path::filename(path), path::filename(folder),
                        path::filename(path::parent_path(folder)));
    if (file.kind == FileKind::None)
      continue;
    file.path = path.str();
    depth = at.level();
    return true;
  }
}

bool mindspore::holdsRecording(StringRef path) {
  Walk walk(path);
  FoundFile file;
  // Tables lie in the folder of a recording. Around them, a folder may be any
  // one.
  constexpr int kMostAbove = 1;
  while (walk.next(file))
    if (isRaw(file.kind) ||
        (isSign(file.kind) && walk.getDepth() <= kMostAbove))
      return true;
  return false;
}

/// The folder of a job: raw files may be in its folder `data`.
static StringRef getJobFolder(StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  return llvm::sys::path::filename(folder) == "data"
             ? llvm::sys::path::parent_path(folder)
             : folder;
}

/// Whether `inner` is `outer` or below it.
static bool isBelow(StringRef inner, StringRef outer) {
  return inner.consume_front(outer) &&
         (inner.empty() || llvm::sys::path::is_separator(inner.front()));
}

/// The folder of a file other than the raw ones.
static StringRef getFolder(const FoundFile &file) {
  StringRef folder = llvm::sys::path::parent_path(file.path);
  if (file.kind == FileKind::HcclTrace)
    folder = llvm::sys::path::parent_path(llvm::sys::path::parent_path(folder));
  return folder;
}

/// Tells ranks whose devices have other numbers, as those of further machines
/// have: such a rank is alone in its folder, and so is its number.
static void numberRanks(llvm::ArrayRef<FoundFile> beside,
                        std::vector<RankFiles> &ranks) {
  std::map<StringRef, std::set<uint32_t>> numbers;
  for (const FoundFile &file : beside)
    numbers[getFolder(file)].insert(file.device);
  for (const auto &[folder, ofFiles] : numbers) {
    RankFiles *only = nullptr;
    size_t below = 0;
    for (RankFiles &rank : ranks)
      if (isBelow(rank.folder, folder)) {
        only = &rank;
        ++below;
      }
    if (below == 1 && ofFiles.size() == 1 && only->device != *ofFiles.begin())
      only->rank = *ofFiles.begin();
  }
}

/// Adds a file other than the raw ones to its rank.
static void addBeside(FoundFile file, std::vector<RankFiles> &ranks) {
  StringRef folder = getFolder(file);
  RankFiles *best = nullptr;
  for (RankFiles &rank : ranks)
    if ((rank.device == file.device || rank.rank == file.device) &&
        isBelow(rank.folder, folder) &&
        (!best || rank.folder.size() < best->folder.size()))
      best = &rank;
  if (!best) {
    best = &ranks.emplace_back();
    best->folder = folder.str();
    best->device = file.device;
  }
  best->files.push_back(std::move(file));
}

static void sortFiles(RankFiles &rank) {
  llvm::stable_sort(rank.files, [](const FoundFile &a, const FoundFile &b) {
    return std::tie(a.kind, a.slice, a.path) <
           std::tie(b.kind, b.slice, b.path);
  });
}

llvm::Expected<std::vector<RankFiles>> mindspore::findRanks(StringRef path) {
  std::vector<FoundFile> beside;
  std::map<std::pair<std::string, uint32_t>, RankFiles> raw;
  std::set<std::tuple<std::string, std::string>> seen;
  Walk walk(path);
  FoundFile file;
  while (walk.next(file)) {
    if (!isRaw(file.kind)) {
      beside.push_back(file);
      continue;
    }
    std::string job = getJobFolder(file.path).str();
    // Some releases leave a copy next to the folder data.
    if (!seen.insert({job, llvm::sys::path::filename(file.path).str()}).second)
      continue;
    RankFiles &rank = raw[{job, file.device}];
    rank.folder = job;
    rank.device = file.device;
    rank.files.push_back(file);
  }
  if (walk.hasTooMany())
    return inputError(path, "has more than a million files below it",
                      "Name the folder of one recording.");
  std::vector<RankFiles> ranks;
  for (auto &entry : raw)
    ranks.push_back(std::move(entry.second));
  llvm::stable_sort(beside, [](const FoundFile &a, const FoundFile &b) {
    return a.path < b.path;
  });
  numberRanks(beside, ranks);
  for (FoundFile &other : beside)
    addBeside(std::move(other), ranks);
  // Logs of a device without anything that it measured are not a rank.
  llvm::erase_if(ranks, [](const RankFiles &rank) {
    return llvm::none_of(
        rank.files, [](const FoundFile &file) { return isSign(file.kind); });
  });
  for (RankFiles &rank : ranks)
    sortFiles(rank);
  return ranks;
}
