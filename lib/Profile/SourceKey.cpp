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
    key.call.frames.push_back(position);
  return key;
}

std::vector<SourcePosition> profile::getSourceChain(const OpKey &key) {
  const FrameworkCall &call = key.call;
  // Calls of frameworks have names without places, and an order.
  bool mayHave = key.kind == OpKeyKind::FrameworkCall && !key.kernel.empty() &&
                 call.ordinal == kNone && !call.frames.empty();
  if (!mayHave)
    return {};
  // What names a function alone is no position.
  if (llvm::any_of(call.frames, [](const SourcePosition &frame) {
        return frame.file.empty();
      }))
    return {};
  std::vector<SourcePosition> chain(call.frames.rbegin(), call.frames.rend());
  if (printOp(chain.front()) != key.op)
    return {};
  return chain;
}
