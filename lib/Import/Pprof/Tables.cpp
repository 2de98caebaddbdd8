//===- Tables.cpp - The tables to which samples refer ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "../Common/FastWire.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::pprof;
using namespace mlirprof::trace;

static ValueType readValueType(llvm::StringRef message) {
  ValueType type;
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    if (tag == varintTag(1))
      type.type = readVarint(at, end);
    else if (tag == varintTag(2))
      type.unit = readVarint(at, end);
    else
      skipField(tag, at, end);
  });
  return type;
}

Tables::Named Tables::readNamed(llvm::StringRef message, uint64_t nameField) {
  Named named;
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    if (tag == varintTag(1))
      named.id = readVarint(at, end);
    else if (tag == varintTag(nameField))
      named.name = readVarint(at, end);
    else
      skipField(tag, at, end);
  });
  return named;
}

void Tables::addLocation(llvm::StringRef message) {
  Location location;
  uint64_t id = 0;
  location.firstLine = uint32_t(functionsOfLines.size());
  readFields(message, [&](uint64_t tag, const char *&at, const char *end) {
    switch (tag) {
    case varintTag(1):
      id = readVarint(at, end);
      return;
    case varintTag(2):
      location.mapping = readVarint(at, end);
      return;
    case varintTag(3):
      location.address = readVarint(at, end);
      return;
    case bytesTag(4):
      // Its first field is the function.
      functionsOfLines.push_back(readNamed(readBytes(at, end), 2).id);
      ++location.lines;
      return;
    }
    skipField(tag, at, end);
  });
  locationById[id] = uint32_t(locations.size());
  locations.push_back(location);
}

void Tables::readField(uint64_t tag, const char *&at, const char *end) {
  switch (tag) {
  case bytesTag(1):
    sampleTypes.push_back(readValueType(readBytes(at, end)));
    return;
  case bytesTag(2):
    readBytes(at, end);
    ++samples;
    return;
  case bytesTag(3):
    mappings.push_back(readNamed(readBytes(at, end), 5));
    mappingById[mappings.back().id] = uint32_t(mappings.size() - 1);
    return;
  case bytesTag(4):
    addLocation(readBytes(at, end));
    return;
  case bytesTag(5):
    functions.push_back(readNamed(readBytes(at, end), 2));
    functionById[functions.back().id] = uint32_t(functions.size() - 1);
    return;
  case bytesTag(6):
    strings.push_back(readBytes(at, end));
    return;
  case varintTag(9):
    timeNs = int64_t(readVarint(at, end));
    return;
  case varintTag(10):
    durationNs = int64_t(readVarint(at, end));
    return;
  case bytesTag(11):
    periodType = readValueType(readBytes(at, end));
    return;
  case varintTag(12):
    period = int64_t(readVarint(at, end));
    return;
  case varintTag(13):
    comments.push_back(readVarint(at, end));
    return;
  case varintTag(14):
    defaultType = readVarint(at, end);
    return;
  }
  skipField(tag, at, end);
}

Tables::Tables(llvm::StringRef bytes, const char *&position) {
  readFields(bytes, [&](uint64_t tag, const char *&at, const char *end) {
    position = at;
    readField(tag, at, end);
  });
}

llvm::StringRef Tables::getString(uint64_t index) {
  if (index < strings.size())
    return strings[size_t(index)];
  ++dangling;
  return "";
}

void Tables::getFrames(uint64_t id, std::vector<std::string> &names) {
  uint32_t index = locationById.find(id);
  if (index == kNone) {
    ++dangling;
    names.push_back("location " + std::to_string(id) + " (not in the file)");
    return;
  }
  const Location &location = locations[index];
  for (uint32_t line = 0; line != location.lines; ++line) {
    uint32_t function =
        functionById.find(functionsOfLines[location.firstLine + line]);
    if (function == kNone)
      ++dangling;
    llvm::StringRef name =
        function == kNone ? "" : getString(functions[function].name);
    names.push_back(name.empty() ? "(unknown function)" : name.str());
  }
  if (location.lines)
    return;
  // Not symbolized: use the address in the binary.
  std::string name = "0x" + llvm::utohexstr(location.address, true);
  uint32_t mapping = mappingById.find(location.mapping);
  if (mapping != kNone)
    if (llvm::StringRef file = getString(mappings[mapping].name); !file.empty())
      name = file.substr(file.rfind('/') + 1).str() + " " + name;
  names.push_back(std::move(name));
}
