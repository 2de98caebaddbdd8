//===- LineMatcher.cpp - Debug lines to ops -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineMatcher.h"
#include "../MatchBuilder.h"
#include "../Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using llvm::StringRef;

void LineMatcher::readLines() {
  isRead = true;
  for (uint32_t op = 1; op < index.size(); ++op)
    if (const Frame &frame = index.getLocation(op).getUserFrame())
      byLine[{llvm::sys::path::filename(frame.file), frame.line}].push_back(op);
}

/// The number of common parts at the ends of two paths.
static unsigned countCommonParts(StringRef a, StringRef b) {
  unsigned count = 0;
  auto atA = llvm::sys::path::rbegin(a), atB = llvm::sys::path::rbegin(b);
  for (; atA != llvm::sys::path::rend(a) && atB != llvm::sys::path::rend(b) &&
         *atA == *atB;
       ++atA, ++atB)
    ++count;
  return count;
}

/// Keeps those of `ops` with the highest `getScore`.
static void keepBest(llvm::SmallVector<uint32_t> &ops,
                     llvm::function_ref<unsigned(uint32_t)> getScore) {
  unsigned best = 0;
  for (uint32_t op : ops)
    best = std::max(best, getScore(op));
  llvm::erase_if(ops, [&](uint32_t op) { return getScore(op) < best; });
}

llvm::SmallVector<uint32_t>
LineMatcher::findOps(const SourcePosition &position) const {
  auto it =
      byLine.find({llvm::sys::path::filename(position.file), position.line});
  if (it == byLine.end())
    return {};
  llvm::SmallVector<uint32_t> ops(it->second.begin(), it->second.end());
  keepBest(ops, [&](uint32_t op) {
    return countCommonParts(index.getLocation(op).getUserFrame().file,
                            position.file);
  });
  if (position.column)
    keepBest(ops, [&](uint32_t op) {
      return unsigned(index.getLocation(op).getUserFrame().column ==
                      position.column);
    });
  return ops;
}

static bool isSame(const SourceFrame &frame, const SourcePosition &position) {
  return frame.line == position.line &&
         llvm::sys::path::filename(frame.file) ==
             llvm::sys::path::filename(position.file);
}

/// If ops were inlined, or come from one line of the source, the one with the
/// recorded callers is meant.
void LineMatcher::narrowByCallers(llvm::ArrayRef<SourcePosition> callers,
                                  llvm::SmallVector<uint32_t> &ops) {
  if (!chains)
    chains = collectSourceChains(index[0].op);
  keepBest(ops, [&](uint32_t op) {
    unsigned common = 0;
    uint32_t number = chains->frameOfOp[op];
    uint32_t caller = number ? chains->frames[number - 1].parent : 0;
    for (; caller && common < callers.size() &&
           isSame(chains->frames[caller - 1], callers[common]);
         caller = chains->frames[caller - 1].parent)
      ++common;
    return common;
  });
}

Match LineMatcher::match(llvm::ArrayRef<SourcePosition> chain) {
  if (!isRead)
    readLines();
  MatchBuilder builder;
  for (size_t i = 0; i < chain.size(); ++i) {
    llvm::SmallVector<uint32_t> ops = findOps(chain[i]);
    if (ops.empty())
      continue;
    if (ops.size() > 1)
      narrowByCallers(chain.drop_front(i + 1), ops);
    std::string name = chain[i].file + ":" + std::to_string(chain[i].line);
    builder.addName(name);
    builder.addOps(name, ops, MatchTier::SourceFrame);
    break;
  }
  return builder.build("no op of the module comes from its source line");
}

namespace {

class SourceLineMatcher : public KeyMatcher {
public:
  explicit SourceLineMatcher(const MatchContext &context) : context(context) {}

  Match match(uint32_t key) override {
    return context.lines.match(
        context.profile.opKeys[key].get<SourceLineKey>().getChain());
  }

private:
  MatchContext context;
};

} // namespace

std::unique_ptr<KeyMatcher> matcher::SourceLines(const MatchContext &context) {
  return std::make_unique<SourceLineMatcher>(context);
}
