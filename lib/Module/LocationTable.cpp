//===- LocationTable.cpp - The contents of locations ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/LocationTable.h"
#include "mlir-prof/Dialect/Prof/LocationParts.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::trace;

namespace {

/// Maximum number of names in one location; fused locations of hostile modules
/// could otherwise multiply them.
constexpr size_t kMaxNames = 256;

bool isTensorFlowFile(StringRef file) {
  return file.contains("site-packages/tensorflow/") ||
         file.contains("dist-packages/tensorflow/");
}

/// A name that ends in ':' is the op's type, which TensorFlow adds.
bool isTypeName(StringRef name) { return name.ends_with(":"); }

} // namespace

LocationTable::LocationTable() = default;

uint32_t LocationTable::add(LocationAttr location) {
  auto found = numbers.find(location);
  if (found != numbers.end())
    return found->second;
  prof::visitPartsFirst(
      location, [&](Location part) { return numbers.contains(part); },
      [&](Location part) {
        infos.push_back(read(part));
        numbers.try_emplace(part, uint32_t(infos.size() - 1));
      });
  return numbers.find(location)->second;
}

const LocationInfo &LocationTable::getPart(LocationAttr part) const {
  return infos[numbers.find(part)->second];
}

void LocationTable::addName(StringRef name, LocationInfo &info) {
  if (name.empty() || info.names.size() >= kMaxNames)
    return;
  auto [entry, inserted] =
      nameNumbers.try_emplace(name, uint32_t(names.size()));
  if (inserted)
    names.push_back(entry->getKey());
  if (!llvm::is_contained(info.names, entry->second))
    info.names.push_back(entry->second);
}

LocationInfo LocationTable::read(LocationAttr location) {
  LocationInfo info;
  uint32_t depth = 0;
  auto takeFrames = [&](const LocationInfo &first, const LocationInfo &last) {
    info.frame = first.frame ? first.frame : last.frame;
    info.lastUserFrame =
        last.lastUserFrame ? last.lastUserFrame : first.lastUserFrame;
    info.hasTensorFlowFrame =
        first.hasTensorFlowFrame || last.hasTensorFlowFrame;
    depth = std::max({depth, first.depth, last.depth});
  };
  if (auto file = dyn_cast<FileLineColRange>(location)) {
    info.frame = {file.getFilename().getValue(), file.getStartLine(),
                  file.getStartColumn()};
    info.hasTensorFlowFrame = isTensorFlowFile(info.frame.file);
    if (!info.hasTensorFlowFrame)
      info.lastUserFrame = info.frame;
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    info = getPart(name.getChildLoc());
    depth = info.depth;
    if (!isTypeName(name.getName())) {
      info.names.clear();
      // The text after '@' is the function from which TensorFlow took the node.
      addName(name.getName().getValue().split('@').first, info);
    }
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    const LocationInfo &callee = getPart(call.getCallee());
    takeFrames(callee, getPart(call.getCaller()));
    info.names = callee.names;
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations()) {
      const LocationInfo &partInfo = getPart(part);
      LocationInfo before = info;
      takeFrames(before, partInfo);
      for (uint32_t partName : partInfo.names)
        addName(names[partName], info);
    }
  }
  info.depth = depth + 1;
  return info;
}

uint32_t LocationTable::findName(StringRef name) const {
  auto found = nameNumbers.find(name);
  return found == nameNumbers.end() ? kNone : found->second;
}

std::string LocationTable::describe(const LocationInfo &info) const {
  std::string text;
  for (uint32_t name : info.names) {
    if (!text.empty())
      text += "; ";
    text += getName(name);
  }
  const Frame &frame = info.getUserFrame();
  if (!frame)
    return text;
  if (!text.empty())
    text += " (";
  bool brackets = !text.empty();
  text += frame.file;
  text += ':';
  text += std::to_string(frame.line);
  if (frame.column != 0) {
    text += ':';
    text += std::to_string(frame.column);
  }
  if (brackets)
    text += ')';
  return text;
}
