//===- Mappings.cpp - Places of objects in memory -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mappings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

/// "fe:00 2506787 11848254]: r-xp /tmp/model.so", "<build id>]: r-xp /tmp/..."
/// or, of perf's older record, "]: x /tmp/model.so".
static bool parseTail(StringRef text, Mapping &mapping) {
  size_t end = text.find("]: ");
  if (end == StringRef::npos)
    return false;
  StringRef file = text.take_front(end).trim();
  if (file.consume_front("<") && file.consume_back(">"))
    mapping.buildId = file;
  mapping.path = text.drop_front(end + 3).split(' ').second.trim();
  mapping.isDeleted = dropDeleted(mapping.path);
  return !mapping.path.empty();
}

/// "15468/15468: [0x7f..(0x1000) @ 0x1000 ...".
static bool parseMapping(StringRef text, Mapping &mapping) {
  text = text.ltrim();
  return !text.consumeInteger(10, mapping.process) && text.consume_front("/") &&
         !text.consumeInteger(10, mapping.thread) &&
         text.consume_front(": [") && takeHex(text, mapping.begin) &&
         text.consume_front("(") && takeHex(text, mapping.size) &&
         text.consume_front(") @ ") && takeHex(text, mapping.fileOffset) &&
         parseTail(text, mapping);
}

RecordLine perfscript::parseRecord(StringRef line, Mapping &mapping) {
  constexpr StringRef kPrefix = "PERF_RECORD_";
  mapping = Mapping();
  size_t at = line.find(kPrefix);
  if (at == StringRef::npos)
    return RecordLine::None;
  // A command may have this name; that of a record follows a colon.
  StringRef before = line.take_front(at).rtrim();
  if (!before.empty() && !before.ends_with(":"))
    return RecordLine::None;
  StringRef rest = line.drop_front(at + kPrefix.size());
  if (!rest.consume_front("MMAP2 ") && !rest.consume_front("MMAP "))
    return RecordLine::Other;
  return parseMapping(rest, mapping) ? RecordLine::Mapping : RecordLine::Other;
}

void Mappings::add(const Mapping &mapping) {
  auto process = std::make_pair(mapping.thread, mapping.process);
  auto known = llvm::lower_bound(processes, process);
  if (known == processes.end() || *known != process)
    processes.insert(known, process);
  std::vector<Entry> &entries = byPath[mapping.path][mapping.isDeleted];
  Entry entry = {mapping.process,
                 mapping.begin,
                 mapping.size,
                 {mapping.fileOffset, mapping.buildId.str()}};
  for (Entry &other : entries)
    if (other.process == entry.process && other.begin == entry.begin) {
      other = std::move(entry);
      return;
    }
  entries.push_back(std::move(entry));
}

std::optional<int64_t> Mappings::getProcess(int64_t thread) const {
  auto it = llvm::lower_bound(
      processes, std::make_pair(thread, std::numeric_limits<int64_t>::min()));
  if (it == processes.end() || it->first != thread)
    return std::nullopt;
  return it->second;
}

std::optional<Mappings::Place> Mappings::find(const Frame &frame,
                                              int64_t thread) const {
  auto file = byPath.find(frame.object);
  if (file == byPath.end())
    return std::nullopt;
  uint64_t address = frame.address;
  std::optional<int64_t> process = getProcess(thread);
  std::optional<Place> found;
  for (const Entry &entry : file->second[frame.isDeleted]) {
    if (address < entry.begin || address - entry.begin >= entry.size)
      continue;
    Place place = entry.place;
    place.fileOffset += address - entry.begin;
    if (process && entry.process == *process)
      return place;
    // Threads other than the first, and children, do not have their own rows.
    if (found && found->fileOffset != place.fileOffset)
      return std::nullopt;
    found = std::move(place);
  }
  return found;
}

void Mappings::findFile(Frame &frame, int64_t thread) const {
  std::optional<int64_t> process = getProcess(thread);
  StringRef found;
  bool isDeleted = false;
  for (const auto &file : byPath)
    for (bool deleted : {false, true})
      for (const Entry &entry : file.second[deleted]) {
        if (frame.address < entry.begin ||
            frame.address - entry.begin >= entry.size ||
            (process && entry.process != *process))
          continue;
        // Processes disagree about it.
        if (!found.empty() && (found != file.first() || isDeleted != deleted))
          return;
        found = file.first();
        isDeleted = deleted;
      }
  frame.object = found;
  frame.isDeleted = isDeleted;
}
