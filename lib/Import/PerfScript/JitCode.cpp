//===- JitCode.cpp - Names of code made at run time -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitCode.h"
#include "../Common/TextLines.h"
#include "Lines.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

/// "perf-123.map" or "jit-123.dump".
static bool parseName(StringRef name, int64_t &process, bool &isDump) {
  isDump = name.consume_front("jit-") && name.consume_back(".dump");
  return (isDump ||
          (name.consume_front("perf-") && name.consume_back(".map"))) &&
         !name.getAsInteger(10, process);
}

void JitCode::addFolder(StringRef folder) {
  std::error_code error;
  // In an order that does not depend on the file system.
  std::set<std::string> paths;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    paths.insert(it->path());
  for (const std::string &path : paths)
    addFile(path);
}

void JitCode::addFile(StringRef path) {
  int64_t number = 0;
  bool isDump = false;
  if (!parseName(llvm::sys::path::filename(path), number, isDump) ||
      !files.insert(path).second || !llvm::sys::fs::is_regular_file(path))
    return;
  auto buffer = openInput(path);
  if (!buffer) {
    llvm::consumeError(buffer.takeError());
    return losses.add("file of names of code that cannot be read");
  }
  Process &process = processes[number];
  if (isDump)
    readDump((*buffer)->getBuffer(), process);
  else
    readMap((*buffer)->getBuffer(), process);
  if (llvm::Error error = checkUnchanged(**buffer)) {
    llvm::consumeError(std::move(error));
    losses.add("file of names of code that changed while it was read");
  }
}

//===----------------------------------------------------------------------===//
// perf-PID.map
//===----------------------------------------------------------------------===//

void JitCode::readMap(StringRef text, Process &process) {
  while (!text.empty()) {
    StringRef line = takeLine(text).trim();
    if (line.empty())
      continue;
    uint64_t begin, size;
    bool isEntry = takeHex(line, begin);
    line = line.ltrim();
    if (!isEntry || !takeHex(line, size) || size == 0 || begin + size < begin ||
        line.trim().empty()) {
      losses.add("line of a map of names that is none, not read");
      continue;
    }
    process.ranges[begin] = {begin + size, line.trim().str()};
  }
}

//===----------------------------------------------------------------------===//
// jit-PID.dump
//===----------------------------------------------------------------------===//

namespace {
enum DumpRecord : uint32_t { CodeLoad = 0, CodeMove = 1, DebugInfo = 2 };

/// Reads a dump in the byte order of `data`.
class DumpReader {
public:
  DumpReader(llvm::DataExtractor data) : data(data) {}

  /// Takes the next record; its content is data[at, end).
  bool next(uint32_t &kind);
  /// False if it is not a header.
  bool readHeader();

  llvm::DataExtractor data;
  llvm::DataExtractor::Cursor at{0};
  uint64_t end = 0;
  bool isCut = false;
};
} // namespace

bool DumpReader::readHeader() {
  constexpr uint32_t kMagic = 0x4A695444, kVersion = 1;
  bool isDump = data.getU32(at) == kMagic && data.getU32(at) == kVersion;
  end = data.getU32(at);
  return bool(at) && isDump && end >= at.tell() && end <= data.size();
}

bool DumpReader::next(uint32_t &kind) {
  if (!at || end >= data.size())
    return false;
  at.seek(end);
  kind = data.getU32(at);
  uint32_t size = data.getU32(at);
  data.skip(at, sizeof(uint64_t));
  isCut = !at || size < at.tell() - end || size > data.size() - end;
  end += size;
  return !isCut;
}

void JitCode::readDump(StringRef bytes, Process &process) {
  bool isLittle = bytes.starts_with("DTiJ");
  DumpReader reader(llvm::DataExtractor(bytes, isLittle, sizeof(uint64_t)));
  llvm::DataExtractor &data = reader.data;
  llvm::DataExtractor::Cursor &at = reader.at;
  auto addLines = [&] {
    data.skip(at, sizeof(uint64_t));
    std::string file;
    for (uint64_t count = data.getU64(at);
         count && at && at.tell() < reader.end; --count) {
      uint64_t address = data.getU64(at);
      uint32_t line = data.getU32(at);
      data.skip(at, sizeof(uint32_t));
      StringRef name = data.getCStrRef(at);
      // The name of the previous line.
      if (name != "\xff")
        file = name.str();
      // Line 0 ends the previous one.
      if (at)
        process.lines[address] = {file, line, 0, ""};
    }
  };
  auto addCode = [&] {
    data.skip(at, 2 * sizeof(uint32_t));
    uint64_t address = data.getU64(at);
    data.skip(at, sizeof(uint64_t));
    uint64_t size = data.getU64(at);
    data.skip(at, sizeof(uint64_t));
    StringRef name = data.getCStrRef(at);
    if (at && size && address + size > address)
      process.ranges[address] = {address + size, name.str()};
  };
  bool isDump = reader.readHeader();
  for (uint32_t kind; isDump && reader.next(kind);) {
    if (kind == CodeLoad)
      addCode();
    else if (kind == DebugInfo)
      addLines();
    else if (kind == CodeMove)
      losses.add("code that was moved: not followed");
  }
  if (llvm::Error error = at.takeError()) {
    llvm::consumeError(std::move(error));
    reader.isCut = true;
  }
  if (!isDump || reader.isCut)
    losses.add("dump of code that is damaged or not complete");
}

//===----------------------------------------------------------------------===//
// Looking up
//===----------------------------------------------------------------------===//

template <typename T>
static const typename std::map<uint64_t, T>::value_type *
findBefore(const std::map<uint64_t, T> &map, uint64_t address) {
  auto it = map.upper_bound(address);
  return it == map.begin() ? nullptr : &*std::prev(it);
}

std::optional<JitCode::Place> JitCode::find(int64_t process,
                                            uint64_t address) const {
  auto it = processes.find(process);
  if (it == processes.end() && processes.size() == 1)
    it = processes.begin();
  if (it == processes.end())
    return std::nullopt;
  const auto *range = findBefore(it->second.ranges, address);
  if (!range || address >= range->second.end)
    return std::nullopt;
  Place place;
  place.name = range->second.name;
  // A line applies until the next one, within its code.
  const auto *line = findBefore(it->second.lines, address);
  if (line && line->first >= range->first)
    place.line = line->second;
  return place;
}
