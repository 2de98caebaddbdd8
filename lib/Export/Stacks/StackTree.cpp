//===- StackTree.cpp - Stacks with their times ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackTree.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Names come from recordings, in any encoding. Controls are escaped as tables
/// do it, so that names that differ stay apart.
static std::string toFrameName(llvm::StringRef name) {
  std::string text;
  for (char c : toJsonText(name))
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      text += "\\u{" + llvm::utohexstr(uint8_t(c), /*LowerCase=*/true) + "}";
    else
      text += c;
  return text.find_first_not_of(' ') == std::string::npos ? "(unnamed)" : text;
}

uint32_t StackTree::addFrame(llvm::StringRef name, llvm::StringRef file,
                             uint32_t line) {
  StackFrame frame{toFrameName(name), file.empty() ? "" : toFrameName(file),
                   line};
  std::string key = frame.name + '\n' + frame.file + '\n' + llvm::utostr(line);
  auto [entry, inserted] = frameIds.try_emplace(key, uint32_t(frames.size()));
  if (inserted)
    frames.push_back(std::move(frame));
  return entry->second;
}

void StackTree::charge(llvm::ArrayRef<uint32_t> stack, int64_t timePs,
                       uint64_t count) {
  uint32_t at = kNone;
  for (uint32_t frame : stack.take_front(kMaxDepth)) {
    auto [entry, inserted] =
        nodeIds.try_emplace({at, frame}, uint32_t(nodes.size()));
    if (inserted)
      nodes.push_back({at, frame, 0, 0});
    at = entry->second;
  }
  if (at == kNone)
    return;
  nodes[at].timePs = saturatingAdd(nodes[at].timePs, timePs);
  nodes[at].count += count;
}

llvm::SmallVector<uint32_t> StackTree::getPath(uint32_t node) const {
  llvm::SmallVector<uint32_t> path;
  for (; node != kNone; node = nodes[node].parent)
    path.push_back(nodes[node].frame);
  std::reverse(path.begin(), path.end());
  return path;
}
