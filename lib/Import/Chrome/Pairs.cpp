//===- Pairs.cpp - Pairing begins with ends -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pairs.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::chrome;
using namespace mlirprof::trace;

bool Pairs::end(llvm::StringRef key, uint32_t name, OpenEvent &event) {
  auto it = stacks.find(key);
  if (it == stacks.end() || it->second.empty())
    return false;
  std::vector<OpenEvent> &stack = it->second;
  size_t at = stack.size() - 1;
  if (name != kNone && stack[at].name != name) {
    // A begin far below the top does not belong to this end.
    size_t lowest = stack.size() > 64 ? stack.size() - 64 : 0;
    size_t found = stack.size();
    for (size_t i = stack.size(); i-- > lowest && found == stack.size();)
      if (stack[i].name == name)
        found = i;
    crossed += 1;
    at = found == stack.size() ? at : found;
  }
  event = stack[at];
  stack.erase(stack.begin() + ptrdiff_t(at));
  --open;
  return true;
}

int64_t Pairs::getOpenPs(int64_t untilPs) const {
  int64_t total = 0;
  for (const auto &entry : stacks)
    for (const OpenEvent &event : entry.second)
      if (event.beginPs < untilPs)
        total = saturatingAdd(total, saturatingSub(untilPs, event.beginPs));
  return total;
}
