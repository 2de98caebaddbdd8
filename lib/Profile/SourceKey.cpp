//===- SourceKey.cpp - Code that is known by its source lines -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/SourceKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// "12:5", or "12" where the column is not known.
static std::string printPlace(const SourcePosition &position) {
  std::string text = std::to_string(position.line);
  if (position.column)
    text += ":" + std::to_string(position.column);
  return text;
}

static std::string printOp(const SourcePosition &position) {
  return llvm::sys::path::filename(position.file).str() + ":" +
         printPlace(position);
}

OpKey profile::makeSourceKey(llvm::ArrayRef<SourcePosition> chain,
                             StringRef symbol) {
  OpKey key;
  key.kind = OpKeyKind::FrameworkCall;
  key.op = printOp(chain.front());
  key.kernel = symbol.str();
  for (const SourcePosition &position : llvm::reverse(chain))
    key.call.frames.push_back(position.file + "(" + printPlace(position) +
                              "): " + position.function);
  return key;
}

static bool parsePlace(StringRef text, SourcePosition &position) {
  auto [line, column] = text.split(':');
  bool hasColumn = line.size() != text.size();
  return !line.getAsInteger(10, position.line) &&
         (!hasColumn || !column.getAsInteger(10, position.column));
}

/// "dir/model.mlir(12:5): main". Files and functions may have parentheses.
static bool parseFrame(StringRef text, SourcePosition &position) {
  for (size_t end = text.find("): "); end != StringRef::npos;
       end = text.find("): ", end + 1)) {
    size_t begin = text.take_front(end).rfind('(');
    if (begin == StringRef::npos ||
        !parsePlace(text.slice(begin + 1, end), position))
      continue;
    position.file = text.take_front(begin).str();
    position.function = text.drop_front(end + 3).str();
    return true;
  }
  return false;
}

std::vector<SourcePosition> profile::getSourceChain(const OpKey &key) {
  const FrameworkCall &call = key.call;
  // Calls of frameworks have names without places, and an order.
  bool mayHave = key.kind == OpKeyKind::FrameworkCall && !key.kernel.empty() &&
                 call.ordinal == kNone && !call.frames.empty();
  if (!mayHave)
    return {};
  std::vector<SourcePosition> chain;
  for (StringRef frame : llvm::reverse(call.frames))
    if (!parseFrame(frame, chain.emplace_back()))
      return {};
  if (printOp(chain.front()) != key.op)
    return {};
  return chain;
}
